/*
 * Structured grids with simple shapes as CGNS files, for cases of the verification.
 *
 * usage: make_grid KIND FILE NI NJ NK [NUMBER...]
 *
 *   box    X0 X1 Y0 Y1 Z0 Z1      boundaries xmin, xmax, ymin, ymax, zmin, zmax
 *   plate  AHEAD LENGTH HEIGHT FIRST GROWTH [SHARE]
 *          a plate along x from 0 to LENGTH in the plane z = 0, one cell wide; cells grow away from
 *          it and from its leading edge; SHARE of the NI lie ahead of it (0.2). Boundaries ahead
 *          (symmetry), plate, inflow, outflow, top, sides
 *   cone   ANGLE LENGTH HEIGHT    a sector of two degrees about the x axis, apex at the origin
 *   wedge  ANGLE LENGTH HEIGHT    the same in the plane, one cell wide
 *   sphere RADIUS OUTER FIRST     a sector of four degrees about the x axis, from the nose round
 *   For these three: boundaries body, outer, sides; cone and wedge also inflow, outflow.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cgnslib.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 8 };

typedef struct {
  int n[3]; /* cells */
  double a[NUMBERS];
} Shape;

typedef void (*Place)(const Shape *shape, const double s[3], double x[3]);

static const double pi = 3.14159265358979323846;

static void stop(const char *what)
{
  fprintf(stderr, "make_grid: %s\n", what);
  exit(1);
}

/* Where part s of n cells ends that begin with `first` and grow evenly to fill `length`. */
static double grown(double s, int n, double first, double length)
{
  double lo = 1.0 + 1e-9, hi = 10.0;
  if (first * n >= length) return s * length;
  for (int k = 0; k < 200; k++) {
    const double q = 0.5 * (lo + hi);
    if (first * (pow(q, n) - 1.0) / (q - 1.0) > length)
      hi = q;
    else
      lo = q;
  }
  return first * (pow(lo, s * n) - 1.0) / (lo - 1.0);
}

static void place_box(const Shape *g, const double s[3], double x[3])
{
  for (int d = 0; d < 3; d++) x[d] = g->a[2 * d] + s[d] * (g->a[2 * d + 1] - g->a[2 * d]);
}

/* Cells ahead of a plate. */
static int cells_ahead(const Shape *g)
{
  const double share = g->a[5] > 0.0 ? g->a[5] : 0.2;
  return (int)(share * g->n[0] + 0.5);
}

/* i along the stream, j across, k up. */
static void place_plate(const Shape *g, const double s[3], double x[3])
{
  const double ahead = g->a[0], length = g->a[1], height = g->a[2], first = g->a[3];
  const double finest = g->a[4];
  const int before = cells_ahead(g), after = g->n[0] - before;
  const double i = s[0] * g->n[0];
  x[0] = i < before ? -grown((before - i) / before, before, finest, ahead)
                    : grown((i - before) / after, after, finest, length);
  x[1] = s[1] * 0.1;
  x[2] = grown(s[2], g->n[2], first, height);
}

/* A point at (axial, radial) turned by the angle of the sector. */
static void turn(double axial, double radial, double angle, double x[3])
{
  x[0] = axial;
  x[1] = radial * sin(angle);
  x[2] = radial * cos(angle);
}

static void place_cone(const Shape *g, const double s[3], double x[3])
{
  const double slope = tan(g->a[0] * pi / 180.0), length = g->a[1], height = g->a[2];
  const double from = 0.02 * length, axial = from + s[0] * (length - from);
  const double body = axial * slope, outer = axial * height;
  turn(axial, body + s[2] * (outer - body), (s[1] - 0.5) * pi / 90.0, x);
}

static void place_wedge(const Shape *g, const double s[3], double x[3])
{
  const double length = g->a[1], from = 0.02 * length;
  x[0] = from + s[0] * (length - from);
  x[1] = (s[1] - 0.5) * 0.1;
  x[2] = x[0] * (tan(g->a[0] * pi / 180.0) * (1.0 - s[2]) + g->a[2] * s[2]);
}

static void place_sphere(const Shape *g, const double s[3], double x[3])
{
  const double r = g->a[0] + grown(s[2], g->n[2], g->a[2], g->a[1] - g->a[0]);
  const double theta = pi * (1.0 - s[0]);
  const double sine = s[0] == 0.0 || s[0] == 1.0 ? 0.0 : sin(theta);
  turn(r * cos(theta), r * sine, (s[1] - 0.5) * pi / 45.0, x);
}

static void write_coordinates(int file, const Shape *g, Place place)
{
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const int ni = g->n[0] + 1, nj = g->n[1] + 1, nk = g->n[2] + 1;
  double *x = malloc(sizeof(double) * (size_t)ni * (size_t)nj * (size_t)nk);
  for (int d = 0; d < 3; d++) {
    int number;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++) {
          const double s[3] = {(double)i / g->n[0], (double)j / g->n[1], (double)k / g->n[2]};
          double p[3];
          place(g, s, p);
          x[((size_t)k * nj + j) * ni + i] = p[d];
        }
    if (cg_coord_write(file, 1, 1, CGNS_ENUMV(RealDouble), names[d], x, &number) != CG_OK)
      stop(cg_get_error());
  }
  free(x);
}

/* A boundary over part of a side: side 0 is imin, 1 imax, 2 jmin ... ; i from lo to hi of its own
 * cells where side is of j or k. */
static void write_boundary(int file, const Shape *g, const char *name, int side, int lo, int hi)
{
  cgsize_t range[6] = {1, 1, 1, g->n[0] + 1, g->n[1] + 1, g->n[2] + 1};
  int number;
  char label[33];
  if (side >= 2) range[0] = lo + 1, range[3] = hi + 1;
  const int d = side / 2;
  range[d] = range[3 + d] = side % 2 == 0 ? 1 : g->n[d] + 1;
  snprintf(label, sizeof label, "%s_%d", name, side);
  if (cg_boco_write(file, 1, 1, label, CGNS_ENUMV(FamilySpecified), CGNS_ENUMV(PointRange), 2,
                    range, &number) != CG_OK ||
      cg_goto(file, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", number, "end") != CG_OK ||
      cg_famname_write(name) != CG_OK)
    stop(cg_get_error());
}

static void write_family(int file, const char *name)
{
  int family;
  if (cg_family_write(file, 1, name, &family) != CG_OK) stop(cg_get_error());
}

static void write_boundaries(int file, const Shape *g, const char *kind)
{
  static const char *const box[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  static const char *const plate[] = {"inflow", "outflow", "sides", "sides", "", "top"};
  static const char *const cone[] = {"inflow", "outflow", "sides", "sides", "body", "outer"};
  static const char *const sphere[] = {"", "", "sides", "sides", "body", "outer"};
  const bool tip = strcmp(kind, "cone") == 0 || strcmp(kind, "wedge") == 0;
  const char *const *names = strcmp(kind, "box") == 0     ? box
                             : strcmp(kind, "plate") == 0 ? plate
                             : tip                        ? cone
                                                          : sphere;
  for (int side = 0; side < 6; side++) {
    if (names[side][0] == '\0') continue;
    if (side != 3 || strcmp(names[side], names[2]) != 0) write_family(file, names[side]);
    write_boundary(file, g, names[side], side, 0, g->n[0]);
  }
  if (names != plate) return;
  const int edge = cells_ahead(g);
  write_family(file, "ahead");
  write_family(file, "plate");
  write_boundary(file, g, "ahead", 4, 0, edge);
  write_boundary(file, g, "plate", 4, edge, g->n[0]);
}

static Place place_of(const char *kind)
{
  if (strcmp(kind, "box") == 0) return place_box;
  if (strcmp(kind, "plate") == 0) return place_plate;
  if (strcmp(kind, "cone") == 0) return place_cone;
  if (strcmp(kind, "wedge") == 0) return place_wedge;
  if (strcmp(kind, "sphere") == 0) return place_sphere;
  stop("KIND is box, plate, cone, wedge or sphere");
  return NULL;
}

int main(int argc, char **argv)
{
  Shape g = {{0}, {0}};
  int file, base, zone;
  if (argc < 6 || argc > 6 + NUMBERS) stop("usage: make_grid KIND FILE NI NJ NK [NUMBER...]");
  for (int d = 0; d < 3; d++) g.n[d] = atoi(argv[3 + d]);
  for (int k = 6; k < argc; k++) g.a[k - 6] = atof(argv[k]);
  const Place place = place_of(argv[1]);
  const cgsize_t size[9] = {g.n[0] + 1, g.n[1] + 1, g.n[2] + 1, g.n[0], g.n[1], g.n[2], 0, 0, 0};
  if (cg_open(argv[2], CG_MODE_WRITE, &file) != CG_OK ||
      cg_base_write(file, "Base", 3, 3, &base) != CG_OK ||
      cg_zone_write(file, base, "Zone", size, CGNS_ENUMV(Structured), &zone) != CG_OK)
    stop(cg_get_error());
  write_coordinates(file, &g, place);
  write_boundaries(file, &g, argv[1]);
  if (cg_close(file) != CG_OK) stop(cg_get_error());
  return 0;
}
