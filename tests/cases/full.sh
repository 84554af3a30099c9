#!/bin/sh
# When the disk is full: one line, status 5, complete rows, and a run that goes on once there is room.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
cat >case.yaml <<'END'
contact: {law: none}
time: {step: 1.0e-3, end: 20}
bodies: [{name: a, mass: 1, shape: {kind: sphere, radius: 1}, spin: [1, 2, 3]}]
output: {checkpoint: 100}
END
expect 0 "$carom" run case.yaml -o whole --quiet

# A disk that fills while the run goes on; only root can make one.
mkdir small
mount -t tmpfs -o size=1M none small 2>/dev/null || { rm -rf "$folder" && exit 77; }
trap 'umount "$folder/small"' EXIT
expect 5 "$carom" run case.yaml -o small/out --quiet
[ "$(wc -l <err)" -eq 1 ] && grep -q 'No space left on device' err || fail "$(cat err)"
valid small/out
[ "$(tail -c 1 small/out/bodies.csv | od -An -tx1)" = " 0a" ] || fail "a row was cut in the middle"
head -n "$(wc -l <small/out/bodies.csv)" whole/bodies.csv | cmp - small/out/bodies.csv ||
  fail "not complete rows"
mount -o remount,size=20M small
expect 0 ranks 2 resume small/out --quiet
same whole small/out

# No room at all: nothing is left behind.
rm -rf small/out
mount -o remount,size=64k small
head -c 200000 /dev/zero >small/filler 2>/dev/null
for n in 1 2; do
  expect 5 ranks "$n" run case.yaml -o small/out --quiet
  [ "$(grep -c 'No space left on device' err)" -eq 1 ] || fail "$(cat err)"
  [ "$(ls small)" = filler ] || fail "left behind: $(find small)"
done
umount small
trap - EXIT
finish
