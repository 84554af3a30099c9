#!/bin/sh
# Grids joined to one flow field, two bodies striking each other in it: the same on any number of
# ranks and after a resume; an even stream stays even; too many orphans end a run.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/overset.yaml

# flow.csv without the column of seconds.
history() {
  awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^seconds/) drop[i] = 1 }
    { for (i in drop) $i = ""; print }' "$1/flow.csv"
}

expect 0 "$carom" check "$case"
grep -qE '^  left +[0-9]+ field +[1-9][0-9]* fringe' out || fail "check says nothing of the states"
expect 0 "$carom" run "$case" -o whole --quiet
history whole >wanted
[ "$(wc -l <wanted)" -eq 10 ] || fail "not the rows that were due"
[ "$(wc -l <whole/contacts.csv)" -eq 2 ] || fail "not one contact"
awk -F, 'NR > 1 && ($7 == 0 || $8 == 0 || $9 > 0) { exit 1 }' wanted ||
  fail "no fringe, no holes, or orphans"
for n in 2 4; do
  expect 0 ranks "$n" run "$case" -o "whole$n" --quiet
  history "whole$n" | cmp - wanted || fail "$n ranks differ"
  same whole "whole$n"
done
expect 0 ranks 2 run "$case" -o parts --quiet --steps 5
expect 0 ranks 3 resume parts --quiet
history parts | cmp - wanted || fail "a resume on other ranks differs"
same whole parts

# Grids without walls, turning and passing through each other: nothing disturbs the stream.
expect 0 "$carom" grid sphere radius=0.5 spacing=0.16 --layers 8 --first 0.06 --growth 1.1 -o ball.cgns
sed -e 's/^    shape:.*//; s/^    mass:.*/    motion: prescribed/' \
  -e 's/grid: {.*/grid: {file: ball.cgns, boundaries: {farfield: [body], overset: [outer]}}/' \
  "$case" >even.yaml
expect 0 "$carom" run even.yaml --quiet
awk -F, 'NR > 1 && ($10 < 1 - 1e-12 || $11 > 1 + 1e-12 || $8 == 0) { exit 1 }' even.out/flow.csv ||
  fail "an even stream did not stay even"

sed 's/integrator: ssprk3/integrator: bdf2/' even.yaml >even_implicit.yaml
expect 0 "$carom" run even_implicit.yaml --quiet
awk -F, 'NR > 1 && ($10 < 1 - 1e-12 || $11 > 1 + 1e-12 || $8 == 0) { exit 1 }' \
  even_implicit.out/flow.csv || fail "an even stream did not stay even in implicit steps"

# Implicit steps: resumed on as many ranks to the bit, near the same on others and near the
# explicit ones, from a steady start if asked for.
sed 's/integrator: ssprk3/integrator: bdf2\n  steady_start: {iterations: 3, drop: 0.1}/' "$case" >implicit.yaml
expect 0 "$carom" run implicit.yaml --quiet
grep -q '^steady start: residual' out || fail "no steady start: $(cat out)"
expect 0 ranks 2 run implicit.yaml -o two --quiet
expect 0 ranks 2 run implicit.yaml -o twice --quiet --steps 3
expect 0 ranks 2 resume twice --quiet
same two twice
[ "$(wc -l <implicit.out/contacts.csv)" -eq 2 ] || fail "not one contact in implicit steps"
near() {
  paste -d, "$1/bodies.csv" "$2/bodies.csv" | awk -F, -v most="$3" 'NR > 1 {
    for (i = 3; i <= 15; i++) { d = $i - $(i + 21); if (d > most || d < -most) exit 1 } }' ||
    fail "bodies of $1 and $2 differ"
}
near implicit.out two 1e-5
near implicit.out whole 2e-2

# The forest explicit among implicit grids.
sed 's/integrator: ssprk3/integrator: mixed/' even.yaml >mixed_even.yaml
expect 0 "$carom" run mixed_even.yaml --quiet --steps 3
awk -F, 'NR > 1 && ($10 < 1 - 1e-12 || $11 > 1 + 1e-12 || $8 == 0) { exit 1 }' \
  mixed_even.out/flow.csv || fail "an even stream did not stay even in mixed steps"
sed 's/integrator: ssprk3/integrator: mixed/' "$case" >mixed.yaml
expect 0 "$carom" run mixed.yaml --quiet
near mixed.out whole 2e-2
expect 0 ranks 2 run mixed.yaml -o mixed_two --quiet --steps 3
expect 0 ranks 2 resume mixed_two --quiet
near mixed.out mixed_two 1e-5
sed 's/integrator: mixed/integrator: mixed\n  steady_start: {iterations: 2, drop: 0.1}/' \
  mixed.yaml >mixed_steady.yaml
expect 0 "$carom" run mixed_steady.yaml --quiet --steps 1
grep -q '^steady start: residual' out || fail "no steady start before mixed steps: $(cat out)"

# A forest far too coarse for its grids.
sed 's/spacing: 0.25, levels: 2, patch: 8/spacing: 0.5, levels: 1, patch: 8/' "$case" >coarse.yaml
status=0
"$carom" check coarse.yaml >out 2>err || status=$?
[ "$status" -eq 0 ] || grep -q 'fringe cells have no donor' err || fail "a coarse forest: $(cat err)"
finish
