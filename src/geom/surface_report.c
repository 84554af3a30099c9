/*
 * The words for what a surface check found.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check.h"

#include <string.h>

bool surface_report_is_sound(const SurfaceReport *report)
{
  return report->n_shells > 0;
}

bool surface_report_has_mass(const SurfaceReport *report)
{
  return surface_report_is_sound(report) && (report->overlap.n == 0 || report->trimmed);
}

/* "12 open edges, the first at (1, 2, 3)" */
static void say(char text[], size_t room, const Finding *finding, const char *what)
{
  snprintf(text, room, "%d %s, the first at (%g, %g, %g)", finding->n, what, finding->at.x,
           finding->at.y, finding->at.z);
}

enum { MOST_DEFECTS = 4, DEFECT_LENGTH = 160 };

typedef char DefectText[DEFECT_LENGTH];

/* All defects in words; says how many. */
static int list_defects(const SurfaceReport *r, DefectText text[MOST_DEFECTS])
{
  int n = 0;
  if (r->n_given == 0) {
    snprintf(text[n++], DEFECT_LENGTH, "empty, it has no triangles");
    return n;
  }
  if (r->n_not_finite > 0) {
    snprintf(text[n++], DEFECT_LENGTH,
             "%d triangles with coordinates that are not finite, the first is triangle %d",
             r->n_not_finite, r->first_not_finite + 1);
    return n;
  }
  if (r->open.n > 0)
    say(text[n++], DEFECT_LENGTH, &r->open, "open edges (one triangle only; not closed)");
  if (r->twisted.n > 0)
    say(text[n++], DEFECT_LENGTH, &r->twisted,
        "edges with inconsistent orientation (both triangles run the same way)");
  if (r->unbalanced.n > 0)
    say(text[n++], DEFECT_LENGTH, &r->unbalanced,
        "edges of several triangles whose directions do not balance");
  if (n == 0 && r->n_shells == 0)
    snprintf(text[n++], DEFECT_LENGTH,
             "nothing is left of %d triangles: all are smaller than the tolerance %g or back to "
             "back",
             r->n_given, r->tolerance);
  return n;
}

void surface_report_defect(const SurfaceReport *report, char text[], size_t room)
{
  DefectText defect[MOST_DEFECTS];
  const int n = list_defects(report, defect);
  snprintf(text, room, "%s", n > 0 ? defect[0] : "");
}

static void note(FILE *to, const Finding *finding, const char *what)
{
  if (finding->n == 0) return;
  DefectText text;
  say(text, sizeof text, finding, what);
  fprintf(to, "note             %s\n", text);
}

static void describe_mass(const Surface *surface, FILE *to)
{
  const MassProperties m = surface_mass_properties(surface);
  const Mat3 *i = &m.inertia;
  Mat3 axes;
  const Vec3 values = mat3_eigen_symmetric(i, &axes);
  fprintf(to, "volume           %.9g\n", m.volume);
  fprintf(to, "centroid         %.9g %.9g %.9g\n", m.center.x, m.center.y, m.center.z);
  fprintf(to, "inertia          %.9g %.9g %.9g %.9g %.9g %.9g (xx yy zz xy xz yz, density 1)\n",
          i->m[0][0], i->m[1][1], i->m[2][2], i->m[0][1], i->m[0][2], i->m[1][2]);
  for (int k = 0; k < 3; k++)
    fprintf(to, "principal axis   %.9g about %.6f %.6f %.6f\n", vec3_at(values, k), axes.m[0][k],
            axes.m[1][k], axes.m[2][k]);
}

static void describe_shape(const Surface *surface, const SurfaceReport *r, FILE *to)
{
  const Box b = surface->box;
  fprintf(to, "triangles        %d (%d given)\n", surface->n_triangles, r->n_given);
  fprintf(to, "vertices         %d (%d more welded within %.3g)\n", surface->n_vertices,
          r->n_welded, r->tolerance);
  fprintf(to, "box              %.9g %.9g %.9g to %.9g %.9g %.9g\n", b.lo.x, b.lo.y, b.lo.z, b.hi.x,
          b.hi.y, b.hi.z);
  fprintf(to, "area             %.9g\n", r->area);
  fprintf(to, "edges            %.6g to %.6g long\n", r->shortest_edge, r->longest_edge);
  if (r->n_shells == 0) return;
  fprintf(to, "shells           %d, of them cavities %d\n", r->n_shells, r->n_cavities);
  if (surface_report_has_mass(r)) describe_mass(surface, to);
}

void surface_describe(const Surface *surface, const SurfaceReport *report, FILE *to)
{
  if (surface != NULL) describe_shape(surface, report, to);
  note(to, &report->dropped, "triangles without area dropped");
  note(to, &report->flat, "triangles without area kept, they fill cracks");
  note(to, &report->paired, "pairs of triangles back to back dropped");
  if (report->inverted_whole)
    fprintf(to, "note             inside out as a whole, turned\n");
  else
    note(to, &report->inverted, "shells inside out, turned");
  note(to, &report->buried, "shells buried in the solid dropped");
  note(to, &report->overlap,
       report->trimmed
           ? "pairs of shells cut each other, trimmed to their union"
           : "pairs of shells cut each other and cannot be trimmed: mass, center and inertia have "
             "to be given");

  DefectText text[MOST_DEFECTS];
  const int n = list_defects(report, text);
  for (int i = 0; i < n; i++) fprintf(to, "defect           %s\n", text[i]);
  if (n == 0) fprintf(to, "defects          none\n");
}
