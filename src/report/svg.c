#include "report/svg.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const char ink[] = "#222222", faint[] = "#e2e2e2";

void svg_begin(FILE *out, double width, double height, const char *title)
{
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
          "viewBox=\"0 0 %g %g\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          width, height, width, height);
  svg_text(out, 14, 24, 15, SVG_START, ink, title);
}

void svg_end(FILE *out)
{
  fprintf(out, "</svg>\n");
}

void svg_text(FILE *out, double x, double y, double size, SvgAnchor anchor, const char *colour,
              const char *text)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" fill=\"%s\">", x, y,
          size, anchors[anchor], colour);
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '<')
      fprintf(out, "&lt;");
    else if (*at == '&')
      fprintf(out, "&amp;");
    else if ((unsigned char)*at >= 0x20)
      fputc(*at, out);
  }
  fprintf(out, "</text>\n");
}

void svg_frame_loosen(double *low, double *high)
{
  if (!(*low <= *high)) *low = 0.0, *high = 1.0;
  const double span = *high - *low, size = fmax(fabs(*low), fabs(*high));
  const double by = span > 1e-9 * size ? 0.05 * span : size > 0.0 ? 0.1 * size : 1.0;
  *low -= by;
  *high += by;
}

static double place_x(const SvgFrame *f, double x)
{
  return f->left + (x - f->x0) / (f->x1 - f->x0) * f->width;
}

static double place_y(const SvgFrame *f, double y)
{
  return f->top + f->height - (y - f->y0) / (f->y1 - f->y0) * f->height;
}

/* 1, 2 or 5 times a power of ten: about n steps in the span. */
static double nice_step(double span, int n)
{
  const double power = pow(10.0, floor(log10(span / n))), lead = span / n / power;
  return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

static void rule(FILE *out, const char *colour, double x0, double y0, double x1, double y1)
{
  fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"0.8\"/>\n", x0, y0,
          x1, y1, colour);
}

/* The number at a tick; rounding beside the step is zero. */
static void tick_text(double value, double step, char text[], size_t size)
{
  snprintf(text, size, "%.6g", fabs(value) < 1e-6 * step ? 0.0 : value);
}

void svg_axes(FILE *out, const SvgFrame *f, const char *x_name, const char *y_name)
{
  char text[32];
  const double dx = nice_step(f->x1 - f->x0, 6), dy = nice_step(f->y1 - f->y0, 4);
  const double bottom = f->top + f->height, right = f->left + f->width;
  for (double x = ceil(f->x0 / dx) * dx; x <= f->x1 + 1e-9 * dx; x += dx) {
    rule(out, faint, place_x(f, x), f->top, place_x(f, x), bottom);
    tick_text(x, dx, text, sizeof text);
    if (x_name != NULL) svg_text(out, place_x(f, x), bottom + 14, 10, SVG_MIDDLE, ink, text);
  }
  for (double y = ceil(f->y0 / dy) * dy; y <= f->y1 + 1e-9 * dy; y += dy) {
    rule(out, faint, f->left, place_y(f, y), right, place_y(f, y));
    tick_text(y, dy, text, sizeof text);
    svg_text(out, f->left - 6, place_y(f, y) + 3.5, 10, SVG_END, ink, text);
  }
  fprintf(out,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
          "stroke=\"%s\" stroke-width=\"0.8\"/>\n",
          f->left, f->top, f->width, f->height, ink);
  if (x_name != NULL) svg_text(out, right, bottom + 28, 11, SVG_END, ink, x_name);
  if (y_name != NULL) svg_text(out, f->left, f->top - 6, 11, SVG_START, ink, y_name);
}

void svg_line(FILE *out, const SvgFrame *f, SvgPen pen, int n, const double x[], const double y[])
{
  fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\"",
          pen.colour, pen.width);
  if (pen.dash != NULL) fprintf(out, " stroke-dasharray=\"%s\"", pen.dash);
  fprintf(out, " d=\"");
  bool drawing = false;
  for (int i = 0; i < n; i++) {
    const bool good = isfinite(x[i]) && isfinite(y[i]);
    if (good) fprintf(out, "%c%.2f %.2f", drawing ? 'L' : 'M', place_x(f, x[i]), place_y(f, y[i]));
    drawing = good;
  }
  fprintf(out, "\"/>\n");
}

void svg_dot(FILE *out, const SvgFrame *f, const char *colour, double x, double y)
{
  if (!isfinite(x) || !isfinite(y)) return;
  fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.2\" fill=\"%s\"/>\n", place_x(f, x),
          place_y(f, y), colour);
}

void svg_ring(FILE *out, const SvgFrame *f, const char *colour, double x, double y)
{
  if (!(x >= f->x0 && x <= f->x1 && y >= f->y0 && y <= f->y1)) return;
  fprintf(out,
          "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.4\" fill=\"none\" stroke=\"%s\" "
          "stroke-width=\"0.9\"/>\n",
          place_x(f, x), place_y(f, y), colour);
}

void svg_tick(FILE *out, const SvgFrame *f, const char *colour, double x)
{
  const double at = place_x(f, x), bottom = f->top + f->height;
  if (at >= f->left && at <= f->left + f->width) rule(out, colour, at, bottom - 6, at, bottom);
}
