"""The editor configurations in integrations/, used by the editors themselves where they are installed."""

import json
import re
import shutil
import unittest

import support
from support import PROGRAM, SCRIPT, SCRIPT_PATH, SOURCE, Repository

BAD_LINE = 4


class Editors(support.ProductTest):
    def setUp(self):
        super().setUp()
        self.repository = Repository(self.folder / "recipes")
        self.path = self.repository.path / SCRIPT_PATH
        # What is on disk is sound; what is edited is not: the flag is unknown to the image's vLLM.
        self.edited = SCRIPT.replace("--max-num-seqs", "--max-num-sequences")

    def test_vscode_task(self):
        self.path.write_text(self.edited)
        with open(SOURCE / "integrations/vscode/tasks.json", encoding="utf-8") as file:
            [task] = json.load(file)["tasks"]
        arguments = [a.replace("${workspaceFolder}", str(self.repository.path)) for a in task["args"]]
        done = support.run([PROGRAM, *arguments])
        self.assertEqual(done.returncode, 0, done.stderr)
        matcher = task["problemMatcher"]
        pattern = matcher["pattern"]
        found = [re.search(pattern["regexp"], line) for line in done.stdout.splitlines()]
        self.assertTrue(found and all(found), done.stdout)
        named = [(m.group(pattern["file"]), m.group(pattern["line"]), m.group(pattern["code"]))
                 for m in found]
        self.assertIn((SCRIPT_PATH, str(BAD_LINE), "RL8001"), named)
        self.assertEqual(matcher["fileLocation"], ["relative", "${workspaceFolder}"])

    def test_neovim(self):
        if shutil.which("nvim") is None:
            self.skipTest("nvim is not installed")
        plugin = SOURCE / "integrations/neovim/recipelint.lua"
        script = self.folder / "test.lua"
        script.write_text(f"""
            local recipelint = dofile([[{plugin}]])
            recipelint.command = {{ [[{PROGRAM}]], "check" }}
            vim.cmd([[edit {self.path}]])
            vim.api.nvim_buf_set_lines(0, {BAD_LINE} - 1, {BAD_LINE}, false,
              {{ [[{self.edited.splitlines()[BAD_LINE - 1]}]] }})
            vim.fn.jobwait({{ recipelint.check() }}, 60000)
            vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end)
            for _, d in ipairs(vim.diagnostic.get(0)) do
              io.stdout:write(("%d %s %d %s\\n"):format(d.lnum + 1, d.code, d.severity, d.message))
            end
            vim.cmd("qa!")
        """)
        done = support.run(["nvim", "--clean", "--headless", "-c", f"luafile {script}"],
                           env=support.environment(HOME=str(self.folder)))
        self.assertRegex(done.stdout + done.stderr, rf"(?m)^{BAD_LINE} RL8001 1 .*--max-num-sequences")

    def test_emacs(self):
        if shutil.which("emacs") is None:
            self.skipTest("emacs is not installed")
        script = self.folder / "test.el"
        script.write_text(f"""
            (load "{SOURCE}/integrations/emacs/recipelint.el" nil t)
            (setq recipelint-command '("{PROGRAM}" "check") done nil)
            (find-file "{self.path}")
            (goto-char (point-min))
            (search-forward "--max-num-seqs")
            (replace-match "--max-num-sequences" t t)
            (recipelint-flymake (lambda (found &rest _) (setq done (list found))))
            (with-timeout (60) (while (not done) (accept-process-output nil 0.1)))
            (dolist (d (car done))
              (princ (format "%d %s %s\\n" (line-number-at-pos (flymake-diagnostic-beg d))
                             (flymake-diagnostic-type d) (flymake-diagnostic-text d))))
            (set-buffer-modified-p nil)
            (with-temp-buffer
              (insert "configs/x.yaml:12:3: warning[RL3001]: text\\n")
              (compilation-mode)
              (compilation--ensure-parse (point-max))
              (princ (format "linked: %s\\n"
                             (get-text-property (point-min) 'compilation-message))))
        """)
        done = support.run(["emacs", "-Q", "--batch", "-l", script],
                           env=support.environment(HOME=str(self.folder)))
        self.assertRegex(done.stdout, rf"(?m)^{BAD_LINE} :error .*--max-num-sequences.*\[RL8001\]",
                         done.stderr)
        self.assertRegex(done.stdout, r"linked: .*12.*configs/x.yaml", done.stderr)


if __name__ == "__main__":
    unittest.main()
