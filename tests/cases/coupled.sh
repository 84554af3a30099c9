#!/bin/sh
# Bodies and air as one: a body lighter than the gas it moves needs strong coupling; a step that
# fails leaves a checkpoint and fields; a run killed or stopped in flight comes out the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/coupled.yaml

# flow.csv without the column of seconds.
history() {
  cut -d, -f1-16,18- "$1/flow.csv"
}

expect 0 "$carom" run "$case" -o whole --quiet
history whole >wanted
awk -F, 'NR > 2 && ($17 < 2 || $18 > 1e-4) { exit 1 }' wanted || fail "passes or their end"
expect 0 ranks 2 run "$case" -o two --quiet
history two | cmp - wanted || fail "2 ranks differ"
same whole two

# The same bits after a stop, and after a kill behind a checkpoint.
expect 0 "$carom" run "$case" -o parts --quiet --steps 5
expect 0 ranks 2 resume parts --quiet
history parts | cmp - wanted || fail "a resume differs"
same whole parts
sed 's/step: 0.08, end: 0.8/step: 0.02, end: 0.8/' "$case" >long.yaml
expect 0 "$carom" run long.yaml -o long --quiet
"$carom" run long.yaml -o killed --quiet >out 2>err &
wait_until test -e killed/checkpoint/step_0000000004.h5 -o -e killed/checkpoint/step_0000000008.h5
kill -9 $!
wait $! 2>/dev/null
expect 0 "$carom" resume killed --quiet
history long >wanted
history killed | cmp - wanted || fail "a resume after a kill differs"
same long killed

# Loose coupling swings ever further until no part of a step is small enough.
sed 's/coupling: strong/coupling: loose/; s/end: 0.8/end: 8/' "$case" >loose.yaml
expect 4 "$carom" run loose.yaml -o loose --quiet
grep -q 'repeated with half the time' out || fail "no step was repeated"
grep -q 'failed at t = .*; fields of that moment' err || fail "why?"
ls loose/fields/*.cgns >/dev/null || fail "no fields of the moment before"
valid loose
expect 4 "$carom" resume loose --quiet
finish
