/*
 * Texts as YAML. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdio.h>

/* Write a text so that it reads back the same: bare when it is a simple word, else quoted. */
void text_print(const char *text, FILE *out);
