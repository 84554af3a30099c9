#!/usr/bin/env python3
"""Print the case of a pile of boxes and balls in a tray: make.py [boxes and balls of each] > case.yaml

SPDX-License-Identifier: GPL-3.0-or-later
"""

import random
import sys

SIDE = 0.5  # of the tray [m]
PITCH = 0.125  # of the lattice from which they fall [m]

n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
source = random.Random(1)
per_side = int(SIDE / PITCH)
print(f"""title: a pile of {n} boxes and {n} balls
gravity: [0, 0, -9.81]
time: {{step: 2.0e-3, end: 10}}
walls:
  - {{name: floor, point: [0, 0, 0], normal: [0, 0, 1], restitution: 0.3, friction: 0.5}}
  - {{name: left, point: [{-SIDE / 2}, 0, 0], normal: [1, 0, 0], restitution: 0.3, friction: 0.5}}
  - {{name: right, point: [{SIDE / 2}, 0, 0], normal: [-1, 0, 0], restitution: 0.3, friction: 0.5}}
  - {{name: front, point: [0, {-SIDE / 2}, 0], normal: [0, 1, 0], restitution: 0.3, friction: 0.5}}
  - {{name: back, point: [0, {SIDE / 2}, 0], normal: [0, -1, 0], restitution: 0.3, friction: 0.5}}
output: {{history: 50, checkpoint: 0}}
bodies:""")
boxes = balls = 0
for k in range(2 * n):
    layer, place = divmod(k, per_side * per_side)
    x = (place % per_side + 0.5) * PITCH - SIDE / 2 + source.uniform(-0.005, 0.005)
    y = (place // per_side + 0.5) * PITCH - SIDE / 2 + source.uniform(-0.005, 0.005)
    at = f"[{x:.5f}, {y:.5f}, {0.07 + layer * PITCH:.5f}]"
    stuff = "density: 500, restitution: 0.3, friction: 0.5"
    if (place + place // per_side + layer) % 2 == 0:
        q = [round(source.gauss(0, 1), 4) for _ in range(4)]
        print(f"  - {{name: box{boxes:03}, shape: {{kind: box, size: [0.08, 0.06, 0.05]}}, {stuff},"
              f" position: {at}, attitude: {{quaternion: {q}}}}}")
        boxes += 1
    else:
        print(f"  - {{name: ball{balls:03}, shape: {{kind: sphere, radius: 0.035}}, {stuff},"
              f" position: {at}}}")
        balls += 1
