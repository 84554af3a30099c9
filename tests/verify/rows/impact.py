"""Single impacts, found by x-rays on meshes: spheres, a rod, cuboids, a sphere on a rough wall.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math

from carom_case import row
from exact import turn
from scene import Worst, case_of, last_rows, many, random_attitude

ATTITUDES = 100
FLOOR = {"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1]}


def any_attitude(_, source):
    return random_attitude(source)


# A3: unit sphere at unit speed against one that is offset sideways.

SPHERES = {  # eccentricity, radius and mass of B: velocities of A and of B afterwards
    (0.0, 1.0, 1.0): (0.0, 0.0, 1.0, 0.0),
    (0.25, 1.0, 1.0): (0.015625, -0.1240195927, 0.984375, 0.1240195927),
    (0.5, 1.0, 1.0): (0.0625, -0.2420614591, 0.9375, 0.2420614591),
    (0.5, 1.5, 1.0): (0.04, -0.1959591794, 0.96, 0.1959591794),
    (0.5, 2.0, 1.0): (0.0277777778, -0.1643355495, 0.9722222222, 0.1643355495),
    (0.5, 1.0, 1.5): (-0.125, -0.2904737510, 0.75, 0.1936491673),
    (0.5, 1.0, 2.0): (-0.25, -0.3227486122, 0.625, 0.1613743061),
}


def strike_spheres(lab, name, combination, free=0.1037, step=0.01, spacing=0.05, e=1.0,
                   n=ATTITUDES):
    """Worst errors of n pairs whose meshes lie at random; impact after a free flight."""
    ecc, radius, mass = combination
    apart = free + math.sqrt((1 + radius) ** 2 - ecc**2)
    a = {"name": "a", "shape": {"kind": "sphere", "radius": 1.0, "spacing": spacing}, "mass": 1.0,
         "velocity": [1.0, 0.0, 0.0], "restitution": e}
    b = {"name": "b", "shape": {"kind": "sphere", "radius": radius, "spacing": spacing},
         "mass": mass, "position": [apart, ecc, 0.0], "restitution": e}
    run = lab.run(case_of(many([a, b], n, any_attitude), step, free + step), name)
    last, contacts = last_rows(run), run.contacts().rows
    if len(contacts) != n:
        lab.near(f"{name}: impacts", len(contacts), n, 0)
    return last, contacts


def spheres_worst(lab, name, combination, wanted, free=0.1037, **more):
    last, contacts = strike_spheres(lab, name, combination, free, **more)
    worst = Worst()
    for event in contacts:
        a, b = last[event["body_a"]], last[event["body_b"]]
        worst.add("time of impact", event["time"], free, 1e-5)
        worst.add_vector("velocity of a", a, "v", (wanted[0], wanted[1], 0.0), 1e-5)
        worst.add_vector("velocity of b", b, "v", (wanted[2], wanted[3], 0.0), 1e-5)
        worst.add_vector("spin of a", a, "w", (0.0, 0.0, 0.0), 1e-6)
        worst.add_vector("spin of b", b, "w", (0.0, 0.0, 0.0), 1e-6)
    return worst


@row("A3")
def sphere_on_sphere(lab):
    for k, (combination, wanted) in enumerate(SPHERES.items()):
        worst = spheres_worst(lab, f"pair{k}", combination, wanted)
        label = "ecc {:g}, r {:g}, m {:g}: ".format(*combination)
        worst.judge_largest(lab, label + "velocity, time", 1e-5)
        worst.judge_largest(lab, label + "spin", 1e-6)
    chosen = (0.5, 1.0, 1.0)
    errors = {}
    for h in (0.1, 0.07, 0.05):
        worst = spheres_worst(lab, f"spacing{h}", chosen, SPHERES[chosen], spacing=h)
        errors[h] = worst.error()
        lab.at_most(f"error with spacing {h}", errors[h], 1e-5 * (h / 0.05) ** 3)
    for coarse, fine in ((0.1, 0.07), (0.07, 0.05), (0.1, 0.05)):
        shown = math.log(errors[coarse] / errors[fine]) / math.log(coarse / fine)
        lab.at_least(f"order, spacing {coarse} to {fine}", shown, 3.0)
    for step, free in ((1e-4, 3.7e-4), (1e-3, 3.7e-3), (0.01, 0.1037), (0.1, 0.1037)):
        worst = spheres_worst(lab, f"step{step}", chosen, SPHERES[chosen], free=free, step=step)
        lab.at_most(f"error with step {step}", worst.error(), 1e-5)


@row("A5")
def equal_spheres_head_on(lab):
    for e in (1.0, 0.0, 0.5):
        last, contacts = strike_spheres(lab, f"e{e}", (0.0, 1.0, 1.0), e=e)
        worst = Worst()
        for event in contacts:
            worst.add_vector("velocity of a", last[event["body_a"]], "v", ((1 - e) / 2, 0, 0), 1e-6)
            worst.add_vector("velocity of b", last[event["body_b"]], "v", ((1 + e) / 2, 0, 0), 1e-6)
        worst.judge(lab, f"e {e}: ")


# A4: a sphere strikes the end of a rod's cylinder and sets it turning.


def along_y(name, source):
    """The rod's mesh may only turn about its axis."""
    if name == "sphere":
        return random_attitude(source)
    return {"quaternion": list(turn((0.0, 1.0, 0.0), source.uniform(0, 2 * math.pi)))}


@row("A4")
def sphere_on_rod(lab):
    free, step = 0.0237, 0.001
    for e, sphere_v, rod_v, rod_w in ((1.0, 0.0, 1.25, -6.25), (0.8, 0.5, 1.125, -5.625)):
        rod = {"name": "rod", "mass": 8.0, "inertia": [0.96, 0.96, 0.96], "restitution": e,
               "shape": {"kind": "capsule", "radius": 1.0, "length": 1.2, "axis": [0, 1, 0],
                         "spacing": 0.05}}
        sphere = {"name": "sphere", "mass": 2.0, "restitution": e, "velocity": [5.0, 0.0, 0.0],
                  "shape": {"kind": "sphere", "radius": 1.0, "spacing": 0.05},
                  "position": [-2.0 - 5.0 * free, 0.6, 0.0]}
        run = lab.run(case_of(many([rod, sphere], ATTITUDES, along_y), step, 0.025), f"e{e}")
        last, contacts = last_rows(run), run.contacts().rows
        lab.near(f"e {e}: impacts", len(contacts), ATTITUDES, 0)
        worst = Worst()
        for event in contacts:
            rod, sphere = last[event["body_a"]], last[event["body_b"]]
            worst.add("time of impact", event["time"], free, 1e-5)
            worst.add_vector("velocity of sphere", sphere, "v", (sphere_v, 0, 0), 1e-5)
            worst.add_vector("velocity of rod", rod, "v", (rod_v, 0, 0), 1e-5)
            worst.add_vector("spin of rod", rod, "w", (0, 0, rod_w), 1e-5)
        worst.judge(lab, f"e {e}: ")


# A7: the cuboids' facing faces overlap sideways by 0.01 only, so the arms are nearly the paper's.

CUBOIDS = {  # overlap along y and z; velocities, spins and loss at e 0.75, density ratio 1
    "corner": ((0.01, 0.01), 0.896572, 0.551616, (0, -0.062057, 0.075679),
               (0, -0.330970, 0.542573), 12.928503),
    "edge": ((None, 0.01), 0.794922, 1.09375, (0, -0.123047, 0), (0, -0.65625, 0), 25.634766),
}


def inverse_effective_mass(kind, mass_b):
    """K of the paper's contact, and the arms it acts on."""
    arms = {"corner": ((2, 2.5, 1), (-1.5, -1.25, -0.5)), "edge": ((2, 0, 1), (-1.5, 0, -0.5)),
            "face": ((2, 0, 0), (-1.5, 0, 0))}[kind]
    k = 0.0
    for mass, size, arm in ((1000.0, (4, 5, 2), arms[0]), (mass_b, (3, 2.5, 1), arms[1])):
        about_y = mass * (size[0] ** 2 + size[2] ** 2) / 12
        about_z = mass * (size[0] ** 2 + size[1] ** 2) / 12
        k += 1 / mass + arm[2] ** 2 / about_y + arm[1] ** 2 / about_z
    return k


def strike_cuboids(lab, kind, e, ratio):
    """Run one pair; rows of both at the end, the contact."""
    free = 0.0537
    across = {"corner": (3.75 - 0.01, 1.5 - 0.01), "edge": (0.0, 1.5 - 0.01), "face": (0.0, 0.0)}
    y, z = across[kind]
    mass_b = 1000.0 * 7.5 / 40.0 / ratio
    a = {"name": "a", "shape": {"kind": "box", "size": [4, 5, 2]}, "mass": 1000.0,
         "velocity": [1.0, 0.0, 0.0], "restitution": e}
    b = {"name": "b", "shape": {"kind": "box", "size": [3, 2.5, 1]}, "mass": mass_b,
         "position": [3.5 + free, y, z], "restitution": e}
    run = lab.run(case_of([a, b], 0.01, 0.06), f"{kind}{e}_{ratio}")
    last, contacts = last_rows(run), run.contacts().rows
    lab.near(f"{kind}, e {e}, ratio {ratio}: impacts", len(contacts), 1, 0)
    return last["a"], last["b"], contacts[0], mass_b, free


@row("A7")
def cuboids(lab):
    for kind in ("corner", "edge", "face"):
        for e in (1.0, 0.75, 0.5):
            for ratio in (0.5, 1.0, 2.0):
                a, b, event, mass_b, free = strike_cuboids(lab, kind, e, ratio)
                label = f"{kind}, e {e}, ratio {ratio}: "
                k = inverse_effective_mass(kind, mass_b)
                impulse = (1 + e) / k
                tolerance = 0.01 if kind != "face" else 1e-9
                lab.near(label + "time", event["time"], free, 1e-6)
                lab.near_relative(label + "v_a", a["vx"], 1 - impulse / 1000.0, tolerance)
                lab.near_relative(label + "v_b", b["vx"], impulse / mass_b, tolerance)
                lost = event["energy_before"] - event["energy_after"]
                wanted = (1 - e * e) / (2 * k)
                lab.near(label + "loss", lost, wanted, tolerance * wanted + 1e-9)
    for kind, (_, v_a, v_b, w_a, w_b, lost) in CUBOIDS.items():
        a, b, event, _, _ = strike_cuboids(lab, kind, 0.75, 1.0)
        lab.near_relative(f"{kind}: v_a", a["vx"], v_a, 0.01)
        lab.near_relative(f"{kind}: v_b", b["vx"], v_b, 0.01)
        for axis, i in (("y", 1), ("z", 2)):
            lab.near(f"{kind}: spin_a {axis}", a["w" + axis], w_a[i], 0.01 * max(map(abs, w_a)))
            lab.near(f"{kind}: spin_b {axis}", b["w" + axis], w_b[i], 0.01 * max(map(abs, w_b)))
        got = event["energy_before"] - event["energy_after"]
        lab.near_relative(f"{kind}: loss", got, lost, 0.01)


# B3, B4: a spinning sphere on a rough wall: it slides throughout, or the slip stops.


def strike_wall(lab, velocity, spin, mu, e, wanted_v, wanted_w):
    free = 0.0237
    ball = {"name": "ball", "shape": {"kind": "sphere", "radius": 0.5}, "mass": 1.0,
            "velocity": list(velocity), "spin": [0.0, spin, 0.0], "restitution": e, "friction": mu,
            "position": [0.0, 0.0, 0.5 - free * velocity[2]]}
    wall = {**FLOOR, "restitution": 1.0, "friction": 1.0}
    # The floor is level: copies may be apart in y only, so each stands where z is the same.
    scene = many([ball], ATTITUDES, any_attitude)
    for k, copy in enumerate(scene):
        copy["position"] = [0.0, 20.0 * k, ball["position"][2]]
    run = lab.run(case_of(scene, 0.01, 0.03, walls=[wall]))
    last, contacts = last_rows(run), run.contacts().rows
    lab.near("impacts", len(contacts), ATTITUDES, 0)
    worst = Worst()
    for event in contacts:
        worst.add("time of impact", event["time"], free, 1e-5)
        worst.add_vector("velocity", last[event["body_a"]], "v", wanted_v, 1e-5)
        worst.add_vector("spin", last[event["body_a"]], "w", (0.0, wanted_w, 0.0), 1e-5)
    worst.judge(lab)


@row("B3")
def spinning_sphere_slides(lab):
    strike_wall(lab, (3.0, 0.0, -2.0), -10.0, 0.1, 0.8, (2.64, 0.0, 1.6), -8.2)


@row("B4")
def spinning_sphere_stops_sliding(lab):
    strike_wall(lab, (1.0, 0.0, -4.0), -2.0, 0.5, 0.6, (3 / 7, 0.0, 2.4), 6 / 7)


@row("B9")
def flat_box_on_wall(lab):
    box = {"name": "box", "shape": {"kind": "box", "size": [1.0, 0.7, 0.4]}, "mass": 1.3,
           "position": [0.3, -0.2, 0.27], "velocity": [0.0, 0.0, -3.0]}
    run = lab.run(case_of([box], 0.01, 0.1, walls=[FLOOR]))
    last, contacts = last_rows(run)["box"], run.contacts().rows
    lab.near("impacts", len(contacts), 1, 0)
    lab.near("kind is plane", int(contacts[0]["kind"] == "plane"), 1, 0)
    worst = Worst()
    worst.add_vector("velocity", last, "v", (0.0, 0.0, 3.0), 1e-12)
    worst.add_vector("spin", last, "w", (0.0, 0.0, 0.0), 1e-12)
    worst.judge(lab)
