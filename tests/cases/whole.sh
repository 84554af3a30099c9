#!/bin/sh
# A few steps of each kind of run. What it is for shows in a build with sanitizers, where every
# line on stderr of theirs is a defect that the tests of single files do not reach.
. "$(dirname "$0")/lib.sh"

# Libraries that are unloaded before the program ends lose memory that no name can tell from ours;
# the unit tests count leaks.
export ASAN_OPTIONS=detect_leaks=0

for case in bounce flight hertz off_body; do
  for n in 1 2; do
    expect 0 ranks "$n" run "$cases/$case.yaml" --steps 3 -o "$case.out" --force --quiet
    ! grep -E 'runtime error|Sanitizer' out err || fail "$case on $n ranks"
    expect 0 ranks "$n" resume "$case.out" --steps 2 --quiet
    ! grep -E 'runtime error|Sanitizer' out err || fail "$case resumed on $n ranks"
  done
done
