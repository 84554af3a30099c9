/*
 * Sorting in place, which asks for no memory, and the C library's own, which may for records that
 * are long or many.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* As qsort; records that compare equal may come in any order. */
void sort_in_place(void *records, size_t n, size_t size,
                   int (*compare)(const void *, const void *));

/* qsort, which must not be given the null pointer of an empty list. Asks for memory. */
static inline void sort_fast(void *records, size_t n, size_t size,
                             int (*compare)(const void *, const void *))
{
  if (n > 1) qsort(records, n, size, compare);
}
