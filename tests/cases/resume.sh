#!/bin/sh
# Does a run come out the same, byte for byte, on any number of ranks, and however often it was
# stopped and gone on with on other numbers of ranks?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/flight.yaml

expect 0 "$carom" run "$case" -o whole --quiet
[ ! -s out ] && [ ! -s err ] || fail "--quiet was not quiet"
[ "$(wc -l <whole/bodies.csv)" -eq $((6 * (71 + 2) + 1)) ] || fail "not the rows that were due"
for n in 2 4; do
  expect 0 ranks "$n" run "$case" -o "whole$n" --quiet
  same whole "whole$n"
done

# 501 steps in parts that neither rows nor checkpoints fall upon, with a load under way.
for n in 1 2 4; do
  dir=parts$n
  expect 0 "$carom" run "$case" -o "$dir" --quiet --steps 13
  valid "$dir"
  grep -q '"exit_reason": "limit of this invocation"' "$dir/run.json" || fail "$dir: exit reason"
  expect 0 ranks $((5 - n)) resume "$dir" --quiet --steps 115
  expect 0 "$carom" resume "$dir" --quiet --steps=0
  expect 0 ranks "$n" resume "$dir" --quiet --until 0.3021
  expect 0 ranks $((n % 4 + 1)) resume "$dir" --quiet
  same whole "$dir"
  valid "$dir"
  grep -q '"exit_reason": "done"' "$dir/run.json" || fail "$dir: exit reason"
done

# With nothing left to do it says so and changes nothing.
expect 0 "$carom" resume parts1
grep -q 'nothing left to do' out || fail "no word that nothing was left to do"
same whole parts1

# A part stopped by --until ends at or past its time, without a shorter step.
expect 0 "$carom" run "$case" -o until --quiet --until 0.0105
tail -n 1 until/bodies.csv | grep -q '^0.010999\|^0.011,' || fail "--until did not end at 0.011"
finish
