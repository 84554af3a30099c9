# Benchmarks: made on request by scripts/bench, each as bench/NAME from bench/NAME.c.
BENCHES = \
  bench/bodies \
  bench/contact \
  bench/forest \
  bench/hash \
  bench/impact \
  bench/nearbody \
  bench/offbody \
  bench/overset \
  bench/xray
EXTRA_PROGRAMS += $(BENCHES)
CLEANFILES += $(BENCHES)
bench_bodies_SOURCES = bench/bench.h bench/bodies.c tests/support/allocations.c \
  tests/support/allocations.h
bench_bodies_LDADD = libcarom.la
bench_contact_SOURCES = bench/bench.h bench/contact.c
bench_contact_LDADD = libcarom.la
bench_forest_SOURCES = bench/bench.h bench/forest.c
bench_forest_LDADD = libcarom.la
bench_hash_SOURCES = bench/bench.h bench/hash.c
bench_hash_LDADD = libcarom.la
bench_impact_SOURCES = bench/bench.h bench/impact.c
bench_impact_LDADD = libcarom.la
bench_nearbody_SOURCES = bench/bench.h bench/nearbody.c tests/support/near_scene.c \
  tests/support/near_scene.h
bench_nearbody_LDADD = libcarom.la
bench_offbody_SOURCES = bench/bench.h bench/offbody.c
bench_offbody_LDADD = libcarom.la
bench_overset_SOURCES = bench/bench.h bench/overset.c
bench_overset_LDADD = libcarom.la
bench_xray_SOURCES = bench/bench.h bench/xray.c
bench_xray_LDADD = libcarom.la
EXTRA_DIST += \
  bench/packed.py \
  bench/peers/contact_bullet.cpp \
  bench/peers/contact_fcl.cpp \
  bench/peers/contact_ode.cpp \
  bench/peers/nearbody_openfoam.py \
  bench/peers/offbody_openfoam.py \
  bench/peers/openfoam_vortex.py \
  bench/peers/spheres.h \
  bench/peers/xray_fcl.cpp \
  bench/peers/xray_ode.cpp
