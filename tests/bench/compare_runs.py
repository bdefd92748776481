#!/usr/bin/env python3
"""Compares whole runs, side by side in one go: what matters is the ratio to the floor.

    compare_runs.py BUILD TREE [--rounds N] [--script PATH] [--config PATH] [--synthetic FACTOR]

BUILD holds recipelint and tests/recipelint_floor (preset "bench"), TREE is a repository with a search
space. Every program runs N times, in turns, and counts with its least processor time (user and
system, children included), which other work on the machine disturbs least; wall-clock times are
given for what runs in two threads. What is compared:

  floor          tree-sitter's parser and yaml-cpp's events over the files that a check parses
  check          recipelint check TREE, every rule
  one script     recipelint check of one launch script, as pre-commit calls it
  one config     the same for one master configuration
  ten times      check of a copy of TREE with FACTOR times the keys, for each of its keys
  shellcheck     the same scripts
  yamllint       the same YAML
  generator      TREE's own utils/matrix_logic/generate_sweep_configs.py

Programs that are not installed, or that fail to start, are left out, and said so.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time


class Run:
    def __init__(self, name, command, stdin=None, directory=None):
        self.name, self.command, self.stdin, self.directory = name, command, stdin, directory
        self.cpu, self.wall, self.memory = [], [], 0
        self.problem = None

    def once(self):
        if self.problem:
            return
        with open(os.devnull, 'wb') as null:
            source = open(self.stdin, 'rb') if self.stdin else open(os.devnull, 'rb')
            begin = time.monotonic()
            try:
                process = subprocess.Popen(self.command, stdin=source, stdout=null, stderr=null,
                                           cwd=self.directory)
            except OSError as error:
                self.problem = str(error)
                return
            finally:
                source.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.wall.append(time.monotonic() - begin)
        if process.returncode not in (0, 1):
            self.problem = f'exit status {process.returncode}'
            return
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss)


def list_files(floor, tree):
    out = subprocess.run([floor, '--list', tree], check=True, stdout=subprocess.PIPE, text=True)
    return out.stdout.split('\n')[:-1]


def multiply_keys(text, factor):
    """Each top-level entry of a master configuration FACTOR times, under names of its own."""
    parts = re.split(r'(?m)^(?=[A-Za-z0-9"\'][^\n]*:\s*(?:#.*)?$)', text)
    out = [parts[0]]
    for part in parts[1:]:
        out.append(part)
        for copy in range(2, factor + 1):
            out.append(re.sub(r'^(["\']?)([^:"\']+)', rf'\g<1>\g<2>-copy{copy}', part, count=1))
    return ''.join(out)


def synthetic_tree(tree, factor, folder):
    """A copy with more keys; the changelog stays as it is."""
    for name in ('benchmarks', 'configs', 'runners', 'utils'):
        if os.path.isdir(os.path.join(tree, name)):
            shutil.copytree(os.path.join(tree, name), os.path.join(folder, name), symlinks=True)
    configs = os.path.join(folder, 'configs')
    for name in os.listdir(configs):
        if not name.endswith('-master.yaml'):
            continue
        path = os.path.join(configs, name)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(multiply_keys(text, factor))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('build')
    parser.add_argument('tree')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--script')
    parser.add_argument('--config')
    parser.add_argument('--synthetic', type=int, default=10)
    options = parser.parse_args()
    tree = os.path.abspath(options.tree)
    build = os.path.abspath(options.build)
    program = os.path.join(build, 'recipelint')
    floor = os.path.join(build, 'tests', 'recipelint_floor')

    files = list_files(floor, tree)
    scripts = [path for path in files if path.endswith('.sh')]
    yaml = [path for path in files if not path.endswith('.sh')]
    script = options.script or next(
        (path for path in scripts if '/fixed_seq_len/' in path), scripts[0])
    config = options.config or next(path for path in yaml if path.endswith('-master.yaml'))
    with tempfile.TemporaryDirectory() as folder:
        listing = os.path.join(folder, 'files')
        with open(listing, 'w', encoding='utf-8') as file:
            file.write('\n'.join(files) + '\n')
        large = os.path.join(folder, 'large')
        os.mkdir(large)
        synthetic_tree(tree, options.synthetic, large)
        small = os.path.join(folder, 'small')
        os.mkdir(small)
        synthetic_tree(tree, 1, small)

        def check(path, threads):
            return [program, 'check', '--fail-on', 'never', '-q', '-j', str(threads), path]

        runs = {}
        for run in (
                Run('floor, 1 thread', [floor, tree, '1'], listing),
                Run('floor, 2 threads', [floor, tree, '2'], listing),
                Run('check, 1 thread', check(tree, 1)),
                Run('check, 2 threads', check(tree, 2)),
                Run('one script', check(os.path.join(tree, script), 2)),
                Run('one config', check(os.path.join(tree, config), 2)),
                Run('the same keys', check(small, 1)),
                Run(f'{options.synthetic} times the keys', check(large, 1)),
                Run('shellcheck', ['shellcheck', '-f', 'gcc', *scripts], directory=tree),
                Run('yamllint', ['yamllint', '-f', 'parsable', *yaml], directory=tree),
                Run('generator', [
                    sys.executable, 'utils/matrix_logic/generate_sweep_configs.py', 'full-sweep',
                    '--config-files', *[path for path in yaml if path.endswith('-master.yaml')],
                    '--runner-config', 'configs/runners.yaml'], directory=tree)):
            runs[run.name] = run
        for _ in range(options.rounds):
            for run in runs.values():
                run.once()

        base = min(runs['floor, 1 thread'].cpu)
        print(f'{len(scripts)} scripts, {len(yaml)} YAML files; one script: {script}; '
              f'one config: {config}; least of {options.rounds} rounds')
        print('| run | processor time | to the floor | wall | memory |')
        print('|---|---|---|---|---|')
        for run in runs.values():
            if run.problem or not run.cpu:
                print(f'| {run.name} | - | - | - | {run.problem} |')
                continue
            print(f'| {run.name} | {min(run.cpu):.3f} s | {min(run.cpu) / base:.2f} | '
                  f'{min(run.wall):.3f} s | {run.memory / 1024:.0f} MiB |')
        one, two = runs['check, 1 thread'], runs['check, 2 threads']
        if one.wall and two.wall:
            print(f'two threads: {min(one.wall) / min(two.wall):.2f} times as fast')
        few, many = runs['the same keys'], runs[f'{options.synthetic} times the keys']
        if few.cpu and many.cpu:
            print(f'{options.synthetic} times the keys: {min(many.cpu) / min(few.cpu):.1f} times '
                  'as long')


if __name__ == '__main__':
    main()
