#!/bin/sh
# The manual as one HTML file and as PDF: pandoc makes the one, Chromium prints the other.
# usage: doc/manual.sh FOLDER     (make manual; scripts/deps --viewer installs both tools)
# What scripts/verify and scripts/bench printed is taken in, if FOLDER/../verify.out or bench.out is
# there: scripts/verify | tee build/verify.out
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"
command -v pandoc >/dev/null || { echo "manual: no pandoc: run scripts/deps --viewer" >&2 && exit 1; }

# What a program printed, as a chapter: `printed FILE TITLE COMMAND`.
printed() {
  printf '\n# %s\n\n' "$2"
  if [ -s "../$1" ]; then
    printf 'What `%s` printed for this build:\n\n' "$3"
    sed 's/^/    /' "../$1"
  else
    printf '`%s` measures it on your machine and prints one row for each quantity.\n' "$3"
  fi
}

version=$(sed -n 's/^AC_INIT(\[carom\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
{
  for part in start look case method; do cat "$top/doc/$part.md" && echo; done
  printed verify.out Verification scripts/verify
  printed bench.out Performance scripts/bench
  for part in extend trouble; do echo && cat "$top/doc/$part.md"; done
} >manual.md
pandoc --from markdown-smart-tex_math_dollars-yaml_metadata_block --to html5 --standalone --self-contained \
  --toc --toc-depth 2 --css "$top/doc/manual.css" --metadata lang=en --metadata title="Carom" \
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
