"""Bodies that are pushed or held: the ejector, a top on a point, a pendulum on an axis.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math

from carom_case import order, quaternion, row, vector
from exact import elliptic_k, jacobi, minus, norm, rotate, turn, zero_crossings

# B12: x is ahead, z up. Speeds and depth are counted downward, pitch nose up.

MASS, IYY, G = 907.185, 488.094, 9.81
FRONT, AFT, STROKE = 10676.0, 42703.0, 0.100584
EXACT = {  # frame: ends of aft and front, then depth, speed, pitch and its rate at the front's end
    "inertial": (0.0511684, 0.0561294, 0.107562, 3.619773, 2.22394, 71.77728),
    "body": (0.0511686, 0.0561305, 0.107562, 3.619450, 2.22412, 71.78436),
}
QUANTITIES = ("aft ends [s]", "front ends [s]", "depth [m]", "speed [m/s]", "pitch [deg]",
              "rate [deg/s]")


def eject(lab, frame, step):
    def push(size, x):
        return {"force": [0.0, 0.0, -size], "at": [x, 0.0, 0.0], "frame": frame, "stroke": STROKE}

    body = {
        "name": "store",
        "shape": {"kind": "cylinder", "radius": 0.25, "length": 3.0, "axis": [1, 0, 0]},
        "mass": MASS, "inertia": [30.0, IYY, IYY],
        "loads": [push(FRONT, 0.179832), push(AFT, -0.329184)],
    }
    case = {
        "title": "ejector in vacuum", "gravity": [0.0, 0.0, -G],
        "time": {"step": step, "end": 0.06}, "bodies": [body],
    }
    return lab.run(case, f"{frame}{step}").bodies().of("store")


def pitch(record):
    nose = rotate(quaternion(record), (1.0, 0.0, 0.0))
    return math.atan2(nose[2], nose[0])


def end_of_push(records, frame, before, after):
    """When a push ended: the speed gained in the step it ended in is shared by both rates.

    before and after are the downward forces of the pushes with pitch zero.
    """
    for r0, r1 in zip(records, records[1:]):
        dt = r1["time"] - r0["time"]
        gained = (r0["vz"] - r1["vz"] - G * dt) * MASS
        level = math.cos((pitch(r0) + pitch(r1)) / 2) if frame == "body" else 1.0
        share = (gained - after * level * dt) / ((before - after) * level * dt)
        if share < 1 - 1e-3:
            return r0["time"] + share * dt
    raise ValueError("the push did not end")


def ejected(records, frame):
    """The six quantities of the row; after the front's end the flight is free."""
    aft = end_of_push(records, frame, FRONT + AFT, FRONT)
    front = end_of_push([r for r in records if r["time"] > aft], frame, FRONT, 0.0)
    r = next(r for r in records if r["time"] >= front)
    past = r["time"] - front
    speed, rate = -r["vz"] - G * past, -r["wy"]
    depth = -r["z"] - speed * past - G * past**2 / 2
    angle = pitch(r) - rate * past
    return aft, front, depth, speed, math.degrees(angle), math.degrees(rate)


@row("B12")
def ejector_in_vacuum(lab):
    for frame, exact in EXACT.items():
        records = eject(lab, frame, 0.0005)
        for what, got, wanted in zip(QUANTITIES, ejected(records, frame), exact):
            lab.near_relative(f"{frame}: {what}", got, wanted, 1e-4)
        if frame == "inertial":
            first = records[1]
            lab.near_relative("acceleration [m/s2]", -first["vz"] / first["time"], 68.650, 1e-4)
            lab.near_relative("turning [rad/s2]", -first["wy"] / first["time"], 24.867, 1e-4)
        # The ends of the pushes split the step, so a step twenty times longer changes little.
        coarse, fine = eject(lab, frame, 0.01)[-1], records[-1]
        lab.near(f"{frame}: step 0.01, depth", -coarse["z"], -fine["z"], 1e-8)
        lab.near(f"{frame}: step 0.01, pitch", pitch(coarse), pitch(fine), 1e-8)


# TOP: let go at rest but for its spin, a heavy top nods between two latitudes.

TOP_MASS, TOP_ARM, TOP_A, TOP_C, TOP_SPIN, TOP_TILT = 1.0, 0.2, 0.01, 0.004, 150.0, math.radians(40)


class Nutation:
    """u = cos(tilt) is an elliptic function of time; the heading is its quadrature."""

    def __init__(self):
        about_pivot = TOP_A + TOP_MASS * TOP_ARM**2
        self.a = TOP_C * TOP_SPIN / about_pivot
        beta = 2 * TOP_MASS * G * TOP_ARM / about_pivot
        self.u0 = math.cos(TOP_TILT)
        # The other two turning points are the roots of beta (1 - u^2) = a^2 (u0 - u).
        root = math.sqrt(self.a**4 - 4 * beta * (self.a**2 * self.u0 - beta))
        self.u1 = (self.a**2 - root) / (2 * beta)
        u3 = (self.a**2 + root) / (2 * beta)
        self.rate = math.sqrt(beta * (u3 - self.u1)) / 2
        self.m = (self.u0 - self.u1) / (u3 - self.u1)
        self.period = 2 * elliptic_k(self.m) / self.rate

    def cosine(self, t):
        _, cn, dn = jacobi(self.rate * t, self.m)
        return self.u1 + (self.u0 - self.u1) * (cn / dn) ** 2

    def _heading_rate(self, t):
        u = self.cosine(t)
        return self.a * (self.u0 - u) / (1 - u * u)

    def axes(self, times):
        """The direction of the top's axis at increasing times, from 0 on."""
        heading, before, result = 0.0, 0.0, []
        for t in times:
            half, middle = (t - before) / 2, (t + before) / 2
            for x, weight in GAUSS:
                heading += half * weight * self._heading_rate(middle + half * x)
            before = t
            u = self.cosine(t)
            s = math.sqrt(1 - u * u)
            result.append((s * math.sin(heading), -s * math.cos(heading), u))
        return result


GAUSS = (  # five points
    (0.0, 128 / 225),
    (0.5384693101056831, 0.4786286704993665), (-0.5384693101056831, 0.4786286704993665),
    (0.9061798459386640, 0.2369268850561891), (-0.9061798459386640, 0.2369268850561891),
)


def top_run(lab, exact, per_period):
    start = turn((1.0, 0.0, 0.0), TOP_TILT)
    body = {
        "name": "top", "shape": {"kind": "cone", "radius": 0.1, "length": 0.3},
        "mass": TOP_MASS, "inertia": [TOP_A, TOP_A, TOP_C], "motion": "point", "pivot": [0, 0, 0],
        "position": list(rotate(start, (0.0, 0.0, TOP_ARM))),
        "attitude": {"axis": [1, 0, 0], "angle": math.degrees(TOP_TILT)},
        "spin_body": [0.0, 0.0, TOP_SPIN],
    }
    end = 5 * exact.period
    case = {
        "title": "heavy top", "gravity": [0.0, 0.0, -G],
        "time": {"step": end / (5 * per_period), "end": end}, "bodies": [body],
        "contact": {"law": "none"},
    }
    return lab.run(case, f"top{per_period}").bodies().of("top")


@row("TOP")
def heavy_symmetric_top(lab):
    exact = Nutation()
    errors, runs = {}, {}
    for n in (1000, 2000, 4000):
        runs[n] = top_run(lab, exact, n)
        axes = [rotate(quaternion(r), (0.0, 0.0, 1.0)) for r in runs[n]]
        wanted = exact.axes([r["time"] for r in runs[n]])
        errors[n] = max(norm(minus(a, w)) for a, w in zip(axes, wanted))
    lab.at_most("direction of the axis, five nods", errors[4000], 1e-6)
    lab.at_least("order, 1000 to 2000 steps a nod", order(errors[1000], errors[2000]), 3.9)
    lab.at_least("order, 2000 to 4000 steps a nod", order(errors[2000], errors[4000]), 3.9)
    last = runs[4000]
    lowest = min(rotate(quaternion(r), (0.0, 0.0, 1.0))[2] for r in last)
    lab.near("cosine of the deepest tilt", lowest, exact.u1, 1e-6)
    arm = max(abs(norm(vector(r, "")) - TOP_ARM) for r in last)
    lab.at_most("mass centre leaves its sphere by", arm, 1e-12)
    slip = max(
        norm(minus(vector(r, ""), rotate(quaternion(r), (0.0, 0.0, TOP_ARM)))) for r in last
    )
    lab.at_most("pivot moves by", slip, 1e-12)


# PEND: a rod hung at its end, let go from 120 degrees.


@row("PEND")
def rod_pendulum(lab):
    mass, radius, length, start = 2.0, 0.05, 1.0, math.radians(120)
    arm = length / 2
    inertia = mass * (3 * radius**2 + length**2) / 12 + mass * arm**2
    slow = math.sqrt(inertia / (mass * G * arm))
    period = 4 * slow * elliptic_k(math.sin(start / 2) ** 2)
    # The rod lies along z of its shape; turned by an angle about y it hangs at that angle.
    hang = turn((0.0, 1.0, 0.0), start)
    body = {
        "name": "rod", "shape": {"kind": "cylinder", "radius": radius, "length": length},
        "mass": mass, "motion": "axis", "pivot": [0, 0, 0], "axis": [0, 1, 0],
        "position": list(rotate(hang, (0.0, 0.0, -arm))),
        "attitude": {"axis": [0, 1, 0], "angle": math.degrees(start)},
    }
    case = {
        "title": "rod pendulum", "gravity": [0.0, 0.0, -G],
        "time": {"step": period / 1000, "end": 10.5 * period}, "bodies": [body],
        "contact": {"law": "none"},
    }
    records = lab.run(case).bodies().of("rod")
    angles = []
    for r in records:
        down = rotate(quaternion(r), (0.0, 0.0, -1.0))
        angles.append((r["time"], math.atan2(-down[0], -down[2]), r["wy"]))
    crossings = zero_crossings(angles)
    lab.near("passages in ten and a half periods", len(crossings), 21, 0)
    lab.near_relative("first passage", crossings[0], period / 4, 1e-8)
    lab.near_relative("period", (crossings[20] - crossings[0]) / 10, period, 1e-8)

    def energy(r):
        return inertia * r["wy"] ** 2 / 2 + mass * G * r["z"]

    scale = mass * G * arm
    drift = max(abs(energy(r) - energy(records[0])) for r in records) / scale
    lab.at_most("drift of energy", drift, 1e-8)
    off = max(abs(r["wx"]) + abs(r["wz"]) + abs(r["y"]) for r in records)
    lab.at_most("motion off the plane", off, 1e-12)
