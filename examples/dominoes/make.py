#!/usr/bin/env python3
"""Print the case of a row of dominoes: make.py [blocks] [step] > case.yaml

SPDX-License-Identifier: GPL-3.0-or-later
"""

import sys

THICK, WIDE, HIGH, SPACE = 0.00758, 0.0219, 0.04178, 0.02191  # [m]
SPIN = 6.0  # the first is pushed over its lower front edge [rad/s]
BLOCK = f"{{kind: box, size: [{THICK}, {WIDE}, {HIGH}]}}"

n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
step = sys.argv[2] if len(sys.argv) > 2 else "2.0e-4"
print(f"""title: a row of dominoes
gravity: [0, 0, -9.81]
time: {{step: {step}, end: {0.15 + 0.032 * n:.4g}}}
walls:
  - {{name: floor, point: [0, 0, 0], normal: [0, 0, 1], restitution: 0.846, friction: 1.0}}
output: {{history: 10, checkpoint: 0}}
bodies:""")
for k in range(n):
    push = (f", spin: [0, {SPIN}, 0], velocity: [{SPIN * HIGH / 2:.6g}, 0, {SPIN * THICK / 2:.6g}]"
            if k == 0 else "")
    print(f"  - {{name: d{k:02}, shape: {BLOCK}, density: 1000, restitution: 0.846, friction: 0.176,"
          f" position: [{k * (THICK + SPACE):.6g}, 0, {HIGH / 2:.6g}]{push}}}")
