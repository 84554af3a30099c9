/*
 * What a case says about overset connectivity.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/names.h"

typedef struct {
  double max_orphans; /* share of the fringe cells */
  int fringe;         /* layers; 0: auto */
  NameList priority;
} OversetSpec;
