"""Both hooks of .pre-commit-hooks.yaml, run by pre-commit itself on a small repository."""

import os
import shutil
import unittest

import support
from support import MASTER, PROGRAM, SCRIPT, SCRIPT_PATH, SOURCE, Repository

support.need("git", "pre-commit")

CONFIGURATION = """repos:
- repo: {hooks}
  rev: {revision}
  hooks:
  - id: {hook}
    verbose: true
"""


class Hooks(support.ProductTest):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.bin / "recipelint").symlink_to(PROGRAM)
        self.repository = Repository(self.folder / "recipes")

    def environment(self):
        return support.environment(
            PATH=f"{self.bin}:{os.environ['PATH']}", HOME=str(self.folder),
            PRE_COMMIT_HOME=str(self.folder / "cache"), PROGRAM=PROGRAM,
            BUILDS=str(self.folder / "builds"))

    def publish_hooks(self):
        """A repository as pre-commit clones it: the manifest and what it starts."""
        hooks = self.folder / "hooks"
        hooks.mkdir()
        for name in (".pre-commit-hooks.yaml", "dev"):
            shutil.copy(SOURCE / name, hooks / name)
        git = lambda *arguments: support.run(["git", *arguments], cwd=hooks)
        git("init", "-q", "-b", "main")
        git("add", "-A")
        self.assertEqual(git("commit", "-q", "-m", "hooks").returncode, 0)
        return hooks, git("rev-parse", "HEAD").stdout.strip()

    def install(self, hook):
        hooks, revision = self.publish_hooks()
        self.repository.write(
            ".pre-commit-config.yaml",
            CONFIGURATION.format(hooks=hooks, revision=revision, hook=hook))
        self.repository.commit("install the hook")
        done = support.run(["pre-commit", "install"], cwd=self.repository.path,
                           env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def commit(self, name, text):
        self.repository.write(name, text)
        self.repository.git("add", "-A")
        return self.repository.git("commit", "-m", name, env=self.environment(), check=False)

    def expect_the_right_changes_to_pass(self):
        # The script says nothing wrong by itself: only with the image that the configuration names,
        # which is not among the passed files, is the flag unknown.
        bad = self.commit(SCRIPT_PATH, SCRIPT.replace("--max-num-seqs", "--max-num-sequences"))
        self.assertEqual(bad.returncode, 1, bad.stdout + bad.stderr)
        self.assertIn("RL8001", bad.stdout + bad.stderr)
        self.assertIn("0.27.1", bad.stdout + bad.stderr)
        good = self.commit(SCRIPT_PATH, SCRIPT.replace("128", "256"))
        self.assertEqual(good.returncode, 0, good.stdout + good.stderr)
        bad = self.commit("configs/nvidia-master.yaml", MASTER.replace("runner: h200", "runner: h2"))
        self.assertEqual(bad.returncode, 1, bad.stdout + bad.stderr)
        self.assertIn("RL5003", bad.stdout + bad.stderr)
        self.repository.git("checkout", "-q", "HEAD", "--", ".")
        # Files that take part in no cell are passed as well, and are no reason to refuse.
        for name in ("tools/setup.sh", "README.md"):
            other = self.commit(name, "# nothing to launch\n")
            self.assertEqual(other.returncode, 0, other.stdout + other.stderr)

    def test_system(self):
        self.install("recipelint-system")
        self.expect_the_right_changes_to_pass()

    def test_built_once(self):
        # Stands for the real build, which takes minutes: puts the program where ./dev expects it.
        cmake = self.bin / "cmake"
        cmake.write_text('#!/bin/sh\necho "$*" >> "$BUILDS"\n'
                         'mkdir -p build/release && cp "$PROGRAM" build/release/recipelint\n')
        cmake.chmod(0o755)
        (self.bin / "recipelint").unlink()
        self.install("recipelint")
        self.expect_the_right_changes_to_pass()
        builds = (self.folder / "builds").read_text().splitlines()
        self.assertEqual(builds, ["--preset release", "--build build/release"])


if __name__ == "__main__":
    unittest.main()
