/*
 * From a draft to one block and back from bytes: what may be trusted in a block from outside?
 *
 * Nothing is: sizes, the checksum, every start list and every index are checked before a handle
 * is given out, so that a damaged file is refused and never read out of bounds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_draft.h"

#include "base/hash.h"

#include <string.h>

#define BLOCK_MAGIC "caromxr"
#define BLOCK_VERSION 3
#define BLOCK_ALIGN 64

static size_t record_size(int section)
{
  static const size_t size[SECTION_COUNT] = {
      [SECTION_VERTEX] = sizeof(Vec3),
      [SECTION_CORNERS] = sizeof(Corners),
      [SECTION_NORMAL] = sizeof(Vec3[3]),
      [SECTION_LINKS] = sizeof(TriangleLinks),
      [SECTION_EDGE] = sizeof(SurfaceEdge),
      [SECTION_EDGE_CONTROL] = sizeof(Vec3[2]),
      [SECTION_EDGE_NORMAL] = sizeof(Vec3),
      [SECTION_VERTEX_NORMAL] = sizeof(Vec3),
      [SECTION_VERTEX_FLAGS] = sizeof(int32_t),
      [SECTION_RAY_START] = sizeof(int32_t),
      [SECTION_RAY_START + 1] = sizeof(int32_t),
      [SECTION_RAY_START + 2] = sizeof(int32_t),
      [SECTION_CROSSING] = sizeof(RayCrossing),
      [SECTION_CROSSING + 1] = sizeof(RayCrossing),
      [SECTION_CROSSING + 2] = sizeof(RayCrossing),
      [SECTION_COLUMN_START] = sizeof(int32_t),
      [SECTION_SLAB] = sizeof(Slab),
      [SECTION_COLUMN_TRIANGLE] = sizeof(int32_t),
      [SECTION_BOUND] = sizeof(BoundSphere),
      [SECTION_VOXEL_START] = sizeof(int32_t),
      [SECTION_VOXEL_ENTRY] = sizeof(VoxelEntry),
      [SECTION_VOXEL_SLOPE] = sizeof(int8_t),
      [SECTION_COARSE] = sizeof(float),
      [SECTION_TREE_NODE] = sizeof(SphereNode),
      [SECTION_TREE_TRIANGLE] = sizeof(int32_t),
  };
  return size[section];
}

static const void *section_at(const XRayHeader *head, int section)
{
  return (const char *)head + head->span[section].offset;
}

/* Set the addresses of the handle. */
static void attach(XRay *xray, const XRayHeader *head)
{
  xray->head = head;
  xray->vertex = section_at(head, SECTION_VERTEX);
  xray->corners = section_at(head, SECTION_CORNERS);
  xray->normal = section_at(head, SECTION_NORMAL);
  xray->links = section_at(head, SECTION_LINKS);
  xray->edge = section_at(head, SECTION_EDGE);
  xray->edge_control = section_at(head, SECTION_EDGE_CONTROL);
  xray->edge_normal = section_at(head, SECTION_EDGE_NORMAL);
  xray->vertex_normal = section_at(head, SECTION_VERTEX_NORMAL);
  xray->vertex_flags = section_at(head, SECTION_VERTEX_FLAGS);
  for (int axis = 0; axis < 3; axis++) {
    xray->ray_start[axis] = section_at(head, SECTION_RAY_START + axis);
    xray->crossing[axis] = section_at(head, SECTION_CROSSING + axis);
  }
  xray->column_start = section_at(head, SECTION_COLUMN_START);
  xray->slab = section_at(head, SECTION_SLAB);
  xray->column_triangle = section_at(head, SECTION_COLUMN_TRIANGLE);
  xray->bound = section_at(head, SECTION_BOUND);
  xray->voxel_start = section_at(head, SECTION_VOXEL_START);
  xray->voxel_entry = section_at(head, SECTION_VOXEL_ENTRY);
  xray->voxel_slope = section_at(head, SECTION_VOXEL_SLOPE);
  xray->coarse = section_at(head, SECTION_COARSE);
  xray->node = section_at(head, SECTION_TREE_NODE);
  xray->node_triangle = section_at(head, SECTION_TREE_TRIANGLE);
}

/* Everything behind the checksum, itself counted as zero. */
static uint64_t block_checksum(const XRayHeader *head)
{
  XRayHeader blank = *head;
  blank.checksum = 0;
  const size_t first = sizeof *head / 8;
  return hash_bytes(0, &blank, sizeof blank) +
         hash_bytes(first, (const char *)head + sizeof *head, head->bytes - sizeof *head);
}

static size_t aligned(size_t n)
{
  return (n + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
}

PetscErrorCode XRayAssemble(XRayDraft *draft, void (*finish)(XRay *, const XRayDraft *, float *),
                            XRay **xray)
{
  PetscFunctionBeginUser;
  XRayHeader *head = &draft->head;
  memcpy(head->magic, BLOCK_MAGIC, sizeof head->magic);
  head->version = BLOCK_VERSION;
  head->n_sections = SECTION_COUNT;
  size_t bytes = aligned(sizeof *head);
  for (int s = 0; s < SECTION_COUNT; s++) {
    head->span[s].offset = bytes;
    bytes += aligned(head->span[s].count * record_size(s));
  }
  head->bytes = bytes;
  char *block = NULL;
  PetscCall(PetscMalloc(bytes, &block));
  memset(block, 0, aligned(sizeof *head));
  memcpy(block, head, sizeof *head);
  for (int s = 0; s < SECTION_COUNT; s++) {
    const size_t size = head->span[s].count * record_size(s);
    memcpy(block + head->span[s].offset, draft->section[s], size);
    memset(block + head->span[s].offset + size, 0, aligned(size) - size);
    PetscCall(PetscFree(draft->section[s]));
  }
  PetscCall(PetscNew(xray));
  (*xray)->owned = block;
  attach(*xray, (const XRayHeader *)block);
  finish(*xray, draft, (float *)(block + head->span[SECTION_COARSE].offset));
  ((XRayHeader *)block)->checksum = block_checksum((const XRayHeader *)block);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayGetBytes(const XRay *xray, const void **bytes, size_t *n)
{
  PetscFunctionBeginUser;
  *bytes = xray->head;
  *n = xray->head->bytes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Do the sections follow each other as they are laid out, to the last byte? */
static bool spans_fit(const XRayHeader *head)
{
  size_t at = aligned(sizeof *head);
  for (int s = 0; s < SECTION_COUNT; s++) {
    const XRaySpan *span = &head->span[s];
    if (span->offset != at || span->count > INT32_MAX) return false;
    at += aligned(span->count * record_size(s));
  }
  return at == head->bytes;
}

/* Starts rise from zero to the length of the list they point into. */
static bool starts_fit(const int32_t start[], uint64_t n_starts, uint64_t n_rows, uint64_t n_list)
{
  if (n_starts != n_rows + 1 || start[0] != 0 || (uint64_t)start[n_rows] != n_list) return false;
  for (uint64_t k = 0; k < n_rows; k++)
    if (start[k] > start[k + 1]) return false;
  return true;
}

static bool indices_fit(const int32_t index[], uint64_t n, uint64_t limit)
{
  for (uint64_t k = 0; k < n; k++)
    if (index[k] < 0 || (uint64_t)index[k] >= limit) return false;
  return true;
}

static bool rays_fit(const XRay *x)
{
  const XRayHeader *h = x->head;
  for (int axis = 0; axis < 3; axis++) {
    const Lattice *l = &h->lattice[axis];
    const uint64_t n = h->span[SECTION_CROSSING + axis].count;
    if (l->axis != axis || l->n_u < 1 || l->n_v < 1 || !(l->spacing > 0.0)) return false;
    if (!starts_fit(x->ray_start[axis], h->span[SECTION_RAY_START + axis].count,
                    (uint64_t)l->n_u * (uint64_t)l->n_v, n))
      return false;
    for (uint64_t k = 0; k < n; k++)
      if (!indices_fit(&x->crossing[axis][k].triangle, 1, h->span[SECTION_CORNERS].count))
        return false;
  }
  return true;
}

static bool columns_fit(const XRay *x)
{
  const XRayHeader *h = x->head;
  if (h->column_axis < 0 || h->column_axis > 2 || h->span[SECTION_SLAB].count < 1) return false;
  const Lattice *l = &h->lattice[h->column_axis];
  const uint64_t n_slabs = h->span[SECTION_SLAB].count - 1;
  const uint64_t n_list = h->span[SECTION_COLUMN_TRIANGLE].count;
  if (!starts_fit(x->column_start, h->span[SECTION_COLUMN_START].count,
                  (uint64_t)l->n_u * (uint64_t)l->n_v, n_slabs))
    return false;
  for (uint64_t k = 0; k < n_slabs; k++)
    if (x->slab[k].first < 0 || x->slab[k].first > x->slab[k + 1].first) return false;
  return (uint64_t)x->slab[n_slabs].first == n_list &&
         indices_fit(x->column_triangle, n_list, h->span[SECTION_CORNERS].count);
}

static bool voxels_fit(const XRay *x)
{
  const XRayHeader *h = x->head;
  const VoxelGrid *g = &h->voxel;
  if (g->coarse < 1 || !(g->size > 0.0) || !vec3_finite(g->origin)) return false;
  uint64_t n = 1, n_coarse = 1;
  for (int a = 0; a < 3; a++) {
    if (g->n[a] < 1 || g->n[a] > 1 << 21 || g->n[a] % g->coarse != 0) return false;
    n *= (uint64_t)g->n[a];
    n_coarse *= (uint64_t)(g->n[a] / g->coarse);
  }
  for (uint64_t k = 0; k < h->span[SECTION_VOXEL_ENTRY].count; k++)
    if (!indices_fit(&x->voxel_entry[k].triangle, 1, h->span[SECTION_CORNERS].count)) return false;
  return h->span[SECTION_COARSE].count == n_coarse &&
         h->span[SECTION_VOXEL_SLOPE].count == 3 * h->span[SECTION_VOXEL_ENTRY].count &&
         starts_fit(x->voxel_start, h->span[SECTION_VOXEL_START].count, n,
                    h->span[SECTION_VOXEL_ENTRY].count);
}

static bool links_fit(const XRay *x)
{
  const XRayHeader *h = x->head;
  const uint64_t n_t = h->span[SECTION_CORNERS].count, n_v = h->span[SECTION_VERTEX].count;
  const uint64_t n_e = h->span[SECTION_EDGE].count;
  if (n_t < 1 || h->span[SECTION_NORMAL].count != n_t || h->span[SECTION_LINKS].count != n_t ||
      h->span[SECTION_BOUND].count != n_t || h->span[SECTION_VERTEX_NORMAL].count != n_v ||
      h->span[SECTION_VERTEX_FLAGS].count != n_v || h->span[SECTION_EDGE_CONTROL].count != n_e ||
      h->span[SECTION_EDGE_NORMAL].count != n_e)
    return false;
  for (uint64_t t = 0; t < n_t; t++) {
    for (int k = 0; k < 3; k++) {
      const int32_t e = x->links[t].edge[k], id = e < 0 ? ~e : e;
      if (!indices_fit(&id, 1, n_e) || !indices_fit(&x->links[t].vertex[k], 1, n_v)) return false;
    }
  }
  for (uint64_t e = 0; e < n_e; e++) {
    const SurfaceEdge *edge = &x->edge[e];
    const bool single = edge->flags & EDGE_SINGULAR;
    if (!indices_fit(edge->vertex, 2, n_v)) return false;
    if (!indices_fit(edge->triangle, single ? 1 : 2, n_t)) return false;
    if (!indices_fit(edge->side, single ? 1 : 2, 3)) return false;
  }
  return true;
}

/* Children come after their parent, so that a walk ends. */
static bool tree_fits(const XRay *x)
{
  const uint64_t n = x->head->span[SECTION_TREE_NODE].count;
  const uint64_t n_t = x->head->span[SECTION_TREE_TRIANGLE].count;
  if (n < 1 || n_t != x->head->span[SECTION_CORNERS].count) return false;
  for (uint64_t k = 0; k < n; k++) {
    const SphereNode *node = &x->node[k];
    if (node->first < 0 || node->n_triangles < 0) return false;
    const uint64_t first = (uint64_t)node->first, count = (uint64_t)node->n_triangles;
    if (count > 0 ? first + count > n_t : first <= k || first + 1 >= n) return false;
  }
  return indices_fit(x->node_triangle, n_t, n_t);
}

static bool header_fits(const XRayHeader *head, size_t n)
{
  return n >= sizeof *head && memcmp(head->magic, BLOCK_MAGIC, sizeof head->magic) == 0 &&
         head->version == BLOCK_VERSION && head->n_sections == SECTION_COUNT && head->bytes == n &&
         isfinite(head->size) && head->size > 0.0 && spans_fit(head);
}

bool xray_bytes_hash(const void *bytes, size_t n, uint64_t *hash)
{
  XRayHeader head;
  if (n < sizeof head) return false;
  memcpy(&head, bytes, sizeof head);
  *hash = head.surface_hash;
  return memcmp(head.magic, BLOCK_MAGIC, sizeof head.magic) == 0;
}

PetscErrorCode XRayBorrowBytes(const void *bytes, size_t n, uint64_t hash, XRay **xray)
{
  PetscFunctionBeginUser;
  const XRayHeader *head = bytes;
  PetscCheck((uintptr_t)bytes % 8 == 0, PETSC_COMM_SELF, PETSC_ERR_ARG_BADPTR,
             "bytes of an x-ray must start at a multiple of 8");
  PetscCheck(header_fits(head, n), PETSC_COMM_SELF, CAROM_ERR_FILE,
             "not an x-ray of this version, or cut short: %zu bytes", n);
  PetscCheck(head->surface_hash == hash, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "x-ray belongs to another surface");
  PetscCheck(head->checksum == block_checksum(head), PETSC_COMM_SELF, CAROM_ERR_FILE,
             "x-ray is damaged: its checksum does not fit");
  XRay handle = {.owned = NULL};
  attach(&handle, head);
  PetscCheck(links_fit(&handle) && rays_fit(&handle) && columns_fit(&handle) &&
                 voxels_fit(&handle) && tree_fits(&handle),
             PETSC_COMM_SELF, CAROM_ERR_FILE, "x-ray is damaged: an index is out of range");
  PetscCall(PetscNew(xray));
  **xray = handle;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayFromBytes(const void *bytes, size_t n, uint64_t hash, XRay **xray)
{
  PetscFunctionBeginUser;
  char *copy = NULL;
  PetscCall(PetscMalloc(n > 0 ? n : 1, &copy));
  memcpy(copy, bytes, n);
  const PetscErrorCode code = XRayBorrowBytes(copy, n, hash, xray);
  if (code != PETSC_SUCCESS) PetscCall(PetscFree(copy));
  PetscCall(code);
  (*xray)->owned = copy;
  PetscFunctionReturn(PETSC_SUCCESS);
}
