# The reference of the case file is made from the schema; a test compares the two.
EXTRA_PROGRAMS += tests/support/write_reference
tests_support_write_reference_LDADD = libcarom.la
CLEANFILES += tests/support/write_reference$(EXEEXT)
EXTRA_DIST += doc/case.md

.PHONY: case-reference
case-reference: tests/support/write_reference$(EXEEXT)
	tests/support/write_reference$(EXEEXT) >$(top_srcdir)/doc/case.md.new
	mv $(top_srcdir)/doc/case.md.new $(top_srcdir)/doc/case.md
