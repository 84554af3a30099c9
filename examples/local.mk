# Examples are installed with their folders: the case, the files it names, what to look for.
anvildir = $(docdir)/examples/anvil
dist_anvil_DATA = \
  examples/anvil/README.md \
  examples/anvil/case.yaml \
  examples/anvil/plot.png
ball_in_streamdir = $(docdir)/examples/ball-in-stream
dist_ball_in_stream_DATA = \
  examples/ball-in-stream/README.md \
  examples/ball-in-stream/case.yaml
cuboidsdir = $(docdir)/examples/cuboids
dist_cuboids_DATA = \
  examples/cuboids/README.md \
  examples/cuboids/case.yaml \
  examples/cuboids/plot.png
dominoesdir = $(docdir)/examples/dominoes
dist_dominoes_DATA = \
  examples/dominoes/README.md \
  examples/dominoes/case.yaml \
  examples/dominoes/make.py \
  examples/dominoes/row.svg
embeddir = $(docdir)/examples/embed
dist_embed_DATA = \
  examples/embed/README.md \
  examples/embed/embed.c
piledir = $(docdir)/examples/pile
dist_pile_DATA = \
  examples/pile/README.md \
  examples/pile/case.yaml \
  examples/pile/make.py \
  examples/pile/pile.svg
pool_breakdir = $(docdir)/examples/pool-break
dist_pool_break_DATA = \
  examples/pool-break/README.md \
  examples/pool-break/case.yaml \
  examples/pool-break/plot.png
slopedir = $(docdir)/examples/slope
dist_slope_DATA = \
  examples/slope/README.md \
  examples/slope/case.yaml \
  examples/slope/plot.png
sphere_roddir = $(docdir)/examples/sphere-rod
dist_sphere_rod_DATA = \
  examples/sphere-rod/README.md \
  examples/sphere-rod/case.yaml \
  examples/sphere-rod/plot.png
sphere_spheredir = $(docdir)/examples/sphere-sphere
dist_sphere_sphere_DATA = \
  examples/sphere-sphere/README.md \
  examples/sphere-sphere/case.yaml \
  examples/sphere-sphere/plot.png
tumbledir = $(docdir)/examples/tumble
dist_tumble_DATA = \
  examples/tumble/README.md \
  examples/tumble/case.yaml
