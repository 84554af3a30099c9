<<<<<<< HEAD
# Benchmarks: made on request by scripts/bench, each as bench/NAME from bench/NAME.c.
BENCHES = \
  bench/hash \
  bench/xray
EXTRA_PROGRAMS += $(BENCHES)
CLEANFILES += $(BENCHES)
bench_hash_SOURCES = bench/bench.h bench/hash.c
bench_hash_LDADD = libcarom.la
bench_xray_SOURCES = bench/bench.h bench/xray.c
bench_xray_LDADD = libcarom.la
EXTRA_DIST += \
  bench/peers/contact_bullet.cpp \
  bench/peers/contact_fcl.cpp \
  bench/peers/contact_ode.cpp \
  bench/peers/spheres.h
=======
# Measurements: built on request (make bench/impact), never by default.
EXTRA_PROGRAMS += \
  bench/impact
bench_impact_LDADD = libcarom.la
>>>>>>> laws
