#include "draw/scale.h"

enum { STOPS = 5 };

Colour scale_colour(double s)
{
  /* Viridis at its quarters; the web page has the same. */
  static const unsigned char stop[STOPS][3] = {
      {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  const double x = (s > 0.0 ? s < 1.0 ? s : 1.0 : 0.0) * (STOPS - 1);
  const int k = x < STOPS - 2 ? (int)x : STOPS - 2;
  Colour colour = 0;
  for (int i = 0; i < 3; i++)
    colour = colour << 8 | (Colour)(stop[k][i] + (x - k) * (stop[k + 1][i] - stop[k][i]) + 0.5);
  return colour;
}
