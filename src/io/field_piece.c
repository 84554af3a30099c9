#include "io/field_piece_impl.h"

#include "grid/cell_state.h"

const char *const field_cell_names[TURBULENT_VALUES] = {
    "Density", "VelocityX", "VelocityY", "VelocityZ", "Pressure",           "Temperature",
    "Mach",    "CellState", "Level",     "Rank",      "TurbulentSANuTilde", "ViscosityEddy"};
const char *const field_wall_names[PIECE_VALUES] = {
    "Pressure",      "CoefPressure", "SkinFrictionX", "SkinFrictionY",
    "SkinFrictionZ", "NormalX",      "NormalY",       "NormalZ"};

static const PieceType type_of_kind[CELL_KINDS] = {PIECE_TETRA, PIECE_PYRAMID, PIECE_PRISM,
                                                   PIECE_HEXA, PIECE_POLYHEDRON};

static PetscErrorCode put_vertices(const FieldGrid *grid, FieldPiece *p)
{
  PetscFunctionBeginUser;
  const NearGrid *g = near_flow_grid(grid->flow);
  const Frame frame = pose_frame(grid->pose);
  const int n = p->n_vertices = g->n_vertices;
  PetscCall(PetscMalloc1(3 * n, &p->x));
  for (int i = 0; i < n; i++) {
    const Vec3 x = frame_to_world(&frame, g->vertex[i]);
    p->x[i] = x.x, p->x[n + i] = x.y, p->x[2 * n + i] = x.z;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers in the list of polygons that a polyhedron brings: those of faces not yet brought. */
static void add_polygons(const NearGrid *g, LocalId c, int number[], FieldPiece *p, int *polygons,
                         int *polyhedra)
{
  const LocalId n_faces = g->face_start[c + 1] - g->face_start[c];
  LocalId at = g->corner_start[c];
  int *n = &p->n[PIECE_POLYGON], *used = &p->n_corners[PIECE_POLYGON];
  if (polyhedra != NULL) polyhedra[p->n_corners[PIECE_POLYHEDRON]] = n_faces;
  for (LocalId k = 0; k < n_faces; k++) {
    const LocalId f = g->face[g->face_start[c] + k], n_corners = g->corner[at];
    const bool fresh = number[f] == 0;
    if (fresh) {
      number[f] = ++*n;
      for (LocalId i = 0; i <= n_corners && polygons != NULL; i++)
        polygons[*used + i] = g->corner[at + i] + (i > 0);
      *used += n_corners + 1;
    }
    if (polyhedra != NULL)
      polyhedra[p->n_corners[PIECE_POLYHEDRON] + 1 + k] = fresh ? number[f] : -number[f];
    at += n_corners + 1;
  }
  p->n[PIECE_POLYHEDRON]++;
  p->n_corners[PIECE_POLYHEDRON] += n_faces + 1;
}

/* Count the elements of each type, or put them where `corner` is given. */
static PetscErrorCode walk_cells(const NearGrid *g, FieldPiece *p, int *const start[])
{
  PetscFunctionBeginUser;
  int *number;
  PetscCall(PetscCalloc1(g->n_faces, &number));
  PetscCall(PetscArrayzero(p->n, PIECE_TYPES));
  PetscCall(PetscArrayzero(p->n_corners, PIECE_TYPES));
  for (LocalId c = 0; c < g->n_own; c++) {
    const PieceType t = type_of_kind[g->kind[c]];
    if (t == PIECE_POLYHEDRON) {
      add_polygons(g, c, number, p, start != NULL ? start[PIECE_POLYGON] : NULL,
                   start != NULL ? start[PIECE_POLYHEDRON] : NULL);
      continue;
    }
    for (LocalId i = g->corner_start[c]; i < g->corner_start[c + 1]; i++) {
      if (start != NULL) start[t][p->n_corners[t]] = g->corner[i] + 1;
      p->n_corners[t]++;
    }
    p->n[t]++;
  }
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for the corners that were counted, and where those of each type begin. */
static PetscErrorCode make_room(FieldPiece *p, int *start[PIECE_TYPES])
{
  PetscFunctionBeginUser;
  int total = 0;
  for (int t = 0; t < PIECE_TYPES; t++) total += p->n_corners[t];
  PetscCall(PetscMalloc1(total, &p->corner));
  total = 0;
  for (int t = 0; t < PIECE_TYPES; t++) {
    start[t] = p->corner + total;
    total += p->n_corners[t];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void field_near_values(const FieldGrid *grid, LocalId c, double value[PIECE_VALUES])
{
  const double *w = near_flow_arrays(grid->flow)->cell + NEAR_CELL * c;
  const Units *u = grid->units;
  const Gas *gas = near_flow_gas(grid->flow);
  const Primitive state = {w[0], {w[1], w[2], w[3]}, w[4]};
  value[0] = w[0] * u->density;
  for (int k = 1; k <= 3; k++) value[k] = w[k] * u->speed;
  value[4] = w[4] * u->pressure;
  value[5] = gas_temperature(gas, state) * u->temperature;
  value[6] = vec3_norm(state.u) / gas_sound(gas, state);
  const uint8_t *states = near_flow_arrays(grid->flow)->state;
  value[7] = states == NULL ? STATE_FIELD : states[c];
}

/* Values in the order in which elements are written: by type. */
static PetscErrorCode put_cell_values(const FieldGrid *grid, FieldPiece *p)
{
  PetscFunctionBeginUser;
  const NearGrid *g = near_flow_grid(grid->flow);
  p->n_elements = g->n_own;
  PetscCall(PetscMalloc1(PIECE_VALUES * g->n_own, &p->value));
  int n = 0;
  for (int t = 0; t < PIECE_TYPES; t++)
    for (LocalId c = 0; c < g->n_own; c++) {
      if ((int)type_of_kind[g->kind[c]] != t) continue;
      double value[PIECE_VALUES];
      field_near_values(grid, c, value);
      for (int k = 0; k < PIECE_VALUES; k++) p->value[k * g->n_own + n] = value[k];
      n++;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With turbulence: the level (there is one) and the rank, as in a forest, then nu_tilde and the
 * viscosity it makes. */
static PetscErrorCode add_turbulence(const FieldGrid *grid, FieldPiece *p)
{
  PetscFunctionBeginUser;
  const NearSa *sa = near_flow_sa(grid->flow);
  const NearGrid *g = near_flow_grid(grid->flow);
  const double speed = grid->units->speed * grid->units->length;
  int rank, n = 0;
  if (sa == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(g->comm, &rank));
  p->n_values = TURBULENT_VALUES;
  PetscCall(PetscRealloc(sizeof(double) * TURBULENT_VALUES * (size_t)g->n_own, &p->value));
  for (int t = 0; t < PIECE_TYPES; t++)
    for (LocalId c = 0; c < g->n_own; c++) {
      if ((int)type_of_kind[g->kind[c]] != t) continue;
      const double value[] = {0.0, rank, sa->nu_tilde[c] * speed,
                              sa->eddy[c] * speed * grid->units->density};
      for (int k = PIECE_VALUES; k < TURBULENT_VALUES; k++)
        p->value[(size_t)k * (size_t)g->n_own + (size_t)n] = value[k - PIECE_VALUES];
      n++;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldPieceCells(const FieldGrid *grid, FieldPiece *p)
{
  PetscFunctionBeginUser;
  const NearGrid *g = near_flow_grid(grid->flow);
  int *start[PIECE_TYPES];
  *p = (FieldPiece){.n_values = PIECE_VALUES};
  PetscCall(put_vertices(grid, p));
  PetscCall(walk_cells(g, p, NULL));
  PetscCall(make_room(p, start));
  PetscCall(walk_cells(g, p, start));
  PetscCall(put_cell_values(grid, p));
  PetscCall(add_turbulence(grid, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void wall_values(const FieldGrid *grid, LocalId f, double value[PIECE_VALUES])
{
  const NearArrays *a = near_flow_arrays(grid->flow);
  const Primitive *stream = near_flow_stream(grid->flow);
  const double *skin = a->skin + NEAR_SKIN * (size_t)(f - a->n_interior);
  const Vec3 s = quat_rotate(grid->pose.q, vec3(a->sx[f], a->sy[f], a->sz[f]));
  const double area = vec3_norm(s), moving = 0.5 * stream->rho * vec3_norm2(stream->u);
  value[0] = skin[0] * grid->units->pressure;
  value[1] = (skin[0] - stream->p) / (moving > 0.0 ? moving : 0.5 * stream->rho);
  for (int k = 0; k < 3; k++) value[2 + k] = skin[1 + k] / area * grid->units->pressure;
  /* Faces point out of the air; the normal of a body points into it. */
  for (int k = 0; k < 3; k++) value[5 + k] = -vec3_at(s, k) / area;
}

static PieceType type_of_ring(int n)
{
  return n == 3 ? PIECE_TRIANGLE : n == 4 ? PIECE_QUAD : PIECE_POLYGON;
}

static bool is_wall(BoundaryKind kind)
{
  return kind == BOUNDARY_WALL || kind == BOUNDARY_SLIP;
}

/* Count the faces of walls of a type, or put their corners and values. */
static void walk_walls(const FieldGrid *grid, PieceType type, FieldPiece *p, int *corner,
                       double *value)
{
  const NearGrid *g = near_flow_grid(grid->flow);
  for (int k = 0; k < g->n_patches; k++) {
    if (!is_wall(grid->kind[k])) continue;
    for (LocalId f = g->patch[k].first_face; f < g->patch[k].first_face + g->patch[k].n_faces;
         f++) {
      const LocalId *ring = g->ring + g->ring_start[f - g->n_interior];
      const int n = g->ring_start[f - g->n_interior + 1] - g->ring_start[f - g->n_interior];
      if (type_of_ring(n) != type) continue;
      int *to = corner != NULL ? corner + p->n_corners[type] : NULL;
      if (to != NULL && type == PIECE_POLYGON) *to++ = n;
      for (int i = 0; i < n && to != NULL; i++) to[i] = ring[n - 1 - i] + 1;
      double values[PIECE_VALUES];
      wall_values(grid, f, values);
      for (int i = 0; i < PIECE_VALUES && value != NULL; i++)
        value[i * p->n_elements + p->n[type]] = values[i];
      p->n_corners[type] += n + (type == PIECE_POLYGON);
      p->n[type]++;
    }
  }
}

PetscErrorCode FieldPieceWalls(const FieldGrid *grid, FieldPiece *p)
{
  PetscFunctionBeginUser;
  *p = (FieldPiece){.flat = true, .n_values = PIECE_VALUES};
  PetscCall(put_vertices(grid, p));
  for (int t = PIECE_TRIANGLE; t <= PIECE_POLYGON; t++) {
    walk_walls(grid, (PieceType)t, p, NULL, NULL);
    p->n_elements += p->n[t];
  }
  int *start[PIECE_TYPES], before = 0;
  PetscCall(make_room(p, start));
  PetscCall(PetscMalloc1(PIECE_VALUES * p->n_elements, &p->value));
  for (int t = PIECE_TRIANGLE; t <= PIECE_POLYGON; t++) {
    p->n[t] = p->n_corners[t] = 0;
    walk_walls(grid, (PieceType)t, p, start[t], p->value + before);
    before += p->n[t];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldPieceDestroy(FieldPiece *p)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(p->x));
  PetscCall(PetscFree(p->corner));
  PetscCall(PetscFree(p->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { TAG_HEAD = 71, TAG_VERTEX, TAG_CORNER, TAG_VALUE, HEAD = 4 + 2 * PIECE_TYPES };

static int total_corners(const FieldPiece *p)
{
  int total = 0;
  for (int t = 0; t < PIECE_TYPES; t++) total += p->n_corners[t];
  return total;
}

PetscErrorCode FieldPieceSend(const FieldPiece *p, MPI_Comm comm)
{
  PetscFunctionBeginUser;
  int head[HEAD] = {p->flat, p->n_vertices, p->n_elements, p->n_values};
  for (int t = 0; t < PIECE_TYPES; t++) {
    head[4 + t] = p->n[t];
    head[4 + PIECE_TYPES + t] = p->n_corners[t];
  }
  PetscCallMPI(MPI_Send(head, HEAD, MPI_INT, 0, TAG_HEAD, comm));
  PetscCallMPI(MPI_Send(p->x, 3 * p->n_vertices, MPI_DOUBLE, 0, TAG_VERTEX, comm));
  PetscCallMPI(MPI_Send(p->corner, total_corners(p), MPI_INT, 0, TAG_CORNER, comm));
  PetscCallMPI(MPI_Send(p->value, p->n_values * p->n_elements, MPI_DOUBLE, 0, TAG_VALUE, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldPieceReceive(FieldPiece *p, MPI_Comm comm, int from)
{
  PetscFunctionBeginUser;
  int head[HEAD];
  MPI_Status status;
  PetscCallMPI(MPI_Recv(head, HEAD, MPI_INT, from, TAG_HEAD, comm, &status));
  *p = (FieldPiece){
      .flat = head[0], .n_vertices = head[1], .n_elements = head[2], .n_values = head[3]};
  for (int t = 0; t < PIECE_TYPES; t++) {
    p->n[t] = head[4 + t];
    p->n_corners[t] = head[4 + PIECE_TYPES + t];
  }
  PetscCall(PetscMalloc1(3 * p->n_vertices, &p->x));
  PetscCall(PetscMalloc1(total_corners(p), &p->corner));
  PetscCall(PetscMalloc1(p->n_values * p->n_elements, &p->value));
  PetscCallMPI(MPI_Recv(p->x, 3 * p->n_vertices, MPI_DOUBLE, from, TAG_VERTEX, comm, &status));
  PetscCallMPI(MPI_Recv(p->corner, total_corners(p), MPI_INT, from, TAG_CORNER, comm, &status));
  PetscCallMPI(
      MPI_Recv(p->value, p->n_values * p->n_elements, MPI_DOUBLE, from, TAG_VALUE, comm, &status));
  PetscFunctionReturn(PETSC_SUCCESS);
}
