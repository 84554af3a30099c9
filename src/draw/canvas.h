/*
 * A picture of coloured pixels: areas, lines, rings and words with smooth edges.
 *
 * Coordinates are in pixels, x to the right and y down from the upper left corner; pixel (i, j)
 * covers [i, i+1] x [j, j+1]. Everything is arithmetic on what is given, so the same calls make the
 * same bytes on any machine with the same arithmetic. Words are strokes of a small font of our own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int width, height;
  unsigned char *pixel; /* owned: red, green, blue, opacity; row by row from the top */
  unsigned char *cover; /* owned: of the stroke that is being drawn; 0 between calls */
} Canvas;

typedef uint32_t Colour; /* 0xRRGGBB */

typedef enum { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } Anchor;

/* White all over. */
PetscErrorCode CanvasCreate(int width, int height, Canvas **canvas);
PetscErrorCode CanvasDestroy(Canvas **canvas);

/* The picture as a PNG file; free with PetscFree. `note` (may be NULL) goes into it as a text with
 * the key "carom". */
PetscErrorCode CanvasEncode(const Canvas *canvas, const char *note, unsigned char **bytes,
                            size_t *length);

/* A whole pixel, without blending; opacity 0 is see-through. Outside of the canvas: nothing. */
void canvas_set(Canvas *canvas, int i, int j, Colour colour, unsigned char opacity);

void canvas_area(Canvas *canvas, double x0, double y0, double x1, double y1, Colour colour);

/* A line through n points; breaks where one is not finite. on > 0: dashes so long, gaps of off. */
typedef struct {
  Colour colour;
  double width, on, off;
} Pen;
void canvas_line(Canvas *canvas, Pen pen, int n, const double x[], const double y[]);

/* A disc, or where width > 0 a ring of that width. */
void canvas_round(Canvas *canvas, Colour colour, double x, double y, double radius, double width);

/* Words on a base line; size is that of the font. Letters outside of ASCII become boxes. */
void canvas_text(Canvas *canvas, double x, double y, double size, Anchor anchor, Colour colour,
                 const char *text);
double canvas_text_width(double size, const char *text);
