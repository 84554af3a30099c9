"""Bodies under gravity on a floor: bouncing to rest, rocking, sliding, rolling.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import random

from carom_case import quaternion, row, vector
from exact import dot, minus, norm, turn
from scene import Worst, case_of, last_rows, random_attitude

G = 9.81
GRAVITY = [0.0, 0.0, -G]


def floor(e=1.0, mu=0.0):
    return {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "restitution": e,
            "friction": mu}


def balls(n, radius, height, seed=1):
    """n spheres in a row, lowest points at the height, meshes turned at random."""
    source = random.Random(seed)
    return [{"name": f"ball{k}", "shape": {"kind": "sphere", "radius": radius}, "mass": 1.0,
             "position": [10.0 * radius * k, 0.0, height + radius],
             "attitude": random_attitude(source)} for k in range(n)]


# A6: apexes between impacts, from the parabola through any row of the flight.


def apexes(records, radius):
    found = []
    for before, after in zip(records, records[1:]):
        if before["vz"] > 0 >= after["vz"]:
            time = before["time"] + before["vz"] / G
            found.append((time, before["z"] - radius + before["vz"] ** 2 / (2 * G)))
    return found


@row("A6")
def sphere_on_anvil(lab):
    e, h0, radius, n = 0.8, 0.5, 0.1, 20
    case = case_of(balls(n, radius, h0), 1e-3, 2.5, gravity=GRAVITY, walls=[floor(e)])
    bodies = lab.run(case).bodies()
    fall, worst = math.sqrt(2 * h0 / G), Worst()
    for k in range(n):
        found = apexes(bodies.of(f"ball{k}"), radius)
        worst.add("apexes", min(len(found), 9), 9, 0)
        for i, (time, height) in enumerate(found[:9], start=1):
            wanted = fall * (1 + 2 * sum(e**j for j in range(1, i)) + e**i)
            worst.add(f"time of apex {i}", time, wanted, 1e-6 * wanted)
            worst.add(f"height of apex {i}", height, e ** (2 * i) * h0, 1e-6 * e ** (2 * i) * h0)
    worst.judge(lab)


# B2: infinitely many bounces in a finite time.


@row("B2")
def ball_comes_to_rest(lab):
    e, radius = 0.8, 0.1
    case = case_of(balls(5, radius, 1.0), 1e-3, 4.5, gravity=GRAVITY, walls=[floor(e)])
    run = lab.run(case)
    bodies, contacts = run.bodies(), run.contacts().rows
    resting = 1e-4 * math.sqrt(G * 2 * radius)
    tolerance = 2 * resting / (G * (1 - e))
    worst = Worst()
    for k in range(5):
        records = bodies.of(f"ball{k}")
        rests = [c["time"] for c in contacts if c["body_a"] == f"ball{k}" and c["law"] == "rest"]
        worst.add("rows of law rest", len(rests), 1, 0)
        worst.add("time of rest", rests[0] if rests else math.inf, 4.063712768872, tolerance)
        ups = sum(2 * h for _, h in apexes(records, radius))
        worst.add("path", 1.0 + ups, 4.555555555556, 1e-5)
        worst.add("height at the end", records[-1]["z"], radius, 1e-6 * radius)
        worst.add_vector("velocity at the end", records[-1], "v", (0, 0, 0), resting)
    worst.judge(lab)


# B10: Housner's block rocks from one edge over to the other.


def through(p, q, t):
    """The line through two (time, value) points at t."""
    return p[1] + (q[1] - p[1]) * (t - p[0]) / (q[0] - p[0])


@row("B10")
def rocking_block(lab):
    breadth, height, tilt = 0.25, 1.0, math.radians(4)
    # The lower edge at x = 0 is the pivot; the block leans back over it by the tilt.
    centre = (-breadth / 2 * math.cos(tilt) + height / 2 * math.sin(tilt),
              breadth / 2 * math.sin(tilt) + height / 2 * math.cos(tilt))
    block = {"name": "block", "shape": {"kind": "box", "size": [breadth, 0.5, height]},
             "mass": 2.0, "restitution": 0.0, "friction": 0.5,
             "position": [centre[0], 0.0, centre[1]],
             "attitude": {"quaternion": list(turn((0.0, 1.0, 0.0), tilt))}}
    case = case_of([block], 2e-4, 0.7, gravity=GRAVITY, walls=[floor(1.0, 1.0)])
    run = lab.run(case)
    records = run.bodies().of("block")
    angles = [2 * math.atan2(quaternion(r)[2], quaternion(r)[0]) for r in records]
    k = next((i for i, angle in enumerate(angles) if angle < 0), None)
    lab.near("it comes upright", int(k is not None), 1, 0)
    # The impact is in the step before row k, or the one before that if it ended just upright.
    before = [(r["time"], r["wy"]) for r in records[k - 4:k - 2]]
    after = [(r["time"], r["wy"]) for r in records[k + 2:k + 4]]
    strike = [c["time"] for c in run.contacts().rows if abs(c["time"] - records[k]["time"]) < 1e-3]
    lab.near("an impact when upright", int(len(strike) > 0), 1, 0)
    ratio = through(*after, strike[0]) / through(*before, strike[0])
    lab.near_relative("ratio of spins", ratio, 31 / 34, 1e-4)
    slip = max(abs(r["y"]) for r in records)
    lab.at_most("motion sideways", slip, 1e-9)
    # Energy before: the block turned about its edge without loss.
    about_edge = 2.0 * (breadth**2 + height**2) / 3
    wanted = math.sqrt(2 * 2.0 * G * (centre[1] - height / 2) / about_edge)
    lab.near_relative("spin before the impact", -through(*before, strike[0]), wanted, 1e-3)


# B11: a sphere thrown without spin rolls when friction has turned it enough.


@row("B11")
def sphere_slides_then_rolls(lab):
    radius, mu, n = 0.1, 0.3, 5
    scene = [{**ball, "position": [0.0, 1.0 * k, radius], "velocity": [1.0, 0.0, 0.0],
              "friction": mu, "restitution": 0.5} for k, ball in enumerate(balls(n, radius, 0.0))]
    case = case_of(scene, 1e-3, 0.2, gravity=GRAVITY, walls=[floor(1.0, 1.0)])
    bodies = lab.run(case).bodies()
    worst = Worst()
    for k in range(n):
        records = bodies.of(f"ball{k}")
        sliding = [r for r in records if 0.01 < r["time"] < 0.09]
        rate = (sliding[-1]["vx"] - sliding[0]["vx"]) / (sliding[-1]["time"] - sliding[0]["time"])
        worst.add("deceleration", rate, -mu * G, 1e-3 * mu * G)
        # Sliding ends where the line of v meets the rolling speed.
        end = records[-1]
        start = sliding[0]
        begins = start["time"] + (end["vx"] - start["vx"]) / rate
        worst.add("rolls from", begins, 0.09708266589, 1e-3 * 0.09708266589)
        worst.add("speed", end["vx"], 5 / 7, 1e-3 * 5 / 7)
        worst.add("slip", end["vx"] - radius * end["wy"], 0.0, 1e-3)
        worst.add("height", end["z"], radius, 1e-5 * radius)
    worst.judge(lab)


# A10: a block slides down a slope.


def slope_under_hertz(lab, angle, down, wall):
    """The block of paper 001 under law hertz: which friction explains the way it slides?"""
    end = 0.5
    for mu in (0.15, 0.25, 0.35, 0.45):
        block = {"name": "block", "shape": {"kind": "box", "size": [0.2, 0.2, 0.1]}, "mass": 3.12,
                 "young": 5e7, "poisson": 0.3, "friction": mu, "restitution": 0.5,
                 "position": [0.05 * x for x in wall["normal"]],
                 "attitude": {"quaternion": list(turn((0.0, 1.0, 0.0), angle))}}
        case = case_of([block], 1e-3, end, gravity=GRAVITY, walls=[wall], contact={"law": "hertz"})
        rows = lab.run(case, f"hertz{mu}").bodies().rows
        rate = 2 * dot(minus(vector(rows[-1], ""), vector(rows[0], "")), down) / end**2
        explained = (math.sin(angle) - rate / G) / math.cos(angle)
        # The paper's particles need 1.22; a plate that is carried by its corners needs nothing.
        lab.near(f"mu {mu}: calibration of hertz (1.22)", mu / explained, 1.0, 5e-3)


@row("A10")
def block_on_slope(lab):
    angle, end = math.radians(30), 0.5
    down, up = (math.cos(angle), 0.0, -math.sin(angle)), (math.sin(angle), 0.0, math.cos(angle))
    wall = {"name": "slope", "point": [0, 0, 0], "normal": list(up), "friction": 1.0}
    for mu in (0.15, 0.25, 0.35, 0.45):
        block = {"name": "block", "shape": {"kind": "box", "size": [0.2, 0.2, 0.1]}, "mass": 4.0,
                 "friction": mu, "restitution": 0.0, "position": [0.05 * x for x in up],
                 "attitude": {"quaternion": list(turn((0.0, 1.0, 0.0), angle))}}
        run = lab.run(case_of([block], 1e-3, end, gravity=GRAVITY, walls=[wall]), f"mu{mu}")
        first, last = run.bodies().rows[0], run.bodies().rows[-1]
        wanted = G * (math.sin(angle) - mu * math.cos(angle))
        way = minus(vector(last, ""), vector(first, ""))
        lab.near_relative(f"mu {mu}: speed / time", dot(vector(last, "v"), down) / end, wanted,
                          0.005)
        lab.near_relative(f"mu {mu}: 2 way / time^2", 2 * dot(way, down) / end**2, wanted, 0.005)
        lab.near(f"mu {mu}: leaves the slope by", dot(way, up), 0.0, 1e-5)
        lab.near(f"mu {mu}: spin", norm(vector(last, "w")), 0.0, 1e-6)
    slope_under_hertz(lab, angle, down, wall)
