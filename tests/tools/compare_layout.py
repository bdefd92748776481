#!/usr/bin/env python3
"""Compares environments and scripts of single-node cells with those real launchers gave.

    compare_layout.py TREE TRUTH.jsonl.gz --dump build/dev/tests/recipelint_layout_dump

TRUTH has one line a cell: config_key, master_file, cell (the generated row), script, env (what the
recipe script started with, recorded under the repository's own launchers). Prints every
difference and exits with 1 if there is one. Pieces that only the host knows match any text.
"""
import argparse
import collections
import gzip
import json
import re
import subprocess
import sys

# Set by the operating system, the shell or the recording itself, not by workflow or launcher.
HOST_NOISE = {
    "PATH", "PWD", "OLDPWD", "SHLVL", "_", "HOME", "USER", "LOGNAME", "HOSTNAME", "LANG", "TERM",
    "GITHUB_ENV", "GITHUB_WORKSPACE", "GITHUB_ACTIONS", "CI", "GITHUB_STEP_SUMMARY", "LC_ALL",
    "LC_CTYPE",
}


def pattern(pieces):
    parts = [re.escape(p["text"]) if p["known"] else ".*" for p in pieces]
    return re.compile("".join(parts), re.DOTALL)


def known_text(pieces):
    return "".join(p["text"] if p["known"] else "${%s}" % p["text"] for p in pieces)


def read_truth(path):
    cells = collections.defaultdict(list)
    with gzip.open(path, "rt") as lines:
        for line in lines:
            cell = json.loads(line)
            if cell.get("phase", "throughput") == "throughput":
                cells[(cell["master_file"], cell["config_key"])].append(cell)
    return cells


def read_ours(dump, tree):
    output = subprocess.run([dump, "cells", tree], check=True, capture_output=True, text=True).stdout
    cells = collections.defaultdict(list)
    for line in output.splitlines():
        cell = json.loads(line)
        if not cell["multi_node"]:
            cells[(cell["file"], cell["key"])].append(cell)
    return cells


def compare_cell(ours, truth):
    differences = []
    if truth["script"] != ours["target"]["script"]:
        differences.append("script: %s instead of %s" % (ours["target"]["script"], truth["script"]))
    environment = {k: v for k, v in truth["env"].items() if k not in HOST_NOISE}
    for name in sorted(environment.keys() | ours["env"].keys() - HOST_NOISE):
        if name not in ours["env"]:
            differences.append("%s: missing, should be %r" % (name, environment[name]))
        elif name not in environment:
            differences.append("%s: %r, should be unset" % (name, known_text(ours["env"][name])))
        elif not pattern(ours["env"][name]).fullmatch(environment[name]):
            differences.append("%s: %r instead of %r" % (
                name, known_text(ours["env"][name]), environment[name]))
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("truth")
    parser.add_argument("--dump", required=True)
    arguments = parser.parse_args()
    truth, ours = read_truth(arguments.truth), read_ours(arguments.dump, arguments.tree)
    bad, total, missing_scripts = 0, 0, 0
    kinds = collections.Counter()
    for key in sorted(truth.keys() | ours.keys()):
        if len(truth[key]) != len(ours[key]):
            print("%s: %d cells instead of %d" % (key, len(ours[key]), len(truth[key])))
            bad += 1
        # Both are in the generator's order.
        for expected, actual in zip(truth[key], ours[key]):
            total += 1
            missing_scripts += not actual["target"]["exists"]
            differences = compare_cell(actual, expected)
            bad += bool(differences)
            for difference in differences:
                kinds[difference.split(":")[0]] += 1
                print("%s: %s" % (expected["key"], difference))
    print("%d cells compared, %d differ, %d without their script" % (total, bad, missing_scripts))
    for name, count in kinds.most_common():
        print("  %5d %s" % (count, name))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
