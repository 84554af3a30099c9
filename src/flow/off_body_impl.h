/*
 * Inside the air off the bodies. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/off_body.h"
#include "flow/patch_border_kernels.h"
#include "grid/borders.h"
#include "grid/cell_state.h"

/* Start of the step and the stages in turn, and the state that was kept. Implicit time has no
 * stages but needs other things. */
enum {
  OFF_BODY_LINEAR = 1,
  OFF_BODY_OLDER = 2,
  OFF_BODY_KEPT = 3,
  OFF_BODY_BUFFERS = 4, /* of explicit time */
  OFF_BODY_RATES = 4,
  OFF_BODY_BUFFERS_IMPLICIT = 5
};

/* Is a patch computed as a whole, in part, or not at all? */
typedef enum { PATCH_ALL, PATCH_SOME, PATCH_NONE } PatchActivity;

struct OffBody {
  MPI_Comm comm;
  const OffBodySpec *spec; /* borrowed */
  Gas gas;
  bool viscous, implicit;
  double stream[PATCH_VARIABLES]; /* primitive */
  double far[PATCH_VARIABLES];    /* the same, conserved */
  int n;                          /* cells along an edge */
  size_t cells, state;            /* of a patch: cells, doubles */
  Forest *forest;                 /* owned */
  Borders *borders;               /* owned */
  size_t room;                    /* patches that the buffers hold */
  int n_buffers;
  double *buffer[OFF_BODY_BUFFERS_IMPLICIT]; /* owned */
  uint8_t *cell_state;                       /* states_room, or NULL: all cells are field */
  uint8_t *states_room;                      /* owned; NULL: never needed on this forest */
  PatchActivity *activity;                   /* owned, one per patch */
  double *passed;       /* owned, one per patch: mass gone through sides of the domain */
  double *passing;      /* owned, one per patch: the same per time, of the last rate */
  double *passed_kept;  /* owned, with the state that was kept */
  double passed_before; /* that of patches that are no more */
  size_t *own_flux_at;  /* owned: [patch][side] in own_flux; SIZE_MAX: none */
  double *own_flux;     /* owned: fluxes of sides that have finer neighbours */
  int *flux_job;        /* owned: [patch][side] in the table of fluxes; -1: none */
  double *scratch;      /* owned: the block, slabs and faces below */
  PatchBlock block;
  double *border, *slab, *work; /* room for BORDER_REACH layers each, twice for work */
  double *face[SIDES];
  size_t roughs;  /* bytes of a patch in rough */
  uint8_t *rough; /* owned, implicit: which faces are rough, room for all patches */
  uint8_t *done;  /* owned: one per cell of a patch */
  PatchCounts counts;
  GlobalId patch_stages;
};

/* Size everything for the forest as it is; the state is not touched. */
PetscErrorCode OffBodyRebuild(OffBody *s);

/* Cells of this rank's patches that are not sound. */
int off_body_count_unsound(const OffBody *s, const double *u);

/* How often per time a wave crosses a cell of a patch, or friction evens it out. */
double off_body_frequency(const OffBody *s, LocalId c);

/* Make sure the buffers hold as many patches, without keeping what is in them. */
PetscErrorCode OffBodyReserve(OffBody *s, size_t n_patches);

/* Friction on cells of width h. */
static inline PatchFriction off_body_friction(const OffBody *s, double h)
{
  const Gas *g = &s->gas;
  return (PatchFriction){g->viscosity, g->sutherland, 1.0 / (g->prandtl * (g->gamma - 1.0)), h};
}

/* Cell states of a patch for the kernels: NULL where all are field. */
static inline const uint8_t *off_body_states_of(const OffBody *s, LocalId c)
{
  return s->activity[c] == PATCH_ALL ? NULL : s->cell_state + (size_t)c * s->cells;
}
