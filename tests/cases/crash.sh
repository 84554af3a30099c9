#!/bin/sh
# Does a run that was killed go on from its last checkpoint, and is a damaged checkpoint passed over?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
sed -e 's/end: .*}/end: 0.5}/' -e 's/step: 1.0e-3/step: 1.0e-5/' -e 's/history: 7/history: 99/' \
  -e 's/checkpoint: 90/checkpoint: 2000/' "$cases/flight.yaml" >long.yaml
cp "$cases"/flight_*.csv .
expect 0 "$carom" run long.yaml -o whole --quiet

has_two() {
  [ "$(ls "$1"/checkpoint/*.h5 2>/dev/null | wc -l)" -eq 2 ]
}

# Killed at any moment.
"$carom" run long.yaml -o killed --quiet &
wait_until has_two killed
kill -KILL $!
wait $! 2>/dev/null
cp -r killed again
expect 0 ranks 2 resume killed --quiet
same whole killed
valid killed

# A flipped byte, and a file cut short: the older checkpoint is used and one line says so.
newest=$(ls again/checkpoint/*.h5 | tail -n 1)
for damage in flip cut; do
  rm -rf "$damage"
  cp -r again "$damage"
  file=$damage/checkpoint/$(basename "$newest")
  size=$(wc -c <"$file")
  if [ "$damage" = flip ]; then
    byte=$(od -An -tu1 -j $((size - 20)) -N 1 "$file")
    printf "\\$(printf %o $((byte ^ 16)))" | dd of="$file" bs=1 seek=$((size - 20)) conv=notrunc 2>dd
  else
    head -c $((size / 2)) "$newest" >"$file"
  fi
  expect 5 "$carom" info "$file"
  expect 0 ranks 2 resume "$damage" --quiet --steps 5
  [ "$(grep -c 'damaged .* passed over' err)" -eq 1 ] || fail "$damage: not one line: $(cat err)"
  [ ! -e "$file" ] || fail "$damage: the damaged checkpoint would still be the newest"
  expect 0 "$carom" resume "$damage" --quiet
  [ ! -s err ] || fail "$damage: named again after it was mended"
  same whole "$damage"
done

# With both damaged there is nothing to go on from, and the histories stay as they are.
for file in again/checkpoint/*.h5; do : >"$file"; done
cp again/bodies.csv before.csv
expect 5 "$carom" resume again
grep -q 'again/checkpoint: no valid checkpoint' err || fail "no word of the missing checkpoint"
cmp before.csv again/bodies.csv || fail "the history was touched"

# A motion that overflows: status 4, one line, and the last checkpoint is from before.
cat >wild.yaml <<'END'
contact: {law: none}
time: {step: 1, end: 100}
bodies: [{name: wild, mass: 1.0e-6, shape: {kind: sphere, radius: 1}, loads: [{force: [1.0e305, 0, 0], from: 7.5}]}]
output: {checkpoint: 3}
END
refuse_all 4 "body 'wild' is no longer finite" run wild.yaml --force
grep -q 'resume would go on from step 6' err || fail "not said where a resume would go on"
valid wild.out
grep -q '"exit_reason": "diverged"' wild.out/run.json || fail "exit reason of a wild run"
grep -q '"exit_status": 4' wild.out/run.json || fail "exit status of a wild run"
! grep -qi 'nan\|inf' wild.out/bodies.csv || fail "a broken state was written"
expect 0 "$carom" resume wild.out --steps 1 --quiet
sed 's/checkpoint: 3/checkpoint: 0/' wild.yaml >wild0.yaml
refuse 4 "no checkpoint yet" run wild0.yaml --force
finish
