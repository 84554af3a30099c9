/*
 * Do loads and grids of a body make sense?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/check_impl.h"

#include <string.h>

/* The carrier of a load must be another body. */
static PetscErrorCode CheckCarrier(const Place *place, const Directory *names, const BodySpec *body,
                                   const LoadSpec *load)
{
  PetscFunctionBeginUser;
  if (load->relative_to == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const Named *named = directory_find(names, load->relative_to);
  if (body->name != NULL && strcmp(load->relative_to, body->name) == 0)
    PetscCall(
        PlaceComplain(place, "relative_to", "must name another body, got '%s' itself", body->name));
  else if (named == NULL || named->body < 0)
    PetscCall(DirectoryRefuse(names, place, "relative_to", "body", load->relative_to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckLoad(const Place *place, const Directory *names, const BodySpec *body,
                                const LoadSpec *load)
{
  PetscFunctionBeginUser;
  static const char *const kinds[] = {"force", "moment", "table", "drag"};
  bool some = false;
  for (int k = 0; k < 4; k++) some = some || place_has(place, kinds[k]);
  if (!some) PetscCall(PlaceComplain(place, NULL, "must have force, moment, table or drag"));
  if (load->to <= load->from)
    PetscCall(PlaceComplain(place, place_has(place, "to") ? "to" : "from",
                            "must end after it begins, got from %g to %g", load->from, load->to));
  PetscCall(CheckCarrier(place, names, body, load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckLoads(const Place *place, const BodySpec *body, const Directory *names)
{
  PetscFunctionBeginUser;
  const Place loads = place_inner(place, "loads");
  const Node *item = loads.node != NULL ? loads.node->first : NULL;
  for (int k = 0; k < body->n_loads; k++, item = item->next) {
    const Place load = place_item(&loads, item, k);
    if (item->kind == NODE_MAP) PetscCall(CheckLoad(&load, names, body, &body->loads[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Has this family been listed before, in this kind or in an earlier one? */
static bool listed_before(const GridSpec *grid, int kind, int k)
{
  const char *name = grid->boundaries[kind].name[k];
  for (int b = 0; b <= kind; b++) {
    const int n = b == kind ? k : grid->boundaries[b].n;
    for (int j = 0; j < n; j++)
      if (strcmp(grid->boundaries[b].name[j], name) == 0) return true;
  }
  return false;
}

static PetscErrorCode CheckFamily(const Place *place, const GridSpec *grid, const char *kind, int b,
                                  int k)
{
  PetscFunctionBeginUser;
  const char *name = grid->boundaries[b].name[k];
  char key[48];
  snprintf(key, sizeof key, "%s[%d]", kind, k);
  const bool extruded = grid->file == NULL;
  if (name[0] == '\0') PetscFunctionReturn(PETSC_SUCCESS);
  if (listed_before(grid, b, k))
    PetscCall(PlaceComplain(place, key, "family '%.40s' is listed twice", name));
  else if (extruded && strcmp(name, "body") != 0 && strcmp(name, "outer") != 0)
    PetscCall(PlaceComplain(place, key,
                            "an extruded grid has the families body and outer, got '%.40s'", name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckGrid(const Place *body_place, const BodyDraft *body)
{
  PetscFunctionBeginUser;
  const Place place = place_inner(body_place, "grid");
  if (place.node == NULL || place.node->kind != NODE_MAP) PetscFunctionReturn(PETSC_SUCCESS);
  const GridSpec *grid = &body->grid;
  const Place boundaries = place_inner(&place, "boundaries");
  const SchemaKey *key = schema_find(&schema_grid, "boundaries", strlen("boundaries"));
  for (int b = 0; b < BOUNDARY_KINDS; b++)
    for (int k = 0; k < grid->boundaries[b].n; k++)
      PetscCall(CheckFamily(&boundaries, grid, key->section->keys[b].key, b, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}
