#!/bin/sh
# What does the command line do with verbs, flags and options, good and bad?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

refuse 2 "a verb is missing" # no argument at all
refuse_all 2 "'fly' is no verb" fly
refuse 2 "CASE.yaml is missing" run
refuse 2 "unexpected argument 'b'" run a b
refuse 2 "unknown flag '--stesp'" run a --stesp 3
refuse 2 "unknown flag '--force'" resume a --force
refuse 2 "flag --steps needs a value" run a --steps
refuse 2 "flag --quiet takes no value" run a --quiet=1
refuse 2 "--steps wants a whole number, got '-1'" run a --steps -1
refuse 2 "--steps wants a whole number, got '1e3'" run a --steps 1e3
refuse 2 "--until wants a time, got 'nan'" run a --until nan
refuse 2 "--wall wants seconds, got '1h'" run a --wall 1h
for verb in run check resume info init grid report plot; do
  expect 0 "$carom" "$verb" --help
  grep -q "^carom $verb " out || fail "no help for $verb"
done
expect 0 "$carom" --help
expect 0 "$carom" --version
grep -q '^libraries: PETSc [0-9.]*, HDF5 [0-9.]*, CGNS [0-9]*\.[0-9]*\.[0-9]*, ' out || fail "$(cat out)"

# The starter runs, and the same with every default written out gives the same motion.
expect 0 "$carom" init x
refuse 2 "x.yaml: is there already" init x
refuse 5 "nowhere/x.yaml: cannot be written" init nowhere/x
expect 0 "$carom" check x.yaml
expect 0 "$carom" run x.yaml --quiet
expect 0 "$carom" run x.yaml --print-case
cp out printed.yaml
expect 0 "$carom" run printed.yaml --quiet -o printed
same x.out printed
for file in flight.yaml flight_force.csv flight_motion.csv; do cp "$cases/$file" .; done
expect 0 "$carom" run flight.yaml --print-case
cp out full.yaml
expect 0 "$carom" run flight.yaml --quiet
expect 0 "$carom" run full.yaml --quiet -o full
same flight.out full

# Options for PETSc: used ones work, the others are a mistake before anything is written.
refuse 2 "options after -- that nothing uses: -ksp_tpye" run x.yaml -o y -- -ksp_tpye cg
[ ! -e y ] || fail "results in spite of an unknown option"
refuse 2 "that nothing uses: -nonsense" check x.yaml -- -nonsense
refuse 2 "that nothing uses: -nonsense" resume x.out -- -nonsense
expect 0 "$carom" run x.yaml -o y --quiet -- -log_view :view.txt
[ -s view.txt ] || fail "-log_view wrote nothing"
same x.out y
echo "-nonsense" >.petscrc
expect 0 "$carom" check x.yaml
finish
