/*
 * What an update found, over all ranks.
 */
#include "overset/overset_impl.h"

#include "base/hash.h"

#include <math.h>

static OversetCount count_states(size_t n, const uint8_t state[])
{
  GlobalId count[STATE_ORPHAN + 1] = {0};
  for (size_t c = 0; c < n; c++) count[state[c]]++;
  return (OversetCount){count[STATE_FIELD], count[STATE_FRINGE] + count[STATE_ORPHAN],
                        count[STATE_HOLE], count[STATE_ORPHAN]};
}

static void add_count(OversetCount *all, const OversetCount *one)
{
  all->field += one->field;
  all->fringe += one->fringe;
  all->hole += one->hole;
  all->orphans += one->orphans;
}

/* The orphan that comes first by grid and global id, wherever it is. */
static PetscErrorCode find_first_orphan(Overset *s)
{
  PetscFunctionBeginUser;
  const GlobalId none = (GlobalId)1 << 62, grids = (GlobalId)1 << 44;
  GlobalId least = none;
  double at[3] = {-INFINITY, -INFINITY, -INFINITY};
  const GlobalId first_cell = forest_first(s->forest) * s->patch * s->patch * s->patch;
  for (int own = FROM_FOREST; own < s->n; own++) {
    const ReceiverList *list = own == FROM_FOREST ? &s->off_fringe : &s->part[own].fringe;
    for (int i = 0; i < list->n; i++) {
      const Receiver *r = &list->item[i];
      if (r->from != FROM_NOBODY) continue;
      const GlobalId id =
          own == FROM_FOREST ? first_cell + r->cell : s->part[own].of.grid->first + r->cell;
      if ((own + 1) * grids + id >= least) continue;
      least = (own + 1) * grids + id;
      const Vec3 x = own == FROM_FOREST ? r->at : frame_to_world(&s->part[own].frame, r->at);
      at[0] = x.x, at[1] = x.y, at[2] = x.z;
    }
  }
  GlobalId first = least;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPIU_INT64, MPI_MIN, s->comm));
  for (int i = 0; i < 3; i++) at[i] = first == least ? at[i] : -INFINITY;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, at, 3, MPI_DOUBLE, MPI_MAX, s->comm));
  s->report.has_orphan = first < none;
  s->report.orphan_grid = (int)(first / grids) - 1;
  s->report.orphan_at = vec3(at[0], at[1], at[2]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Receivers by the donor they have found, those that are late, and a sum over the calm ones. */
static void tally(Overset *s, uint64_t *calm_sum)
{
  *calm_sum = 0;
  s->off_late = 0;
  for (int own = FROM_FOREST; own < s->n; own++) {
    const ReceiverList *list = receivers_of(s, own);
    GlobalId late = 0;
    for (int i = 0; i < list->n; i++) {
      const Receiver *r = &list->item[i];
      late += r->late;
      s->report.quality[r->grade]++;
      if (r->calm)
        *calm_sum +=
            hash_word(((uint64_t)(own + 2) << 40) + (uint64_t)r->cell, (uint64_t)(r->from + 2));
    }
    if (own == FROM_FOREST)
      s->off_late = late;
    else
      s->part[own].late = late;
  }
}

/* Over all ranks: what decides whether tables hold must be the same on all of them. */
static PetscErrorCode agree(Overset *s)
{
  PetscFunctionBeginUser;
  uint64_t calm_sum;
  tally(s, &calm_sum);
  int flag[2] = {s->rechosen, calm_sum != s->calm_sum};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, flag, 2, MPI_INT, MPI_MAX, s->comm));
  s->restless_rows.ready = flag[0] == 0;
  if (flag[1] != 0) s->calm_rows.ready = false;
  s->calm_sum = calm_sum;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &s->coarsest, 1, MPI_DOUBLE, MPI_MAX, s->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, s->report.quality, OVERSET_QUALITIES, MPIU_INT64,
                             MPI_SUM, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is known of a grid or of the forest on this rank, as numbers to be added. */
static void put_sums(const OversetCount *count, GlobalId late, GlobalId closed, GlobalId sum[])
{
  const GlobalId value[OVERSET_SUMS] = {count->field,   count->fringe, count->hole,
                                        count->orphans, late,          closed};
  for (int i = 0; i < OVERSET_SUMS; i++) sum[i] = value[i];
}

static void take_sums(Overset *s, const GlobalId sum[], OversetCount *count)
{
  *count = (OversetCount){sum[0], sum[1], sum[2], sum[3]};
  add_count(&s->report.all, count);
  s->report.late += sum[4];
  s->report.closed += sum[5];
}

/* Grids that are calm are not counted again, but every rank knows what they have. */
static PetscErrorCode sum_parts(Overset *s)
{
  PetscFunctionBeginUser;
  const int numbers = (s->n + 1) * OVERSET_SUMS;
  GlobalId *sum = s->sum;
  const OversetCount off = count_states(s->off_cells, s->off_state);
  put_sums(&off, s->off_late, 0, sum);
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    if (!part->calm) part->count = count_states((size_t)part->of.grid->n_own, part->state);
    put_sums(&part->count, part->late, part->closed, sum + (size_t)(g + 1) * OVERSET_SUMS);
    if (part->calm && s->rank > 0)
      PetscCall(PetscArrayzero(sum + (size_t)(g + 1) * OVERSET_SUMS, OVERSET_SUMS));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, numbers, MPIU_INT64, MPI_SUM, s->comm));
  take_sums(s, sum, &s->report.off);
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    take_sums(s, sum + (size_t)(g + 1) * OVERSET_SUMS, &part->count);
    part->late = sum[(size_t)(g + 1) * OVERSET_SUMS + 4];
    part->closed = sum[(size_t)(g + 1) * OVERSET_SUMS + 5];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first grid on the other side of each closed gap. */
static PetscErrorCode name_closed(Overset *s)
{
  PetscFunctionBeginUser;
  if (s->report.closed == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    if (part->closed == 0 || part->calm) continue;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &part->closed_by, 1, MPI_INT, MPI_MIN, s->comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetSumUp(Overset *s)
{
  PetscFunctionBeginUser;
  PetscCall(agree(s));
  PetscCall(sum_parts(s));
  PetscCall(name_closed(s));
  if (s->report.all.orphans > 0) PetscCall(find_first_orphan(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}
