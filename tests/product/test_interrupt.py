"""A run that ends early, or cannot write, leaves the old document or none."""

import os
import pty
import select
import signal
import subprocess
import time
import unittest

import support
from support import PROGRAM, Repository


class Interrupted(support.ProductTest):
    def setUp(self):
        super().setUp()
        self.repository = Repository(self.folder / "recipes")

    def arguments(self, *more):
        return [PROGRAM, "check", str(self.repository.path), *more]

    def test_leaves_no_half_written_file(self):
        out = self.folder / "out"
        out.mkdir()
        whole = support.run(self.arguments("--format", f"sarif={out}/r.sarif"))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        document = (out / "r.sarif").read_bytes()
        (out / "r.sarif").unlink()
        # At any time from the start to the end.
        for delay in range(0, 60, 3):
            process = subprocess.Popen(self.arguments("--format", f"sarif={out}/r.sarif"),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay / 1000)
            process.send_signal(signal.SIGTERM if delay % 2 else signal.SIGINT)
            process.wait(30)
            names = os.listdir(out)
            self.assertLessEqual(set(names), {"r.sarif"})
            if names:
                self.assertEqual((out / "r.sarif").read_bytes(), document)
                (out / "r.sarif").unlink()

    def test_keeps_the_old_document_if_the_new_one_cannot_be_written(self):
        done = support.run(self.arguments("--format", f"json={self.folder}/no/such/folder.json"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("cannot write", done.stderr)

    def run_on_a_terminal(self, *more):
        """What standard error, a terminal, receives."""
        try:
            controller, terminal = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(str(error))
        process = subprocess.Popen(self.arguments(*more), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=terminal)
        os.close(terminal)
        return process, controller

    def read(self, controller, seconds):
        received, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if not select.select([controller], [], [], 0.1)[0]:
                continue
            try:
                received += os.read(controller, 4096)
            except OSError:
                break
        return received

    def test_progress_is_shown_on_a_terminal_after_a_second(self):
        process, controller = self.run_on_a_terminal("--stdin-file",
                                                     str(self.repository.path / support.SCRIPT_PATH))
        # It waits for its input: that is a run over a second.
        received = self.read(controller, 2.5)
        self.assertIn(b"still at work", received)
        out, _ = process.communicate(support.SCRIPT.encode(), timeout=60)
        received += self.read(controller, 1)
        os.close(controller)
        self.assertEqual(process.returncode, 0)
        # The line is gone at the end, and standard output has the document alone.
        self.assertTrue(received.endswith(b"\r\x1b[K"), received)
        self.assertNotIn(b"work", out)

    def test_progress_is_shown_nowhere_else(self):
        process = subprocess.Popen(
            self.arguments("--stdin-file", str(self.repository.path / support.SCRIPT_PATH)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        _, err = process.communicate(support.SCRIPT.encode(), timeout=60)
        self.assertEqual(err, b"")


if __name__ == "__main__":
    unittest.main()
