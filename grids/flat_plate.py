#!/usr/bin/env python3
"""Grids around a flat plate as those of NASA's Turbulence Modeling Resource (2DZP), one cell wide.

usage: flat_plate.py CELLS FILE.cgns [BUILD]     CELLS along the stream: 544, 272, 136, 68 or 34

A plate from x = 0 to 2 in the plane z = 0, symmetry ahead of it from x = -1/3, top at z = 1. Every
grid has every other line of the next finer one; the finest, of 544 x 384 cells, begins at the wall
with 5e-7 and at the leading edge with 1e-3. Boundaries: ahead, plate, inflow, outflow, top, sides.
BUILD is the folder of a build of Carom, whose tests/support/make_grid writes the file.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import os
import subprocess
import sys

FINEST, ACROSS = 544, 384
AHEAD, LENGTH, HEIGHT = 1.0 / 3.0, 2.0, 1.0
WALL, EDGE = 5e-7, 1e-3
BEFORE = 96  # cells of the finest grid ahead of the plate


def growth(cells, first, length):
    """The ratio of neighbouring cells that grow evenly from the first to fill the length."""
    low, high = 1.0 + 1e-12, 2.0
    for _ in range(200):
        q = 0.5 * (low + high)
        if first * (q**cells - 1.0) / (q - 1.0) > length:
            high = q
        else:
            low = q
    return low


def coarsened(cells, first, length, times):
    """The first cell once every other line has been left out so many times."""
    q = growth(cells, first, length)
    for _ in range(times):
        first, q = first * (1.0 + q), q * q
    return first


def numbers(cells):
    """What make_grid wants for a grid of the family."""
    times = {FINEST >> k: k for k in range(5)}[cells]
    wall = coarsened(ACROSS, WALL, HEIGHT, times)
    edge = coarsened(FINEST - BEFORE, EDGE, LENGTH, times)
    return (cells, 1, ACROSS >> times), (AHEAD, LENGTH, HEIGHT, wall, edge, BEFORE / FINEST)


def main():
    if len(sys.argv) not in (3, 4) or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    build = sys.argv[3] if len(sys.argv) == 4 else "build"
    n, sizes = numbers(int(sys.argv[1]))
    command = [os.path.join(build, "tests/support/make_grid"), "plate", sys.argv[2]]
    sys.exit(subprocess.call(command + [str(v) for v in (*n, *sizes)]))


if __name__ == "__main__":
    main()
