/*
 * Flags and words of one verb. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { ARGUMENTS_PROBLEM = 256 };

/* A flag a verb knows: with or without a value. */
typedef struct {
  const char *name; /* "--steps" */
  bool has_value;
  const char **value; /* where the value goes; for a bare flag its own name */
} Flag;

/*
 * Sort the arguments of a verb into flags and words; a value may follow as the next argument or
 * after '='. At most max_words words. False with one line in problem when something is wrong.
 */
bool arguments_parse(int argc, char **argv, const Flag flags[], int n_flags, const char *words[],
                     int max_words, int *n_words, char problem[static ARGUMENTS_PROBLEM]);

/* Whole numbers and numbers, entirely; false if the text is anything else or negative. */
bool argument_count(const char *text, long long *value);
bool argument_seconds(const char *text, double *value);
