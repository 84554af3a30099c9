/*
 * From what a case says to air that flows. The frame of a grid is that of its body, so a grid is
 * where its body is.
 */
#include "sim/air.h"

#include "grid/boundary_kind.h"
#include "grid/extruded_grid.h"
#include "io/file.h"
#include "io/grid_file.h"
#include "sim/air_couple.h"
#include "sim/air_forest.h"
#include "sim/air_gaps.h"
#include "sim/air_overset.h"
#include "sim/clock.h"
#include "sim/setup.h"
#include "sim/wall_height.h"

#include <string.h>

static BoundaryKind kind_of(const GridSpec *spec, const NearPatch *patch)
{
  PatchInput input = {.hint = patch->hint};
  memcpy(input.name, patch->name, sizeof input.name);
  return boundary_kind_of(spec, &input);
}

/* The names of all patches, for messages. */
static void list_patches(const NearGrid *grid, char text[], size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int p = 0; p < grid->n_patches && used < size; p++)
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", p > 0 ? ", " : "", grid->patch[p].name);
}

static PetscErrorCode complain_unknown(CaseFile *file, const char *path, const GridSpec *spec,
                                       const NearGrid *grid)
{
  PetscFunctionBeginUser;
  char all[512];
  list_patches(grid, all, sizeof all);
  for (int k = 0; k < BOUNDARY_KINDS; k++) {
    for (int i = 0; i < spec->boundaries[k].n; i++)
      if (near_grid_find_patch(grid, spec->boundaries[k].name[i]) < 0)
        PetscCall(CaseFileComplain(file, path, "the grid has no boundary '%s'; it has %s",
                                   spec->boundaries[k].name[i], all));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_kinds(CaseFile *file, const char *path, const GridSpec *spec,
                                 const NearGrid *grid, BoundaryKind kind[])
{
  PetscFunctionBeginUser;
  PetscCall(complain_unknown(file, path, spec, grid));
  for (int p = 0; p < grid->n_patches; p++) {
    const NearPatch *patch = &grid->patch[p];
    kind[p] = kind_of(spec, patch);
    if (kind[p] == BOUNDARY_KINDS && patch->n_faces_global == 0) kind[p] = BOUNDARY_FARFIELD;
    if (kind[p] == BOUNDARY_KINDS)
      PetscCall(CaseFileComplain(file, path, "says nothing of boundary '%s' of the grid",
                                 grid->patch[p].name));
    if (kind[p] == BOUNDARY_PERIODIC && patch->n_faces_global > 0)
      PetscCall(CaseFileComplain(file, path, "boundary '%s' has no periodic partner",
                                 grid->patch[p].name));
    if (kind[p] == BOUNDARY_OVERSET && !case_file_case(file)->off_body.given)
      PetscCall(CaseFileComplain(file, path,
                                 "boundary '%s' is of kind overset, which needs off_body",
                                 grid->patch[p].name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_grid(Air *s, const char *folder, const Shapes *shapes, int b, int g)
{
  PetscFunctionBeginUser;
  const Case *c = s->the_case;
  char path[PETSC_MAX_PATH_LEN];
  GridNotes notes = {0};
  PetscCall(FileJoin(folder, c->grids[b].file, path, sizeof path));
  const double scale = c->bodies[b].shape.scale;
  const GridFileSpec spec = {path, isnan(scale) ? 1.0 : scale, setup_center(c, shapes, b),
                             &c->grids[b]};
  PetscCall(GridFileRead(s->comm, &spec, &s->grid[g], &notes));
  for (int k = 0; k < notes.n; k++)
    PetscCall(PetscFPrintf(s->comm, stderr, "carom: %s\n", notes.line[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A body that brings no grid file has layers grown from its surface. */
static PetscErrorCode grow_grid(Air *s, CaseFile *file, const Shapes *shapes, int b, int g)
{
  PetscFunctionBeginUser;
  const GridSpec *asked = &s->the_case->grids[b];
  const double length = box_longest(shapes->shape[shapes->of_body[b]].surface->box);
  double first = asked->first;
  if (isnan(first)) first = wall_first_height(s->the_case, b, length);
  if (isnan(first)) {
    char key[64];
    PetscCall(PetscSNPrintf(key, sizeof key, "bodies[%d].grid.first", b));
    PetscCall(CaseFileComplain(file, key,
                               "auto needs air with friction that moves past the body, wanted a "
                               "height"));
    first = 1e-3 * length;
  }
  const ExtrudedGridSpec spec = {.name = s->the_case->bodies[b].name,
                                 .shape = &s->the_case->bodies[b].shape,
                                 .surface = shapes->shape[shapes->of_body[b]].surface,
                                 .layers = {asked->layers, first, asked->growth, NULL},
                                 .origin = setup_center(s->the_case, shapes, b)};
  PetscCall(ExtrudedGridCreate(s->comm, &spec, &s->grid[g], NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Boundaries of grown layers are what they are unless the case says otherwise. */
static void name_grown(const Case *c, int b, const NearGrid *grid, BoundaryKind kind[])
{
  const BoundaryKind wall = c->flow.equations == EQUATIONS_EULER ? BOUNDARY_SLIP : BOUNDARY_WALL;
  const BoundaryKind outer = c->off_body.given ? BOUNDARY_OVERSET : BOUNDARY_FARFIELD;
  for (int p = 0; p < grid->n_patches; p++) {
    BoundaryKind said;
    if (!boundary_is_named(&c->grids[b], grid->patch[p].name, &said))
      kind[p] = strcmp(grid->patch[p].name, "body") == 0 ? wall : outer;
  }
}

/* The grid of body b, into place g. */
static PetscErrorCode take_grid(Air *s, CaseFile *file, const char *folder, const Shapes *shapes,
                                int b, int g)
{
  PetscFunctionBeginUser;
  const Case *c = s->the_case;
  const bool grown = c->grids[b].file == NULL;
  char key[64];
  if (grown)
    PetscCall(grow_grid(s, file, shapes, b, g));
  else
    PetscCall(read_grid(s, folder, shapes, b, g));
  s->body[g] = b;
  PetscCall(PetscMalloc1(s->grid[g]->n_patches, &s->kind[g]));
  PetscCall(PetscSNPrintf(key, sizeof key, "bodies[%d].grid.boundaries", b));
  if (grown) {
    PetscCall(complain_unknown(file, key, &c->grids[b], s->grid[g]));
    for (int p = 0; p < s->grid[g]->n_patches; p++)
      s->kind[g][p] = kind_of(&c->grids[b], &s->grid[g]->patch[p]);
    name_grown(c, b, s->grid[g], s->kind[g]);
  } else {
    PetscCall(find_kinds(file, key, &c->grids[b], s->grid[g], s->kind[g]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_flow(Air *s)
{
  PetscFunctionBeginUser;
  double *temperature;
  PetscCall(PetscMalloc1(s->n, &temperature));
  for (int g = 0; g < s->n; g++) temperature[g] = s->the_case->grids[s->body[g]].wall_temperature;
  const FlowInput input = {&s->the_case->flow,
                           s->the_case->reference,
                           s->n,
                           s->grid,
                           (const BoundaryKind *const *)s->kind,
                           temperature,
                           s->the_case->off_body.given ? &s->the_case->off_body : NULL};
  PetscCall(FlowCreate(s->comm, &input, &s->flow));
  PetscCall(PetscFree(temperature));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Turbulence needs walls that the gas sticks to, or it is none of its business. */
static PetscErrorCode check_walls(const Air *s, CaseFile *file)
{
  PetscFunctionBeginUser;
  bool some = false;
  if (s->the_case->flow.equations != EQUATIONS_RANS || s->n == 0)
    PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n; g++)
    for (int p = 0; p < s->grid[g]->n_patches; p++) some = some || s->kind[g][p] == BOUNDARY_WALL;
  if (!some)
    PetscCall(CaseFileComplain(file, "flow.equations",
                               "rans needs a boundary of kind wall; the grids have none"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirCreate(MPI_Comm comm, CaseFile *file, const char *folder, const Shapes *shapes,
                         Air **air)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  Air *s = NULL;
  *air = NULL;
  if (!c->flow.given) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(&s));
  s->comm = comm;
  s->the_case = c;
  for (int b = 0; b < c->n_bodies; b++) s->n += c->grids[b].given;
  PetscCall(PetscCalloc5(s->n, &s->grid, s->n, &s->body, s->n, &s->kind, s->n, &s->motion, s->n,
                         &s->loads));
  PetscCall(PetscCalloc3(s->n, &s->pose, s->n, &s->near_state, s->n, &s->track));
  PetscCall(AirGapsCreate(comm, &s->gaps));
  int g = 0;
  for (int b = 0; b < c->n_bodies; b++)
    if (c->grids[b].given) PetscCall(take_grid(s, file, folder, shapes, b, g++));
  if (c->off_body.given) PetscCall(AirForestCheck(comm, file));
  PetscCall(check_walls(s, file));
  if (case_file_complaints(file) == 0) {
    PetscCall(make_flow(s));
    PetscCall(AirOversetCreate(s, shapes));
  }
  *air = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirDestroy(Air **air)
{
  PetscFunctionBeginUser;
  Air *s = *air;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HistoryDestroy(&s->history));
  PetscCall(FlowDestroy(&s->flow));
  PetscCall(OversetDestroy(&s->overset));
  PetscCall(AirGapsDestroy(&s->gaps));
  PetscCall(PetscFree(s->closed));
  PetscCall(PetscFree3(s->pose, s->near_state, s->track));
  for (int g = 0; g < s->n; g++) {
    PetscCall(NearGridDestroy(&s->grid[g]));
    PetscCall(PetscFree(s->kind[g]));
  }
  PetscCall(PetscFree5(s->grid, s->body, s->kind, s->motion, s->loads));
  PetscCall(PetscFree(*air));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Pose pose_of(const BodyState *state)
{
  return (Pose){state->x, state->q};
}

void air_place_grids(Air *s, const Bodies *bodies)
{
  for (int g = 0; g < s->n; g++) s->motion[g].start = pose_of(bodies_state(bodies, s->body[g]));
}

/* The model is integrated to the wall: first cells that reach out of the viscous layer make wrong
 * friction. Said once, from the loads of the start. */
static PetscErrorCode report_wall_units(const Air *s)
{
  PetscFunctionBeginUser;
  const double most = 5.0;
  if (s->the_case->flow.equations != EQUATIONS_RANS) PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n; g++) {
    const char *name = s->the_case->bodies[s->body[g]].name;
    NearWallUnits y;
    PetscCall(NearFlowWallUnits(flow_grid(s->flow, g), &y));
    if (isnan(y.mean)) continue;
    PetscCall(PetscPrintf(s->comm, "y+ on %s: min %.3g, mean %.3g, max %.3g\n", name, y.least,
                          y.mean, y.most));
    if (y.most > most)
      PetscCall(
          PetscFPrintf(s->comm, stderr,
                       "carom: warning: y+ on %s is up to %.3g (mean %.3g), wanted about 1 and "
                       "at most %g: friction is not to be trusted\n",
                       name, y.most, y.mean, most));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode settle(Air *s)
{
  PetscFunctionBeginUser;
  PetscCall(FlowSettle(s->flow, s->motion, &s->verdict));
  PetscCheck(s->verdict.sound, s->comm, CAROM_ERR_DIVERGED,
             "steady_start: no sound flow was found after %d Newton steps", s->verdict.inner);
  PetscCall(PetscPrintf(s->comm, "steady start: residual %.3g of the first, %d Newton steps\n",
                        s->verdict.residual, s->verdict.inner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How long the forest must do before it is looked at again. */
static double time_ahead(const Air *s)
{
  return s->the_case->off_body.adapt.every * s->the_case->time.step;
}

PetscErrorCode AirFill(Air *s, const Bodies *bodies)
{
  PetscFunctionBeginUser;
  ForestBall *ball;
  air_place_grids(s, bodies);
  PetscCall(PetscMalloc1(s->n, &ball));
  const int n_balls = air_balls(s, bodies, time_ahead(s), ball);
  for (int g = 0; g < s->n; g++) s->pose[g] = s->motion[g].start;
  PetscCall(FlowInitialise(s->flow, s->pose, n_balls, ball));
  PetscCall(PetscFree(ball));
  PetscCall(AirReconnect(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Loads at time t, at which the flow is. The walls move as the bodies do then: within a step the
 * flow has seen their mean velocity, and pressure follows that of a wall at once (p' = rho c u'),
 * so loads that went with the mean would be half a step late.
 */
static PetscErrorCode find_loads(Air *s, Bodies *bodies, double t)
{
  PetscFunctionBeginUser;
  const double began = clock_now();
  for (int g = 0; g < s->n; g++) {
    const BodyState state = t > bodies_time(bodies) ? bodies_at(bodies, s->body[g], t)
                                                    : *bodies_state(bodies, s->body[g]);
    const Vec3 spin = body_spin(bodies_body(bodies, s->body[g]), &state);
    s->motion[g].start = pose_of(&state);
    s->motion[g].twist =
        (Screw){quat_rotate_back(state.q, state.v), quat_rotate_back(state.q, spin)};
  }
  PetscCall(FlowLoads(s->flow, s->motion, s->loads));
  PetscCall(AirCloseGaps(s));
  PetscCall(AirForgetAway(s));
  s->seconds += clock_now() - began;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirStart(Air *s, const char *folder, Bodies *bodies)
{
  PetscFunctionBeginUser;
  FlowSummary summary;
  PetscCall(AirFill(s, bodies));
  if (s->the_case->flow.initial == INITIAL_CHECKPOINT) {
    char path[PETSC_MAX_PATH_LEN];
    PetscCall(FileJoin(folder, s->the_case->flow.initial_directory, path, sizeof path));
    PetscCall(AirTakeState(s, path));
    PetscCall(AirReconnect(s));
  }
  if (s->the_case->flow.steady_start.given) PetscCall(settle(s));
  PetscCall(FlowSummarise(s->flow, &summary));
  s->first_mass = summary.range.mass;
  PetscCall(find_loads(s, bodies, bodies_time(bodies)));
  air_track_start(s);
  air_tell(s, bodies);
  PetscCall(report_wall_units(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each body moves by one twist from where it is to where it will be. */
static void set_motion(Air *s, Bodies *bodies, double t_end)
{
  const double dt = t_end - bodies_time(bodies);
  for (int g = 0; g < s->n; g++) {
    const BodyState end = bodies_at(bodies, s->body[g], t_end);
    const Pose start = pose_of(bodies_state(bodies, s->body[g]));
    s->motion[g] = (GridMotion){start, screw_between(start, pose_of(&end), dt)};
    s->pose[g] = pose_of(&end);
  }
}

/* How far a grid may move in a step: by a cell of its fringe, of which others would not know in
 * time; a grid alone by half of itself. */
static double longest_move(const Air *s, int g)
{
  return s->overset != NULL ? overset_outer_cell(s->overset, g)
                            : 0.5 * box_longest(s->grid[g]->box);
}

static bool leaps(Air *s, double dt)
{
  for (int g = 0; g < s->n; g++) {
    const Vec3 center = box_center(s->grid[g]->box);
    const double radius = 0.5 * box_longest(s->grid[g]->box);
    const Screw twist = s->motion[g].twist;
    const Vec3 at_center = vec3_add(twist.v, vec3_cross(twist.w, center));
    const double speed = vec3_norm(at_center) + radius * vec3_norm(twist.w);
    if (!(speed * dt <= longest_move(s, g))) return true;
  }
  return false;
}

static PetscErrorCode flow(Air *s, double dt, bool *sound)
{
  PetscFunctionBeginUser;
  const double began = clock_now();
  PetscCall(FlowAdvance(s->flow, s->motion, dt, &s->verdict));
  s->inner += s->verdict.inner;
  s->linear += s->verdict.linear;
  *sound = s->verdict.sound;
  if (!*sound) s->trouble = "the flow found no sound state";
  s->seconds += clock_now() - began;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirAdvance(Air *s, Bodies *bodies, double t_end, bool *sound)
{
  PetscFunctionBeginUser;
  const double dt = t_end - bodies_time(bodies);
  set_motion(s, bodies, t_end);
  *sound = !leaps(s, dt);
  s->trouble = "a body moves too far for its grid";
  if (*sound) PetscCall(AirConnect(s, s->pose));
  if (*sound) PetscCall(flow(s, dt, sound));
  if (*sound) PetscCall(find_loads(s, bodies, t_end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirAdapt(Air *s, const Bodies *bodies, int64_t step)
{
  PetscFunctionBeginUser;
  const OffBodySpec *spec = &s->the_case->off_body;
  const bool wanted = spec->adapt.given || s->overset != NULL;
  bool changed = false;
  if (!spec->given || !wanted || step % spec->adapt.every != 0) PetscFunctionReturn(PETSC_SUCCESS);
  ForestBall *ball;
  PetscCall(PetscMalloc1(s->n, &ball));
  const int n_balls = air_balls(s, bodies, time_ahead(s), ball);
  PetscCall(FlowAdapt(s->flow, time_ahead(s), n_balls, ball, &changed));
  PetscCall(PetscFree(ball));
  if (changed) PetscCall(AirReconnect(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}
