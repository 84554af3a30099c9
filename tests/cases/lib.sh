# What the tests of whole runs share: a folder of their own, and checks that tell what went wrong.
# Sourced by tests/cases/*.sh. SPDX-License-Identifier: GPL-3.0-or-later
set -u
: "${builddir:?run through tests/run_test.sh}" "${srcdir:?}"
carom=$builddir/carom
cases=$srcdir/tests/cases
folder=$builddir/tests/cases/$(basename "$0" .sh).work
rm -rf "$folder"
mkdir -p "$folder" && cd "$folder" || exit 1

# The first failure ends the test; what it worked on is left to look at.
fail() {
  echo "FAILED: $*"
  echo "see $folder"
  exit 1
}

# `ranks N ARGUMENTS...`: carom on N ranks, one without mpirun.
ranks() {
  n_ranks=$1
  shift
  if [ "$n_ranks" -eq 1 ]; then
    "$carom" "$@"
  else
    "$MPIEXEC" --oversubscribe -n "$n_ranks" "$carom" "$@"
  fi
}

# `expect STATUS COMMAND...`: the command must leave with the status; keeps `out` and `err`.
expect() {
  wanted=$1
  shift
  status=0
  "$@" >out 2>err || status=$?
  ! grep -q 'PETSC ERROR' out err || fail "$*: a traceback reached the user"
  [ "$status" -eq "$wanted" ] || tail -n 5 out err
  [ "$status" -eq "$wanted" ] || fail "$*: status $status, wanted $wanted"
}

# `refuse STATUS TEXT ARGUMENTS...`: one line on stderr that has the text.
refuse() {
  code=$1 text=$2
  shift 2
  expect "$code" "$carom" "$@"
  [ "$(wc -l <err)" -eq 1 ] && grep -qF -e "$text" err && return
  cat err
  fail "$*: wanted one line with '$text'"
}

# `refuse_all ...`: likewise, and said once on two ranks (mpirun adds lines of its own).
refuse_all() {
  refuse "$@"
  cp err alone
  shift 2
  expect "$code" ranks 2 "$@"
  [ "$(grep -cxF -f alone err)" -eq 1 ] && return
  cat err
  fail "$*: not said once on two ranks"
}

# `same DIRECTORY DIRECTORY`: equal histories.
same() {
  for file in bodies.csv contacts.csv; do
    cmp "$1/$file" "$2/$file" || fail "$file differs between $1 and $2"
  done
}

# `valid DIRECTORY`: the newest checkpoint holds, and nothing half-written lies about.
valid() {
  newest=$(ls "$1"/checkpoint/step_*.h5 2>/dev/null | tail -n 1)
  [ -n "$newest" ] || fail "$1: no checkpoint"
  "$carom" info "$newest" >/dev/null || fail "$newest: not valid"
  clean "$1"
}

# `clean DIRECTORY`: no file that was being written is left.
clean() {
  left=$(find "$1" -name '*.part')
  [ -z "$left" ] || fail "left behind: $left"
}

# `wait_until COMMAND...`: at most ten seconds.
wait_until() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 500 ] || fail "waited in vain: $*"
    sleep 0.02
  done
}

finish() {
  cd "$builddir" && rm -rf "$folder"
  exit 0
}
