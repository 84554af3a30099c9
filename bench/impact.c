/*
 * How many single impacts per second? Bodies and velocities are random; the laws are timed on
 * the same set. Usage: bench/impact [seconds]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact.h"
#include "bench.h"

#include <stdint.h>
#include <stdlib.h>

enum { SET = 1024 };

typedef ImpactResult (*Law)(const ImpactInput *);

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

/* A free body of random shape that meets the floor below it, with a point in its plane x, z if
 * flat. */
static ImpactInput random_input(uint64_t *state, bool flat)
{
  const double x = uniform(state, 0.1, 1), y = uniform(state, 0.1, 1), z = uniform(state, 0.1, 1);
  const Mat3 inertia = mat3_diagonal(y + z, x + z, x + y);
  const Mobility body = mobility_free(uniform(state, 0.5, 5), &inertia, vec3(0, 0, 0));
  const Vec3 v = uniform_vec(state);
  Vec3 point = uniform_vec(state);
  if (flat) point.y = 0.0;
  return (ImpactInput){.inverse_mass = mobility_at(&body, point),
                       .normal = {0, 0, 1},
                       .velocity = vec3(v.x, v.y, -fabs(v.z) - 0.1),
                       .restitution = uniform(state, 0, 1),
                       .friction = uniform(state, 0, 0.6)};
}

/* Slip so fast against the friction that it turns but hardly ever halts. */
static ImpactInput turning_input(uint64_t *state)
{
  ImpactInput in = random_input(state, false);
  in.friction = uniform(state, 0.05, 0.2);
  in.velocity.x *= 5.0;
  in.velocity.y *= 5.0;
  return in;
}

/*
 * Slip in a plane that turns back, by the inverse mass alone: its parts are a along the slip, k
 * along the normal, b between them. Slip goes against b, so slow that b halts it in the first
 * half of compression, and friction is less than |b| / a, too little to hold it then.
 */
static ImpactInput reversing_input(uint64_t *state)
{
  ImpactInput in = random_input(state, true);
  const Mat3 *k = &in.inverse_mass;
  const double b = k->m[0][2], a = k->m[0][0];
  in.friction = uniform(state, 0.1, 0.9) * fabs(b) / a;
  in.velocity.x = uniform(state, 0.1, 0.5) * in.velocity.z * b / k->m[2][2];
  in.velocity.y = 0.0;
  return in;
}

static void measure(const char *name, Law law, const ImpactInput set[], double seconds)
{
  double sum = 0.0, elapsed = 0.0;
  int reversed = 0;
  long done = 0;
  for (int i = 0; i < SET; i++) reversed += law(&set[i]).reversed;
  for (const double start = bench_now(); elapsed < seconds; elapsed = bench_now() - start) {
    for (int i = 0; i < SET; i++) sum += law(&set[i]).impulse.z;
    done += SET;
  }
  bench_report(name, (double)done, "impacts", elapsed);
  fprintf(stderr, "%s: mean impulse %.6g, slip turns back in %d of %d\n", name, sum / (double)done,
          reversed, SET);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 1.0;
  uint64_t state = 1;
  ImpactInput smooth[SET], turning[SET], reversing[SET];
  for (int i = 0; i < SET; i++) {
    smooth[i] = random_input(&state, false);
    smooth[i].friction = 0.0;
    turning[i] = turning_input(&state);
    reversing[i] = reversing_input(&state);
  }
  measure("impact/algebraic", impact_algebraic, smooth, seconds);
  measure("impact/slip-turns", impact_stronge, turning, seconds);
  measure("impact/slip-reverses", impact_stronge, reversing, seconds);
  measure("impact/auto", impact_auto, reversing, seconds);
  return 0;
}
