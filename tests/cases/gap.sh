#!/bin/sh
# Bodies let go in contact: no air is computed where they touch, and the gap opens when they part.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/gap.yaml

# A column of flow.csv by its name.
column() {
  awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } NR > 1 { print $at }' \
    "$2/flow.csv"
}

expect 0 "$carom" run "$case" -o whole --quiet
[ "$(column faces_closed whole | head -n 1)" -gt 0 ] || fail "no face is closed where balls touch"
[ "$(column faces_closed whole | tail -n 1)" -eq 0 ] || fail "the gap did not open"
[ "$(column orphans whole | sort -n | tail -n 1)" -eq 0 ] || fail "orphans"
# What is behind the shocks of both drives them apart, alike up to what their grids differ by.
awk -F, '$1 < 0.03 || $1 > 0.09 { next } $2 == "low" { low = $17 } $2 == "high" {
  if (!(low < 0 && $17 > 0 && low + $17 < 0.4 * $17 && low + $17 > -0.4 * $17)) exit 1 }' \
  whole/bodies.csv || fail "the balls are not driven apart"
# Past the moment when the gap opens.
expect 0 ranks 2 run "$case" -o two --quiet
expect 0 ranks 2 run "$case" -o parts --quiet --steps 6
expect 0 ranks 2 resume parts --quiet
same two parts

# A ball that flies out of the box goes on without air.
sed -e '/name: high/,/grid:/d' -e '/release/d' -e 's/velocity: .*/velocity: [0, -2, 0]/' \
  -e 's/mach: 3/mach: 0.3/; s/end: 0.3/end: 0.8/' "$case" >leave.yaml
expect 0 "$carom" run leave.yaml -o leave --quiet
grep -q '^low leaves the box of off_body' out || fail "nothing is said of a ball that leaves"
[ "$(tail -n 1 leave/bodies.csv | cut -d, -f16-18)" = 0,0,0 ] || fail "a load without air"
finish
