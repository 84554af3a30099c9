#!/bin/sh
# Do impacts and lasting contacts come out the same, byte for byte, on any number of ranks and after
# stops in the middle of them? Does nothing sink into the floor, and no event add energy?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/bounce.yaml

expect 0 "$carom" run "$case" -o whole --quiet
for n in 2 4; do
  expect 0 ranks "$n" run "$case" -o "whole$n" --quiet
  same whole "whole$n"
done

# Stopped while the block rests on the floor, and gone on with on other numbers of ranks.
expect 0 "$carom" run "$case" -o parts --quiet --steps 101
expect 0 ranks 2 resume parts --quiet --steps 150
expect 0 ranks 4 resume parts --quiet
same whole parts

# The x-rays are kept; a damaged one is made anew.
ls whole/xray/*.xray >/dev/null || fail "no x-ray was kept"
for file in whole/xray/*.xray; do printf 'damage' | dd of="$file" bs=1 seek=300 conv=notrunc 2>dd.err; done
expect 0 "$carom" run "$case" -o whole --quiet --force
same whole parts

awk -F, 'NR > 1 && ($18 > $17 * (1 + 1e-9) + 1e-12) { print "energy up at", $1; bad = 1 }
         NR > 1 { n++ } END { if (n < 8) { print "only", n, "events"; bad = 1 } exit bad }' \
  whole/contacts.csv || fail "contacts.csv"
# A body that is held keeps its place to the tolerance, 4e-7 for the block.
awk -F, '$2 == "ball" && $5 < 0.1 - 1e-6 || $2 == "block" && $5 < 0.05 - 4e-7 {
           print "in the floor:", $1, $2, $5
           bad = 1
         }
         END { exit bad }' whole/bodies.csv || fail "bodies.csv"

# Bodies that overlap at the start are refused with the pair and the depth.
sed 's/position: \[-0.05, 0.02, 0.6\]/position: [0, 0, 0.12]/' "$case" >overlap.yaml
refuse 2 "overlap at the start by" run overlap.yaml
finish
