/*
 * Memory that is given piece by piece and freed all at once: strings and lists of a case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

typedef struct Arena Arena;

PetscErrorCode ArenaCreate(Arena **arena);
PetscErrorCode ArenaDestroy(Arena **arena);

/* Zeroed memory that lives as long as the arena. */
PetscErrorCode ArenaTake(Arena *arena, size_t bytes, void *memory);

/* A copy of the first n bytes of text, closed with a zero. */
PetscErrorCode ArenaCopyText(Arena *arena, const char *text, size_t n, const char **copy);
