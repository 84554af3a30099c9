/*
 * From what a case says to bodies that can move.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"
#include "config/case.h"
#include "contact/contact.h"
#include "sim/shapes.h"

/*
 * Make the bodies of a case: mass and inertia from the shapes where the case gives none, motion
 * and load tables from their files. Mistakes become complaints of the case file; *bodies is NULL
 * when there are any. Collective.
 */
PetscErrorCode SetupBodies(MPI_Comm comm, CaseFile *file, const char *folder, const Shapes *shapes,
                           Bodies **bodies);

/* Mass and inertia of body b; fixed and prescribed bodies may have none. A mistake becomes a
 * complaint of the case file. */
PetscErrorCode SetupMass(CaseFile *file, const Shapes *shapes, int b, BodyInput *input);

/* Mass centre in shape coordinates of body b. */
Vec3 setup_center(const Case *the_case, const Shapes *shapes, int b);

/*
 * Make the contact of the bodies, unless nothing can touch. Bodies that overlap at the start
 * become a complaint. X-rays may be found in the cache folder (NULL: none). Collective.
 */
PetscErrorCode SetupContact(MPI_Comm comm, CaseFile *file, const char *cache, Shapes *shapes,
                            Bodies *bodies, Contact **contact);
