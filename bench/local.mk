# Measurements: built on request (make bench/impact), never by default.
EXTRA_PROGRAMS += \
  bench/impact
bench_impact_LDADD = libcarom.la
