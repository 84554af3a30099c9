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
  src/config/case.c \
  src/config/case.h \
  src/config/check.c \
  src/config/check_body.c \
  src/config/check_contact.c \
  src/config/check_flow.c \
  src/config/check_impl.h \
  src/config/check_load.c \
  src/config/complaint.c \
  src/config/complaint_impl.h \
  src/config/node.c \
  src/config/node_impl.h \
  src/config/number.c \
  src/config/number_impl.h \
  src/config/print.c \
  src/config/print_impl.h \
  src/config/read.c \
  src/config/read_impl.h \
  src/config/schema.c \
  src/config/schema_body.c \
  src/config/schema_case.c \
  src/config/schema_doc.c \
  src/config/schema_doc.h \
  src/config/schema_flow.c \
  src/config/schema_impl.h \
  src/config/starter.c \
  src/config/suggest.c \
  src/config/suggest_impl.h \
  src/config/utf8.c \
  src/config/utf8_impl.h \
  src/config/value.c \
  src/config/yaml.c \
  src/contact/contact_spec.h \
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
