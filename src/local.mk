# The library, with its kernels compiled for speed, and the program.
noinst_LTLIBRARIES += libkernels.la
libkernels_la_CFLAGS = $(AM_CFLAGS) $(KERNEL_CFLAGS)
libkernels_la_SOURCES = \
  src/base/hash.c

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
  src/geom/clean.c \
  src/geom/edges.c \
  src/geom/icosphere.c \
  src/geom/overlap.c \
  src/geom/primitive.c \
  src/geom/primitive.h \
  src/geom/primitive_impl.h \
  src/geom/primitive_mass.c \
  src/geom/revolved.c \
  src/geom/shape_spec.h \
  src/geom/shells.c \
  src/geom/surface.c \
  src/geom/surface.h \
  src/geom/surface_check.c \
  src/geom/surface_check.h \
  src/geom/surface_check_impl.h \
  src/geom/surface_impl.h \
  src/geom/surface_report.c \
  src/geom/triangles.h \
  src/geom/weld.c \
  src/geom/xray.h \
  src/grid/grid_spec.h \
  src/io/cgns_impl.h \
  src/io/cgns_open.c \
  src/io/cgns_section.c \
  src/io/cgns_surface.c \
  src/io/cgns_surface.h \
  src/io/cgns_surface_impl.h \
  src/io/cgns_zone.c \
  src/io/file.c \
  src/io/file.h \
  src/io/lfs.h \
  src/io/stl.c \
  src/io/stl.h \
  src/io/surface_file.c \
  src/io/surface_file.h \
  src/overset/overset_spec.h
libcarom_la_LIBADD = libkernels.la $(PETSC_LIBS) $(HDF5_LIBS) $(YAML_LIBS) $(CGNS_LIBS) $(P4EST_LIBS)

bin_PROGRAMS += carom
carom_SOURCES = src/main.c
carom_LDADD = libcarom.la
