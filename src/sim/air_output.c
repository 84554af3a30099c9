/*
 * What the air leaves behind: rows of flow.csv, and fields.
 *
 * Coefficients are by the dynamic pressure of the free stream (that of the speed of sound where it
 * stands still) and the reference area: drag along the stream, lift up from it, side to the left;
 * moments about reference.point, in inertial axes, with the reference length.
 */
#include "io/field_file.h"
#include "io/file.h"
#include "sim/air.h"
#include "sim/air_forest.h"
#include "sim/air_overset.h"
#include "sim/wall_height.h"

static const char heading[] =
    "step,time,inner,linear,residual,cells_field,cells_fringe,cells_hole,orphans,density_min,"
    "density_max,pressure_min,pressure_max,mass,mass_defect,fallbacks,seconds_flow,passes,"
    "disagreement,faces_closed";
static const char *const body_columns[] = {"cd",  "cl",  "cs",          "cmx",
                                           "cmy", "cmz", "cd_friction", "cl_friction"};
enum { BODY_COLUMNS = sizeof body_columns / sizeof *body_columns };

/* Behind them in a turbulent flow: heights of the first cells in units of the wall. */
static const char *const wall_columns[] = {"yplus_min", "yplus_mean", "yplus_max"};
enum { WALL_COLUMNS = sizeof wall_columns / sizeof *wall_columns };

static bool is_turbulent(const Air *s)
{
  return s->the_case->flow.equations == EQUATIONS_RANS;
}

PetscErrorCode AirBeginHistory(Air *s, const char *directory)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], *line;
  const size_t size = sizeof heading + (size_t)s->n * (BODY_COLUMNS + WALL_COLUMNS) * 512;
  PetscCall(PetscMalloc1(size, &line));
  size_t used = (size_t)snprintf(line, size, "%s", heading);
  for (int g = 0; g < s->n; g++)
    for (int k = 0; k < BODY_COLUMNS; k++)
      used += (size_t)snprintf(line + used, size - used, ",%s_%s", body_columns[k],
                               s->the_case->bodies[s->body[g]].name);
  for (int g = 0; g < s->n && is_turbulent(s); g++)
    for (int k = 0; k < WALL_COLUMNS; k++)
      used += (size_t)snprintf(line + used, size - used, ",%s_%s", wall_columns[k],
                               s->the_case->bodies[s->body[g]].name);
  PetscCall(FileJoin(directory, "flow.csv", path, sizeof path));
  PetscCall(HistoryCreate(s->comm, path, line, &s->history));
  PetscCall(PetscFree(line));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirResumeHistory(Air *s, const char *directory, int64_t length)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  PetscCall(FileJoin(directory, "flow.csv", path, sizeof path));
  PetscCall(HistoryReopen(s->comm, path, length, &s->history));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit vectors of drag, side and lift. */
static void wind_axes(Vec3 velocity, Vec3 axis[3])
{
  axis[0] = vec3_norm(velocity) > 0.0 ? vec3_unit(velocity) : vec3(1, 0, 0);
  const Vec3 up = fabs(axis[0].z) < 0.999 ? vec3(0, 0, 1) : vec3(-1, 0, 0);
  axis[1] = vec3_unit(vec3_cross(up, axis[0]));
  axis[2] = vec3_cross(axis[0], axis[1]);
}

static void add_coefficients(Air *s, int g)
{
  const ReferenceSpec *reference = &s->the_case->reference;
  const FreeStream *stream = flow_stream(s->flow);
  const GridLoads *l = &s->loads[g];
  const double moving = vec3_norm(stream->velocity), speed = moving > 0.0 ? moving : stream->sound;
  const double per = 1.0 / (0.5 * stream->density * speed * speed * reference->area);
  Vec3 axis[3];
  wind_axes(stream->velocity, axis);
  const Vec3 force = vec3_add(l->pressure_force, l->friction_force);
  const Vec3 arm = vec3_sub(s->motion[g].start.x, reference->point);
  const Vec3 moment =
      vec3_scale(per / reference->length, vec3_add(vec3_add(l->pressure_moment, l->friction_moment),
                                                   vec3_cross(arm, force)));
  const double value[BODY_COLUMNS] = {per * vec3_dot(force, axis[0]),
                                      per * vec3_dot(force, axis[2]),
                                      per * vec3_dot(force, axis[1]),
                                      moment.x,
                                      moment.y,
                                      moment.z,
                                      per * vec3_dot(l->friction_force, axis[0]),
                                      per * vec3_dot(l->friction_force, axis[2])};
  for (int k = 0; k < BODY_COLUMNS; k++) history_printf(s->history, ",%.17g", value[k]);
}

PetscErrorCode AirAddRow(Air *s, int64_t step, double t)
{
  PetscFunctionBeginUser;
  FlowSummary now;
  PetscCall(FlowSummarise(s->flow, &now));
  const double defect = (now.range.mass + now.range.passed - s->first_mass) / s->first_mass;
  double closed = 0.0;
  for (int g = 0; g < s->n; g++) closed += s->track[g].closed;
  OversetCount cells = {.field = now.n_cells};
  if (s->overset != NULL) cells = s->joined.all;
  history_printf(s->history, "%lld,%.17g,%d,%d,%.17g,%lld,%lld,%lld,%lld,", (long long)step, t,
                 s->inner, s->linear, s->verdict.residual, (long long)cells.field,
                 (long long)cells.fringe, (long long)cells.hole, (long long)cells.orphans);
  history_printf(s->history, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.6f,%d,%.3g,%.0f",
                 now.range.rho_min, now.range.rho_max, now.range.p_min, now.range.p_max,
                 now.range.mass, defect, now.fallback_share, s->seconds, s->passes, s->disagreement,
                 closed);
  for (int g = 0; g < s->n; g++) add_coefficients(s, g);
  for (int g = 0; g < s->n && is_turbulent(s); g++) {
    NearWallUnits y;
    PetscCall(NearFlowWallUnits(flow_grid(s->flow, g), &y));
    history_printf(s->history, ",%.6g,%.6g,%.6g", y.least, y.mean, y.most);
  }
  history_add(s->history, "\n", 1);
  s->seconds = 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirWriteFields(Air *s, const char *directory, int64_t step, double t)
{
  PetscFunctionBeginUser;
  char folder[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN], name[32];
  PetscCall(FileJoin(directory, "fields", folder, sizeof folder));
  PetscCall(FileMakeDirectory(s->comm, folder));
  PetscCall(PetscSNPrintf(name, sizeof name, "step_%08lld.cgns", (long long)step));
  PetscCall(FileJoin(folder, name, path, sizeof path));
  FieldFile *file = NULL;
  PetscCall(FieldFileCreate(s->comm, path, t, &file));
  for (int g = 0; g < s->n; g++) {
    const FieldGrid grid = {s->the_case->bodies[s->body[g]].name, flow_grid(s->flow, g), s->kind[g],
                            s->motion[g].start, flow_units(s->flow)};
    PetscCall(FieldFileAdd(file, &grid));
  }
  if (flow_off_body(s->flow) != NULL) {
    const FieldForest forest = {"off_body", flow_off_body(s->flow), flow_units(s->flow),
                                s->the_case->flow.gas.gamma};
    PetscCall(FieldFileAddForest(file, &forest));
  }
  PetscCall(FieldFileClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *kind_name(BoundaryKind kind)
{
  static const char *const names[BOUNDARY_KINDS] = {
      "wall", "slip", "symmetry", "overset", "farfield", "supersonic_in", "out", "periodic"};
  return names[kind];
}

/* What y+ to expect of a turbulent run. */
static void describe_heights(const Air *s, int g, double height, double extent, FILE *out)
{
  const double per_length = wall_unit_per_length(s->the_case, s->body[g], extent);
  if (!is_turbulent(s) || !(height > 0.0) || isnan(per_length)) return;
  fprintf(out,
          "  centres of the first cells up to %.3g above walls of length %.3g: y+ about %.2g\n",
          height, extent, height * per_length);
  if (height * per_length > 5.0)
    fprintf(out, "  that is more than 5: wanted about 1, first cells %.2g high\n",
            2.0 / per_length);
}

PetscErrorCode AirDescribe(const Air *s, FILE *out)
{
  PetscFunctionBeginUser;
  int rank;
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  for (int g = 0; g < s->n; g++) {
    double bytes = (double)near_flow_memory(flow_grid(s->flow, g));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, s->comm));
    double height, extent;
    PetscCall(NearFlowWallExtent(flow_grid(s->flow, g), &height, &extent));
    if (rank != 0) continue;
    const NearGrid *grid = s->grid[g];
    fprintf(out, "grid of %s: %lld cells, %.3g MB for the flow;",
            s->the_case->bodies[s->body[g]].name, (long long)grid->n_global, bytes * 1e-6);
    for (int p = 0; p < grid->n_patches; p++)
      fprintf(out, " %s (%s)", grid->patch[p].name, kind_name(s->kind[g][p]));
    fprintf(out, "\n");
    describe_heights(s, g, height, extent, out);
  }
  if (flow_off_body(s->flow) != NULL) PetscCall(AirForestDescribe(s->flow, out));
  PetscCall(AirOversetDescribe(s, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}
