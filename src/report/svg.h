/*
 * Drawings in SVG: a frame with axes, lines, marks and words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdio.h>

/* A frame on the sheet and the numbers along its sides. */
typedef struct {
  double left, top, width, height; /* on the sheet; y points down */
  double x0, x1, y0, y1;           /* from left to right and from bottom to top */
} SvgFrame;

typedef enum { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

typedef struct {
  const char *colour;
  double width;
  const char *dash; /* NULL: a whole line */
} SvgPen;

void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);

/* Text with what XML does not allow written out. */
void svg_text(FILE *out, double x, double y, double size, SvgAnchor anchor, const char *colour,
              const char *text);

/* Widen a range by a twentieth, or to something when it is a point. */
void svg_frame_loosen(double *low, double *high);

/* Grid, ticks with numbers, and names of the axes (NULL: no name and, along x, no numbers). */
void svg_axes(FILE *out, const SvgFrame *frame, const char *x_name, const char *y_name);

/* A line through n points; it breaks where one is not finite. */
void svg_line(FILE *out, const SvgFrame *frame, SvgPen pen, int n, const double x[],
              const double y[]);

/* A dot, a ring (left out beyond the frame), and a tick that stands on the lower side. */
void svg_dot(FILE *out, const SvgFrame *frame, const char *colour, double x, double y);
void svg_ring(FILE *out, const SvgFrame *frame, const char *colour, double x, double y);
void svg_tick(FILE *out, const SvgFrame *frame, const char *colour, double x);
