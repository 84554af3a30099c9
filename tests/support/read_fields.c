/*
 * Print a field file as CSV: for every cell (or wall face, with --walls) its centre, then its
 * values.
 *
 * usage: read_fields [--walls] FILE        SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 16, NAME = 33 };

static void need(int code)
{
  if (code == CG_OK) return;
  fprintf(stderr, "read_fields: %s\n", cg_get_error());
  exit(1);
}

static void *room(size_t n, size_t size)
{
  void *memory = calloc(n > 0 ? n : 1, size);
  if (memory == NULL) exit(1);
  return memory;
}

/* Centres of the elements of one zone, as means of their corners. */
static void find_centers(int file, int base, int zone, const cgsize_t size[3], double *center)
{
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const cgsize_t one = 1;
  int n_sections;
  double *x = room((size_t)size[0], sizeof(double));
  need(cg_nsections(file, base, zone, &n_sections));
  for (int d = 0; d < 3; d++) {
    need(cg_coord_read(file, base, zone, names[d], CGNS_ENUMV(RealDouble), &one, &size[0], x));
    size_t cell = 0;
    for (int s = 1; s <= n_sections; s++) {
      char name[NAME];
      ElementType_t type;
      cgsize_t first, last, n_data;
      int n_boundary, parent, corners;
      need(cg_section_read(file, base, zone, s, name, &type, &first, &last, &n_boundary, &parent));
      need(cg_npe(type, &corners));
      if (corners <= 0) continue;
      need(cg_ElementDataSize(file, base, zone, s, &n_data));
      cgsize_t *corner = room((size_t)n_data, sizeof(cgsize_t));
      need(cg_elements_read(file, base, zone, s, corner, NULL));
      for (cgsize_t e = 0; e <= last - first; e++, cell++)
        for (int i = 0; i < corners; i++)
          center[3 * cell + d] += x[corner[e * corners + i] - 1] / corners;
      free(corner);
    }
  }
  free(x);
}

static void print_zone(int file, int base, int zone, int with_heading)
{
  char name[NAME];
  cgsize_t size[3];
  const cgsize_t one = 1;
  int n_fields;
  need(cg_zone_read(file, base, zone, name, size));
  double *center = room(3 * (size_t)size[1], sizeof(double)), *value[MOST_FIELDS];
  find_centers(file, base, zone, size, center);
  need(cg_nfields(file, base, zone, 1, &n_fields));
  if (with_heading) printf("x,y,z");
  for (int k = 0; k < n_fields && k < MOST_FIELDS; k++) {
    DataType_t type;
    need(cg_field_info(file, base, zone, 1, k + 1, &type, name));
    value[k] = room((size_t)size[1], sizeof(double));
    need(
        cg_field_read(file, base, zone, 1, name, CGNS_ENUMV(RealDouble), &one, &size[1], value[k]));
    if (with_heading) printf(",%s", name);
  }
  if (with_heading) printf("\n");
  for (cgsize_t e = 0; e < size[1]; e++) {
    printf("%.17g,%.17g,%.17g", center[3 * e], center[3 * e + 1], center[3 * e + 2]);
    for (int k = 0; k < n_fields; k++) printf(",%.17g", value[k][e]);
    printf("\n");
  }
  for (int k = 0; k < n_fields; k++) free(value[k]);
  free(center);
}

int main(int argc, char **argv)
{
  const int walls = argc == 3 && strcmp(argv[1], "--walls") == 0;
  int file, n_zones;
  if (argc != 2 + walls) {
    fprintf(stderr, "usage: read_fields [--walls] FILE\n");
    return 1;
  }
  need(cg_open(argv[1 + walls], CG_MODE_READ, &file));
  need(cg_nzones(file, 1 + walls, &n_zones));
  for (int zone = 1; zone <= n_zones; zone++) print_zone(file, 1 + walls, zone, zone == 1);
  need(cg_close(file));
  return 0;
}
