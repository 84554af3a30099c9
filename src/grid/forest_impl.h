/*
 * What the files of the forest share; p4est is seen nowhere else.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/forest.h"

#include <p8est.h>
#include <p8est_ghost.h>

struct Forest {
  MPI_Comm comm;
  int rank;
  OffBodySpec spec; /* its boxes are owned */
  ForestDomain domain;
  int base;                           /* level of p4est that is level 0 here */
  int n_balls;                        /* of the present call */
  const ForestBall *ball;             /* borrowed during a call */
  p8est_connectivity_t *connectivity; /* owned */
  p4est_topidx_t *tree_at;            /* owned: trees by their place in the brick, x fastest */
  p8est_t *p8est;                     /* owned */
  p8est_ghost_t *ghost;               /* owned: face neighbours on other ranks */
  LocalId n;
  PatchPlace *place;        /* owned, n */
  Link (*link)[SIDES];      /* owned, n */
  const int8_t *wish;       /* borrowed during a call */
  const int *weight;        /* borrowed during a call */
  GlobalId n_listed;        /* of the list a forest is made from */
  const PatchPlace *listed; /* borrowed during a call */
};

/* Where a quadrant of a tree is. */
PatchPlace forest_place(const Forest *forest, p4est_topidx_t tree, const p8est_quadrant_t *q);

/* The level boxes and balls ask for at a place. */
int forest_level_asked(const Forest *forest, PatchPlace place);

/* Number the quadrants and find the links anew after a change. */
PetscErrorCode ForestUpdate(Forest *forest);

/* Call visit with every local quadrant in order; its number is q->p.user_int. */
void forest_number(p8est_t *p8est);
