/*
 * Which cells and surface elements are in this rank's slice of the row of elements?
 *
 * Elements of one kind are found by arithmetic. Those of mixed kinds, polygons and polyhedra need
 * offsets; files before version 4 have none, so one rank walks through such a section, piece by
 * piece, and tells the others where their slices begin.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "grid/cell_faces.h"
#include "io/volume_read_impl.h"

#include <string.h>

/* The kinds of elements that matter here, by the beginning of their name. */
typedef enum { ELEMENT_CELL, ELEMENT_SURFACE, ELEMENT_THIN, ELEMENT_UNKNOWN } ElementUse;

typedef struct {
  ElementUse use;
  CellKind kind;
  int n_corners, n_nodes;
} ElementFacts;

static ElementFacts element_facts(GlobalId type)
{
  static const struct {
    const char *name;
    ElementFacts facts;
  } table[] = {
      {"TETRA", {ELEMENT_CELL, CELL_TETRA, 4, 0}},  {"PYRA", {ELEMENT_CELL, CELL_PYRAMID, 5, 0}},
      {"PENTA", {ELEMENT_CELL, CELL_PRISM, 6, 0}},  {"HEXA", {ELEMENT_CELL, CELL_HEXA, 8, 0}},
      {"TRI", {ELEMENT_SURFACE, CELL_KINDS, 3, 0}}, {"QUAD", {ELEMENT_SURFACE, CELL_KINDS, 4, 0}},
      {"BAR", {ELEMENT_THIN, CELL_KINDS, 0, 0}},    {"NODE", {ELEMENT_THIN, CELL_KINDS, 0, 0}}};
  ElementFacts facts = {.use = ELEMENT_UNKNOWN};
  if (type < CGNS_ENUMV(NODE) || type >= NofValidElementTypes) return facts;
  const char *name = cg_ElementTypeName((CGNS_ENUMT(ElementType_t))type);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strncmp(name, table[i].name, strlen(table[i].name)) == 0) facts = table[i].facts;
  if (facts.use != ELEMENT_UNKNOWN) cg_npe((CGNS_ENUMT(ElementType_t))type, &facts.n_nodes);
  return facts;
}

static bool has_counts(const VolumeRun *run)
{
  return (run->type == CGNS_ENUMV(NGON_n) || run->type == CGNS_ENUMV(NFACE_n)) && !run->has_offsets;
}

/* Entries an element takes whose first entry is `head`; 0 if that makes no sense. */
static GlobalId entries_of(const VolumeRun *run, GlobalId head)
{
  if (run->type != CGNS_ENUMV(MIXED)) return head > 0 ? head + 1 : 0;
  const ElementFacts facts = element_facts(head);
  return facts.n_nodes > 0 ? facts.n_nodes + 1 : 0;
}

/* Part of a section without offsets, held while walking through it. */
typedef struct {
  GlobalId *entry;
  GlobalId first, n;
} Window;

enum { WINDOW = 1 << 18 };

static PetscErrorCode WindowAt(VolumeRead *read, const VolumeRun *run, GlobalId at, Window *window)
{
  PetscFunctionBeginUser;
  if (at >= window->first && at < window->first + window->n) PetscFunctionReturn(PETSC_SUCCESS);
  window->first = at;
  window->n = PetscMin(WINDOW, run->n_data - at);
  PetscCall(VolumeIntegers(read, run, "ElementConnectivity", at, window->n, window->entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the slices of all ranks begin in a section without offsets; on one rank. */
static PetscErrorCode WalkSection(VolumeRead *read, const VolumeRun *run, GlobalId begin[])
{
  PetscFunctionBeginUser;
  Window window = {0};
  GlobalId at = 0;
  int r = 0;
  PetscCall(PetscMalloc1(WINDOW, &window.entry));
  for (GlobalId e = 0; e <= run->n && read->problem[0] == '\0'; e++) {
    for (;
         r <= read->size && run->first + e >= block_first(read->catalog->n_elements, read->size, r);
         r++)
      begin[r] = at;
    if (e == run->n) break;
    GlobalId n = 0;
    if (at < run->n_data) {
      PetscCall(WindowAt(read, run, at, &window));
      n = entries_of(run, window.entry[at - window.first]);
    }
    if (n == 0 || at + n > run->n_data)
      volume_problem(read, "zone %s: section %s: element %lld is cut off or of unknown kind",
                     read->catalog->zone[run->zone].name, run->name, (long long)(run->start + e));
    at += n;
  }
  for (; r <= read->size; r++) begin[r] = at;
  PetscCall(PetscFree(window.entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements [lo, hi) of a run, with the entries and offsets they need. */
typedef struct {
  const VolumeRun *run;
  int place; /* of the run */
  GlobalId lo, hi;
  GlobalId *entry;  /* owned */
  GlobalId *offset; /* owned, hi - lo + 1, from the first entry; NULL: found while walking */
  GlobalId n_entries;
} Slice;

static PetscErrorCode SliceFixed(VolumeRead *read, Slice *slice)
{
  PetscFunctionBeginUser;
  const ElementFacts facts = element_facts(slice->run->type);
  if (facts.n_nodes == 0)
    volume_problem(read, "zone %s: section %s: elements of kind %d are not known",
                   read->catalog->zone[slice->run->zone].name, slice->run->name, slice->run->type);
  slice->n_entries = (slice->hi - slice->lo) * facts.n_nodes;
  PetscCall(PetscMalloc1(slice->n_entries, &slice->entry));
  PetscCall(VolumeIntegers(read, slice->run, "ElementConnectivity", slice->lo * facts.n_nodes,
                           slice->n_entries, slice->entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SliceOffsets(VolumeRead *read, Slice *slice)
{
  PetscFunctionBeginUser;
  const LocalId n = (LocalId)(slice->hi - slice->lo);
  PetscCall(PetscCalloc1(n + 1, &slice->offset));
  PetscCall(
      VolumeIntegers(read, slice->run, "ElementStartOffset", slice->lo, n + 1, slice->offset));
  const GlobalId first = slice->offset[0];
  for (LocalId i = 0; i <= n; i++) {
    if (slice->offset[i] < first || slice->offset[i] > slice->run->n_data ||
        (i > 0 && slice->offset[i] - first < slice->offset[i - 1]))
      volume_problem(read, "zone %s: section %s: offsets do not rise",
                     read->catalog->zone[slice->run->zone].name, slice->run->name);
    slice->offset[i] -= first;
  }
  slice->n_entries = read->problem[0] == '\0' ? slice->offset[n] : 0;
  PetscCall(PetscMalloc1(slice->n_entries, &slice->entry));
  PetscCall(VolumeIntegers(read, slice->run, "ElementConnectivity", first, slice->n_entries,
                           slice->entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Collective: one rank walks, all learn where they begin. */
static PetscErrorCode SliceWalked(VolumeRead *read, Slice *slice)
{
  PetscFunctionBeginUser;
  GlobalId *begin = NULL;
  const int walker = slice->place % read->size;
  PetscCall(PetscCalloc1(read->size + 1, &begin));
  if (read->rank == walker) PetscCall(WalkSection(read, slice->run, begin));
  if (read->problem[0] != '\0') begin[0] = -1; /* the others have nothing to read then */
  PetscCallMPI(MPI_Bcast(begin, read->size + 1, MPIU_INT64, walker, read->comm));
  if (begin[0] < 0) slice->hi = slice->lo;
  const GlobalId first = begin[read->rank];
  slice->n_entries = slice->lo < slice->hi ? begin[read->rank + 1] - first : 0;
  PetscCall(PetscFree(begin));
  PetscCall(PetscMalloc1(slice->n_entries, &slice->entry));
  PetscCall(VolumeIntegers(read, slice->run, "ElementConnectivity", first, slice->n_entries,
                           slice->entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An element as the file gives it: its kind, and its nodes or faces. */
typedef struct {
  ElementFacts facts;
  int n;
  const GlobalId *node;
} Element;

/* Step over one element; false if it does not fit. */
static bool next_element(const Slice *slice, LocalId i, GlobalId *at, Element *element)
{
  const VolumeRun *run = slice->run;
  const bool many = run->type == CGNS_ENUMV(NGON_n) || run->type == CGNS_ENUMV(NFACE_n);
  GlobalId end = slice->n_entries;
  if (slice->offset != NULL) {
    *at = slice->offset[i];
    end = slice->offset[i + 1];
  }
  element->facts = (ElementFacts){.use = ELEMENT_UNKNOWN};
  GlobalId n = end - *at;
  if (has_counts(run) && n > 0) n = slice->entry[(*at)++];
  if (!many) {
    GlobalId type = run->type;
    if (type == CGNS_ENUMV(MIXED) && n > 0) type = slice->entry[(*at)++];
    element->facts = element_facts(type);
    n = element->facts.n_nodes;
    if (n == 0) return false;
  }
  if (n < 0 || n > end - *at || n > PETSC_MAX_INT) return false;
  element->n = (int)n;
  element->node = slice->entry + *at;
  *at += n;
  return true;
}

/* Vertex numbers of a zone to places in the row; false if one is not there. */
static bool to_row(const VolumeZone *zone, int n, const GlobalId node[], GlobalId id[])
{
  for (int i = 0; i < n; i++) {
    if (node[i] < 1 || node[i] > zone->n_vertices) return false;
    id[i] = zone->first_vertex + node[i] - 1;
  }
  return true;
}

static PetscErrorCode AddCell(VolumeRead *read, CellFacts facts, int n, const GlobalId corner[])
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(read->corner.n, &read->cell_room, sizeof facts, &read->cell));
  read->cell[read->corner.n] = facts;
  PetscCall(IdListsAdd(&read->corner, n, corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddSurface(VolumeRead *read, SurfaceFacts facts, int n,
                                 const GlobalId corner[])
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(read->outline.n, &read->surface_room, sizeof facts, &read->surface));
  read->surface[read->outline.n] = facts;
  PetscCall(IdListsAdd(&read->outline, n, corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keep an element of a section; false if its numbers make no sense. */
static PetscErrorCode KeepElement(VolumeRead *read, const Slice *slice, LocalId i,
                                  const Element *element, bool *good)
{
  PetscFunctionBeginUser;
  const VolumeRun *run = slice->run;
  const VolumeZone *zone = &read->catalog->zone[run->zone];
  const GlobalId number = run->first + slice->lo + i;
  const ElementFacts *facts = &element->facts;
  GlobalId id[RING_MOST];
  *good = true;
  if (run->type == CGNS_ENUMV(NFACE_n)) {
    read->run_has_cells[slice->place] = true;
    PetscCall(
        AddCell(read, (CellFacts){CELL_POLYHEDRON, run->zone, number}, element->n, element->node));
  } else if (run->type == CGNS_ENUMV(NGON_n)) {
    *good =
        element->n >= 3 && element->n <= RING_MOST && to_row(zone, element->n, element->node, id);
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
    read->polygon[number - read->first_element] = read->outline.n;
    PetscCall(AddSurface(read, (SurfaceFacts){slice->place, number}, element->n, id));
  } else if (facts->use == ELEMENT_CELL || facts->use == ELEMENT_SURFACE) {
    *good = to_row(zone, facts->n_corners, element->node, id);
    read->n_reduced += facts->n_nodes > facts->n_corners;
    if (facts->use == ELEMENT_CELL) {
      read->run_has_cells[slice->place] = true;
      PetscCall(AddCell(read, (CellFacts){facts->kind, run->zone, number}, facts->n_corners, id));
    } else {
      PetscCall(AddSurface(read, (SurfaceFacts){slice->place, number}, facts->n_corners, id));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSlice(VolumeRead *read, Slice *slice)
{
  PetscFunctionBeginUser;
  const VolumeRun *run = slice->run;
  const bool plain = run->type != CGNS_ENUMV(MIXED) && run->type != CGNS_ENUMV(NGON_n) &&
                     run->type != CGNS_ENUMV(NFACE_n);
  if (plain)
    PetscCall(SliceFixed(read, slice));
  else if (run->has_offsets)
    PetscCall(SliceOffsets(read, slice));
  else
    PetscCall(SliceWalked(read, slice));
  GlobalId at = 0;
  for (LocalId i = 0; i < slice->hi - slice->lo && read->problem[0] == '\0'; i++) {
    Element element = {.n = 0};
    bool good = next_element(slice, i, &at, &element);
    if (good) PetscCall(KeepElement(read, slice, i, &element, &good));
    if (!good)
      volume_problem(read,
                     "zone %s: section %s: element %lld is cut off, of unknown kind, or has a "
                     "vertex that is not there",
                     read->catalog->zone[run->zone].name, run->name,
                     (long long)(run->start + slice->lo + i));
  }
  PetscCall(PetscFree(slice->entry));
  PetscCall(PetscFree(slice->offset));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cells [lo, hi) of a structured zone. */
static PetscErrorCode MakeBlockCells(VolumeRead *read, const Slice *slice)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[slice->run->zone];
  const GlobalId ni = zone->dim[0], nj = zone->dim[1];
  read->run_has_cells[slice->place] = true;
  for (GlobalId e = slice->lo; e < slice->hi; e++) {
    const GlobalId i = e % (ni - 1), j = e / (ni - 1) % (nj - 1), k = e / (ni - 1) / (nj - 1);
    const GlobalId a = zone->first_vertex + i + ni * (j + nj * k), up = ni * nj;
    const GlobalId corner[8] = {a,      a + 1,      a + 1 + ni,      a + ni,
                                a + up, a + up + 1, a + up + 1 + ni, a + up + ni};
    PetscCall(
        AddCell(read, (CellFacts){CELL_HEXA, slice->run->zone, slice->run->first + e}, 8, corner));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeElements(VolumeRead *read)
{
  PetscFunctionBeginUser;
  const VolumeCatalog *catalog = read->catalog;
  read->first_element = block_first(catalog->n_elements, read->size, read->rank);
  read->n_elements = block_count(catalog->n_elements, read->size, read->rank);
  PetscCall(PetscCalloc1(catalog->n_runs, &read->run_has_cells));
  PetscCall(PetscMalloc1(read->n_elements, &read->polygon));
  for (LocalId i = 0; i < read->n_elements; i++) read->polygon[i] = -1;
  const GlobalId end = read->first_element + read->n_elements;
  for (int r = 0; r < catalog->n_runs; r++) {
    const VolumeRun *run = &catalog->run[r];
    Slice slice = {.run = run, .place = r};
    slice.lo = PetscMin(PetscMax(read->first_element - run->first, 0), run->n);
    slice.hi = PetscMax(PetscMin(end - run->first, run->n), slice.lo);
    if (run->section == 0)
      PetscCall(MakeBlockCells(read, &slice));
    else
      PetscCall(ReadSlice(read, &slice));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, read->run_has_cells, catalog->n_runs, MPI_C_BOOL,
                             MPI_LOR, read->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
