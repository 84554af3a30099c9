#include "grid/quality.h"

#include "base/hash.h"
#include "base/sort.h"
#include "comm/route.h"

/* The larger of two extremes of two ranks; of equal ones that with the lower place. */
static void keep_larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
  const Extreme *a = in;
  Extreme *b = inout;
  (void)type;
  for (int i = 0; i < *n; i++) {
    const Vec3 p = a[i].at, q = b[i].at;
    const bool lower = p.x < q.x || (p.x == q.x && (p.y < q.y || (p.y == q.y && p.z < q.z)));
    if (a[i].value > b[i].value || (a[i].value == b[i].value && lower)) b[i] = a[i];
  }
}

static PetscErrorCode ShareExtremes(MPI_Comm comm, int n, Extreme extreme[])
{
  PetscFunctionBeginUser;
  MPI_Datatype type;
  MPI_Op larger;
  PetscCallMPI(MPI_Type_contiguous((int)sizeof(Extreme) / (int)sizeof(double), MPI_DOUBLE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  PetscCallMPI(MPI_Op_create(keep_larger, 1, &larger));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, extreme, n, type, larger, comm));
  PetscCallMPI(MPI_Op_free(&larger));
  PetscCallMPI(MPI_Type_free(&type));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void note(Extreme *worst, double value, Vec3 at)
{
  const Extreme one = {value, at};
  int n = 1;
  keep_larger((void *)&one, worst, &n, NULL);
}

static void look_at_face(const NearGrid *g, LocalId f, Extreme *skewness, Extreme *slant)
{
  const LocalId l = g->left[f], r = g->right[f];
  const Vec3 a = {g->x[l], g->y[l], g->z[l]}, b = {g->x[r], g->y[r], g->z[r]};
  const Vec3 s = {g->sx[f], g->sy[f], g->sz[f]}, c = {g->fx[f], g->fy[f], g->fz[f]};
  const Vec3 d = vec3_sub(b, a);
  const double along = vec3_dot(d, s), length = vec3_norm(d);
  const double cosine = along / (length * vec3_norm(s));
  note(slant, acos(PetscMax(-1.0, PetscMin(1.0, cosine))), c);

  /* Where the line between the centres crosses the plane of the face. */
  const double t = along != 0.0 ? vec3_dot(vec3_sub(c, a), s) / along : 0.5;
  note(skewness, vec3_distance(vec3_axpy(a, t, d), c) / length, c);
}

PetscErrorCode GridQualityCompute(const NearGrid *grid, GridQuality *quality)
{
  PetscFunctionBeginUser;
  Extreme least = {-HUGE_VAL, {0, 0, 0}}, most = {0}, skewness = {0}, slant = {0};
  *quality = (GridQuality){.volume = 0.0};
  for (LocalId c = 0; c < grid->n_own; c++) {
    const Vec3 at = {grid->x[c], grid->y[c], grid->z[c]};
    quality->n_kind[grid->kind[c]]++;
    quality->volume += grid->volume[c];
    note(&least, -grid->volume[c], at);
    note(&most, grid->volume[c], at);
  }
  for (LocalId f = 0; f < grid->n_interior; f++) look_at_face(grid, f, &skewness, &slant);
  Extreme all[4] = {least, most, skewness, slant};
  PetscCall(ShareExtremes(grid->comm, 4, all));
  all[0].value = -all[0].value;
  quality->smallest = all[0];
  quality->largest = all[1];
  quality->skewness = all[2];
  quality->slant = all[3];
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, quality->n_kind, CELL_KINDS, MPIU_INT64, MPI_SUM, grid->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &quality->volume, 1, MPI_DOUBLE, MPI_SUM, grid->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridPatchAreas(const NearGrid *grid, double area[])
{
  PetscFunctionBeginUser;
  for (int p = 0; p < grid->n_patches; p++) {
    const NearPatch *patch = &grid->patch[p];
    area[p] = 0.0;
    for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++)
      area[p] += vec3_norm(vec3(grid->sx[f], grid->sy[f], grid->sz[f]));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, area, grid->n_patches, MPI_DOUBLE, MPI_SUM, grid->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An edge of a face by its vertices, the lower first. */
typedef struct {
  GlobalId end[2];
} Edge;

static int compare_edges(const void *a, const void *b)
{
  const Edge *p = a, *q = b;
  if (p->end[0] != q->end[0]) return p->end[0] < q->end[0] ? -1 : 1;
  return p->end[1] < q->end[1] ? -1 : p->end[1] > q->end[1];
}

static LocalId list_edges(const NearGrid *grid, const bool chosen[], Edge edge[])
{
  LocalId n = 0;
  for (int p = 0; p < grid->n_patches; p++) {
    const LocalId first = grid->patch[p].first_face - grid->n_interior;
    for (LocalId f = first; chosen[p] && f < first + grid->patch[p].n_faces; f++) {
      const LocalId begin = grid->ring_start[f], m = grid->ring_start[f + 1] - begin;
      for (LocalId i = 0; i < m; i++) {
        const GlobalId a = grid->vertex_id[grid->ring[begin + i]];
        const GlobalId b = grid->vertex_id[grid->ring[begin + (i + 1) % m]];
        edge[n++] = (Edge){{PetscMin(a, b), PetscMax(a, b)}};
      }
    }
  }
  return n;
}

PetscErrorCode GridOpenEdges(const NearGrid *grid, const bool chosen[], GlobalId *n_open)
{
  PetscFunctionBeginUser;
  const LocalId room = grid->ring_start[grid->n_faces - grid->n_interior];
  Edge *edge = NULL, *got = NULL;
  int *to = NULL, size = 0;
  Route *route = NULL;
  PetscCallMPI(MPI_Comm_size(grid->comm, &size));
  PetscCall(PetscMalloc2(room, &edge, room, &to));
  const LocalId n = list_edges(grid, chosen, edge);
  for (LocalId i = 0; i < n; i++)
    to[i] = (int)(hash_bytes(0, &edge[i], sizeof edge[i]) % (uint64_t)size);
  PetscCall(RouteCreate(grid->comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc1(m, &got));
  PetscCall(RouteSend(route, sizeof *edge, edge, got));
  sort_fast(got, (size_t)m, sizeof *got, compare_edges);
  *n_open = 0;
  for (LocalId i = 0, end = 0; i < m; i = end) {
    for (end = i; end < m && compare_edges(&got[i], &got[end]) == 0;) end++;
    *n_open += (end - i) % 2;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, n_open, 1, MPIU_INT64, MPI_SUM, grid->comm));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree2(edge, to));
  PetscCall(PetscFree(got));
  PetscFunctionReturn(PETSC_SUCCESS);
}

size_t near_grid_bytes(const NearGrid *g)
{
  const size_t id = sizeof(LocalId), real = sizeof(double), wide = sizeof(GlobalId);
  const size_t n_boundary = (size_t)(g->n_faces - g->n_interior);
  return (size_t)g->n_local * (wide + 4 * real) + (size_t)g->n_faces * (2 * id + 9 * real) +
         (size_t)g->face_start[g->n_own] * (id + real) + (size_t)g->n_own * 3 * id +
         (size_t)g->n_vertices * (sizeof(Vec3) + wide) + (size_t)g->corner_start[g->n_own] * id +
         n_boundary * id + (size_t)g->ring_start[n_boundary] * id;
}
