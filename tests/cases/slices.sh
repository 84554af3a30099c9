#!/bin/sh
# Slices through joined grids: the picture shows the values, holes are blank, files are the same for
# any number of ranks; surfaces; what is asked for wrongly is refused.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

slices='slices: [{point: [0, 0, 0.05], normal: [0, 0, 1], every: 2, low: 0.2, high: 0.4},
  {point: [0, 0, 0], normal: [0, 1, 1], every: 9, quantity: pressure, width: 2.5}]'
sed -e "s/^output:.*/output: {fields: 0, checkpoint: 0, surfaces: 2,/" "$cases/overset.yaml" >case.yaml
echo "  $slices}" >>case.yaml
expect 0 "$carom" run case.yaml -o one --quiet --steps 2
for file in slice0_00000000 slice0_00000002 slice1_00000000; do
  [ -s one/slices/$file.png ] && [ -s one/slices/$file.cgns ] || fail "no $file"
done
[ "$(ls one/slices one/surfaces | grep -c '^s')" -eq 8 ] || fail "other files: $(ls one/slices one/surfaces)"
expect 0 ranks 3 run case.yaml -o three --quiet --steps 2
for file in one/slices/*.png; do
  cmp "$file" "three/slices/${file##*/}" || fail "three ranks draw something else"
done
if command -v cgnsdiff >/dev/null; then
  for file in one/slices/*.cgns; do
    cgnsdiff -d "$file" "three/slices/${file##*/}" >diff 2>&1 || fail "cgnsdiff $file"
    [ ! -s diff ] || fail "three ranks write other numbers: $(head -n 3 diff)"
  done
fi
if command -v cgnscheck >/dev/null; then
  cgnscheck one/slices/slice0_00000002.cgns >checked 2>&1 || fail "cgnscheck"
  ! grep -q '^ERROR' checked || fail "$(grep '^ERROR' checked)"
fi

cat >look.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import picture
p = picture.read("one/slices/slice0_00000000.png")
note = p[3]
assert (note["slice"], note["quantity"], note["low"], note["high"]) == (0, "mach", 0.2, 0.4), note
assert abs(note["corner"][0] + 2) + abs(note["corner"][1] + 2) + abs(note["corner"][2] - 0.05) < 1e-6, note
# An even stream of Mach 0.3 everywhere but in the two balls, at their places and as large as they are.
want = picture.colour_of((0.3 - 0.2) / 0.2)
for x in [(-1.9, -1.9), (1.9, 1.9), (0, 0), (-1.2, 0), (1.2, 0.1), (-0.65, 0.55), (0.65, -0.45)]:
    got = picture.pixel_at(p, (x[0], x[1], 0.05))
    assert got[3] == 255 and max(abs(a - b) for a, b in zip(got, want)) <= 2, (x, got, want)
for x in [(-0.65, 0), (0.65, 0.1), (-0.65, 0.42), (-1.07, 0), (0.65, -0.32), (1.07, 0.1)]:
    assert picture.pixel_at(p, (x[0], x[1], 0.05))[3] == 0, (x, "is not blank")
# Later the flow has changed in front of the balls and not far away.
q = picture.read("one/slices/slice0_00000002.png")
assert q[3]["time"] == 0.04
assert picture.pixel_at(q, (-1.9, -1.9, 0.05)) == picture.pixel_at(p, (-1.9, -1.9, 0.05))
assert picture.pixel_at(q, (-1.15, 0, 0.05)) != picture.pixel_at(p, (-1.15, 0, 0.05))
# The slanted plane shows what was asked for: 2.5 wide, around its point, on the plane.
r = picture.read("one/slices/slice1_00000000.png")[3]
size = [sum(a * a for a in r[n]) ** 0.5 for n in ("right", "up")]
assert abs(size[0] - 2.5) < 1e-6 and abs(size[1] - 2.5) < 1e-6, r
middle = [c + 0.5 * (a + b) for c, a, b in zip(r["corner"], r["right"], r["up"])]
assert max(map(abs, middle)) < 1e-6 and r["quantity"] == "pressure", r
END
python3 look.py "$cases" || fail "the pictures"

# A report has them; what is cut off or damaged is left out, and said.
expect 0 "$carom" report one
[ "$(wc -l <out)" -eq 1 ] || fail "notes without need: $(cat out)"
cp -r one part
head -c 5000 one/slices/slice0_00000002.png >part/slices/slice0_00000002.png
head -c 5000 one/surfaces/step_00000002.cgns >part/surfaces/step_00000002.cgns
expect 0 "$carom" report part
grep -q "slices: 1 of the pictures cannot be read" out || fail "half a picture: $(cat out)"
grep -q "surfaces: 1 of the files cannot be read" out || fail "half a surface: $(cat out)"
cat >page.py <<'END'
import base64, json, re, struct, sys, zlib

def arrays(path):
    text = re.search(r'id="?carom-run"?[^>]*>([^<]*)<', open(path).read()).group(1)
    raw = zlib.decompress(base64.b64decode(text))
    size, = struct.unpack("<I", raw[:4])
    head = json.loads(raw[4:4 + size])
    return head, {a["name"]: (a, raw[4 + size + a["offset"]:]) for a in head["arrays"]}

head, array = arrays("one/report.html")
assert len(head["slices"]) == 3 and len(arrays("part/report.html")[0]["slices"]) == 2
data = open("one/slices/slice0_00000000.png", "rb").read()
assert array["slices"][1][:len(data)] == data and head["slices"][0]["bytes"] == len(data)
# Pressure on both balls: highest where they drive into the air, lowest behind.
a, raw = array["skin"]
n = a["columns"] // 2
assert a["rows"] == 2 and [b["skin"] for b in head["bodies"]] == [0, n] and n == head["shapes"][0]["vertices"], a
step = struct.unpack("<%dh" % a["columns"], raw[2 * a["columns"]:4 * a["columns"]])
assert min(step) >= 0, "a vertex has no pressure"
m, planes, x, last = 3 * n, array["vertex"][1], [], 0
for i in range(m):  # differences of bit patterns, lowest bytes first
    last = (last + sum(planes[k * m + i] << 8 * k for k in range(4))) & 0xffffffff
    x.append(struct.unpack("<f", struct.pack("<I", last))[0])
for ball, front in ((0, 1), (1, -1)):
    mine = step[ball * n:(ball + 1) * n]
    high = x[3 * max(range(n), key=mine.__getitem__)], x[3 * min(range(n), key=mine.__getitem__)]
    assert front * high[0] > 0.3 and front * high[1] < -0.3, (ball, high)
END
python3 page.py || fail "the numbers of the page"

sed 's/quantity: pressure/quantity: presure/' case.yaml >wrong.yaml
refuse 2 "pressure" check wrong.yaml
sed 's/low: 0.2, high: 0.4/low: 0.4, high: 0.2/' case.yaml >wrong.yaml
refuse 2 "output.slices[0].high: must be above low" check wrong.yaml
finish
