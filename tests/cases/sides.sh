#!/bin/sh
# Solid sides of the domain are walls that bodies strike, in a dry run too: a plane of symmetry
# without friction, a slip wall with what the body has. SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
cat >dry.yaml <<'EOF'
time: {step: 0.01, end: 0.5}
bodies:
  - {name: a, mass: 1, restitution: 0.5, friction: 0.1, shape: {kind: sphere, radius: 0.25, spacing: 0.1},
     position: [0, -0.65, 0], velocity: [1, -1, 0]}
  - {name: b, mass: 1, restitution: 0.5, friction: 0.1, shape: {kind: sphere, radius: 0.25, spacing: 0.1},
     position: [0, 0, 0.65], velocity: [1, 0, 1]}
  - {name: c, mass: 1, motion: fixed, shape: {kind: sphere, radius: 0.25}, position: [-0.5, -1, 0]}
off_body:
  box: {min: [-1, -1, -1], max: [1, 1, 0.9]}
  spacing: 0.25
  patch: 8
  boundaries: {ymin: symmetry, zmax: slip}
EOF
# The box is grown at its upper side to whole patches: z = 1.
expect 0 "$carom" run dry.yaml --quiet
# time, bodies, speeds behind the impact at 0.1: of a along x and y, of b along x and z
awk -F, 'NR > 1 { print $2, $3, ($1 - 0.1) ^ 2 < 1e-10 }' dry.out/contacts.csv >got
printf 'a ymin 1\nb zmax 1\n' | cmp - got || fail "contacts with the sides: $(cat got)"
tail -n 3 dry.out/bodies.csv | awk -F, '
  function off(x, y) { return (x - y) ^ 2 > 1e-8 }
  $2 == "a" && (off($10, 1) || off($11, 0.5)) { exit 1 }
  $2 == "b" && (off($10, 1 - 0.1 * 1.5) || off($12, -0.5)) { exit 1 }' || fail "speeds behind the impacts"

# The same with air as thin as nothing.
cat dry.yaml - >wet.yaml <<'EOF'
flow: {integrator: ssprk3, freestream: {velocity: [0, 0, 0], density: 1.0e-9, pressure: 1.0e-9}}
output: {fields: 0}
EOF
expect 0 "$carom" run wet.yaml --quiet
same dry.out wet.out
sed 's/position: \[0, 0, 0.65\]/position: [0, 0, 0.9]/' dry.yaml >deep.yaml
refuse 2 "'b' and 'zmax' overlap at the start" check deep.yaml
finish
