/*
 * Sorting that asks for no memory: the C library's own may, for records that are long or many.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

/* As qsort; records that compare equal may come in any order. */
void sort_in_place(void *records, size_t n, size_t size,
                   int (*compare)(const void *, const void *));
