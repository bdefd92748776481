"""What the tests of the product around the analyzer share. They run the built program.

The environment says where it is: RECIPELINT_PROGRAM and RECIPELINT_SOURCE_DIR."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["RECIPELINT_PROGRAM"]
SOURCE = pathlib.Path(os.environ["RECIPELINT_SOURCE_DIR"])

MASTER = """example-fp8-h200-vllm:
  image: vllm/vllm-openai:v0.27.1
  model: example-org/Example
  model-prefix: example
  precision: fp8
  framework: vllm
  runner: h200
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 8] }
"""
SCRIPT = """#!/usr/bin/env bash
source benchmarks/benchmark_lib.sh
vllm serve "$MODEL" --port "$PORT" \\
  --tensor-parallel-size "$TP" --max-num-seqs 128
"""
SCRIPT_PATH = "benchmarks/single_node/fixed_seq_len/example_fp8_h200.sh"
FILES = {
    "configs/nvidia-master.yaml": MASTER,
    "configs/runners.yaml": "labels:\n  h200:\n  - h200-cw_00\n",
    "runners/launch_h200-cw.sh": "#!/usr/bin/env bash\n"
    'bash "benchmarks/single_node/fixed_seq_len/${EXP_NAME%%_*}_${PRECISION}_h200.sh"\n',
    "benchmarks/benchmark_lib.sh": 'export PORT="${PORT:-8888}"\n',
    SCRIPT_PATH: SCRIPT,
    "README.md": "# Recipes\n",
}


def environment(**more):
    """A clean environment: no configuration of whoever runs the tests."""
    names = ("PATH", "TMPDIR", "LANG", "LSAN_OPTIONS", "ASAN_OPTIONS", "TSAN_OPTIONS")
    found = {name: os.environ[name] for name in names if name in os.environ}
    found.update(
        GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
        GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.org",
        GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")
    found.update(more)
    return found


def run(arguments, cwd=None, env=None, stdin="", timeout=120):
    return subprocess.run([str(a) for a in arguments], cwd=cwd, env=env or environment(), text=True,
                          input=stdin, capture_output=True, timeout=timeout, check=False)


class Repository:
    """A small git repository of recipes without findings."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder)
        for name, text in FILES.items():
            self.write(name, text)
        self.git("init", "-q", "-b", "main")
        self.commit("start")

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments, env=None, check=True):
        done = run(["git", *arguments], cwd=self.path, env=env)
        if check and done.returncode != 0:
            raise RuntimeError(f"git {arguments}: {done.stdout}{done.stderr}")
        return done

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


class ProductTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="recipelint-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)


def need(*programs):
    """Leaves the test out (see SKIP_RETURN_CODE) if one of these is not installed."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        print("not installed:", ", ".join(missing))
        sys.exit(77)
