"""A closed box in which balls and boxes tumble through ten thousand contacts.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import random

from carom_case import quaternion, row, vector
from exact import cross, dot, minus, norm
from scene import case_of, random_attitude


def inside_of_box(half, n_balls, n_boxes):
    """Balls and spinning boxes on a lattice between six walls, slow and elastic."""
    source = random.Random(11)
    cells = [(i, j, k) for i in range(3) for j in range(3) for k in range(3)]
    source.shuffle(cells)
    bodies = []
    for n in range(n_balls + n_boxes):
        more = {"position": [2.0 * half / 3.0 * (c - 1) for c in cells[n]],
                "velocity": [source.uniform(-1.0, 1.0) for _ in range(3)],
                "spin": [source.uniform(-2.0, 2.0) for _ in range(3)],
                "attitude": random_attitude(source)}
        shape = ({"kind": "sphere", "radius": 0.3, "spacing": 0.03} if n < n_balls else
                 {"kind": "box", "size": [0.5, 0.4, 0.3]})
        bodies.append({"name": f"b{n}", "shape": shape, "density": 1.0, **more})
    walls = [{"name": f"{axis}{sign}", "normal": [-sign * (k == axis) for k in range(3)],
              "point": [sign * half * (k == axis) for k in range(3)]}
             for axis in range(3) for sign in (-1, 1)]
    return bodies, walls


def axes_of(record):
    w, x, y, z = quaternion(record)
    return [(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))]


def reach(shape, axes, n):
    """How far a body reaches from its middle along the unit vector n."""
    if shape["kind"] == "sphere":
        return shape["radius"]
    return sum(0.5 * size * abs(dot(axis, n)) for size, axis in zip(shape["size"], axes))


def ball_to_box(centre, radius, middle, axes, size):
    away = minus(centre, middle)
    local = [dot(away, axis) for axis in axes]
    outside = [max(abs(x) - 0.5 * s, 0.0) for x, s in zip(local, size)]
    if norm(outside) > 0.0:
        return norm(outside) - radius
    return max(abs(x) - 0.5 * s for x, s in zip(local, size)) - radius


def gap_of(one, two):
    """The gap of two bodies, negative when they overlap; of two boxes by separating axes."""
    (s, x, axes), (other, y, theirs) = one, two
    way = minus(y, x)
    if s["kind"] == other["kind"] == "sphere":
        return norm(way) - s["radius"] - other["radius"]
    if s["kind"] == "sphere":
        return ball_to_box(x, s["radius"], y, theirs, other["size"])
    if other["kind"] == "sphere":
        return ball_to_box(y, other["radius"], x, axes, s["size"])
    crossed = [cross(a, b) for a in axes for b in theirs]
    tries = axes + theirs + [[c / norm(n) for c in n] for n in crossed if norm(n) > 1e-6]
    return max(abs(dot(way, n)) - reach(s, axes, n) - reach(other, theirs, n) for n in tries)


def least_gap(records, bodies, half):
    placed = [(body["shape"], vector(records[body["name"]], ""), axes_of(records[body["name"]]))
              for body in bodies]
    least = math.inf
    for k, one in enumerate(placed):
        for axis in range(3):
            n = [float(i == axis) for i in range(3)]
            least = min(least, half - abs(one[1][axis]) - reach(one[0], one[2], n))
        for two in placed[:k]:
            if norm(minus(one[1], two[1])) < 0.75:
                least = min(least, gap_of(one, two))
    return least


# TUMBLE: nothing sinks into anything.


@row("TUMBLE")
def nothing_sinks_in_ten_thousand_contacts(lab):
    half = 1.2
    bodies, walls = inside_of_box(half, 12, 12)
    case = case_of(bodies, 5e-3, 85.0, walls=walls, contact={"primitives": "xray"})
    case["output"]["history"] = 4
    ran = lab.run(case)
    contacts = ran.contacts().rows
    lab.at_least("contacts", len(contacts), 10000)
    least, records = math.inf, {}
    for record in ran.bodies().rows:
        records[record["body"]] = record
        if record["body"] == bodies[-1]["name"]:
            least = min(least, least_gap(records, bodies, half))
    # The tolerance of contact is 1e-6 of the smaller body; meshes of balls are as good.
    lab.at_least("least gap", least, -1e-6)
