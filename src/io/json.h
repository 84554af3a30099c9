/*
 * Text in JSON. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdio.h>

/* Text between quotes, with what JSON does not allow written out. */
void json_put_text(FILE *out, const char *text);

/* A number, or null when it is not finite. */
void json_put_number(FILE *out, double value);
