#!/usr/bin/env python3
"""What scripts/verify and scripts/bench printed, as tables for the manual.

usage: doc/tables.py FILE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys

# Widths of their columns, by the first word of the heading; the last column has what is left.
WIDTHS = {"id": [6, 44, 22, 22, 10, None], "name": [28, 18, 12, 22, 8, 22, 8]}


def cells_of(line, widths):
    """The cells of a row; one that is wider than its column pushes the others on."""
    cells, at, last = [], 0, len(widths) - 1
    for k, width in enumerate(widths):
        end = len(line) if width is None or k == last else at + width
        while end < len(line) and line[end] != " ":
            end += 1
        cells.append(line[at:end].strip())
        at = end + 1
    return cells


def main():
    lines = [line.rstrip("\n") for line in open(sys.argv[1], encoding="utf-8") if line.strip()]
    while lines and lines[0].split()[0] not in WIDTHS:
        print(lines.pop(0).lstrip("# "))
    if not lines:
        sys.exit("tables: %s has no table" % sys.argv[1])
    widths = WIDTHS[lines[0].split()[0]]
    rows = [cells_of(line, widths) for line in lines]
    rows.insert(1, ["---"] * len(widths))
    print()
    for row in rows:
        print("| " + " | ".join(re.sub(r"([|_*<])", r"\\\1", cell) for cell in row) + " |")


main()
