/*
 * Which word did the user mean?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

/*
 * Steps of typing between two words: a letter inserted, left out, changed, or exchanged with its
 * neighbour. Words that are too long to be mistyped names are infinitely far: INT_MAX.
 */
int word_distance(const char *a, size_t n_a, const char *b, size_t n_b);

/* The best of several candidates, offered one by one. */
typedef struct {
  const char *word; /* what was written; borrowed */
  size_t length;
  const char *nearest; /* NULL: nothing is near; borrowed from the candidates */
  int distance;
} Suggestion;

Suggestion suggestion_for(const char *word, size_t length);

/* Offer a candidate; of equally near ones the first stays. */
void suggestion_offer(Suggestion *suggestion, const char *candidate);
