/*
 * A drawing: frames with axes, lines, marks and words, as SVG or as pixels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/canvas.h"

#include <stdio.h>

/* Where it goes: one of the two. */
typedef struct {
  FILE *svg;
  Canvas *canvas; /* borrowed: as wide and high as the sheet, times `scale` */
  double scale;   /* pixels for each unit of the sheet */
} Sheet;

/* A frame on the sheet and the numbers along its sides. */
typedef struct {
  double left, top, width, height; /* on the sheet; y points down */
  double x0, x1, y0, y1;           /* from left to right and from bottom to top */
} SheetFrame;

typedef struct {
  Colour colour;
  double width;
  double dash; /* length of dashes; 0: a whole line */
} SheetPen;

void sheet_begin(Sheet *out, double width, double height, const char *title);
void sheet_end(Sheet *out);

/* Text; in SVG with what XML does not allow written out. */
void sheet_text(Sheet *out, double x, double y, double size, Anchor anchor, Colour colour,
                const char *text);

/* Widen a range by a twentieth, or to something when it is a point. */
void sheet_frame_loosen(double *low, double *high);

/* Grid, ticks with numbers, and names of the axes (NULL: no name and, along x, no numbers). */
void sheet_axes(Sheet *out, const SheetFrame *frame, const char *x_name, const char *y_name);

/* A line through n points; it breaks where one is not finite. */
void sheet_line(Sheet *out, const SheetFrame *frame, SheetPen pen, int n, const double x[],
                const double y[]);

/* A dot, a ring (left out beyond the frame), and a tick that stands on the lower side. */
void sheet_dot(Sheet *out, const SheetFrame *frame, Colour colour, double x, double y);
void sheet_ring(Sheet *out, const SheetFrame *frame, Colour colour, double x, double y);
void sheet_tick(Sheet *out, const SheetFrame *frame, Colour colour, double x);
