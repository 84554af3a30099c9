#!/bin/sh
# Do the lints see what they are there for? Each is fed a small tree that breaks one rule.
# SPDX-License-Identifier: GPL-3.0-or-later
lint=${srcdir:-.}/tests/lint
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT

# A tree with nothing to complain about.
fresh() {
  rm -rf "$tree/src"
  mkdir -p "$tree/src/base" "$tree/src/geom" "$tree/src/body" "$tree/src/sim" "$tree/src/config"
  cp "$lint/../../.clang-format" "$tree/"
  printf '#pragma once\n\n#include <petscsys.h>\n' >"$tree/src/base/error.h"
  printf '#pragma once\n\n#include "base/error.h"\n' >"$tree/src/geom/shape_spec.h"
  printf '#include "base/error.h"\n\n#include <math.h>\n\nint f(int a)\n{\n  return a;\n}\n' \
    >"$tree/src/geom/shape.c"
}

# `expect pass|fail SCRIPT WHAT`
expect() {
  if "$lint/$2" "$tree" >"$tree/out" 2>&1; then got=pass; else got=fail; fi
  [ -s "$tree/out" ] && grep -q 'no clang-format here' "$tree/out" && return
  [ "$got" = "$1" ] && return
  echo "$2 should $1: $3"
  cat "$tree/out"
  echo "$3" >>"$tree/failures"
}

# `refuse SCRIPT FILE WHAT`: standard input is the text of the file.
refuse() {
  fresh
  mkdir -p "$tree/src/$(dirname "$2")"
  cat >"$tree/src/$2"
  expect fail "$1" "$3"
}

for script in layers.sh format.sh sizes.sh; do
  fresh
  expect pass "$script" "a clean tree"
done

echo '#include "body/rigid.h"' | refuse layers.sh geom/up.c "an upward include"
echo '#include <mpi.h>' | refuse layers.sh geom/mpi.c "mpi.h outside comm"
echo '#include <petscsf.h>' | refuse layers.sh sim/sf.c "petscsf.h outside comm"
echo '#include <petscsys.h>' | refuse layers.sh sim/sys.c "petscsys.h outside base"
echo '#include <petscksp.h>' | refuse layers.sh sim/ksp.c "petscksp.h outside flow"
echo '#include <petscdm.h>' | refuse layers.sh sim/dm.c "a PETSc header nobody has"
echo '#include <p8est_mesh.h>' | refuse layers.sh sim/p.c "p4est outside grid"
echo '#include <sc_containers.h>' | refuse layers.sh sim/sc.c "sc outside grid"
echo '#include <yaml.h>' | refuse layers.sh sim/y.c "yaml.h outside config"
echo '#include <cgnslib.h>' | refuse layers.sh geom/c.c "cgnslib.h outside io"
echo '  #  include <hdf5.h>' | refuse layers.sh sim/h.c "hdf5.h outside io"
echo '#include <glib.h>' | refuse layers.sh geom/g.c "a stray header"
echo '#include "geom/tree_impl.h"' | refuse layers.sh body/i.c "a private header of another folder"
echo '#include "error.h"' | refuse layers.sh base/e.c "an include without its folder"
echo '#include "geom/surface.h"' | refuse layers.sh config/s.c "config including more than specs"
echo 'int r = MPI_Comm_rank;' | refuse layers.sh geom/r.c "MPI in geom"
echo '#include "base/error.h"' | refuse layers.sh other/o.c "a folder not in the table"
fresh
printf '#include <math.h>\n#include "geom/own.h"\n' >"$tree/src/geom/own.c"
echo '#pragma once' >"$tree/src/geom/own.h"
expect fail layers.sh "own header not first"
fresh
echo '#include "geom/shape_spec.h"' >"$tree/src/config/s.c"
expect pass layers.sh "config including a spec"

echo 'int  a ;' | refuse format.sh geom/f.c "odd spaces"

# `body N`: a function of N + 3 lines.
body() {
  printf 'int f(void)\n{\n'
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "  g();" }'
  printf '}\n'
}
body 78 | refuse sizes.sh geom/long.c "a function of 81 lines"
body 38 | refuse sizes.sh sim/step.c "a step function of 41 lines"
fresh
body 77 >"$tree/src/geom/long.c"
body 37 >"$tree/src/sim/step.c"
expect pass sizes.sh "functions of 80 and 40 lines"
awk 'BEGIN { for (i = 0; i <= 500; i++) print "int a" i ";" }' | refuse sizes.sh geom/n.c "501 lines"
awk 'BEGIN { s = "int "; while (length(s) < 100) s = s "a"; print s ";" }' |
  refuse sizes.sh geom/w.c "101 columns"

[ ! -s "$tree/failures" ] && echo "all lints see what they are there for"
