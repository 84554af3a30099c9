#!/bin/sh
# Do bodies that press into each other come out the same, byte for byte, on any number of ranks and
# after stops in the middle of a contact? Has each contact one row, that adds no energy? Is missing
# stiffness refused?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
case=$cases/hertz.yaml

expect 0 "$carom" run "$case" -o whole --quiet
expect 0 ranks 2 run "$case" -o whole2 --quiet
same whole whole2

# Stopped while the balls press into each other and into the floor.
expect 0 "$carom" run "$case" -o parts --quiet --steps 21
expect 0 ranks 2 resume parts --quiet --steps 50
expect 0 "$carom" resume parts --quiet
same whole parts

awk -F, 'NR == 1 { next }
         { n++; pair[$2 $3]++ }
         $16 != "hertz" { print "law", $16; bad = 1 }
         $18 > $17 * (1 + 1e-5) + 1e-9 { print "energy up at", $1, $17, $18; bad = 1 }
         END {
           if (pair["blockfloor"] < 1 || pair["ballother"] < 1 || n > 40) {
             print n, "rows, of block", pair["blockfloor"], "of the balls", pair["ballother"]
             bad = 1
           }
           exit bad
         }' whole/contacts.csv || fail "contacts.csv"

# In the end the block lies on the floor: with K = 4/3 E* sqrt(R) and R^2 = area / pi it has sunk in
# by (m g / K)^(2/3).
awk -F, '$2 == "block" { z = $5; v = $11 }
         END {
           K = 4 / 3 * 2e7 / (1 - 0.09) * sqrt(sqrt(0.2 * 0.2 / 3.14159265358979))
           depth = exp(2 / 3 * log(3 * 9.81 / K))
           if ((0.05 - z) / depth < 0.999 || (0.05 - z) / depth > 1.001 || v * v > 1e-8) {
             print "block at", z, "wanted", 0.05 - depth, "speed", v
             exit 1
           }
         }' whole/bodies.csv || fail "bodies.csv"

sed '/young: 2/d' "$case" >soft.yaml
refuse_all 2 "bodies[2].young: missing, contact law hertz needs it" run soft.yaml
sed 's/young: 2.0e+7/young: -1/' "$case" >soft.yaml
refuse 2 "bodies[2].young: must be positive, got -1" run soft.yaml
sed 's/poisson: 0.3/poisson: 0.6/' "$case" >soft.yaml
expect 2 "$carom" run soft.yaml
[ "$(grep -c 'poisson: must be .*0.5, got 0.6' err)" -eq 3 ] || { cat err; fail "poisson 0.6"; }
finish
