#include "grid/boundary_kind.h"

#include <string.h>

static const BoundaryKind kind_of_hint[HINT_KINDS] = {
    [HINT_NONE] = BOUNDARY_KINDS,        [HINT_WALL] = BOUNDARY_WALL,
    [HINT_SLIP] = BOUNDARY_SLIP,         [HINT_SYMMETRY] = BOUNDARY_SYMMETRY,
    [HINT_FARFIELD] = BOUNDARY_FARFIELD, [HINT_INFLOW] = BOUNDARY_FARFIELD,
    [HINT_OUTFLOW] = BOUNDARY_OUT,       [HINT_OVERSET] = BOUNDARY_OVERSET,
    [HINT_PERIODIC] = BOUNDARY_PERIODIC};

bool boundary_is_named(const GridSpec *spec, const char *name, BoundaryKind *kind)
{
  for (int k = 0; k < BOUNDARY_KINDS; k++)
    for (int i = 0; i < spec->boundaries[k].n; i++)
      if (strcmp(spec->boundaries[k].name[i], name) == 0) {
        *kind = (BoundaryKind)k;
        return true;
      }
  return false;
}

BoundaryKind boundary_kind_of(const GridSpec *spec, const PatchInput *patch)
{
  BoundaryKind kind;
  return boundary_is_named(spec, patch->name, &kind) ? kind : kind_of_hint[patch->hint];
}
