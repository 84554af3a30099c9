/*
 * How do layers around a body come to be, and who guarantees that they are sound?
 *
 * The front marches from the wall through all layers; each layer is judged cell by cell. A front
 * that gets stuck, or whose last position crosses itself, lowers the thickness allowed at those
 * places and starts again from the wall.
 *
 * Why that is enough: cells with positive Jacobians make the map from (wall x layers) into space a
 * local one-to-one map that keeps orientation. The number of cells over a point then is the
 * winding of the outer boundary less that of the wall. Neither crosses itself, so it is 0 or 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude.h"

#include "grid/extrude_impl.h"

/* How often the march starts again, and what it then leaves of the thickness. */
#define LOWER 0.7
enum { MOST_ATTEMPTS = 24 };

/* Where less than this part of equal layers would be left, none fit. */
#define LEAST_THICKNESS 1e-2

double extrusion_thickness(double first, double growth, int n)
{
  return fabs(growth - 1.0) < 1e-9 ? n * first : first * (pow(growth, n) - 1.0) / (growth - 1.0);
}

typedef struct {
  double first, growth;
} Schedule;

/*
 * Heights of a column that may only be so thick: the first one as asked and less growth as long as
 * that will do, then equal thin layers.
 */
static Schedule schedule_for(const ExtrusionSpec *spec, double limit)
{
  const double full = extrusion_thickness(spec->first, spec->growth, spec->layers);
  const Schedule asked = {spec->first, spec->growth};
  if (limit >= full) return asked;
  const double even = spec->layers * spec->first;
  if (spec->growth <= 1.0 || limit <= even) {
    const double total = PetscMin(full, even);
    return (Schedule){spec->first * limit / total, PetscMin(1.0, spec->growth)};
  }
  double lo = 1.0, hi = spec->growth;
  for (int k = 0; k < 60; k++) {
    const double g = 0.5 * (lo + hi);
    if (extrusion_thickness(spec->first, g, spec->layers) < limit)
      lo = g;
    else
      hi = g;
  }
  return (Schedule){spec->first, lo};
}

typedef struct {
  Front front;
  double *limit;      /* owned, n_vertices: of the thickness */
  Schedule *schedule; /* owned, n_vertices */
  double *height;     /* owned, n_vertices: of the layer at hand */
  double *reached;    /* owned, n_vertices: thickness so far */
  bool *wrong;        /* owned, n_vertices: stuck, or on a face that crosses another */
} March;

static double mean_edge(const WallMesh *wall)
{
  double sum = 0.0, n = 0.0;
  for (int f = 0; f < wall->n_faces; f++) {
    const int *face = wall->face[f], m = face_corners(face);
    for (int k = 0; k < m; k++)
      sum += vec3_distance(wall->vertex[face[k]], wall->vertex[face[(k + 1) % m]]);
    n += m;
  }
  return sum / n;
}

/* One line for the user. */
#define RequireSense(sense, ...) \
  PetscCheck((sense), PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT, __VA_ARGS__)

/* Check what is asked for and fill in what is left open. */
static PetscErrorCode CheckSpec(const WallMesh *wall, ExtrusionSpec *spec)
{
  PetscFunctionBeginUser;
  Box box = box_empty();
  for (int v = 0; v < wall->n_vertices; v++) box = box_add_point(box, wall->vertex[v]);
  const double size = box_longest(box);
  const char *name = spec->name;
  RequireSense(spec->layers >= 1, "%s: layers: must be at least 1, got %d", name, spec->layers);
  RequireSense(isfinite(spec->growth) && spec->growth > 0.0, "%s: growth: must be positive, got %g",
               name, spec->growth);
  if (isnan(spec->first))
    spec->first = PetscMin(1.0, pow(spec->growth, 1 - spec->layers)) * mean_edge(wall);
  RequireSense(isfinite(spec->first) && spec->first > 0.0, "%s: first: must be positive, got %g",
               name, spec->first);
  RequireSense(spec->first < size,
               "%s: first: a layer of %g is as thick as the body, whose size is %g", name,
               spec->first, size);
  RequireSense(spec->first > 1e-12 * size,
               "%s: first: a layer of %g drowns in rounding on a body of size %g", name,
               spec->first, size);
  const double full = extrusion_thickness(spec->first, spec->growth, spec->layers);
  RequireSense(full < 1e6 * size,
               "%s: growth: %d layers from %g by %g would be %.3g thick, on a body of size %g",
               name, spec->layers, spec->first, spec->growth, full, size);
  const double n = (double)wall->n_vertices * (spec->layers + 1.0);
  RequireSense(n < PETSC_MAX_INT / 8,
               "%s: layers: %d over %d wall vertices are more than can be numbered", name,
               spec->layers, wall->n_vertices);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A vertex from which not all faces are seen cannot start. */
static PetscErrorCode CheckVisible(const Front *front, const char *name)
{
  PetscFunctionBeginUser;
  int worst = 0;
  for (int v = 0; v < front->wall->n_vertices; v++)
    if (front->visible[v] < front->visible[worst]) worst = v;
  const Vec3 at = front->wall->vertex[worst];
  PetscCheck(front->visible[worst] > 0.0, PETSC_COMM_WORLD, CAROM_ERR_MESH,
             "%s: no layers can grow at (%g, %g, %g): no direction sees all faces that meet there",
             name, at.x, at.y, at.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Passes of direction smoothing: wider the farther the front is from the wall. */
static int smoothing_passes(const Front *front)
{
  double edge = 0.0;
  const int n = front->wall->n_vertices;
  for (int v = 0; v < n; v++) edge += front->edge[v];
  return 4 + (int)PetscMin(16.0, 4.0 * front->thickness / (edge / n));
}

/* All layers once; how many vertices got stuck, noted as wrong. */
static int march_through(March *m, const ExtrusionSpec *spec, Vec3 vertex[])
{
  Front *front = &m->front;
  const int n = front->wall->n_vertices;
  front_reset(front);
  for (int v = 0; v < n; v++) {
    m->schedule[v] = schedule_for(spec, m->limit[v]);
    m->height[v] = m->schedule[v].first;
    m->reached[v] = 0.0;
    vertex[v] = front->x[v];
  }
  for (int layer = 1; layer <= spec->layers; layer++) {
    front->thickness = extrusion_thickness(spec->first, spec->growth, layer - 1);
    front_directions(front, smoothing_passes(front));
    const int n_stuck = front_march(front, m->height, m->wrong);
    if (n_stuck > 0) return n_stuck;
    for (int v = 0; v < n; v++) {
      vertex[(size_t)layer * n + v] = front->x[v];
      m->reached[v] += m->height[v];
      m->height[v] *= m->schedule[v].growth;
    }
  }
  return 0;
}

/*
 * Lower the limits where the march went wrong: to part of what was reached when it stopped there.
 * False when there is nothing left to lower; *at is a place of that kind.
 */
static bool lower_limits(March *m, const ExtrusionSpec *spec, bool stopped, Vec3 *at)
{
  const int n = m->front.wall->n_vertices;
  for (int v = 0; v < n; v++) {
    if (!m->wrong[v]) continue;
    *at = m->front.wall->vertex[v];
    if (m->limit[v] < LEAST_THICKNESS * spec->first * spec->layers) return false;
    const double reached = stopped ? m->reached[v] + m->height[v] : m->limit[v];
    m->limit[v] = LOWER * PetscMin(m->limit[v], reached);
  }
  thickness_spread(&m->front, m->limit);
  return true;
}

static PetscErrorCode MarchUntilSound(March *m, const ExtrusionSpec *spec, Vec3 vertex[])
{
  PetscFunctionBeginUser;
  Vec3 at = {0, 0, 0};
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    int n_crossings = 0;
    const int n_stuck = march_through(m, spec, vertex);
    if (n_stuck == 0) PetscCall(FrontCrossings(&m->front, m->wrong, &n_crossings));
    if (n_stuck == 0 && n_crossings == 0) PetscFunctionReturn(PETSC_SUCCESS);
    if (!lower_limits(m, spec, n_stuck > 0, &at)) break;
  }
  SETERRQ(PETSC_COMM_WORLD, CAROM_ERR_MESH,
          "%s: no layers fit at (%g, %g, %g); thinner or fewer ones, or a finer surface there, may",
          spec->name, at.x, at.y, at.z);
}

/* The cells of one layer over one face. */
static void put_cell(Extrusion *e, const int face[4], int below, int above)
{
  const int n = face_corners(face);
  int *to = n == 3 ? e->prism[e->n_prisms++] : e->hexahedron[e->n_hexahedra++];
  for (int k = 0; k < n; k++) {
    to[k] = below + face[k];
    to[n + k] = above + face[k];
  }
}

static void fill_cells(const WallMesh *wall, Extrusion *e)
{
  const int n = wall->n_vertices;
  e->n_prisms = e->n_hexahedra = 0;
  for (int layer = 0; layer < e->n_layers; layer++)
    for (int f = 0; f < wall->n_faces; f++) put_cell(e, wall->face[f], layer * n, (layer + 1) * n);
  for (int f = 0; f < wall->n_faces; f++) {
    const int *face = wall->face[f], m = face_corners(face);
    e->body[f][3] = e->outer[f][3] = -1;
    for (int k = 0; k < m; k++) {
      e->body[f][k] = face[m - 1 - k];
      e->outer[f][k] = e->n_layers * n + face[k];
    }
  }
}

static PetscErrorCode ExtrusionAllocate(const WallMesh *wall, int layers, Extrusion **extrusion)
{
  PetscFunctionBeginUser;
  Extrusion *e = NULL;
  PetscCall(PetscNew(&e));
  e->n_layers = layers;
  e->n_wall_vertices = wall->n_vertices;
  e->n_vertices = wall->n_vertices * (layers + 1);
  e->n_faces = wall->n_faces;
  size_t n_triangles = 0;
  for (int f = 0; f < wall->n_faces; f++) n_triangles += face_corners(wall->face[f]) == 3;
  const size_t n_quads = (size_t)wall->n_faces - n_triangles;
  PetscCall(PetscMalloc3(e->n_vertices, &e->vertex, n_triangles * layers, &e->prism,
                         n_quads * layers, &e->hexahedron));
  PetscCall(PetscMalloc3(e->n_faces, &e->body, e->n_faces, &e->outer, e->n_faces, &e->outer_size));
  *extrusion = e;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtrusionDestroy(Extrusion **extrusion)
{
  PetscFunctionBeginUser;
  Extrusion *e = *extrusion;
  if (e == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(e->vertex, e->prism, e->hexahedron));
  PetscCall(PetscFree3(e->body, e->outer, e->outer_size));
  PetscCall(PetscFree(*extrusion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtrusionCreate(const WallMesh *wall, ExtrusionSpec spec, Extrusion **extrusion)
{
  PetscFunctionBeginUser;
  if (spec.name == NULL) spec.name = "layers";
  PetscCall(CheckSpec(wall, &spec));
  March m = {0};
  const int n = wall->n_vertices;
  PetscCall(FrontCreate(wall, &m.front));
  PetscCall(PetscMalloc5(n, &m.limit, n, &m.schedule, n, &m.height, n, &m.reached, n, &m.wrong));
  m.front.range = m.limit;
  front_directions(&m.front, 0);
  PetscCall(CheckVisible(&m.front, spec.name));
  const double full = extrusion_thickness(spec.first, spec.growth, spec.layers);
  PetscCall(ThicknessLimit(&m.front, full, m.limit));

  Extrusion *e = NULL;
  PetscCall(ExtrusionAllocate(wall, spec.layers, &e));
  PetscCall(MarchUntilSound(&m, &spec, e->vertex));
  fill_cells(wall, e);
  e->quality.first = spec.first;
  e->quality.full_thickness = full;
  PetscCall(ExtrusionMeasure(wall, m.limit, e));
  PetscCall(PetscFree5(m.limit, m.schedule, m.height, m.reached, m.wrong));
  PetscCall(FrontDestroy(&m.front));
  *extrusion = e;
  PetscFunctionReturn(PETSC_SUCCESS);
}
