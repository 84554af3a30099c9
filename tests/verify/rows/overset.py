"""Joined grids: an even stream stays even.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import os
import subprocess

from carom_case import Failure, Table, row


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
