"""Free flight: a drop with drag, tumbling without torque, an ejector.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math

from carom_case import order, quaternion, row, vector
from exact import (
    dot, elliptic_k, jacobi, minus, norm, product, rotate, rotate_back, same_attitude_error, scaled,
    turn, zero_crossings,
)

NO_CONTACT = {"law": "none"}


def one_body(body, step, end, **more):
    """A case with one body; the shape matters only where its mass properties are asked for."""
    body = {"name": "a", "shape": {"kind": "sphere", "radius": 0.5}, **body}
    case = {"title": "verification", "time": {"step": step, "end": end}, "bodies": [body]}
    return {**case, "contact": NO_CONTACT, **more}


def spin_in_body(record):
    return rotate_back(quaternion(record), vector(record, "w"))


def momentum(record, inertia):
    """Inertial angular momentum of a body with a diagonal tensor."""
    w = spin_in_body(record)
    return rotate(quaternion(record), tuple(i * x for i, x in zip(inertia, w)))


def judge_invariants(lab, label, records, inertia, tolerance=1e-12):
    """|q| = 1 and the angular momentum of the start, on every row of the history."""
    start = momentum(records[0], inertia)
    size = max(abs(norm(quaternion(r)) - 1) for r in records)
    drift = max(norm(minus(momentum(r, inertia), start)) for r in records) / norm(start)
    lab.at_most(f"{label}: largest | |q| - 1 |", size, tolerance)
    lab.at_most(f"{label}: drift of angular momentum", drift, tolerance)


# A1: the drag makes a terminal speed Vt; depth and speed follow from v = Vt tanh(g t / Vt).

RADIUS, MASS, GRAVITY, DENSITY, CD = 0.5, 100.0, 2.67e-5, 1.0, 0.5
AREA = math.pi * RADIUS**2
TERMINAL = math.sqrt(2 * MASS * GRAVITY / (DENSITY * AREA * CD))


def drop_speed(depth):
    return TERMINAL * math.sqrt(1 - math.exp(-2 * GRAVITY * depth / TERMINAL**2))


def drop_time(depth):
    return TERMINAL / GRAVITY * math.acosh(math.exp(GRAVITY * depth / TERMINAL**2))


def drop(lab, n_steps, depth):
    """Fall to a depth with steps of which n_steps would reach 1000."""
    drag = {"cd": CD, "area": AREA, "density": DENSITY}
    body = {"mass": MASS, "loads": [{"drag": drag}]}
    case = one_body(body, drop_time(1000) / n_steps, drop_time(depth), gravity=[0, 0, -GRAVITY])
    return lab.run(case, f"drop{n_steps}_{depth}").bodies().of("a")


def drop_error(records):
    return max(abs(-r["vz"] - drop_speed(max(-r["z"], 0.0))) for r in records)


@row("A1")
def sphere_drop_with_drag(lab):
    for depth, speed in ((100, 0.0664549543), (500, 0.1081178111), (1000, 0.1154568091)):
        last = drop(lab, 100, depth)[-1]
        lab.near(f"V({depth})", -last["vz"], speed, 1e-6)
        lab.near_relative(f"depth after the time to {depth}", -last["z"], depth, 1e-6)
    errors = [drop_error(drop(lab, n, 1000)) for n in (25, 50, 100)]
    lab.at_most("largest speed error, 100 steps", errors[2], 1e-6)
    lab.at_least("order, 25 to 50 steps", order(errors[0], errors[1]), 3.8)
    lab.at_least("order, 50 to 100 steps", order(errors[1], errors[2]), 3.8)


# A2: a symmetric body turns about its momentum while its spin circles in body axes.

PERIODS = 36


def cylinder_attitude(i3, t):
    """Rotation about the fixed momentum times rotation about the body's own axis."""
    momentum_0 = (1.0, 0.0, i3 / 2)
    about_momentum = turn(momentum_0, norm(momentum_0) * t)
    return product(about_momentum, turn((0, 0, 1), 0.5 * (1 - i3) * t))


def cylinder_run(lab, i3, per_period):
    rate = (1 - i3) / 2
    end = PERIODS * 2 * math.pi / rate
    body = {
        "shape": {"kind": "cylinder", "radius": 0.5, "length": 2.0},
        "mass": 1.0, "inertia": [1.0, 1.0, i3], "spin_body": [1.0, 0.0, 0.5],
    }
    case = one_body(body, end / (PERIODS * per_period), end)
    return lab.run(case, f"cylinder{i3}_{per_period}").bodies().of("a")


def cylinder_errors(i3, records):
    """The worst spin in body axes and the worst attitude over the whole flight."""
    rate = (1 - i3) / 2
    spin, attitude = 0.0, 0.0
    for r in records:
        t = r["time"]
        exact = (math.cos(rate * t), -math.sin(rate * t), 0.5)
        spin = max(spin, norm(minus(spin_in_body(r), exact)))
        attitude = max(attitude, same_attitude_error(quaternion(r), cylinder_attitude(i3, t)))
    return spin, attitude


@row("A2")
def tumbling_cylinder(lab):
    for i3, label in ((0.25, "I3 = 1/4"), (0.5, "I3 = 1/2")):
        runs = {n: cylinder_run(lab, i3, n) for n in (125, 250, 500)}
        errors = {n: cylinder_errors(i3, records) for n, records in runs.items()}
        for coarse, fine in ((125, 250), (250, 500)):
            for k, what in enumerate(("spin", "attitude")):
                measured = order(errors[coarse][k], errors[fine][k])
                lab.at_least(f"{label}: order of {what}, {coarse} to {fine}", measured, 3.9)
        judge_invariants(lab, label, runs[250], (1.0, 1.0, i3))
        lab.near(f"{label}: rows at 250 a period", len(runs[250]), PERIODS * 250 + 1, 0)


# B1: three different moments; the spin is (cn, sn, dn).

TRIAXIAL = (1.0, 2.0, 3.0)
SPIN_10 = (-0.9210699984443, 0.3893970441153, 0.9744006605831)
ATTITUDE_10 = (0.86144117406547, 0.10734075762017, 0.22094732179435, -0.44449898354229)


def triaxial_run(lab, step):
    shape = {"kind": "box", "size": [1, 1, 1]}
    body = {"shape": shape, "mass": 1.0, "inertia": list(TRIAXIAL), "spin_body": [1.0, 0.0, 1.0]}
    return lab.run(one_body(body, step, 10.0), f"triaxial{step}").bodies().of("a")


def triaxial_errors(records):
    """The worst spin on the way, against Jacobi's functions, and the attitude at the end."""
    spin = 0.0
    for r in records:
        sn, cn, dn = jacobi(r["time"], 1 / 3)
        spin = max(spin, norm(minus(spin_in_body(r), (cn, sn, dn))))
    return spin, same_attitude_error(quaternion(records[-1]), ATTITUDE_10)


@row("B1")
def triaxial_top(lab):
    fine = triaxial_run(lab, 0.005)
    spin = spin_in_body(fine[-1])
    for axis, got, wanted in zip("123", spin, SPIN_10):
        lab.near(f"spin {axis} at t = 10", got, wanted, 1e-8)
    q = quaternion(fine[-1])
    q = scaled(math.copysign(1.0, dot(q, ATTITUDE_10)), q)
    for axis, got, wanted in zip("wxyz", q, ATTITUDE_10):
        lab.near(f"q{axis} at t = 10", got, wanted, 1e-8)
    judge_invariants(lab, "step 0.005", fine, TRIAXIAL)
    errors = {step: triaxial_errors(triaxial_run(lab, step)) for step in (0.025, 0.0125, 0.00625)}
    for coarse in (0.025, 0.0125):
        for k, what in enumerate(("spin", "attitude")):
            measured = order(errors[coarse][k], errors[coarse / 2][k])
            lab.at_least(f"order of {what}, step {coarse} to {coarse / 2}", measured, 3.9)


# FLIP: rotation about the middle axis turns over with the period of a Jacobi function.


@row("FLIP")
def intermediate_axis_flip(lab):
    small = 0.01
    body = {
        "shape": {"kind": "box", "size": [1, 1, 1]},
        "mass": 1.0, "inertia": list(TRIAXIAL), "spin_body": [0.0, 1.0, small],
    }
    i1, i2, i3 = TRIAXIAL
    energy2, square = i2 + i3 * small**2, i2**2 + (i3 * small) ** 2
    rate = math.sqrt((i3 - i2) * (square - energy2 * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy2 * i3 - square) / ((i3 - i2) * (square - energy2 * i1))
    period = 4 * elliptic_k(m) / rate

    records = lab.run(one_body(body, 0.005, 3 * period)).bodies().of("a")
    samples = []
    for r in records:
        w1, w2, w3 = spin_in_body(r)
        samples.append((r["time"], w2, (i3 - i1) * w3 * w1 / i2))
    crossings = zero_crossings(samples)
    lab.near("half turns in three periods", len(crossings), 6, 0)
    lab.near_relative("first flip at", crossings[0], period / 4, 1e-6)
    lab.near_relative("period", (crossings[-1] - crossings[0]) / 2.5, period, 1e-6)
    lab.near("spin 2, upside down", min(s[1] for s in samples), -1.0, 1e-6)
    judge_invariants(lab, "three periods", records, TRIAXIAL)


# OFFD: the same solid described in turned shape axes must fly the same way.


@row("OFFD")
def off_diagonal_inertia(lab):
    p = turn((1.0, 2.0, -1.5), 0.8)  # from the axes of the second description to those of the first
    start = turn((0.3, -1.0, 0.5), 1.1)
    axes = [rotate_back(p, unit) for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]

    def entry(j, k):
        return math.fsum(i * a[j] * a[k] for i, a in zip(TRIAXIAL, axes))

    turned = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
    at = (0.3, -0.2, 0.1)
    force = {"force": [1.0, 2.0, -0.5], "moment": [0.2, 0.1, -0.3], "frame": "inertial"}
    common = {"shape": {"kind": "sphere", "radius": 0.1}, "mass": 2.0, "spin": [0.4, -0.9, 0.7]}
    first = {
        "name": "a", **common, "inertia": list(TRIAXIAL), "position": [0.0, 0.0, 0.0],
        "attitude": {"quaternion": list(start)}, "loads": [{**force, "at": list(at)}],
    }
    second = {
        "name": "b", **common, "inertia": turned, "position": [0.0, 0.0, 0.0],
        "attitude": {"quaternion": list(product(start, p))},
        "loads": [{**force, "at": list(rotate_back(p, at))}],
    }
    case = {
        "title": "one solid described twice", "gravity": [0.0, 0.0, -9.81],
        "time": {"step": 0.01, "end": 10.0}, "bodies": [first, second],
        "contact": {**NO_CONTACT, "allow_initial_overlap": True},
    }
    bodies = lab.run(case).bodies()
    pairs = list(zip(bodies.of("a"), bodies.of("b")))
    scale = max(norm(vector(a, "w")) for a, _ in pairs)
    spin = max(norm(minus(vector(a, "w"), vector(b, "w"))) for a, b in pairs)
    place = max(norm(minus(vector(a, ""), vector(b, ""))) for a, b in pairs)
    attitude = max(same_attitude_error(product(quaternion(a), p), quaternion(b)) for a, b in pairs)
    lab.at_least("largest spin (the motion is not idle)", scale, 1.0)
    lab.at_most("difference of spin", spin, 1e-10)
    lab.at_most("difference of position", place, 1e-10)
    lab.at_most("difference of attitude", attitude, 1e-10)


# DRIFT: a hundred thousand steps.


@row("DRIFT")
def long_flight(lab):
    speed = (3.0, -2.0, 1.0)
    body = {
        "shape": {"kind": "box", "size": [1, 1, 1]}, "mass": 2.0, "inertia": list(TRIAXIAL),
        "spin_body": [1.0, 0.5, 1.0], "velocity": list(speed),
    }
    case = one_body(body, 0.01, 1000.0, output={"history": 10})
    records = lab.run(case).bodies().of("a")

    def energy(r):
        return dot(vector(r, "w"), momentum(r, TRIAXIAL)) / 2

    drift = max(abs(energy(r) - energy(records[0])) for r in records) / energy(records[0])
    lab.near("time at the end", records[-1]["time"], 1000.0, 1e-9)
    lab.at_most("drift of spin energy, 1e5 steps", drift, 1e-8)
    judge_invariants(lab, "1e5 steps", records, TRIAXIAL)
    lab.at_most("drift of velocity", max(norm(minus(vector(r, "v"), speed)) for r in records), 0.0)
    way = norm(minus(vector(records[-1], ""), scaled(1000.0, speed)))
    lab.at_most("position against velocity times time", way / (1000.0 * norm(speed)), 1e-11)


# RANKS: the answer does not depend on how many processes share the work.


@row("RANKS")
def any_number_of_ranks(lab):
    case = "examples/tumble/case.yaml"
    alone = lab.run(case, "ranks1").bytes_of("bodies.csv")
    for ranks in (2, 4):
        shared = lab.run(case, f"ranks{ranks}", ranks=ranks).bytes_of("bodies.csv")
        lab.near(f"bodies.csv as on one rank, {ranks} ranks", int(shared == alone), 1, 0)
