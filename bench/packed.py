#!/usr/bin/env python3
"""Closely packed balls: how much faster is contact on two ranks than on one?

usage: bench/packed.py CAROM [N]     CAROM: the program; N: balls along an edge of the lattice (8)

Writes the case into a directory of its own, runs it on 1 and on 2 ranks and prints the time spent
in contact, as the closing table of a run tells it, and the ratio.
"""

import os
import random
import re
import subprocess
import sys
import tempfile

RADIUS, SPACING, SPEED = 0.5, 1.01, 0.5
HEAD = """gravity: [0, 0, 0]
contact: {primitives: xray}
time: {step: 1.0e-3, end: 0.02}
bodies:
"""
BODY = ("  - {{name: b{n}, mass: 1, restitution: 0.8, shape: {{kind: sphere, radius: {r}}}, "
        "position: [{x}, {y}, {z}], velocity: [{u}, {v}, {w}]}}\n")


def write_case(path, edge, n_bodies):
    source = random.Random(3)
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD)
        for n in range(n_bodies):
            x, y, z = n % edge, n // edge % edge, n // edge // edge
            u, v, w = (source.uniform(-SPEED, SPEED) for _ in range(3))
            out.write(BODY.format(n=n, r=RADIUS, x=x * SPACING, y=y * SPACING, z=z * SPACING,
                                  u=u, v=v, w=w))


def contact_seconds(carom, case, ranks, where):
    command = ["mpiexec", "-n", str(ranks), carom, "run", case, "-o",
               os.path.join(where, f"out{ranks}")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"^\s*contact\s+([0-9.eE+-]+)", done.stdout, re.MULTILINE)
    if done.returncode != 0 or found is None:
        sys.exit(f"packed: {' '.join(command)}: status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return float(found.group(1))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    edge = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with tempfile.TemporaryDirectory() as where:
        case = os.path.join(where, "packed.yaml")
        write_case(case, edge, min(500, edge ** 3))
        one, two = (contact_seconds(sys.argv[1], case, ranks, where) for ranks in (1, 2))
    print(f"packed | {min(500, edge ** 3)} balls | contact {one:.4g} s on 1 rank, {two:.4g} s on 2"
          f" | ratio {one / two:.3g}")


if __name__ == "__main__":
    main()
