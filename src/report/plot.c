#include "report/plot.h"

#include "io/file.h"
#include "report/sheet.h"

#include <stdlib.h>
#include <string.h>

/* The sheet: frames of one width, one below the other. */
enum { WIDTH = 720, TOP = 70, LEFT = 78, RIGHT = 26, PATH_HEIGHT = 250, HEIGHT = 130, GAP = 30 };

enum { NAMED = 8 }; /* bodies with a colour and a name; the others are grey */

static const Colour contact_colour = 0xc05f00, other_colour = 0xb4b4b4, ink = 0x222222;

static Colour body_colour(int b)
{
  static const Colour colours[NAMED] = {0x1f5fb8, 0xd1542b, 0x1d8060, 0xa83a80,
                                        0x8c6d12, 0x5f4fc0, 0x2b87ab, 0x5f7f22};
  return b < NAMED ? colours[b] : other_colour;
}

static SheetFrame next_frame(double *top, double height)
{
  const SheetFrame frame = {
      .left = LEFT, .top = *top, .width = WIDTH - LEFT - RIGHT, .height = height};
  *top += height + GAP;
  return frame;
}

static void widen(double *low, double *high, double value)
{
  if (!isfinite(value)) return;
  if (!(value >= *low)) *low = value;
  if (!(value <= *high)) *high = value;
}

/* Ranges of x, y and z over all bodies. */
static void measure(const Results *r, double low[3], double high[3])
{
  for (int k = 0; k < 3; k++) low[k] = high[k] = NAN;
  for (int f = 0; f < r->frames.n; f++)
    for (int b = 0; b < r->n_bodies; b++)
      for (int k = 0; k < 3; k++) widen(&low[k], &high[k], result_state(r, f, b)[CHANNEL_X + k]);
}

/* The two axes along which most happens, the one up gravity last. */
static void choose_axes(const Results *r, const double low[3], const double high[3], int axis[2])
{
  const Case *c = result_case(r);
  const Vec3 g = c != NULL ? c->gravity : vec3(0, 0, 0);
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] <= high[least] - low[least]) least = k;
  axis[0] = least == 0 ? 1 : 0;
  axis[1] = least == 2 ? 1 : 2;
  if (fabs(vec3_at(g, axis[0])) > fabs(vec3_at(g, axis[1]))) {
    const int first = axis[0];
    axis[0] = axis[1];
    axis[1] = first;
  }
}

/* Make one unit as long in both directions, by widening the range that has room. */
static void keep_scale(SheetFrame *f)
{
  const double ux = (f->x1 - f->x0) / f->width, uy = (f->y1 - f->y0) / f->height;
  const double unit = fmax(ux, uy), x = 0.5 * (f->x0 + f->x1), y = 0.5 * (f->y0 + f->y1);
  f->x0 = x - 0.5 * unit * f->width;
  f->x1 = x + 0.5 * unit * f->width;
  f->y0 = y - 0.5 * unit * f->height;
  f->y1 = y + 0.5 * unit * f->height;
}

/* One number of a body in all frames. */
typedef double (*Quantity)(const double state[]);

static double speed(const double s[])
{
  return vec3_norm(vec3(s[CHANNEL_V], s[CHANNEL_V + 1], s[CHANNEL_V + 2]));
}

static double spin(const double s[])
{
  return vec3_norm(vec3(s[CHANNEL_W], s[CHANNEL_W + 1], s[CHANNEL_W + 2]));
}

static SheetPen pen_of(int b)
{
  return (SheetPen){body_colour(b), b < NAMED ? 1.3 : 0.5, 0.0};
}

/* Paths seen along the axis on which least happens, to scale. */
static void draw_paths(const Results *r, double *top, double work[], Sheet *out)
{
  static const char *const names[] = {"x", "y", "z"};
  double low[3], high[3], *x = work, *y = work + r->frames.n;
  int axis[2];
  measure(r, low, high);
  choose_axes(r, low, high, axis);
  SheetFrame frame = next_frame(top, PATH_HEIGHT);
  *top += GAP - 12;
  frame.x0 = low[axis[0]], frame.x1 = high[axis[0]];
  frame.y0 = low[axis[1]], frame.y1 = high[axis[1]];
  sheet_frame_loosen(&frame.x0, &frame.x1);
  sheet_frame_loosen(&frame.y0, &frame.y1);
  keep_scale(&frame);
  char title[64];
  snprintf(title, sizeof title, "%s of mass centres, to scale", names[axis[1]]);
  sheet_axes(out, &frame, names[axis[0]], title);
  for (int b = r->n_bodies - 1; b >= 0; b--) {
    for (int f = 0; f < r->frames.n; f++) {
      x[f] = result_state(r, f, b)[CHANNEL_X + axis[0]];
      y[f] = result_state(r, f, b)[CHANNEL_X + axis[1]];
    }
    sheet_line(out, &frame, pen_of(b), r->frames.n, x, y);
    sheet_dot(out, &frame, body_colour(b), x[r->frames.n - 1], y[r->frames.n - 1]);
  }
  for (int k = 0; k < r->n_contacts; k++) {
    const Vec3 p = r->contact[k].point;
    sheet_ring(out, &frame, contact_colour, vec3_at(p, axis[0]), vec3_at(p, axis[1]));
  }
}

static void add_ticks(const Results *r, const SheetFrame *frame, Sheet *out)
{
  for (int k = 0; k < r->n_contacts; k++)
    sheet_tick(out, frame, contact_colour, r->contact[k].time);
}

/* A frame over time, as wide as the run. */
static SheetFrame time_frame(const Results *r, double *top)
{
  SheetFrame frame = next_frame(top, HEIGHT);
  frame.x0 = r->frames.time[0];
  frame.x1 = r->frames.time[r->frames.n - 1];
  if (!(frame.x1 > frame.x0)) frame.x1 = frame.x0 + 1.0;
  return frame;
}

static void draw_quantity(const Results *r, const char *title, Quantity quantity, double *top,
                          double work[], Sheet *out)
{
  SheetFrame frame = time_frame(r, top);
  frame.y0 = frame.y1 = 0.0;
  for (int f = 0; f < r->frames.n; f++)
    for (int b = 0; b < r->n_bodies; b++)
      widen(&frame.y0, &frame.y1, quantity(result_state(r, f, b)));
  sheet_frame_loosen(&frame.y0, &frame.y1);
  sheet_axes(out, &frame, NULL, title);
  for (int b = r->n_bodies - 1; b >= 0; b--) {
    for (int f = 0; f < r->frames.n; f++) work[f] = quantity(result_state(r, f, b));
    sheet_line(out, &frame, pen_of(b), r->frames.n, r->frames.time, work);
  }
  add_ticks(r, &frame, out);
}

enum { ENERGIES = 5 };

/* kinetic, of rotation, potential, their sum, lost in contacts */
static void energies(const Results *r, int f, int n_contacts, double value[ENERGIES])
{
  const ResultEnergy e = result_energy(r, f);
  value[0] = e.linear;
  value[1] = e.turning;
  value[2] = e.potential;
  value[3] = e.linear + e.turning + e.potential;
  value[4] = n_contacts > 0 ? r->contact[n_contacts - 1].lost : 0.0;
}

static void draw_energies(const Results *r, double *top, double work[], Sheet *out)
{
  static const char *const names[] = {"kinetic", "of rotation", "potential", "sum",
                                      "lost in contacts"};
  const int n = r->frames.n;
  SheetFrame frame = time_frame(r, top);
  frame.y0 = frame.y1 = 0.0;
  for (int f = 0, k = 0; f < n; f++) {
    double value[ENERGIES];
    while (k < r->n_contacts && r->contact[k].time <= r->frames.time[f]) k++;
    energies(r, f, k, value);
    for (int i = 0; i < ENERGIES; i++) widen(&frame.y0, &frame.y1, work[i * n + f] = value[i]);
  }
  sheet_frame_loosen(&frame.y0, &frame.y1);
  sheet_axes(out, &frame, "time", "energy");
  for (int i = 0; i < ENERGIES; i++) {
    const SheetPen pen = {i == 4   ? contact_colour
                          : i == 3 ? ink
                                   : body_colour(i),
                          1.3, i == 4 ? 4.0 : 0.0};
    sheet_line(out, &frame, pen, n, r->frames.time, work + (size_t)i * n);
    sheet_text(out, LEFT + 60 + 112 * i, frame.top - 6, 11, ANCHOR_START, pen.colour, names[i]);
  }
  add_ticks(r, &frame, out);
}

/* Names in their colours along the top. */
static void draw_names(const Results *r, Sheet *out)
{
  double x = 14;
  for (int b = 0; b < r->n_bodies && b < NAMED; b++) {
    sheet_text(out, x, 44, 12, ANCHOR_START, body_colour(b), r->body[b].name);
    x += 14 + 7.0 * (double)strlen(r->body[b].name);
  }
  char more[96] = "";
  if (r->n_bodies > NAMED) snprintf(more, sizeof more, "and %d more", r->n_bodies - NAMED);
  sheet_text(out, x, 44, 12, ANCHOR_START, 0x777777, more);
  snprintf(more, sizeof more, "%lld contact%s (marks)", (long long)r->n_contacts_written,
           r->n_contacts_written == 1 ? "" : "s");
  if (r->n_contacts > 0) sheet_text(out, WIDTH - RIGHT, 24, 12, ANCHOR_END, contact_colour, more);
}

static bool has_energy(const Results *r)
{
  return result_case(r) != NULL && !r->frames.from_case;
}

static double sheet_height(const Results *r)
{
  return TOP + PATH_HEIGHT + GAP + 2.0 * (HEIGHT + GAP) + GAP +
         (has_energy(r) ? HEIGHT + GAP : 0.0);
}

static void draw_sheet(const Results *r, double work[], Sheet *out)
{
  const Case *c = result_case(r);
  double top = TOP;
  sheet_begin(out, WIDTH, sheet_height(r),
              c != NULL && c->title[0] != '\0' ? c->title : r->directory);
  draw_names(r, out);
  draw_paths(r, &top, work, out);
  draw_quantity(r, "speed", speed, &top, work, out);
  draw_quantity(r, "spin", spin, &top, work, out);
  if (has_energy(r)) draw_energies(r, &top, work, out);
  sheet_end(out);
}

static PetscErrorCode write_svg(const char *path, const Results *r, double work[])
{
  PetscFunctionBeginUser;
  char *bytes = NULL;
  size_t length = 0;
  Sheet out = {.svg = open_memstream(&bytes, &length), .scale = 1.0};
  PetscCheck(out.svg != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the plot");
  draw_sheet(r, work, &out);
  fclose(out.svg);
  PetscCall(FileReplace(PETSC_COMM_SELF, path, bytes, length));
  free(bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_png(const char *path, const Results *r, double work[])
{
  PetscFunctionBeginUser;
  const double fine = 2.0; /* pixels for each unit of the sheet, so that it prints well */
  Sheet out = {.scale = fine};
  unsigned char *bytes = NULL;
  size_t length = 0;
  PetscCall(CanvasCreate((int)(fine * WIDTH), (int)(fine * sheet_height(r)), &out.canvas));
  draw_sheet(r, work, &out);
  PetscCall(CanvasEncode(out.canvas, NULL, &bytes, &length));
  PetscCall(CanvasDestroy(&out.canvas));
  PetscCall(FileReplace(PETSC_COMM_SELF, path, (const char *)bytes, length));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool ends_with(const char *path, const char *ending)
{
  const size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

static bool plot_is_png(const char *path)
{
  return ends_with(path, ".png");
}

bool plot_is_known(const char *path)
{
  return plot_is_png(path) || ends_with(path, ".svg");
}

PetscErrorCode PlotWrite(const char *path, const Results *r)
{
  PetscFunctionBeginUser;
  PetscCheck(r->frames.n > 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: nothing to plot: %s",
             r->directory, r->n_notes > 0 ? r->note[0] : "no bodies");
  double *work;
  PetscCall(PetscMalloc1((size_t)ENERGIES * r->frames.n, &work));
  if (plot_is_png(path))
    PetscCall(write_png(path, r, work));
  else
    PetscCall(write_svg(path, r, work));
  PetscCall(PetscFree(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}
