/*
 * Compressed bytes, as zlib makes them. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A zlib stream of n bytes; free with PetscFree. The same bytes give the same stream. */
PetscErrorCode ZipBytes(const void *bytes, size_t n, unsigned char **zipped, size_t *length);

/* The check sum of PNG files, going on from one before (0 at the start). */
uint32_t zip_check(uint32_t before, const void *bytes, size_t n);
