/*
 * Arrays of numbers in one compressed block of text that a web page can open.
 *
 * The block is base64 of a zlib stream of: the length of a heading (32 bits, little endian), the
 * heading (JSON, padded to 8 bytes), the arrays one after the other, each on 8 bytes. The heading
 * lists them under "arrays" with name, type, rows, columns and offset. Types f64, i32, i16 and u8
 * are plain; f32 holds, row by row, differences of consecutive bit patterns, first all lowest bytes
 * of the array, then the next ones: smooth histories become mostly zeros.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

typedef struct Pack Pack;

PetscErrorCode PackCreate(Pack **pack);
PetscErrorCode PackDestroy(Pack **pack);

/* Add an array of rows times columns. The name is kept as it is, so a literal. */
PetscErrorCode PackAddDouble(Pack *pack, const char *name, int rows, int columns,
                             const double value[]);
PetscErrorCode PackAddInt(Pack *pack, const char *name, int rows, int columns, const int value[]);
PetscErrorCode PackAddShort(Pack *pack, const char *name, int rows, int columns,
                            const int16_t value[]);

/* Bytes that other programs read. */
PetscErrorCode PackAddBytes(Pack *pack, const char *name, int n, const unsigned char bytes[]);

/* In single precision; each row is a history, in which neighbours are alike. */
PetscErrorCode PackAddHistory(Pack *pack, const char *name, int rows, int columns,
                              const float value[]);

/* The list of arrays as JSON. */
void pack_put_arrays(const Pack *pack, FILE *out);

/* Heading and arrays, compressed and as base64. */
PetscErrorCode PackWrite(const Pack *pack, const char *heading, size_t length, FILE *out);
