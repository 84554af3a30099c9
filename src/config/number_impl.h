/*
 * Numbers as YAML 1.2 writes them, and nothing else.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

typedef enum { NUMBER_GOOD, NUMBER_NOT_ONE, NUMBER_TOO_LARGE, NUMBER_TOO_SMALL } NumberVerdict;

/* A finite decimal number that takes the whole text; *value is set only when it is good. */
NumberVerdict number_read(const char *text, size_t length, double *value);

/* Decimal digits with an optional sign that fit an int; *value is set only when good. */
NumberVerdict number_read_integer(const char *text, size_t length, int *value);

/* Bytes that number_print needs at most. */
enum { NUMBER_PRINTED = 32 };

/* The shortest text that reads back as the same number. Returns text. */
const char *number_print(double value, char text[static NUMBER_PRINTED]);
