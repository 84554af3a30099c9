#include "report/sheet.h"

#include "draw/scale.h"

#include <stdbool.h>
#include <stddef.h>

static const Colour ink = 0x222222, faint = 0xe2e2e2, paper = 0xffffff;

void sheet_begin(Sheet *out, double width, double height, const char *title)
{
  if (out->svg != NULL)
    fprintf(out->svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
  else
    canvas_area(out->canvas, 0, 0, width * out->scale, height * out->scale, paper);
  sheet_text(out, 14, 24, 15, ANCHOR_START, ink, title);
}

void sheet_end(Sheet *out)
{
  if (out->svg != NULL) fprintf(out->svg, "</svg>\n");
}

/* What XML does not allow is written out or left out. */
static void put_text(FILE *out, const char *text)
{
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '<')
      fprintf(out, "&lt;");
    else if (*at == '&')
      fprintf(out, "&amp;");
    else if ((unsigned char)*at >= 0x20)
      fputc(*at, out);
  }
}

void sheet_text(Sheet *out, double x, double y, double size, Anchor anchor, Colour colour,
                const char *text)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  const double k = out->scale;
  if (out->svg == NULL) {
    canvas_text(out->canvas, k * x, k * y, k * size, anchor, colour, text);
    return;
  }
  fprintf(out->svg,
          "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" fill=\"#%06x\">", x, y,
          size, anchors[anchor], colour);
  put_text(out->svg, text);
  fprintf(out->svg, "</text>\n");
}

void sheet_frame_loosen(double *low, double *high)
{
  if (!(*low <= *high)) *low = 0.0, *high = 1.0;
  const double span = *high - *low, size = fmax(fabs(*low), fabs(*high));
  const double by = span > 1e-9 * size ? 0.05 * span : size > 0.0 ? 0.1 * size : 1.0;
  *low -= by;
  *high += by;
}

static double place_x(const SheetFrame *f, double x)
{
  return f->left + (x - f->x0) / (f->x1 - f->x0) * f->width;
}

static double place_y(const SheetFrame *f, double y)
{
  return f->top + f->height - (y - f->y0) / (f->y1 - f->y0) * f->height;
}

static void rule(Sheet *out, Colour colour, double x0, double y0, double x1, double y1)
{
  const double width = 0.8, k = out->scale;
  if (out->svg == NULL) {
    canvas_line(out->canvas, (Pen){.colour = colour, .width = k * width}, 2,
                (double[]){k * x0, k * x1}, (double[]){k * y0, k * y1});
    return;
  }
  fprintf(out->svg, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", x0,
          y0, x1, y1, colour, width);
}

static void outline(Sheet *out, const SheetFrame *f)
{
  const double right = f->left + f->width, bottom = f->top + f->height;
  if (out->svg != NULL) {
    fprintf(out->svg,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
            "stroke=\"#%06x\" stroke-width=\"0.8\"/>\n",
            f->left, f->top, f->width, f->height, ink);
    return;
  }
  rule(out, ink, f->left, f->top, right, f->top);
  rule(out, ink, right, f->top, right, bottom);
  rule(out, ink, right, bottom, f->left, bottom);
  rule(out, ink, f->left, bottom, f->left, f->top);
}

/* The number at a tick; rounding beside the step is zero. */
static void tick_text(double value, double step, char text[], size_t size)
{
  snprintf(text, size, "%.6g", fabs(value) < 1e-6 * step ? 0.0 : value);
}

void sheet_axes(Sheet *out, const SheetFrame *f, const char *x_name, const char *y_name)
{
  char text[32];
  const double dx = scale_step(f->x1 - f->x0, 6), dy = scale_step(f->y1 - f->y0, 4);
  const double bottom = f->top + f->height, right = f->left + f->width;
  for (double x = ceil(f->x0 / dx) * dx; x <= f->x1 + 1e-9 * dx; x += dx) {
    rule(out, faint, place_x(f, x), f->top, place_x(f, x), bottom);
    tick_text(x, dx, text, sizeof text);
    if (x_name != NULL) sheet_text(out, place_x(f, x), bottom + 14, 10, ANCHOR_MIDDLE, ink, text);
  }
  for (double y = ceil(f->y0 / dy) * dy; y <= f->y1 + 1e-9 * dy; y += dy) {
    rule(out, faint, f->left, place_y(f, y), right, place_y(f, y));
    tick_text(y, dy, text, sizeof text);
    sheet_text(out, f->left - 6, place_y(f, y) + 3.5, 10, ANCHOR_END, ink, text);
  }
  outline(out, f);
  if (x_name != NULL) sheet_text(out, right, bottom + 28, 11, ANCHOR_END, ink, x_name);
  if (y_name != NULL) sheet_text(out, f->left, f->top - 6, 11, ANCHOR_START, ink, y_name);
}

/* The path of a line on the sheet; it lifts the pen where a point is not finite. */
static void put_line(Sheet *out, const SheetFrame *f, SheetPen pen, int n, const double x[],
                     const double y[])
{
  fprintf(out->svg,
          "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\"",
          pen.colour, pen.width);
  if (pen.dash > 0.0) fprintf(out->svg, " stroke-dasharray=\"%g %g\"", pen.dash, 0.75 * pen.dash);
  fprintf(out->svg, " d=\"");
  bool drawing = false;
  for (int i = 0; i < n; i++) {
    const bool good = isfinite(x[i]) && isfinite(y[i]);
    if (good)
      fprintf(out->svg, "%c%.2f %.2f", drawing ? 'L' : 'M', place_x(f, x[i]), place_y(f, y[i]));
    drawing = good;
  }
  fprintf(out->svg, "\"/>\n");
}

void sheet_line(Sheet *out, const SheetFrame *f, SheetPen pen, int n, const double x[],
                const double y[])
{
  enum { PIECE = 256 };
  if (out->svg != NULL) {
    put_line(out, f, pen, n, x, y);
    return;
  }
  const double k = out->scale;
  const Pen wide = {pen.colour, k * pen.width, k * pen.dash, 0.75 * k * pen.dash};
  double px[PIECE], py[PIECE];
  for (int i = 0; i + 1 < n; i += PIECE - 1) {
    const int m = n - i < PIECE ? n - i : PIECE;
    for (int j = 0; j < m; j++) {
      px[j] = k * place_x(f, x[i + j]);
      py[j] = k * place_y(f, y[i + j]);
    }
    canvas_line(out->canvas, wide, m, px, py);
  }
}

void sheet_dot(Sheet *out, const SheetFrame *f, Colour colour, double x, double y)
{
  const double radius = 2.2, k = out->scale;
  if (!isfinite(x) || !isfinite(y)) return;
  if (out->svg != NULL)
    fprintf(out->svg, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"#%06x\"/>\n", place_x(f, x),
            place_y(f, y), radius, colour);
  else
    canvas_round(out->canvas, colour, k * place_x(f, x), k * place_y(f, y), k * radius, 0.0);
}

void sheet_ring(Sheet *out, const SheetFrame *f, Colour colour, double x, double y)
{
  const double radius = 3.4, width = 0.9, k = out->scale;
  if (!(x >= f->x0 && x <= f->x1 && y >= f->y0 && y <= f->y1)) return;
  if (out->svg != NULL)
    fprintf(out->svg,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"none\" stroke=\"#%06x\" "
            "stroke-width=\"%g\"/>\n",
            place_x(f, x), place_y(f, y), radius, colour, width);
  else
    canvas_round(out->canvas, colour, k * place_x(f, x), k * place_y(f, y), k * radius, k * width);
}

void sheet_tick(Sheet *out, const SheetFrame *f, Colour colour, double x)
{
  const double at = place_x(f, x), bottom = f->top + f->height;
  if (at >= f->left && at <= f->left + f->width) rule(out, colour, at, bottom - 6, at, bottom);
}
