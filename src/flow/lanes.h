/*
 * Several cells at once: vectors of doubles of the width this build's machine has.
 *
 * Arithmetic on `Lanes` is the compiler's own (GCC's vector extensions, which clang shares); here
 * is what it lacks. Each lane is computed as if it were alone, so results do not depend on LANES.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#ifndef LANES
#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX__)
#define LANES 4
#else
#define LANES 2
#endif
#endif

/* Left alone GCC prefers halves of these vectors, and then makes scalars of loops over lanes. */
#if LANES == 8 && defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
#endif

typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef long long LaneMask __attribute__((vector_size(8 * LANES)));
typedef double LanesInMemory __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

static inline Lanes lanes_load(const double *p)
{
  return *(const LanesInMemory *)p;
}

static inline void lanes_store(double *p, Lanes a)
{
  *(LanesInMemory *)p = a;
}

static inline Lanes lanes_of(double a)
{
  return a - (Lanes){0};
}

/* The loops over lanes below become one instruction each. */
static inline Lanes lanes_max(Lanes a, Lanes b)
{
  Lanes r = a;
  for (int l = 0; l < LANES; l++) r[l] = a[l] > b[l] ? a[l] : b[l];
  return r;
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
  Lanes r = a;
  for (int l = 0; l < LANES; l++) r[l] = a[l] < b[l] ? a[l] : b[l];
  return r;
}

static inline Lanes lanes_sqrt(Lanes a)
{
  Lanes r = a;
  for (int l = 0; l < LANES; l++) r[l] = sqrt(a[l]);
  return r;
}

static inline Lanes lanes_abs(Lanes a)
{
  return lanes_max(a, -a);
}

/* a where the mask is set, b elsewhere. */
static inline Lanes lanes_select(LaneMask mask, Lanes a, Lanes b)
{
  return (Lanes)(((LaneMask)a & mask) | ((LaneMask)b & ~mask));
}

static inline int lanes_any(LaneMask mask)
{
  long long any = 0;
  for (int l = 0; l < LANES; l++) any |= mask[l];
  return any != 0;
}

/* In how many lanes is the mask set? */
static inline int lanes_count(LaneMask mask)
{
  long long n = 0;
  for (int l = 0; l < LANES; l++) n -= mask[l];
  return (int)n;
}
