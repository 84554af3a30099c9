"""Look into a page that carom report wrote: are its numbers those of the histories?

usage: report.py PAGE.html RESULTS [ghost]     prints one line of facts, exits 1 on a difference
SPDX-License-Identifier: GPL-3.0-or-later
"""

import base64
import csv
import json
import re
import struct
import sys
import zlib

CHANNELS = "x y z qw qx qy qz vx vy vz wx wy wz fx fy fz mx my mz".split()
SINGLE = 1.2e-7  # relative rounding of single precision


def open_page(path, which):
    text = open(path, encoding="utf-8").read()
    block = re.search(r'id="carom-%s">([^<]*)</script>' % which, text).group(1)
    data = zlib.decompress(base64.b64decode(block, validate=True))
    length = struct.unpack("<I", data[:4])[0]
    return json.loads(data[4:4 + length]), data[4 + length:]


def array(heading, body, name):
    for a in heading["arrays"]:
        if a["name"] != name:
            continue
        n, at = a["rows"] * a["columns"], a["offset"]
        plain = {"f64": "d", "i32": "i", "i16": "h"}.get(a["type"])
        if plain:
            return struct.unpack_from(f"<{n}{plain}", body, at), a
        values = []
        for i in range(n):
            step = sum(body[at + k * n + i] << 8 * k for k in range(4))
            last = 0 if i % a["columns"] == 0 else (last + 0)
            last = (last + step) % 2**32
            values.append(struct.unpack("<f", struct.pack("<I", last))[0])
        return values, a
    raise KeyError(name)


def compare_bodies(heading, body, results):
    rows = {(float(r["time"]), r["body"]): r for r in csv.DictReader(open(results + "/bodies.csv"))}
    times, _ = array(heading, body, "time")
    origin, _ = array(heading, body, "origin")
    n, worst = len(times), 0.0
    for k, name in enumerate(CHANNELS):
        values, _ = array(heading, body, name)
        for b, info in enumerate(heading["bodies"]):
            for f in range(n):
                wanted = float(rows[times[f], info["name"]][name])
                start = origin[3 * b + k] if k < 3 else 0.0
                error = abs(values[b * n + f] + start - wanted)
                worst = max(worst, error / (abs(wanted - start) + 1e-30) if error > 1e-37 else 0.0)
    return n, worst


def compare_contacts(heading, body, results):
    rows = list(csv.DictReader(open(results + "/contacts.csv")))
    numbers, a = array(heading, body, "contact_numbers")
    words, _ = array(heading, body, "contact_words")
    keys = ["time", "x", "y", "z", "nx", "ny", "nz", "approach", "px", "py", "pz", "energy_before",
            "energy_after"]
    good = len(rows) == a["rows"]
    for k, row in enumerate(rows):
        good = good and [float(row[i]) for i in keys] == list(numbers[14 * k:14 * k + 13])
        good = good and heading["names"][words[5 * k]] == row["body_a"]
        good = good and heading["names"][words[5 * k + 1]] == row["body_b"]
    return good


def main():
    which = sys.argv[3] if len(sys.argv) > 3 else "run"
    heading, body = open_page(sys.argv[1], which)
    n, worst = compare_bodies(heading, body, sys.argv[2])
    good = compare_contacts(heading, body, sys.argv[2])
    triangles = sum(s["triangles"] for s in heading["shapes"])
    print(f"{n} frames of {heading['frames']['written']}, {len(heading['bodies'])} bodies, "
          f"{triangles} triangles, {heading['contacts']['written']} contacts; "
          f"worst error {worst:.2g}; notes {heading['notes']}")
    return 0 if good and worst <= SINGLE else 1


sys.exit(main())
