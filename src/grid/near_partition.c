/*
 * Which cells does each rank own, and in which order?
 *
 * Cells are ordered along the Hilbert curve through the means of their corners, cells at one
 * place by their number in the input, and dealt in equal runs. The means are computed from the
 * corners in the order given, so the order is the same whoever computes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sort.h"
#include "comm/block.h"
#include "comm/deal.h"
#include "comm/route.h"
#include "grid/cell_faces.h"
#include "grid/curve.h"
#include "grid/near_draft_impl.h"

/* What travels with a cell besides its corners. */
typedef struct {
  OrderKey order;
  LocalId place; /* in the slice it was given in */
  CellKind kind;
  int n_corners;
} CellHead;

static Vec3 mean_of_corners(CellKind kind, int n, const LocalId corner[], const Vec3 at[])
{
  Vec3 sum = {0.0, 0.0, 0.0};
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (kind == CELL_POLYHEDRON) {
      for (int k = (int)corner[i]; k > 0; k--, count++) sum = vec3_add(sum, at[corner[++i]]);
    } else {
      sum = vec3_add(sum, at[corner[i]]);
      count++;
    }
  }
  return vec3_scale(1.0 / count, sum);
}

PetscErrorCode DraftShareBox(NearDraft *draft)
{
  PetscFunctionBeginUser;
  Box *box = &draft->box;
  double side[6] = {-box->lo.x, -box->lo.y, -box->lo.z, box->hi.x, box->hi.y, box->hi.z};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, side, 6, MPI_DOUBLE, MPI_MAX, draft->comm));
  *box = (Box){{-side[0], -side[1], -side[2]}, {side[3], side[4], side[5]}};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The heads of the cells this rank was given, in the order of the curve. */
static PetscErrorCode MakeHeads(NearDraft *draft, const CellList *cells, CellHead head[])
{
  PetscFunctionBeginUser;
  CellVertices vertices = {0};
  PetscCall(CellVerticesCreate(draft->comm, draft->input, cells, &vertices));
  draft->box = box_empty();
  for (LocalId v = 0; v < vertices.n; v++) draft->box = box_add_point(draft->box, vertices.at[v]);
  PetscCall(DraftShareBox(draft));
  for (LocalId c = 0; c < cells->n; c++) {
    const LocalId first = cells->start[c], n = cells->start[c + 1] - first;
    const Vec3 mean = mean_of_corners(cells->kind[c], n, vertices.corner + first, vertices.at);
    head[c] =
        (CellHead){.order = {curve_place(draft->box, mean), grid_input_number(draft->input, c)},
                   .place = c,
                   .kind = cells->kind[c],
                   .n_corners = n};
  }
  sort_fast(head, (size_t)cells->n, sizeof *head, order_key_compare);
  PetscCall(CellVerticesFree(&vertices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindOwners(const NearDraft *draft, LocalId n, const CellHead head[], int to[])
{
  PetscFunctionBeginUser;
  OrderKey *order = NULL;
  PetscCall(PetscMalloc1(n, &order));
  for (LocalId c = 0; c < n; c++) order[c] = head[c].order;
  PetscCall(DealInOrder(draft->comm, draft->input->n_cells, n, order, to));
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corners go the way of their cells, in the same order. */
static PetscErrorCode SendCorners(const NearDraft *draft, const CellList *cells,
                                  const CellHead head[], const int to[], GlobalId **got)
{
  PetscFunctionBeginUser;
  const LocalId n_corners = cells->n > 0 ? cells->start[cells->n] : 0;
  GlobalId *corner = NULL;
  int *corner_to = NULL;
  Route *route = NULL;
  PetscCall(PetscMalloc2(n_corners, &corner, n_corners, &corner_to));
  LocalId n = 0;
  for (LocalId i = 0; i < cells->n; i++) {
    const LocalId c = head[i].place;
    for (LocalId k = cells->start[c]; k < cells->start[c + 1]; k++) {
      corner_to[n] = to[i];
      corner[n++] = cells->corner[k];
    }
  }
  PetscCall(RouteCreate(draft->comm, n, corner_to, &route));
  PetscCall(PetscMalloc1(route_n_arriving(route), got));
  PetscCall(RouteSend(route, sizeof *corner, corner, *got));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree2(corner, corner_to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A head that arrived, and where its corners begin among those that did. */
typedef struct {
  CellHead head;
  LocalId first;
} Arrival;

/* Put what arrived in order and keep it. */
static PetscErrorCode Keep(NearDraft *draft, LocalId n, const CellHead head[],
                           const GlobalId corner[])
{
  PetscFunctionBeginUser;
  Arrival *arrival = NULL;
  LocalId at = 0;
  PetscCall(PetscMalloc1(n, &arrival));
  for (LocalId c = 0; c < n; c++) {
    arrival[c] = (Arrival){head[c], at};
    at += head[c].n_corners;
  }
  sort_fast(arrival, (size_t)n, sizeof *arrival, order_key_compare);
  PetscCall(PetscMalloc4(n, &draft->file_id, n, &draft->kind, n + 1, &draft->corner_start, at,
                         &draft->corner));
  draft->n_own = n;
  draft->corner_start[0] = at = 0;
  for (LocalId c = 0; c < n; c++) {
    draft->file_id[c] = arrival[c].head.order.id;
    draft->kind[c] = arrival[c].head.kind;
    for (int k = 0; k < arrival[c].head.n_corners; k++)
      draft->corner[at++] = corner[arrival[c].first + k];
    draft->corner_start[c + 1] = at;
  }
  PetscCall(PetscFree(arrival));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftPartition(NearDraft *draft)
{
  PetscFunctionBeginUser;
  const GridInput *input = draft->input;
  const CellList cells = {input->n_cells_here, input->kind, input->corner_start, input->corner};
  CellHead *head = NULL, *got_head = NULL;
  GlobalId *got_corner = NULL;
  int *to = NULL;
  Route *route = NULL;
  PetscCall(PetscMalloc2(cells.n, &head, cells.n, &to));
  PetscCall(MakeHeads(draft, &cells, head));
  PetscCall(FindOwners(draft, cells.n, head, to));
  PetscCall(RouteCreate(draft->comm, cells.n, to, &route));
  PetscCall(PetscMalloc1(route_n_arriving(route), &got_head));
  PetscCall(RouteSend(route, sizeof *head, head, got_head));
  PetscCall(SendCorners(draft, &cells, head, to, &got_corner));
  PetscCall(Keep(draft, route_n_arriving(route), got_head, got_corner));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree2(head, to));
  PetscCall(PetscFree(got_head));
  PetscCall(PetscFree(got_corner));

  draft->first = block_first(input->n_cells, draft->size, draft->rank);
  const CellList own = {draft->n_own, draft->kind, draft->corner_start, draft->corner};
  PetscCall(CellVerticesCreate(draft->comm, input, &own, &draft->vertices));
  PetscFunctionReturn(PETSC_SUCCESS);
}
