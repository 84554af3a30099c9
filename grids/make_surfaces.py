#!/usr/bin/env python3
"""Make the surfaces of this folder as binary STL: a dart, a store, a wing section, ramps.

usage: make_surfaces.py [DIRECTORY]

All are closed, oriented outwards and free of overlaps, so that layers can be grown from them.
Every surface is put together from lattices whose points are shared where they meet.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import math
import os
import struct
import sys


class Mesh:
    """Triangles from points; points that agree to nine digits are one."""

    def __init__(self):
        self.points, self.ids, self.triangles = [], {}, []

    def point(self, x, y, z):
        key = (round(x, 9) + 0.0, round(y, 9) + 0.0, round(z, 9) + 0.0)
        if key not in self.ids:
            self.ids[key] = len(self.points)
            self.points.append(key)
        return self.ids[key]

    def triangle(self, a, b, c):
        if len({a, b, c}) == 3:
            self.triangles.append((a, b, c))

    def quad(self, a, b, c, d):
        """Cut along the shorter diagonal; two equal corners leave one triangle."""
        p = self.points
        if math.dist(p[a], p[c]) <= math.dist(p[b], p[d]) * (1 + 1e-9):
            self.triangle(a, b, c)
            self.triangle(a, c, d)
        else:
            self.triangle(b, c, d)
            self.triangle(b, d, a)

    def check(self):
        seen = {}
        for t in self.triangles:
            for k in range(3):
                edge = (t[k], t[(k + 1) % 3])
                assert edge not in seen, ("an edge runs twice the same way", edge)
                seen[edge] = t
        for a, b in seen:
            assert (b, a) in seen, ("open edge", self.points[a], self.points[b])
        assert self.volume() > 0

    def volume(self):
        total = 0.0
        for t in self.triangles:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (self.points[v] for v in t)
            total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        return total / 6

    def write(self, path, title):
        self.check()
        with open(path, "wb") as out:
            out.write(title.encode().ljust(80)[:80] + struct.pack("<I", len(self.triangles)))
            for t in self.triangles:
                a, b, c = (self.points[v] for v in t)
                u = [b[i] - a[i] for i in range(3)]
                v = [c[i] - a[i] for i in range(3)]
                n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                length = math.sqrt(sum(q * q for q in n))
                out.write(struct.pack("<12fH", *(q / length for q in n), *a, *b, *c, 0))
        print(f"{path}: {len(self.triangles)} triangles, volume {self.volume():.6g}")


def steps(a, b, size):
    """Equal steps from a to b of about the given size, both ends included."""
    n = max(1, round(abs(b - a) / size))
    return [a + (b - a) * i / n for i in range(n + 1)]


def dart(radius=0.5, nose=2.0, length=8.0, fin_from=6.2, fin_to=7.6, span=0.7, thickness=0.12,
         sweep=0.7, size=0.19):
    """A pointed body along +x with a flat base and four swept slabs as fins.

    The body is a lattice of stations x and angles; the nose is a circular arc that meets the
    cylinder without a kink. Under each fin the lattice is left out and the slab stands on the hole:
    its walls rise from the rim of the hole and its tip repeats the lattice of the hole.
    """
    mesh = Mesh()
    half = math.asin(0.5 * thickness / radius)
    across = 2
    fin_angles = [half * (2 * i / across - 1) for i in range(across + 1)]
    between = steps(half, math.pi / 2 - half, size / radius)[1:-1]
    angles = [(f * math.pi / 2 + a, i < across) for f in range(4)
              for i, a in enumerate(fin_angles + between)]
    arc = (nose * nose + radius * radius) / (2 * radius)

    def body_radius(x):
        return radius if x >= nose else math.sqrt(arc * arc - (nose - x) ** 2) - arc + radius

    stations = steps(0, nose, 0.75 * size)[1:-1] + steps(nose, fin_from, size)[:-1]
    stations += steps(fin_from, fin_to, 0.6 * size)[:-1] + steps(fin_to, length, 0.6 * size)

    def at(x, r, angle):
        return mesh.point(x, r * math.cos(angle), r * math.sin(angle))

    n = len(angles)
    assert n % 2 == 0
    rings = [[at(x, body_radius(x), a) for a, _ in angles] for x in stations]

    # Towards the tip every second angle is enough.
    sparse = sum(1 for x in stations if body_radius(x) < 0.55 * radius)
    tip = mesh.point(0, 0, 0)
    for j in range(0, n, 2):
        k = (j + 2) % n
        mesh.triangle(tip, rings[0][k], rings[0][j])
        for i in range(sparse - 1):
            mesh.quad(rings[i][j], rings[i][k], rings[i + 1][k], rings[i + 1][j])
        inner, outer, m = rings[sparse - 1], rings[sparse], j + 1
        mesh.triangle(inner[j], outer[m], outer[j])
        mesh.triangle(inner[j], inner[k], outer[m])
        mesh.triangle(inner[k], outer[k], outer[m])
    for i in range(sparse, len(stations) - 1):
        for j in range(n):
            k = (j + 1) % n
            under_fin = angles[j][1] and fin_from - 1e-9 <= stations[i] < fin_to - 1e-9
            if not under_fin:
                mesh.quad(rings[i][j], rings[i][k], rings[i + 1][k], rings[i + 1][j])

    # The base: rings towards the axis.
    inner, r = rings[-1], radius
    for r in steps(radius, 0, size)[1:-1]:
        ring = [at(length, r, a) for a, _ in angles]
        for j in range(n):
            k = (j + 1) % n
            mesh.quad(inner[j], inner[k], ring[k], ring[j])
        inner = ring
    middle = mesh.point(length, 0, 0)
    for j in range(n):
        mesh.triangle(inner[j], inner[(j + 1) % n], middle)

    chord = [x for x in stations if fin_from - 1e-9 <= x <= fin_to + 1e-9]
    levels = max(2, round(span / (0.6 * size)))
    for f in range(4):
        turn = f * math.pi / 2

        def fin(x, i, level):
            """Point over the lattice point (x, i) of the hole; level 0 lies on the body."""
            a = fin_angles[i]
            low, side = radius * math.cos(a), radius * math.sin(a)
            up = low + (radius + span - low) * level / levels
            rise = (up - low) / (radius + span - low)
            x_up = x + sweep * rise * (fin_to - x) / (fin_to - fin_from)
            c, s = math.cos(turn), math.sin(turn)
            return mesh.point(x_up, up * c - side * s, up * s + side * c)

        for level in range(levels):
            for i in range(len(chord) - 1):
                for edge, flip in ((0, False), (across, True)):
                    corner = [fin(chord[i], edge, level), fin(chord[i + 1], edge, level),
                              fin(chord[i + 1], edge, level + 1), fin(chord[i], edge, level + 1)]
                    mesh.quad(*(reversed(corner) if not flip else corner))
            for j in range(across):
                for x, flip in ((chord[0], True), (chord[-1], False)):
                    corner = [fin(x, j, level), fin(x, j + 1, level), fin(x, j + 1, level + 1),
                              fin(x, j, level + 1)]
                    mesh.quad(*(reversed(corner) if not flip else corner))
        for i in range(len(chord) - 1):
            for j in range(across):
                mesh.quad(fin(chord[i], j, levels), fin(chord[i], j + 1, levels),
                          fin(chord[i + 1], j + 1, levels), fin(chord[i + 1], j, levels))
    if mesh.volume() < 0:
        mesh.triangles = [(a, c, b) for a, b, c in mesh.triangles]
    return mesh


def ramp(width=2.0, size=0.17):
    """A ramp that rises along +x to a flat top, drops to a ledge and ends: a prism along y.

    The profile in x and z is (0, 0) (4, 0) (4, 0.5) (2.5, 0.5) (2.5, 1) (2, 1) (0, 0.15); the
    corner at (2.5, 0.5) is concave.
    """
    mesh = Mesh()
    y = steps(-width / 2, width / 2, size)

    def top(x):
        return 0.15 + 0.85 * x / 2 if x <= 2 else 1.0

    front = steps(0, 2, size)[:-1] + steps(2, 2.5, size)
    back = steps(2.5, 4, size)
    low = len(steps(0, 0.5, size)) - 1  # rows under the height of the ledge
    rows = 2 * low
    columns = [[(x, top(x) * k / rows) for k in range(rows + 1)] for x in front]
    shelf = [[(x, 0.5 * k / low) for k in range(low + 1)] for x in back]

    def p(xz, yy):
        return mesh.point(xz[0], yy, xz[1])

    for block in (columns, shelf):
        for a, b in zip(block, block[1:]):
            for k in range(len(a) - 1):
                side = [a[k], b[k], b[k + 1], a[k + 1]]
                mesh.quad(*(p(c, y[0]) for c in side))
                mesh.quad(*(p(c, y[-1]) for c in reversed(side)))
    line = [c[0] for c in columns] + [c[0] for c in shelf[1:]]
    line += shelf[-1][1:] + [c[-1] for c in reversed(shelf)][1:]
    line += columns[-1][low + 1:] + [c[-1] for c in reversed(columns)][1:]
    line += list(reversed(columns[0]))[1:]
    for a, b in zip(line, line[1:]):
        for y0, y1 in zip(y, y[1:]):
            mesh.quad(p(a, y0), p(a, y1), p(b, y1), p(b, y0))
    return mesh


def wing(chord=3.6, span=4.0, thickness=0.06, size=0.2):
    """A wing section along y with a lens of circular arcs for a profile, cut off at both ends.

    The edges of the profile are blunt: a lens with sharp ones leaves layers no room.
    """
    mesh = Mesh()
    x, y = steps(0, chord, size), steps(-span / 2, span / 2, size)
    blunt = 0.008 * chord

    def z(at, level):
        s = 2 * at / chord - 1
        return (level - 1) * (blunt + (0.5 * thickness * chord - blunt) * (1 - s * s))

    def p(i, j, level):
        return mesh.point(x[i], y[j], z(x[i], level))

    solid_of_lattice(mesh, p, (len(x) - 1, len(y) - 1, 2), lambda i, j, k: True)
    return mesh


def solid_of_lattice(mesh, point, n, inside):
    """The faces between cells (i, j, k) that belong to a solid and those that do not."""
    corner = {(0, 0): ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
              (1, 0): ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
              (2, 0): ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0))}
    for axis in range(3):
        shift = tuple(int(a == axis) for a in range(3))
        far = tuple(tuple(c[a] + shift[a] for a in range(3)) for c in corner[axis, 0])
        corner[axis, 1] = tuple(reversed(far))

    def held(i, j, k):
        return 0 <= i < n[0] and 0 <= j < n[1] and 0 <= k < n[2] and inside(i, j, k)

    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                if not held(i, j, k):
                    continue
                for (axis, side), c in corner.items():
                    step = (2 * side - 1) * (axis == 0), (2 * side - 1) * (axis == 1), \
                        (2 * side - 1) * (axis == 2)
                    if not held(i + step[0], j + step[1], k + step[2]):
                        mesh.quad(*(point(i + a, j + b, k + d) for a, b, d in c))


def ramp_piece(belongs, width=2.0, size=0.25):
    """What belongs(x, y, z) keeps of the ramp, told at the centres of the cells of a lattice.

    Pieces of one ramp share the points of the faces at which they were cut.
    """
    mesh = Mesh()
    x = steps(0, 2, size)[:-1] + steps(2, 2.5, size)[:-1] + steps(2.5, 4, size)
    y = steps(-width / 2, width / 2, size)
    rows = 2 * (len(steps(0, 0.5, size)) - 1)

    def top(at):
        return 0.15 + 0.85 * at / 2 if at <= 2 else 1.0

    def p(i, j, k):
        return mesh.point(x[i], y[j], top(x[i]) * k / rows)

    def inside(i, j, k):
        middle = 0.5 * (x[i] + x[i + 1]), 0.5 * (y[j] + y[j + 1]), (k + 0.5) / rows
        return (middle[0] < 2.5 or middle[2] < 0.5) and belongs(*middle)

    solid_of_lattice(mesh, p, (len(x) - 1, len(y) - 1, rows), inside)
    return mesh


def in_corner(x, y, z):
    """The upper corner at the back of the ramp, on the side of +y."""
    return 1.5 < x < 2.5 and y > 0.25 and z > 0.5


def in_slice(x, y, z):
    """A slice of the ramp on the side of +y."""
    return y > 0.5


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    dart().write(os.path.join(where, "dart.stl"), "finned dart, grids/make_surfaces.py")
    ramp().write(os.path.join(where, "ramp.stl"), "ramp with a ledge, grids/make_surfaces.py")
    store = dart(radius=0.254, nose=0.9, length=3.0, fin_from=2.25, fin_to=2.9, span=0.32,
                 thickness=0.06, sweep=0.45, size=0.12)
    made = {"store": (store, "ogive-cylinder with fins"), "wing": (wing(), "wing section"),
            "ramp_corner": (ramp_piece(in_corner), "corner of a ramp"),
            "ramp_slice": (ramp_piece(in_slice), "slice of a ramp"),
            "ramp_whole": (ramp_piece(lambda *p: True), "ramp"),
            "ramp_no_corner": (ramp_piece(lambda *p: not in_corner(*p)), "ramp, a corner off"),
            "ramp_no_slice": (ramp_piece(lambda *p: not in_slice(*p)), "ramp, a slice off")}
    for name, (mesh, title) in made.items():
        mesh.write(os.path.join(where, name + ".stl"), title + ", grids/make_surfaces.py")


if __name__ == "__main__":
    main()
