"""Vectors, quaternions and elliptic functions for exact solutions.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import math


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scaled(s, a):
    return tuple(s * x for x in a)


def norm(a):
    return math.sqrt(dot(a, a))


def product(p, q):
    """Quaternions, scalar first."""
    w = p[0] * q[0] - dot(p[1:], q[1:])
    c = cross(p[1:], q[1:])
    return (w,) + tuple(p[0] * q[i + 1] + q[0] * p[i + 1] + c[i] for i in range(3))


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def turn(axis, angle):
    """The quaternion of a rotation about an axis [radians]."""
    s = math.sin(angle / 2) / norm(axis)
    return (math.cos(angle / 2),) + scaled(s, axis)


def rotate(q, v):
    """A vector from body to inertial axes."""
    return product(product(q, (0.0,) + tuple(v)), conjugate(q))[1:]


def rotate_back(q, v):
    return rotate(conjugate(q), v)


def same_attitude_error(p, q):
    """How far two unit quaternions are apart, whatever their signs."""
    return min(norm(minus(p, q)), norm(minus(p, scaled(-1, q))))


def elliptic_k(m):
    """Complete elliptic integral of the first kind, parameter m = k^2, by the AGM."""
    a, b = 1.0, math.sqrt(1.0 - m)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def jacobi(u, m):
    """(sn, cn, dn) of u with parameter 0 <= m < 1 by descending AGM (Abramowitz, Stegun 16.4)."""
    a, c = [1.0], [math.sqrt(m)]
    b = math.sqrt(1.0 - m)
    while abs(c[-1]) > 1e-16:
        a.append((a[-1] + b) / 2)
        c.append((a[-2] - b) / 2)
        b = math.sqrt(a[-2] * b)
    phi = 2.0 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[n] * math.sin(phi) / a[n])) / 2
    sn, cn = math.sin(phi), math.cos(phi)
    return sn, cn, math.sqrt(1.0 - m * sn * sn)


def zero_crossings(samples):
    """Times at which y vanishes, from (t, y, dy/dt) samples, by cubic Hermite interpolation."""
    found = []
    for (t0, y0, d0), (t1, y1, d1) in zip(samples, samples[1:]):
        if (y0 < 0) == (y1 < 0):
            continue
        h, low, high = t1 - t0, 0.0, 1.0
        for _ in range(60):
            s = (low + high) / 2
            y = (
                y0 * (1 + 2 * s) * (1 - s) ** 2
                + h * d0 * s * (1 - s) ** 2
                + y1 * s * s * (3 - 2 * s)
                + h * d1 * s * s * (s - 1)
            )
            if (y < 0) == (y0 < 0):
                low = s
            else:
                high = s
        found.append(t0 + h * (low + high) / 2)
    return found
