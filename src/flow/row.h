/*
 * Eight doubles at once: the record of a cell, or as many numbers of a longer one.
 *
 * Arithmetic on `Row` is the compiler's own (GCC's vector extensions, which clang shares): one
 * instruction where the machine has vectors as wide, several where not, the same results. A row may
 * be loaded where fewer than eight numbers count; arrays read so have ROW_PAD numbers of room at
 * their end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* All is inline: how rows would be passed between files does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { ROW = 8, ROW_PAD = 8 };

typedef double Row __attribute__((vector_size(8 * ROW)));
typedef long long RowMask __attribute__((vector_size(8 * ROW)));
typedef double RowInMemory __attribute__((vector_size(8 * ROW), aligned(8), may_alias));

static inline Row row_load(const double *p)
{
  return *(const RowInMemory *)p;
}

/* Store the first n numbers, a constant. */
static inline void row_store(double *p, Row a, int n)
{
#ifdef __AVX512F__
  _mm512_mask_storeu_pd(p, (__mmask8)((1u << n) - 1), (__m512d)a);
#else
  memcpy(p, &a, sizeof(double) * (size_t)n);
#endif
}

static inline Row row_of(double a)
{
  return a - (Row){0};
}

/* a where the mask is set, b elsewhere. */
static inline Row row_select(RowMask mask, Row a, Row b)
{
  return (Row)(((RowMask)a & mask) | ((RowMask)b & ~mask));
}

/* a < b ? a : b, which compilers do not see to be one instruction. */
static inline Row row_min(Row a, Row b)
{
#ifdef __AVX512F__
  return (Row)_mm512_min_pd((__m512d)a, (__m512d)b);
#else
  return row_select(a < b, a, b);
#endif
}

static inline Row row_max(Row a, Row b)
{
#ifdef __AVX512F__
  return (Row)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
  return row_select(a > b, a, b);
#endif
}

static inline Row row_abs(Row a)
{
  const long long all_but_sign = 0x7fffffffffffffffLL;
  return (Row)((RowMask)a & all_but_sign);
}

/* Rows of eight records become rows of one number each. */
static inline void rows_transpose(Row r[ROW])
{
  Row a[ROW], b[ROW];
  for (int i = 0; i < ROW; i += 2) {
    a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < ROW; i += 4)
    for (int k = 0; k < 2; k++) {
      b[i + k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + k + 2] = __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int k = 0; k < 4; k++) {
    r[k] = __builtin_shufflevector(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    r[k + 4] = __builtin_shufflevector(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
