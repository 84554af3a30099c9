# The manual page, the completion of the shell, and the pages to read.
dist_man_MANS = doc/carom.1
dist_doc_DATA = CHANGELOG.md CONTRIBUTING.md LICENSE README.md
completiondir = $(datadir)/bash-completion/completions
EXTRA_DIST += doc/carom.bash

install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(completiondir)"
	$(INSTALL_DATA) $(top_srcdir)/doc/carom.bash "$(DESTDIR)$(completiondir)/carom"
uninstall-local:
	rm -f "$(DESTDIR)$(completiondir)/carom"
