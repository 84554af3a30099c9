# Examples are installed with their folders: the case, the files it names, what to look for.
tumbledir = $(docdir)/examples/tumble
dist_tumble_DATA = \
  examples/tumble/README.md \
  examples/tumble/case.yaml
