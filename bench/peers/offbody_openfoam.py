#!/usr/bin/env python3
"""OpenFOAM beside bench/offbody: a stage of ours against a step of its one stage, on the vortex.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import sys

import openfoam_vortex

sys.exit(openfoam_vortex.measure("offbody/RK3 stage 64^3", 64))
