#!/bin/sh
# Does carom grid make grids that other programs accept, and say in one line what it cannot make?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

# `sound FILE`: carom reads it back with closed boundaries, and cgnscheck has nothing to say but
# that numbers have no units.
sound() {
  expect 0 "$carom" info "$1"
  for name in body outer; do
    grep -q "boundary $name: .* closed" out || fail "$1: $name is not closed: $(cat out)"
  done
  command -v cgnscheck >/dev/null || return 0
  cgnscheck "$1" >checked 2>&1
  ! grep -i 'error' checked || fail "cgnscheck refuses $1"
  ! grep 'WARNING' checked | grep -v 'exponents' || fail "cgnscheck warns about $1"
}

# The seven bodies.
make_grid() {
  name=$1
  shift
  expect 0 "$carom" grid "$@" -o "$name.cgns"
  grep -q "wrote $name.cgns" out || fail "$name: $(cat out)"
  sound "$name.cgns"
}
make_grid sphere sphere radius=1 spacing=0.3 --layers 6 --first 0.02
make_grid box box size=1,2,0.5 --layers 4 --first 0.01 --growth 1.5
make_grid capsule capsule radius=0.5 length=1 'axis=[0, 1, 0]' spacing=0.2 --layers 5
make_grid cylinder cylinder radius=0.5 length=1 spacing=0.2 --layers 5
make_grid cone --layers 5 cone radius=0.3 length=1 spacing=0.1
make_grid dart "$srcdir/grids/dart.stl" --layers 6 --first=1e-2
make_grid ramp "$srcdir/grids/ramp.stl" scale=2 spacing=0.3 --layers 6 --first 1e-2
[ -z "$(ls ./*.part 2>/dev/null)" ] || fail "something half-written is left"

# What is printed names thickness and the size of the outer cells.
expect 0 "$carom" grid sphere radius=1 spacing=0.4 --layers 3 --first 0.1 --growth 1 -o s.cgns
grep -q '^thickness  *0.3 to 0.3' out || fail "$(cat out)"
grep -q '^outer cells .* large' out || fail "$(cat out)"

# A grid file is a surface too, whose families can be grown from again.
expect 0 "$carom" grid s.cgns families=body --layers 2 --first 0.1 -o again.cgns
sound again.cgns
expect 0 "$carom" grid box.cgns families=body --layers 4 --first 0.01 --growth 1.5 -o again.cgns
grep -q '(0 prisms, [1-9][0-9]* hexahedra)' out || fail "quads did not become hexahedra: $(cat out)"
sound again.cgns

# Mistakes.
refuse 2 "KIND or FILE is missing" grid
refuse 2 "-o G.cgns is missing" grid sphere radius=1
refuse 2 "unknown flag '--layer'" grid sphere radius=1 --layer 3 -o x.cgns
refuse_all 2 "got 'blox'; did you mean 'box'?" grid blox -o x.cgns
refuse 2 "radus: unknown key 'radus'; did you mean 'radius'?" grid sphere radus=1 radius=1 -o x.cgns
refuse 2 "radius: missing" grid sphere -o x.cgns
refuse 2 "wanted key=value, got 'radius'" grid sphere radius -o x.cgns
refuse 2 "size: must be 3 numbers" grid box size=1,1 -o x.cgns
refuse 2 "growth: must be at least 1, got 0" grid sphere radius=1 --growth 0 -o x.cgns
refuse 2 "layers: must be at least 1, got 0" grid sphere radius=1 --layers 0 -o x.cgns
refuse 2 "first: must be positive, got 0" grid sphere radius=1 --first 0 -o x.cgns
refuse_all 2 "sphere: first: a layer of 3. is as thick as the body" grid sphere radius=1 \
  --first 3 -o x.cgns
refuse 2 "spacing: must be a positive number, got '0'" grid "$srcdir/grids/ramp.stl" spacing=0 \
  -o x.cgns
refuse 5 "nowhere.stl: cannot be read" grid nowhere.stl -o x.cgns
refuse 5 "nowhere/x.cgns: cannot be written" grid sphere radius=1 --layers 1 -o nowhere/x.cgns

# Surfaces from which nothing can grow: a hole, and two blocks that touch in a corner.
head -c 80 "$srcdir/grids/ramp.stl" >hole.stl
printf '\144\0\0\0' >>hole.stl
tail -c +85 "$srcdir/grids/ramp.stl" | head -c 5000 >>hole.stl
refuse 2 "hole.stl: " grid hole.stl -o x.cgns
block() {
  for t in '0 0 0 0 1 0 1 1 0' '0 0 0 1 1 0 1 0 0' '0 0 1 1 0 1 1 1 1' '0 0 1 1 1 1 0 1 1' \
    '0 0 0 1 0 0 1 0 1' '0 0 0 1 0 1 0 0 1' '0 1 0 0 1 1 1 1 1' '0 1 0 1 1 1 1 1 0' \
    '0 0 0 0 0 1 0 1 1' '0 0 0 0 1 1 0 1 0' '1 0 0 1 1 0 1 1 1' '1 0 0 1 1 1 1 0 1'; do
    set -- $t "$1"
    echo "facet normal 0 0 0 outer loop"
    shift 0
    for k in 1 2 3; do
      echo "vertex $(($1 + ${10})) $(($2 + ${10})) $(($3 + ${10}))"
      set -- "$4" "$5" "$6" "$7" "$8" "$9" "$1" "$2" "$3" "${10}"
    done
    echo "endloop endfacet"
    set -- "${10}"
  done
}
{ echo "solid two"; block 0; block 1; echo "endsolid two"; } >corner.stl
refuse_all 3 "corner.stl: no layers can grow at (1., 1., 1.): no direction" grid corner.stl -o x.cgns
[ ! -e x.cgns ] || fail "a refused grid was written"
finish
