# The manual page, the completion of the shell, and the pages to read.
dist_man_MANS = doc/carom.1 doc/carom-check.1 doc/carom-grid.1 doc/carom-info.1 doc/carom-init.1 \
  doc/carom-plot.1 doc/carom-report.1 doc/carom-resume.1 doc/carom-run.1
dist_doc_DATA = CHANGELOG.md CONTRIBUTING.md LICENSE README.md
completiondir = $(datadir)/bash-completion/completions
EXTRA_DIST += doc/carom.bash

install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(completiondir)"
	$(INSTALL_DATA) $(top_srcdir)/doc/carom.bash "$(DESTDIR)$(completiondir)/carom"
uninstall-local:
	rm -f "$(DESTDIR)$(completiondir)/carom"
# The reference of the case file is made from the schema; a test compares the two.
EXTRA_PROGRAMS += tests/support/write_reference
tests_support_write_reference_LDADD = libcarom.la
CLEANFILES += tests/support/write_reference$(EXEEXT)
EXTRA_DIST += doc/case.md doc/extend.md doc/hide_holes.py doc/look.md doc/manual.css doc/manual.sh doc/method.md \
  doc/report-dark.png doc/report-light.png doc/results/bench.txt doc/results/verify.txt doc/slice.png doc/start.md doc/tables.py doc/tour.md doc/trouble.md

# The manual in one piece, to read and to print.
.PHONY: manual
manual:
	$(SHELL) $(top_srcdir)/doc/manual.sh $(top_builddir)/manual

.PHONY: case-reference
case-reference: tests/support/write_reference$(EXEEXT)
	tests/support/write_reference$(EXEEXT) >$(top_srcdir)/doc/case.md.new
	mv $(top_srcdir)/doc/case.md.new $(top_srcdir)/doc/case.md
