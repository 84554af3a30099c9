/*
 * Is the air of a wet run fully and only once described?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/check_impl.h"

#include <limits.h>
#include <string.h>

/* Two of pressure, temperature and density fix the third. */
static PetscErrorCode CheckState(const Place *place)
{
  PetscFunctionBeginUser;
  static const char *const keys[] = {"pressure", "temperature", "density"};
  int n = 0;
  for (int k = 0; k < 3; k++) n += place_has(place, keys[k]);
  if (place_has(place, "altitude")) {
    for (int k = 0; k < 3; k++)
      if (place_has(place, keys[k]))
        PetscCall(PlaceComplain(place, keys[k], "cannot be given together with altitude"));
  } else if (n == 3) {
    PetscCall(PlaceComplain(place, "density",
                            "follows from pressure and temperature, wanted two of the three"));
  } else if (n < 2) {
    PetscCall(PlaceComplain(place, NULL, "needs two of pressure, temperature and density%s, got %s",
                            place_has(place, "velocity") ? "" : ", or altitude",
                            n == 0 ? "none" : "one"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckFreestream(const Place *flow)
{
  PetscFunctionBeginUser;
  const Place place = place_inner(flow, "freestream");
  if (place.node == NULL || place.node->kind != NODE_MAP) PetscFunctionReturn(PETSC_SUCCESS);
  const bool mach = place_has(&place, "mach"), velocity = place_has(&place, "velocity");
  if (mach && velocity)
    PetscCall(PlaceComplain(&place, "velocity", "cannot be given together with mach"));
  if (!mach && !velocity) PetscCall(PlaceComplain(&place, NULL, "needs mach or velocity"));
  PetscCall(CheckState(&place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckViscosity(const Place *flow, const FlowSpec *spec)
{
  PetscFunctionBeginUser;
  const FreestreamSpec *stream = &spec->freestream;
  const bool still = stream->mach == 0.0 || vec3_norm(stream->velocity) == 0.0;
  if (place_has(flow, "reynolds") && still)
    PetscCall(PlaceComplain(flow, "reynolds", "needs a free stream that moves"));
  if (place_has(flow, "reynolds") && !isnan(spec->gas.viscosity))
    PetscCall(PlaceComplain(flow, "reynolds", "cannot be given together with gas.viscosity"));
  if (spec->equations != EQUATIONS_EULER && spec->gas.viscosity == 0.0)
    PetscCall(PlaceComplain(flow, "gas.viscosity", "must be positive with equations %s, got 0",
                            spec->equations == EQUATIONS_RANS ? "rans" : "laminar"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckPriority(const Place *top, const CaseDraft *draft,
                                    const Directory *names)
{
  PetscFunctionBeginUser;
  const Place overset = place_inner(top, "overset");
  const NameList *priority = &draft->the.overset.priority;
  for (int k = 0; k < priority->n; k++) {
    char key[32];
    snprintf(key, sizeof key, "priority[%d]", k);
    const Named *named = directory_find(names, priority->name[k]);
    if (priority->name[k][0] != '\0' && (named == NULL || named->body < 0))
      PetscCall(DirectoryRefuse(names, &overset, key, "body", priority->name[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckFlow(const Place *top, const CaseDraft *draft, const Directory *names)
{
  PetscFunctionBeginUser;
  PetscCall(CheckPriority(top, draft, names));
  const Place flow = place_inner(top, "flow");
  if (flow.node == NULL || flow.node->kind != NODE_MAP) PetscFunctionReturn(PETSC_SUCCESS);
  bool some = place_has(top, "off_body");
  for (int b = 0; b < draft->n_bodies; b++) some = some || draft->bodies[b].grid.given;
  if (!some) PetscCall(PlaceComplain(&flow, NULL, "needs off_body or a body with a grid"));
  PetscCall(CheckFreestream(&flow));
  PetscCall(CheckViscosity(&flow, &draft->the.flow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complain unless min is below max in every direction. */
static PetscErrorCode CheckCorners(const Place *place, Vec3 min, Vec3 max)
{
  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) {
    char key[32];
    snprintf(key, sizeof key, "max[%d]", i);
    if (vec3_at(max, i) <= vec3_at(min, i))
      PetscCall(PlaceComplain(place, key, "must be above min, got %g, wanted more than %g",
                              vec3_at(max, i), vec3_at(min, i)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whole patches along every edge: a sane number of them, and exactly where sides repeat. */
static PetscErrorCode CheckSides(const Place *place, const OffBodySpec *spec)
{
  PetscFunctionBeginUser;
  static const char *const keys[SIDES] = {"boundaries.xmin", "boundaries.xmax", "boundaries.ymin",
                                          "boundaries.ymax", "boundaries.zmin", "boundaries.zmax"};
  for (int i = 0; i < 3; i++) {
    const bool low = spec->boundaries[2 * i] == BOUNDARY_PERIODIC;
    const bool high = spec->boundaries[2 * i + 1] == BOUNDARY_PERIODIC;
    const double length = vec3_at(spec->box.hi, i) - vec3_at(spec->box.lo, i);
    const double n = length / (spec->spacing * spec->patch);
    if (low != high)
      PetscCall(
          PlaceComplain(place, keys[2 * i + low], "must be periodic, as its opposite side is"));
    else if (low && fabs(n - round(n)) > 1e-9 * n)
      PetscCall(PlaceComplain(place, "spacing",
                              "must fit the periodic %c side, got %g patches of %d cells", 'x' + i,
                              n, spec->patch));
    if (n > INT_MAX)
      PetscCall(PlaceComplain(place, "spacing", "makes %.3g patches along %c, wanted at most %d", n,
                              'x' + i, INT_MAX));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckRefine(const Place *off_body, const OffBodySpec *spec)
{
  PetscFunctionBeginUser;
  const Place list = place_inner(off_body, "refine");
  const Node *item = spec->n_refine > 0 ? list.node->first : NULL;
  for (int k = 0; k < spec->n_refine; k++, item = item->next) {
    const Place place = place_item(&list, item, k);
    const RefineSpec *refine = &spec->refine[k];
    PetscCall(CheckCorners(&place, refine->min, refine->max));
    if (refine->level >= spec->levels)
      PetscCall(PlaceComplain(&place, "level", "must be below levels, got %d, wanted at most %d",
                              refine->level, spec->levels - 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckOffBody(const Place *top, const CaseDraft *draft)
{
  PetscFunctionBeginUser;
  const Place place = place_inner(top, "off_body"), box = place_inner(&place, "box");
  const OffBodySpec *spec = &draft->the.off_body;
  if (place.node == NULL || place.node->kind != NODE_MAP) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CheckCorners(&box, spec->box.lo, spec->box.hi));
  if (spec->patch % 2 != 0)
    PetscCall(PlaceComplain(&place, "patch", "must be even, got %d", spec->patch));
  if (spec->order != 2 && spec->order != 5)
    PetscCall(PlaceComplain(&place, "order", "must be 2 or 5, got %d", spec->order));
  PetscCall(CheckSides(&place, spec));
  PetscCall(CheckRefine(&place, spec));
  PetscFunctionReturn(PETSC_SUCCESS);
}
