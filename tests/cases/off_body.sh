#!/bin/sh
# Does the off-body flow come out the same on any number of ranks and after a resume, and are cases
# that cannot be computed refused?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/off_body.yaml

# flow.csv without the column of seconds.
history() {
  awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^seconds/) drop[i] = 1 }
    { for (i in drop) $i = ""; print }' "$1/flow.csv"
}

expect 0 "$carom" check "$case"
grep -q '^off-body: [0-9]* leaves, [0-9]* cells' out || fail "check says nothing of the leaves"
expect 0 "$carom" run "$case" -o whole --quiet
history whole >wanted
[ "$(wc -l <wanted)" -eq 14 ] || fail "not the rows that were due"
[ "$(cut -d, -f6 wanted | sort -u | wc -l)" -gt 2 ] || fail "the forest did not adapt"
for n in 2 4; do
  expect 0 ranks "$n" run "$case" -o "whole$n" --quiet
  history "whole$n" | cmp - wanted || fail "$n ranks differ"
done
expect 0 ranks 2 run "$case" -o parts --quiet --steps 7
expect 0 ranks 3 resume parts --quiet
history parts | cmp - wanted || fail "a resume on other ranks differs"
[ -s whole/fields/step_00000012.cgns ] || fail "no fields"

# Implicit time with friction, stopped and resumed on the same ranks.
sed 's/ssprk3/bdf2/; s/initial: vortex/initial: vortex\n  equations: laminar\n  gas: {viscosity: 0.01}/' \
  "$case" >implicit.yaml
expect 0 ranks 2 run implicit.yaml -o implicit --quiet --steps 6
expect 0 ranks 2 run implicit.yaml -o halves --quiet --steps 3
expect 0 ranks 2 resume halves --quiet --steps 3
history implicit >implicit_wanted
history halves | cmp - implicit_wanted || fail "an implicit resume differs"

# `change OLD NEW`: the case with one thing changed.
change() {
  sed "s/$1/$2/" "$case" >changed.yaml
}

change 'spacing: 0.125' 'spacing: 0.0001'
refuse 2 'GB; this machine has' check changed.yaml
change 'max: \[2, 2, 1\]' 'max: [2, 2, -1]'
refuse 2 'must be above min' check changed.yaml
sed 's/periodic/out/g; s/patch: 8/patch: 9/' "$case" >changed.yaml
refuse 2 'must be even, got 9' check changed.yaml
change 'xmax: periodic' 'xmax: out'
refuse 2 'must be periodic, as its opposite side is' check changed.yaml
sed 's/periodic/out/g; s/min: \[-2,/min: [-2.1,/' "$case" >changed.yaml
expect 0 "$carom" check changed.yaml
grep -q 'the box is grown to \[2.9' out || fail "not said that the box was grown"
finish
