#include "grid/merge.h"

#include "base/hash.h"
#include "base/sort.h"
#include "comm/block.h"
#include "comm/route.h"

#include <math.h>

/* Lower an entry of the block at its owner. */
typedef struct {
  GlobalId at, low;
} Lower;

static PetscErrorCode SendLowers(MPI_Comm comm, GlobalId n_vertices, LocalId n, const Lower lower[],
                                 GlobalId same[])
{
  PetscFunctionBeginUser;
  int size = 0, rank = 0, *to = NULL;
  Route *route = NULL;
  Lower *got = NULL;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscMalloc1(n, &to));
  for (LocalId i = 0; i < n; i++) to[i] = block_owner(n_vertices, size, lower[i].at);
  PetscCall(RouteCreate(comm, n, to, &route));
  PetscCall(PetscMalloc1(route_n_arriving(route), &got));
  PetscCall(RouteSend(route, sizeof *lower, lower, got));
  const GlobalId first = block_first(n_vertices, size, rank);
  for (LocalId i = 0; i < route_n_arriving(route); i++)
    same[got[i].at - first] = PetscMin(same[got[i].at - first], got[i].low);
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree(to));
  PetscCall(PetscFree(got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One round: both ends of each pair, and what they are one with, take the lower. */
static PetscErrorCode Round(MPI_Comm comm, GlobalId n_vertices, LocalId n_pairs,
                            const GlobalId (*pair)[2], GlobalId same[], int *changed)
{
  PetscFunctionBeginUser;
  GlobalId *id = NULL, *low = NULL;
  Lower *lower = NULL;
  PetscCall(PetscMalloc3(2 * (size_t)n_pairs, &id, 2 * (size_t)n_pairs, &low, 4 * (size_t)n_pairs,
                         &lower));
  for (LocalId i = 0; i < 2 * n_pairs; i++) id[i] = pair[i / 2][i % 2];
  PetscCall(BlockFetch(comm, n_vertices, sizeof *same, same, 2 * n_pairs, id, low));
  LocalId n = 0;
  for (LocalId i = 0; i < n_pairs; i++) {
    if (low[2 * i] == low[2 * i + 1]) continue;
    const GlobalId least = PetscMin(low[2 * i], low[2 * i + 1]);
    for (int e = 0; e < 2; e++) {
      lower[n++] = (Lower){id[2 * i + e], least};
      lower[n++] = (Lower){low[2 * i + e], least};
    }
  }
  *changed = n > 0;
  PetscCall(SendLowers(comm, n_vertices, n, lower, same));
  PetscCall(PetscFree3(id, low, lower));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, changed, 1, MPI_INT, MPI_MAX, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerticesMerge(MPI_Comm comm, GlobalId n_vertices, LocalId n_pairs,
                             const GlobalId (*pair)[2], GlobalId **same)
{
  PetscFunctionBeginUser;
  int size = 0, rank = 0, changed = 1;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  const LocalId here = block_count(n_vertices, size, rank);
  PetscCall(PetscMalloc1(here, same));
  for (LocalId v = 0; v < here; v++) (*same)[v] = block_first(n_vertices, size, rank) + v;
  while (changed) {
    PetscCall(Round(comm, n_vertices, n_pairs, pair, *same, &changed));

    /* What an entry is one with may itself have been lowered. */
    if (changed) PetscCall(BlockFetch(comm, n_vertices, sizeof **same, *same, here, *same, *same));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerticesApply(MPI_Comm comm, GlobalId n_vertices, const GlobalId same[], LocalId n,
                             GlobalId id[])
{
  PetscFunctionBeginUser;
  PetscCall(BlockFetch(comm, n_vertices, sizeof *same, same, n, id, id));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A vertex of an open face, in a bin of space. */
typedef struct {
  int64_t bin[3];
  GlobalId id;
  Vec3 at;
  double reach; /* nearer ones are the same */
} Spot;

static int compare_spots(const void *a, const void *b)
{
  const Spot *p = a, *q = b;
  for (int d = 0; d < 3; d++)
    if (p->bin[d] != q->bin[d]) return p->bin[d] < q->bin[d] ? -1 : 1;
  return p->id < q->id ? -1 : p->id > q->id;
}

/* A thousandth of the shortest edge of a ring that has a length. */
static double reach_of(int n, const Vec3 at[])
{
  const double fraction = 1e-3;
  double least = HUGE_VAL;
  for (int i = 0; i < n; i++) {
    const double edge = vec3_distance(at[i], at[(i + 1) % n]);
    if (edge > 0.0 && edge < least) least = edge;
  }
  return fraction * least;
}

/* Every vertex in every bin within its reach. */
static LocalId list_spots(const GridSurvey *survey, double bin, Spot spot[])
{
  LocalId n = 0;
  for (LocalId f = 0; f < survey->n_open; f++) {
    const LocalId first = survey->start[f], end = survey->start[f + 1];
    const double reach = reach_of(end - first, survey->at + first);
    for (LocalId i = first; i < end; i++) {
      const LocalId begin = n;
      for (int corner = 0; corner < 8; corner++) {
        Spot one = {.id = survey->ring[i], .at = survey->at[i], .reach = reach};
        for (int d = 0; d < 3; d++) {
          const double way = corner >> d & 1 ? reach : -reach;
          one.bin[d] = (int64_t)floor((vec3_at(one.at, d) + way) / bin);
        }
        bool new = true;
        for (LocalId k = begin; k < n; k++) new = new &&compare_spots(&spot[k], &one) != 0;
        if (new) spot[n++] = one;
      }
    }
  }
  return n;
}

/* Pairs within one bin: each spot with the first that is at its place. */
static LocalId pair_bin(LocalId n, const Spot spot[], GlobalId (*pair)[2])
{
  LocalId n_pairs = 0;
  for (LocalId j = 1; j < n; j++) {
    for (LocalId i = 0; i < j; i++) {
      const double reach = PetscMin(spot[i].reach, spot[j].reach);
      if (spot[i].id == spot[j].id || vec3_distance(spot[i].at, spot[j].at) > reach) continue;
      pair[n_pairs][0] = spot[i].id;
      pair[n_pairs++][1] = spot[j].id;
      break;
    }
  }
  return n_pairs;
}

PetscErrorCode VerticesFindPairs(MPI_Comm comm, const GridSurvey *survey, LocalId *n_pairs,
                                 GlobalId (**pair)[2])
{
  PetscFunctionBeginUser;
  int size = 0, *to = NULL;
  Spot *spot = NULL, *got = NULL;
  Route *route = NULL;
  double bin = 0.0;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  for (LocalId f = 0; f < survey->n_open; f++) {
    const LocalId first = survey->start[f];
    const double reach = reach_of(survey->start[f + 1] - first, survey->at + first);
    bin = PetscMax(bin, 4.0 * reach);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bin, 1, MPI_DOUBLE, MPI_MAX, comm));
  const size_t room = 8 * (size_t)survey->start[survey->n_open];
  PetscCall(PetscMalloc2(room, &spot, room, &to));
  const LocalId n = list_spots(survey, bin, spot);
  for (LocalId i = 0; i < n; i++)
    to[i] = (int)(hash_bytes(0, spot[i].bin, sizeof spot[i].bin) % (uint64_t)size);
  PetscCall(RouteCreate(comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc1(m, &got));
  PetscCall(PetscMalloc1(m, pair));
  PetscCall(RouteSend(route, sizeof *spot, spot, got));
  sort_fast(got, (size_t)m, sizeof *got, compare_spots);
  *n_pairs = 0;
  for (LocalId i = 0, end = 0; i < m; i = end) {
    for (end = i; end < m && got[i].bin[0] == got[end].bin[0] && got[i].bin[1] == got[end].bin[1] &&
                  got[i].bin[2] == got[end].bin[2];)
      end++;
    *n_pairs += pair_bin(end - i, got + i, *pair + *n_pairs);
  }
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree2(spot, to));
  PetscCall(PetscFree(got));
  PetscFunctionReturn(PETSC_SUCCESS);
}
