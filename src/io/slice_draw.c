/*
 * The picture of a slice: values, pixel by pixel, then colours, frame, bar and words.
 */
#include "draw/scale.h"
#include "io/json.h"
#include "io/slice_impl.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
  LONG_SIDE = 640, /* pixels of the longer side of what is shown */
  FINE = 2,        /* values along a pixel's edge, for smooth outlines */
  LEFT = 64,
  TOP = 40,
  RIGHT = 112,
  BOTTOM = 48,
  BAR = 14
};

static const Colour ink = 0x222222;

static const char *const titles[QUANTITIES] = {"Mach number", "Density", "Pressure", "Temperature",
                                               "Speed"};
static const char *const words[QUANTITIES] = {"mach", "density", "pressure", "temperature",
                                              "speed"};

/* What is shown: a box in the plane, and how it stands in the picture. */
typedef struct {
  Vec3 right, up;
  double s0, t0, s1, t1, scale; /* scale: pixels per unit */
  int width, height;            /* of it in pixels */
  double low, high;             /* of the colours */
  float *value; /* owned: FINE^2 of each pixel, rows from the bottom; NaN: nothing */
} View;

void slice_axes(Vec3 normal, Vec3 *right, Vec3 *up)
{
  const bool level = fabs(normal.z) > 0.999;
  const Vec3 z = level ? vec3(0, 1, 0) : vec3(0, 0, 1);
  *up = vec3_unit(vec3_axpy(z, -vec3_dot(z, normal), normal));
  *right = vec3_cross(*up, normal);
  const Vec3 a = *right;
  const double most = fabs(a.x) >= fabs(a.y) ? a.x : a.y;
  if (most < 0.0) *right = vec3_scale(-1.0, a);
}

static Vec3 corner_of(const SliceCorners *c, int k)
{
  return vec3(c->x[3 * (size_t)k], c->x[3 * (size_t)k + 1], c->x[3 * (size_t)k + 2]);
}

/* The box around all corners, or the one that was asked for. */
static void frame_view(const SlicePicture *p, View *v)
{
  const double s = vec3_dot(p->plane->point, v->right), t = vec3_dot(p->plane->point, v->up);
  const double half = 0.5 * p->plane->width;
  v->s0 = v->t0 = DBL_MAX, v->s1 = v->t1 = -DBL_MAX;
  for (int g = 0; g < p->n; g++)
    for (int k = 0; k < p->corners[g].n; k++) {
      const Vec3 x = corner_of(&p->corners[g], k);
      v->s0 = fmin(v->s0, vec3_dot(x, v->right)), v->s1 = fmax(v->s1, vec3_dot(x, v->right));
      v->t0 = fmin(v->t0, vec3_dot(x, v->up)), v->t1 = fmax(v->t1, vec3_dot(x, v->up));
    }
  if (!isnan(half) || !(v->s0 < v->s1 && v->t0 < v->t1)) {
    const double size = isnan(half) ? 1.0 : half;
    v->s0 = s - size, v->s1 = s + size, v->t0 = t - size, v->t1 = t + size;
  }
  v->scale = LONG_SIDE / fmax(v->s1 - v->s0, v->t1 - v->t0);
  v->width = (int)fmax(ceil((v->s1 - v->s0) * v->scale), 8.0);
  v->height = (int)fmax(ceil((v->t1 - v->t0) * v->scale), 8.0);
}

/* Is any of a polygon in view? */
static bool in_view(const View *v, const SlicePart *part, const SliceCorners *c, int k)
{
  double s0 = DBL_MAX, s1 = -DBL_MAX, t0 = DBL_MAX, t1 = -DBL_MAX;
  for (int i = part->start[k]; i < part->start[k + 1]; i++) {
    const Vec3 x = corner_of(c, c->of[i]);
    s0 = fmin(s0, vec3_dot(x, v->right)), s1 = fmax(s1, vec3_dot(x, v->right));
    t0 = fmin(t0, vec3_dot(x, v->up)), t1 = fmax(t1, vec3_dot(x, v->up));
  }
  return s1 >= v->s0 && s0 <= v->s1 && t1 >= v->t0 && t0 <= v->t1;
}

/* The range of the colours: as asked for, else that of computed cells in view, rounded. */
static void find_range(const SlicePicture *p, View *v)
{
  double low = DBL_MAX, high = -DBL_MAX;
  for (int g = 0; g < p->n; g++)
    for (int k = 0; k < p->part[g].n; k++) {
      if (p->part[g].show[k] != SHOW_ABOVE || !in_view(v, &p->part[g], &p->corners[g], k)) continue;
      const double now =
          slice_value(p->plane->quantity, p->part[g].value + (size_t)k * PIECE_VALUES);
      low = fmin(low, now), high = fmax(high, now);
    }
  if (!(low <= high)) low = 0.0, high = 1.0;
  const double size = fmax(fabs(low), fabs(high));
  if (!(high - low > 1e-6 * size)) {
    const double by = size > 0.0 ? 0.01 * size : 1.0;
    low -= by, high += by;
  }
  const double step = scale_step(high - low, 20);
  v->low = isnan(p->plane->low) ? step * floor(low / step + 1e-6) : p->plane->low;
  v->high = isnan(p->plane->high) ? step * ceil(high / step - 1e-6) : p->plane->high;
  if (!(v->high > v->low)) v->high = v->low + 1.0;
}

/* A corner in units of fine pixels from the lower left, with its value. */
typedef struct {
  double s, t, value;
} Spot;

static Spot spot_of(const View *v, Vec3 x, double value)
{
  return (Spot){FINE * v->scale * (vec3_dot(x, v->right) - v->s0),
                FINE * v->scale * (vec3_dot(x, v->up) - v->t0), value};
}

static int clamp(double x, int n)
{
  return x <= 0.0 ? 0 : x >= n ? n : (int)x;
}

/* Values of the fine pixels whose middles lie in a triangle, straight between its corners. */
static void fill_triangle(View *v, Spot a, Spot b, Spot c)
{
  const double area = (b.s - a.s) * (c.t - a.t) - (c.s - a.s) * (b.t - a.t);
  const int width = FINE * v->width, height = FINE * v->height;
  if (!(fabs(area) > 0.0)) return;
  const int i0 = clamp(ceil(fmin(a.s, fmin(b.s, c.s)) - 0.5), width);
  const int i1 = clamp(floor(fmax(a.s, fmax(b.s, c.s)) - 0.5) + 1.0, width);
  const int j0 = clamp(ceil(fmin(a.t, fmin(b.t, c.t)) - 0.5), height);
  const int j1 = clamp(floor(fmax(a.t, fmax(b.t, c.t)) - 0.5) + 1.0, height);
  const double loose = 1e-9;
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) {
      const double s = i + 0.5 - a.s, t = j + 0.5 - a.t;
      const double u = (s * (c.t - a.t) - t * (c.s - a.s)) / area;
      const double w = (t * (b.s - a.s) - s * (b.t - a.t)) / area;
      if (u < -loose || w < -loose || u + w > 1.0 + loose) continue;
      v->value[(size_t)j * width + i] =
          (float)(a.value + u * (b.value - a.value) + w * (c.value - a.value));
    }
}

/* A polygon as triangles around its middle, where the value is the cell's. */
static void fill_polygon(const SlicePicture *p, int g, int k, View *v)
{
  const SlicePart *part = &p->part[g];
  const SliceCorners *c = &p->corners[g];
  const int first = part->start[k], n = part->start[k + 1] - first;
  Vec3 middle = vec3(0, 0, 0);
  for (int i = 0; i < n; i++) middle = vec3_axpy(middle, 1.0 / n, corner_of(c, c->of[first + i]));
  const Spot center =
      spot_of(v, middle, slice_value(p->plane->quantity, part->value + (size_t)k * PIECE_VALUES));
  for (int i = 0; i < n; i++) {
    const int a = c->of[first + i], b = c->of[first + (i + 1) % n];
    fill_triangle(v, center, spot_of(v, corner_of(c, a), c->value[a]),
                  spot_of(v, corner_of(c, b), c->value[b]));
  }
}

/* Interpolated cells below computed ones; the forest below near-body grids. */
static void fill_values(const SlicePicture *p, bool forest_last, View *v)
{
  for (int show = SHOW_BELOW; show <= SHOW_ABOVE; show++)
    for (int i = 0; i < p->n; i++) {
      const int g = forest_last ? (i + p->n - 1) % p->n : i;
      for (int k = 0; k < p->part[g].n; k++)
        if (p->part[g].show[k] == show) fill_polygon(p, g, k, v);
    }
}

/* A pixel is the mean colour of its fine ones, and as much there as they are. */
static void colour_pixel(Canvas *canvas, const View *v, int i, int j)
{
  int sum[3] = {0, 0, 0}, there = 0;
  for (int k = 0; k < FINE * FINE; k++) {
    const float now =
        v->value[(size_t)(FINE * j + k / FINE) * FINE * v->width + FINE * i + k % FINE];
    if (isnan(now)) continue;
    const Colour colour = scale_colour((now - v->low) / (v->high - v->low));
    for (int c = 0; c < 3; c++) sum[c] += (int)(colour >> (16 - 8 * c)) & 0xff;
    there++;
  }
  Colour mean = 0xffffff;
  if (there > 0)
    mean =
        (Colour)(sum[0] / there) << 16 | (Colour)(sum[1] / there) << 8 | (Colour)(sum[2] / there);
  canvas_set(canvas, LEFT + i, TOP + v->height - 1 - j, mean,
             (unsigned char)(255 * there / (FINE * FINE)));
}

static void rule(Canvas *canvas, double x0, double y0, double x1, double y1)
{
  canvas_line(canvas, (Pen){.colour = ink, .width = 1.0}, 2, (double[]){x0, x1},
              (double[]){y0, y1});
}

static void box(Canvas *canvas, double x0, double y0, double x1, double y1)
{
  const double x[] = {x0, x1, x1, x0, x0}, y[] = {y0, y0, y1, y1, y0};
  canvas_line(canvas, (Pen){.colour = ink, .width = 1.0}, 5, x, y);
}

static void number_text(double value, double step, char text[32])
{
  snprintf(text, 32, "%.6g", fabs(value) < 1e-6 * step ? 0.0 : value);
}

static void draw_axes(Canvas *canvas, const View *v)
{
  char text[32];
  const double bottom = TOP + v->height, ds = scale_step(v->s1 - v->s0, 6);
  const double dt = scale_step(v->t1 - v->t0, 6);
  for (double s = ceil(v->s0 / ds) * ds; s <= v->s1 + 1e-9 * ds; s += ds) {
    const double x = LEFT + (s - v->s0) * v->scale;
    rule(canvas, x, bottom, x, bottom + 4);
    number_text(s, ds, text);
    canvas_text(canvas, x, bottom + 18, 12, ANCHOR_MIDDLE, ink, text);
  }
  for (double t = ceil(v->t0 / dt) * dt; t <= v->t1 + 1e-9 * dt; t += dt) {
    const double y = bottom - (t - v->t0) * v->scale;
    rule(canvas, LEFT - 4, y, LEFT, y);
    number_text(t, dt, text);
    canvas_text(canvas, LEFT - 8, y + 4, 12, ANCHOR_END, ink, text);
  }
  box(canvas, LEFT - 0.5, TOP - 0.5, LEFT + v->width + 0.5, bottom + 0.5);
}

/* The axis a direction runs along, or a name of its own. */
static const char *axis_name(Vec3 a, const char *other)
{
  static const char *const names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; k++)
    if (fabs(vec3_at(a, k)) > 1.0 - 1e-9) return names[k];
  return other;
}

static void draw_bar(Canvas *canvas, const View *v)
{
  char text[32];
  const double x = LEFT + v->width + 22, bottom = TOP + v->height;
  const double span = v->high - v->low, step = scale_step(span, v->height > 200 ? 6 : 3);
  for (int j = 0; j < v->height; j++)
    canvas_area(canvas, x, TOP + j, x + BAR, TOP + j + 1,
                scale_colour(1.0 - (j + 0.5) / v->height));
  box(canvas, x - 0.5, TOP - 0.5, x + BAR + 0.5, bottom + 0.5);
  for (double value = ceil(v->low / step - 1e-9) * step; value <= v->high + 1e-9 * step;
       value += step) {
    const double y = bottom - (value - v->low) / span * v->height;
    rule(canvas, x + BAR, y, x + BAR + 4, y);
    number_text(value, step, text);
    canvas_text(canvas, x + BAR + 8, y + 4, 12, ANCHOR_START, ink, text);
  }
}

static void draw_words(Canvas *canvas, const SlicePicture *p, const View *v)
{
  char text[128];
  const Vec3 a = p->plane->normal, x = p->plane->point;
  const char *across = axis_name(a, NULL);
  size_t used =
      (size_t)snprintf(text, sizeof text, "%s   t = %.6g", titles[p->plane->quantity], p->t);
  if (across != NULL)
    snprintf(text + used, sizeof text - used, "   %s = %.6g", across,
             vec3_dot(x, a) * (a.x + a.y + a.z));
  canvas_text(canvas, LEFT, TOP - 14, 15, ANCHOR_START, ink, text);
  canvas_text(canvas, LEFT + v->width, TOP + v->height + 38, 13, ANCHOR_END, ink,
              axis_name(v->right, "along the plane"));
  canvas_text(canvas, 12, TOP + 8, 13, ANCHOR_START, ink, axis_name(v->up, "up"));
}

static void put_vector(FILE *out, const char *name, Vec3 a)
{
  fprintf(out, ",\"%s\":[%.9g,%.9g,%.9g]", name, a.x, a.y, a.z);
}

/* What a program needs to put the picture where it belongs. */
static char *note_of(const SlicePicture *p, const View *v)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) return NULL;
  const Vec3 n = p->plane->normal, s = v->right, t = v->up;
  const double across = v->width / v->scale, upward = v->height / v->scale;
  Vec3 corner = vec3_scale(vec3_dot(n, p->plane->point), n);
  corner = vec3_axpy(vec3_axpy(corner, v->s0, s), v->t0, t);
  fprintf(out, "{\"slice\":%d,\"time\":%.17g,\"quantity\":\"%s\",\"low\":%.9g,\"high\":%.9g",
          p->number, p->t, words[p->plane->quantity], v->low, v->high);
  fprintf(out, ",\"crop\":[%d,%d,%d,%d]", LEFT, TOP, v->width, v->height);
  put_vector(out, "corner", corner);
  put_vector(out, "right", vec3_scale(across, s));
  put_vector(out, "up", vec3_scale(upward, t));
  fputc('}', out);
  fclose(out);
  return text;
}

PetscErrorCode SliceDraw(const SlicePicture *p, bool forest_last, unsigned char **bytes,
                         size_t *length)
{
  PetscFunctionBeginUser;
  View v;
  Canvas *canvas = NULL;
  slice_axes(p->plane->normal, &v.right, &v.up);
  frame_view(p, &v);
  find_range(p, &v);
  const size_t n = (size_t)FINE * FINE * v.width * v.height;
  PetscCall(PetscMalloc1(n, &v.value));
  for (size_t k = 0; k < n; k++) v.value[k] = NAN;
  fill_values(p, forest_last, &v);
  PetscCall(CanvasCreate(LEFT + v.width + RIGHT, TOP + v.height + BOTTOM, &canvas));
  for (int j = 0; j < v.height; j++)
    for (int i = 0; i < v.width; i++) colour_pixel(canvas, &v, i, j);
  draw_axes(canvas, &v);
  draw_bar(canvas, &v);
  draw_words(canvas, p, &v);
  char *note = note_of(p, &v);
  PetscCall(CanvasEncode(canvas, note, bytes, length));
  free(note);
  PetscCall(CanvasDestroy(&canvas));
  PetscCall(PetscFree(v.value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
