/*
 * How often did the program ask for memory? Linked into a program, the source beside this takes
 * the place of malloc and its kin and counts them; under sanitizers, which do the same, it cannot.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>

bool allocations_are_counted(void);

/* Requests since the program began, of every library in it. */
long allocations_so_far(void);
