/*
 * A list of names. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct {
  int n;
  const char **name; /* owned by whoever made the list */
} NameList;
