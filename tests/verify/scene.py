"""Scenes of bodies that strike each other: many pairs side by side in one run, random attitudes.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import random

from carom_case import vector
from exact import minus, norm

APART = 20.0  # between neighbouring pairs, so that they know nothing of each other


def random_attitude(source):
    """A rotation that is uniform over all of them."""
    while True:
        q = [source.gauss(0.0, 1.0) for _ in range(4)]
        if norm(q) > 1e-3:
            return {"quaternion": [x / norm(q) for x in q]}


def places(n):
    """n offsets (0, y, z) on a square lattice."""
    side = math.ceil(math.sqrt(n))
    return [(0.0, APART * (k % side), APART * (k // side)) for k in range(n)]


def moved(body, name, offset, **more):
    """The body under another name, shifted."""
    position = [x + d for x, d in zip(body.get("position", (0.0, 0.0, 0.0)), offset)]
    return {**body, "name": name, "position": position, **more}


def many(bodies, n, turn, seed=1):
    """n copies of a scene, apart from each other; turn(name, source) gives an attitude or None."""
    source = random.Random(seed)
    scene = []
    for k, offset in enumerate(places(n)):
        for body in bodies:
            attitude = turn(body["name"], source)
            more = {"attitude": attitude} if attitude else {}
            scene.append(moved(body, f"{body['name']}{k}", offset, **more))
    return scene


def case_of(bodies, step, end, **more):
    case = {"title": "verification", "time": {"step": step, "end": end}, "bodies": bodies}
    return {**case, "output": {"history": 1, "checkpoint": 0}, **more}


class Worst:
    """The value farthest from the wanted one, over copies of a scene."""

    def __init__(self):
        self.seen = {}

    def add(self, quantity, got, wanted, tolerance):
        before = self.seen.get(quantity)
        if before is None or not abs(got - wanted) <= abs(before[0] - before[1]):
            self.seen[quantity] = (got, wanted, tolerance)

    def add_vector(self, quantity, record, prefix, wanted, tolerance):
        for axis, got, want in zip("xyz", vector(record, prefix), wanted):
            self.add(f"{quantity}_{axis}", got, want, tolerance)

    def error(self):
        return max(abs(got - wanted) for got, wanted, _ in self.seen.values())

    def judge(self, lab, label=""):
        """One verdict for each quantity."""
        for quantity, (got, wanted, tolerance) in self.seen.items():
            lab.near(label + quantity, got, wanted, tolerance)

    def judge_largest(self, lab, label, tolerance):
        """One verdict for all quantities of one tolerance."""
        errors = [abs(g - w) for g, w, t in self.seen.values() if t == tolerance]
        lab.at_most(label, max(errors), tolerance)


def last_rows(run):
    """The last row of each body."""
    return {r["body"]: r for r in run.bodies().rows}


def kinetic_energy(record, mass, inertia=0.0):
    """Of a body whose inertia is the same about all axes."""
    return (mass * norm(vector(record, "v")) ** 2 + inertia * norm(vector(record, "w")) ** 2) / 2


def distance(a, b):
    return norm(minus(vector(a, ""), vector(b, "")))
