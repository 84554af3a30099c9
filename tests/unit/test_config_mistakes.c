/*
 * Every mistake of a case file is told with its place and in plain words.
 *
 * A row is a file, the number of complaints about it, and the first of them behind the file's
 * name.
 */
#include "config/case.h"
#include "support.h"

#include <string.h>

#define TIME "time: {step: 0.1, end: 1}\n"
#define BODY                               \
  "bodies:\n"                              \
  "  - name: a\n"                          \
  "    shape: {kind: sphere, radius: 1}\n" \
  "    mass: 1\n"
#define OTHER "  - {name: b, mass: 1, shape: {kind: sphere, radius: 1}}\n"
#define WET "off_body: {box: {min: [0, 0, 0], max: [16, 16, 16]}, spacing: 1}\n"

typedef struct {
  const char *text;
  int complaints;
  const char *first;
} Mistake;

static const Mistake mistakes[] = {
    {"", 1, "1:1: the file is empty, wanted a case"},
    {"# only a comment\n", 1, "1:1: the file is empty, wanted a case"},
    {"~\n", 1, "1:1: the file is empty, wanted a case"},
    {"just words\n", 1, "1:1: must be a section of keys, got 'just words'"},
    {"- 1\n- 2\n", 1, "1:1: must be a section of keys, got a list"},
    {"{}\n", 2, "1:1: time: missing, wanted a section"},
    {"time: {step: 0.1, end: 1\n", 1,
     "2:1: expected ',' or '}' in the section that begins on line 1"},
    {"time: [0.1, 1\n", 1, "2:1: expected ',' or ']' in the list that begins on line 1"},
    {"time:\n	step: 1\n", 1, "2:1: a tab cannot stand here; use spaces to indent"},
    {"title: a: b\n", 1,
     "1:9: a ':' cannot stand here; check the indentation, and quote texts that contain ': '"},
    {"title: \"open\ntime: 1\n", 1,
     "3:1: expected a closing quote of the text that begins on line 1"},
    {"title: 'open\n", 1, "2:1: expected a closing quote of the text that begins on line 1"},
    {"time:\n  step: 1\n end: 2\n", 1, "3:2: expected a key here; check the indentation"},
    {"title: @x\n", 1,
     "1:8: this character cannot begin a value; use spaces to indent, and quote texts"},
    {"title: \"\\q\"\n", 1, "1:9: unknown escape after a backslash; put the text in single quotes"},
    {"bodies:\n  - a\n b\n", 1, "3:2: expected a key here; check the indentation"},
    {"title: x\n- a\n", 1, "2:1: expected a key here; check the indentation"},
    {"time: {step: &s 0.1, end: *s}\n", 1,
     "1:14: an anchor (&name) is not supported; write the value out"},
    {"time: {step: 0.1, end: *s}\n", 1,
     "1:24: an alias (*name) is not supported; write the value out"},
    {"title: !!str x\n", 1, "1:8: a tag (!name) is not supported"},
    {"? [a, b]\n: 1\n", 1, "1:3: a key must be a single word, got a list"},
    {"{{a: 1}: 2}\n", 1, "1:2: a key must be a single word, got a section"},
    {"title: \xff\n", 1, "1:8: is not valid UTF-8 text"},
    {"title: a\n\xc3\x28: 1\n", 1, "2:1: is not valid UTF-8 text"},
    {"title: x\x01\n", 1, "1:9: holds a control character"},
    {"title: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n", 1,
     "1:31: nested too deeply, wanted at most 24 levels"},
    {TIME BODY "---\ntitle: x\n", 1, "6:1: a second document begins here, wanted only one"},
    {TIME BODY "titel: x\n", 1, "6:1: titel: unknown key 'titel'; did you mean 'title'?"},
    {TIME BODY "zebra: 1\n", 1,
     "6:1: zebra: unknown key 'zebra', wanted one of title, gravity, time, bodies, walls, contact, "
     "flow, reference, off_body, overset, output"},
    {TIME BODY "step: 0.1\n", 1, "6:1: step: unknown key 'step'; did you mean 'time.step'?"},
    {TIME BODY "title: x\ntitle: y\n", 1, "7:1: title: given twice, first on line 6"},
    {TIME BODY "title: [x]\n", 1, "6:8: title: must be text, got a list"},
    {TIME BODY "title: \"a\\0b\"\n", 1, "6:8: title: must not hold a zero character"},
    {TIME BODY "gravity: [0, 0]\n", 1, "6:10: gravity: must be 3 numbers [x, y, z], got 2 of them"},
    {TIME BODY "gravity: [0, 0, 0, 0]\n", 1,
     "6:10: gravity: must be 3 numbers [x, y, z], got 4 of them"},
    {TIME BODY "gravity: [0, x, 0]\n", 1, "6:14: gravity[1]: must be a number, got 'x'"},
    {TIME BODY "gravity: 9.81\n", 1, "6:10: gravity: must be 3 numbers [x, y, z], got 9.81"},
    {TIME BODY "gravity: [0, 0, [1]]\n", 1, "6:17: gravity[2]: must be a number, got a list"},
    {TIME BODY "gravity:\n", 1, "6:9: gravity: must be 3 numbers [x, y, z], got nothing"},
    {BODY "", 1, "1:1: time: missing, wanted a section"},
    {TIME "", 1, "1:1: bodies: missing, a dry run wants at least one body"},
    {TIME "bodies: []\n", 1, "2:9: bodies: is empty, a dry run wants at least one body"},
    {TIME "bodies: {name: a}\n", 1, "2:9: bodies: must be a list of sections, got a section"},
    {TIME "bodies: [3]\n", 1, "2:10: bodies[0]: must be a section of keys, got 3"},
    {BODY "time: {step: 0.1}\n", 1, "5:7: time.end: missing, wanted a number"},
    {BODY "time: {step: 0, end: 1}\n", 1, "5:14: time.step: must be positive, got 0"},
    {BODY "time: {step: 0.1, end: 0}\n", 1, "5:24: time.end: must be positive, got 0"},
    {BODY "time: {step: 1e-10, end: 1}\n", 1,
     "5:14: time.step: makes 1e+10 steps up to time.end, wanted at most 2147483647"},
    {BODY "time: 3\n", 1, "5:7: time: must be a section of keys, got 3"},
    {BODY "time: {step: 1 s, end: 1}\n", 1, "5:14: time.step: must be a number, got '1 s'"},
    {BODY "time: {step: 1e3x, end: 1}\n", 1, "5:14: time.step: must be a number, got '1e3x'"},
    {BODY "time: {step: nan, end: 1}\n", 1, "5:14: time.step: must be a number, got 'nan'"},
    {BODY "time: {step: .nan, end: 1}\n", 1, "5:14: time.step: must be a number, got '.nan'"},
    {BODY "time: {step: .inf, end: 1}\n", 1, "5:14: time.step: must be a number, got '.inf'"},
    {BODY "time: {step: 0x10, end: 1}\n", 1, "5:14: time.step: must be a number, got '0x10'"},
    {BODY "time: {step: \"1\", end: 1}\n", 1, "5:14: time.step: must be a number, got 1 in quotes"},
    {BODY "time: {step: , end: 1}\n", 1, "5:14: time.step: must be a number, got nothing"},
    {BODY "time: {step: 1e999, end: 1}\n", 1,
     "5:14: time.step: is too large for a number, got '1e999'"},
    {BODY "time: {step: 1e-999, end: 1}\n", 1,
     "5:14: time.step: is too small for a number, got '1e-999'"},
    {BODY "time: {step: ., end: 1}\n", 1, "5:14: time.step: must be a number, got '.'"},
    {BODY "time: {step: 1_000, end: 1}\n", 1, "5:14: time.step: must be a number, got '1_000'"},
    {BODY "time: {step: 0.1, end: 1, end: 2}\n", 1, "5:27: time.end: given twice, first on line 5"},
    {TIME BODY "    mass: 2\n", 1, "6:5: bodies[0].mass: given twice, first on line 5"},
    {TIME BODY "    density: 2\n", 1,
     "6:14: bodies[0].density: cannot be given together with mass"},
    {TIME BODY "    radius: 2\n", 1,
     "6:5: bodies[0].radius: unknown key 'radius'; did you mean 'shape.radius'?"},
    {TIME BODY "    velocity: [0, 0, fast]\n", 1,
     "6:22: bodies[0].velocity[2]: must be a number, got 'fast'"},
    {TIME BODY "    spin: [0, 0, 1]\n    spin_body: [0, 0, 1]\n", 1,
     "7:16: bodies[0].spin_body: cannot be given together with spin"},
    {TIME BODY "    motion: fre\n", 1,
     "6:13: bodies[0].motion: must be free, fixed, axis, point or prescribed, got 'fre'; did you "
     "mean 'free'?"},
    {TIME BODY "    motion: [free]\n", 1,
     "6:13: bodies[0].motion: must be free, fixed, axis, point or prescribed, got a list"},
    {TIME BODY "    motion: point\n", 1,
     "3:5: bodies[0].pivot: missing, motion point needs a pivot"},
    {TIME BODY "    motion: axis\n    pivot: [0, 0, 0]\n", 1,
     "3:5: bodies[0].axis: missing, motion axis needs an axis"},
    {TIME BODY "    motion: axis\n    pivot: [0, 0, 0]\n    axis: [0, 0, 0]\n", 1,
     "8:11: bodies[0].axis: must be a direction, got a length of 0"},
    {TIME BODY "    motion: axis\n    pivot: [1, 0, 0]\n    axis: [0, 0, 1]\n    spin: [0, 0, 1]\n "
               "   velocity: [0, 1, 0]\n",
     1,
     "10:15: bodies[0].velocity: contradicts spin and pivot, got [0, 1, 0], wanted [0, -1, 0] or "
     "nothing"},
    {TIME BODY "    motion: point\n    pivot: [0, 0, 1]\n    velocity: [1, 0, 0]\n", 1,
     "8:15: bodies[0].velocity: contradicts spin and pivot, got [1, 0, 0], wanted [0, 0, 0] or "
     "nothing"},
    {TIME BODY "    motion_table: m.csv\n", 1,
     "6:19: bodies[0].motion_table: is only for motion prescribed"},
    {TIME BODY "    motion: prescribed\n    motion_table: m.csv\n    spin: [0, 0, 0]\n", 1,
     "8:11: bodies[0].spin: cannot be given together with motion_table"},
    {TIME BODY "    motion: fixed\n    release: 1\n", 1,
     "7:14: bodies[0].release: is only for free bodies"},
    {TIME BODY "    release: -1\n", 1, "6:14: bodies[0].release: must not be negative, got -1"},
    {TIME BODY "    restitution: 1.1\n", 1,
     "6:18: bodies[0].restitution: must be from 0 to 1, got 1.1"},
    {TIME BODY "    friction: -0.1\n", 1,
     "6:15: bodies[0].friction: must not be negative, got -0.1"},
    {TIME BODY "    poisson: 0.6\n", 1,
     "6:14: bodies[0].poisson: must be above -1 and at most 0.5, got 0.6"},
    {TIME BODY "    poisson: -1\n", 1,
     "6:14: bodies[0].poisson: must be above -1 and at most 0.5, got -1"},
    {TIME BODY "    young: 0\n", 1, "6:12: bodies[0].young: must be positive, got 0"},
    {TIME BODY "    inertia: [1, 1]\n", 1,
     "6:14: bodies[0].inertia: must be 3 or 6 numbers, got 2 of them"},
    {TIME BODY "    inertia: [1, 1, 0]\n", 1,
     "6:14: bodies[0].inertia: must be positive definite, got a principal moment of 0"},
    {TIME BODY "    inertia: [1, 1, 1, 2, 0, 0]\n", 1,
     "6:14: bodies[0].inertia: must be positive definite, got a principal moment of -1"},
    {TIME BODY "    attitude: {axis: [0, 0, 1]}\n", 1,
     "6:15: bodies[0].attitude: must have both axis and angle, got only axis"},
    {TIME BODY "    attitude: {axis: [0, 0, 1], angle: 3, euler: [0, 0, 0]}\n", 1,
     "6:15: bodies[0].attitude: must have either axis and angle, or quaternion, or euler"},
    {TIME BODY "    attitude: {quaternion: [0, 0, 0, 0]}\n", 1,
     "6:28: bodies[0].attitude.quaternion: must not be zero, got a length of 0"},
    {TIME BODY "    attitude: {}\n", 1,
     "6:15: bodies[0].attitude: must have either axis and angle, or quaternion, or euler"},
    {TIME BODY "    attitude: {quaternion: [1, 0, 0]}\n", 1,
     "6:28: bodies[0].attitude.quaternion: must be 4 numbers [w, x, y, z], got 3 of them"},
    {TIME BODY "    loads: [{force: [0, 0, 1], from: 1, to: 1}]\n", 1,
     "6:45: bodies[0].loads[0].to: must end after it begins, got from 1 to 1"},
    {TIME BODY "    loads: [{at: [0, 0, 1]}]\n", 1,
     "6:13: bodies[0].loads[0]: must have force, moment, table or drag"},
    {TIME BODY "    loads: [{drag: {cd: 1, area: 1}}]\n", 1,
     "6:20: bodies[0].loads[0].drag.density: missing, wanted a number"},
    {TIME BODY "    loads: [{drag: {cd: 1, area: 1, density: 1}, force: [0, 0, 1]}]\n", 1,
     "6:50: bodies[0].loads[0].force: does not go with a drag; it is for a force"},
    {TIME BODY "    loads: [{table: f.csv, moment: [0, 0, 1]}]\n", 1,
     "6:28: bodies[0].loads[0].moment: does not go with a table; it is for a force"},
    {TIME BODY "    loads: [{force: [0, 0, 1], stroke: 0}]\n", 1,
     "6:40: bodies[0].loads[0].stroke: must be positive, got 0"},
    {TIME BODY "    loads: [{force: [0, 0, 1], relative_to: a}]\n", 1,
     "6:45: bodies[0].loads[0].relative_to: must name another body, got 'a' itself"},
    {TIME BODY "    loads: [{force: [0, 0, 1], relative_to: carrier}]\n", 1,
     "6:45: bodies[0].loads[0].relative_to: there is no body 'carrier'"},
    {TIME BODY "    loads: [{force: [0, 0, 1], frame: bdy}]\n", 1,
     "6:39: bodies[0].loads[0].frame: must be body or inertial, got 'bdy'; did you mean 'body'?"},
    {TIME BODY "    loads: {force: [0, 0, 1]}\n", 1,
     "6:12: bodies[0].loads: must be a list of sections, got a section"},
    {TIME BODY "  - {name: a, mass: 1, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:12: bodies[1].name: 'a' is already the name of bodies[0]"},
    {TIME BODY "  - {mass: 1, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:5: bodies[1].name: missing, wanted text"},
    {TIME BODY "  - {name: \"\", mass: 1, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:12: bodies[1].name: must not be empty"},
    {TIME BODY "  - {name: \"b,c\", mass: 1, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:12: bodies[1].name: must not hold a comma"},
    {TIME BODY "  - {name: \"b\\nc\", mass: 1, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:12: bodies[1].name: must not hold a control character"},
    {TIME BODY "  - {name: b, shape: {kind: box, size: [1, 1, 1]}}\n", 1,
     "6:5: bodies[1].mass: missing, a body that is free needs mass or density"},
    {TIME BODY "  - {name: b, mass: 1}\n", 1,
     "6:5: bodies[1].shape: missing, only a fixed or prescribed body with grid.file does without"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: boxx, size: [1, 1, 1]}}\n", 1,
     "6:38: bodies[1].shape.kind: must be sphere, box, cylinder, capsule, cone, stl or cgns, got "
     "'boxx'; did you mean 'box'?"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: box, size: [1, 1, -1]}}\n", 1,
     "6:56: bodies[1].shape.size[2]: must be positive, got -1"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: box, size: [1, 1, 1], radius: 1}}\n", 1,
     "6:60: bodies[1].shape.radius: does not go with kind box; it is for sphere, cylinder, capsule "
     "and cone"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: sphere, radus: 1, radius: 1}}\n", 1,
     "6:46: bodies[1].shape.radus: unknown key 'radus'; did you mean 'radius'?"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: capsule, radius: 1}}\n", 1,
     "6:31: bodies[1].shape.length: missing, wanted a number"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: stl}}\n", 1,
     "6:31: bodies[1].shape.file: missing, wanted text"},
    {TIME BODY
     "  - {name: b, mass: 1, shape: {kind: cone, radius: 1, length: 1, axis: [0, 0, 0]}}\n",
     1, "6:72: bodies[1].shape.axis: must be a direction, got a length of 0"},
    {TIME BODY "  - {name: b, mass: 1, shape: {radius: 1}}\n", 1,
     "6:31: bodies[1].shape.kind: missing, wanted sphere, box, cylinder, capsule, cone, stl or "
     "cgns"},
    {TIME BODY "  - {name: b, mass: 1, shape: {kind: stl, file: b.stl, families: [x]}}\n", 1,
     "6:56: bodies[1].shape.families: does not go with kind stl; it is for cgns"},
    {TIME BODY "    grid: {layers: 3}\n", 1,
     "6:11: bodies[0].grid.first: missing, wanted a number"},
    {TIME BODY "    grid: {file: g.cgns, first: 0.1}\n", 1,
     "6:26: bodies[0].grid.first: does not go with a grid file; it is for an extruded grid"},
    {TIME BODY "    grid: {first: 0.1, layers: 2.5}\n", 1,
     "6:32: bodies[0].grid.layers: must be a whole number in decimal digits, got 2.5"},
    {TIME BODY "    grid: {file: g.cgns, boundaries: {wall: [x], slip: [y, x]}}\n", 1,
     "6:60: bodies[0].grid.boundaries.slip[1]: family 'x' is listed twice"},
    {TIME BODY "    grid: {first: 0.1, boundaries: {wall: [skin]}}\n", 1,
     "6:44: bodies[0].grid.boundaries.wall[0]: an extruded grid has the families body and outer, "
     "got 'skin'"},
    {TIME BODY "    grid: {file: g.cgns, boundaries: {wal: [x]}}\n", 1,
     "6:39: bodies[0].grid.boundaries.wal: unknown key 'wal'; did you mean 'wall'?"},
    {TIME "bodies: [{name: a, motion: fixed, grid: {first: 0.1}}]\n", 1,
     "2:10: bodies[0].shape: missing, only a fixed or prescribed body with grid.file does without"},
    {TIME BODY "walls: [{point: [0, 0, 0], normal: [0, 0, 0]}]\n", 1,
     "6:36: walls[0].normal: must be a direction, got a length of 0"},
    {TIME BODY "walls: [{name: a, point: [0, 0, 0], normal: [0, 0, 1]}]\n", 1,
     "6:16: walls[0].name: 'a' is already the name of bodies[0]"},
    {TIME BODY "walls: [{point: [0, 0, 0]}]\n", 1,
     "6:9: walls[0].normal: missing, wanted 3 numbers [x, y, z]"},
    {TIME BODY "walls: [{name: f, point: [0, 0, 0], normal: [0, 0, 1]}, {name: f, point: [0, 0, "
               "0], normal: [0, 0, 1]}]\n",
     1, "6:64: walls[1].name: 'f' is already the name of walls[0]"},
    {TIME BODY "contact: {law: newton}\n", 1,
     "6:16: contact.law: must be auto, algebraic, stronge, hertz or none, got 'newton'"},
    {TIME BODY "contact: {tolerance: 0}\n", 1, "6:22: contact.tolerance: must be positive, got 0"},
    {TIME BODY "contact: {tolerance: 2}\n", 1,
     "6:22: contact.tolerance: must be below 1, or bodies are smaller than it, got 2"},
    {TIME BODY "contact: {allow_initial_overlap: yes}\n", 1,
     "6:34: contact.allow_initial_overlap: must be true or false, got 'yes'"},
    {TIME BODY "contact: {resting_speed: -1}\n", 1,
     "6:26: contact.resting_speed: must not be negative, got -1"},
    {TIME BODY "contact: {resting_speed: never}\n", 1,
     "6:26: contact.resting_speed: must be a number or auto, got 'never'"},
    {TIME BODY OTHER "contact: {pairs: [{bodies: [a, c]}]}\n", 1,
     "7:32: contact.pairs[0].bodies[1]: there is no body or wall 'c'"},
    {TIME BODY OTHER "contact: {pairs: [{bodies: [a, a]}]}\n", 1,
     "7:28: contact.pairs[0].bodies: must be two different names"},
    {TIME BODY OTHER "contact: {pairs: [{bodies: [a, b, a]}]}\n", 1,
     "7:28: contact.pairs[0].bodies: must be two names, got 3"},
    {TIME BODY OTHER "contact: {pairs: [{bodies: [a, b]}, {bodies: [b, a]}]}\n", 1,
     "7:46: contact.pairs[1].bodies: the same pair as contact.pairs[0]"},
    {TIME BODY OTHER "contact: {pairs: [{ignore: true}]}\n", 1,
     "7:19: contact.pairs[0].bodies: missing, wanted a list of names"},
    {TIME BODY "    young: 1e9\ncontact: {law: hertz}\n", 1,
     "3:5: bodies[0].poisson: missing, contact law hertz needs it"},
    {TIME BODY "overset: {priority: [a, ab]}\n", 1,
     "6:25: overset.priority[1]: there is no body 'ab'"},
    {TIME BODY "overset: {fringe: 0}\n", 1, "6:19: overset.fringe: must be at least 1, got 0"},
    {TIME BODY "overset: {max_orphans: 2}\n", 1,
     "6:24: overset.max_orphans: must be from 0 to 1, got 2"},
    {TIME BODY "output: {history: 0}\n", 1, "6:19: output.history: must be at least 1, got 0"},
    {TIME BODY "output: {fields: 1e3}\n", 1,
     "6:18: output.fields: must be a whole number in decimal digits, got 1e3"},
    {TIME BODY "output: {fields: 5000000000}\n", 1,
     "6:18: output.fields: is too large, got 5000000000, wanted at most 2147483647"},
    {TIME BODY "output: {checkpoint: -1}\n", 1,
     "6:22: output.checkpoint: must not be negative, got -1"},
    {TIME BODY "output: {directory: }\n", 1, "6:21: output.directory: must be text, got nothing"},
    {TIME BODY "output: {slices: [{point: [0, 0, 0], normal: [0, 0, 0]}]}\n", 1,
     "6:46: output.slices[0].normal: must be a direction, got a length of 0"},
    {TIME BODY "output:\n", 1, "6:8: output: must be a section of keys, got nothing"},
    {TIME WET "flow: {}\n", 1, "3:7: flow.freestream: missing, wanted a section"},
    {TIME WET "flow: {freestream: {mach: 1, pressure: 1}}\n", 1,
     "3:20: flow.freestream: needs two of pressure, temperature and density, or altitude, got one"},
    {TIME WET "flow: {freestream: {mach: 1, pressure: 1, temperature: 1, density: 1}}\n", 1,
     "3:68: flow.freestream.density: follows from pressure and temperature, wanted two of the "
     "three"},
    {TIME WET "flow: {freestream: {pressure: 1, density: 1}}\n", 1,
     "3:20: flow.freestream: needs mach or velocity"},
    {TIME WET "flow: {freestream: {mach: 1, velocity: [1, 0, 0], pressure: 1, density: 1}}\n", 1,
     "3:40: flow.freestream.velocity: cannot be given together with mach"},
    {TIME WET "flow: {freestream: {mach: 1, altitude: 0, density: 1}}\n", 1,
     "3:52: flow.freestream.density: cannot be given together with altitude"},
    {TIME WET "flow: {freestream: {velocity: [1, 0, 0], alpha: 2, pressure: 1, density: 1}}\n", 1,
     "3:42: flow.freestream.alpha: does not go with velocity; it is for mach"},
    {TIME WET "flow: {freestream: {mach: 1, altitude: 1e6}}\n", 1,
     "3:40: flow.freestream.altitude: must be from -5000 to 86000, got 1e6"},
    {TIME WET "flow: {reynolds: 100, freestream: {mach: 0, altitude: 0}}\n", 1,
     "3:18: flow.reynolds: needs a free stream that moves"},
    {TIME WET "flow: {reynolds: 100, gas: {viscosity: 1}, freestream: {mach: 1, altitude: 0}}\n", 1,
     "3:18: flow.reynolds: cannot be given together with gas.viscosity"},
    {TIME WET
     "flow: {equations: laminar, gas: {viscosity: 0}, freestream: {mach: 1, altitude: 0}}\n",
     1, "3:45: flow.gas.viscosity: must be positive with equations laminar, got 0"},
    {TIME WET "flow: {equations: navier, freestream: {mach: 1, altitude: 0}}\n", 1,
     "3:19: flow.equations: must be euler, laminar or rans, got 'navier'"},
    {TIME WET "flow: {gas: {gamma: 1}, freestream: {mach: 1, altitude: 0}}\n", 1,
     "3:21: flow.gas.gamma: must be above 1, got 1"},
    {TIME WET "flow: {steady_start: {iteration: 3}, freestream: {mach: 1, altitude: 0}}\n", 1,
     "3:23: flow.steady_start.iteration: unknown key 'iteration'; did you mean 'iterations'?"},
    {TIME BODY "flow: {freestream: {mach: 1, altitude: 0}}\n", 1,
     "6:7: flow: needs off_body or a body with a grid"},
    {TIME BODY "off_body: {spacing: 1}\n", 1, "6:11: off_body.box: missing, wanted a section"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 0, 1]}, spacing: 1}\n", 1,
     "6:43: off_body.box.max[1]: must be above min, got 0, wanted more than 0"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 0}\n", 1,
     "6:60: off_body.spacing: must be positive, got 0"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, patch: 7}\n", 1,
     "6:70: off_body.patch: must be even, got 7"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, patch: 2}\n", 1,
     "6:70: off_body.patch: must be from 6 to 128, got 2"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, order: 3}\n", 1,
     "6:70: off_body.order: must be 2 or 5, got 3"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, levels: 0}\n", 1,
     "6:71: off_body.levels: must be from 1 to 18, got 0"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, levels: 2, refine: "
               "[{min: [0, 0, 0], max: [1, 1, 1], level: 2}]}\n",
     1, "6:123: off_body.refine[0].level: must be below levels, got 2, wanted at most 1"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, boundaries: {xmin: "
               "periodic}}\n",
     1, "6:75: off_body.boundaries.xmax: must be periodic, as its opposite side is"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 0.1, boundaries: {zmin: "
               "periodic, zmax: periodic}}\n",
     1, "6:60: off_body.spacing: must fit the periodic z side, got 0.625 patches of 16 cells"},
    {TIME BODY
     "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, boundaries: {xmin: wall}}\n",
     1,
     "6:82: off_body.boundaries.xmin: must be farfield, symmetry, slip, periodic, supersonic_in or "
     "out, got 'wall'"},
    {TIME BODY "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1e-12}\n", 3,
     "6:60: off_body.spacing: makes 6.25e+10 patches along x, wanted at most 2147483647"},
    {TIME BODY
     "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, adapt: {sensor: mach}}\n",
     1, "6:79: off_body.adapt.sensor: must be density, pressure, vorticity or entropy, got 'mach'"},
};

START_TEST(a_mistake_is_told_with_its_line_and_column)
{
  const Mistake *mistake = &mistakes[_i];
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", mistake->text, strlen(mistake->text), &file));
  ck_assert_msg(case_file_complaints(file) >= 1, "nothing wrong with:\n%s", mistake->text);
  const char *complaint = case_file_complaint(file, 0);
  ck_assert_int_eq(strncmp(complaint, "c.yaml:", strlen("c.yaml:")), 0);
  ck_assert_str_eq(complaint + strlen("c.yaml:"), mistake->first);
  ck_assert_int_eq(case_file_complaints(file), mistake->complaints);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(all_mistakes_of_a_file_come_in_file_order)
{
  const char *text = "titel: x\n"
                     "bodies:\n"
                     "  - name: a\n"
                     "    mass: -1\n"
                     "    shape: {kind: box, size: [1, 0, x]}\n"
                     "    velocity: [0, 0]\n"
                     "time: {step: 1 s, end: 1}\n";
  const char *const expected[] = {
      "c.yaml:1:1: titel: unknown key 'titel'; did you mean 'title'?",
      "c.yaml:4:11: bodies[0].mass: must be positive, got -1",
      "c.yaml:5:34: bodies[0].shape.size[1]: must be positive, got 0",
      "c.yaml:5:37: bodies[0].shape.size[2]: must be a number, got 'x'",
      "c.yaml:6:15: bodies[0].velocity: must be 3 numbers [x, y, z], got 2 of them",
      "c.yaml:7:14: time.step: must be a number, got '1 s'",
  };
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, strlen(text), &file));
  ck_assert_int_eq(case_file_complaints(file), 6);
  for (int k = 0; k < 6; k++) ck_assert_str_eq(case_file_complaint(file, k), expected[k]);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(a_zero_byte_is_no_text)
{
  const char text[] = "title: a\0b\n";
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, sizeof text - 1, &file));
  ck_assert_int_eq(case_file_complaints(file), 1);
  ck_assert_str_eq(case_file_complaint(file, 0),
                   "c.yaml:1:9: holds a zero byte; is this a text file?");
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(long_keys_and_values_are_clipped)
{
  char text[4096], key[1001], value[1001];
  memset(key, 'k', sizeof key - 1);
  memset(value, 'v', sizeof value - 1);
  key[1000] = value[1000] = '\0';
  snprintf(text, sizeof text, "%.900s: 1\ngravity: %s\n" TIME BODY, key, value);
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, strlen(text), &file));
  ck_assert_int_eq(case_file_complaints(file), 2);
  ck_assert_int_lt((int)strlen(case_file_complaint(file, 0)), 300);
  ck_assert_int_lt((int)strlen(case_file_complaint(file, 1)), 150);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(thousands_of_mistakes_end_in_a_count)
{
  char text[65536] = TIME BODY;
  size_t n = strlen(text);
  for (int k = 0; k < 2000; k++)
    n += (size_t)snprintf(text + n, sizeof text - n, "zebra%d: 1\n", k);
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, n, &file));
  ck_assert_int_eq(case_file_complaints(file), 501);
  ck_assert_str_eq(case_file_complaint(file, 500),
                   "c.yaml:505:1: 1500 more mistakes come after this one and are not shown");
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(an_alias_bomb_is_refused_at_once)
{
  const char *text = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a]\n";
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, strlen(text), &file));
  ck_assert_int_eq(case_file_complaints(file), 1);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("config/mistakes");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, a_mistake_is_told_with_its_line_and_column, 0,
                      (int)(sizeof mistakes / sizeof mistakes[0]));
  tcase_add_test(tests, all_mistakes_of_a_file_come_in_file_order);
  tcase_add_test(tests, a_zero_byte_is_no_text);
  tcase_add_test(tests, long_keys_and_values_are_clipped);
  tcase_add_test(tests, thousands_of_mistakes_end_in_a_count);
  tcase_add_test(tests, an_alias_bomb_is_refused_at_once);
  suite_add_tcase(suite, tests);
  return suite;
}
