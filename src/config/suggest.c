/*
 * Which word did the user mean?
 *
 * Words are compared by the optimal string alignment distance (Damerau 1964); a candidate is
 * near when at most a third of the letters are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/suggest_impl.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { LONGEST = 48 };

static int least(int a, int b)
{
  return a < b ? a : b;
}

static int lower(char c)
{
  return tolower((unsigned char)c);
}

int word_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
  if (n_a > LONGEST || n_b > LONGEST) return INT_MAX;
  int d[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= n_a; i++) d[i][0] = (int)i;
  for (size_t j = 0; j <= n_b; j++) d[0][j] = (int)j;

  for (size_t i = 1; i <= n_a; i++)
    for (size_t j = 1; j <= n_b; j++) {
      const int change = lower(a[i - 1]) != lower(b[j - 1]);
      d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
      const int swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                          lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n_a][n_b];
}

Suggestion suggestion_for(const char *word, size_t length)
{
  return (Suggestion){word, length, NULL, INT_MAX};
}

void suggestion_offer(Suggestion *suggestion, const char *candidate)
{
  const size_t n = strlen(candidate), m = suggestion->length;
  const size_t longer = n > m ? n : m, shorter = n > m ? m : n;
  const size_t allowed = longer < 3 ? 0 : longer < 6 ? 1 : longer / 3;
  if (longer - shorter > allowed) return;
  const int distance = word_distance(suggestion->word, m, candidate, n);
  if (distance > (int)allowed || distance >= suggestion->distance) return;
  suggestion->nearest = candidate;
  suggestion->distance = distance;
}
