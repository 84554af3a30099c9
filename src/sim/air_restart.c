/*
 * The air in a checkpoint: the state of every cell by its global id, so that any number of ranks
 * can read it, and the little that is the same on all ranks.
 */
#include "io/file.h"
#include "sim/air_couple.h"
#include "sim/air_forest.h"
#include "sim/air_overset.h"

#include <string.h>

/* Numbers of the run as a whole: mass at the start, length of flow.csv, then those of the flow. */
enum { OWN_NUMBERS = 2 };

static PetscErrorCode array_name(int g, int level, char name[], size_t size)
{
  PetscFunctionBeginUser;
  PetscCall(PetscSNPrintf(name, size, "flow_%d_%d", g, level));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CheckpointArray cells_array(const NearGrid *grid, const char *name)
{
  return (CheckpointArray){name, CHECKPOINT_DOUBLE, NEAR_VARS * grid->n_global,
                           NEAR_VARS * grid->first, NEAR_VARS * grid->n_own};
}

/* rho nu_tilde, which stands behind the values of the gas. */
static CheckpointArray turbulence_array(const NearGrid *grid, int g, int level, char name[],
                                        size_t size)
{
  snprintf(name, size, "turbulence_%d_%d", g, level);
  return (CheckpointArray){name, CHECKPOINT_DOUBLE, grid->n_global, grid->first, grid->n_own};
}

static PetscErrorCode put_turbulence(Air *s, Checkpoint *file, int g, int level)
{
  PetscFunctionBeginUser;
  char name[48];
  if (flow_variables(s->flow) == NEAR_VARS) PetscFunctionReturn(PETSC_SUCCESS);
  const CheckpointArray array = turbulence_array(s->grid[g], g, level, name, sizeof name);
  PetscCall(
      CheckpointPut(file, array, flow_level(s->flow, g, level) + NEAR_VARS * s->grid[g]->n_own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A laminar run leaves the turbulence as it is at the start. */
static PetscErrorCode get_turbulence(Air *s, Checkpoint *file, int g, int level)
{
  PetscFunctionBeginUser;
  char name[48];
  int64_t total;
  if (flow_variables(s->flow) == NEAR_VARS) PetscFunctionReturn(PETSC_SUCCESS);
  const CheckpointArray array = turbulence_array(s->grid[g], g, level, name, sizeof name);
  PetscCall(CheckpointGetSize(file, name, &total));
  if (total == array.total)
    PetscCall(
        CheckpointGet(file, array, flow_level(s->flow, g, level) + NEAR_VARS * s->grid[g]->n_own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirPut(Air *s, Checkpoint *file)
{
  PetscFunctionBeginUser;
  int64_t length;
  int rank;
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  PetscCall(HistoryFlush(s->history, &length));
  const int n_flow = flow_record_size(s->flow), n_loads = (int)(sizeof(GridLoads) / sizeof(double));
  const int n_track = air_track_size(s), n = OWN_NUMBERS + n_flow + s->n * n_loads + n_track;
  double *number;
  PetscCall(PetscMalloc1(n, &number));
  number[0] = s->first_mass;
  number[1] = (double)length;
  PetscCall(FlowRecordGet(s->flow, number + OWN_NUMBERS));
  PetscCall(PetscMemcpy(number + OWN_NUMBERS + n_flow, s->loads, (size_t)s->n * sizeof(GridLoads)));
  air_track_get(s, number + n - n_track);
  const CheckpointArray array = {"flow", CHECKPOINT_DOUBLE, n, rank == 0 ? 0 : n,
                                 rank == 0 ? n : 0};
  PetscCall(CheckpointPut(file, array, number));
  PetscCall(PetscFree(number));
  for (int g = 0; g < s->n; g++)
    for (int level = 0; level < flow_levels(s->flow); level++) {
      char name[32];
      PetscCall(array_name(g, level, name, sizeof name));
      PetscCall(CheckpointPut(file, cells_array(s->grid[g], name), flow_level(s->flow, g, level)));
      PetscCall(put_turbulence(s, file, g, level));
    }
  if (flow_off_body(s->flow) != NULL) PetscCall(AirForestPut(s->flow, file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The states of all cells that a checkpoint has. */
static PetscErrorCode get_states(Air *s, Checkpoint *file, int levels)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n; g++)
    for (int level = 0; level < levels; level++) {
      char name[32];
      int64_t total;
      PetscCall(array_name(g, level, name, sizeof name));
      const CheckpointArray array = cells_array(s->grid[g], name);
      PetscCall(CheckpointGetSize(file, name, &total));
      PetscCheck(total == array.total, s->comm, PETSC_ERR_USER_INPUT,
                 "%s: holds %lld numbers of the flow on grid %d, wanted %lld: it is of other grids",
                 checkpoint_path(file), (long long)total, g, (long long)array.total);
      PetscCall(CheckpointGet(file, array, flow_level(s->flow, g, level)));
      PetscCall(get_turbulence(s, file, g, level));
    }
  if (flow_off_body(s->flow) != NULL)
    PetscCall(AirForestGet(s->flow, &s->the_case->off_body, s->comm, file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirGet(Air *s, Checkpoint *file, Bodies *bodies, int64_t *history_length)
{
  PetscFunctionBeginUser;
  const int n_flow = flow_record_size(s->flow), n_loads = (int)(sizeof(GridLoads) / sizeof(double));
  const int n_track = air_track_size(s), n = OWN_NUMBERS + n_flow + s->n * n_loads + n_track;
  int64_t total;
  double *number;
  PetscCall(CheckpointGetSize(file, "flow", &total));
  PetscCheck(total == n, s->comm, PETSC_ERR_USER_INPUT, "%s: is of another flow",
             checkpoint_path(file));
  PetscCall(PetscMalloc1(n, &number));
  const CheckpointArray array = {"flow", CHECKPOINT_DOUBLE, n, 0, n};
  PetscCall(CheckpointGet(file, array, number));
  s->first_mass = number[0];
  *history_length = (int64_t)number[1];
  PetscCall(get_states(s, file, flow_levels(s->flow)));
  PetscCall(FlowRecordSet(s->flow, number + OWN_NUMBERS));
  PetscCall(PetscMemcpy(s->loads, number + OWN_NUMBERS + n_flow, (size_t)s->n * sizeof(GridLoads)));
  air_track_set(s, number + n - n_track);
  PetscCall(PetscFree(number));
  air_place_grids(s, bodies);
  air_tell(s, bodies);
  PetscCall(AirReconnect(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirTakeState(Air *s, const char *directory)
{
  PetscFunctionBeginUser;
  char folder[PETSC_MAX_PATH_LEN];
  Checkpoint *file = NULL;
  PetscCall(FileJoin(directory, "checkpoint", folder, sizeof folder));
  PetscCall(CheckpointOpenNewest(s->comm, folder, &file));
  PetscCall(get_states(s, file, 1));
  PetscCall(CheckpointClose(&file));
  PetscCall(FlowBegin(s->flow));
  PetscFunctionReturn(PETSC_SUCCESS);
}
