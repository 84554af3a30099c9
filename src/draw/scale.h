/*
 * Round numbers along an axis, and colours along a bar. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/canvas.h"

#include <math.h>

/* 1, 2 or 5 times a power of ten: about n steps in the span. */
static inline double scale_step(double span, int n)
{
  const double power = pow(10.0, floor(log10(span / n))), lead = span / n / power;
  return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

/* The colour of s in [0, 1], from dark to light; brightness rises evenly, so that it prints. */
Colour scale_colour(double s);
