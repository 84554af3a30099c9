/*
 * The order of an update.
 */
#include "overset/overset_impl.h"

#include <math.h>
#include <string.h>

PetscErrorCode ReceiverListAdd(ReceiverList *list, Receiver item)
{
  PetscFunctionBeginUser;
  if (list->n == list->room) {
    list->room = 2 * list->room + 1024;
    PetscCall(PetscRealloc(list->room * sizeof *list->item, &list->item));
  }
  list->item[list->n++] = item;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_ball(const NearGrid *g, OversetBall *ball)
{
  PetscFunctionBeginUser;
  double most = 0.0;
  ball->center = box_center(g->box);
  for (LocalId v = 0; v < g->n_vertices; v++) {
    const double r2 = vec3_norm2(vec3_sub(g->vertex[v], ball->center));
    most = r2 > most ? r2 : most;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm));
  ball->radius = sqrt(most);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode list_walls(OversetPart *part)
{
  PetscFunctionBeginUser;
  const NearGrid *g = part->of.grid;
  PetscCall(PetscMalloc1(g->n_faces - g->n_interior, &part->wall));
  part->n_walls = 0;
  for (int p = 0; p < g->n_patches; p++) {
    if (part->of.kind[p] != BOUNDARY_WALL && part->of.kind[p] != BOUNDARY_SLIP) continue;
    for (LocalId f = g->patch[p].first_face; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      part->wall[part->n_walls++] = g->left[f];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create_part(const OversetGrid *of, OversetPart *part)
{
  PetscFunctionBeginUser;
  part->of = *of;
  PetscCall(find_ball(of->grid, &part->ball));
  PetscCall(CoverMapCreate(of->grid, of->kind, &part->map));
  PetscCall(NearLocatorCreate(of->grid, &part->locator));
  PetscCall(DonorCellsCreate(of->grid, &part->cells));
  PetscCall(list_walls(part));
  PetscCall(PetscCalloc1(of->grid->n_own, &part->pressed));
  if (of->xray != NULL) part->loose = xray_max_bulge(of->xray) + 1e-3 * xray_mean_edge(of->xray);
  PetscCall(PetscMalloc1(of->grid->n_local, &part->state));
  PetscCall(PetscMalloc1(of->grid->n_own, &part->before));
  PetscCall(PetscMalloc1(of->grid->n_local, &part->number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetCreate(MPI_Comm comm, const OversetInput *input, Overset **overset)
{
  PetscFunctionBeginUser;
  Overset *s = NULL;
  PetscCall(PetscNew(&s));
  s->comm = comm;
  PetscCallMPI(MPI_Comm_rank(comm, &s->rank));
  PetscCallMPI(MPI_Comm_size(comm, &s->size));
  s->spec = input->spec;
  s->n = input->n_grids;
  s->patch = input->patch;
  s->reach = input->reach;
  s->stale = true;
  PetscCall(PetscCalloc1(s->n, &s->part));
  PetscCall(PetscCalloc1(s->n, &s->pose));
  PetscCall(PetscMalloc1((s->n + 1) * OVERSET_SUMS, &s->sum));
  for (int g = 0; g < s->n; g++) PetscCall(create_part(&input->grid[g], &s->part[g]));
  PetscCall(TableCreate(s, &s->restless_rows));
  PetscCall(TableCreate(s, &s->calm_rows));
  PetscCall(TableCreate(s, &s->other_rows));
  *overset = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetDestroy(Overset **overset)
{
  PetscFunctionBeginUser;
  Overset *s = *overset;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n; g++) {
    OversetPart *part = &s->part[g];
    PetscCall(CoverMapDestroy(&part->map));
    PetscCall(NearLocatorDestroy(&part->locator));
    PetscCall(DonorCellsDestroy(&part->cells));
    PetscCall(PetscFree(part->wall));
    PetscCall(PetscFree(part->pressed));
    PetscCall(PetscFree(part->state));
    PetscCall(PetscFree(part->before));
    PetscCall(PetscFree(part->number));
    PetscCall(PetscFree(part->fringe.item));
  }
  PetscCall(TableDestroy(s, &s->restless_rows));
  PetscCall(TableDestroy(s, &s->calm_rows));
  PetscCall(TableDestroy(s, &s->other_rows));
  PetscCall(PetscFree(s->part));
  PetscCall(PetscFree(s->pose));
  PetscCall(PetscFree(s->sum));
  PetscCall(PetscFree2(s->off_state, s->off_before));
  PetscCall(PetscFree4(s->near_start, s->restless, s->patch_late, s->patch_first));
  PetscCall(PetscFree(s->near_list));
  PetscCall(PetscFree(s->off_fringe.item));
  PetscCall(PetscFree(s->spare.item));
  PetscCall(PetscFree(*overset));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Have all grids stayed where they were, and no cell to give up receiving? The same on all ranks,
 * as poses are. */
static bool all_stand(const Overset *s, const Pose pose[])
{
  return !s->stale && s->report.late == 0 &&
         memcmp(s->pose, pose, (size_t)s->n * sizeof *pose) == 0;
}

PetscErrorCode OversetUpdate(Overset *s, const Pose pose[], const Forest *forest,
                             OversetReport *report)
{
  PetscFunctionBeginUser;
  if (!all_stand(s, pose)) {
    s->forest = forest;
    s->report = (OversetReport){0};
    overset_find_motion(s, pose);
    PetscCall(OversetNearStates(s));
    PetscCall(OversetOffStates(s));
    PetscCall(OversetChooseDonors(s));
    PetscCall(OversetSumUp(s));
    PetscCall(PetscArraycpy(s->pose, pose, s->n));
    PetscCall(PetscArraycpy(s->restless_rows.pose, pose, s->n));
    s->stale = false;
  }
  *report = s->report;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void overset_accept(Overset *s)
{
  for (int g = 0; g < s->n; g++)
    for (LocalId c = 0; c < s->part[g].of.grid->n_own; c++)
      s->part[g].before[c] = s->part[g].state[c];
  for (size_t c = 0; c < s->off_cells; c++) s->off_before[c] = s->off_state[c];
  s->known = s->off_known = true;
}

void overset_forget_forest(Overset *s)
{
  s->off_known = false;
  s->stale = true;
}

void overset_forget_poses(Overset *s)
{
  s->stale = true;
}

GlobalId overset_closed(const Overset *s, int g, int *by)
{
  *by = s->part[g].closed > 0 && s->part[g].closed_by < s->n ? s->part[g].closed_by : -1;
  return s->part[g].closed;
}

const uint8_t *overset_near_states(const Overset *s, int g)
{
  return s->part[g].state;
}

const uint8_t *overset_off_states(const Overset *s)
{
  return s->off_state;
}

OversetCount overset_near_count(const Overset *s, int g)
{
  return s->part[g].count;
}

double overset_outer_cell(const Overset *s, int g)
{
  return s->part[g].map->cell;
}

OversetBall overset_ball(const Overset *s, int g)
{
  return s->part[g].ball;
}

Rows overset_rows(Overset *s)
{
  return (Rows){s, OversetFill};
}

void overset_memory(const Overset *s, size_t *fixed, size_t *fringe)
{
  *fixed = s->off_room * 2;
  *fringe = table_memory(s, &s->restless_rows) + table_memory(s, &s->calm_rows) +
            table_memory(s, &s->other_rows) +
            (size_t)(s->off_fringe.room + s->spare.room) * sizeof(Receiver);
  for (int g = 0; g < s->n; g++) {
    const OversetPart *part = &s->part[g];
    const CoverMap *map = part->map;
    *fixed += near_locator_memory(part->locator) + donor_cells_memory(part->cells) +
              (size_t)map->n[0] * map->n[1] * map->n[2] * sizeof *map->cover;
    *fringe += (size_t)part->fringe.room * sizeof(Receiver);
  }
}

const OversetGrid *overset_grid(const Overset *s, int g)
{
  return &s->part[g].of;
}
