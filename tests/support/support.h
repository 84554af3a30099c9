/*
 * What every test needs: calls that must pass or fail, tolerances with reasons, and a random
 * source whose seed is fixed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <check.h>
#include <float.h>
#include <stdint.h>

/* Call a function that must succeed; on failure the test fails, not the program. */
#define MustPass(call) ck_assert_int_eq((int)(call), PETSC_SUCCESS)

/* A function that fails need not free what it has taken: leaks of it are not counted. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#define LEAKS_IGNORED(on) ((on) ? __lsan_disable() : __lsan_enable())
#else
#define LEAKS_IGNORED(on) ((void)0)
#endif

/* Call a function that must fail with the given code, without a traceback on the screen. */
#define MustFail(code, call)                              \
  do {                                                    \
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL); \
    LEAKS_IGNORED(1);                                     \
    const int code_ = (int)(call);                        \
    LEAKS_IGNORED(0);                                     \
    PetscPopErrorHandler();                               \
    ck_assert_int_eq(code_, (code));                      \
  } while (0)

/* A few operations; a sum in another order. */
#define TOL_ROUND(scale) (8.0 * DBL_EPSILON * (scale))
#define TOL_SUM(n, scale) (4.0 * DBL_EPSILON * (n) * (scale))

/* Same verdict on every rank, so that no rank leaves a test the others are still in. */
static inline int all_ranks(int ok)
{
  MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_LAND, PETSC_COMM_WORLD);
  return ok;
}

/* xorshift64*: the same numbers on every machine. */
typedef struct {
  uint64_t state;
} Random;

static inline Random random_seeded(uint64_t seed)
{
  return (Random){seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du};
}

static inline double random_unit(Random *r)
{
  r->state ^= r->state >> 12;
  r->state ^= r->state << 25;
  r->state ^= r->state >> 27;
  return (double)((r->state * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0;
}

static inline double random_in(Random *r, double lo, double hi)
{
  return lo + (hi - lo) * random_unit(r);
}
