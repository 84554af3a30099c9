"""Air on one near-body grid: vortex, shocks, a cone, a plate, a sphere.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import os
import subprocess
import sys

from carom_case import Failure, Table, order, row

GAMMA = 1.4
STREAM = {"density": 1.0, "pressure": 1.0}


def tool(lab, name, *arguments):
    """Run a tool of tests/, made if need be; what it prints."""
    made = subprocess.run(["make", "-s", "-C", lab.build, name], capture_output=True, check=False)
    if made.returncode != 0:
        raise Failure("cannot make " + name)
    command = [os.path.join(lab.build, name), *(str(a) for a in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode != 0:
        raise Failure(f"{name}: {(done.stderr or done.stdout).strip()[:200]}")
    return done.stdout


def make_grid(lab, name, kind, cells, *numbers):
    path = os.path.join(lab.folder, name + ".cgns")
    tool(lab, "tests/support/make_grid", kind, path, *cells, *numbers)
    return name + ".cgns"


def fields(lab, run, step, walls=False):
    """The cells, or the faces of walls, of a field file as records."""
    source = os.path.join(run.directory, "fields", f"step_{step:08d}.cgns")
    text = tool(lab, "tests/support/read_fields", *(["--walls"] if walls else []), source)
    path = source + (".walls.csv" if walls else ".csv")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return Table(path).rows


def one_grid(grid, boundaries, flow, step, end, every=1, **reference):
    """A case of one grid that stands still."""
    body = {"name": "a", "motion": "fixed", "center": [0, 0, 0]}
    body["grid"] = {"file": grid, "boundaries": boundaries}
    case = {"time": {"step": step, "end": end}, "bodies": [body], "flow": flow}
    if reference:
        case["reference"] = reference
    return {**case, "output": {"fields": every, "checkpoint": 0}}


def flow_rows(run):
    return Table(os.path.join(run.directory, "flow.csv")).rows


# C2: the orders are measured by a program that has the solver in it, on periodic boxes.


@row("C2")
def vortex(lab):
    """Near-body part: hexahedra, and shaken hexahedra, prisms and tetrahedra."""
    names = {"3": "hexahedra", "2": "prisms", "0": "tetrahedra"}
    for line in tool(lab, "tests/verify/verify_near").splitlines():
        if not line.startswith("kind"):
            continue
        word = line.replace(":", "").replace(",", "").split()
        shaken = "" if word[3] == "0" else ", shaken by 20 %"
        lab.at_least("order on " + names[word[1]] + shaken, float(word[-1]), 1.9)


# C4: Sod against the exact solution, and a blast into a gas of 1e-5 of its pressure.


def sod_exact(s):
    """Density at x/t = s of the tube (1, 1) | (0.125, 0.1)."""
    g = GAMMA
    c_left, c_right = math.sqrt(g), math.sqrt(g * 0.1 / 0.125)

    def speeds(p):
        left = 2 * c_left / (g - 1) * (1 - p ** ((g - 1) / (2 * g)))
        ratio = p / 0.1
        right = c_right / g * (ratio - 1) / math.sqrt(1 + (g + 1) / (2 * g) * (ratio - 1))
        return left, right

    low, high = 0.1, 1.0
    for _ in range(200):
        p = 0.5 * (low + high)
        left, right = speeds(p)
        low, high = (p, high) if left > right else (low, p)
    u = speeds(p)[0]
    behind = p ** (1 / g)
    ratio = p / 0.1
    ahead = 0.125 * ((g + 1) * ratio + g - 1) / ((g - 1) * ratio + g + 1)
    shock = c_right * math.sqrt(1 + (g + 1) / (2 * g) * (ratio - 1))
    tail = u - math.sqrt(g * p / behind)
    if s < -c_left:
        return 1.0
    if s < tail:
        c = 2 / (g + 1) * c_left * (1 - (g - 1) / 2 * s / c_left)
        return (c / c_left) ** (2 / (g - 1))
    return behind if s < u else ahead if s < shock else 0.125


def sod_error(lab, n):
    grid = make_grid(lab, f"tube{n}", "box", (n, 1, 1), 0, 1, 0, 1 / n, 0, 1 / n)
    sides = {"slip": ["xmin", "xmax", "ymin", "ymax", "zmin", "zmax"]}
    flow = {"freestream": {"mach": 0, **STREAM}, "initial": "sod", "integrator": "ssprk3"}
    case = one_grid(grid, sides, flow, 0.2, 0.2, point=[0.5, 0, 0])
    run = lab.run(case, f"tube{n}")
    cells = fields(lab, run, 1)
    return sum(abs(c["Density"] - sod_exact((c["x"] - 0.5) / 0.2)) for c in cells) / n


@row("C4")
def shocks(lab):
    errors = [sod_error(lab, n) for n in (100, 200, 400)]
    lab.at_least("Sod, near-body: L1 order 100 to 200", order(errors[0], errors[1]), 0.8)
    lab.at_least("Sod, near-body: L1 order 200 to 400", order(errors[1], errors[2]), 0.8)
    n = 32
    grid = make_grid(lab, "room", "box", (n, n, n), -1, 1, -1, 1, -1, 1)
    sides = {"slip": ["xmin", "xmax", "ymin", "ymax", "zmin", "zmax"]}
    flow = {"freestream": {"mach": 0, **STREAM}, "initial": "blast", "integrator": "ssprk3"}
    run = lab.run(one_grid(grid, sides, flow, 5e-5, 2e-3, 0, length=0.3), "room")
    rows = flow_rows(run)
    lab.at_least("blast, near-body: least density", min(r["density_min"] for r in rows), 1e-12)
    lab.at_least("blast, near-body: least pressure", min(r["pressure_min"] for r in rows), 1e-12)
    lab.at_most("blast, near-body: share of fallbacks", rows[-1]["fallbacks"], 1e-3)
    lab.at_most("blast, near-body: mass defect", max(abs(r["mass_defect"]) for r in rows), 1e-12)


# C5: sectors of cones, and a wedge; the first and last tenth of them are left out.


def turned_by_shock(beta, mach):
    """Angle by which a shock at angle beta turns the flow."""
    normal = (mach * math.sin(beta)) ** 2 - 1
    return math.atan(2 / math.tan(beta) * normal / (mach**2 * (GAMMA + math.cos(2 * beta)) + 2))


def behind_shock(beta, mach):
    """Pressure ratio over a shock and Mach number behind it."""
    normal = (mach * math.sin(beta)) ** 2
    ratio = 1 + 2 * GAMMA / (GAMMA + 1) * (normal - 1)
    after = (1 + (GAMMA - 1) / 2 * normal) / (GAMMA * normal - (GAMMA - 1) / 2)
    return ratio, math.sqrt(after) / math.sin(beta - turned_by_shock(beta, mach))


def bisect(function, low, high):
    """Where a rising function is zero."""
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return 0.5 * (low + high)


def wedge_exact(angle, mach):
    """Cp on a wedge and its weak shock's angle, in radians."""
    steps = [math.asin(1 / mach) + k * 1e-3 for k in range(1, 1000)]
    strongest = max(steps, key=lambda beta: turned_by_shock(beta, mach))
    beta = bisect(lambda b: turned_by_shock(b, mach) - angle, math.asin(1 / mach), strongest)
    return (behind_shock(beta, mach)[0] - 1) / (GAMMA / 2 * mach**2), beta


def conical_flow(beta, mach):
    """Taylor and Maccoll: angle of the cone whose shock stands at beta, and Cp on it."""
    ratio, m = behind_shock(beta, mach)
    turned = beta - turned_by_shock(beta, mach)
    speed = 1 / math.sqrt(1 + 2 / ((GAMMA - 1) * m**2))
    radial, across, theta, h = speed * math.cos(turned), -speed * math.sin(turned), beta, 1e-4

    def rates(r, c, t):
        c2 = (GAMMA - 1) / 2 * (1 - r * r - c * c)
        return c, (c * c * r - c2 * (2 * r + c / math.tan(t))) / (c2 - c * c)

    while across < 0:
        a = rates(radial, across, theta)
        b = rates(radial - h / 2 * a[0], across - h / 2 * a[1], theta - h / 2)
        before = radial, across
        radial, across, theta = radial - h * b[0], across - h * b[1], theta - h
    share = before[1] / (before[1] - across)
    radial, theta = before[0] + share * (radial - before[0]), theta + (1 - share) * h

    def total(square):
        return (1 - square) ** (GAMMA / (GAMMA - 1))

    p = ratio * total(radial**2) / total(speed**2)
    return theta, (p - 1) / (GAMMA / 2 * mach**2)


def cone_exact(angle, mach):
    beta = bisect(lambda b: conical_flow(b, mach)[0] - angle, math.asin(1 / mach) + 1e-3,
                  wedge_exact(angle, mach)[1])
    return conical_flow(beta, mach)[1], beta


def attached_shock(lab, kind, angle, mach, height, exact):
    grid = make_grid(lab, f"{kind}{angle}", kind, (40, 1, 60), angle, 1, height)
    sides = {"wall": ["body"], "symmetry": ["sides"], "farfield": ["inflow", "outer"]}
    flow = {"freestream": {"mach": mach, **STREAM}, "integrator": "ssprk3"}
    flow["steady_start"] = {"iterations": 200, "drop": 1e-5}
    case = one_grid(grid, {**sides, "out": ["outflow"]}, flow, 1e-5, 1e-5)
    run = lab.run(case, f"{kind}{angle}")
    cp, beta = exact(math.radians(angle), mach)
    what = f"{kind} of {angle} degrees, Mach {mach}"
    surface = [w["CoefPressure"] for w in fields(lab, run, 0, walls=True) if 0.3 < w["x"] < 0.9]
    lab.near_relative(what + ": mean Cp", sum(surface) / len(surface), cp, 0.02)
    lab.at_most(what + ": largest error of Cp", max(abs(c - cp) for c in surface), 0.02 * cp)
    if kind == "cone":  # that of the wedge stalls at a tenth
        lab.at_most(what + ": residual left", flow_rows(run)[0]["residual"], 1e-5)
    lab.near(what + ": shock", shock_angle(fields(lab, run, 0)), math.degrees(beta), 0.5)


@row("C5")
def cones(lab):
    """The first is that of the table, whose figures judge the formulas."""
    cp, beta = cone_exact(math.radians(10), 2)
    lab.near("Taylor and Maccoll: Cp", cp, 0.10447, 2e-5)
    lab.near("Taylor and Maccoll: shock", math.degrees(beta), 31.206, 2e-3)
    attached_shock(lab, "cone", 10, 2, 0.9, cone_exact)
    attached_shock(lab, "cone", 20, 3, 0.9, cone_exact)
    attached_shock(lab, "wedge", 15, 2.5, 0.9, wedge_exact)


def shock_angle(cells):
    """The slope of the line where the pressure is half-way up to that behind the shock."""
    at = []
    for x in sorted({round(c["x"], 9) for c in cells}):
        if not 0.3 < x < 0.9:
            continue
        line = sorted((math.hypot(c["y"], c["z"]), c["Pressure"]) for c in cells
                      if abs(c["x"] - x) < 1e-8)
        half = 0.5 * (1.0 + max_behind(line))
        for (r, p), (s, q) in zip(line, line[1:]):
            if p >= half > q:
                at.append((x, r + (p - half) / (p - q) * (s - r)))
                break
    mean_x, mean_r = (sum(v) / len(at) for v in zip(*at))
    slope = sum((x - mean_x) * (r - mean_r) for x, r in at) / sum((x - mean_x) ** 2 for x, _ in at)
    return math.degrees(math.atan(slope))


def max_behind(line):
    """The pressure just behind the shock: that of the steepest fall, three cells inward."""
    falls = [line[k][1] - line[k + 1][1] for k in range(len(line) - 1)]
    k = falls.index(max(falls))
    return line[max(k - 3, 0)][1]


# C7: Blasius. Re is by unit length; the top is high enough for the stream to stay even.


@row("C7")
def plate(lab):
    grid = make_grid(lab, "plate", "plate", (80, 1, 50), 1, 1.2, 3, 0.00015, 0.002)
    sides = {"wall": ["plate"], "symmetry": ["ahead", "sides"], "out": ["outflow"]}
    flow = {"equations": "laminar", "freestream": {"mach": 0.2, **STREAM}, "reynolds": 1e5}
    flow["steady_start"] = {"iterations": 100, "drop": 1e-6}
    case = one_grid(grid, {**sides, "farfield": ["inflow", "top"]}, flow, 1e-3, 1e-3)
    run = lab.run(case, "plate")
    pressure = 0.5 * GAMMA * 0.2**2
    worst = max(abs(w["SkinFrictionX"] / pressure / (0.664 / math.sqrt(1e5 * w["x"])) - 1)
                for w in fields(lab, run, 0, walls=True) if 0.2 < w["x"] < 1.0)
    first = flow_rows(run)[0]
    lab.at_most("plate: largest error of cf, 0.2 < x < 1", worst, 0.02)
    lab.at_most("plate: Newton steps for six orders", first["inner"], 100)
    lab.at_most("plate: residual left", first["residual"], 1e-6)


# C8: the wake at Re 100 is round, so a sector of four degrees is enough.


@row("C8")
def sphere(lab):
    grid = make_grid(lab, "sphere", "sphere", (72, 1, 72), 0.5, 25, 0.006)
    sides = {"wall": ["body"], "symmetry": ["sides"], "farfield": ["outer"]}
    flow = {"equations": "laminar", "freestream": {"mach": 0.2, **STREAM}, "reynolds": 100}
    flow["steady_start"] = {"iterations": 100, "drop": 1e-6}
    area = math.pi * 0.25 * 4 / 360
    run = lab.run(one_grid(grid, sides, flow, 1e-3, 1e-3, 0, area=area), "sphere")
    lab.near_relative("sphere, Re 100: Cd", flow_rows(run)[0]["cd_a"], 1.09, 0.03)


# C9: the flat plate of NASA's Turbulence Modeling Resource (2DZP), fully turbulent.


def turbulent_plate(lab, cells):
    """Friction and profile at x = 0.97 on one grid of the family."""
    name = f"plate{cells}"
    path = os.path.join(lab.folder, name + ".cgns")
    make_grid(lab, name, "box", (1, 1, 1), 0, 1, 0, 1, 0, 1)  # so that the tool is there
    script = os.path.join(lab.top, "grids", "flat_plate.py")
    subprocess.run([sys.executable, script, str(cells), path, lab.build], check=True)
    kinds = {"wall": ["plate"], "symmetry": ["ahead", "sides"], "out": ["outflow"]}
    flow = {"equations": "rans", "reynolds": 5e6}
    flow["freestream"] = {"mach": 0.2, "pressure": 101325, "temperature": 300}
    flow["steady_start"] = {"iterations": 150, "drop": 1e-5}
    case = one_grid(name + ".cgns", {**kinds, "farfield": ["inflow", "top"]}, flow, 1e-5, 1e-5)
    run = lab.run(case, name, seconds=3000)
    dynamic = 0.5 * GAMMA * 101325 * 0.2**2
    walls = sorted((w["x"], w["SkinFrictionX"] / dynamic) for w in fields(lab, run, 0, walls=True))
    column = nearest_column(fields(lab, run, 0), 0.97)
    return interpolated(walls, 0.97), column, flow_rows(run)[0]


def interpolated(points, x):
    """The value at x between points (x, value) in order."""
    for (x0, v0), (x1, v1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return v0 + (x - x0) / (x1 - x0) * (v1 - v0)
    raise Failure(f"nothing around x = {x}")


def nearest_column(cells, x):
    """The cells above one place of the plate, from the wall up."""
    at = min((c["x"] for c in cells), key=lambda value: abs(value - x))
    return sorted((c for c in cells if abs(c["x"] - at) < 1e-9), key=lambda c: c["z"])


def layer(column, cf):
    """In units of the wall: heights of cells, nu_tilde over kappa u_tau z, velocities."""
    speed = 0.2 * math.sqrt(GAMMA * 287.05 * 300)
    friction, nu = speed * math.sqrt(0.5 * cf), speed / 5e6
    return [(c["z"] * friction / nu, c["TurbulentSANuTilde"] / (0.41 * friction * c["z"]),
             c["VelocityX"] / friction) for c in column]


@row("C9")
def flat_plate(lab):
    wanted = 2.706e-3
    rough, _, _ = turbulent_plate(lab, 136)
    fine, column, first = turbulent_plate(lab, 272)
    lab.near_relative("13,056 cells: cf at x = 0.97", rough, wanted, 0.015)
    lab.near_relative("52,224 cells: cf at x = 0.97", fine, wanted, 0.01)
    lab.at_most("error of the finer grid over that of the rougher",
                abs(fine - wanted) / abs(rough - wanted), 1.0)
    # The model is made for nu_tilde = kappa u_tau z down to the wall, and for the law of the wall.
    cells = layer(column, fine)
    lab.at_most("nu_tilde over kappa u_tau z, less 1, 1 < z+ < 50",
                max(abs(ratio - 1) for z, ratio, _ in cells if 1 < z < 50), 0.015)
    lab.at_most("u+ less ln(z+) / 0.41 + 5, 50 < z+ < 150",
                max(abs(u - math.log(z) / 0.41 - 5) for z, _, u in cells if 50 < z < 150), 0.3)
    lab.at_most("y+ of the first cells", first["yplus_max_a"], 1.0)
