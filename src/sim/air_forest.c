#include "sim/air_forest.h"

#include "flow/off_body_implicit.h"

#include <unistd.h>

enum { PLACE_NUMBERS = 4, COUNTERS = 4 };

/* Bytes of memory that the machines of a communicator have together. */
static PetscErrorCode FindMemory(MPI_Comm comm, double *bytes)
{
  PetscFunctionBeginUser;
  MPI_Comm node;
  int rank = 0;
  PetscCallMPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  PetscCallMPI(MPI_Comm_rank(node, &rank));
  const double own = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  *bytes = rank == 0 ? own : 0.0;
  PetscCallMPI(MPI_Comm_free(&node));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bytes, 1, MPI_DOUBLE, MPI_SUM, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirForestCheck(MPI_Comm comm, CaseFile *file)
{
  PetscFunctionBeginUser;
  const OffBodySpec *spec = &case_file_case(file)->off_body;
  const double edge = spec->patch, cells = forest_estimate(spec) * edge * edge * edge;
  const double wanted = cells * off_body_bytes_per_cell(spec->patch);
  double there = 0.0;
  PetscCall(FindMemory(comm, &there));
  if (wanted > there)
    PetscCall(CaseFileComplain(file, "off_body.spacing",
                               "makes about %.3g cells, which need %.3g GB; this machine has %.3g "
                               "GB",
                               cells, 1e-9 * wanted, 1e-9 * there));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirForestDescribe(Flow *flow, FILE *out)
{
  PetscFunctionBeginUser;
  enum { LEVELS = 32 };
  OffBody *air = flow_off_body(flow);
  const Forest *forest = off_body_forest(air);
  const ForestDomain *domain = forest_domain_of(forest);
  GlobalId leaves[LEVELS] = {0};
  for (LocalId c = 0; c < forest_n(forest); c++) leaves[forest_places(forest)[c].level]++;
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, leaves, LEVELS, MPIU_INT64, MPI_SUM, forest_comm(forest)));
  double bytes = (double)off_body_memory(air);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, forest_comm(forest)));
  if (forest_rank(forest) != 0) PetscFunctionReturn(PETSC_SUCCESS);
  const double edge = off_body_patch(air),
               cells = (double)forest_total(forest) * edge * edge * edge;
  if (domain->grown)
    fprintf(out, "off-body: the box is grown to [%g, %g, %g], whole patches of %g cells\n",
            domain->box.hi.x, domain->box.hi.y, domain->box.hi.z, edge);
  fprintf(out, "off-body: %lld leaves, %.0f cells, %.3g MB (%.0f bytes per cell);",
          (long long)forest_total(forest), cells, bytes * 1e-6, bytes / cells);
  for (int level = 0; level < LEVELS; level++)
    if (leaves[level] > 0)
      fprintf(out, " level %d: %lld of spacing %g", level, (long long)leaves[level],
              forest_spacing(forest, level));
  fprintf(out, "\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An array with so many numbers per patch. */
static CheckpointArray by_patch(const Forest *forest, const char *name, CheckpointType type,
                                int64_t numbers)
{
  return (CheckpointArray){name, type, numbers * forest_total(forest),
                           numbers * forest_first(forest), numbers * forest_n(forest)};
}

PetscErrorCode AirForestPut(Flow *flow, Checkpoint *file)
{
  PetscFunctionBeginUser;
  OffBody *air = flow_off_body(flow);
  const Forest *forest = off_body_forest(air);
  const int64_t edge = off_body_patch(air), n = forest_n(forest);
  int64_t *number = NULL;
  PetscCall(PetscMalloc1(PLACE_NUMBERS * n, &number));
  for (int64_t c = 0; c < n; c++) {
    const PatchPlace place = forest_places(forest)[c];
    number[PLACE_NUMBERS * c] = place.level;
    for (int i = 0; i < 3; i++) number[PLACE_NUMBERS * c + 1 + i] = place.index[i];
  }
  PetscCall(
      CheckpointPut(file, by_patch(forest, "forest", CHECKPOINT_INT64, PLACE_NUMBERS), number));
  PetscCall(PetscFree(number));
  const CheckpointArray cells =
      by_patch(forest, "off_body", CHECKPOINT_DOUBLE, PATCH_VARIABLES * edge * edge * edge);
  PetscCall(CheckpointPut(file, cells, off_body_state(air)));
  if (flow_forest_levels(flow) > 1) {
    CheckpointArray older = cells;
    older.name = "off_body_older";
    PetscCall(CheckpointPut(file, older, off_body_older(air)));
  }

  double counter[COUNTERS];
  PetscCall(OffBodyCounters(air, counter));
  const int all = forest_rank(forest) == 0 ? COUNTERS : 0;
  const CheckpointArray counters = {"off_body_counters", CHECKPOINT_DOUBLE, COUNTERS,
                                    COUNTERS - all, all};
  PetscCall(CheckpointPut(file, counters, counter));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All places of a checkpoint, on every rank. */
static PetscErrorCode GetPlaces(Checkpoint *file, int64_t n, PatchPlace place[])
{
  PetscFunctionBeginUser;
  int64_t *number = NULL;
  PetscCall(PetscMalloc1(PLACE_NUMBERS * n, &number));
  const CheckpointArray array = {"forest", CHECKPOINT_INT64, PLACE_NUMBERS * n, 0,
                                 PLACE_NUMBERS * n};
  PetscCall(CheckpointGet(file, array, number));
  for (int64_t c = 0; c < n; c++) {
    const int64_t *from = number + PLACE_NUMBERS * c;
    place[c] = (PatchPlace){(int)from[0], {(int32_t)from[1], (int32_t)from[2], (int32_t)from[3]}};
  }
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The state a step before, or the state itself where another run was explicit. */
static PetscErrorCode GetOlder(Checkpoint *file, CheckpointArray cells, const double state[],
                               double older[])
{
  PetscFunctionBeginUser;
  int64_t total = 0;
  PetscCall(PetscArraycpy(older, state, cells.n));
  cells.name = "off_body_older";
  PetscCall(CheckpointGetSize(file, cells.name, &total));
  if (total == cells.total) PetscCall(CheckpointGet(file, cells, older));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirForestGet(Flow *flow, const OffBodySpec *spec, MPI_Comm comm, Checkpoint *file)
{
  PetscFunctionBeginUser;
  int64_t total = 0;
  PatchPlace *place = NULL;
  Forest *forest = NULL;
  PetscCall(CheckpointGetSize(file, "forest", &total));
  PetscCheck(total > 0, comm, PETSC_ERR_USER_INPUT, "%s: holds no off-body flow",
             checkpoint_path(file));
  PetscCall(PetscMalloc1(total / PLACE_NUMBERS, &place));
  PetscCall(GetPlaces(file, total / PLACE_NUMBERS, place));
  PetscCall(ForestCreateFrom(comm, spec, total / PLACE_NUMBERS, place, &forest));
  PetscCall(PetscFree(place));
  PetscCall(FlowTakeForest(flow, &forest));

  OffBody *air = flow_off_body(flow);
  const int64_t edge = off_body_patch(air);
  const CheckpointArray cells = by_patch(off_body_forest(air), "off_body", CHECKPOINT_DOUBLE,
                                         PATCH_VARIABLES * edge * edge * edge);
  PetscCall(CheckpointGetSize(file, "off_body", &total));
  PetscCheck(total == cells.total, comm, PETSC_ERR_USER_INPUT,
             "%s: holds %lld numbers of the off-body flow, wanted %lld: it is of other patches",
             checkpoint_path(file), (long long)total, (long long)cells.total);
  PetscCall(CheckpointGet(file, cells, off_body_state(air)));
  if (flow_forest_levels(flow) > 1)
    PetscCall(GetOlder(file, cells, off_body_state(air), off_body_older(air)));
  double counter[COUNTERS];
  const CheckpointArray counters = {"off_body_counters", CHECKPOINT_DOUBLE, COUNTERS, 0, COUNTERS};
  PetscCall(CheckpointGet(file, counters, counter));
  off_body_set_counters(air, counter);
  PetscFunctionReturn(PETSC_SUCCESS);
}
