"""Joined grids: an even stream stays even, a vortex passes through.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import os
import subprocess

from carom_case import Failure, Table, order, row
from rows_near import fields, make_grid as make_block, one_grid
from rows_off_body import density_error


def make_grid(lab, name, *words):
    """A near-body grid grown from a shape."""
    path = os.path.join(lab.folder, name)
    layers = ["--layers", "8", "--first", "0.05", "--growth", "1.05"]
    done = subprocess.run([os.path.join(lab.build, "carom"), "grid", *words, *layers, "-o", path],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(done.stderr.strip())


def mover(name, grid, position, velocity, spin):
    """A grid without a body: nothing at its inner boundary disturbs the stream."""
    boundaries = "{farfield: [body], overset: [outer]}"
    return {"name": name, "motion": "prescribed", "position": position, "velocity": velocity,
            "spin": spin, "grid": {"file": grid, "boundaries": boundaries}}


@row("C1")
def even_stream(lab):
    make_grid(lab, "ball.cgns", "sphere", "radius=0.5", "spacing=0.1")
    make_grid(lab, "box.cgns", "box", "size=0.8,0.8,0.8", "spacing=0.1")
    case = {"title": "verification", "time": {"step": 0.01, "end": 1.0},
            "bodies": [mover("ball", "ball.cgns", [-0.6, 0, 0], [0.5, 0.1, 0.05], [1, 2, 3]),
                       mover("box", "box.cgns", [0.6, 0.1, -0.1], [-0.5, -0.1, 0.02],
                             [-2, 1, 0.5])],
            "flow": {"integrator": "ssprk3", "cfl": 0.7,
                     "freestream": {"mach": 0.5, "alpha": 10, "beta": 5, "density": 1,
                                    "pressure": 1 / 1.4}},
            "off_body": {"box": {"min": [-3, -3, -3], "max": [3, 3, 3]}, "spacing": 0.375,
                         "levels": 3, "patch": 8},
            "output": {"fields": 0, "checkpoint": 0}}
    rows = Table(os.path.join(lab.run(case).directory, "flow.csv")).rows
    lab.near("density, largest after 100 steps", max(r["density_max"] for r in rows), 1, 1e-12)
    lab.near("density, least", min(r["density_min"] for r in rows), 1, 1e-12)
    lab.near("pressure, largest", max(r["pressure_max"] for r in rows), 1 / 1.4, 1e-12)
    lab.near("pressure, least", min(r["pressure_min"] for r in rows), 1 / 1.4, 1e-12)
    lab.at_least("holes in the grids and the forest", min(r["cells_hole"] for r in rows), 1)
    lab.at_most("orphans", max(r["orphans"] for r in rows), 0)


LAYERS = 6  # so thin that no cell of the forest is out of reach of what gives to it
END, MACH, HALF = 8.0, 0.5, 10.0  # the vortex has a core of radius 1 and starts at the origin
STREAM = {"velocity": [MACH, 0, 0], "density": 1, "pressure": 1 / 1.4}


def vortex_density(x, y):
    f = math.exp(0.5 * (1 - (x - MACH * END) ** 2 - y * y)) / math.pi
    return (1 - 0.4 / 2.8 * f * f) ** 2.5


def vortex_alone(lab, n):
    """Mean error of the density on one near-body grid over the whole domain."""
    h = 2 * HALF / n
    grid = make_block(lab, f"whole{n}", "box", [n, n, 1], -HALF, HALF, -HALF, HALF, 0, h)
    kinds = {"farfield": ["xmin", "xmax", "ymin", "ymax"], "symmetry": ["zmin", "zmax"]}
    flow = {"freestream": STREAM, "initial": "vortex", "integrator": "ssprk3"}
    run = lab.run(one_grid(grid, kinds, flow, END / 4, END, every=4), name=f"alone{n}")
    cells = fields(lab, run, 4)
    return sum(abs(c["Density"] - vortex_density(c["x"], c["y"])) for c in cells) / len(cells)


def vortex_joined(lab, n):
    """The same on a forest that a block of cells as wide as its own moves and turns through; cells
    of the forest that the block covers hold what it gives them."""
    h, side = 2 * HALF / n, 5.0
    m = round(side / h)
    grid = make_block(lab, f"block{n}", "box", [m, m, LAYERS], -2.5, 2.5, -2.5, 2.5,
                       -LAYERS * h / 2, LAYERS * h / 2)
    kinds = {"overset": ["xmin", "xmax", "ymin", "ymax"], "symmetry": ["zmin", "zmax"]}
    body = {"name": "block", "motion": "prescribed", "position": [3, 0.2, LAYERS * h / 2],
            "velocity": [-0.3, 0.05, 0], "spin": [0, 0, 0.2], "center": [0, 0, 0],
            "grid": {"file": grid, "boundaries": kinds}}
    sides = {"xmin": "periodic", "xmax": "periodic", "ymin": "periodic", "ymax": "periodic",
             "zmin": "symmetry", "zmax": "symmetry"}
    box = {"min": [-HALF, -HALF, 0], "max": [HALF, HALF, LAYERS * h]}
    case = {"title": "verification", "time": {"step": 0.5 * h, "end": END}, "bodies": [body],
            "flow": {"freestream": STREAM, "initial": "vortex", "integrator": "ssprk3"},
            "off_body": {"box": box, "spacing": h, "levels": 1, "patch": LAYERS,
                         "boundaries": sides},
            "output": {"fields": 0, "checkpoint": 0}}
    run = lab.run(case, name=f"joined{n}")
    rows = Table(os.path.join(run.directory, "flow.csv")).rows
    lab.at_least(f"{n} cells: fringe", min(r["cells_fringe"] for r in rows), 1)
    lab.at_most(f"{n} cells: orphans", max(r["orphans"] for r in rows), 0)
    return density_error(lab, run)


@row("C3")
def vortex_through_fringe(lab):
    joined, alone = [], []
    for n in (60, 120):
        joined.append(vortex_joined(lab, n))
        alone.append(vortex_alone(lab, n))
        lab.at_most(f"{n} cells: error over that of one near-body grid", joined[-1] / alone[-1],
                    1.5)
    lab.at_least("order, 60 to 120 cells", order(*joined), 1.9)
