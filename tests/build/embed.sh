#!/bin/sh
# Does the example of a host build against the installed library by pkg-config alone, and come to the
# known answer on one rank and on two?
# SPDX-License-Identifier: GPL-3.0-or-later
: "${builddir:?run through tests/run_test.sh}" "${srcdir:?}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS

fail() {
  echo "FAILED: $*"
  exit 1
}

[ -n "$MPIEXEC" ] || exit 77
make -C "$builddir" install DESTDIR="$folder/root" >install.log 2>&1 || {
  tail -n 20 install.log
  fail "make install"
}
prefix=$(sed -n 's/^prefix=//p' "$builddir/carom.pc")
pc=$(find root -name carom.pc)
[ -n "$pc" ] || fail "carom.pc was not installed"
export PKG_CONFIG_PATH="$folder/$(dirname "$pc")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
flags=$(pkg-config --define-variable=prefix="$folder/root$prefix" --cflags --libs carom) ||
  fail "pkg-config does not know carom"
# The first word: the tests of Carom itself may be built with flags that hosts do not have.
cc=$(sed -n 's/^CC = \([^ ]*\).*/\1/p' "$builddir/Makefile")
source=$(find root -name embed.c)
[ "$(wc -l <"$source")" -lt 100 ] || fail "the example has 100 lines or more"
# shellcheck disable=SC2086 # the flags are words
$cc -std=gnu11 -Wall -Wextra -Werror "$source" $flags -o embed || fail "the host does not build"

./embed >one 2>err || fail "one rank: $(cat err)"
"$MPIEXEC" --oversubscribe -n 2 ./embed >two 2>err || fail "two ranks: $(cat err)"
cmp one two || fail "two ranks differ from one"
awk 'function near(got, want) { return (got - want) ^ 2 < 1e-8 }
     /^impact/ { n++; gsub(",", ""); t[n] = $3; v[n] = $5; p[n] = $7 }
     /^end/ { gsub(",", ""); x = $3; u = $5 }
     END {
       pi = 3.14159265358979
       exit !(n == 2 && near(t[1], 0.25) && near(v[1], 2 * pi) && near(p[1], 6 * pi) &&
              near(t[2], 0.75) && near(v[2], pi) && near(x, 0.25) && near(u, 0))
     }' one || {
  cat one
  fail "not the known answer"
}
exit 0
