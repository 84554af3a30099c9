#!/bin/sh
# Does every file that is not what it should be cost one line and the right status, with nothing
# half-written left behind?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
cat >good.yaml <<'END'
contact: {law: none}
time: {step: 0.1, end: 1}
bodies: [{name: a, mass: 1, shape: {kind: sphere, radius: 1}}]
END

# Case files.
refuse_all 5 "nowhere.yaml: cannot be read: No such file or directory" run nowhere.yaml
mkdir folder.yaml
refuse 5 "folder.yaml: cannot be read: Is a directory" run folder.yaml
: >empty.yaml
refuse 2 "empty.yaml" run empty.yaml
head -c 4096 "$carom" >binary.yaml
refuse 2 "binary.yaml" run binary.yaml
truncate -s 100M huge.yaml
refuse 5 "huge.yaml: cannot be read: File too large" run huge.yaml
refuse 5 "huge.yaml: cannot be read: File too large" run huge.yaml --print-case
truncate -s 10M zeros.yaml
refuse 2 "zeros.yaml" check zeros.yaml
if [ "$(id -u)" -ne 0 ]; then
  cp good.yaml secret.yaml && chmod a-r secret.yaml
  refuse 5 "secret.yaml: cannot be read: Permission denied" run secret.yaml
fi
[ -z "$(ls -d ./*.out 2>/dev/null)" ] || fail "a refused case left a directory"

# Places for results.
: >plain
refuse_all 5 "plain: cannot be made a directory: Not a directory" run good.yaml -o plain
refuse 5 "plain/deep: cannot be made a directory: Not a directory" run good.yaml -o plain/deep
[ -f plain ] && [ ! -s plain ] || fail "the file in the way was touched"
[ ! -d /proc/self ] || refuse 5 "/proc/1/x: cannot be made" run good.yaml -o /proc/1/x
[ ! -d /proc/self ] || refuse 5 "/proc/self/case.yaml: cannot be written" run good.yaml -o /proc/self
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  refuse 5 "locked/case.yaml: cannot be written: Permission denied" run good.yaml -o locked
  refuse 5 "locked/x: cannot be made a directory: Permission denied" run good.yaml -o locked/x
fi
refuse 2 "-o wants a directory" run good.yaml -o ""

# Results that are there.
expect 0 "$carom" run good.yaml --quiet
cp -r good.out kept
refuse_all 2 "good.out: holds results already" run good.yaml
same kept good.out
expect 0 "$carom" run good.yaml --quiet --force --steps 2
[ "$(wc -l <good.out/bodies.csv)" -eq 4 ] || fail "--force did not replace the results"
[ "$(ls good.out/checkpoint)" = step_0000000002.h5 ] || fail "--force left old checkpoints"

# What resume and info are given.
refuse 5 "nowhere: holds no run to go on with" resume nowhere
refuse 5 "plain: holds no run to go on with" resume plain
rm -rf lost && cp -r kept lost && rm -rf lost/checkpoint
refuse 5 "lost/checkpoint: no valid checkpoint" resume lost
rm -rf lost && cp -r good.out lost && rm lost/bodies.csv
refuse_all 5 "lost/bodies.csv: cannot be continued" resume lost
rm -rf lost && cp -r good.out lost && : >lost/bodies.csv
refuse 5 "lost/bodies.csv: cannot be continued" resume lost
rm -rf lost && cp -r good.out lost && rm lost/case.origin
refuse 5 "lost/case.origin: cannot be read" resume lost
refuse 5 "nowhere.h5: cannot be read: No such file" info nowhere.h5
refuse 5 "plain" info plain

# Tables.
write_case() {
  cat >"$1.yaml" <<END
contact: {law: none}
time: {step: 0.1, end: 1}
bodies:
  - {name: a, mass: 1, shape: {kind: sphere, radius: 1}, loads: [{table: $1.csv}]}
END
  refuse "$2" "$3" check "$1.yaml"
}
write_case missing 5 "missing.csv: cannot be read: No such file or directory"
printf '0,1,0,0,0,0,0\n1,1,0,0,0,0\n' >short.csv
write_case short 2 "bodies[0].loads[0].table: short.csv: line 2: 6 numbers, wanted 7"
printf '0,1,0,0,0,0,0\n0,1,0,0,0,0,0\n' >twice.csv
write_case twice 2 "line 2: time 0 does not come after 0"
head -c 4096 "$carom" >bytes.csv
write_case bytes 2 "bytes.csv: holds a zero byte: not a text file"
: >none.csv
write_case none 2 "none.csv: no rows of 7 numbers"
printf '0,0,0,0,0,0,0,0\n' >zero.csv
cat >zero.yaml <<'END'
contact: {law: none}
time: {step: 0.1, end: 1}
bodies: [{name: a, shape: {kind: sphere, radius: 1}, motion: prescribed, motion_table: zero.csv}]
END
refuse_all 2 "bodies[0].motion_table: zero.csv: row 1 has a zero quaternion" check zero.yaml
finish
