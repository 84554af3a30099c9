#!/bin/sh
# Does every request to stop end the run after its step with a checkpoint and status 75, so that a
# run stopped in all these ways comes out as one that never was?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"
sed -e 's/end: .*}/end: 0.5}/' -e 's/step: 1.0e-3/step: 4.0e-6/' -e 's/history: 7/history: 999/' \
  -e 's/checkpoint: 90/checkpoint: 50000/' "$cases/flight.yaml" >long.yaml
cp "$cases"/flight_*.csv .
dir=long.out

running() {
  grep -q '"exit_reason": "running"' "$dir/run.json" 2>/dev/null
}

# `stopped WHAT REASON PROCESS`: wait for the process, which must have obeyed.
stopped() {
  status=0
  wait "$3" || status=$?
  [ "$status" -eq 75 ] || tail -n 5 log
  [ "$status" -eq 75 ] || fail "$1: status $status, wanted 75"
  grep -q "\"exit_reason\": \"$2\"" "$dir/run.json" || fail "$1: exit reason"
  grep -q '"exit_status": 75' "$dir/run.json" || fail "$1: exit status in run.json"
  ! grep -q 'PETSC ERROR' log || fail "$1: a traceback reached the user"
  valid "$dir"
}

# `on_signal NAME COMMAND...`
on_signal() {
  name=$1
  shift
  "$@" >log 2>&1 &
  process=$!
  wait_until running
  kill -"$name" "$process"
  stopped "$name to $1" signal "$process"
}

# A shell starts what runs in the background with SIGINT ignored; env undoes that.
on_signal INT env --default-signal=INT "$carom" run long.yaml
for name in TERM USR1 USR2; do on_signal "$name" "$carom" resume "$dir"; done
on_signal USR1 "$MPIEXEC" --oversubscribe -n 2 "$carom" resume "$dir"

"$carom" resume "$dir" >log 2>&1 &
wait_until running
touch "$dir/STOP"
stopped "STOP file" "STOP file" $!
[ ! -e "$dir/STOP" ] || fail "the STOP file is still there"
"$carom" resume "$dir" --wall 0.1 >log 2>&1 &
stopped "--wall" "wall limit" $!
ranks 2 resume "$dir" --wall 0.1 >log 2>&1 &
stopped "--wall on two ranks" "wall limit" $!

expect 0 "$carom" resume "$dir" --quiet
expect 0 "$carom" run long.yaml -o whole --quiet
same whole "$dir"

# mpirun that gets SIGTERM waits for its timeout, hands it on, waits again, and kills; its own status
# is not that of the ranks. So a run that would take long must have left its checkpoint.
sed 's/step: 4.0e-6/step: 1.0e-7/' long.yaml >slow.yaml
dir=slow.out
"$MPIEXEC" --oversubscribe --mca odls_base_sigkill_timeout 2 -n 2 "$carom" run slow.yaml >log 2>&1 &
process=$!
wait_until running
kill -TERM "$process"
wait "$process"
grep -q '"exit_reason": "signal"' "$dir/run.json" || fail "TERM to mpirun: exit reason"
grep -q '"exit_status": 75' "$dir/run.json" || fail "TERM to mpirun: exit status"
valid "$dir"
expect 0 "$carom" resume "$dir" --quiet --steps 3
finish
