#!/bin/sh
# A wet run of one grid: results, resume, ranks, mistakes. SPDX-License-Identifier: GPL-3.0-or-later
. "${srcdir:-.}/tests/cases/lib.sh"
"$builddir"/tests/support/make_grid box box.cgns 16 6 6 0 1 -0.2 0.2 -0.2 0.2 || fail "no grid"

# `make_case NAME BOUNDARIES FLOW`
make_case() {
  cat >"$1.yaml" <<EOF
time: {step: 0.01, end: 0.1}
bodies:
  - name: box
    motion: prescribed
    velocity: [0.1, 0, 0]
    spin: [0, 0, 1]
    center: [0, 0, 0]
    grid: {file: box.cgns, boundaries: {$2}}
flow:
  freestream: {mach: 0.5, density: 1, pressure: 1}
$3
reference: {point: [0.5, 0, 0], length: 0.2}
output: {fields: 5, checkpoint: 4}
EOF
}

# The columns of flow.csv but the timings.
flow_of() { cut -d, -f1-16,18- "$1/flow.csv"; }

sides='slip: [ymin, ymax], wall: [zmin, zmax], farfield: [xmin, xmax]'
explicit='  initial: sod
  integrator: ssprk3'
make_case whole "$sides" "$explicit"
expect 0 "$carom" run whole.yaml -o one --quiet
[ -f one/fields/step_00000005.cgns ] && [ -f one/fields/step_00000010.cgns ] || fail "no fields"
[ "$(wc -l <one/flow.csv)" -eq 12 ] || fail "flow.csv has not 12 lines"

# The same on any number of ranks, stopped and gone on with on another.
for n in 2 4; do
  expect 0 ranks $n run whole.yaml -o many$n --quiet
  flow_of one >a && flow_of many$n >b
  cmp -s a b || fail "flow.csv differs on $n ranks"
  cmp -s one/bodies.csv many$n/bodies.csv || fail "bodies.csv differs on $n ranks"
done
expect 0 ranks 2 run whole.yaml -o stopped --steps 6 --quiet
expect 0 ranks 4 resume stopped --quiet
flow_of one >a && flow_of stopped >b
cmp -s a b || fail "flow.csv differs after a resume"
cmp -s one/bodies.csv stopped/bodies.csv || fail "bodies.csv differs after a resume"

# Implicit: the same after a resume on the same ranks.
make_case implicit "$sides" "  initial: vortex"
expect 0 ranks 2 run implicit.yaml -o whole --quiet
expect 0 ranks 2 run implicit.yaml -o parts --steps 5 --quiet
expect 0 ranks 2 resume parts --quiet
flow_of whole >a && flow_of parts >b
cmp -s a b || fail "flow.csv of bdf2 differs after a resume"

# A state can be taken over by another case.
make_case next "$sides" "  initial: one
  integrator: ssprk3"
expect 0 "$carom" run next.yaml -o next --quiet
tail -n 1 one/flow.csv | cut -d, -f10-13 >a
sed -n 2p next/flow.csv | cut -d, -f10-13 >b
cmp -s a b || fail "the state was not taken over"

# Mistakes.
make_case wrong "slip: [ymin, ymax], wall: [zmin, zmax], farfield: [xmin, xmax, tail]" "$explicit"
refuse_all 2 "the grid has no boundary 'tail'; it has " run wrong.yaml
make_case few "slip: [ymin, ymax], wall: [zmin, zmax], farfield: [xmin]" "$explicit"
refuse_all 2 "bodies[0].grid.boundaries: says nothing of boundary 'xmax'" run few.yaml
expect 4 "$carom" run implicit.yaml -o hopeless --quiet -- -flow_snes_max_it 1
grep -q "step .* failed at t = .*; fields of that moment are in" err || fail "no reason was given"
ls hopeless/fields/*.cgns >/dev/null || fail "no fields of the moment before"

# Periodic sides are joined to their opposites, on any number of ranks; one alone is refused.
make_case round "periodic: [xmin, xmax, ymin, ymax, zmax, zmin]" "  initial: vortex
  integrator: ssprk3"
sed -i '/motion:/s/prescribed/fixed/; /velocity:/d; /spin:/d' round.yaml
expect 0 "$carom" run round.yaml -o round1 --steps 3 --quiet
expect 0 ranks 2 run round.yaml -o round2 --steps 3 --quiet
flow_of round1 >a && flow_of round2 >b
cmp -s a b || fail "flow.csv of a periodic grid differs on 2 ranks"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
         { d = $at["mass_defect"]; if (d * d > 1e-26) exit 1 }' round1/flow.csv ||
  fail "a periodic grid loses mass"
make_case alone "slip: [xmax, ymax], wall: [zmin, zmax], periodic: [xmin, ymin]" "$explicit"
refuse_all 3 "periodic boundary 'xmin' has no opposite" run alone.yaml

# A bare shape is enough: layers grow from it. The force on a ball is along the stream, and the same
# on any number of ranks.
cat >bare.yaml <<EOF
time: {step: 0.05, end: 0.2}
bodies:
  - name: ball
    motion: fixed
    shape: {kind: sphere, radius: 0.5, spacing: 0.2}
    grid: {layers: 12, first: 0.06, growth: 1.2}
flow:
  freestream: {mach: 2, pressure: 1, density: 1.4}
  integrator: ssprk3
reference: {length: 1, area: 0.785398}
output: {fields: 0, checkpoint: 0}
EOF
expect 0 "$carom" run bare.yaml -o bare1 --quiet
expect 0 ranks 2 run bare.yaml -o bare2 --quiet
flow_of bare1 >a && flow_of bare2 >b
cmp -s a b || fail "flow.csv of grown layers differs on 2 ranks"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
         END { cl = $at["cl_ball"]; if (!($at["cd_ball"] > 0.5 && cl * cl < 1e-8)) exit 1 }' \
  bare1/flow.csv || fail "the ball has no drag, or is lifted"
exit 0
