# Examples are installed with their folders: the case, the files it names, what to look for.
anvildir = $(docdir)/examples/anvil
dist_anvil_DATA = \
  examples/anvil/README.md \
  examples/anvil/case.yaml
cuboidsdir = $(docdir)/examples/cuboids
dist_cuboids_DATA = \
  examples/cuboids/README.md \
  examples/cuboids/case.yaml
embeddir = $(docdir)/examples/embed
dist_embed_DATA = \
  examples/embed/README.md \
  examples/embed/embed.c
sphere_spheredir = $(docdir)/examples/sphere-sphere
dist_sphere_sphere_DATA = \
  examples/sphere-sphere/README.md \
  examples/sphere-sphere/case.yaml
tumbledir = $(docdir)/examples/tumble
dist_tumble_DATA = \
  examples/tumble/README.md \
  examples/tumble/case.yaml
