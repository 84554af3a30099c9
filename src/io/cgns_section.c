/*
 * Which surface elements does a zone have?
 *
 * Sections of triangles, of quads and of mixed elements are read whole and every number in
 * them is checked once, so that later walks over them need no checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_surface_impl.h"

int cgns_surface_corners(CGNS_ENUMT(ElementType_t) type)
{
  switch (type) {
  case CGNS_ENUMV(TRI_3):
  case CGNS_ENUMV(TRI_6):
    return 3;
  case CGNS_ENUMV(QUAD_4):
  case CGNS_ENUMV(QUAD_8):
  case CGNS_ENUMV(QUAD_9):
    return 4;
  default:
    return 0;
  }
}

CGNS_ENUMT(ElementType_t)
cgns_next_element(const CgnsSection *section, cgsize_t *at, const cgsize_t **corner)
{
  CGNS_ENUMT(ElementType_t) type = section->type;
  if (type == CGNS_ENUMV(MIXED)) type = (CGNS_ENUMT(ElementType_t))section->data[(*at)++];
  int n_nodes = 0;
  cg_npe(type, &n_nodes);
  *corner = section->data + *at;
  *at += n_nodes;
  return type;
}

/* Some files want the offsets of mixed elements left out, others want them asked for. */
static int read_elements(const CgnsGather *g, const CgnsZone *zone, int s, CgnsSection *section,
                         cgsize_t *offset)
{
  if (section->type != CGNS_ENUMV(MIXED))
    return cg_elements_read(g->file, zone->base, zone->zone, s, section->data, NULL);
  if (cg_poly_elements_read(g->file, zone->base, zone->zone, s, section->data, NULL, NULL) == CG_OK)
    return CG_OK;
  return cg_poly_elements_read(g->file, zone->base, zone->zone, s, section->data, offset, NULL);
}

static PetscErrorCode ReadData(const CgnsGather *gather, const CgnsZone *zone, int s,
                               CgnsSection *section)
{
  PetscFunctionBeginUser;
  CgnsCall(gather->path,
           cg_ElementDataSize(gather->file, zone->base, zone->zone, s, &section->n_data));
  PetscCheck(section->n_data >= 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: section %s has no size",
             gather->path, section->name);
  PetscCall(PetscMalloc1(section->n_data + 1, &section->data));
  cgsize_t *offset = NULL;
  PetscCall(PetscMalloc1(section->end - section->start + 2, &offset));
  const int code = read_elements(gather, zone, s, section, offset);
  PetscCall(PetscFree(offset));
  CgnsCall(gather->path, code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the element that starts at `at` of a known kind, whole, and are its corners in the zone? */
static bool element_is_good(const CgnsZone *zone, const CgnsSection *section, cgsize_t at)
{
  const bool mixed = section->type == CGNS_ENUMV(MIXED);
  if (mixed && at >= section->n_data) return false;
  const int type = mixed ? (int)section->data[at++] : (int)section->type;
  int n_nodes = 0;
  if (cg_npe((CGNS_ENUMT(ElementType_t))type, &n_nodes) != CG_OK || n_nodes < 1) return false;
  if (n_nodes > section->n_data - at) return false;
  for (int k = 0; k < cgns_surface_corners((CGNS_ENUMT(ElementType_t))type); k++)
    if (section->data[at + k] < 1 || section->data[at + k] > zone->n_vertices) return false;
  return true;
}

static PetscErrorCode CheckData(const CgnsGather *gather, const CgnsZone *zone,
                                CgnsSection *section)
{
  PetscFunctionBeginUser;
  cgsize_t at = 0;
  for (cgsize_t e = section->start; e <= section->end; e++) {
    PetscCheck(element_is_good(zone, section, at), PETSC_COMM_SELF, CAROM_ERR_FILE,
               "%s: section %s: element %ld is cut off, of unknown kind, or has a vertex that is "
               "not there",
               gather->path, section->name, (long)e);
    const cgsize_t *corner = NULL;
    section->n_surface += cgns_surface_corners(cgns_next_element(section, &at, &corner)) > 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSection(const CgnsGather *gather, CgnsZone *zone, int s,
                                  CgnsSection *section)
{
  PetscFunctionBeginUser;
  int n_boundary = 0, has_parents = 0;
  CgnsCall(gather->path,
           cg_section_read(gather->file, zone->base, zone->zone, s, section->name, &section->type,
                           &section->start, &section->end, &n_boundary, &has_parents));
  PetscCheck(section->start >= 1 && section->end >= section->start - 1 &&
                 section->end < PETSC_MAX_INT,
             PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: section %s: elements %ld to %ld", gather->path,
             section->name, (long)section->start, (long)section->end);
  zone->n_elements = PetscMax(zone->n_elements, section->end);
  const bool mixed = section->type == CGNS_ENUMV(MIXED);
  if (!mixed && cgns_surface_corners(section->type) == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadData(gather, zone, s, section));
  PetscCall(CheckData(gather, zone, section));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsSectionsRead(const CgnsGather *gather, CgnsZone *zone)
{
  PetscFunctionBeginUser;
  CgnsCall(gather->path, cg_nsections(gather->file, zone->base, zone->zone, &zone->n_sections));
  PetscCall(PetscCalloc1(zone->n_sections, &zone->section));
  for (int s = 0; s < zone->n_sections; s++)
    PetscCall(ReadSection(gather, zone, s + 1, &zone->section[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
