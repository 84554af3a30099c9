"""Nothing tunnels and nothing touches that does not: fast, thin, crossed and nearly missing bodies.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math

from carom_case import row
from exact import turn
from scene import case_of, last_rows


def box(name, size, **more):
    return {"name": name, "shape": {"kind": "box", "size": list(size)}, "mass": 1.0, **more}


def first_impact(lab, name, bodies, step, end):
    """The contacts and the last rows of a run."""
    run = lab.run(case_of(bodies, step, end), name, seconds=60)
    return run.contacts().rows, last_rows(run)


@row("TUNNEL")
def nothing_tunnels(lab):
    # One step takes the ball 10 m, through a plate of 2 mm.
    ball = {"name": "ball", "shape": {"kind": "sphere", "radius": 0.05}, "mass": 1.0,
            "velocity": [1000.0, 0.0, 0.0], "position": [-3.0, 0.013, 0.021]}
    plate = box("plate", (0.002, 1.0, 1.0), motion="fixed")
    contacts, last = first_impact(lab, "bullet", [ball, plate], 0.01, 0.02)
    lab.near("plate: impacts", len(contacts), 1, 0)
    lab.near("plate: time", contacts[0]["time"], (3.0 - 0.05 - 0.001) / 1000.0, 1e-9)
    lab.near("plate: ball thrown back", last["ball"]["vx"], -1000.0, 1e-6)

    # Crossed rods meet where their axes cross, far from the ends, in the middle of a long step.
    rods = {"capsule": {"kind": "capsule", "radius": 0.02, "length": 1.0, "axis": [0, 1, 0],
                        "spacing": 0.005},
            "box": {"kind": "box", "size": [0.04, 1.0, 0.04]}}
    for kind, shape in rods.items():
        low = {"name": "low", "shape": shape, "mass": 1.0, "spin": [0.0, 0.0, 0.3]}
        high = {"name": "high", "shape": shape, "mass": 1.0, "spin": [0.0, 0.0, -0.3],
                "position": [0.07, 0.05, 1.0], "velocity": [0.0, 0.0, -50.0],
                "attitude": {"quaternion": list(turn((0.0, 0.0, 1.0), math.radians(70)))}}
        contacts, last = first_impact(lab, kind, [low, high], 0.1, 0.1)
        lab.at_least(f"crossed rods, {kind}: impacts", len(contacts), 1)
        lab.near(f"crossed rods, {kind}: time", contacts[0]["time"], 0.96 / 50.0, 1e-6)
        lab.at_most(f"crossed rods, {kind}: stay apart", last["low"]["z"] - last["high"]["z"], 0.0)

    # Two boxes turn into each other, edge across edge.
    tilt = turn((0.0, 1.0, 0.0), math.pi / 4)
    across = turn((1.0, 0.0, 0.0), math.pi / 4)
    one = box("one", (0.2, 1.0, 0.2), attitude={"quaternion": list(tilt)}, spin=[0.0, 0.0, 1.0])
    two = box("two", (1.0, 0.2, 0.2), attitude={"quaternion": list(across)},
              position=[0.03, 0.02, 0.5], velocity=[0.0, 0.0, -10.0], spin=[0.0, 0.0, -1.0])
    contacts, last = first_impact(lab, "edges", [one, two], 0.05, 0.05)
    lab.at_least("edge on edge: impacts", len(contacts), 1)
    reach = 0.5 - 0.2 * math.sqrt(2)
    lab.near("edge on edge: time", contacts[0]["time"], reach / 10.0, 1e-6)
    lab.near("edge on edge: normal", abs(contacts[0]["nz"]), 1.0, 1e-9)
    lab.at_most("edge on edge: stay apart", last["one"]["z"] - last["two"]["z"], 0.0)


@row("THIN")
def thinner_than_the_rays(lab):
    # A sheet thinner than any ray spacing flies flat against a box.
    sheet = box("sheet", (1e-5, 0.5, 0.5), position=[-0.6, 0.1, 0.0], velocity=[20.0, 0.0, 0.0])
    block = box("block", (0.4, 0.4, 0.4))
    contacts, last = first_impact(lab, "sheet", [sheet, block], 0.01, 0.05)
    lab.at_least("thin sheet: impacts", len(contacts), 1)
    lab.near("thin sheet: time", contacts[0]["time"], (0.6 - 0.2 - 5e-6) / 20.0, 1e-8)
    lab.at_most("thin sheet: stays behind", last["sheet"]["x"] - last["block"]["x"], -0.2)


@row("MISS")
def near_misses_are_no_contacts(lab):
    gap = 1e-6
    boxes = [box("a", (1.0, 1.0, 1.0), velocity=[5.0, 0.0, 0.0], position=[-2.0, 0.0, 0.0]),
             box("b", (1.0, 1.0, 1.0), position=[0.0, 0.0, 1.0 + gap])]
    contacts, last = first_impact(lab, "boxes", boxes, 0.01, 0.8)
    lab.near("boxes: contacts", len(contacts), 0, 0)
    lab.near("boxes: speed kept", last["a"]["vx"], 5.0, 0.0)
    ball = {"kind": "sphere", "radius": 0.5, "spacing": 0.02}
    balls = [{"name": "a", "shape": ball, "mass": 1.0, "velocity": [5.0, 0.0, 0.0],
              "position": [-2.0, 0.0, 0.0]},
             {"name": "b", "shape": ball, "mass": 1.0, "position": [0.0, 0.0, 1.0 + gap]}]
    contacts, last = first_impact(lab, "balls", balls, 0.01, 0.8)
    lab.near("spheres: contacts", len(contacts), 0, 0)
    lab.near("spheres: speed kept", last["a"]["vx"], 5.0, 0.0)
