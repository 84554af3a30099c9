/*
 * What kind a boundary is: what the case says, else what the file hints at.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_input.h"
#include "grid/grid_spec.h"

#include <stdbool.h>

/* Does a case list the boundary under any kind, and under which? */
bool boundary_is_named(const GridSpec *spec, const char *name, BoundaryKind *kind);

/* BOUNDARY_KINDS: nobody says anything of it. */
BoundaryKind boundary_kind_of(const GridSpec *spec, const PatchInput *patch);
