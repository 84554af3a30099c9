# Tests: add the file under tests/unit or tests/mpi and one line here.
check_LIBRARIES += libtest.a
libtest_a_SOURCES = tests/support/main.c tests/support/random_contact.h tests/support/support.h
libtest_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

UNIT_TESTS = \
  tests/unit/test_base_math \
  tests/unit/test_contact_impact \
  tests/unit/test_contact_island
MPI_TESTS =
SCRIPT_TESTS = \
  tests/lint/format.sh \
  tests/lint/layers.sh \
  tests/lint/sizes.sh

check_PROGRAMS += $(UNIT_TESTS) $(MPI_TESTS)
AM_TESTS_ENVIRONMENT =
LOG_COMPILER = $(top_builddir)/tests/run_test.sh
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(top_builddir)/tests/run_test.sh
LDADD = libtest.a libcarom.la $(CHECK_LIBS)
AM_CPPFLAGS += -I$(top_srcdir)/tests/support
TESTS += $(UNIT_TESTS) $(MPI_TESTS) $(SCRIPT_TESTS)
EXTRA_DIST += $(SCRIPT_TESTS) tests/lsan.supp
