"""The off-body forest: order on the vortex, shocks, conservation, ranks.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import os
import subprocess

from carom_case import Table, order, row

SIDES = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax")
# Density and speed of sound of the stream are one.
STILL = {"velocity": [0, 0, 0], "density": 1, "pressure": 1 / 1.4}


def sides(kind):
    return {side: kind for side in SIDES}


def case_of(initial, step, end, box, spacing, **more):
    """A wet case without bodies."""
    off_body = {"box": box, "spacing": spacing, "levels": 1, "boundaries": sides("periodic")}
    off_body.update(more)
    return {"title": "verification", "time": {"step": step, "end": end},
            "flow": {"freestream": {**STILL, "velocity": [0.5, 0, 0]}, "initial": initial,
                     "integrator": "ssprk3"},
            "off_body": off_body, "output": {"fields": 0, "checkpoint": 0}}


def last_state(lab, run):
    """What a program that reads the last checkpoint of a run says of it, as a list of words; it
    leaves pictures of density and error beside it."""
    name = "tests/verify/off_body_error"
    subprocess.run(["make", "-s", "-C", lab.build, name], check=True, capture_output=True)
    pictures = [os.path.join(run.directory, p) for p in ("density.pgm", "error.pgm")]
    done = subprocess.run([os.path.join(lab.build, name), run.directory] + pictures, check=True,
                          capture_output=True, text=True)
    return done.stdout.split()


def density_error(lab, run):
    """Mean error of the density at the end of a run."""
    return float(last_state(lab, run)[1])


def rows_of(run):
    return Table(os.path.join(run.directory, "flow.csv")).rows


def vortex(lab, n, end, **more):
    """A box of +-10 core radii, one patch thick, in steps that shrink like h^(5/3)."""
    h = 20 / n
    steps = math.ceil(28 * end * (n / 64) ** (5 / 3))
    box = {"min": [-10, -10, 0], "max": [10, 10, 16 * h]}
    run = lab.run(case_of("vortex", end / steps, end, box, h, **more), name=f"vortex{n}")
    return density_error(lab, run), rows_of(run)[-1]


@row("C2-off-body")
def vortex_order(lab):
    errors, fallbacks = [], 0
    for n in (64, 128, 256):
        error, last = vortex(lab, n, 2)
        errors.append(error)
        fallbacks += last["fallbacks"]
    lab.at_least("order, 64 to 128 cells", order(errors[0], errors[1]), 4.5)
    lab.at_least("order, 128 to 256 cells", order(errors[1], errors[2]), 4.5)
    lab.at_most("share of fallbacks", fallbacks, 0)


def through_levels(lab, n, patch, threshold):
    """The vortex in a box of n cells and levels that follow it: its error, and the rows."""
    h = 20 / n
    box = {"min": [-10, -10, 0], "max": [10, 10, patch * h]}
    adapt = {"every": patch // 2, "sensor": "density", "threshold": threshold}
    case = case_of("vortex", 1.28 / n, 4, box, h, levels=3, patch=patch, adapt=adapt)
    run = lab.run(case, name=f"levels{n}-{patch}")
    rows = rows_of(run)
    cells = [r["cells_field"] for r in rows]
    lab.at_least(f"largest number of cells over the smallest, {n}", max(cells) / min(cells), 1.01)
    lab.at_most(f"defect of mass, {n}", max(abs(r["mass_defect"]) for r in rows), 1e-13)
    return last_state(lab, run)


@row("C2-off-body-levels")
def vortex_through_levels(lab):
    """Three levels that follow the vortex, fluxes matched where they meet.

    Patches keep their size and change at the same times; their cells are divided. With a fixed
    number of cells to a patch, patches shrink with the cells, levels meet nearer to the vortex, and
    the error there stays what it was (1.4e-6 with 64 and with 128 cells in patches of 8).
    """
    states = [through_levels(lab, n, n // 4, 0.16 / n) for n in (32, 64)]
    errors = [float(state[1]) for state in states]
    lab.at_least("order with three moving levels", order(*errors), 1.9)
    lab.at_most("greatest error, of a vortex 0.1 deep", float(states[1][2]), 2e-4)


@row("C2-off-body-far")
def vortex_leaves(lab):
    """The vortex leaves through a farfield side: what is left of it."""
    h = 16 / 64
    box = {"min": [-8, -8, 0], "max": [8, 8, 8 * h]}
    ends = {side: "farfield" for side in SIDES[:4]}
    case = case_of("vortex", 0.1, 26, box, h, patch=8, boundaries={**sides("periodic"), **ends})
    rows = rows_of(lab.run(case))
    pressure = 1 / 1.4

    def swing(r):
        return max(r["pressure_max"] - pressure, pressure - r["pressure_min"]) / pressure

    lab.at_most("pressure left after it, of what it had", swing(rows[-1]) / swing(rows[0]), 0.08)
    worst = max(r["pressure_max"] for r in rows) / pressure - 1
    lab.at_most("pressure above that of the stream, of what it had", worst / swing(rows[0]), 0.5)


@row("C2-off-body-ranks")
def ranks_agree(lab):
    """A hundred steps on 1, 2 and 4 ranks; two hundred keep what is in the box."""
    box = {"min": [-2, -2, -1], "max": [2, 2, 1]}
    adapt = {"every": 4, "sensor": "density", "threshold": 0.02}
    case = case_of("vortex", 0.02, 2, box, 0.125, levels=3, patch=8, adapt=adapt)
    case["flow"]["freestream"]["velocity"] = [1.5, 0.9, 0.2]
    case["reference"] = {"length": 0.3}
    states = [last_state(lab, lab.run(case, name=f"ranks{n}", ranks=n)) for n in (1, 2, 4)]
    for n, state in zip((2, 4), states[1:]):
        lab.at_most(f"values that differ on {n} ranks after 100 steps", state[3] != states[0][3], 0)
    case["time"]["end"] = 4
    first = last_state(lab, lab.run(case, name="first", flags=("--steps", "1")))
    last = last_state(lab, lab.run(case, name="last"))
    scale = float(first[8])
    for k, what in enumerate(("mass", "momentum x", "momentum y", "momentum z", "energy")):
        change = abs(float(last[4 + k]) - float(first[4 + k])) / scale
        lab.at_most(f"change of {what} in 200 steps on three levels", change, 1e-13)


@row("C4-off-body")
def shocks(lab):
    errors = []
    for n in (128, 256, 512):
        h = 8 / n
        box = {"min": [-4, 0, 0], "max": [4, 8 * h, 8 * h]}
        ends = {**sides("periodic"), "xmin": "out", "xmax": "out"}
        case = case_of("sod", 0.4 * h, 1.6, box, h, patch=8, boundaries=ends)
        case["flow"]["freestream"] = STILL
        run = lab.run(case, name=f"sod{n}")
        errors.append(density_error(lab, run))
        lab.at_most(f"Sod, {n} cells: share of fallbacks", rows_of(run)[-1]["fallbacks"], 1e-3)
    lab.at_least("Sod: order in L1, 128 to 256 cells", order(errors[0], errors[1]), 0.8)
    lab.at_least("Sod: order in L1, 256 to 512 cells", order(errors[1], errors[2]), 0.8)

    box = {"min": [-2, -2, -2], "max": [2, 2, 2]}
    case = case_of("blast", 1e-4, 4e-3, box, 1 / 12, levels=2, boundaries=sides("out"),
                   adapt={"every": 4, "sensor": "pressure", "threshold": 0.2})
    case["flow"]["freestream"] = STILL
    case["reference"] = {"length": 0.5}
    rows = rows_of(lab.run(case, name="blast"))
    lab.at_least("blast: least pressure", min(r["pressure_min"] for r in rows), 1e-12)
    lab.at_least("blast: least density", min(r["density_min"] for r in rows), 1e-12)
    lab.at_most("blast: share of fallbacks", rows[-1]["fallbacks"], 1e-3)


@row("mixed-order")
def mixed_order(lab):
    """A vortex through a grid that joins the forest: grids implicit, the forest explicit."""
    tool = os.path.join(lab.build, "tests", "support", "make_grid")
    subprocess.run(["make", "-s", "-C", lab.build, "tests/support/make_grid"], check=True,
                   capture_output=True)
    subprocess.run([tool, "box", os.path.join(lab.folder, "block.cgns")] + ["24"] * 3 +
                   ["-1.5", "1.5"] * 3, check=True, capture_output=True)
    walls = "{overset: [" + ", ".join(SIDES) + "]}"
    runs, seconds = {}, {}
    for kind, step in (("ssprk3", 0.04), ("bdf2", 0.08), ("mixed", 0.16), ("mixed", 0.08),
                       ("mixed", 0.04)):
        box = {"min": [-4, -4, -4], "max": [4, 4, 4]}
        case = case_of("vortex", step, 1.28, box, 0.25, patch=8, boundaries=sides("farfield"))
        case["bodies"] = [{"name": "block", "motion": "fixed",
                           "grid": {"file": "block.cgns", "boundaries": walls}}]
        case["flow"].update(integrator=kind, cfl=0.4)
        case["reference"] = {"point": [-0.6, 0.1, 0]}
        run = lab.run(case, name=f"{kind}{step}")
        rows = rows_of(run)
        runs[kind, step] = run
        seconds[kind, step] = sum(r["seconds_flow"] for r in rows) / (len(rows) - 1)

    def apart(a, b):
        name = os.path.join(lab.build, "tests/verify/off_body_error")
        done = subprocess.run([name, a.directory, "-from", b.directory, "2.2"], check=True,
                              capture_output=True, text=True)
        return float(done.stdout)

    last_state(lab, runs["mixed", 0.16])  # makes the program
    steps = [runs["mixed", s] for s in (0.16, 0.08, 0.04)]
    lab.at_least("order in time", order(apart(steps[0], steps[1]), apart(steps[1], steps[2])), 1.7)
    exact = runs["ssprk3", 0.04]
    lab.at_most("error, of that of bdf2 at the same step",
                apart(steps[1], exact) / apart(runs["bdf2", 0.08], exact), 0.1)
    lab.at_most("seconds per step, of those of bdf2",
                seconds["mixed", 0.08] / seconds["bdf2", 0.08], 1.5)
