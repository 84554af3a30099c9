/*
 * The off-body forest: which patches there are, how fine, where, and who their neighbours are.
 *
 * The domain is a brick of equal cubes, patches of level 0; a patch that is refined becomes eight
 * of the next level. Patches stand in one order along a space-filling curve, which is also their
 * global number, and each rank has a run of it. Levels of patches that touch in a face, an edge
 * or a corner differ by one at most. What is stored in the cells is the business of others: a
 * change of the forest comes with a plan that says what becomes of each patch.
 *
 * Everything here that is CamelCase is collective.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "grid/grid_spec.h"

#include <stdint.h>

typedef struct Forest Forest;

/* A body that wants fine cells around it: all within radius + margin of center. */
typedef struct {
  Vec3 center;
  double radius, margin;
  int level;
} ForestBall;

/* Where a patch is: the index counts patches of its level from the lower corner of the domain. */
typedef struct {
  int level;
  int32_t index[3];
} PatchPlace;

typedef enum { LINK_SAME, LINK_COARSE, LINK_FINE, LINK_OUTSIDE } LinkKind;

/* A patch on the other side of a face. */
typedef struct {
  int rank;
  LocalId local; /* its number on that rank */
  LocalId ghost; /* its number among the neighbours on other ranks; -1: it is on this one */
  GlobalId id;
} Neighbour;

/*
 * What a patch meets at one of its sides. A coarse neighbour's face is met in quarter `part`; fine
 * neighbours are four, by quarter. Quarters count x before y before z.
 */
typedef struct {
  LinkKind kind;
  int part;
  Neighbour other[4];
} Link;

/* The domain a case describes, grown at its upper sides to whole patches. */
typedef struct {
  Box box;
  double spacing; /* level 0 */
  int n[3];       /* patches of level 0 */
  bool grown;
} ForestDomain;

ForestDomain forest_domain(const OffBodySpec *spec);

/* About how many patches the boxes of a case make, without making them. */
double forest_estimate(const OffBodySpec *spec);

/* What is needed lives as long as the forest: spec is copied but for its list of boxes. */
PetscErrorCode ForestCreate(MPI_Comm comm, const OffBodySpec *spec, int n_balls,
                            const ForestBall ball[], Forest **forest);

/* The same from the places of all its patches, in their order (n of them on every rank). */
PetscErrorCode ForestCreateFrom(MPI_Comm comm, const OffBodySpec *spec, GlobalId n,
                                const PatchPlace place[], Forest **forest);
PetscErrorCode ForestDestroy(Forest **forest);

/* This rank's patches, the number of the first of them, and how many there are in all. */
LocalId forest_n(const Forest *forest);
GlobalId forest_first(const Forest *forest);
GlobalId forest_total(const Forest *forest);
int forest_rank(const Forest *forest);
MPI_Comm forest_comm(const Forest *forest);
const ForestDomain *forest_domain_of(const Forest *forest);

/* Views that end with the next change. */
const PatchPlace *forest_places(const Forest *forest);
const Link (*forest_links(const Forest *forest))[SIDES];

/* Width of the cells of a level, and the lower corner of a patch. */
double forest_spacing(const Forest *forest, int level);
Vec3 forest_corner(const Forest *forest, PatchPlace place);

/*
 * The rank whose patch holds a point of the domain, without messages and the same on every rank;
 * -1 outside of the domain. A point on a face between patches belongs to the upper one, at the
 * upper side of the domain to the last. Periodic sides do not wrap.
 */
int forest_owner(const Forest *forest, Vec3 x);

/* This rank's patch that holds a point, or -1. */
LocalId forest_find(const Forest *forest, Vec3 x);

/* What a patch of the changed forest is made of. */
typedef enum { SOURCE_COPY, SOURCE_REFINE, SOURCE_COARSEN } SourceKind;

typedef struct {
  SourceKind kind;
  LocalId from; /* the patch before the change; the first of eight where it is coarsened */
  int child;    /* refined: which of the eight */
} PatchSource;

typedef struct {
  bool changed;
  LocalId n;           /* patches after the change, before they are dealt out again */
  PatchSource *source; /* owned */
  void *moves;         /* owned: who had what, and has */
} ForestChange;

/*
 * Refine where wish is +1 or a box or ball asks for it, coarsen where wish is -1 for all eight and
 * nothing asks for more; wish has one entry per patch (NULL: -1 for all). With nothing to do,
 * change->changed is false and that was all. Otherwise the caller makes the n patches of the plan,
 * calls ForestPartition and carries its data over. A patch changes by one level at most.
 */
PetscErrorCode ForestAdapt(Forest *forest, const int8_t wish[], int n_balls,
                           const ForestBall ball[], ForestChange *change);

/* Deal the patches to the ranks, by weight where given (per patch of the plan). */
PetscErrorCode ForestPartition(Forest *forest, const int weight[], ForestChange *change);

/* Bring `bytes` bytes per patch from the order of the plan to where the patches are now. */
PetscErrorCode ForestCarry(const Forest *forest, const ForestChange *change, size_t bytes,
                           const void *from, void *to);
PetscErrorCode ForestChangeDestroy(ForestChange *change);

/*
 * One whole number per patch, taken to the neighbours: across[c][s] is what lies behind side s of
 * patch c, all bits together where there are four; 0 outside.
 */
PetscErrorCode ForestShare(const Forest *forest, const int own[], int (*across)[SIDES]);
