/*
 * Is a text made of characters that may stand in a YAML file?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t code;
  size_t bytes; /* 0: no character begins here */
} Character;

/* The character at the start of a text of n > 0 bytes; overlong forms are none. */
Character utf8_decode(const char *text, size_t n);

typedef struct {
  const char *what; /* NULL: all is well */
  int line, column; /* from 1, columns in characters */
} Utf8Fault;

/* The first fault of a text. */
Utf8Fault utf8_fault(const char *text, size_t length);
