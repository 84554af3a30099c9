/*
 * Who is on the other side of each face: p4est's mesh, put into our words.
 */
#include "grid/forest_impl.h"

#include <p8est_mesh.h>

void forest_number(p8est_t *p8est)
{
  int number = 0;
  for (p4est_topidx_t t = p8est->first_local_tree; t <= p8est->last_local_tree; t++) {
    p8est_tree_t *tree = p8est_tree_array_index(p8est->trees, t);
    for (size_t k = 0; k < tree->quadrants.elem_count; k++)
      p8est_quadrant_array_index(&tree->quadrants, k)->p.user_int = number++;
  }
}

static PetscErrorCode UpdatePlaces(Forest *f)
{
  PetscFunctionBeginUser;
  p8est_t *p8est = f->p8est;
  f->n = p8est->local_num_quadrants;
  PetscCall(PetscFree(f->place));
  PetscCall(PetscMalloc1(f->n, &f->place));
  LocalId number = 0;
  for (p4est_topidx_t t = p8est->first_local_tree; t <= p8est->last_local_tree; t++) {
    p8est_tree_t *tree = p8est_tree_array_index(p8est->trees, t);
    for (size_t k = 0; k < tree->quadrants.elem_count; k++)
      f->place[number++] = forest_place(f, t, p8est_quadrant_array_index(&tree->quadrants, k));
  }
  forest_number(p8est);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number of the mesh: local quadrants first, then ghosts. */
static Neighbour neighbour_of(const Forest *f, const p8est_mesh_t *mesh, p4est_locidx_t number)
{
  const p4est_gloidx_t *first = f->p8est->global_first_quadrant;
  if (number < f->n) return (Neighbour){f->rank, number, -1, first[f->rank] + number};
  const p4est_locidx_t ghost = number - f->n;
  const p8est_quadrant_t *q = p8est_quadrant_array_index(&f->ghost->ghosts, (size_t)ghost);
  const int rank = mesh->ghost_to_proc[ghost];
  const p4est_locidx_t local = q->p.piggy3.local_num;
  return (Neighbour){rank, local, ghost, first[rank] + local};
}

/*
 * The code of a face is its number and orientation (always 0 in a brick) for a neighbour of the
 * same size, 24 and more for one twice as large, negative for four of half the size.
 */
static Link link_of(const Forest *f, const p8est_mesh_t *mesh, LocalId c, int side)
{
  enum { FACES = 6, CODES = 24 };
  const p4est_locidx_t number = mesh->quad_to_quad[FACES * c + side];
  const int code = mesh->quad_to_face[FACES * c + side];
  Link link = {.kind = LINK_SAME};
  if (code < 0) {
    const p4est_locidx_t *half = sc_array_index(mesh->quad_to_half, (size_t)number);
    link.kind = LINK_FINE;
    for (int k = 0; k < 4; k++) link.other[k] = neighbour_of(f, mesh, half[k]);
    return link;
  }
  link.other[0] = neighbour_of(f, mesh, number);
  if (code >= CODES) {
    link.kind = LINK_COARSE;
    link.part = code / CODES - 1;
  } else if (number == c && code == side) {
    link.kind = LINK_OUTSIDE;
  }
  return link;
}

PetscErrorCode ForestUpdate(Forest *f)
{
  PetscFunctionBeginUser;
  PetscCall(UpdatePlaces(f));
  if (f->ghost != NULL) p8est_ghost_destroy(f->ghost);
  f->ghost = p8est_ghost_new(f->p8est, P8EST_CONNECT_FACE);
  p8est_mesh_t *mesh = p8est_mesh_new(f->p8est, f->ghost, P8EST_CONNECT_FACE);
  PetscCall(PetscFree(f->link));
  PetscCall(PetscMalloc1(f->n, &f->link));
  for (LocalId c = 0; c < f->n; c++)
    for (int side = 0; side < SIDES; side++) f->link[c][side] = link_of(f, mesh, c, side);
  p8est_mesh_destroy(mesh);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The numbers of the patches that border on this rank's, as p4est counts them. */
static PetscErrorCode FetchGhosts(const Forest *f, const int own[], int ghost[])
{
  PetscFunctionBeginUser;
  const size_t n = f->ghost->mirrors.elem_count;
  void **mirror = NULL;
  PetscCall(PetscMalloc1(n, &mirror));
  for (size_t k = 0; k < n; k++) {
    const p8est_quadrant_t *q = p8est_quadrant_array_index(&f->ghost->mirrors, k);
    mirror[k] = (void *)&own[q->p.piggy3.local_num];
  }
  p8est_ghost_exchange_custom(f->p8est, f->ghost, sizeof *own, mirror, ghost);
  PetscCall(PetscFree(mirror));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ForestShare(const Forest *f, const int own[], int (*across)[SIDES])
{
  PetscFunctionBeginUser;
  int *ghost = NULL;
  PetscCall(PetscMalloc1(f->ghost->ghosts.elem_count, &ghost));
  PetscCall(FetchGhosts(f, own, ghost));
  for (LocalId c = 0; c < f->n; c++)
    for (int side = 0; side < SIDES; side++) {
      const Link *link = &f->link[c][side];
      const int n = link->kind == LINK_OUTSIDE ? 0 : link->kind == LINK_FINE ? 4 : 1;
      across[c][side] = 0;
      for (int k = 0; k < n; k++) {
        const Neighbour *other = &link->other[k];
        across[c][side] |= other->ghost < 0 ? own[other->local] : ghost[other->ghost];
      }
    }
  PetscCall(PetscFree(ghost));
  PetscFunctionReturn(PETSC_SUCCESS);
}
