#!/bin/sh
# Does every surface that cannot be used cost one line with the reason and the right status, and is
# what can be mended mended with a note?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

# `cube SHIFT INVERTED MISSING`: the facets of a unit cube, the last MISSING ones left out.
cube() {
  awk -v shift="$1" -v inverted="$2" -v missing="$3" 'BEGIN {
    split("0 3 2,0 2 1,4 5 6,4 6 7,0 1 5,0 5 4,2 3 7,2 7 6,1 2 6,1 6 5,0 4 7,0 7 3", face, ",")
    split("0 0 0,1 0 0,1 1 0,0 1 0,0 0 1,1 0 1,1 1 1,0 1 1", corner, ",")
    for (t = 1; t <= 12 - missing; t++) {
      split(face[t], id, " ")
      print "facet normal 0 0 0\nouter loop"
      for (k = 1; k <= 3; k++) {
        split(corner[id[inverted && k > 1 ? 5 - k : k] + 1], x, " ")
        print "vertex", x[1] + shift, x[2] + shift, x[3] + shift
      }
      print "endloop\nendfacet"
    }
  }'
}
solid() {
  echo "solid a"
  cat
  echo "endsolid a"
}

# What is well, and what is mended.
cube 0 0 0 | solid >good.stl
expect 0 "$carom" info good.stl
for line in "volume           1" "area             6" "centroid         0.5 0.5 0.5" \
  "shells           1, of them cavities 0" "principal axis   0.166666667" "defects          none"; do
  grep -qF "$line" out || fail "info good.stl: no '$line'"
done
cube 0 1 0 | solid >inverted.stl
expect 0 "$carom" info inverted.stl
grep -q "note  *inside out as a whole, turned" out || fail "no note of an inverted surface"
{ cube 0 0 0 && cube 0.5 0 0; } | solid >overlap.stl
expect 0 "$carom" info overlap.stl
grep -q "volume  *1.875$" out || fail "overlapping cubes are not trimmed"
grep -q "cut each other, trimmed to their union" out || fail "no note of trimmed shells"
{ cube 0 0 0 && printf 'facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0
vertex 1 0 0\nendloop\nendfacet\n'; } | solid >flat.stl
expect 0 "$carom" info flat.stl
grep -q "1 triangles without area dropped" out || fail "no count of flat triangles"

# What cannot be used.
cube 0 0 1 | solid >open.stl
refuse_all 2 "open.stl: 3 open edges" info open.stl
cube 0 0 12 | solid >none.stl
refuse 2 "none.stl: empty, it has no triangles" info none.stl
sed '0,/vertex/s/vertex .*/vertex nan 0 0/' good.stl >nan.stl
refuse 2 "nan.stl: 1 triangles with coordinates that are not finite" info nan.stl
sed 's/vertex .*/vertex 1 1 1/' good.stl >point.stl
refuse 2 "point.stl: nothing is left of 12 triangles: all are smaller than the tolerance" \
  info point.stl
echo "hello" >hello.stl
refuse 5 "hello.stl: not STL" info hello.stl

# A header of 50 million triangles with and without the bytes for them; the bytes are holes.
{ head -c 80 /dev/zero && printf '\200\360\372\002' && head -c 500 /dev/zero; } >short.stl
refuse 5 "as binary STL its 50000000 triangles need 2500000084 bytes, got 584" info short.stl
{ head -c 80 /dev/zero && printf '\000\207\223\003'; } >huge.stl
if truncate -s 3000000084 huge.stl 2>/dev/null; then
  refuse_all 2 "huge.stl: 60000000 triangles would take" info huge.stl
fi
rm -f huge.stl

# In a case.
cat >zero.yaml <<'END'
contact: {law: none}
time: {step: 0.1, end: 1}
bodies: [{name: a, mass: 1, shape: {kind: stl, file: good.stl, scale: 0}}]
END
refuse 2 "scale" check zero.yaml
sed 's/, scale: 0//; s/good/open/' zero.yaml >open.yaml
refuse_all 2 "open.stl: 3 open edges" run open.yaml
[ ! -d open.out ] || fail "a refused surface left results"

# A cache of the x-ray: described when whole, refused and made anew when not.
cat >box.yaml <<'END'
contact: {law: auto}
time: {step: 0.1, end: 1}
bodies:
  - {name: a, mass: 1, shape: {kind: stl, file: good.stl}}
  - {name: b, mass: 1, shape: {kind: stl, file: good.stl}, position: [3, 0, 0]}
END
expect 0 "$carom" run box.yaml --quiet --steps 1
cache=$(ls box.out/xray/*.xray) || fail "no x-ray cache"
expect 0 "$carom" info "$cache"
for word in "surface hash" "triangles        12" "rays along z" "voxels" "memory" "whole            yes"; do
  grep -qF "$word" out || fail "info of the cache has no '$word'"
done
printf 'x' | dd of="$cache" bs=1 seek=3000 conv=notrunc 2>/dev/null
refuse_all 5 "x-ray cache is damaged" info "$cache"
cp "$cache" damaged
expect 0 "$carom" run box.yaml --quiet --steps 1 --force
expect 0 "$carom" info "$(ls box.out/xray/*.xray)"
finish
