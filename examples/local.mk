# Examples are installed with their folders: the case, the files it names, what to look for.
anvildir = $(docdir)/examples/anvil
dist_anvil_DATA = \
  examples/anvil/README.md \
  examples/anvil/case.yaml
ball_in_streamdir = $(docdir)/examples/ball-in-stream
dist_ball_in_stream_DATA = \
  examples/ball-in-stream/README.md \
  examples/ball-in-stream/case.yaml
cuboidsdir = $(docdir)/examples/cuboids
dist_cuboids_DATA = \
  examples/cuboids/README.md \
  examples/cuboids/case.yaml
embeddir = $(docdir)/examples/embed
dist_embed_DATA = \
  examples/embed/README.md \
  examples/embed/embed.c
pool_breakdir = $(docdir)/examples/pool-break
dist_pool_break_DATA = \
  examples/pool-break/README.md \
  examples/pool-break/case.yaml
slopedir = $(docdir)/examples/slope
dist_slope_DATA = \
  examples/slope/README.md \
  examples/slope/case.yaml
sphere_roddir = $(docdir)/examples/sphere-rod
dist_sphere_rod_DATA = \
  examples/sphere-rod/README.md \
  examples/sphere-rod/case.yaml
sphere_spheredir = $(docdir)/examples/sphere-sphere
dist_sphere_sphere_DATA = \
  examples/sphere-sphere/README.md \
  examples/sphere-sphere/case.yaml
tumbledir = $(docdir)/examples/tumble
dist_tumble_DATA = \
  examples/tumble/README.md \
  examples/tumble/case.yaml
