/*
 * Making a forest: the brick, its refinement by boxes and balls, or from a list of places.
 */
#include "grid/forest.h"

#include "grid/forest_impl.h"

#include <p8est_bits.h>
#include <p8est_extended.h>
#include <sc.h>

#include <math.h>
#include <string.h>

ForestDomain forest_domain(const OffBodySpec *spec)
{
  ForestDomain d = {.box = spec->box, .spacing = spec->spacing};
  const double edge = spec->spacing * spec->patch;
  double hi[3];
  for (int i = 0; i < 3; i++) {
    const double lo = vec3_at(spec->box.lo, i), length = vec3_at(spec->box.hi, i) - lo;
    /* Rounding alone does not make another patch. */
    const double n = ceil(length / edge - 1e-9);
    d.n[i] = n < 1.0 ? 1 : (int)n;
    hi[i] = lo + d.n[i] * edge;
    if (hi[i] - lo > length * (1.0 + 1e-9)) d.grown = true;
  }
  d.box.hi = vec3(hi[0], hi[1], hi[2]);
  return d;
}

/* Patches of a level that a box cuts along one axis. */
static double count_along(double lo, double hi, double from, double edge, double most)
{
  const double first = floor((lo - from) / edge + 1e-9), last = ceil((hi - from) / edge - 1e-9);
  const double low = first < 0.0 ? 0.0 : first, high = last > most ? most : last;
  return high > low ? high - low : 0.0;
}

double forest_estimate(const OffBodySpec *spec)
{
  const ForestDomain d = forest_domain(spec);
  double total = (double)d.n[0] * d.n[1] * d.n[2];
  for (int k = 0; k < spec->n_refine; k++) {
    const RefineSpec *box = &spec->refine[k];
    for (int level = 1; level <= box->level; level++) {
      /* Parents that are cut become eight each. */
      const double edge = ldexp(spec->spacing * spec->patch, 1 - level);
      double cut = 1.0;
      for (int i = 0; i < 3; i++)
        cut *= count_along(vec3_at(box->min, i), vec3_at(box->max, i), vec3_at(d.box.lo, i), edge,
                           ldexp(d.n[i], level - 1));
      total += 7.0 * cut;
    }
  }
  return total;
}

double forest_spacing(const Forest *forest, int level)
{
  return ldexp(forest->domain.spacing, -level);
}

Vec3 forest_corner(const Forest *forest, PatchPlace place)
{
  const double edge = forest->spec.patch * forest_spacing(forest, place.level);
  const Vec3 lo = forest->domain.box.lo;
  return vec3(lo.x + place.index[0] * edge, lo.y + place.index[1] * edge,
              lo.z + place.index[2] * edge);
}

PatchPlace forest_place(const Forest *forest, p4est_topidx_t tree, const p8est_quadrant_t *q)
{
  /* The first corner of a tree of a brick has whole numbers for coordinates. */
  const p8est_connectivity_t *c = forest->connectivity;
  const double *at = c->vertices + 3 * c->tree_to_vertex[P8EST_CHILDREN * tree];
  const int down = P8EST_MAXLEVEL - q->level;
  return (PatchPlace){.level = q->level - forest->base,
                      .index = {((int32_t)at[0] << q->level) + (q->x >> down),
                                ((int32_t)at[1] << q->level) + (q->y >> down),
                                ((int32_t)at[2] << q->level) + (q->z >> down)}};
}

/* Distance of a point from a box. */
static double distance_from(Box box, Vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < 3; i++) {
    const double lo = vec3_at(box.lo, i) - vec3_at(p, i), hi = vec3_at(p, i) - vec3_at(box.hi, i);
    const double d = lo > hi ? lo : hi;
    if (d > 0.0) sum += d * d;
  }
  return sqrt(sum);
}

int forest_level_asked(const Forest *forest, PatchPlace place)
{
  const double edge = forest->spec.patch * forest_spacing(forest, place.level);
  const Vec3 lo = forest_corner(forest, place);
  const Box box = {lo, vec3_add(lo, vec3(edge, edge, edge))};
  const double touch = 1e-9 * edge;
  int asked = 0;
  for (int k = 0; k < forest->spec.n_refine; k++) {
    const RefineSpec *r = &forest->spec.refine[k];
    /* Boxes that only touch do not count. */
    if (r->level > asked && box_overlaps(box_grow(box, -touch), (Box){r->min, r->max}))
      asked = r->level;
  }
  for (int k = 0; k < forest->n_balls; k++) {
    const ForestBall *b = &forest->ball[k];
    if (b->level > asked && distance_from(box, b->center) < b->radius + b->margin) asked = b->level;
  }
  return asked < forest->spec.levels ? asked : forest->spec.levels - 1;
}

static int refine_asked(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q)
{
  const Forest *forest = p8est->user_pointer;
  const PatchPlace place = forest_place(forest, tree, q);
  return place.level < forest_level_asked(forest, place);
}

/* The largest power of two that divides all three counts: so many levels fit under one tree, as
 * long as p4est has room for `above` more. */
static int common_levels(const int n[3], int above)
{
  int base = 0;
  while (base + above < P8EST_QMAXLEVEL && ((n[0] | n[1] | n[2]) >> base) % 2 == 0) base++;
  return base;
}

static PetscErrorCode CopySpec(Forest *f, const OffBodySpec *spec)
{
  PetscFunctionBeginUser;
  f->spec = *spec;
  PetscCall(PetscMalloc1(spec->n_refine, &f->spec.refine));
  PetscCall(PetscArraycpy(f->spec.refine, spec->refine, spec->n_refine));
  f->domain = forest_domain(spec);
  f->base = common_levels(f->domain.n, spec->levels - 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The brick numbers its trees along a curve of its own. */
static PetscErrorCode FindTrees(Forest *f)
{
  PetscFunctionBeginUser;
  const p8est_connectivity_t *c = f->connectivity;
  const int nx = f->domain.n[0] >> f->base, ny = f->domain.n[1] >> f->base;
  PetscCall(PetscMalloc1(c->num_trees, &f->tree_at));
  for (p4est_topidx_t t = 0; t < c->num_trees; t++) {
    const double *at = c->vertices + 3 * c->tree_to_vertex[P8EST_CHILDREN * t];
    f->tree_at[((int)at[2] * ny + (int)at[1]) * nx + (int)at[0]] = t;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A brick of patches of level 0 on all ranks. p4est aborts on errors: all is checked before. */
static PetscErrorCode CreateBrick(MPI_Comm comm, const OffBodySpec *spec, Forest **forest)
{
  PetscFunctionBeginUser;
  Forest *f = NULL;
  PetscCall(PetscNew(&f));
  f->comm = comm;
  PetscCallMPI(MPI_Comm_rank(comm, &f->rank));
  PetscCall(CopySpec(f, spec));
  if (sc_package_id < 0) sc_init(comm, 0, 0, NULL, SC_LP_ERROR);
  if (p4est_package_id < 0) p4est_init(NULL, SC_LP_ERROR);
  const int *n = f->domain.n, base = f->base;
  bool periodic[3];
  for (int i = 0; i < 3; i++) periodic[i] = spec->boundaries[2 * i] == BOUNDARY_PERIODIC;
  f->connectivity = p8est_connectivity_new_brick(n[0] >> base, n[1] >> base, n[2] >> base,
                                                 periodic[0], periodic[1], periodic[2]);
  PetscCall(FindTrees(f));
  f->p8est = p8est_new_ext(comm, f->connectivity, 0, base, 1, 0, NULL, f);
  *forest = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestCreate(MPI_Comm comm, const OffBodySpec *spec, int n_balls,
                            const ForestBall ball[], Forest **forest)
{
  PetscFunctionBeginUser;
  Forest *f = NULL;
  PetscCall(CreateBrick(comm, spec, &f));
  f->n_balls = n_balls;
  f->ball = ball;
  /* Level by level, so that no rank ends up with all of a box. */
  for (int level = 1; level < spec->levels; level++) {
    const p4est_gloidx_t before = f->p8est->global_num_quadrants;
    p8est_refine(f->p8est, 0, refine_asked, NULL);
    if (f->p8est->global_num_quadrants == before) break;
    p8est_partition_ext(f->p8est, 1, NULL);
  }
  p8est_balance(f->p8est, P8EST_CONNECT_FULL, NULL);
  p8est_partition_ext(f->p8est, 1, NULL);
  f->n_balls = 0;
  f->ball = NULL;
  PetscCall(ForestUpdate(f));
  *forest = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is place a inside place b, which is not finer? */
static bool place_within(PatchPlace a, PatchPlace b)
{
  const int down = a.level - b.level;
  if (down < 0) return false;
  for (int i = 0; i < 3; i++)
    if (a.index[i] >> down != b.index[i]) return false;
  return true;
}

static int refine_listed(p8est_t *p8est, p4est_topidx_t tree, p8est_quadrant_t *q)
{
  Forest *forest = p8est->user_pointer;
  const PatchPlace place = forest_place(forest, tree, q);
  /* Quadrants come in the order of the list: those before the present one are done with. */
  while (forest->n_listed > 0 && !place_within(*forest->listed, place)) {
    forest->n_listed--;
    forest->listed++;
  }
  return forest->n_listed > 0 && forest->listed->level > place.level;
}

PetscErrorCode ForestCreateFrom(MPI_Comm comm, const OffBodySpec *spec, GlobalId n,
                                const PatchPlace place[], Forest **forest)
{
  PetscFunctionBeginUser;
  Forest *f = NULL;
  PetscCall(CreateBrick(comm, spec, &f));
  f->n_listed = n;
  f->listed = place;
  p8est_refine(f->p8est, 1, refine_listed, NULL);
  f->n_listed = 0;
  f->listed = NULL;
  PetscCheck(f->p8est->global_num_quadrants == n, comm, CAROM_ERR_FILE,
             "%lld places do not make a forest", (long long)n);
  p8est_partition_ext(f->p8est, 1, NULL);
  PetscCall(ForestUpdate(f));
  *forest = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestDestroy(Forest **forest)
{
  PetscFunctionBeginUser;
  Forest *f = *forest;
  if (f == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  if (f->ghost != NULL) p8est_ghost_destroy(f->ghost);
  p8est_destroy(f->p8est);
  p8est_connectivity_destroy(f->connectivity);
  PetscCall(PetscFree(f->spec.refine));
  PetscCall(PetscFree(f->tree_at));
  PetscCall(PetscFree(f->place));
  PetscCall(PetscFree(f->link));
  PetscCall(PetscFree(*forest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

LocalId forest_n(const Forest *forest)
{
  return forest->n;
}

GlobalId forest_first(const Forest *forest)
{
  return forest->p8est->global_first_quadrant[forest->rank];
}

GlobalId forest_total(const Forest *forest)
{
  return forest->p8est->global_num_quadrants;
}

int forest_rank(const Forest *forest)
{
  return forest->rank;
}

MPI_Comm forest_comm(const Forest *forest)
{
  return forest->comm;
}

const ForestDomain *forest_domain_of(const Forest *forest)
{
  return &forest->domain;
}

const PatchPlace *forest_places(const Forest *forest)
{
  return forest->place;
}

const Link (*forest_links(const Forest *forest))[SIDES]
{
  return (const Link(*)[SIDES])forest->link;
}
