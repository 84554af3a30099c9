#!/bin/sh
# Can the manual be made, with every chapter in it, and are the man pages without mistakes? Skipped
# without pandoc, but not where CI=true.
# SPDX-License-Identifier: GPL-3.0-or-later
: "${builddir:?run through tests/run_test.sh}" "${srcdir:?}"

fail() {
  echo "FAILED: $*"
  exit 1
}

for page in "$srcdir"/doc/*.1; do
  if command -v man >/dev/null; then
    said=$(LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "$page: $said"
  fi
done
# Every verb of the program has a name in the manual page and in the completion.
for verb in $("$builddir/carom" --help | sed -n 's/^  carom \([a-z]*\) .*/\1/p'); do
  "$builddir/carom" "$verb" --help | grep -q "not in this version yet" && continue
  grep -q "^.B carom $verb" "$srcdir/doc/carom.1" || fail "carom.1 does not know $verb"
  grep -q "verbs=.*$verb" "$srcdir/doc/carom.bash" || fail "the completion does not know $verb"
done

if ! command -v pandoc >/dev/null; then
  echo "SKIP: no pandoc here, so the manual is not made (scripts/deps --viewer installs it)"
  [ "${CI:-}" != true ] || exit 1
  exit 77
fi
folder=$builddir/tests/doc/work
rm -rf "$folder"
sh "$srcdir/doc/manual.sh" "$folder" || fail "the manual cannot be made"
for title in 'Getting started' 'Looking at results' 'The case file' 'The method' 'Verification' \
  'Performance' 'Adding to Carom' 'When something goes wrong'; do
  grep -q "<h1[^>]*>$title</h1>" "$folder/carom.html" || fail "no chapter '$title'"
done
! grep -qE '(src|href)="(https?:)?//' "$folder/carom.html" || fail "the manual asks the network"
if command -v chromium >/dev/null; then
  head -c 5 "$folder/carom.pdf" | grep -q '%PDF-' || fail "no PDF"
fi
