/*
 * How far is the off-body flow of a finished run from what it should be?
 * usage: off_body_error DIR [F.pgm [G.pgm]]       off_body_error DIR -from DIR2 HALF
 * The second form prints the mean difference of density of two runs on the same forest, without the
 * cube |x|, |y|, |z| < HALF.
 * Prints `cells error worst hash` and five totals: mean and greatest error of the density, of the
 * vortex (carried by the stream through a periodic box) or of Sod's tube, after the case's own
 * time; a hash of all values in the order of the forest; the sums of the conserved variables. F
 * shows the density in the lowest layer of cells, from least (black) to greatest, G the error from
 * 1e-9 to 1e-3 by its logarithm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "config/case.h"
#include "flow/freestream.h"
#include "flow/initial.h"
#include "grid/forest.h"
#include "io/checkpoint.h"
#include "io/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Gas on one side of the tube. */
typedef struct {
  double rho, p, c;
} Side;

/* Speed that a wave from pressure p.p to p gives, and its derivative (Toro 2009, section 4.2). */
static double wave(double p, Side s, double gamma, double *slope)
{
  if (p > s.p) {
    const double a = 2.0 / ((gamma + 1.0) * s.rho), b = (gamma - 1.0) / (gamma + 1.0) * s.p;
    const double root = sqrt(a / (p + b));
    *slope = root * (1.0 - 0.5 * (p - s.p) / (p + b));
    return (p - s.p) * root;
  }
  const double power = (gamma - 1.0) / (2.0 * gamma), ratio = p / s.p;
  *slope = pow(ratio, power - 1.0) * s.c * 2.0 / (gamma - 1.0) * power / s.p;
  return 2.0 * s.c / (gamma - 1.0) * (pow(ratio, power) - 1.0);
}

/* Density at x / t of a tube at rest whose left side has the higher pressure. */
static double tube(double xi, Side l, Side r, double gamma)
{
  double p = 0.5 * (l.p + r.p), dl = 0.0, dr = 0.0;
  for (int k = 0; k < 50; k++) {
    const double f = wave(p, l, gamma, &dl) + wave(p, r, gamma, &dr);
    p -= f / (dl + dr);
  }
  const double u = wave(p, r, gamma, &dr), q = (gamma - 1.0) / (gamma + 1.0);
  const double shock =
      r.c * sqrt((gamma + 1.0) / (2.0 * gamma) * p / r.p + (gamma - 1.0) / (2.0 * gamma));
  const double c_star = l.c - 0.5 * (gamma - 1.0) * u;
  if (xi > shock) return r.rho;
  if (xi > u) return r.rho * (p / r.p + q) / (q * p / r.p + 1.0);
  if (xi > u - c_star) return l.rho * pow(p / l.p, 1.0 / gamma);
  if (xi > -l.c) return l.rho * pow(2.0 / (gamma + 1.0) - q * xi / l.c, 2.0 / (gamma - 1.0));
  return l.rho;
}

static double exact_density(const Case *c, const Initial *initial, Vec3 x, double t)
{
  const double gamma = initial->gamma;
  if (initial->kind == INITIAL_SOD) {
    const Side l = {initial->stream.rho, initial->stream.p, 1.0};
    const Side r = {0.125 * l.rho, 0.1 * l.p, sqrt(gamma * 0.1 * l.p / (0.125 * l.rho))};
    return tube((x.x - initial->center.x) / t, l, r, gamma);
  }
  const Box box = c->off_body.box;
  double at[3];
  for (int i = 0; i < 3; i++) {
    const double lo = vec3_at(box.lo, i), length = vec3_at(box.hi, i) - lo;
    const double back = vec3_at(x, i) - t * vec3_at(initial->stream.u, i) - lo;
    at[i] = lo + back - length * floor(back / length);
  }
  return initial_at(initial, vec3(at[0], at[1], at[2])).rho;
}

/* A picture of the plane z = least, of the finest cells that a case allows. */
typedef struct {
  int width, height;
  double h;
  double *value[2]; /* density, error */
} Picture;

static PetscErrorCode PictureCreate(const OffBodySpec *spec, Picture *picture)
{
  PetscFunctionBeginUser;
  const double h = ldexp(spec->spacing, 1 - spec->levels);
  const Vec3 size = vec3_sub(spec->box.hi, spec->box.lo);
  *picture = (Picture){(int)lround(size.x / h), (int)lround(size.y / h), h, {NULL, NULL}};
  const size_t n = (size_t)picture->width * picture->height;
  PetscCall(PetscCalloc2(n, &picture->value[0], n, &picture->value[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Paint a cell of width h whose lower corner is at x, y from the lower corner of the box. */
static void paint(Picture *picture, double x, double y, double h, double rho, double error)
{
  const int x0 = (int)lround(x / picture->h), y0 = (int)lround(y / picture->h);
  const int n = (int)lround(h / picture->h);
  for (int j = y0; j < y0 + n && j < picture->height; j++)
    for (int i = x0; i < x0 + n && i < picture->width; i++) {
      picture->value[0][j * picture->width + i] = rho;
      picture->value[1][j * picture->width + i] = log10(fabs(error) + 1e-16);
    }
}

/* Black at lo, white at hi; the greatest y comes first. */
static PetscErrorCode WritePicture(const Picture *p, const double value[], double lo, double hi,
                                   const char *path)
{
  PetscFunctionBeginUser;
  FILE *out = fopen(path, "wb");
  PetscCheck(out != NULL, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "cannot write %s", path);
  fprintf(out, "P5\n%d %d\n255\n", p->width, p->height);
  for (int j = p->height - 1; j >= 0; j--)
    for (int i = 0; i < p->width; i++) {
      const double s = (value[j * p->width + i] - lo) / (hi - lo);
      fputc((int)(255.0 * (s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s)), out);
    }
  fclose(out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePictures(const Picture *p, const char *density, const char *error)
{
  PetscFunctionBeginUser;
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < p->width * p->height; i++) {
    lo = fmin(lo, p->value[0][i]);
    hi = fmax(hi, p->value[0][i]);
  }
  if (density != NULL) PetscCall(WritePicture(p, p->value[0], lo, hi, density));
  if (error != NULL) PetscCall(WritePicture(p, p->value[1], -9.0, -3.0, error));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sum the error over the patches of a checkpoint. */
static PetscErrorCode SumErrors(const Case *c, Checkpoint *file, Picture *picture)
{
  PetscFunctionBeginUser;
  const FreeStream stream = freestream_of(&c->flow, &c->reference);
  const Units units = units_of(&stream, 1.0);
  const Initial initial = {c->flow.initial, c->reference.point, c->reference.length,
                           c->flow.gas.gamma, freestream_primitive(&stream, &units)};
  const int n = c->off_body.patch, cells = n * n * n;
  int64_t total = 0;
  PetscCall(CheckpointGetSize(file, "forest", &total));
  int64_t *place = NULL;
  double *u = NULL, sum = 0.0, volume = 0.0, worst = 0.0;
  long double all[5] = {0};
  const int64_t patches = total / 4;
  PetscCall(PetscMalloc2(total, &place, patches * 5 * cells, &u));
  PetscCall(
      CheckpointGet(file, (CheckpointArray){"forest", CHECKPOINT_INT64, total, 0, total}, place));
  PetscCall(CheckpointGet(
      file,
      (CheckpointArray){"off_body", CHECKPOINT_DOUBLE, patches * 5 * cells, 0, patches * 5 * cells},
      u));
  for (int64_t i = 0; i < patches * cells; i++) {
    const int64_t *at = place + i / cells * 4;
    const int k = (int)(i % cells);
    const double h = ldexp(c->off_body.spacing, -(int)at[0]), edge = n * h;
    const Vec3 x = vec3_add(c->off_body.box.lo, vec3(at[1] * edge + (k % n + 0.5) * h,
                                                     at[2] * edge + (k / n % n + 0.5) * h,
                                                     at[3] * edge + (k / (n * n) + 0.5) * h));
    const double rho = exact_density(c, &initial, x, c->time.end * units.speed);
    const double found = u[i / cells * 5 * cells + k];
    const Vec3 low = vec3_sub(x, c->off_body.box.lo);
    if (low.z < h) paint(picture, low.x - 0.5 * h, low.y - 0.5 * h, h, found, found - rho);
    sum += h * h * h * fabs(found - rho);
    worst = fmax(worst, fabs(found - rho));
    for (int v = 0; v < 5; v++)
      all[v] += (long double)(h * h * h) * u[(i / cells * 5 + v) * cells + k];
    volume += h * h * h;
  }
  printf("%lld %.10e %.3e %016" PRIx64, (long long)(patches * cells), sum / volume, worst,
         hash_bytes(0, u, (size_t)(patches * cells) * 5 * sizeof *u));
  for (int v = 0; v < 5; v++) printf(" %.19Lg", all[v]);
  printf("\n");
  PetscCall(PetscFree2(place, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadArray(Checkpoint *file, const char *name, CheckpointType type, void *to)
{
  PetscFunctionBeginUser;
  int64_t total = 0;
  PetscCall(CheckpointGetSize(file, name, &total));
  PetscCall(CheckpointGet(file, (CheckpointArray){name, type, total, 0, total}, to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compare(const Case *c, Checkpoint *file, const char *directory, double half)
{
  PetscFunctionBeginUser;
  const int n = c->off_body.patch, cells = n * n * n;
  char path[PETSC_MAX_PATH_LEN];
  Checkpoint *other = NULL;
  int64_t total = 0, others = 0, *place = NULL;
  double *u = NULL, *w = NULL, sum = 0.0, volume = 0.0;
  PetscCall(FileJoin(directory, "checkpoint", path, sizeof path));
  PetscCall(CheckpointOpenNewest(PETSC_COMM_WORLD, path, &other));
  PetscCall(CheckpointGetSize(file, "off_body", &total));
  PetscCall(CheckpointGetSize(other, "off_body", &others));
  PetscCheck(total == others, PETSC_COMM_WORLD, PETSC_ERR_ARG_WRONG, "other forests");
  PetscCall(PetscMalloc3(total, &u, total, &w, total / 5 / cells * 4, &place));
  PetscCall(ReadArray(file, "forest", CHECKPOINT_INT64, place));
  PetscCall(ReadArray(file, "off_body", CHECKPOINT_DOUBLE, u));
  PetscCall(ReadArray(other, "off_body", CHECKPOINT_DOUBLE, w));
  for (int64_t i = 0; i < total / 5; i++) {
    const int64_t *at = place + i / cells * 4, value = i / cells * 5 * cells + i % cells;
    const int k = (int)(i % cells), cell[3] = {k % n, k / n % n, k / (n * n)};
    const double h = ldexp(c->off_body.spacing, -(int)at[0]);
    double far = 0.0;
    for (int d = 0; d < 3; d++)
      far = fmax(far, fabs(vec3_at(c->off_body.box.lo, d) + (at[1 + d] * n + cell[d] + 0.5) * h));
    if (far < half) continue;
    sum += h * h * h * fabs(u[value] - w[value]);
    volume += h * h * h;
  }
  printf("%.6e\n", sum / volume);
  PetscCall(PetscFree3(u, w, place));
  PetscCall(CheckpointClose(&other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  char path[PETSC_MAX_PATH_LEN], *text = NULL;
  size_t length = 0;
  CaseFile *the_case = NULL;
  Checkpoint *file = NULL;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCheck(argc >= 2 && argc <= 5, PETSC_COMM_WORLD, PETSC_ERR_ARG_WRONG,
             "usage: off_body_error DIR [F.pgm [G.pgm]]");
  PetscCall(FileJoin(argv[1], "case.yaml", path, sizeof path));
  PetscCall(FileReadUpTo(PETSC_COMM_WORLD, path, 1 << 20, &text, &length));
  PetscCall(CaseFileCreate(path, text, length, &the_case));
  PetscCall(FileJoin(argv[1], "checkpoint", path, sizeof path));
  PetscCall(CheckpointOpenNewest(PETSC_COMM_WORLD, path, &file));
  if (argc == 5) {
    PetscCall(Compare(case_file_case(the_case), file, argv[3], atof(argv[4])));
    PetscCall(CheckpointClose(&file));
    PetscCall(CaseFileDestroy(&the_case));
    PetscCall(PetscFree(text));
    PetscCall(PetscFinalize());
    return 0;
  }
  Picture picture;
  PetscCall(PictureCreate(&case_file_case(the_case)->off_body, &picture));
  PetscCall(SumErrors(case_file_case(the_case), file, &picture));
  PetscCall(WritePictures(&picture, argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL));
  PetscCall(PetscFree2(picture.value[0], picture.value[1]));
  PetscCall(CheckpointClose(&file));
  PetscCall(CaseFileDestroy(&the_case));
  PetscCall(PetscFree(text));
  PetscCall(PetscFinalize());
  return 0;
}
