#!/bin/sh
# Are functions, files and lines short? Prints the functions over 50 lines and the ten longest;
# fails for functions over 80 (40 in sim/step.c), files over 500, lines over 100 columns.
# usage: sizes.sh [TOP]      SPDX-License-Identifier: GPL-3.0-or-later
top=${1:-${srcdir:-.}}
export LC_ALL=C
cd "$top" || exit 1

# Exempt from the length of functions and files: `path reason`, one per line.
exempt() {
  cat <<'END'
END
}

folders=
for folder in src tests bench examples; do
  [ ! -d "$folder" ] || folders="$folders $folder"
done
list=$(mktemp) && bad=$(mktemp) || exit 1
trap 'rm -f "$list" "$bad"' EXIT

# A function begins with the paragraph before a brace in the first column and ends with the next
# closing brace there; its length includes the lines of its name and arguments.
find $folders -name '*.[ch]' -o -name '*.cpp' | sort | xargs -r awk -v exempt="$(exempt)" '
  function close_file() {
    if (last != "" && lines > 500 && !(last in free)) print "BAD " last ": " lines " lines, over 500"
  }
  BEGIN {
    n = split(exempt, row, "\n")
    for (i = 1; i <= n; i++) { split(row[i], part, " "); free[part[1]] = 1 }
  }
  FNR == 1 { close_file(); last = FILENAME; lines = 0; start = 0 }
  { lines++ }
  /^$/ { if (!inside) start = 0 }
  /^[A-Za-z_]/ { if (!inside && !start) { start = FNR; name = $0 } }
  /;$/ { if (!inside) start = 0 }
  /^#|^ ?\*|^\/\*/ { if (!inside) start = 0 }
  /^{$/ { if (!start) { start = FNR; name = "?" } inside = 1 }
  /^}/ {
    if (inside) {
      length_ = FNR - start + 1
      sub(/^START_TEST\(/, "", name)
      sub(/[()].*/, "", name)
      sub(/.*[ *]/, "", name)
      printf "FUNCTION %d %s:%d %s\n", length_, FILENAME, start, name
      limit = FILENAME == "src/sim/step.c" ? 40 : 80
      if (length_ > limit && !(FILENAME in free))
        print "BAD " FILENAME ":" start ": " name " has " length_ " lines, over " limit
    }
    inside = start = 0
  }
  length($0) > 100 && $0 !~ /https?:/ {
    # Count characters, not the bytes that follow the first of a character.
    text = $0
    gsub(/[\200-\277]/, "", text)
    if (length(text) > 100) print "BAD " FILENAME ":" FNR ": " length(text) " columns, over 100"
  }
  END { close_file() }
' | sort >"$list"

sed -n 's/^FUNCTION //p' "$list" | sort -k1,1nr -k2 >"$bad"
echo "functions over 50 lines:"
awk '$1 > 50 { print "  " $0 }' "$bad"
echo "the ten longest:"
head -n 10 "$bad" | sed 's/^/  /'
sed -n 's/^BAD //p' "$list" >"$bad"
cat "$bad"
[ ! -s "$bad" ]
