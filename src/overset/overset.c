/*
 * The order of an update, and what it reports.
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

static PetscErrorCode create_part(const OversetGrid *of, OversetPart *part)
{
  PetscFunctionBeginUser;
  part->of = *of;
  PetscCall(find_ball(of->grid, &part->ball));
  PetscCall(CoverMapCreate(of->grid, of->kind, &part->map));
  PetscCall(NearLocatorCreate(of->grid, &part->locator));
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
  for (int g = 0; g < s->n; g++) PetscCall(create_part(&input->grid[g], &s->part[g]));
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
    PetscCall(PetscFree(part->state));
    PetscCall(PetscFree(part->before));
    PetscCall(PetscFree(part->number));
    PetscCall(PetscFree(part->fringe.item));
  }
  PetscCall(PetscFree(s->part));
  PetscCall(PetscFree(s->pose));
  PetscCall(PetscFree2(s->off_state, s->off_before));
  PetscCall(PetscFree(s->off_fringe.item));
  PetscCall(PetscFree(s->question));
  PetscCall(PetscFree(s->answer));
  PetscCall(PetscFree(s->best));
  PetscCall(PetscFree(*overset));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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

static PetscErrorCode sum_count(MPI_Comm comm, OversetCount *count)
{
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, count, 4, MPIU_INT64, MPI_SUM, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
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

static PetscErrorCode sum_up(Overset *s)
{
  PetscFunctionBeginUser;
  OversetReport *report = &s->report;
  report->off = count_states(s->off_cells, s->off_state);
  PetscCall(sum_count(s->comm, &report->off));
  report->all = report->off;
  for (int g = 0; g < s->n; g++) {
    s->part[g].count = count_states((size_t)s->part[g].of.grid->n_own, s->part[g].state);
    PetscCall(sum_count(s->comm, &s->part[g].count));
    add_count(&report->all, &s->part[g].count);
  }
  int leapt = report->leapt;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &leapt, 1, MPI_INT, MPI_MAX, s->comm));
  report->leapt = leapt != 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &report->poor, 1, MPIU_INT64, MPI_SUM, s->comm));
  if (report->all.orphans > 0) PetscCall(find_first_orphan(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Have all grids stayed where they were? The same on all ranks, as poses are. */
static bool all_stand(const Overset *s, const Pose pose[])
{
  return !s->stale && memcmp(s->pose, pose, (size_t)s->n * sizeof *pose) == 0;
}

PetscErrorCode OversetUpdate(Overset *s, const Pose pose[], const Forest *forest,
                             OversetReport *report)
{
  PetscFunctionBeginUser;
  if (!all_stand(s, pose)) {
    s->forest = forest;
    s->report = (OversetReport){0};
    overset_place(s, pose);
    PetscCall(OversetNearStates(s));
    PetscCall(OversetOffStates(s));
    PetscCall(OversetChooseDonors(s));
    PetscCall(sum_up(s));
    PetscCall(PetscArraycpy(s->pose, pose, s->n));
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
  s->report.leapt = false;
}

void overset_forget_forest(Overset *s)
{
  s->off_known = false;
  s->stale = true;
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
