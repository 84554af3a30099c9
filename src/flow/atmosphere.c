/*
 * Seven layers of constant lapse rate in geopotential altitude, integrated hydrostatically from
 * sea level. Above 80 km the table takes 0.04 % off the temperature for the air's changing
 * composition, which is left out here.
 */
#include "flow/atmosphere.h"

#include <math.h>

typedef struct {
  double base;  /* geopotential altitude [m] */
  double lapse; /* [K/m] */
} Layer;

enum { LAYERS = 7 };
static const Layer layers[LAYERS + 1] = {{0.0, -6.5e-3},  {11e3, 0.0},    {20e3, 1e-3},
                                         {32e3, 2.8e-3},  {47e3, 0.0},    {51e3, -2.8e-3},
                                         {71e3, -2.0e-3}, {INFINITY, 0.0}};

/* Air a height above that of its layer's base. */
static Air climb(Air air, double lapse, double height)
{
  const double gravity = 9.80665, gas_constant = 8.31432e3 / 28.9644;
  const double hydrostatic = gravity / gas_constant;
  const double t = air.temperature + lapse * height;
  const double ratio = lapse == 0.0 ? exp(-hydrostatic * height / t)
                                    : pow(t / air.temperature, -hydrostatic / lapse);
  return (Air){t, air.pressure * ratio};
}

Air atmosphere_at(double altitude)
{
  const double earth = 6356766.0;
  const double h = earth * altitude / (earth + altitude);
  Air air = {288.15, 101325.0};
  for (int k = 0; k < LAYERS; k++) {
    const double top = layers[k + 1].base;
    if (h <= top) return climb(air, layers[k].lapse, h - layers[k].base);
    air = climb(air, layers[k].lapse, top - layers[k].base);
  }
  return air;
}
