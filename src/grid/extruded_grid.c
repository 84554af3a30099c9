#include "grid/extruded_grid.h"

#include "comm/block.h"
#include "geom/primitive.h"

static PetscErrorCode WallOfShape(const ExtrudedGridSpec *spec, WallMesh **wall)
{
  PetscFunctionBeginUser;
  Surface *made = NULL;
  if (shape_is_primitive(spec->shape->kind)) {
    const ShapeSpec fine = wall_mesh_shape(spec->shape);
    PetscCall(PrimitiveCreate(&fine, &made));
  }
  const Surface *surface = made != NULL ? made : spec->surface;
  const double spacing = wall_mesh_spacing(spec->shape, surface);
  PetscCall(WallMeshFromSurface(surface, spacing, wall));
  PetscCall(SurfaceDestroy(&made));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtrudedLayersCreate(const ExtrudedGridSpec *spec, Extrusion **layers)
{
  PetscFunctionBeginUser;
  WallMesh *wall = NULL;
  PetscCall(WallOfShape(spec, &wall));
  ExtrusionSpec named = spec->layers;
  named.name = spec->name;
  PetscCall(ExtrusionCreate(wall, named, layers));
  for (int v = 0; v < (*layers)->n_vertices; v++)
    (*layers)->vertex[v] = vec3_sub((*layers)->vertex[v], spec->origin);
  PetscCall(WallMeshDestroy(&wall));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What one rank gives. */
typedef struct {
  GridInput input;
  CellKind *kind; /* owned, as all below */
  LocalId *corner_start, *face_start;
  GlobalId *corner, *face_corner;
  int *face_patch;
} Slice;

static PetscErrorCode SliceCells(const Extrusion *e, int size, int rank, Slice *slice)
{
  PetscFunctionBeginUser;
  GridInput *in = &slice->input;
  in->n_cells = (GlobalId)e->n_prisms + e->n_hexahedra;
  in->first_cell = block_first(in->n_cells, size, rank);
  in->n_cells_here = block_count(in->n_cells, size, rank);
  const LocalId n = in->n_cells_here;
  PetscCall(
      PetscMalloc3(n, &slice->kind, n + 1, &slice->corner_start, 8 * (size_t)n, &slice->corner));
  slice->corner_start[0] = 0;
  for (LocalId c = 0; c < n; c++) {
    const GlobalId cell = in->first_cell + c;
    const bool prism = cell < e->n_prisms;
    const int *corner = prism ? e->prism[cell] : e->hexahedron[cell - e->n_prisms];
    const int n_corners = prism ? 6 : 8, at = slice->corner_start[c];
    for (int k = 0; k < n_corners; k++) slice->corner[at + k] = corner[k];
    slice->kind[c] = prism ? CELL_PRISM : CELL_HEXA;
    slice->corner_start[c + 1] = at + n_corners;
  }
  in->kind = slice->kind;
  in->corner_start = slice->corner_start;
  in->corner = slice->corner;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces of the body, then those of the other end. */
static PetscErrorCode SliceFaces(const Extrusion *e, int size, int rank, Slice *slice)
{
  PetscFunctionBeginUser;
  GridInput *in = &slice->input;
  const GlobalId n_faces = 2 * (GlobalId)e->n_faces, first = block_first(n_faces, size, rank);
  const LocalId n = block_count(n_faces, size, rank);
  PetscCall(PetscMalloc3(n + 1, &slice->face_start, 4 * (size_t)n, &slice->face_corner, n,
                         &slice->face_patch));
  slice->face_start[0] = 0;
  for (LocalId f = 0; f < n; f++) {
    const GlobalId id = first + f;
    const bool body = id < e->n_faces;
    const int *face = body ? e->body[id] : e->outer[id - e->n_faces];
    const int n_corners = face_corners(face), at = slice->face_start[f];
    for (int k = 0; k < n_corners; k++) slice->face_corner[at + k] = face[k];
    slice->face_patch[f] = body ? 0 : 1;
    slice->face_start[f + 1] = at + n_corners;
  }
  in->n_faces_here = n;
  in->face_start = slice->face_start;
  in->face_corner = slice->face_corner;
  in->face_patch = slice->face_patch;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtrudedGridFromLayers(MPI_Comm comm, const char *name, const Extrusion *layers,
                                      NearGrid **grid)
{
  PetscFunctionBeginUser;
  static const PatchInput patch[2] = {{"body", HINT_WALL}, {"outer", HINT_OVERSET}};
  int rank = 0, size = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  Slice slice = {.input = {.name = name,
                           .n_vertices = layers->n_vertices,
                           .vertex = layers->vertex + block_first(layers->n_vertices, size, rank),
                           .n_patches = 2,
                           .patch = patch}};
  PetscCall(SliceCells(layers, size, rank, &slice));
  PetscCall(SliceFaces(layers, size, rank, &slice));
  PetscCall(NearGridCreate(comm, &slice.input, grid));
  PetscCall(PetscFree3(slice.kind, slice.corner_start, slice.corner));
  PetscCall(PetscFree3(slice.face_start, slice.face_corner, slice.face_patch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExtrudedGridCreate(MPI_Comm comm, const ExtrudedGridSpec *spec, NearGrid **grid,
                                  ExtrusionQuality *quality)
{
  PetscFunctionBeginUser;
  Extrusion *layers = NULL;
  PetscCall(ExtrudedLayersCreate(spec, &layers));
  PetscCall(ExtrudedGridFromLayers(comm, spec->name, layers, grid));
  if (quality != NULL) *quality = layers->quality;
  PetscCall(ExtrusionDestroy(&layers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
