#!/usr/bin/env python3
"""Compares the cells of recipelint with those of a repository's own generator, field by field.

The repository TREE is an InferenceX work tree with `configs/` and `utils/matrix_logic/`. Its generator
needs pydantic and PyYAML. The program is called as `BINARY cells --format json TREE`; a dump tool with
other arguments can be given with --command, where {tree} stands for TREE and {masters} for the files.
The program follows the generator of 2026-08-11; for older trees --generator names a newer work tree
whose generator is to read their files.

Exit code: 0 equal, 1 different, 2 one of the two failed.
"""

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path

MASTERS = ["configs/amd-master.yaml", "configs/nvidia-master.yaml"]
RUNNERS = "configs/runners.yaml"
GENERATOR = "utils/matrix_logic/generate_sweep_configs.py"
ADDED = ("key", "file", "line")
SHOWN_DIFFERENCES = 20


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(f"failed ({done.returncode}): {shlex.join(command)}")
    return done.stdout


def generator_rows(tree, generator_tree, masters, evals_only):
    command = [sys.executable, str(generator_tree / GENERATOR), "full-sweep",
               "--config-files", *masters, "--runner-config", RUNNERS]
    return json.loads(run(command + (["--evals-only"] if evals_only else []), tree))


def program_rows(command, tree):
    return [json.loads(line) for line in run(command, tree).splitlines()]


def strip_defaults(value, defaults):
    """Drops fields that a later generator adds, where they have the value that changes nothing."""
    if not isinstance(value, dict):
        return value
    return {name: strip_defaults(field, defaults) for name, field in value.items()
            if name not in defaults or field != defaults[name]}


def difference(theirs, ours):
    """What differs between two rows: a list of (field, theirs, ours)."""
    names = [*theirs, *(name for name in ours if name not in theirs)]
    found = [(name, theirs.get(name), ours.get(name)) for name in names
             if name not in theirs or name not in ours
             or repr(theirs[name]) != repr(ours[name])]
    if not found and list(theirs) != list(ours):
        found.append(("order of fields", list(theirs), list(ours)))
    return found


def compare(theirs, ours, defaults):
    count = abs(len(theirs) - len(ours))
    if count:
        print(f"{len(theirs)} rows of the generator, {len(ours)} of the program")
    for index, (their_row, our_row) in enumerate(zip(theirs, ours)):
        place = f"row {index} ({our_row.get('key')}, {our_row.get('file')}:{our_row.get('line')})"
        our_row = {name: value for name, value in our_row.items() if name not in ADDED}
        found = difference(strip_defaults(their_row, defaults), strip_defaults(our_row, defaults))
        count += bool(found)
        if found and count <= SHOWN_DIFFERENCES:
            for name, their_value, our_value in found:
                print(f"{place}: {name}: generator {their_value!r}, program {our_value!r}")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--binary", default="recipelint")
    parser.add_argument("--command", help="instead of the cells command of BINARY")
    parser.add_argument("--evals-only", action="store_true",
                        help="the generator's --evals-only; needs a --command that selects the same")
    parser.add_argument("--generator", type=Path, metavar="TREE",
                        help="the work tree whose generator is used (default: TREE)")
    parser.add_argument("--masters", nargs="+", default=MASTERS, metavar="FILE",
                        help="master configurations, relative to TREE")
    parser.add_argument("--default", action="append", default=[], metavar="NAME=JSON",
                        help="ignore this field where it has this value (older generators lack it)")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    if arguments.command:
        text = arguments.command.replace("{masters}", shlex.join(arguments.masters))
        command = [part.replace("{tree}", str(tree)) for part in shlex.split(text)]
    else:
        command = [arguments.binary, "cells", "--format", "json", str(tree)]
    defaults = {name: json.loads(value) for name, value in
                (pair.split("=", 1) for pair in arguments.default)}
    generator_tree = (arguments.generator or tree).resolve()
    theirs = generator_rows(tree, generator_tree, arguments.masters, arguments.evals_only)
    ours = program_rows(command, tree)
    count = compare(theirs, ours, defaults)
    print(f"{len(theirs)} rows, {count} different")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
