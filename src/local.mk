# The library, with its kernels compiled for speed, and the program.
noinst_LTLIBRARIES += libkernels.la
libkernels_la_CFLAGS = $(AM_CFLAGS) $(KERNEL_CFLAGS)
libkernels_la_SOURCES = \
  src/base/hash.c \
  src/geom/xray_contains_kernels.c \
  src/geom/xray_distance_kernels.c \
  src/geom/xray_raster_kernels.c

lib_LTLIBRARIES += libcarom.la
libcarom_la_SOURCES = \
  src/base/arena.c \
  src/base/arena.h \
  src/base/box.h \
  src/base/error.c \
  src/base/error.h \
  src/base/hash.h \
  src/base/mat3.c \
  src/base/mat3.h \
  src/base/names.h \
  src/base/pose.h \
  src/base/quat.c \
  src/base/quat.h \
  src/base/vec3.h \
  src/base/version.c \
  src/base/version.h \
  src/body/body_spec.h \
  src/cli/cli.c \
  src/cli/cli.h \
  src/config/case.h \
  src/config/schema_doc.h \
  src/contact/contact_spec.h \
  src/flow/flow_spec.h \
  src/geom/edges.c \
  src/geom/icosphere.c \
  src/geom/pn_patch.c \
  src/geom/pn_patch.h \
  src/geom/primitive.c \
  src/geom/primitive.h \
  src/geom/primitive_impl.h \
  src/geom/primitive_mass.c \
  src/geom/revolved.c \
  src/geom/shape_spec.h \
  src/geom/sphere_tree.c \
  src/geom/sphere_tree.h \
  src/geom/surface.c \
  src/geom/surface.h \
  src/geom/surface_impl.h \
  src/geom/topology.c \
  src/geom/topology.h \
  src/geom/triangle.h \
  src/geom/xray.c \
  src/geom/xray.h \
  src/geom/xray_block.c \
  src/geom/xray_columns.c \
  src/geom/xray_contains.c \
  src/geom/xray_contains_kernels.h \
  src/geom/xray_distance.c \
  src/geom/xray_distance_kernels.h \
  src/geom/xray_draft.h \
  src/geom/xray_gap.c \
  src/geom/xray_impl.h \
  src/geom/xray_raster_kernels.h \
  src/geom/xray_rays.c \
  src/geom/xray_records.h \
  src/geom/xray_voxels.c \
  src/grid/grid_spec.h \
  src/overset/overset_spec.h
libcarom_la_LIBADD = libkernels.la $(PETSC_LIBS) $(HDF5_LIBS) $(YAML_LIBS) $(CGNS_LIBS) $(P4EST_LIBS)

bin_PROGRAMS += carom
carom_SOURCES = src/main.c
carom_LDADD = libcarom.la
