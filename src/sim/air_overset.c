#include "sim/air_overset.h"

#include "sim/clock.h"
#include "sim/setup.h"

#include <math.h>
#include <string.h>

/* Fine cells reach this many of them beyond a grid, so that levels meet away from its fringe. */
static const double margin_cells = 6.0;

/* Bodies that overset.priority names come first, in its order. */
static int priority_of(const Case *c, int b)
{
  const NameList *list = &c->overset.priority;
  for (int k = 0; k < list->n; k++)
    if (strcmp(list->name[k], c->bodies[b].name) == 0) return k;
  return list->n;
}

PetscErrorCode AirOversetCreate(Air *s, const Shapes *shapes)
{
  PetscFunctionBeginUser;
  const Case *c = s->the_case;
  if (s->n == 0 || !c->off_body.given) PetscFunctionReturn(PETSC_SUCCESS);
  OversetGrid *grid;
  PetscCall(PetscMalloc1(s->n, &grid));
  for (int g = 0; g < s->n; g++) {
    const Shape *shape = &shapes->shape[shapes->of_body[s->body[g]]];
    grid[g] = (OversetGrid){.grid = s->grid[g],
                            .kind = s->kind[g],
                            .body = s->body[g],
                            .priority = priority_of(c, s->body[g]),
                            .xray = shape->xray,
                            .center = setup_center(c, shapes, s->body[g])};
  }
  const int reach = c->off_body.order == 5 ? 3 : 2;
  const OversetInput input = {&c->overset, s->n, grid, c->off_body.patch,
                              c->overset.fringe > 0 ? c->overset.fringe : reach};
  PetscCall(OversetCreate(s->comm, &input, &s->overset));
  PetscCall(PetscCalloc1(s->n, &s->closed));
  PetscCall(PetscFree(grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The level whose cells are no larger than about those at the edge of a grid. */
static int level_for(const OffBodySpec *spec, double cell)
{
  const double wanted = ceil(log2(spec->spacing / cell) - 0.3);
  const double level = wanted < spec->levels - 1 ? wanted : spec->levels - 1;
  return level > 0.0 ? (int)level : 0;
}

int air_balls(const Air *s, const Bodies *bodies, double ahead, ForestBall ball[])
{
  const OffBodySpec *spec = &s->the_case->off_body;
  if (s->overset == NULL) return 0;
  for (int g = 0; g < s->n; g++) {
    const BodyState *state = bodies_state(bodies, s->body[g]);
    const int level = level_for(spec, overset_outer_cell(s->overset, g));
    const double h = ldexp(spec->spacing, -level);
    ball[g] = (ForestBall){
        .center = pose_to_world((Pose){state->x, state->q}, overset_ball(s->overset, g).center),
        .radius = overset_ball(s->overset, g).radius,
        .margin = margin_cells * h + vec3_norm(state->v) * ahead,
        .level = level};
  }
  return s->n;
}

static const char *place_name(const Air *s, int g)
{
  return g < 0 ? "off_body" : s->the_case->bodies[s->body[g]].name;
}

static PetscErrorCode refuse_orphans(const Air *s)
{
  PetscFunctionBeginUser;
  const OversetReport *r = &s->joined;
  const double share = (double)r->all.orphans / (double)(r->all.fringe > 0 ? r->all.fringe : 1);
  if (share <= s->the_case->overset.max_orphans) PetscFunctionReturn(PETSC_SUCCESS);
  SETERRQ(s->comm, CAROM_ERR_MESH,
          "%lld of %lld fringe cells have no donor, more than overset.max_orphans allows (%g); the "
          "first is in the grid of %s at (%g, %g, %g)",
          (long long)r->all.orphans, (long long)r->all.fringe, s->the_case->overset.max_orphans,
          place_name(s, r->orphan_grid), r->orphan_at.x, r->orphan_at.y, r->orphan_at.z);
}

/* A gap that closes or opens is told once. */
static PetscErrorCode tell_gaps(Air *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n; g++) {
    int by;
    const GlobalId closed = overset_closed(s->overset, g, &by);
    const bool was = s->closed[g];
    s->closed[g] = closed > 0;
    if (s->closed[g] == was) continue;
    if (was)
      PetscCall(
          PetscPrintf(s->comm, "the gap at the wall of %s is open again\n", place_name(s, g)));
    else
      PetscCall(PetscPrintf(s->comm, "the gap between %s and %s is closed over %lld wall cells\n",
                            place_name(s, g), by < 0 ? "another body" : place_name(s, by),
                            (long long)closed));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode hand_over(Air *s)
{
  PetscFunctionBeginUser;
  const Rows rows = overset_rows(s->overset);
  for (int g = 0; g < s->n; g++) s->near_state[g] = overset_near_states(s->overset, g);
  PetscCall(FlowSetOverset(s->flow, s->near_state, overset_off_states(s->overset), &rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirConnect(Air *s, const Pose pose[])
{
  PetscFunctionBeginUser;
  if (s->overset == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const double began = clock_now();
  PetscCall(OversetUpdate(s->overset, pose, off_body_forest(flow_off_body(s->flow)), &s->joined));
  PetscCall(refuse_orphans(s));
  PetscCall(tell_gaps(s));
  PetscCall(hand_over(s));
  s->seconds_overset += clock_now() - began;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirReconnect(Air *s)
{
  PetscFunctionBeginUser;
  if (s->overset == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  overset_forget_forest(s->overset);
  for (int g = 0; g < s->n; g++) s->pose[g] = s->motion[g].start;
  PetscCall(AirConnect(s, s->pose));
  overset_accept(s->overset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirForgetAway(Air *s)
{
  PetscFunctionBeginUser;
  if (s->overset == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const Box box = forest_domain_of(off_body_forest(flow_off_body(s->flow)))->box;
  for (int g = 0; g < s->n; g++) {
    const bool away = !box_contains(box, s->motion[g].start.x);
    if (away && !s->track[g].away)
      PetscCall(PetscPrintf(s->comm, "%s leaves the box of off_body and goes on without air\n",
                            place_name(s, g)));
    s->track[g].away = away;
    if (away) s->loads[g] = (GridLoads){.pressure_force = {0, 0, 0}};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void describe_count(FILE *out, const char *name, const OversetCount *n)
{
  fprintf(out, "  %-16s %10lld field %10lld fringe %10lld hole %8lld orphans\n", name,
          (long long)n->field, (long long)n->fringe, (long long)n->hole, (long long)n->orphans);
}

/* What receivers get, from the best to none. */
static void describe_donors(FILE *out, const OversetReport *r)
{
  static const char *const text[OVERSET_QUALITIES] = {"at third order",
                                                      "at second order",
                                                      "the mean of what is computed",
                                                      "in a closed gap",
                                                      "orphans: all is left out there",
                                                      "orphans: no grid is there"};
  for (int k = 0; k < OVERSET_QUALITIES; k++)
    if (r->quality[k] > 0)
      fprintf(out, "  %10lld fringe cells %s %s\n", (long long)r->quality[k],
              k < 3 ? "receive" : "are", text[k]);
}

static void describe_gaps(const Air *s, FILE *out)
{
  for (int g = 0; g < s->n; g++) {
    int by;
    const GlobalId closed = overset_closed(s->overset, g, &by);
    if (closed > 0 && by >= 0)
      fprintf(out, "  a gap under two cells is closed: %lld wall cells of %s, towards %s\n",
              (long long)closed, place_name(s, g), place_name(s, by));
  }
}

PetscErrorCode AirOversetDescribe(const Air *s, FILE *out)
{
  PetscFunctionBeginUser;
  int rank;
  if (s->overset == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  size_t fixed = 0, fringe = 0;
  overset_memory(s->overset, &fixed, &fringe);
  double bytes[2] = {(double)fixed, (double)fringe};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_DOUBLE, MPI_SUM, s->comm));
  if (rank != 0) PetscFunctionReturn(PETSC_SUCCESS);
  const OversetReport *r = &s->joined;
  const double n = (double)(r->all.fringe > 0 ? r->all.fringe : 1);
  fprintf(out, "overset: %.3g s, %.3g MB and %.0f bytes per fringe cell\n", s->seconds_overset,
          1e-6 * bytes[0], bytes[1] / n);
  for (int g = 0; g < s->n; g++) {
    const OversetCount count = overset_near_count(s->overset, g);
    describe_count(out, place_name(s, g), &count);
  }
  describe_count(out, "off_body", &r->off);
  describe_donors(out, r);
  describe_gaps(s, out);
  if (r->has_orphan)
    fprintf(out, "  the first orphan is in the grid of %s at (%g, %g, %g)\n",
            place_name(s, r->orphan_grid), r->orphan_at.x, r->orphan_at.y, r->orphan_at.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}
