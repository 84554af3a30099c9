"""OpenFOAM's rhoCentralFoam on the isentropic vortex, for peers of flow benchmarks.

`measure(name, n)` prints `name | work | seconds | rate` for a periodic box of n^3 cells, as our own
benchmarks do. Work is cells times steps: rhoCentralFoam evaluates its fluxes once a step, and a
cell-RHS of ours is one evaluation in one stage. Kurganov fluxes with van Leer's limiter, explicit
Euler, one core.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

GAMMA = 1.4
SIDE = 10.0
STEP = 0.015  # an acoustic Courant number of 0.2 with 64 cells
STEPS, WARM = 14, 4
PLACES = ("/usr/share/openfoam", "/usr/lib/openfoam")  # where Debian keeps etc/controlDict

NOT_INSTALLED = 77


def heading(kind, name):
    return f"FoamFile {{ version 2.0; format ascii; class {kind}; object {name}; }}\n"


def mesh_text(n):
    side = SIDE
    sides = {"xlo": ("xhi", "0 4 7 3"), "xhi": ("xlo", "1 2 6 5"), "ylo": ("yhi", "0 1 5 4"),
             "yhi": ("ylo", "3 7 6 2"), "zlo": ("zhi", "0 3 2 1"), "zhi": ("zlo", "4 5 6 7")}
    joined = "".join(f"{a} {{ type cyclic; neighbourPatch {b}; faces (({f})); }}\n"
                     for a, (b, f) in sides.items())
    corners = "".join(f"({x * side} {y * side} {z * side})" for x, y, z in
                      ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
                       (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)))
    return (f"scale 1;\nvertices ({corners});\n"
            f"blocks (hex (0 1 2 3 4 5 6 7) ({n} {n} {n}) simpleGrading (1 1 1));\n"
            f"edges ();\nboundary\n(\n{joined});\n")


CONTROL = f"""application rhoCentralFoam;
startFrom startTime; startTime 0; stopAt endTime; endTime {STEPS * STEP:.6g}; deltaT {STEP};
writeControl timeStep; writeInterval 1000000; writeFormat binary; runTimeModifiable false;
adjustTimeStep no; maxCo 0.2; maxDeltaT 1;
"""
SCHEMES = """fluxScheme Kurganov;
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(tauMC) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes
{ default linear; reconstruct(rho) vanLeer; reconstruct(U) vanLeerV; reconstruct(T) vanLeer; }
snGradSchemes { default corrected; }
"""
SOLUTION = """solvers
{
  "(rho|rhoU|rhoE)" { solver diagonal; }
  U { solver smoothSolver; smoother GaussSeidel; nSweeps 2; tolerance 1e-09; relTol 0.01; }
  e { $U; tolerance 1e-10; relTol 0; }
}
"""
# A gas constant of one, and no viscosity.
GAS = """thermoType { type hePsiThermo; mixture pureMixture; transport const; thermo hConst;
  equationOfState perfectGas; specie specie; energy sensibleInternalEnergy; }
mixture { specie { molWeight 8314.47; } thermodynamics { Cp 3.5; Hf 0; }
  transport { mu 0; Pr 1; } }
"""


def vortex(n):
    """Temperature, pressure and velocity of one layer of cells, as text."""
    stream = 0.5 * math.sqrt(GAMMA)
    fields = {"T": [], "p": [], "U": []}
    for j in range(n):
        for i in range(n):
            x, y = ((k + 0.5) * SIDE / n - 0.5 * SIDE for k in (i, j))
            f = math.exp(0.5 * (1 - x * x - y * y)) / math.pi
            t = 1 - (GAMMA - 1) / (2 * GAMMA) * f * f
            fields["T"].append(f"{t:.12g}")
            fields["p"].append(f"{t ** (GAMMA / (GAMMA - 1)):.12g}")
            fields["U"].append(f"({stream - f * y:.12g} {f * x:.12g} 0)")
    return fields


def field_text(name, values, n):
    kind, unit, item = {"T": ("volScalarField", "[0 0 0 1 0 0 0]", "scalar"),
                        "p": ("volScalarField", "[1 -1 -2 0 0 0 0]", "scalar"),
                        "U": ("volVectorField", "[0 1 -1 0 0 0 0]", "vector")}[name]
    layer = "\n".join(values) + "\n"
    return (heading(kind, name) + f"dimensions {unit};\n"
            f"internalField nonuniform List<{item}>\n{n ** 3}\n(\n{layer * n});\n"
            'boundaryField { ".*" { type cyclic; } }\n')


def write_case(folder, n):
    texts = {"system/blockMeshDict": mesh_text(n), "system/controlDict": CONTROL,
             "system/fvSchemes": SCHEMES, "system/fvSolution": SOLUTION,
             "constant/thermophysicalProperties": GAS,
             "constant/turbulenceProperties": "simulationType laminar;\n"}
    for path, text in texts.items():
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="ascii") as stream:
            stream.write(heading("dictionary", os.path.basename(path)) + text)
    os.makedirs(os.path.join(folder, "0"))
    for name, values in vortex(n).items():
        with open(os.path.join(folder, "0", name), "w", encoding="ascii") as stream:
            stream.write(field_text(name, values, n))


def environment():
    """With the folder of OpenFOAM's settings, or None when it is not installed."""
    if shutil.which("rhoCentralFoam") is None or shutil.which("blockMesh") is None:
        return None
    place = os.environ.get("WM_PROJECT_DIR")
    found = [p for p in ([place] if place else []) + list(PLACES)
             if os.path.exists(os.path.join(p, "etc", "controlDict"))]
    return {**os.environ, "WM_PROJECT_DIR": found[0]} if found else None


def time_steps(folder, env):
    """Seconds of each step after the first few, by the clock at the end of each."""
    ends = []
    with subprocess.Popen(["rhoCentralFoam"], cwd=folder, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as solver:
        for line in solver.stdout:
            if line.startswith("ExecutionTime"):
                cpu = float(line.split()[2])  # ExecutionTime = 1.23 s
                ends.append(cpu if "BENCH_CPU" in os.environ else time.monotonic())
    if solver.returncode != 0 or len(ends) != STEPS:
        raise RuntimeError(f"rhoCentralFoam ended with {solver.returncode} after {len(ends)} steps")
    return [b - a for a, b in zip(ends[WARM:], ends[WARM + 1:])]


def measure(name, n):
    """Print the line of one measurement, the best of the steps as ours are; the exit status."""
    env = environment()
    if env is None:
        print("peer openfoam is not installed", file=sys.stderr)
        return NOT_INSTALLED
    with tempfile.TemporaryDirectory() as folder:
        write_case(folder, n)
        subprocess.run(["blockMesh"], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
        best = min(time_steps(folder, env))
    cells = n ** 3
    print(f"{name} | {cells:g} cell-RHS | {best:.6g} | {cells / best:.6g} cell-RHS/s")
    return 0
