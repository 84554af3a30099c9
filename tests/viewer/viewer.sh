#!/bin/sh
# Is the page of carom report the one that viewer/ builds, and does it do what it should in a
# browser? Skipped without node, npm and Chromium, but not where CI=true.
# SPDX-License-Identifier: GPL-3.0-or-later
: "${builddir:?run through tests/run_test.sh}" "${srcdir:?}"
export npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false

# `without WHAT`: skip, or fail where it must not be missing.
without() {
  echo "SKIP: no $1 here, so the page is not tested (scripts/deps --viewer installs it)"
  [ "${CI:-}" != true ] || exit 1
  exit 77
}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
command -v node >/dev/null || without node
command -v npm >/dev/null || without npm
[ -n "$chromium" ] || without Chromium

fail() {
  echo "FAILED: $*"
  exit 1
}

# A copy to build in, since the sources may be read-only; what npm installs stays for the next time.
work=$builddir/tests/viewer/work
mkdir -p "$work" && cd "$work" || exit 1
rm -rf src dist results
cp -r "$srcdir/viewer/src" src && chmod -R u+w src
for file in package.json package-lock.json .npmrc report.html tsconfig.json vite.config.mjs; do
  cp -f "$srcdir/viewer/$file" . || exit 1
done
if [ ! -d node_modules ] || ! cmp -s package-lock.json installed.json; then
  rm -rf node_modules installed.json
  if ! npm ci --ignore-scripts --prefer-offline >npm.out 2>&1; then
    tail -n 5 npm.out
    without "registry of npm"
  fi
  cp package-lock.json installed.json
fi

# The committed page is what its sources build.
npm run build >build.out 2>&1 || { tail -n 20 build.out && fail "viewer/ does not build"; }
cmp dist/report.html "$srcdir/viewer/dist/report.html" ||
  fail "viewer/dist/report.html is not what viewer/ builds: make viewer, and commit it"
[ "$(wc -c <dist/report.html)" -lt 1000000 ] || fail "the page is over 1 MB"
for word in @CAROM_RUN@ @CAROM_GHOST@; do
  [ "$(grep -o "$word" dist/report.html | wc -l)" -eq 1 ] || fail "$word does not stand there once"
done

# Runs to look at.
mkdir results && cp "$srcdir/tests/viewer/"*.yaml results/ && cp "$srcdir/tests/cases/bounce.yaml" results/
# Five hundred bodies of three shapes that fly apart.
awk 'BEGIN {
  shape[0] = "kind: sphere, radius: 0.2"; shape[1] = "kind: box, size: [0.3, 0.3, 0.3]"
  shape[2] = "kind: cone, radius: 0.2, length: 0.4"
  print "title: five hundred bodies\ncontact: {law: none}\ntime: {step: 0.05, end: 2}\nbodies:"
  for (n = 0; n < 500; n++) {
    x = n % 10 - 4.5; y = int(n / 10) % 10 - 4.5; z = int(n / 100) - 2
    printf "  - {name: b%d, mass: 1, shape: {%s}, position: [%g, %g, %g], ", n, shape[n % 3], x, y, z
    printf "velocity: [%g, %g, %g], spin: [0, 0, %d]}\n", x / 5, y / 5, z / 5, n % 7
  }
}' >results/hundreds.yaml
carom() {
  "$builddir/carom" "$@" >carom.out 2>&1 || { cat carom.out && fail "carom $*"; }
}
sed 's/^output:.*/output: {fields: 0, surfaces: 2, slices: [{point: [0, 0, 0], normal: [0, 0, 1], every: 1, low: 0.2, high: 0.4}]}/' \
  "$srcdir/tests/cases/overset.yaml" >results/wet.yaml
carom run results/wet.yaml --quiet --steps 2
echo "A1 height got 1 wanted 1 ok" >results/wet.out/verify.txt
for name in bounce drop hundreds; do carom run "results/$name.yaml" --quiet; done
carom run results/drop.yaml --quiet --until 0.5 -o results/other
mkdir results/long && cp results/drop.out/case.origin results/long/
sed '/name: block/,/position: .0.6/d' results/drop.yaml >results/long/case.yaml
awk 'BEGIN {
  print "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,mx,my,mz"
  for (i = 0; i < 100000; i++)
    printf "%.6f,ball,%.9g,0,1,1,0,0,0,1,0,0,0,0,%.9g,%.9g,2,3,0,0,%.9g\n", i * 1e-5, i * 1e-5, i, sin(i * 1e-4), i
}' >results/long/bodies.csv
awk 'BEGIN {
  print "step,time,inner,cells_field,cells_fringe,cells_hole,orphans,residual_density,seconds_flow,seconds_overset"
  for (i = 1; i <= 50; i++) printf "%d,%g,3,%d,100,50,%d,%g,0.5,0.1\n", i, i * 0.02, 1000 + i, i % 3, exp(-i / 5)
}' >results/long/flow.csv
mkdir results/torn && cp results/bounce.out/run.json results/torn/
for name in bounce.out drop.out hundreds.out wet.out long torn; do carom report "results/$name"; done
carom report results/drop.out results/other -o results/ghost.html

cp "$srcdir/tests/viewer/page.mjs" .
PICTURES=$srcdir/tests/viewer CHROMIUM=$chromium node page.mjs
