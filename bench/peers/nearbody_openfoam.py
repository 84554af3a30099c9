#!/usr/bin/env python3
"""OpenFOAM beside bench/nearbody: the vortex on 64^3 hexahedra.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import sys

import openfoam_vortex

sys.exit(openfoam_vortex.measure("nearbody/hexahedra 64^3", 64))
