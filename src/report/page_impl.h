/*
 * The parts of the data of a page. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "report/pack.h"
#include "report/page.h"

/* Surfaces: vertices, triangles and corner normals of all shapes, one after the other. */
PetscErrorCode PageAddShapes(const Results *results, Pack *pack);

/* Times, states by channel, energies. */
PetscErrorCode PageAddFrames(const Results *results, Pack *pack);
PetscErrorCode PageAddContacts(const Results *results, Pack *pack);
PetscErrorCode PageAddSlices(const Results *results, Pack *pack);
PetscErrorCode PageAddSkin(const Results *results, Pack *pack);
PetscErrorCode PageAddFlow(const Results *results, Pack *pack);

/* Everything that is not an array, as JSON. */
void page_put_heading(const Results *results, const Pack *pack, FILE *out);
