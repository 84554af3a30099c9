"""Read a PNG file of the program: `rows(path)` and the note in it. SPDX-License-Identifier: GPL-3.0-or-later"""
import json
import struct
import zlib


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG file"
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        check, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert zlib.crc32(kind + body) == check, "wrong check sum in %s" % kind
        yield kind, body
        at += 12 + size


def read(path):
    """Width, height, rows of (r, g, b, a), and the note (None: there is none)."""
    width = height = note = None
    packed = b""
    for kind, body in chunks(open(path, "rb").read()):
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            assert (bits, colour) == (8, 6)
        elif kind == b"IDAT":
            packed += body
        elif kind == b"tEXt" and body.startswith(b"carom\0"):
            note = json.loads(body[6:])
    raw, rows, above = zlib.decompress(packed), [], bytearray(4 * width)
    for j in range(height):
        begin = j * (4 * width + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + 4 * width])
        assert kind in (0, 1, 2)
        for k in range(len(row)):
            before = row[k - 4] if k >= 4 else 0
            row[k] = (row[k] + (before if kind == 1 else above[k] if kind == 2 else 0)) & 255
        rows.append([tuple(row[k:k + 4]) for k in range(0, len(row), 4)])
        above = row
    return width, height, rows, note


RAMP = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]


def colour_of(s):
    x = min(max(s, 0), 1) * 4
    k = min(int(x), 3)
    return [a + (x - k) * (b - a) for a, b in zip(RAMP[k], RAMP[k + 1])]


def pixel_at(picture, p):
    """The pixel of a point of the world, by the note."""
    width, height, rows, note = picture
    left, top, w, h = note["crop"]
    away = [a - b for a, b in zip(p, note["corner"])]
    along = [sum(a * b for a, b in zip(away, note[n])) / sum(a * a for a in note[n]) for n in ("right", "up")]
    return rows[top + h - 1 - int(along[1] * h)][left + int(along[0] * w)]
