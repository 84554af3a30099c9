#!/bin/sh
# Is every source laid out as .clang-format says? Skipped where clang-format is missing.
# usage: format.sh [TOP]      SPDX-License-Identifier: GPL-3.0-or-later
top=${1:-${srcdir:-.}}
cd "$top" || exit 1
format=
for name in clang-format clang-format-14; do
  [ -n "$format" ] || format=$(command -v "$name")
done
[ -n "$format" ] || { echo "no clang-format here" && exit 77; }
folders=
for folder in src tests bench examples; do
  [ ! -d "$folder" ] || folders="$folders $folder"
done
find $folders -name '*.[ch]' -o -name '*.cpp' | sort |
  xargs -r "$format" --style=file --dry-run -Werror --ferror-limit=1
