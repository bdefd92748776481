#!/usr/bin/env python3
"""Compares what recipelint refuses in a search space with what a repository's own tools refuse.

Takes each entry of the master configurations MASTER apart: every value is replaced by others, every key
removed, misspelled or doubled with an unknown one. The validator and the generator of the InferenceX work
tree TREE (pydantic and PyYAML needed) and the dump tool then judge each variant. Wanted:

- what validator or generator refuses is an error of RL9001 or RL9004;
- what both accept is no error, but for the known holes: RL9004, names with underscores, and texts in
  'conc-list' (only the choice of evaluations fails on them);
- the rows of an accepted variant are equal.

Exit code: 0 as wanted, 1 not.
"""

import argparse
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import yaml

VALUES = [None, True, False, 0, 1, -1, 3, 7, 8, 64, 8.0, 8.5, 1.0, 0.5, 2**62, "", "8", " 8 ", "8.0",
          "1_0", "x", "yes", "On", "2", "none", "mtp", "dram", "image:v1", "cluster:mi99-lab", "true",
          [], [8], [0], ["8"], [8, 8.0], {}, {"name": "r"}, {"name": "r", "version": "1"},
          {"name": "", "version": "1"}, {"name": "r", "version": "image:1"}]
FULL_SWEEP = dict(command="full-sweep", model_prefix=None, precision=None, framework=None, runner_type=None,
                  seq_lens=None, step_size=2, min_conc=None, max_conc=None, max_tp=None, max_ep=None,
                  single_node=True, multi_node=True, scenario_type=None, runner_node_filter=None)


def paths_of(value, path=()):
    if isinstance(value, dict):
        for key in value:
            yield path + (key,)
            yield from paths_of(value[key], path + (key,))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield path + (index,)
            yield from paths_of(value[index], path + (index,))


def parent_of(entry, path):
    for step in path[:-1]:
        entry = entry[step]
    return entry


def variants(entry):
    """(description, entry) for each change of one place."""
    for path in paths_of(entry):
        for value in VALUES:
            changed = copy.deepcopy(entry)
            parent_of(changed, path)[path[-1]] = value
            yield f"{path} = {value!r}", changed
        removed = copy.deepcopy(entry)
        del parent_of(removed, path)[path[-1]]
        yield f"{path} removed", removed
        if isinstance(path[-1], int):
            continue
        for name in (path[-1].replace("-", "_"), path[-1] + "x"):
            if name == path[-1]:
                continue
            renamed = copy.deepcopy(entry)
            parent = parent_of(renamed, path)
            parent[name] = parent.pop(path[-1])
            yield f"{path} renamed {name}", renamed
        for name, value in (("pp", 2), ("tp", 8), ("ep", 16), ("dcp-size", 3), ("conc-list", []),
                            ("conc-start", 4), ("kv-p2p-transfer", "nixl"), ("unknown", 1),
                            ("kv-offloading", "none"), ("hardware", "x"), ("router", None)):
            parent = parent_of(entry, path)
            if name not in parent:
                added = copy.deepcopy(entry)
                parent_of(added, path)[name] = value
                yield f"{path[:-1]} with {name}: {value!r}", added


class Judge:
    """The validator and the generator of a work tree."""

    def __init__(self, tree, runners):
        sys.path.insert(0, str(tree / "utils" / "matrix_logic"))
        import generate_sweep_configs
        import validation
        self.generator = generate_sweep_configs
        self.validation = validation
        self.runners = yaml.safe_load(Path(runners).read_text())

    def rows(self, text):
        """The matrix rows, or the error."""
        masters = yaml.safe_load(text)
        try:
            self.validation.validate_master_config(masters)
            rows = self.generator.generate_full_sweep(SimpleNamespace(**FULL_SWEEP), masters, self.runners)
            return json.loads(json.dumps(self.generator.mark_eval_entries(rows)))
        except Exception as error:  # whatever stops the tools refuses the entry
            return error


def program_answer(binary, folder):
    files = ["runners.yaml", "master.yaml"]
    problems = subprocess.run([binary, "--problems", folder, *files], capture_output=True, text=True)
    rows = subprocess.run([binary, folder, *files], capture_output=True, text=True)
    return ([line for line in problems.stdout.splitlines() if ": error[" in line],
            [json.loads(line) for line in rows.stdout.splitlines()])


def is_hole(problem):
    return ("[RL9004]" in problem or "must be spelled" in problem
            or "'conc-list' must hold integers" in problem and "the string" in problem)


def disagreement(wanted, errors, rows):
    errors = [error for error in errors if "[RL5003]" not in error]
    if isinstance(wanted, Exception):
        return None if errors else f"accepted, but {str(wanted).splitlines()[-1][:150]!r}"
    if not all(is_hole(error) for error in errors):
        return f"refused: {errors}"
    for row in rows:
        for name in ("key", "file", "line"):
            del row[name]
    if errors or wanted == rows:
        return None
    return f"rows differ: {[(a, b) for a, b in zip(wanted, rows) if a != b][:1]} {len(wanted)} {len(rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--binary", required=True, help="the dump tool")
    parser.add_argument("--runners", required=True)
    parser.add_argument("--masters", nargs="+", required=True)
    parser.add_argument("--every", type=int, default=1, help="judge each n-th variant only")
    arguments = parser.parse_args()
    judge = Judge(arguments.tree.resolve(), arguments.runners)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "runners.yaml").write_text(Path(arguments.runners).read_text())
        for master in arguments.masters:
            for key, entry in yaml.safe_load(Path(master).read_text()).items():
                for number, (change, variant) in enumerate(variants(entry)):
                    if number % arguments.every:
                        continue
                    text = yaml.safe_dump({key: variant}, sort_keys=False)
                    Path(folder, "master.yaml").write_text(text)
                    wrong_because = disagreement(judge.rows(text), *program_answer(arguments.binary, folder))
                    count += 1
                    if wrong_because:
                        wrong += 1
                        print(f"{key}: {change}: {wrong_because}")
    print(f"{count} variants, {wrong} judged differently")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
