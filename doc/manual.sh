#!/bin/sh
# The manual as one HTML file and as PDF: pandoc makes the one, Chromium prints the other.
# usage: doc/manual.sh FOLDER     (make manual; scripts/deps --viewer installs both tools)
# The tables of verification and performance are made of what scripts/verify and scripts/bench printed:
# scripts/verify >doc/results/verify.txt, or >build/verify.out for one build.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"
command -v pandoc >/dev/null || { echo "manual: no pandoc: run scripts/deps --viewer" >&2 && exit 1; }

# What a script printed, as a chapter with a table: `printed NAME TITLE SCRIPT`. The results of this
# build (NAME.out beside FOLDER) come before those that are kept in doc/results.
printed() {
  results=$top/doc/results/$1.txt where="kept in doc/results/$1.txt"
  [ ! -s "../$1.out" ] || { results=../$1.out where="of this build"; }
  printf '\n# %s\n\nWhat `%s` printed (%s).\n\n' "$2" "$3" "$where"
  python3 "$top/doc/tables.py" "$results"
}

version=$(sed -n 's/^AC_INIT(\[carom\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
{
  for part in start look case method; do cat "$top/doc/$part.md" && echo; done
  printed verify Verification scripts/verify
  printed bench Performance scripts/bench
  for part in extend trouble; do echo && cat "$top/doc/$part.md"; done
} >manual.md
pandoc --from markdown-smart-tex_math_dollars-yaml_metadata_block --to html5 --standalone --self-contained \
  --toc --toc-depth 2 --css "$top/doc/manual.css" --resource-path "$top/doc" --metadata lang=en --metadata title="Carom" \
  --metadata subtitle="The manual, version $version" manual.md -o carom.html
echo "$PWD/carom.html"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "manual: no Chromium, so no PDF" >&2 && exit 0; }
sandbox=
[ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox # Chromium does not run as root otherwise
rm -f carom.pdf
"$browser" --headless $sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$PWD/carom.pdf" \
  "file://$PWD/carom.html" >print.out 2>&1 || { tail -n 5 print.out >&2 && exit 1; }
[ -s carom.pdf ] || { echo "manual: no PDF was printed" >&2 && exit 1; }
echo "$PWD/carom.pdf"
