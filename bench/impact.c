/*
 * How many single impacts per second? Bodies and velocities are random; the laws are timed on
 * the same set. Usage: bench/impact [seconds]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SET = 1024 };

typedef ImpactResult (*Law)(const ImpactInput *);

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(uint64_t *state, double lo, double hi)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(*state >> 11) / 9007199254740992.0;
}

static Vec3 uniform_vec(uint64_t *state)
{
  const double x = uniform(state, -1, 1), y = uniform(state, -1, 1), z = uniform(state, -1, 1);
  return vec3(x, y, z);
}

/* A free body of random shape that meets the floor below it. */
static ImpactInput random_input(uint64_t *state)
{
  const double x = uniform(state, 0.1, 1), y = uniform(state, 0.1, 1), z = uniform(state, 0.1, 1);
  const Mat3 inertia = mat3_diagonal(y + z, x + z, x + y);
  const Mobility body = mobility_free(uniform(state, 0.5, 5), &inertia, vec3(0, 0, 0));
  const Vec3 v = uniform_vec(state);
  return (ImpactInput){.inverse_mass = mobility_at(&body, uniform_vec(state)),
                       .normal = {0, 0, 1},
                       .velocity = vec3(v.x, v.y, -fabs(v.z) - 0.1),
                       .restitution = uniform(state, 0, 1),
                       .friction = uniform(state, 0, 0.6)};
}

static void measure(const char *name, Law law, const ImpactInput set[], double seconds)
{
  double sum = 0.0, elapsed = 0.0;
  long done = 0;
  for (const double start = now(); elapsed < seconds; elapsed = now() - start) {
    for (int i = 0; i < SET; i++) sum += law(&set[i]).impulse.z;
    done += SET;
  }
  printf("%-28s %10.3g impacts/s  (mean impulse %.6g)\n", name, (double)done / elapsed,
         sum / (double)done);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 1.0;
  uint64_t state = 1;
  ImpactInput smooth[SET], turning[SET], reversing[SET];
  for (int i = 0; i < SET; i++) {
    smooth[i] = random_input(&state);
    smooth[i].friction = 0.0;
    do turning[i] = random_input(&state);
    while (impact_stronge(&turning[i]).halted);
    do reversing[i] = random_input(&state);
    while (!impact_stronge(&reversing[i]).reversed);
  }
  measure("algebraic", impact_algebraic, smooth, seconds);
  measure("stronge, slip turns", impact_stronge, turning, seconds);
  measure("stronge, slip reverses", impact_stronge, reversing, seconds);
  measure("auto, slip reverses", impact_auto, reversing, seconds);
  return 0;
}
