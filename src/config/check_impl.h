/*
 * Checks of what several keys say together, after each has been read for itself.
 *
 * A value that was refused already is NaN, NULL or its default; the checks pass over what they
 * cannot judge, so that one mistake is reported once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/node_impl.h"
#include "config/schema_impl.h"

/* A section of the file and where complaints about it go. */
typedef struct {
  Complaints *complaints, *warnings;
  const Node *node; /* NULL: the section is not there */
  char path[PATH_SHOWN];
} Place;

/* The place of a key, or of an item when key is NULL, within another place. */
Place place_inner(const Place *outer, const char *key);
Place place_item(const Place *list, const Node *item, int index);

/* Is the key given, whatever its value? */
bool place_has(const Place *place, const char *key);

/* Complain of a key (NULL: of the whole section); the place is that of the nearest node. */
PetscErrorCode PlaceComplain(const Place *place, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
PetscErrorCode PlaceWarn(const Place *place, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A unit vector; one that is unit already keeps its bits. */
Vec3 direction_unit(Vec3 v);

/* The names of a case, sorted: which body or wall is meant? */
typedef struct {
  const char *name;
  int body, wall;   /* index, or -1 for both: a side of the off-body box */
  const Node *node; /* its section, NULL for a side */
} Named;

typedef struct {
  int n;
  Named *list; /* owned by the arena */
} Directory;

/* Bodies, walls and the sides of the off-body box that are walls. */
PetscErrorCode DirectoryCreate(Arena *arena, const Place *top, const CaseDraft *draft,
                               Directory *directory);
const Named *directory_find(const Directory *directory, const char *name);

/* Complain that no such name exists, with the nearest one that does. */
PetscErrorCode DirectoryRefuse(const Directory *directory, const Place *place, const char *key,
                               const char *what, const char *name);

/* The parts: each checks, and fills in what follows from several keys. */
PetscErrorCode CheckNames(Arena *arena, const Place *top, CaseDraft *draft, Directory *names);
PetscErrorCode CheckBody(const Place *place, BodyDraft *body, const Directory *names);
PetscErrorCode CheckLoads(const Place *place, const BodySpec *body, const Directory *names);
PetscErrorCode CheckGrid(const Place *place, const BodyDraft *body);
PetscErrorCode CheckContact(const Place *top, CaseDraft *draft, const Directory *names);
PetscErrorCode CheckFlow(const Place *top, const CaseDraft *draft, const Directory *names);
PetscErrorCode CheckOffBody(const Place *top, const CaseDraft *draft);

/* All of them. */
PetscErrorCode CheckCase(Arena *arena, const Place *top, CaseDraft *draft);
