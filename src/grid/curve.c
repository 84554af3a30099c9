#include "grid/curve.h"

enum { BITS = 21 };

/* Step of a coordinate, the nearest one for points off the cube; NaN counts as the first. */
static uint32_t step_of(double x, double lo, double longest)
{
  const double most = (double)((1u << BITS) - 1);
  const double at = longest > 0.0 ? (x - lo) / longest * most : 0.0;
  return at > 0.0 ? (uint32_t)(at < most ? at : most) : 0u;
}

/* From coordinates to the digits of the place, three bits each, spread over the three words. */
static void turn_axes(uint32_t x[3])
{
  for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1) {
    const uint32_t below = q - 1;
    for (int i = 0; i < 3; i++) {
      const uint32_t swapped = (x[0] ^ x[i]) & below;
      if (x[i] & q) {
        x[0] ^= below;
      } else {
        x[0] ^= swapped;
        x[i] ^= swapped;
      }
    }
  }
  /* Gray code. */
  x[1] ^= x[0];
  x[2] ^= x[1];
  uint32_t flips = 0;
  for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
    if (x[2] & q) flips ^= q - 1;
  for (int i = 0; i < 3; i++) x[i] ^= flips;
}

uint64_t curve_place(Box box, Vec3 p)
{
  const double longest = box_longest(box);
  uint32_t x[3] = {step_of(p.x, box.lo.x, longest), step_of(p.y, box.lo.y, longest),
                   step_of(p.z, box.lo.z, longest)};
  turn_axes(x);
  uint64_t place = 0;
  for (int b = BITS - 1; b >= 0; b--)
    for (int i = 0; i < 3; i++) place = place << 1 | (x[i] >> b & 1u);
  return place;
}
