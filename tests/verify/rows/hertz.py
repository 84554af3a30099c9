"""Contact law hertz: restitution, duration, friction, rest, against closed forms.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import random

from carom_case import row
from scene import Worst, case_of, last_rows, many, random_attitude

G = 9.81
YOUNG, POISSON = 1e8, 0.3
LAW = {"law": "hertz"}


def any_attitude(_, source):
    return random_attitude(source)


def ball(name, radius=0.5, mass=1.0, **more):
    return {"name": name, "shape": {"kind": "sphere", "radius": radius}, "mass": mass,
            "young": YOUNG, "poisson": POISSON, **more}


def stiffness(radius, n_soft=1):
    """K of a contact of this effective radius; both sides are soft, or one alone."""
    return 4 / 3 * YOUNG / (1 - POISSON**2) / n_soft * math.sqrt(radius)


def contact_time(mass, k, speed):
    """Hertz: 2.94 (5 m / 4 K)^(2/5) v^(-1/5)."""
    return 2.9432746 * (1.25 * mass / k) ** 0.4 * speed**-0.2


@row("HEAD")
def head_on_under_hertz(lab):
    """Equal spheres, head-on: restitution as asked for; without losses the duration of Hertz."""
    n, gap, speed = 10, 0.1, 2.0
    lasts = contact_time(0.5, stiffness(0.25, 2), speed)
    for e in (1.0, 0.8, 0.5, 0.2, 0.0):
        pair = [ball("a", position=[-0.5 - gap / 2, 0.0, 0.0], velocity=[speed, 0.0, 0.0],
                     restitution=e),
                ball("b", position=[0.5 + gap / 2, 0.0, 0.0], restitution=e)]
        run = lab.run(case_of(many(pair, n, any_attitude), 0.005, 0.1, contact=LAW), f"e{e}")
        last, rows, worst = last_rows(run), run.contacts().rows, Worst()
        worst.add("rows", len(rows), n, 0)
        for k in range(n):
            apart = last[f"b{k}"]["vx"] - last[f"a{k}"]["vx"]
            worst.add("restitution", apart / speed, e, 1e-3)
            worst.add("momentum", last[f"b{k}"]["vx"] + last[f"a{k}"]["vx"], speed, 1e-9 * speed)
        for r in rows:
            worst.add("impulse", -r["px"], 0.5 * (1 + e) * speed, 1e-3 * speed)
            loss = 0.25 * (1 - e * e) * speed**2
            worst.add("energy lost", r["energy_before"] - r["energy_after"], loss, 1e-3 * speed**2)
            if e == 1.0:
                worst.add("duration", (r["time"] - gap / speed) / lasts, 1.0, 2e-3)
        worst.judge(lab, f"e {e}: ")


@row("SLIP")
def sphere_on_floor_under_hertz(lab):
    """B3 (slides through) and B4 (slip stops) with a soft sphere."""
    cases = (((3.0, 0.0, -2.0), -10.0, 0.1, 0.8, (2.64, 0.0, 1.6), -8.2),
             ((1.0, 0.0, -4.0), -2.0, 0.5, 0.6, (3 / 7, 0.0, 2.4), 6 / 7))
    source = random.Random(5)
    for name, (v, spin, mu, e, v_after, spin_after) in zip(("B3", "B4"), cases):
        scene = [ball(f"s{k}", position=[0.0, 5.0 * k, 0.55], velocity=list(v),
                      spin=[0.0, spin, 0.0], friction=mu, restitution=e,
                      attitude=random_attitude(source)) for k in range(5)]
        wall = {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "friction": 1.0}
        run = lab.run(case_of(scene, 0.005, 0.06, walls=[wall], contact=LAW), name)
        worst = Worst()
        for record in last_rows(run).values():
            worst.add_vector("velocity", record, "v", v_after, 2e-3)
            worst.add("spin_y", record["wy"], spin_after, 4e-3)
        worst.judge(lab, f"{name}: ")


@row("SINK")
def sphere_at_rest_under_hertz(lab):
    """A sphere laid on a wall sinks in by (m g / K)^(2/3) and keeps still."""
    radius, mass, n = 0.1, 1.0, 5
    source = random.Random(6)
    scene = [ball(f"s{k}", radius, mass, position=[1.0 * k, 0.0, radius], restitution=0.5,
                  attitude=random_attitude(source)) for k in range(n)]
    wall = {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}
    run = lab.run(case_of(scene, 0.005, 0.3, gravity=[0, 0, -G], walls=[wall], contact=LAW))
    depth = (mass * G / stiffness(radius)) ** (2 / 3)
    worst = Worst()
    worst.add("rows", len(run.contacts().rows), n, 0)
    for record in last_rows(run).values():
        worst.add("depth / (m g / K)^(2/3)", (radius - record["z"]) / depth, 1.0, 1e-3)
        worst.add("speed", record["vz"], 0.0, 1e-6)
    worst.judge(lab)


@row("CHAIN")
def cradle_under_hertz(lab):
    """Five balls in a row: the last leaves with 0.9888 of the speed, not with all of it (the
    oscillator chain d^2 x_i / dt^2 = (x_{i-1} - x_i)^(3/2) - (x_i - x_{i+1})^(3/2))."""
    wanted = chain(5)
    scene = [ball("s", position=[-1.05, 0.0, 0.0], velocity=[1.0, 0.0, 0.0])]
    scene += [ball(name, position=[1.0 * k, 0.0, 0.0]) for k, name in enumerate("tuvw")]
    run = lab.run(case_of(scene, 0.01, 0.2, contact=LAW))
    last, worst = last_rows(run), Worst()
    for name, want in zip("stuvw", wanted):
        worst.add(f"velocity of {name}", last[name]["vx"], want, 1e-3)
    worst.judge(lab)
    energy = sum(last[name]["vx"] ** 2 for name in "stuvw")
    lab.near("energy kept", energy, 1.0, 1e-4)


def chain(n, h=1e-3, end=60.0):
    """Speeds after a unit blow on the first of n touching masses, by velocity Verlet."""

    def force(x):
        press = [max(x[i] - x[i + 1], 0.0) ** 1.5 for i in range(n - 1)]
        return [(press[i - 1] if i > 0 else 0.0) - (press[i] if i < n - 1 else 0.0)
                for i in range(n)]

    x, v = [0.0] * n, [1.0] + [0.0] * (n - 1)
    f = force(x)
    for _ in range(int(end / h)):
        v = [vi + 0.5 * h * fi for vi, fi in zip(v, f)]
        x = [xi + h * vi for xi, vi in zip(x, v)]
        f = force(x)
        v = [vi + 0.5 * h * fi for vi, fi in zip(v, f)]
    return v
