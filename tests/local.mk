# Tests: add the file under tests/unit or tests/mpi and one line here.
check_LIBRARIES += libtest.a
libtest_a_SOURCES = \
  tests/support/cgns_zones.h \
  tests/support/cloud_hits.h \
  tests/support/main.c \
  tests/support/meeting.c \
  tests/support/meeting.h \
  tests/support/near_scene.c \
  tests/support/near_scene.h \
  tests/support/patch_reference.c \
  tests/support/patch_reference.h \
  tests/support/random_contact.h \
  tests/support/shapes.c \
  tests/support/shapes.h \
  tests/support/support.h \
  tests/support/walls.c \
  tests/support/walls.h
libtest_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

UNIT_TESTS = \
  tests/unit/test_api_carom \
  tests/unit/test_base_math \
  tests/unit/test_base_screw \
  tests/unit/test_body_path \
  tests/unit/test_cli_arguments \
  tests/unit/test_config_case \
  tests/unit/test_config_doc \
  tests/unit/test_config_mistakes \
  tests/unit/test_config_number \
  tests/unit/test_contact_cloud \
  tests/unit/test_contact_cloud_hull \
  tests/unit/test_contact_crowd \
  tests/unit/test_contact_exact \
  tests/unit/test_contact_hertz \
  tests/unit/test_contact_impact \
  tests/unit/test_contact_island \
  tests/unit/test_contact_look \
  tests/unit/test_contact_tritri \
  tests/unit/test_flow_freestream \
  tests/unit/test_flow_patch \
  tests/unit/test_flow_patch_narrow \
  tests/unit/test_flow_patch_viscous \
  tests/unit/test_flow_sa \
  tests/unit/test_geom_divide \
  tests/unit/test_geom_gap \
  tests/unit/test_geom_primitive \
  tests/unit/test_geom_surface \
  tests/unit/test_geom_surface_check \
  tests/unit/test_geom_trim \
  tests/unit/test_geom_xray \
  tests/unit/test_grid_extrude \
  tests/unit/test_io_cgns_surface \
  tests/unit/test_io_history \
  tests/unit/test_io_stl \
  tests/unit/test_io_table \
  tests/unit/test_sim_step
MPI_TESTS = \
  tests/mpi/test_comm_post \
  tests/mpi/test_comm_sum \
  tests/mpi/test_flow_implicit \
  tests/mpi/test_flow_near \
  tests/mpi/test_flow_off_body \
  tests/mpi/test_flow_off_body_implicit \
  tests/mpi/test_flow_turbulence \
  tests/mpi/test_grid_extruded \
  tests/mpi/test_grid_forest \
  tests/mpi/test_grid_locate \
  tests/mpi/test_grid_near_grid \
  tests/mpi/test_io_checkpoint \
  tests/mpi/test_io_grid_blocks \
  tests/mpi/test_io_grid_elements \
  tests/mpi/test_io_grid_file \
  tests/mpi/test_io_surface_file \
  tests/mpi/test_overset
VERIFY_TESTS = \
  tests/verify/verify_near \
  tests/verify/verify_pairs \
  tests/verify/verify_xray
SCRIPT_TESTS = \
  tests/build/embed.sh \
  tests/build/missing.sh \
  tests/cases/contact.sh \
  tests/cases/coupled.sh \
  tests/cases/crash.sh \
  tests/cases/files.sh \
  tests/cases/flags.sh \
  tests/cases/full.sh \
  tests/cases/gap.sh \
  tests/cases/grid.sh \
  tests/cases/hertz.sh \
  tests/cases/material.sh \
  tests/cases/off_body.sh \
  tests/cases/overset.sh \
  tests/cases/plot.sh \
  tests/cases/rans.sh \
  tests/cases/report.sh \
  tests/cases/resume.sh \
  tests/cases/sides.sh \
  tests/cases/slices.sh \
  tests/cases/stop.sh \
  tests/cases/surfaces.sh \
  tests/cases/wet.sh \
  tests/cases/whole.sh \
  tests/doc/manual.sh \
  tests/lint/format.sh \
  tests/lint/layers.sh \
  tests/lint/selftest.sh \
  tests/lint/sizes.sh \
  tests/viewer/viewer.sh

check_PROGRAMS += $(UNIT_TESTS) $(MPI_TESTS) tests/support/make_grid \
  tests/support/read_fields
tests_support_make_grid_SOURCES = tests/support/make_grid.c
tests_support_make_grid_LDADD = $(CGNS_LIBS)
tests_support_read_fields_SOURCES = tests/support/read_fields.c
tests_support_read_fields_LDADD = $(CGNS_LIBS)
tests_unit_test_sim_step_SOURCES = tests/unit/test_sim_step.c \
  tests/support/allocations.c tests/support/allocations.h
tests_mpi_test_overset_SOURCES = tests/mpi/test_overset.c \
  tests/support/allocations.c tests/support/allocations.h
AM_TESTS_ENVIRONMENT =
LOG_COMPILER = $(top_builddir)/tests/run_test.sh
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(top_builddir)/tests/run_test.sh
LDADD = libtest.a libcarom.la $(CHECK_LIBS)
AM_CPPFLAGS += -I$(top_srcdir)/tests/support
TESTS += $(UNIT_TESTS) $(MPI_TESTS) $(SCRIPT_TESTS)
# Read by rows of the verification that ask for more than the histories hold.
VERIFY_TOOLS = tests/verify/off_body_error
EXTRA_PROGRAMS += $(VERIFY_TESTS) $(VERIFY_TOOLS)
tests_verify_off_body_error_LDADD = libcarom.la
CLEANFILES += $(VERIFY_TOOLS)
EXTRA_DIST += $(SCRIPT_TESTS) tests/lsan.supp \
  tests/cases/contract.yaml tests/cases/flight.yaml tests/cases/flight_force.csv \
  tests/cases/flight_motion.csv tests/cases/lib.sh tests/cases/bounce.yaml tests/cases/hertz.yaml \
  tests/cases/coupled.yaml tests/cases/gap.yaml tests/cases/off_body.yaml \
  tests/cases/overset.yaml tests/cases/picture.py \
  tests/cases/report.py tests/cases/small.yaml \
  tests/fuzz/fuzz_case.c tests/fuzz/fuzz_stl.c scripts/fuzz \
  tests/verify/carom_case.py \
  tests/verify/exact.py \
  tests/verify/rows/bounce.py \
  tests/verify/rows/contact.py \
  tests/verify/rows/flight.py \
  tests/verify/rows/guided.py \
  tests/verify/rows/hertz.py \
  tests/verify/rows/impact.py \
  tests/verify/rows/near.py \
  tests/verify/rows/off_body.py \
  tests/verify/rows/overset.py \
  tests/verify/rows/tumble.py \
  tests/verify/rows/tunnel.py \
  tests/verify/scene.py \
  tests/viewer/contact.png tests/viewer/drop.yaml tests/viewer/hundreds.png \
  tests/viewer/page.mjs tests/viewer/wet.png

# The unit tests alone, and the slow ones that make check leaves out.
.PHONY: check-unit check-verify
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(UNIT_TESTS) tests/cases/whole.sh'
check-verify: $(check_LIBRARIES) $(VERIFY_TESTS)
	status=0; for test in $(VERIFY_TESTS); do \
	  TEST_SECONDS=1800 $(SHELL) $(top_srcdir)/build-aux/test-driver --test-name $$test \
	    --log-file $$test.log --trs-file $$test.trs --color-tests no --enable-hard-errors yes \
	    --expect-failure no -- tests/run_test.sh ./$$test; \
	  grep -q 'result: PASS' $$test.trs || status=1; \
	done; exit $$status
CLEANFILES += $(VERIFY_TESTS:=.log) $(VERIFY_TESTS:=.trs) test_io_surface_file.stl
