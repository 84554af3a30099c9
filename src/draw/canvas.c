#include "draw/canvas.h"

#include <math.h>
#include <string.h>

PetscErrorCode CanvasCreate(int width, int height, Canvas **canvas)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)width * (size_t)height;
  PetscCheck(width > 0 && height > 0 && n < (size_t)1 << 28, PETSC_COMM_SELF,
             PETSC_ERR_ARG_OUTOFRANGE, "a picture of %d x %d pixels", width, height);
  PetscCall(PetscNew(canvas));
  (*canvas)->width = width;
  (*canvas)->height = height;
  PetscCall(PetscMalloc1(4 * n, &(*canvas)->pixel));
  PetscCall(PetscCalloc1(n, &(*canvas)->cover));
  memset((*canvas)->pixel, 0xff, 4 * n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CanvasDestroy(Canvas **canvas)
{
  PetscFunctionBeginUser;
  if (*canvas == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*canvas)->pixel));
  PetscCall(PetscFree((*canvas)->cover));
  PetscCall(PetscFree(*canvas));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int channel(Colour colour, int k)
{
  return (int)(colour >> (16 - 8 * k)) & 0xff;
}

void canvas_set(Canvas *c, int i, int j, Colour colour, unsigned char opacity)
{
  if (i < 0 || j < 0 || i >= c->width || j >= c->height) return;
  unsigned char *p = c->pixel + 4 * ((size_t)j * c->width + i);
  for (int k = 0; k < 3; k++) p[k] = (unsigned char)channel(colour, k);
  p[3] = opacity;
}

/* Lay a colour over a pixel, as much as it is covered, from 0 to 255. */
static void blend(Canvas *c, int i, int j, Colour colour, int cover)
{
  unsigned char *p = c->pixel + 4 * ((size_t)j * c->width + i);
  for (int k = 0; k < 3; k++)
    p[k] = (unsigned char)(p[k] + (channel(colour, k) - p[k]) * cover / 255);
  if (cover > p[3]) p[3] = (unsigned char)cover;
}

/* Pixels from floor(low) to ceil(high), within n. */
typedef struct {
  int from, to;
} Span;

static Span span_of(double low, double high, int n)
{
  if (!(low < n) || !(high > 0)) return (Span){0, 0};
  const double from = fmax(floor(low), 0.0), to = fmin(ceil(high), (double)n);
  return (Span){(int)from, (int)to};
}

/* How much of [i, i+1] lies in [low, high]. */
static double share(int i, double low, double high)
{
  const double s = fmin(i + 1.0, high) - fmax((double)i, low);
  return s > 0.0 ? s : 0.0;
}

void canvas_area(Canvas *c, double x0, double y0, double x1, double y1, Colour colour)
{
  const Span x = span_of(x0, x1, c->width), y = span_of(y0, y1, c->height);
  for (int j = y.from; j < y.to; j++)
    for (int i = x.from; i < x.to; i++)
      blend(c, i, j, colour, (int)(255.0 * share(i, x0, x1) * share(j, y0, y1) + 0.5));
}

static void raise_cover(Canvas *c, int i, int j, double cover)
{
  unsigned char *at = c->cover + (size_t)j * c->width + i;
  const int now = (int)(255.0 * fmin(fmax(cover, 0.0), 1.0) + 0.5);
  if (now > *at) *at = (unsigned char)now;
}

/* Blend what is covered within a box of pixels, and forget it. */
static void flush_cover(Canvas *c, Span x, Span y, Colour colour)
{
  for (int j = y.from; j < y.to; j++)
    for (int i = x.from; i < x.to; i++) {
      unsigned char *at = c->cover + (size_t)j * c->width + i;
      if (*at > 0) blend(c, i, j, colour, *at);
      *at = 0;
    }
}

/* Distance of a point to the piece of a line from a to b, squared. */
static double distance2(double x, double y, const double a[2], const double b[2])
{
  const double ux = b[0] - a[0], uy = b[1] - a[1], size = ux * ux + uy * uy;
  double s = size > 0.0 ? ((x - a[0]) * ux + (y - a[1]) * uy) / size : 0.0;
  s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
  const double dx = x - a[0] - s * ux, dy = y - a[1] - s * uy;
  return dx * dx + dy * dy;
}

static void cover_piece(Canvas *c, const double a[2], const double b[2], double width)
{
  const double reach = 0.5 * width + 0.5;
  const Span y = span_of(fmin(a[1], b[1]) - reach, fmax(a[1], b[1]) + reach, c->height);
  const Span x = span_of(fmin(a[0], b[0]) - reach, fmax(a[0], b[0]) + reach, c->width);
  for (int j = y.from; j < y.to; j++)
    for (int i = x.from; i < x.to; i++) {
      const double d2 = distance2(i + 0.5, j + 0.5, a, b);
      if (d2 < reach * reach) raise_cover(c, i, j, reach - sqrt(d2));
    }
}

/* A piece of a line with its dashes; `along` is how far the line has come. */
static void cover_dashes(Canvas *c, const double a[2], const double b[2], Pen pen, double *along)
{
  const double length = hypot(b[0] - a[0], b[1] - a[1]), period = pen.on + pen.off;
  if (!(pen.on > 0.0)) {
    cover_piece(c, a, b, pen.width);
    return;
  }
  for (double at = -fmod(*along, period); at < length; at += period) {
    const double from = fmax(at, 0.0) / length, to = fmin(at + pen.on, length) / length;
    if (!(to > from)) continue;
    const double p[2] = {a[0] + from * (b[0] - a[0]), a[1] + from * (b[1] - a[1])};
    const double q[2] = {a[0] + to * (b[0] - a[0]), a[1] + to * (b[1] - a[1])};
    cover_piece(c, p, q, pen.width);
  }
  *along += length;
}

/* Part of the piece from a to b within `margin` of the canvas; false: none. */
static bool clip(const Canvas *c, double margin, double a[2], double b[2])
{
  const double high[2] = {c->width + margin, c->height + margin};
  double from = 0.0, to = 1.0;
  for (int k = 0; k < 2; k++) {
    const double u = b[k] - a[k];
    if (u == 0.0 && (a[k] < -margin || a[k] > high[k])) return false;
    if (u == 0.0) continue;
    const double s = (-margin - a[k]) / u, t = (high[k] - a[k]) / u;
    from = fmax(from, fmin(s, t));
    to = fmin(to, fmax(s, t));
  }
  if (!(from < to) && !(from == to && a[0] == b[0] && a[1] == b[1])) return false;
  const double p[2] = {a[0], a[1]}, u[2] = {b[0] - a[0], b[1] - a[1]};
  for (int k = 0; k < 2; k++) {
    a[k] = p[k] + from * u[k];
    b[k] = p[k] + to * u[k];
  }
  return true;
}

void canvas_line(Canvas *c, Pen pen, int n, const double x[], const double y[])
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, along = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a[2] = {x[i], y[i]}, b[2] = {x[i + 1], y[i + 1]};
    if (!isfinite(a[0] + a[1] + b[0] + b[1]) || !clip(c, pen.width + 1.0, a, b)) continue;
    cover_dashes(c, a, b, pen, &along);
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], fmin(a[k], b[k]) - pen.width - 1.0);
      high[k] = fmax(high[k], fmax(a[k], b[k]) + pen.width + 1.0);
    }
  }
  if (!(low[0] <= high[0])) return;
  flush_cover(c, span_of(low[0], high[0], c->width), span_of(low[1], high[1], c->height),
              pen.colour);
}

void canvas_round(Canvas *c, Colour colour, double x, double y, double radius, double width)
{
  if (!isfinite(x + y)) return;
  const double reach = radius + 0.5 * width + 0.5;
  const Span across = span_of(x - reach, x + reach, c->width);
  const Span down = span_of(y - reach, y + reach, c->height);
  for (int j = down.from; j < down.to; j++)
    for (int i = across.from; i < across.to; i++) {
      const double d = hypot(i + 0.5 - x, j + 0.5 - y);
      const double inside = width > 0.0 ? 0.5 * width - fabs(d - radius) : radius - d;
      raise_cover(c, i, j, inside + 0.5);
    }
  flush_cover(c, across, down, colour);
}
