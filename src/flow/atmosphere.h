/*
 * The standard atmosphere (U.S. Standard Atmosphere, 1976) from -5 to 86 km.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct {
  double temperature, pressure; /* [K], [Pa] */
} Air;

/* Air at a geometric altitude [m]. */
Air atmosphere_at(double altitude);
