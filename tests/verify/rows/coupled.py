"""Bodies and air as one: how the loads are carried from one to the other.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import os

from carom_case import Table, order, row

STILL = {"velocity": [0, 0, 0], "density": 1, "pressure": 1 / 1.4}


def pushed_ball(lab, name, step, coupling, mass):
    """A ball in still gas, pushed once and smoothly; returns its last row."""
    with open(os.path.join(lab.folder, "push.csv"), "w", encoding="utf-8") as stream:
        for k in range(81):
            force = 0.3 * mass * math.sin(math.pi * k / 80) ** 2
            stream.write(f"{0.01 * k:.17g},{force:.17g},0,0,0,0,0\n")
    ball = {"name": "ball", "mass": mass,
            "shape": {"kind": "sphere", "radius": 0.5, "spacing": 0.2},
            "loads": [{"table": "push.csv", "frame": "inertial"}],
            "grid": {"layers": 8, "first": 0.08, "growth": 1.25}}
    case = {"title": "verification", "time": {"step": step, "end": 0.8}, "bodies": [ball],
            "flow": {"integrator": "ssprk3", "cfl": 0.8, "coupling": coupling,
                     "freestream": STILL},
            "output": {"fields": 0, "checkpoint": 0}}
    run = lab.run(case, name)
    return run.bodies().of("ball")[-1], Table(os.path.join(run.directory, "flow.csv")).rows


@row("D1")
def loads_in_time(lab):
    fine, _ = pushed_ball(lab, "fine", 0.0025, "strong", 1.0)
    for coupling in ("loose", "strong"):
        error = []
        for step in (0.08, 0.04, 0.02):
            last, _ = pushed_ball(lab, f"{coupling}{step}", step, coupling, 1.0)
            error.append(abs(last["vx"] - fine["vx"]))
        lab.at_least(f"order of a {coupling} step", order(error[1], error[2]), 1.8)
        lab.at_most(f"error of the {coupling} speed at 0.02", error[2] / fine["vx"], 5e-4)


@row("D2")
def light_ball(lab):
    """Density a twenty-fifth of that of the gas."""
    fine, _ = pushed_ball(lab, "fine", 0.01, "strong", 0.02)
    last, rows = pushed_ball(lab, "strong", 0.04, "strong", 0.02)
    lab.near_relative("speed of a light ball in twenty steps", last["vx"], fine["vx"], 1e-2)
    lab.at_most("disagreement of ball and air", max(r["disagreement"] for r in rows), 1e-4)
    lab.at_most("passes a step", max(r["passes"] for r in rows), 8)


def thin_air_ball(name, position, velocity):
    return {"name": name, "mass": 1, "restitution": 1,
            "shape": {"kind": "sphere", "radius": 1, "spacing": 0.1},
            "position": position, "velocity": velocity,
            "grid": {"layers": 5, "first": 0.15, "growth": 1.15}}


@row("D3")
def impact_in_thin_air(lab):
    """A3 with eccentricity 1/4, in a run with air that is nearly none."""
    case = {"title": "verification", "time": {"step": 0.02, "end": 0.6},
            "bodies": [thin_air_ball("a", [-2.3, 0, 0], [1, 0, 0]),
                       thin_air_ball("b", [0, 0.5, 0], [0, 0, 0])],
            "flow": {"integrator": "ssprk3", "cfl": 0.8,
                     "freestream": {**STILL, "density": 1e-7, "pressure": 1e-7}},
            "off_body": {"box": {"min": [-5, -4, -4], "max": [5, 4, 4]}, "spacing": 1,
                         "levels": 3, "patch": 8},
            "output": {"fields": 0, "checkpoint": 0}}
    bodies = lab.run(case).bodies()
    u, v = bodies.of("a")[-1], bodies.of("b")[-1]
    for quantity, got, wanted in (("U1", u["vx"], 0.0625), ("U2", u["vy"], -0.2420614591),
                                  ("V1", v["vx"], 0.9375), ("V2", v["vy"], 0.2420614591)):
        lab.near(f"{quantity} behind the impact", got, wanted, 1e-4)
