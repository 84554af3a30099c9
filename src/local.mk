# The library, with its kernels compiled for speed, and the program.
noinst_LTLIBRARIES += libkernels.la
libkernels_la_CFLAGS = $(AM_CFLAGS) $(KERNEL_CFLAGS)
libkernels_la_SOURCES = \
  src/base/hash.c \
  src/contact/impact_slip.c

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
  src/contact/contact_frame.c \
  src/contact/contact_spec.h \
  src/contact/impact.c \
  src/contact/impact.h \
  src/contact/impact_impl.h \
  src/contact/impact_six.c \
  src/contact/island.c \
  src/contact/island.h \
  src/contact/island_impl.h \
  src/contact/island_march.c \
  src/contact/island_normal.c \
  src/contact/island_rest.c \
  src/contact/mobility.c \
  src/contact/mobility.h \
  src/flow/flow_spec.h \
  src/geom/primitive.h \
  src/geom/shape_spec.h \
  src/geom/surface.h \
  src/geom/xray.h \
  src/grid/grid_spec.h \
  src/overset/overset_spec.h
libcarom_la_LIBADD = libkernels.la $(PETSC_LIBS) $(HDF5_LIBS) $(YAML_LIBS) $(CGNS_LIBS) $(P4EST_LIBS)

bin_PROGRAMS += carom
carom_SOURCES = src/main.c
carom_LDADD = libcarom.la
