#!/bin/sh
# Is every mistake about mass, material and places of bodies that strike each other told in one line,
# with the right status?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

# `scene KEYS [SECTIONS]`: ball b, with more keys, 2 above ball a; both have radius 0.5.
scene() {
  cat >case.yaml <<END
time: {step: 0.01, end: 0.02}
bodies:
  - {name: a, mass: 1, shape: {kind: sphere, radius: 0.5, spacing: 0.1}}
  - {name: b, shape: {kind: sphere, radius: 0.5, spacing: 0.1}, $1}
${2-}
END
}

# `wrong TEXT KEYS [SECTIONS]`: refused in one line with the text.
wrong() {
  text=$1
  shift
  scene "$@"
  refuse 2 "$text" run case.yaml
}

far='position: [0, 0, 2]'
wrong 'bodies[1].mass: must be positive, got 0' "mass: 0, $far"
wrong 'bodies[1].density: must be positive, got 0' "density: 0, $far"
wrong 'bodies[1].mass: missing' "$far"
wrong 'bodies[1].restitution: must be from 0 to 1, got 1.01' "mass: 1, $far, restitution: 1.01"
wrong 'bodies[1].restitution: must be from 0 to 1, got -0.1' "mass: 1, $far, restitution: -0.1"
wrong 'bodies[1].friction: must not be negative, got -1' "mass: 1, $far, friction: -1"
wrong 'bodies[1].young: must be positive, got -2' "mass: 1, $far, young: -2"
wrong 'bodies[1].poisson: must be above -1 and at most 0.5, got -1' "mass: 1, $far, poisson: -1"
wrong 'bodies[1].poisson: must be above -1 and at most 0.5, got 0.51' "mass: 1, $far, poisson: 0.51"
wall='point: [0, 0, -9], normal: [0, 0, 1]'
wrong 'walls[0].restitution: must be from 0 to 1, got 2' "mass: 1, $far" "walls: [{$wall, restitution: 2}]"
wrong 'walls[0].friction: must not be negative, got -1' "mass: 1, $far" "walls: [{$wall, friction: -1}]"
pair='contact: {pairs: [{bodies: [a, b]'
wrong 'contact.pairs[0].restitution: must be from 0 to 1, got 3' "mass: 1, $far" "$pair, restitution: 3}]}"
wrong 'contact.pairs[0].friction: must not be negative, got -3' "mass: 1, $far" "$pair, friction: -3}]}"
wrong 'bodies[1].inertia: must be positive definite' "mass: 1, $far, inertia: [1, 1, -1]"

# No solid has these moments, but the run is good: one warning.
scene "mass: 1, $far, inertia: [1, 1, 3]"
expect 0 "$carom" run case.yaml -o odd --quiet
[ "$(wc -l <err)" -eq 1 ] && grep -q 'bodies\[1\].inertia: no solid has principal moments 1, 1, 3' err ||
  { cat err; fail "an inertia that no solid has"; }

# Overlap at the start: the pair and the depth, on any number of ranks, unless it is allowed.
scene 'mass: 1, position: [0, 0, 0.9]'
refuse_all 2 "bodies[0]: 'a' and 'b' overlap at the start by 0.1, more than touching" run case.yaml
scene 'mass: 1, position: [0, 0, 0.9]' 'contact: {allow_initial_overlap: true}'
expect 0 "$carom" run case.yaml -o allowed --quiet
scene 'mass: 1, position: [0, 0, 0.9]' "$pair, ignore: true}]}"
expect 0 "$carom" run case.yaml -o ignored --quiet
scene 'mass: 1, position: [0, 0, 0.99995]'
expect 0 "$carom" run case.yaml -o touching --quiet
scene "mass: 1, $far" 'walls: [{name: floor, point: [0, 0, -0.4], normal: [0, 0, 1]}]'
refuse 2 "bodies[0]: 'a' and 'floor' overlap at the start by 0.1" run case.yaml
scene "mass: 1, $far" 'walls: [{name: floor, point: [0, 0, 1], normal: [0, 0, 1]}]'
refuse 2 "bodies[0]: 'a' and 'floor' overlap at the start by 1.5" run case.yaml
# One inside the other: no surfaces cross.
sed -i 's/radius: 0.5, spacing: 0.1}, mass: 1, pos.*}/radius: 0.1}, mass: 1, position: [0, 0, 0.1]}/' case.yaml
sed -i '/walls/d' case.yaml
refuse 2 "bodies[0]: 'a' and 'b' overlap at the start by 0.5" run case.yaml
finish
