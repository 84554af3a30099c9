/*
 * Pressure on bodies: that of the nearest wall face at each vertex of the surface that is drawn.
 * Faces are where they were in the world, so they are taken back into the frame of the body. Which
 * face is nearest is found once, as long as a body's faces are the same in number.
 */
#include "io/file.h"
#include "io/wall_file.h"
#include "report/results_impl.h"

#include <string.h>

enum { TIMES = 400 };
#define SKIN_VALUES 4e6 /* vertices times times, at most */
#define SKIN_WORK 2e9   /* vertices times faces that are compared, at most */

/* What is known of a body while files are read. */
typedef struct {
  int n_faces;      /* that `nearest` is for */
  int *nearest;     /* owned: the face of each vertex */
  double *pressure; /* owned: of the faces of all ranks */
  Vec3 *center;     /* owned, body axes from the shape's origin */
} SkinMap;

static const Surface *surface_of(const Results *r, int b)
{
  return r->file != NULL ? r->shapes.shape[r->shapes.of_body[b]].surface : NULL;
}

/* Where a body was: straight between frames. */
static Pose pose_at(const Results *r, int b, double t)
{
  const Frames *frames = &r->frames;
  int f = 0;
  while (f + 2 < frames->n && frames->time[f + 1] <= t) f++;
  const double *p = result_state(r, f, b), *q = result_state(r, f + (frames->n > 1), b);
  const double dt = frames->n > 1 ? frames->time[f + 1] - frames->time[f] : 0.0;
  const double s = dt > 0.0 ? fmin(fmax((t - frames->time[f]) / dt, 0.0), 1.0) : 0.0;
  double now[7], side = 0.0;
  for (int k = 3; k < 7; k++) side += p[k] * q[k];
  for (int k = 0; k < 7; k++) now[k] = p[k] + s * ((k >= 3 && side < 0.0 ? -q[k] : q[k]) - p[k]);
  return (Pose){vec3(now[0], now[1], now[2]), quat_unit((Quat){now[3], now[4], now[5], now[6]})};
}

/* The faces of a body, of all ranks. A long name is cut in the file. */
static PetscErrorCode take_faces(const Results *r, const WallFile *f, int b, SkinMap *map, int *n)
{
  PetscFunctionBeginUser;
  enum { KEPT = 20 };
  const Pose pose = pose_at(r, b, f->t);
  *n = 0;
  for (int z = 0; z < f->n; z++)
    if (strncmp(f->zone[z].name, r->body[b].name, KEPT) == 0) *n += f->zone[z].n;
  PetscCall(PetscFree(map->pressure));
  PetscCall(PetscFree(map->center));
  PetscCall(PetscMalloc1(*n, &map->pressure));
  PetscCall(PetscMalloc1(*n, &map->center));
  for (int z = 0, at = 0; z < f->n; z++) {
    const WallZone *zone = &f->zone[z];
    if (strncmp(zone->name, r->body[b].name, KEPT) != 0) continue;
    for (int i = 0; i < zone->n; i++, at++) {
      const double *x = zone->center + 3 * i;
      map->center[at] = vec3_add(pose_to_body(pose, vec3(x[0], x[1], x[2])), r->body[b].center);
      map->pressure[at] = zone->pressure[i];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_nearest(const Surface *s, int n, SkinMap *map)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(map->nearest));
  PetscCall(PetscMalloc1(s->n_vertices, &map->nearest));
  map->n_faces = n;
  for (int v = 0; v < s->n_vertices; v++) {
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
      const double d2 = vec3_norm2(vec3_sub(map->center[i], s->vertex[v]));
      if (d2 < least) least = d2, map->nearest[v] = i;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One body at one time; its vertices stay NaN where the file has no faces for it. */
static PetscErrorCode colour_body(const Results *r, const WallFile *f, int b, SkinMap *map,
                                  float value[])
{
  PetscFunctionBeginUser;
  const Surface *s = surface_of(r, b);
  int n = 0;
  for (int v = 0; v < s->n_vertices; v++) value[v] = NAN;
  PetscCall(take_faces(r, f, b, map, &n));
  if (n == 0 || (double)n * s->n_vertices > SKIN_WORK) PetscFunctionReturn(PETSC_SUCCESS);
  if (n != map->n_faces) PetscCall(find_nearest(s, n, map));
  for (int v = 0; v < s->n_vertices; v++) value[v] = (float)map->pressure[map->nearest[v]];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_one(Results *r, const char *folder, const char *name, SkinMap map[],
                               bool *good)
{
  PetscFunctionBeginUser;
  char inside[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];
  ResultSkin *skin = &r->skin;
  WallFile file = {0};
  PetscCall(FileJoin(folder, name, inside, sizeof inside));
  PetscCall(FileJoin(r->directory, inside, path, sizeof path));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  const PetscErrorCode code = WallFileRead(path, &file);
  PetscCall(PetscPopErrorHandler());
  *good = code == PETSC_SUCCESS;
  if (!*good || file.n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  float *value = skin->value + (size_t)skin->n * skin->n_vertices;
  for (int b = 0; b < r->n_bodies; b++) {
    if (skin->first[b] < 0) continue;
    PetscCall(colour_body(r, &file, b, &map[b], value + skin->first[b]));
  }
  skin->time[skin->n++] = file.t;
  PetscCall(WallFileDestroy(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that bring a grid have walls in the air. */
static PetscErrorCode number_vertices(Results *r)
{
  PetscFunctionBeginUser;
  const Case *c = result_case(r);
  ResultSkin *skin = &r->skin;
  PetscCall(PetscMalloc1(r->n_bodies + 1, &skin->first));
  for (int b = 0; b < r->n_bodies; b++) {
    const bool has = c != NULL && c->flow.given && c->grids[b].given && surface_of(r, b) != NULL;
    skin->first[b] = has ? skin->n_vertices : -1;
    if (has) skin->n_vertices += surface_of(r, b)->n_vertices;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_maps(int n, SkinMap map[])
{
  PetscFunctionBeginUser;
  for (int b = 0; b < n; b++) {
    PetscCall(PetscFree(map[b].nearest));
    PetscCall(PetscFree(map[b].pressure));
    PetscCall(PetscFree(map[b].center));
  }
  PetscCall(PetscFree(map));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadSkin(Results *r)
{
  PetscFunctionBeginUser;
  const char *folder = "surfaces", **name = NULL;
  ResultSkin *skin = &r->skin;
  SkinMap *map;
  int n = 0, bad = 0;
  PetscCall(number_vertices(r));
  if (skin->n_vertices == 0 || r->frames.n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResultsList(r, folder, ".cgns", &n, &name));
  if (n == 0) {
    folder = "fields";
    PetscCall(PetscFree(name));
    PetscCall(ResultsList(r, folder, ".cgns", &n, &name));
  }
  const int most = (int)fmin(TIMES, fmax(SKIN_VALUES / skin->n_vertices, 2.0));
  const int every = (n + most - 1) / most;
  PetscCall(PetscMalloc1(most + 1, &skin->time));
  PetscCall(PetscMalloc1((size_t)(most + 1) * skin->n_vertices, &skin->value));
  PetscCall(PetscCalloc1(r->n_bodies, &map));
  for (int k = 0; k < n; k++) {
    bool good = true;
    if ((n - 1 - k) % every == 0) PetscCall(read_one(r, folder, name[k], map, &good));
    bad += !good;
  }
  PetscCall(free_maps(r->n_bodies, map));
  PetscCall(PetscFree(name));
  if (every > 1)
    PetscCall(ResultsNote(r, "pressure on bodies is thinned: %d of %d files", skin->n, n));
  if (bad > 0)
    PetscCall(ResultsNote(r, "%s: %d of the files cannot be read and are left out", folder, bad));
  PetscFunctionReturn(PETSC_SUCCESS);
}
