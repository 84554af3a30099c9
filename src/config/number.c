/*
 * Is this text a number, entirely?
 *
 * The grammar is that of YAML 1.2 without its words for infinity and not-a-number:
 * [-+]? ( . [0-9]+ | [0-9]+ ( . [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?, checked before the C
 * library sees the text, so that "1 kg", "0x10" and "nan" are no numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/number_impl.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts are no numbers a person means. */
enum { LONGEST = 400 };

/* The first place at or after i that holds no digit. */
static size_t skip_digits(const char *text, size_t length, size_t i)
{
  while (i < length && text[i] >= '0' && text[i] <= '9') i++;
  return i;
}

static size_t skip_sign(const char *text, size_t length, size_t i)
{
  return i < length && (text[i] == '-' || text[i] == '+') ? i + 1 : i;
}

static bool is_decimal(const char *text, size_t length)
{
  const size_t start = skip_sign(text, length, 0);
  size_t i = skip_digits(text, length, start);
  const bool whole = i > start;
  if (i < length && text[i] == '.') {
    const size_t fraction = i + 1;
    i = skip_digits(text, length, fraction);
    if (!whole && i == fraction) return false;
  } else if (!whole) {
    return false;
  }
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    const size_t exponent = skip_sign(text, length, i + 1);
    i = skip_digits(text, length, exponent);
    if (i == exponent) return false;
  }
  return i == length;
}

/* Does a digit other than zero stand before the exponent? */
static bool is_not_zero(const char *text)
{
  return text[strcspn(text, "123456789eE")] != '\0' &&
         strchr("eE", text[strcspn(text, "123456789eE")]) == NULL;
}

NumberVerdict number_read(const char *text, size_t length, double *value)
{
  if (length == 0 || length > LONGEST || !is_decimal(text, length)) return NUMBER_NOT_ONE;
  char copy[LONGEST + 1];
  memcpy(copy, text, length);
  copy[length] = '\0';
  const double number = strtod(copy, NULL);
  if (isinf(number)) return NUMBER_TOO_LARGE;
  if (number == 0.0 && is_not_zero(copy)) return NUMBER_TOO_SMALL;
  *value = number;
  return NUMBER_GOOD;
}

NumberVerdict number_read_integer(const char *text, size_t length, int *value)
{
  const size_t start = skip_sign(text, length, 0);
  if (start == length || skip_digits(text, length, start) != length) return NUMBER_NOT_ONE;
  long long number = 0;
  for (size_t i = start; i < length; i++) {
    number = 10 * number + (text[i] - '0');
    if (number > INT_MAX) return NUMBER_TOO_LARGE;
  }
  *value = text[0] == '-' ? -(int)number : (int)number;
  return NUMBER_GOOD;
}

const char *number_print(double value, char text[static NUMBER_PRINTED])
{
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, NUMBER_PRINTED, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}
