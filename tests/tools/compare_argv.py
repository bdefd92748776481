#!/usr/bin/env python3
"""Compares the evaluator with command lines that real bash recorded.

    compare_argv.py TREE TRUTH.jsonl[.gz] --binary BUILD/tests/recipelint_evaluate_cells [--limit N]
    compare_argv.py TREE TRUTH.jsonl[.gz] --argv BUILD/recipelint [--mode eval]

With --binary the scripts are evaluated in the recorded environments, with --argv the whole way from the
search space is compared. A recorder that expands one key at a time records a few eval cells more than
the generator selects for all keys together: those are counted as left over.

Each line of TRUTH has the script, the environment it starts with and the argv of every server and
companion that it launched. Launches are compared as a multiset, words one by one; a word that the
evaluator calls unknown must agree in the parts that it does know, and is listed with its causes.
"""

import argparse
import collections
import gzip
import json
import re
import subprocess
import sys

SERVER_KINDS = {"vllm", "sglang", "trtllm", "atom"}
COMPANION_KINDS = {"sglang_router", "vllm_router", "lmcache", "mooncake_master", "kvstore"}


def read_lines(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def evaluate(binary, tree, cells):
    text = "".join(json.dumps(cell) + "\n" for cell in cells)
    run = subprocess.run([binary, tree], input=text, capture_output=True, text=True, check=False)
    sys.stderr.write(run.stderr)
    if run.returncode != 0:
        sys.exit(f"{binary} failed with {run.returncode}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def cell_key(key, scenario, conc):
    return key, scenario or "fixed-seq-len", conc


def program_index(launch):
    """Where the engine begins behind its wrappers."""
    name = launch["program"].split()[0].rsplit("/", 1)[-1]
    words = [word["text"].rsplit("/", 1)[-1] for word in launch["argv"]]
    return words.index(name) if name in words else 0


def results_of_argv(binary, tree, mode, cells):
    """The cells that `recipelint argv` has too, each with its result."""
    run = subprocess.run([binary, "argv", tree, "--mode", mode, "--format", "json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{binary} failed with {run.returncode}: {run.stderr}")
    by_key = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        result = json.loads(line)
        if "single_node/" not in result.get("script", ""):
            continue
        result["diagnostics"] = []
        for launch in result["launches"]:
            launch["program_index"] = program_index(launch)
        by_key[cell_key(result["key"], result["scenario"], result["conc"])].append(result)
    pairs = []
    for cell in cells:
        row = cell["cell"]
        found = by_key[cell_key(cell["config_key"], row.get("scenario-type"), row["conc"])]
        if found:
            pairs.append((cell, found.pop(0)))
    print(f"{len(cells) - len(pairs)} recorded cells left over,",
          f"{sum(map(len, by_key.values()))} cells that were not recorded")
    return pairs


def with_base_name(argv):
    return [argv[0].rsplit("/", 1)[-1]] + argv[1:]


def word_pattern(word):
    if word["known"]:
        return re.escape(word["text"])
    return "".join(
        ".*" if i % 2 else re.escape(part)
        for i, part in enumerate(re.split(r"\$\{([^}]*)\}", word["text"])))


def matches(launch, argv):
    """The unknown words if the launch may be argv, else None."""
    words = launch["argv"]
    if len(words) != len(argv):  # a wrapper that is no stub is gone when the stub starts
        words = words[launch["program_index"]:]
    if len(words) != len(argv):
        return None
    unknown = []
    for i, (word, text) in enumerate(zip(words, argv)):
        if i == 0:
            if word["text"].rsplit("/", 1)[-1] != text:
                return None
            if not word["known"]:
                unknown.append(word["text"])
        elif not re.fullmatch(word_pattern(word), text, re.DOTALL):
            return None
        elif not word["known"]:
            unknown.append(word["text"])
    return unknown


def first_difference(launch, argv):
    words = [word["text"] for word in launch["argv"]]
    for i, (mine, theirs) in enumerate(zip(words, argv)):
        if mine != theirs:
            return f"word {i}: '{mine[:200]}' instead of '{theirs[:200]}'"
    return f"{len(words)} words instead of {len(argv)}: {(words + argv)[min(len(words), len(argv)):][:3]}"


def compare(cell, result):
    truth = [with_base_name(launch["argv"]) for launch in cell.get("launches") or []]
    mine = [launch for launch in result["launches"]
            if launch["role"] != "client" and launch["program"] != "etcd"]
    certain = [launch for launch in mine if launch["certain"]]
    spare = list(mine)
    problems, unknown = [], []
    for argv in truth:
        found = None
        for launch in sorted(spare, key=lambda item: not item["certain"]):
            words = matches(launch, argv)
            if words is not None:
                found = launch
                unknown += words
                break
        if found is not None:
            spare.remove(found)
            continue
        near = [launch for launch in mine if launch["argv"][0]["text"].endswith(argv[0])]
        problems.append(first_difference(near[0], argv) if near else f"missing: {' '.join(argv)[:160]}")
    problems += [f"extra: {' '.join(word['text'] for word in launch['argv'])[:160]}"
                 for launch in spare if launch["certain"] and not problems]
    return problems, unknown, len(certain)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree")
    parser.add_argument("truth")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--binary")
    way.add_argument("--argv")
    parser.add_argument("--mode", choices=("throughput", "eval"), default="throughput")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=20, help="differences to print")
    args = parser.parse_args()
    cells = read_lines(args.truth)[: args.limit]
    if args.argv:
        pairs = results_of_argv(args.argv, args.tree, args.mode, cells)
    else:
        pairs = list(zip(cells, evaluate(args.binary, args.tree, cells)))
    statuses, causes, reasons = (collections.Counter() for _ in range(3))
    uncertain = equal = shown = 0
    groups = collections.defaultdict(list)
    for cell, result in pairs:
        statuses[result["status"]] += 1
        problems, unknown, certain = compare(cell, result)
        causes.update(unknown)
        if certain < len(cell.get("launches") or []):
            uncertain += 1
        for diagnostic in result["diagnostics"]:
            reasons[f"{diagnostic['kind']} {diagnostic['message']} {diagnostic['at']}"] += 1
        if not problems:
            equal += 1
            continue
        groups[(cell["script"], problems[0])].append(cell["key"])
    for (script, problem), keys in sorted(groups.items()):
        if shown < args.show:
            print(f"{script} ({len(keys)}: {keys[0]})\n    {problem}")
        shown += 1
    print(f"{equal} of {len(pairs)} cells equal; status {dict(statuses)}; {uncertain} with uncertain launches")
    for text, count in causes.most_common(40):
        print(f"unknown {count:5} {text}")
    for text, count in reasons.most_common(40):
        print(f"diagnostic {count:5} {text}")
    return 0 if equal == len(pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
