#!/bin/sh
# Does a report hold the numbers of its run, whatever state the results are in?
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/tests/cases/lib.sh"

# `holds FACT PAGE RESULTS [ghost]`: the page has the numbers of the results, and the fact.
holds() {
  fact=$1
  shift
  python3 "$cases/report.py" "$@" >facts || fail "$*: other numbers: $(cat facts)"
  grep -qF -e "$fact" facts || fail "$*: wanted '$fact', got: $(cat facts)"
}

# `note TEXT RESULTS`: a page is made all the same, and the note printed with its name.
note() {
  expect 0 "$carom" report "$2"
  [ -s "$2/report.html" ] || fail "no page for $2"
  grep -qF -e "$1" out || fail "$2: wanted '$1', got: $(cat out)"
}

cp "$cases/bounce.yaml" .
expect 0 "$carom" run bounce.yaml --quiet
expect 0 "$carom" report bounce.out
[ "$(cat out)" = bounce.out/report.html ] || fail "printed: $(cat out)"
holds "notes []" bounce.out/report.html bounce.out
clean bounce.out
! grep -q '@CAROM_' bounce.out/report.html || fail "a mark of the template is left"

# The same from two ranks, elsewhere, with a ghost.
expect 0 ranks 2 report bounce.out bounce.out -o page.html
holds "notes []" page.html bounce.out
holds "notes []" page.html bounce.out ghost

# Thinned: few frames, among them those around contacts; and said.
expect 0 "$carom" report bounce.out --frames 40
grep -q "motion is thinned: [0-9]* of" out || fail "thinned without a word: $(cat out)"
holds "motion is thinned" bounce.out/report.html bounce.out

# Command line and places.
refuse_all 2 "DIR is missing" report
refuse 2 "unexpected argument 'c'" report a b c
refuse 2 "--frames wants a whole number of at least 2" report bounce.out --frames 1
refuse 2 "-o wants a file" report bounce.out -o ""
refuse_all 5 "nowhere: cannot be read: No such file or directory" report nowhere
refuse 5 "nowhere: cannot be read" report bounce.out nowhere
refuse 5 "bounce.yaml: cannot be read: Not a directory" report bounce.yaml
mkdir empty
refuse_all 5 "empty: holds no results" report empty
refuse 5 "nowhere/page.html: cannot be written" report bounce.out -o nowhere/page.html

# Half-written, damaged and missing parts.
copy() {
  rm -rf part && cp -r bounce.out part && rm -f part/report.html
}
copy && rm part/bodies.csv
note "bodies.csv is missing: bodies stand where the case puts them" part
copy && head -n 1 bounce.out/bodies.csv >part/bodies.csv
note "bodies.csv has no complete frame yet" part
copy && head -c 3001 bounce.out/bodies.csv >part/bodies.csv
expect 0 "$carom" report part
holds "notes []" part/report.html part
copy && sed '9s/,/,,/' bounce.out/bodies.csv >part/bodies.csv
note "the rest is left out" part
copy && rm part/contacts.csv
note "contacts.csv is missing" part
copy && head -c 700 bounce.out/contacts.csv >part/contacts.csv && echo "1,2" >>part/contacts.csv
note "cannot be read; the rest is left out" part
copy && rm part/run.json
note "run.json cannot be read" part
copy && rm part/case.yaml
note "no case to read, so shapes and masses are unknown" part
holds "0 triangles" part/report.html part
copy && echo "bodies: 3" >part/case.yaml
note "the case cannot be used" part
copy && head -c 4096 "$carom" >part/bodies.csv
note "bodies.csv has no complete frame yet" part
rm -rf part && mkdir part && cp bounce.out/run.json part
note "there is no motion to show" part

# A shape whose file is gone is not drawn, and said.
cat >stl.py <<'END'
points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
print("solid t")
for face in [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]:
    print("facet normal 0 0 0\nouter loop")
    for p in face:
        print("vertex %g %g %g" % points[p])
    print("endloop\nendfacet")
print("endsolid t")
END
python3 stl.py >tet.stl
cat >stl.yaml <<'END'
time: {step: 0.1, end: 1}
bodies: [{name: a, mass: 1, shape: {kind: stl, file: tet.stl}, velocity: [1, 0, 0]}]
END
expect 0 "$carom" run stl.yaml --quiet
expect 0 "$carom" report stl.out
holds "4 triangles" stl.out/report.html stl.out
rm tet.stl
note "the shape of a is not drawn" stl.out
finish
