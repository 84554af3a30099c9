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
  src/body/bodies.c \
  src/body/bodies.h \
  src/body/bodies_impl.h \
  src/body/body.c \
  src/body/body.h \
  src/body/body_spec.h \
  src/body/load.c \
  src/body/load.h \
  src/body/motion_table.c \
  src/body/motion_table.h \
  src/body/path.c \
  src/cli/arguments.c \
  src/cli/arguments.h \
  src/cli/cli.c \
  src/cli/cli.h \
  src/cli/verbs.c \
  src/cli/verbs.h \
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
  src/io/checkpoint.c \
  src/io/checkpoint.h \
  src/io/checkpoint_impl.h \
  src/io/checkpoint_read.c \
  src/io/file.c \
  src/io/file.h \
  src/io/history.c \
  src/io/history.h \
  src/io/lfs.h \
  src/io/stl.c \
  src/io/stl.h \
  src/io/surface_file.c \
  src/io/surface_file.h \
  src/io/table.c \
  src/io/table.h \
  src/overset/overset_spec.h \
  src/sim/clock.c \
  src/sim/clock.h \
  src/sim/output.c \
  src/sim/output.h \
  src/sim/progress.c \
  src/sim/progress.h \
  src/sim/restart.c \
  src/sim/run.c \
  src/sim/run_json.c \
  src/sim/setup.c \
  src/sim/setup.h \
  src/sim/shapes.c \
  src/sim/shapes.h \
  src/sim/sim.c \
  src/sim/sim.h \
  src/sim/step.c \
  src/sim/stop.c \
  src/sim/stop.h
libcarom_la_LIBADD = libkernels.la $(PETSC_LIBS) $(HDF5_LIBS) $(YAML_LIBS) $(CGNS_LIBS) $(P4EST_LIBS)

bin_PROGRAMS += carom
carom_SOURCES = src/main.c
carom_LDADD = libcarom.la
