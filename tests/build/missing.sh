#!/bin/sh
# Does configure stop at each missing library and name the Debian package that brings it?
# SPDX-License-Identifier: GPL-3.0-or-later
configure=$(cd "${srcdir:-.}" && pwd)/configure
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# `expect PACKAGE SETTING...`: configure with these settings must fail and name the package.
# What does not depend on them is found out once and kept in a cache.
expect() {
  package=$1
  shift
  if "$configure" --quiet --cache-file=cache "$@" >out 2>&1; then
    echo "configure should have stopped for want of $package"
    failures=$((failures + 1))
  elif ! grep -q "install $package" out; then
    echo "configure did not name $package; it said:"
    tail -n 3 out
    failures=$((failures + 1))
  fi
  # Answers about libraries must not reach the next try.
  grep -v -e pkg_cv_ -e ac_cv_header_cgns -e ac_cv_header_p8est -e ac_cv_env cache >kept
  mv kept cache
}

nowhere=PKG_CONFIG_LIBDIR=$folder/nowhere
found="PETSC_CFLAGS=-Dx PETSC_LIBS=-lm"
expect petsc-dev "$nowhere"
expect libhdf5-openmpi-dev "$nowhere" $found
found="$found HDF5_CFLAGS=-Dx HDF5_LIBS=-lm"
expect libyaml-dev "$nowhere" $found
found="$found YAML_CFLAGS=-Dx YAML_LIBS=-lm"
expect zlib1g-dev "$nowhere" $found
found="$found ZLIB_CFLAGS=-Dx ZLIB_LIBS=-lz"
expect check "$nowhere" $found
expect libcgns-dev ac_cv_header_cgnslib_h=no
expect libp4est-dev ac_cv_header_p8est_h=no
expect libopenmpi-dev ac_cv_prog_CC=
[ "$failures" -eq 0 ]
