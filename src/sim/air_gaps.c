/*
 * A wall face is closed if its cell is left out: it lies in a gap. A gap belongs to two bodies,
 * that of the wall and the one whose surface is nearest; its rim are the open wall faces of both
 * whose cells touch cells that were left out in the same gap.
 */
#include "sim/air_gaps.h"

#include "base/sort.h"
#include "comm/sum.h"

/* A wall face that is closed, or at a rim. */
typedef struct {
  int grid;
  LocalId face;
  int64_t gap; /* the lower body * 2^32 + the other */
  bool rim;
} GapFace;

struct AirGaps {
  int n, room;
  GapFace *face; /* owned */
  int n_gaps, gap_room;
  int64_t *gap; /* owned: of all ranks, rising */
  int n_numbers;
  double *number;     /* owned: what is summed up */
  double *pressure;   /* owned: of each gap */
  int most;           /* ranks */
  int *count, *first; /* owned: of each rank */
};

PetscErrorCode AirGapsCreate(MPI_Comm comm, AirGaps **gaps)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(gaps));
  PetscCallMPI(MPI_Comm_size(comm, &(*gaps)->most));
  PetscCall(PetscMalloc2((*gaps)->most, &(*gaps)->count, (*gaps)->most + 1, &(*gaps)->first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirGapsDestroy(AirGaps **gaps)
{
  PetscFunctionBeginUser;
  if (*gaps == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*gaps)->count, (*gaps)->first));
  PetscCall(PetscFree((*gaps)->face));
  PetscCall(PetscFree((*gaps)->gap));
  PetscCall(PetscFree((*gaps)->number));
  PetscCall(PetscFree((*gaps)->pressure));
  PetscCall(PetscFree(*gaps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The body other than its own that is nearest to a cell of a grid; -1: none has a surface. */
static int nearest_body(const Air *s, int g, LocalId c)
{
  const NearGrid *grid = s->grid[g];
  const Frame own = pose_frame(s->motion[g].start);
  const Vec3 x = frame_to_world(&own, vec3(grid->x[c], grid->y[c], grid->z[c]));
  double least = INFINITY;
  int nearest = -1;
  for (int h = 0; h < s->n; h++) {
    const OversetGrid *of = overset_grid(s->overset, h);
    if (of->body == s->body[g] || of->xray == NULL) continue;
    const Frame frame = pose_frame(s->motion[h].start);
    const Vec3 p = vec3_add(frame_to_body(&frame, x), of->center);
    if (xray_distance_bound(of->xray, p) >= least) continue;
    const SurfaceHit hit = xray_distance(of->xray, p, box_longest(s->grid[h]->box));
    if (!hit.found || hit.distance >= least) continue;
    least = hit.distance;
    nearest = of->body;
  }
  return nearest;
}

static PetscErrorCode add_face(AirGaps *gaps, GapFace face)
{
  PetscFunctionBeginUser;
  if (gaps->n == gaps->room) {
    gaps->room = 2 * gaps->room + 256;
    PetscCall(PetscRealloc(gaps->room * sizeof *gaps->face, &gaps->face));
  }
  gaps->face[gaps->n++] = face;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_left_out(const NearArrays *a, LocalId c)
{
  return a->state[c] == STATE_HOLE;
}

/* A face of a wall: is it closed, or is its cell at a rim? */
static PetscErrorCode look_at_face(Air *s, int g, LocalId f)
{
  PetscFunctionBeginUser;
  const NearArrays *a = near_flow_arrays(flow_grid(s->flow, g));
  LocalId out = a->left[f];
  const bool closed = is_left_out(a, out);
  for (LocalId k = a->face_start[a->left[f]]; k < a->face_start[a->left[f] + 1] && !closed; k++)
    if (is_left_out(a, a->neighbor[k])) out = a->neighbor[k];
  if (!is_left_out(a, out)) PetscFunctionReturn(PETSC_SUCCESS);
  const int other = nearest_body(s, g, out), own = s->body[g];
  if (other < 0) PetscFunctionReturn(PETSC_SUCCESS);
  const int64_t gap = other < own ? ((int64_t)other << 32) + own : ((int64_t)own << 32) + other;
  PetscCall(add_face(s->gaps, (GapFace){g, f, gap, !closed}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_faces(Air *s)
{
  PetscFunctionBeginUser;
  s->gaps->n = 0;
  for (int g = 0; g < s->n; g++)
    for (int p = 0; p < s->grid[g]->n_patches; p++) {
      const NearPatch *patch = &s->grid[g]->patch[p];
      if (s->kind[g][p] != BOUNDARY_WALL && s->kind[g][p] != BOUNDARY_SLIP) continue;
      for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++)
        PetscCall(look_at_face(s, g, f));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int by_number(const void *x, const void *y)
{
  const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return (a > b) - (a < b);
}

static int unique(int n, int64_t key[])
{
  int kept = 0;
  if (n > 0) sort_in_place(key, (size_t)n, sizeof *key, by_number);
  for (int k = 0; k < n; k++)
    if (k == 0 || key[k] != key[kept - 1]) key[kept++] = key[k];
  return kept;
}

/* The gaps of all ranks. */
static PetscErrorCode list_gaps(Air *s)
{
  PetscFunctionBeginUser;
  AirGaps *gaps = s->gaps;
  int64_t *own;
  int total = 0;
  PetscCall(PetscMalloc1(gaps->n, &own));
  for (int k = 0; k < gaps->n; k++) own[k] = gaps->face[k].gap;
  const int n = unique(gaps->n, own);
  PetscCallMPI(MPI_Allgather(&n, 1, MPI_INT, gaps->count, 1, MPI_INT, s->comm));
  for (int r = 0; r < gaps->most; r++) gaps->first[r] = total, total += gaps->count[r];
  if (total > gaps->gap_room) {
    gaps->gap_room = 2 * total;
    PetscCall(PetscFree(gaps->gap));
    PetscCall(PetscFree(gaps->pressure));
    PetscCall(PetscMalloc1(gaps->gap_room, &gaps->gap));
    PetscCall(PetscMalloc1(gaps->gap_room, &gaps->pressure));
  }
  PetscCallMPI(MPI_Allgatherv(own, n, MPI_INT64_T, gaps->gap, gaps->count, gaps->first, MPI_INT64_T,
                              s->comm));
  gaps->n_gaps = unique(total, gaps->gap);
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_numbers(AirGaps *gaps, int per_face)
{
  PetscFunctionBeginUser;
  if (gaps->n * per_face > gaps->n_numbers) {
    gaps->n_numbers = 2 * gaps->n * per_face;
    PetscCall(PetscFree(gaps->number));
    PetscCall(PetscMalloc1(gaps->n_numbers, &gaps->number));
  }
  PetscCall(PetscArrayzero(gaps->number, gaps->n * per_face));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pressures of gaps from their rims; one without a rim has the pressure far away. */
static PetscErrorCode find_pressures(Air *s)
{
  PetscFunctionBeginUser;
  enum { AT_ONCE = SUM_MOST / 2 };
  AirGaps *gaps = s->gaps;
  for (int first = 0; first < gaps->n_gaps; first += AT_ONCE) {
    double total[SUM_MOST];
    PetscCall(make_numbers(gaps, SUM_MOST));
    for (int k = 0; k < gaps->n; k++) {
      const GapFace *face = &gaps->face[k];
      for (int i = first; i < gaps->n_gaps && i < first + AT_ONCE && face->rim; i++) {
        if (gaps->gap[i] != face->gap) continue;
        const NearArrays *a = near_flow_arrays(flow_grid(s->flow, face->grid));
        const LocalId f = face->face;
        const double area = vec3_norm(vec3(a->sx[f], a->sy[f], a->sz[f]));
        double *number = gaps->number + (size_t)k * SUM_MOST + 2 * (i - first);
        number[0] = area * a->skin[NEAR_SKIN * (size_t)(f - a->n_interior)];
        number[1] = area;
      }
    }
    PetscCall(SumExactly(s->comm, gaps->n, SUM_MOST, gaps->number, total));
    const double far = near_flow_stream(flow_grid(s->flow, 0))->p;
    for (int i = first; i < gaps->n_gaps && i < first + AT_ONCE; i++) {
      const double *sum = total + 2 * (i - first);
      gaps->pressure[i] = sum[1] > 0.0 ? sum[0] / sum[1] - far : 0.0;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double pressure_of(const AirGaps *gaps, int64_t gap)
{
  int i = 0;
  while (gaps->gap[i] != gap) i++;
  return gaps->pressure[i];
}

/* Force, moment and number of the closed faces of a grid. */
static PetscErrorCode add_loads(Air *s, int g)
{
  PetscFunctionBeginUser;
  enum { NUMBERS = 7 };
  AirGaps *gaps = s->gaps;
  const NearArrays *a = near_flow_arrays(flow_grid(s->flow, g));
  double total[NUMBERS];
  PetscCall(make_numbers(gaps, NUMBERS));
  for (int k = 0; k < gaps->n; k++) {
    const GapFace *face = &gaps->face[k];
    const LocalId f = face->face;
    if (face->grid != g || face->rim) continue;
    const double p = pressure_of(gaps, face->gap);
    const double number[NUMBERS] = {p * a->sx[f], p * a->sy[f], p * a->sz[f], p * a->tx[f],
                                    p * a->ty[f], p * a->tz[f], 1.0};
    PetscCall(PetscArraycpy(gaps->number + (size_t)k * NUMBERS, number, NUMBERS));
  }
  PetscCall(SumExactly(s->comm, gaps->n, NUMBERS, gaps->number, total));
  const Units *units = flow_units(s->flow);
  const Quat q = s->motion[g].start.q;
  const Vec3 force = quat_rotate(q, vec3(total[0], total[1], total[2]));
  const Vec3 moment = quat_rotate(q, vec3(total[3], total[4], total[5]));
  GridLoads *l = &s->loads[g];
  l->pressure_force = vec3_axpy(l->pressure_force, units->force, force);
  l->pressure_moment = vec3_axpy(l->pressure_moment, units->moment, moment);
  s->track[g].closed = total[6];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirCloseGaps(Air *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n; g++) s->track[g].closed = 0.0;
  if (s->overset == NULL || s->n < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(find_faces(s));
  PetscCall(list_gaps(s));
  if (s->gaps->n_gaps == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(find_pressures(s));
  for (int g = 0; g < s->n; g++) PetscCall(add_loads(s, g));
  PetscFunctionReturn(PETSC_SUCCESS);
}
