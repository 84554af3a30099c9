/*
 * Which periodic boundaries belong together, and by what displacement?
 *
 * A boundary and its opposite have as many faces, the same area the other way round, and the same
 * spread about their centres. Sums are exact, so all ranks find the same pairs and the same bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/sum.h"
#include "grid/near_draft_impl.h"
#include "grid/ring.h"

/* Of areas and lengths: coordinates may come in single precision. */
#define TOLERANCE 1e-5

typedef struct {
  double faces, area; /* how many; sum of sizes */
  Vec3 vector;        /* sum of area vectors */
  Vec3 center;        /* mean by area */
  Vec3 spread;        /* mean square distance from the centre along the axes */
} Outline;

enum { FIRST_SUMS = 8, SPREAD_SUMS = 3 };

static bool is_of(const Side *side, int patch)
{
  return side->beyond == BEYOND_PATCH && side->patch == patch;
}

/* Count, area and centre of the faces of a patch. */
static PetscErrorCode SumFaces(const NearDraft *draft, int patch, double value[], Outline *outline)
{
  PetscFunctionBeginUser;
  double sum[FIRST_SUMS];
  int n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    if (!is_of(side, patch)) continue;
    const RingMetric m = ring_metric(side->n, draft->ring + side->first, draft->vertices.at);
    const double area = vec3_norm(m.area);
    const double one[] = {1.0,
                          area,
                          m.area.x,
                          m.area.y,
                          m.area.z,
                          area * m.center.x,
                          area * m.center.y,
                          area * m.center.z};
    PetscCall(PetscArraycpy(value + FIRST_SUMS * n++, one, FIRST_SUMS));
  }
  PetscCall(SumExactly(draft->comm, n, FIRST_SUMS, value, sum));
  const double per = sum[1] > 0.0 ? 1.0 / sum[1] : 0.0;
  *outline = (Outline){.faces = sum[0],
                       .area = sum[1],
                       .vector = {sum[2], sum[3], sum[4]},
                       .center = {per * sum[5], per * sum[6], per * sum[7]}};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SumSpread(const NearDraft *draft, int patch, double value[], Outline *outline)
{
  PetscFunctionBeginUser;
  double sum[SPREAD_SUMS];
  int n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    if (!is_of(side, patch)) continue;
    const RingMetric m = ring_metric(side->n, draft->ring + side->first, draft->vertices.at);
    const Vec3 d = vec3_sub(m.center, outline->center);
    const double area = vec3_norm(m.area);
    const double one[] = {area * d.x * d.x, area * d.y * d.y, area * d.z * d.z};
    PetscCall(PetscArraycpy(value + SPREAD_SUMS * n++, one, SPREAD_SUMS));
  }
  PetscCall(SumExactly(draft->comm, n, SPREAD_SUMS, value, sum));
  const double per = outline->area > 0.0 ? 1.0 / outline->area : 0.0;
  outline->spread = vec3(per * sum[0], per * sum[1], per * sum[2]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Could one, displaced, be the other? */
static bool are_opposite(const Outline *p, const Outline *q)
{
  const double spread = p->spread.x + p->spread.y + p->spread.z;
  return p->faces == q->faces && vec3_norm(vec3_add(p->vector, q->vector)) <= TOLERANCE * p->area &&
         fabs(p->area - q->area) <= TOLERANCE * p->area &&
         vec3_distance(p->spread, q->spread) <= TOLERANCE * spread;
}

/* Pairs of the patches that are to be joined; a patch without an opposite is refused by name. */
static PetscErrorCode PairOutlines(NearDraft *draft, const Outline outline[])
{
  PetscFunctionBeginUser;
  const GridInput *input = draft->input;
  for (int p = 0; p < input->n_joined; p++) {
    const PatchInput *patch = &input->patch[input->joined[p]];
    bool taken = outline[p].faces == 0.0;
    for (int k = 0; k < draft->n_periodic; k++)
      taken = taken || draft->periodic[k].to == input->joined[p];
    PetscCheck(taken || vec3_norm(outline[p].vector) > TOLERANCE * outline[p].area, draft->comm,
               CAROM_ERR_MESH,
               "%s: periodic boundary '%s' holds opposite sides; give each a name of its own",
               input->name, patch->name);
    for (int q = p + 1; q < input->n_joined && !taken; q++) {
      if (!are_opposite(&outline[p], &outline[q])) continue;
      const Vec3 shift = vec3_sub(outline[q].center, outline[p].center);
      draft->periodic[draft->n_periodic++] =
          (PeriodicInput){input->joined[p], input->joined[q], shift};
      taken = true;
    }
    PetscCheck(taken, draft->comm, CAROM_ERR_MESH,
               "%s: periodic boundary '%s' has no opposite: no other periodic one, displaced, has "
               "its %.0f faces",
               input->name, patch->name, outline[p].faces);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftOpposites(NearDraft *draft)
{
  PetscFunctionBeginUser;
  const GridInput *input = draft->input;
  double *value = NULL;
  Outline *outline = NULL;
  PetscCall(PetscMalloc1(input->n_periodic + input->n_joined, &draft->periodic));
  PetscCall(PetscArraycpy(draft->periodic, input->periodic, input->n_periodic));
  draft->n_periodic = input->n_periodic;
  if (input->n_joined == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(FIRST_SUMS * (size_t)draft->n_sides, &value, input->n_joined, &outline));
  for (int p = 0; p < input->n_joined; p++) {
    PetscCall(SumFaces(draft, input->joined[p], value, &outline[p]));
    PetscCall(SumSpread(draft, input->joined[p], value, &outline[p]));
  }
  PetscCall(PairOutlines(draft, outline));
  PetscCall(PetscFree2(value, outline));
  PetscFunctionReturn(PETSC_SUCCESS);
}
