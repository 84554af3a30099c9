/*
 * Sections of polygons and polyhedra, written piece by piece.
 *
 * The library writes such sections only whole, which no rank can hold; so the nodes are made and
 * filled one level below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_impl.h"
#include "io/grid_write_impl.h"

#include <cgns_io.h>
#include <stdio.h>
#include <string.h>

#define NodeCall(writer, call)                                         \
  PetscCheck((call) == CGIO_ERR_NONE, PETSC_COMM_SELF, CAROM_ERR_FILE, \
             "%s: cannot be written: a section of polygons fails", (writer)->path)

static PetscErrorCode AddNode(const GridWriter *w, int io, double parent, const char *name,
                              const char *label, cgsize_t n, double *node)
{
  PetscFunctionBeginUser;

  /* The library copies as many bytes as a name may have. */
  char padded_name[CGNS_NAME] = "", padded_label[CGNS_NAME] = "";
  snprintf(padded_name, sizeof padded_name, "%s", name);
  snprintf(padded_label, sizeof padded_label, "%s", label);
  NodeCall(w, cgio_create_node(io, parent, padded_name, node));
  NodeCall(w, cgio_set_label(io, *node, padded_label));
  NodeCall(w, cgio_set_dimensions(io, *node, "I4", 1, &n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes of a section of n_all lists with n_items entries; on rank 0. */
static PetscErrorCode StartLists(GridWriter *w, const char *name, WriterKind kind, GlobalId n_all,
                                 GlobalId n_items)
{
  PetscFunctionBeginUser;
  int io = 0;
  double root = 0.0, zone = 0.0, section = 0.0, range = 0.0;
  char short_name[CGNS_NAME];
  const int32_t type = kind == WRITER_POLYGONS ? CGNS_ENUMV(NGON_n) : CGNS_ENUMV(NFACE_n);
  const int32_t facts[2] = {type, 0};
  const int32_t ends[2] = {(int32_t)w->first_element + 1, (int32_t)w->n_elements};
  PetscCheck(n_items < 2147483647, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: more corners than this CGNS library can number", w->path);
  snprintf(short_name, sizeof short_name, "%.32s", name);
  PetscCheck(cg_get_cgio(w->file, &io) == CG_OK && cg_root_id(w->file, &root) == CG_OK,
             PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %s", w->path, cg_get_error());
  NodeCall(w, cgio_get_node_id(io, root, "/Base/" WRITER_ZONE, &zone));
  PetscCall(AddNode(w, io, zone, short_name, "Elements_t", 2, &section));
  NodeCall(w, cgio_write_all_data(io, section, facts));
  PetscCall(AddNode(w, io, section, "ElementRange", "IndexRange_t", 2, &range));
  NodeCall(w, cgio_write_all_data(io, range, ends));
  PetscCall(AddNode(w, io, section, "ElementStartOffset", "DataArray_t", (cgsize_t)n_all + 1,
                    &w->offset_node));
  PetscCall(AddNode(w, io, section, "ElementConnectivity", "DataArray_t", (cgsize_t)n_items,
                    &w->entry_node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Write a piece of an array of integers. */
static PetscErrorCode TakeIntegers(void *context, GlobalId first, LocalId n, const void *record)
{
  PetscFunctionBeginUser;
  GridWriter *w = context;
  const GlobalId *from = record;
  const cgsize_t begin = (cgsize_t)first + 1, end = (cgsize_t)(first + n), one = 1, dim = n;
  int io = 0;
  int32_t *narrow = NULL;
  PetscCall(PetscMalloc1(n, &narrow));
  for (LocalId i = 0; i < n; i++) narrow[i] = (int32_t)from[i];
  PetscCheck(cg_get_cgio(w->file, &io) == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %s", w->path,
             cg_get_error());
  NodeCall(w, cgio_write_data(io, w->stream_node, &begin, &end, &one, 1, &dim, &one, &dim, &one,
                              narrow));
  PetscCall(PetscFree(narrow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterLists(GridWriter *w, const char *name, WriterKind kind, const IdLists *lists)
{
  PetscFunctionBeginUser;
  MPI_Comm comm = w->grid->comm;
  const GlobalId here[2] = {lists->n, lists->n > 0 ? lists->start[lists->n] : 0};
  GlobalId all[2] = {0, 0}, before[2] = {0, 0}, *offset = NULL;
  PetscErrorCode code = PETSC_SUCCESS;
  int size = 0;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Allreduce(here, all, 2, MPIU_INT64, MPI_SUM, comm));
  PetscCallMPI(MPI_Exscan(here, before, 2, MPIU_INT64, MPI_SUM, comm));
  if (w->rank == 0) before[0] = before[1] = 0;
  if (all[0] == 0) PetscFunctionReturn(PETSC_SUCCESS);
  w->first_element = w->n_elements;
  w->n_elements += all[0];
  if (w->rank == 0) code = StartLists(w, name, kind, all[0], all[1]);
  PetscCall(CgnsVerdict(comm, code));

  /* Each rank tells where its lists begin; the last also where they end. */
  const LocalId n = lists->n + (w->rank == size - 1);
  PetscCall(PetscMalloc1(n, &offset));
  for (LocalId i = 0; i < n; i++) offset[i] = before[1] + (lists->n > 0 ? lists->start[i] : 0);
  w->stream_node = w->offset_node;
  code = StreamToFirst(comm, sizeof *offset, n, offset, TakeIntegers, w);
  PetscCall(CgnsVerdict(comm, code));
  w->stream_node = w->entry_node;
  code = StreamToFirst(comm, sizeof *lists->item, (LocalId)here[1], lists->item, TakeIntegers, w);
  PetscCall(CgnsVerdict(comm, code));
  PetscCall(PetscFree(offset));
  PetscFunctionReturn(PETSC_SUCCESS);
}
