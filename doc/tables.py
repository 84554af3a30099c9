#!/usr/bin/env python3
"""What scripts/verify and scripts/bench printed, as tables for the manual.

usage: doc/tables.py FILE     a heading, then rows; columns are divided by two spaces or more

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys


def columns_of(lines):
    """Where columns begin and end: by runs of blanks that go through all rows."""
    width = max(map(len, lines))
    blank = [all(k >= len(line) or line[k] == " " for line in lines) for k in range(width)]
    cuts, begin = [], None
    for k in range(width + 1):
        if k < width and not blank[k]:
            begin = k if begin is None else begin
        elif begin is not None:
            cuts.append((begin, k))
            begin = None
    return cuts


def cells_of(line, n):
    """The cells of a row; two blanks or more divide them."""
    cells = [c for c in re.split(r" {2,}", line.strip())]
    return cells if len(cells) == n else None


def main():
    lines = [line.rstrip("\n") for line in open(sys.argv[1], encoding="utf-8")]
    lines = [line for line in lines if line.strip() and not set(line) <= set("-= ")]
    head = re.split(r" {2,}", lines[0].strip())
    rows = [cells_of(line, len(head)) for line in lines[1:]]
    if None in rows:  # a wide cell touches its neighbour: columns by position
        cuts = columns_of(lines)
        head = [lines[0][a:b].strip() for a, b in cuts]
        rows = [[line[a:b].strip() for a, b in cuts] for line in lines[1:]]
    for row in [head, ["---"] * len(head)] + rows:
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


main()
