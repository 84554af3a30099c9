"""Many bodies at once: cradle, racks, dominoes; any number of ranks; stopping in mid-contact.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import random

from carom_case import row, vector
from exact import norm
from scene import Worst, case_of, last_rows, many, random_attitude

G = 9.81


def any_attitude(_, source):
    return random_attitude(source)


def ball(name, x, y=0.0, radius=0.5, mass=1.0, **more):
    return {"name": name, "shape": {"kind": "sphere", "radius": radius}, "mass": mass,
            "position": [x, y, 0.0], **more}


# B7: one ball in, one ball out.


@row("B7")
def newtons_cradle(lab):
    n = 20
    row_of_five = [ball("s", -1.0537, velocity=[1.0, 0.0, 0.0])]
    row_of_five += [ball(name, k * 1.0) for k, name in enumerate("tuvw")]
    run = lab.run(case_of(many(row_of_five, n, any_attitude), 0.01, 0.2))
    last, worst = last_rows(run), Worst()
    for k in range(n):
        for name in "stuvw":
            out = 1.0 if name == "w" else 0.0
            worst.add_vector(f"velocity of ball {name}", last[f"{name}{k}"], "v", (out, 0, 0), 1e-5)
    worst.judge(lab)


# EXACT: spheres and capsules touch in closed form where they touch by their x-rays.


@row("EXACT")
def closed_forms_and_x_rays(lab):
    capsule = {"name": "c", "shape": {"kind": "capsule", "radius": 0.3, "length": 0.8},
               "mass": 2.0, "position": [1.3, 0.2, 0.1], "velocity": [-0.5, 0.0, 0.0],
               "restitution": 0.7}
    pair = [ball("s", 0.0, velocity=[1.0, 0.0, 0.0], restitution=0.7), capsule]
    floor = {"name": "floor", "point": [0, 0, -1], "normal": [0, 0, 1], "restitution": 0.6}
    events = []
    for kind in ("exact", "xray"):
        case = case_of(many(pair, 20, any_attitude), 0.01, 0.6, gravity=[0, 0, -G], walls=[floor],
                       contact={"primitives": kind})
        events.append(lab.run(case, kind).contacts().rows)
    def key(event):
        return event["body_a"], event["body_b"], event["kind"]

    pairs = list(zip(*events))
    lab.near("events of both", len(events[0]), len(events[1]), 0)
    lab.near("events of other bodies or kinds", sum(key(a) != key(b) for a, b in pairs), 0, 0)
    lab.at_least("events", len(pairs), 30)
    lab.at_most("difference of times", max(abs(a["time"] - b["time"]) for a, b in pairs), 1e-5)


# B8: a ball strikes two that touch each other.


@row("B8")
def ball_into_two(lab):
    free = 0.0537
    for e, back, out in ((1.0, -0.2, 0.692820323028), (0.5, 0.1, 0.519615242271),
                         (0.0, 0.4, 0.346410161514)):
        more = {"restitution": e}
        trio = [ball("s", -math.sqrt(0.75) - free, velocity=[1.0, 0.0, 0.0], **more),
                ball("t", 0.0, 0.5, **more), ball("u", 0.0, -0.5, **more)]
        run = lab.run(case_of(many(trio, 20, any_attitude), 0.01, 0.07), f"e{e}")
        last, worst = last_rows(run), Worst()
        side = (out * math.cos(math.pi / 6), out / 2)
        for k in range(20):
            worst.add_vector("striker", last[f"s{k}"], "v", (back, 0.0, 0.0), 1e-5)
            worst.add_vector("left", last[f"t{k}"], "v", (side[0], side[1], 0.0), 1e-5)
            worst.add_vector("right", last[f"u{k}"], "v", (side[0], -side[1], 0.0), 1e-5)
        worst.judge(lab, f"e {e}: ")


# A8: fifteen balls in a rack on a table with cushions.

RADIUS, MASS = 0.028575, 0.17
TABLE = (2.54, 1.27)


def rack():
    """Cue ball and fifteen touching balls; (body, name of its mirror image)."""
    start = -0.5
    cue = ball("cue", start - 2 * RADIUS - 0.0537, 0.0, RADIUS, MASS, velocity=[6.0, 0.0, 0.0])
    found = [(cue, "cue")]
    for i in range(5):
        for j in range(i + 1):
            x, y = start + i * math.sqrt(3) * RADIUS, (2 * j - i) * RADIUS
            found.append((ball(f"b{i}{j}", x, y, RADIUS, MASS), f"b{i}{i - j}"))
    for body, _ in found:
        body["position"][2] = RADIUS
    return found


def cushions():
    half = (TABLE[0] / 2, TABLE[1] / 2)
    sides = {"left": (0, 1), "right": (0, -1), "front": (1, 1), "back": (1, -1)}
    walls = [{"name": "table", "point": [0, 0, 0], "normal": [0, 0, 1]}]
    for name, (axis, sign) in sides.items():
        normal, point = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        normal[axis], point[axis] = float(sign), -sign * half[axis]
        walls.append({"name": name, "point": point, "normal": normal})
    return walls


def energy(records):
    inertia = 0.4 * MASS * RADIUS**2
    return sum(MASS * norm(vector(r, "v")) ** 2 + inertia * norm(vector(r, "w")) ** 2
               + 2 * MASS * G * r["z"] for r in records) / 2


def by_time(table):
    found = {}
    for r in table.rows:
        found.setdefault(r["time"], []).append(r)
    return found


@row("A8")
def pool_break(lab):
    balls = rack()
    case = case_of([body for body, _ in balls], 1e-3, 0.5, gravity=[0.0, 0.0, -G],
                   walls=cushions())
    run = lab.run(case)
    contacts, moments = run.contacts().rows, by_time(run.bodies())
    on_balls = [c for c in contacts if not c["body_b"].startswith(("table", "left", "right",
                                                                   "front", "back"))]
    lab.at_least("impacts between balls", len(on_balls), 15)
    gain = max(c["energy_after"] - c["energy_before"] for c in contacts)
    start = energy(moments[0.0])
    lab.at_most("largest gain in an event / energy", gain / start, 1e-12)
    energies = [energy(rows) for rows in moments.values()]
    rise = max(b - a for a, b in zip(energies, energies[1:]))
    lab.at_most("largest rise of energy in a step", rise / start, 1e-12)
    # Sideways the table does nothing, so before the first cushion balls only share momentum.
    first = min((c["time"] for c in contacts if c["body_b"] in ("left", "right", "front", "back")),
                default=math.inf)
    worst = 0.0
    for time, rows in moments.items():
        if time < first:
            total = [math.fsum(MASS * r["v" + axis] for r in rows) for axis in "xy"]
            worst = max(worst, abs(total[0] - MASS * 6.0), abs(total[1]))
    lab.at_most("momentum of all balls, relative", worst / (MASS * 6.0), 1e-12)
    mirror = {body["name"]: image for body, image in balls}
    errors = []
    for time, rows in moments.items():
        here = {r["body"]: r for r in rows}
        errors.append((time, max(abs(here[n]["y"] + here[m]["y"]) + abs(here[n]["x"] - here[m]["x"])
                                 for n, m in mirror.items())))
    after_break = [error for time, error in errors if time <= 0.05]
    lab.at_most("mirror symmetry to 0.05 s", max(after_break), 1e-9)
    lost = next((time for time, error in errors if error > 1e-9), math.inf)
    lab.at_least("symmetric to 1e-9 until [s]", min(lost, 0.5), 0.05)


# A9: a row of dominoes; the front is where the next block is struck.

BLOCK, SPACE = (0.00758, 0.0219, 0.04178), 0.02191


def topple(lab, step, n=20):
    pitch = BLOCK[0] + SPACE
    common = {"shape": {"kind": "box", "size": list(BLOCK)}, "density": 1000.0,
              "restitution": 0.846, "friction": 0.176}
    blocks = [{"name": f"d{k:02}", **common, "position": [k * pitch, 0.0, BLOCK[2] / 2]}
              for k in range(n)]
    # The first is pushed over its lower front edge.
    spin = 6.0
    blocks[0]["spin"] = [0.0, spin, 0.0]
    blocks[0]["velocity"] = [spin * BLOCK[2] / 2, 0.0, spin * BLOCK[0] / 2]
    ground = {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "friction": 1.0,
              "restitution": 0.846}
    run = lab.run(case_of(blocks, step, 0.75, gravity=[0.0, 0.0, -G], walls=[ground]),
                  f"step{step}", seconds=300)
    struck = {}
    for c in run.contacts().rows:
        if c["body_b"].startswith("d") and c["approach"] > 0:
            struck.setdefault(int(c["body_b"][1:]), c["time"])
    return struck, pitch


@row("A9")
def dominoes(lab):
    fronts = {}
    for step in (2e-4, 1e-4):
        struck, pitch = topple(lab, step)
        lab.at_least(f"step {step}: blocks struck", len(struck), 19)
        speeds = {k: pitch / (struck[k] - struck[k - 1]) for k in struck if k - 1 in struck}
        late = [speeds[k] for k in sorted(speeds) if k > 10]
        fronts[step] = pitch * 8 / (struck[18] - struck[10])
        lab.at_least(f"step {step}: front speed [m/s]", fronts[step], 0.90)
        lab.at_most(f"step {step}: front speed [m/s]", fronts[step], 1.15)
        spread = (max(late) - min(late)) / fronts[step]
        lab.at_most(f"step {step}: spread of speed after ten", spread, 0.05)
    lab.near_relative("front speed, half the step", fronts[1e-4], fronts[2e-4], 0.01)


# RANKC, RESTC: ranks and a stop in the middle of lasting contacts change nothing.


def heap():
    """Boxes and balls that fall on a rough floor side by side, and come to rest."""
    source = random.Random(7)
    bodies = [{"name": f"box{k}", "shape": {"kind": "box", "size": [0.3, 0.2, 0.1]}, "density": 500,
               "position": [0.35 * k, 0.0, 0.055 + 0.01 * k], "restitution": 0.3, "friction": 0.4}
              for k in range(3)]
    bodies += [{**ball(f"ball{k}", 0.25 * k - 0.2, 0.3, 0.1), "restitution": 0.5, "friction": 0.3,
                "position": [0.25 * k - 0.2, 0.3, 0.12 + 0.01 * k], "spin": [1.0, 5.0, 0.0],
                "attitude": random_attitude(source)} for k in range(3)]
    ground = {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "friction": 1.0}
    return case_of(bodies, 1e-3, 0.4, gravity=[0.0, 0.0, -G], walls=[ground])


@row("RANKC")
def contacts_on_any_number_of_ranks(lab):
    alone = lab.run(heap(), "ranks1")
    lab.at_least("contacts", len(alone.contacts().rows), 10)
    for ranks in (2, 4):
        shared = lab.run(heap(), f"ranks{ranks}", ranks=ranks)
        for name in ("bodies.csv", "contacts.csv"):
            same = shared.bytes_of(name) == alone.bytes_of(name)
            lab.near(f"{name} as on one rank, {ranks} ranks", int(same), 1, 0)


@row("RESTC")
def stopped_in_mid_contact(lab):
    whole = lab.run(heap(), "whole")
    for stop in (60, 200, 333):
        lab.run(heap(), f"stop{stop}", flags=("--steps", str(stop)))
        resumed = lab.resume(f"stop{stop}", ranks=2 if stop == 200 else 1)
        for name in ("bodies.csv", "contacts.csv"):
            same = resumed.bytes_of(name) == whole.bytes_of(name)
            lab.near(f"{name} after a stop at step {stop}", int(same), 1, 0)
