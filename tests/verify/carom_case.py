"""Write a case, run it, read its results, judge a number.

A row of the verification is a function that takes a Lab and is registered with @row. The Lab
has a folder of its own, runs cases there and collects the verdicts that scripts/verify prints.

SPDX-License-Identifier: GPL-3.0-or-later
"""

import csv
import math
import os
import shutil
import subprocess

ROWS = {}


def row(identifier):
    """Register a function as a row of the verification."""

    def register(function):
        if identifier in ROWS:
            raise ValueError("two rows are called " + identifier)
        ROWS[identifier] = function
        return function

    return register


def yaml_text(value, indent=0):
    """A dict as YAML: one key a line, lists of numbers and short maps in flow style."""
    pad = "  " * indent
    lines = []
    for key, entry in value.items():
        if isinstance(entry, dict):
            lines.append(f"{pad}{key}:\n{yaml_text(entry, indent + 1)}")
        elif isinstance(entry, list) and entry and isinstance(entry[0], dict):
            lines.append(f"{pad}{key}:\n")
            for item in entry:
                text = yaml_text(item, indent + 2)
                lines.append(f"{pad}  - {text[len(pad) + 4:]}")
        else:
            lines.append(f"{pad}{key}: {_scalar(entry)}\n")
    return "".join(lines)


def _scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_scalar(entry) for entry in value) + "]"
    return str(value)


class Table:
    """The rows of one CSV file as dicts; numbers are floats, everything else text."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as stream:
            self.rows = [{k: _number(v) for k, v in r.items()} for r in csv.DictReader(stream)]

    def of(self, body):
        """The rows of one body in order of time."""
        return [r for r in self.rows if r["body"] == body]


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text


def vector(record, prefix):
    """(x, y, z) of a record: vector(r, "") is the position, "v" the velocity, "w" the spin."""
    return tuple(record[prefix + axis] for axis in "xyz")


def quaternion(record):
    return tuple(record["q" + axis] for axis in "wxyz")


class Run:
    """What one run left behind."""

    def __init__(self, directory, status, output):
        self.directory, self.status, self.output = directory, status, output

    def bodies(self):
        return Table(os.path.join(self.directory, "bodies.csv"))

    def contacts(self):
        return Table(os.path.join(self.directory, "contacts.csv"))

    def bytes_of(self, name):
        with open(os.path.join(self.directory, name), "rb") as stream:
            return stream.read()


class Failure(Exception):
    """A run that did not end as it should."""


class Lab:
    """Where one row works: its folder, its runs and its verdicts."""

    def __init__(self, identifier, top, build):
        self.identifier, self.top, self.build = identifier, top, build
        self.folder = os.path.join(build, "verify", identifier)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.verdicts = []  # (quantity, got, wanted, tolerance, ok)

    def run(self, case, name="case", ranks=1, seconds=1200, wanted_status=0, flags=()):
        """Run a case given as a dict or as the path of a case file below the project's top."""
        path = os.path.join(self.folder, name + ".yaml")
        if isinstance(case, dict):
            # What is verified is the way through the x-rays, which all shapes share.
            contact = {"primitives": "xray", **case.get("contact", {})}
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(yaml_text({**case, "contact": contact}))
        else:
            path = os.path.join(self.top, case)
        out = os.path.join(self.folder, name + ".out")
        arguments = ["run", path, "-o", out, "--force", "--quiet", *flags]
        return self._carom(arguments, out, ranks, seconds, wanted_status)

    def resume(self, name="case", ranks=1, seconds=1200, flags=()):
        """Go on with a run that was stopped."""
        out = os.path.join(self.folder, name + ".out")
        return self._carom(["resume", out, "--quiet", *flags], out, ranks, seconds, 0)

    def _carom(self, arguments, out, ranks, seconds, wanted_status):
        command = [os.path.join(self.build, "carom"), *arguments]
        if ranks > 1:
            launcher = os.environ.get("MPIEXEC", "mpiexec")
            command = [launcher, "--oversubscribe", "-n", str(ranks)] + command
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        if done.returncode != wanted_status:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise Failure(f"status {done.returncode}: {said[0] if said else 'nothing said'}")
        return Run(out, done.returncode, done.stdout)

    def near(self, quantity, got, wanted, tolerance):
        """The error must not exceed the tolerance."""
        self._judge(quantity, got, wanted, tolerance, abs(got - wanted) <= tolerance)

    def near_relative(self, quantity, got, wanted, tolerance):
        self.near(quantity, got, wanted, tolerance * abs(wanted))

    def at_least(self, quantity, got, wanted):
        self._judge(quantity, got, wanted, ">=", got >= wanted)

    def at_most(self, quantity, got, wanted):
        self._judge(quantity, got, wanted, "<=", got <= wanted)

    def _judge(self, quantity, got, wanted, tolerance, ok):
        self.verdicts.append((quantity, got, wanted, tolerance, ok and math.isfinite(got)))


def order(coarse, fine):
    """The order that two errors show when the step was halved."""
    return math.log2(coarse / fine)
