/*
 * Changing a forest: what is refined and coarsened, and where everything goes.
 */
#include "grid/forest_impl.h"

#include <p8est_bits.h>
#include <p8est_communication.h>
#include <p8est_extended.h>

/* Who had which patches before and after they were dealt out. */
typedef struct {
  p4est_gloidx_t *before, *after; /* owned, ranks + 1 */
} Moves;

static void mark_new(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q)
{
  (void)p8est;
  (void)tree;
  q->p.user_int = -1;
}

static int refine_wished(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q)
{
  (void)tree;
  const Forest *f = p8est->user_pointer;
  return q->p.user_int >= 0 && f->wish[q->p.user_int] > 0;
}

static int coarsen_wished(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q[])
{
  (void)tree;
  const Forest *f = p8est->user_pointer;
  for (int k = 0; k < P8EST_CHILDREN; k++)
    if (q[k]->p.user_int < 0 || f->wish[q[k]->p.user_int] >= 0) return 0;
  return 1;
}

/* Which of its parent's children is a place? */
static int child_number(PatchPlace place)
{
  return (place.index[0] & 1) | (place.index[1] & 1) << 1 | (place.index[2] & 1) << 2;
}

/* Turn wishes into what is to be done, -1, 0 or 1, as boxes, balls and the levels allow. */
static void settle_wishes(const Forest *f, const int8_t wish[], int8_t settled[])
{
  for (LocalId c = 0; c < f->n; c++) {
    const PatchPlace place = f->place[c];
    const int asked = forest_level_asked(f, place), own = wish == NULL ? -1 : wish[c];
    if (place.level < asked || (own > 0 && place.level + 1 < f->spec.levels))
      settled[c] = 1;
    else
      settled[c] = own < 0 && place.level > asked ? -1 : 0;
  }
}

/* Would a family that coarsens have to come back at once, for the sake of finer neighbours? */
static bool family_can_coarsen(const Forest *f, const int8_t settled[], LocalId first)
{
  const PatchPlace place = f->place[first];
  if (child_number(place) != 0 || first + P8EST_CHILDREN > f->n) return false;
  for (LocalId c = first; c < first + P8EST_CHILDREN; c++) {
    if (f->place[c].level != place.level || settled[c] >= 0) return false;
    for (int side = 0; side < SIDES; side++)
      if (f->link[c][side].kind == LINK_FINE) return false;
  }
  return true;
}

/* Leave only wishes to coarsen that a whole family shares; is there anything to do on any rank? */
static PetscErrorCode PruneWishes(const Forest *f, int8_t settled[], bool *any)
{
  PetscFunctionBeginUser;
  int some = 0;
  for (LocalId c = 0; c < f->n;) {
    const bool family = family_can_coarsen(f, settled, c);
    const LocalId end = family ? c + P8EST_CHILDREN : c + 1;
    some = some || family || settled[c] > 0;
    if (!family && settled[c] < 0) settled[c] = 0;
    c = end;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_LOR, f->comm));
  *any = some != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Walk the old and the new patches side by side: they fill the same space in the same order. */
static PetscErrorCode FindSources(const Forest *f, LocalId n_old, const PatchPlace old[],
                                  ForestChange *change)
{
  PetscFunctionBeginUser;
  p8est_t *p8est = f->p8est;
  LocalId from = 0, to = 0;
  for (p4est_topidx_t t = p8est->first_local_tree; t <= p8est->last_local_tree; t++) {
    p8est_tree_t *tree = p8est_tree_array_index(p8est->trees, t);
    for (size_t k = 0; k < tree->quadrants.elem_count; k++) {
      const PatchPlace place = forest_place(f, t, p8est_quadrant_array_index(&tree->quadrants, k));
      PetscCheck(from < n_old, PETSC_COMM_SELF, PETSC_ERR_PLIB, "patches without a source");
      const int step = place.level - old[from].level;
      PetscCheck(step >= -1 && step <= 1, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                 "a patch changes by %d levels at once", step);
      change->source[to++] = (PatchSource){step == 0  ? SOURCE_COPY
                                           : step > 0 ? SOURCE_REFINE
                                                      : SOURCE_COARSEN,
                                           from, step > 0 ? child_number(place) : 0};
      if (step == 0) from++;
      if (step > 0 && child_number(place) == P8EST_CHILDREN - 1) from++;
      if (step < 0) from += P8EST_CHILDREN;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was coarsened may have had to come back for the sake of neighbours over edges and corners:
 * then all is as it was. */
static PetscErrorCode FindWhetherChanged(const Forest *f, ForestChange *change)
{
  PetscFunctionBeginUser;
  int some = 0;
  for (LocalId c = 0; c < change->n; c++) some |= change->source[c].kind != SOURCE_COPY;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_LOR, f->comm));
  change->changed = some != 0;
  if (!change->changed) forest_number(f->p8est);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CopyFirsts(const Forest *f, p4est_gloidx_t **copy)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(f->p8est->mpisize + 1, copy));
  PetscCall(PetscArraycpy(*copy, f->p8est->global_first_quadrant, f->p8est->mpisize + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestAdapt(Forest *f, const int8_t wish[], int n_balls, const ForestBall ball[],
                           ForestChange *change)
{
  PetscFunctionBeginUser;
  int8_t *settled = NULL;
  *change = (ForestChange){0};
  PetscCall(PetscMalloc1(f->n, &settled));
  f->n_balls = n_balls;
  f->ball = ball;
  settle_wishes(f, wish, settled);
  f->n_balls = 0;
  f->ball = NULL;
  PetscCall(PruneWishes(f, settled, &change->changed));
  if (change->changed) {
    f->wish = settled;
    p8est_refine(f->p8est, 0, refine_wished, mark_new);
    p8est_coarsen(f->p8est, 0, coarsen_wished, mark_new);
    p8est_balance(f->p8est, P8EST_CONNECT_FULL, mark_new);
    f->wish = NULL;
    change->n = f->p8est->local_num_quadrants;
    PetscCall(PetscMalloc1(change->n, &change->source));
    PetscCall(FindSources(f, f->n, f->place, change));
    PetscCall(FindWhetherChanged(f, change));
  }
  PetscCall(PetscFree(settled));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int weight_of(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q)
{
  (void)tree;
  const Forest *f = p8est->user_pointer;
  return f->weight[q->p.user_int];
}

PetscErrorCode ForestPartition(Forest *f, const int weight[], ForestChange *change)
{
  PetscFunctionBeginUser;
  Moves *moves = NULL;
  PetscCall(PetscNew(&moves));
  PetscCall(CopyFirsts(f, &moves->before));
  forest_number(f->p8est);
  f->weight = weight;
  /* Families stay together, so that what coarsens does not depend on the ranks. */
  p8est_partition_ext(f->p8est, 1, weight == NULL ? NULL : weight_of);
  f->weight = NULL;
  PetscCall(CopyFirsts(f, &moves->after));
  change->moves = moves;
  PetscCall(ForestUpdate(f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestCarry(const Forest *f, const ForestChange *change, size_t bytes,
                           const void *from, void *to)
{
  PetscFunctionBeginUser;
  const int tag = 77;
  const Moves *moves = change->moves;
  p8est_transfer_fixed(moves->after, moves->before, f->comm, tag, to, from, bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestChangeDestroy(ForestChange *change)
{
  PetscFunctionBeginUser;
  Moves *moves = change->moves;
  if (moves != NULL) {
    PetscCall(PetscFree(moves->before));
    PetscCall(PetscFree(moves->after));
  }
  PetscCall(PetscFree(change->moves));
  PetscCall(PetscFree(change->source));
  *change = (ForestChange){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
