/*
 * Large files kept aside by git: what is in their place until they are fetched.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Are these the bytes of a git-lfs pointer instead of the file itself? */
static inline bool bytes_are_lfs_pointer(const char *bytes, size_t n)
{
  static const char sign[] = "version https://git-lfs";
  return n >= sizeof sign - 1 && memcmp(bytes, sign, sizeof sign - 1) == 0;
}
