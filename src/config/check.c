/*
 * Do the keys of a case agree with each other?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/check_impl.h"

#include <limits.h>

Place place_inner(const Place *outer, const char *key)
{
  Place inner = *outer;
  inner.node = node_find(outer->node, key);
  snprintf(inner.path, sizeof inner.path, "%.160s%s%s", outer->path,
           outer->path[0] != '\0' ? "." : "", key);
  return inner;
}

Place place_item(const Place *list, const Node *item, int index)
{
  Place inner = *list;
  inner.node = item;
  snprintf(inner.path, sizeof inner.path, "%.160s[%d]", list->path, index);
  return inner;
}

bool place_has(const Place *place, const char *key)
{
  return node_find(place->node, key) != NULL;
}

static PetscErrorCode Add(Complaints *list, const Place *place, const char *key, const char *format,
                          va_list arguments)
{
  PetscFunctionBeginUser;
  const Node *node = key != NULL ? node_locate(place->node, key) : place->node;
  char path[PATH_SHOWN];
  snprintf(path, sizeof path, "%.160s%s%.80s", place->path,
           key != NULL && place->path[0] != '\0' ? "." : "", key != NULL ? key : "");
  const int line = node != NULL ? node->line : 1, column = node != NULL ? node->column : 1;
  PetscCall(ComplaintsAdd(list, line, column, path, format, arguments));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlaceComplain(const Place *place, const char *key, const char *format, ...)
{
  PetscFunctionBeginUser;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(Add(place->complaints, place, key, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlaceWarn(const Place *place, const char *key, const char *format, ...)
{
  PetscFunctionBeginUser;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(Add(place->warnings, place, key, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckTime(const Place *top, const TimeSpec *time)
{
  PetscFunctionBeginUser;
  const Place place = place_inner(top, "time");
  const double steps = ceil(time->end / time->step - 1e-9);
  if (steps > INT_MAX)
    PetscCall(PlaceComplain(&place, "step", "makes %.3g steps up to time.end, wanted at most %d",
                            steps, INT_MAX));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_slices(const Place *top, OutputSpec *output)
{
  PetscFunctionBeginUser;
  const Place section = place_inner(top, "output");
  const Place list = place_inner(&section, "slices");
  const Node *item = list.node != NULL ? list.node->first : NULL;
  for (int s = 0; s < output->n_slices; s++, item = item->next) {
    SliceSpec *slice = &output->slices[s];
    const Place place = place_item(&list, item, s);
    if (vec3_finite(slice->normal)) slice->normal = direction_unit(slice->normal);
    if (slice->high <= slice->low)
      PetscCall(PlaceComplain(&place, "high", "must be above low, got %g", slice->high));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckCase(Arena *arena, const Place *top, CaseDraft *draft)
{
  PetscFunctionBeginUser;
  PetscCall(CheckTime(top, &draft->the.time));
  Directory names;
  PetscCall(CheckNames(arena, top, draft, &names));
  const Place bodies = place_inner(top, "bodies");
  if (draft->n_bodies == 0 && !place_has(top, "flow") && bodies.node == NULL)
    PetscCall(PlaceComplain(top, "bodies", "missing, a dry run wants at least one body"));
  else if (draft->n_bodies == 0 && !place_has(top, "flow") && bodies.node->kind == NODE_LIST)
    PetscCall(PlaceComplain(top, "bodies", "is empty, a dry run wants at least one body"));

  const Node *item = bodies.node != NULL ? bodies.node->first : NULL;
  for (int b = 0; b < draft->n_bodies; b++, item = item->next) {
    const Place place = place_item(&bodies, item, b);
    if (item->kind == NODE_MAP) PetscCall(CheckBody(&place, &draft->bodies[b], &names));
  }
  PetscCall(CheckContact(top, draft, &names));
  PetscCall(CheckFlow(top, draft, &names));
  PetscCall(CheckOffBody(top, draft));
  PetscCall(check_slices(top, &draft->the.output));
  PetscFunctionReturn(PETSC_SUCCESS);
}
