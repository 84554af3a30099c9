# Benchmarks: built on demand, make bench/xray.
EXTRA_PROGRAMS += bench/xray
bench_xray_SOURCES = bench/xray.c
bench_xray_LDADD = libcarom.la
