/*
 * Index spaces. A local id counts what one rank holds, a global id what all ranks own together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <petscsys.h>

typedef PetscInt LocalId;
typedef PetscInt64 GlobalId;
