#!/usr/bin/env python3
"""Runs `recipelint check` over many commits of a git repository and tells what became of it.

    check_history.py PROGRAM GIT_DIR [--count 300] [--revision HEAD] [--json FILE] [-- MORE ARGUMENTS]
    check_history.py PROGRAM GIT_DIR --commits FILE

Only objects of the repository are read: the files of each commit are written into a folder of their own,
which is gone afterwards. Without --commits, first parents of the revision are taken, evenly spread from the
first commit to the last. The table has one line a commit: exit code, seconds, peak MiB, files, cells,
errors, warnings, notes. Behind it stand the crashes, the exit codes, the extremes, what was found by rule,
and the runs that could not read everything. Exits with 1 if a run crashed or was stopped.
"""

import argparse
import collections
import concurrent.futures
import io
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading

LARGEST_FILE = 64 << 20
WAIT_FACTOR = 20


def git(git_dir, *arguments):
    command = ["git", f"--git-dir={git_dir}", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def chosen_commits(options):
    """Pairs of id and date."""
    if options.commits:
        names = pathlib.Path(options.commits).read_text().split()
        wanted = git(options.git_dir, "log", "--no-walk=unsorted", "--format=%H %cs", *names)
        return [line.split() for line in wanted.decode().splitlines()]
    log = git(options.git_dir, "log", "--first-parent", "--format=%H %cs", options.revision)
    history = [line.split() for line in log.decode().splitlines()][::-1]
    count = min(options.count, len(history))
    if count < 2:
        return history[-count:]
    return [history[i * (len(history) - 1) // (count - 1)] for i in range(count)]


def is_inside(name):
    return not name.startswith("/") and ".." not in pathlib.PurePosixPath(name).parts


def write_files(git_dir, commit, folder):
    """Regular files and symbolic links of the commit, as they are; nothing is written elsewhere."""
    archive = tarfile.open(fileobj=io.BytesIO(git(git_dir, "archive", "--format=tar", commit)))
    links = []
    for member in archive:
        if not is_inside(member.name):
            continue
        path = folder / member.name
        if member.issym():
            links.append((path, member.linkname))
        elif member.isreg() and member.size <= LARGEST_FILE:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.extractfile(member).read())
    # Last, so that no file is written through one.
    for path, target in links:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


def run_bounded(command, options):
    """Exit code (negative: the signal), seconds, peak MiB, standard output and error."""
    def limit():
        # Of processor time, so that a busy machine stops nothing.
        resource.setrlimit(resource.RLIMIT_CPU, (options.timeout, options.timeout + 1))
        if options.memory_mib:
            most = options.memory_mib << 20
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=error,
                                   preexec_fn=limit)
        # What waits for something takes no processor time.
        watch = threading.Timer(options.timeout * WAIT_FACTOR, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, error):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    stopped = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return {"code": "stopped" if stopped else process.returncode,
            "seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "mib": round(usage.ru_maxrss / 1024, 1)}, *texts


def check(options, commit, date):
    with tempfile.TemporaryDirectory(prefix="recipelint-history-") as folder:
        root = pathlib.Path(folder) / "repository"
        root.mkdir()
        write_files(options.git_dir, commit, root)
        command = [options.program, "check", str(root), "--root", str(root), "--format", "json",
                   "-j", "1", *options.more]
        run, out, error = run_bounded(command, options)
        if options.keep:
            keep = pathlib.Path(options.keep)
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{commit}.json").write_text(out)
    run.update({"commit": commit, "date": date, "rules": {}, "notifications": [],
                "said": error.replace(folder, "").splitlines()[:5]})
    try:
        report = json.loads(out)
    except ValueError:
        run["no_report"] = bool(out)
        return run
    summary = report["summary"]
    run["summary"] = {key: summary[key] for key in
                      ("files", "cells", "cells_evaluated", "cells_partial", "errors", "warnings",
                       "notes")}
    counts = collections.Counter((f["rule"], f["level"]) for f in report["findings"])
    run["rules"] = {f"{rule} {level}": n for (rule, level), n in sorted(counts.items())}
    run["notifications"] = [f"{n['level']}: {n['message']}" for n in report.get("notifications", [])]
    return run


def is_bad(run):
    return run["code"] not in (0, 1, 2, 3)


def line_of(run):
    s = run.get("summary", {})
    numbers = [s.get(key, "-") for key in ("files", "cells", "cells_partial", "errors", "warnings",
                                           "notes")]
    return (f"{run['commit'][:10]} {run['date']} {run['code']!s:>7} {run['seconds']:7.2f} "
            f"{run['mib']:7.1f} " + " ".join(f"{n!s:>7}" for n in numbers))


def print_summary(runs):
    print(f"\n{len(runs)} commits, {sum(map(is_bad, runs))} crashed or stopped")
    codes = collections.Counter(str(run["code"]) for run in runs)
    print("exit codes: " + ", ".join(f"{code}: {n}" for code, n in sorted(codes.items())))
    for key, unit in (("seconds", "s"), ("mib", "MiB")):
        ordered = sorted(runs, key=lambda run: run[key])
        middle = ordered[len(ordered) // 2][key]
        most = ", ".join(f"{run['commit'][:10]} {run[key]}" for run in ordered[-3:][::-1])
        print(f"{key}: median {middle} {unit}; most: {most}")
    print("\nfound (rule, level, all commits, most in one, commits):")
    totals = collections.defaultdict(list)
    for run in runs:
        for rule, count in run["rules"].items():
            totals[rule].append((count, run["commit"][:10]))
    for rule, counts in sorted(totals.items()):
        print(f"  {rule:16} {sum(n for n, _ in counts):7} {max(counts)[0]:6} {len(counts):6}")
    print("\nnot read, or not analysed:")
    for run in runs:
        for text in run["notifications"] + (run["said"] if run["code"] not in (0, 1) else []):
            print(f"  {run['commit'][:10]} {run['code']}: {text}")


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("git_dir")
    parser.add_argument("--commits", help="a file with revisions")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--revision", default="HEAD")
    parser.add_argument("--json", help="write everything there")
    parser.add_argument("--keep", help="a folder for the report of every commit")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=60, help="seconds of processor time for one run")
    parser.add_argument("--memory-mib", type=int, default=4096, help="of address space; 0: no limit")
    parser.add_argument("more", nargs="*")
    return parser.parse_args()


def main():
    options = parsed_options()
    commits = chosen_commits(options)
    names = ("commit", "date", "exit", "seconds", "MiB", "files", "cells", "partial", "errors",
             "warn", "notes")
    print("{:10} {:10} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}".format(*names))
    runs = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for run in pool.map(lambda each: check(options, *each), commits):
            runs.append(run)
            print(line_of(run), flush=True)
    print_summary(runs)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(runs, indent=1) + "\n")
    return 1 if any(map(is_bad, runs)) else 0


if __name__ == "__main__":
    sys.exit(main())
