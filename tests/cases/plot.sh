#!/bin/sh
# Does carom plot draw what the histories say, to scale, and refuse what it cannot draw?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

cat >look.py <<'END'
import re, sys
import xml.etree.ElementTree as tree
name = "{http://www.w3.org/2000/svg}"
top = tree.parse(sys.argv[1]).getroot()
lines = [p.get("d") for p in top.iter(name + "path") if p.get("fill") == "none"]
ticks = [p for p in top.iter(name + "path") if p.get("stroke") == "#c05f00" and not p.get("fill")]
rings = [c for c in top.iter(name + "circle") if c.get("fill") == "none"]
words = [t.text or "" for t in top.iter(name + "text")]
first = [float(x) for x in re.findall(r"[-0-9.]+", lines[0])]
print("lines", len(lines), "ticks", len(ticks), "rings", len(rings),
      "slope %.3f" % ((first[-1] - first[1]) / (first[-2] - first[0] or 1)), "|".join(words))
END

cp "$cases/bounce.yaml" .
expect 0 "$carom" run bounce.yaml --quiet
expect 0 "$carom" plot bounce.out
[ "$(cat out)" = bounce.out/plot.svg ] || fail "printed: $(cat out)"
python3 look.py bounce.out/plot.svg >facts || fail "not XML"
contacts=$(($(wc -l <bounce.out/contacts.csv) - 1))
# Two bodies in three frames, and five energies; each contact has a tick in three frames.
grep -q "^lines 11 ticks $((3 * contacts)) " facts || fail "$contacts contacts, but: $(cat facts)"
expect 0 ranks 2 plot bounce.out -o two.svg
cmp two.svg bounce.out/plot.svg || fail "two ranks draw something else"

# A path at 45 degrees is drawn at 45 degrees, names with their odd letters.
cat >slant.yaml <<'END'
title: a < b & c
time: {step: 0.1, end: 1}
bodies: [{name: a, mass: 1, shape: {kind: sphere, radius: 1}, velocity: [3, 0, 3]}]
END
expect 0 "$carom" run slant.yaml --quiet
expect 0 "$carom" plot slant.out -o slant.svg
python3 look.py slant.svg >facts || fail "not XML"
grep -q "slope -1.000 a < b & c" facts || fail "$(cat facts)"

refuse 2 "DIR is missing" plot
# As pixels: the same picture, where the lines are.
expect 0 "$carom" plot slant.out -o slant.png
cat >pixels.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import picture
width, height, rows, note = picture.read("slant.png")
assert (width, height % 2) == (1440, 0) and note is None, (width, height)
at = [(i, j) for j in range(140, 640) for i in range(width) if rows[j][i] == (0x1f, 0x5f, 0xb8, 255)]
# The path of body a rises by as much as it goes to the right; the sheet has two pixels to the unit.
low, high = min(at), max(at)
assert len(at) > 300 and abs((high[0] - low[0]) - (low[1] - high[1])) <= 8, (len(at), low, high)
assert rows[5][5] == (255, 255, 255, 255)
words = sum(p[0] < 100 for row in rows[20:56] for p in row[20:400])
assert words > 200, "no title: %d dark pixels" % words
END
python3 pixels.py "$cases" || fail "the pixels"
refuse 2 "-o wants a name that ends in .svg or .png, got 'x.pdf'" plot slant.out -o x.pdf
refuse_all 5 "nowhere: cannot be read" plot nowhere
rm slant.out/bodies.csv slant.out/case.yaml
refuse 5 "slant.out: nothing to plot" plot slant.out
finish
