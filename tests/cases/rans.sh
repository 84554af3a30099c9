#!/bin/sh
# A turbulent run of one grid: y+, resume, mistakes. SPDX-License-Identifier: GPL-3.0-or-later
. "${srcdir:-.}/tests/cases/lib.sh"
"$builddir"/tests/support/make_grid plate plate.cgns 20 1 16 0.3 1 0.5 2e-5 0.02 || fail "no grid"

# `make_case NAME BOUNDARIES FLOW`
make_case() {
  cat >"$1.yaml" <<END
time: {step: 1.0e-4, end: 6.0e-4}
bodies:
  - name: plate
    motion: fixed
    center: [0, 0, 0]
    grid: {file: plate.cgns, boundaries: {$2, symmetry: [ahead, sides], out: [outflow], farfield: [inflow, top]}}
flow:
  equations: rans
  freestream: {mach: 0.2, pressure: 101325, temperature: 300}
$3
output: {fields: 6, checkpoint: 3}
END
}

make_case good 'wall: [plate]' '  reynolds: 1.0e6'
expect 0 "$carom" run good.yaml -o whole
grep -q '^y+ on plate: min .*, mean .*, max ' out || fail "y+ is not told"
head -n 1 whole/flow.csv | grep -q 'yplus_min_plate,yplus_mean_plate,yplus_max_plate$' || fail "no y+ columns"
! grep -q 'y+ on plate is up to' err || fail "warned of a good y+"
expect 0 "$carom" run good.yaml -o parts --steps 3 --quiet
expect 0 "$carom" resume parts --quiet
cut -d, -f1-16,18- whole/flow.csv >a && cut -d, -f1-16,18- parts/flow.csv >b
cmp -s a b || fail "a resumed turbulent run is another one"

# Before the run: an estimate of y+, and first layers made for it.
expect 0 "$carom" check good.yaml
grep -q 'above walls of length [0-9.]*: y+ about' out || fail "check estimates no y+"
cat >ball.yaml <<END
time: {step: 1.0e-4, end: 1.0e-4}
bodies:
  - name: ball
    motion: fixed
    shape: {kind: sphere, radius: 0.5, spacing: 0.3}
    grid: {layers: 8, first: auto, y_plus: 2, growth: 1.5}
flow:
  equations: rans
  freestream: {mach: 0.2, pressure: 101325, temperature: 300}
  reynolds: 1.0e5
END
expect 0 "$carom" check ball.yaml
grep -Eq 'y[+] about (2|2.1|1.[89])$' out || fail "first: auto misses y_plus: $(grep 'y+' out)"
sed 's/equations: rans/equations: euler/;/reynolds/d' ball.yaml >dry.yaml
refuse 2 'auto needs air with friction' check dry.yaml

# First cells that are too high are warned of, with figures.
make_case coarse 'wall: [plate]' '  reynolds: 1.0e8'
expect 0 "$carom" run coarse.yaml -o coarse --steps 1
grep -q 'warning: y+ on plate is up to [0-9.]* (mean [0-9.]*)' err || fail "no warning of y+"

make_case inviscid 'wall: [plate]' '  gas: {viscosity: 0}'
refuse 2 'gas.viscosity: must be positive with equations rans, got 0' run inviscid.yaml
make_case smooth 'slip: [plate]' '  reynolds: 1.0e6'
refuse 2 'rans needs a boundary of kind wall' run smooth.yaml
make_case order 'wall: [plate]' '  turbulence: {order: 3}'
refuse 2 'must be 1 or 2' run order.yaml
