"""The steps of action.yml and of the GitLab example, taken out of the files and executed; the problem
matchers, applied to what the program prints."""

import json
import os
import re
import unittest

import support
import yaml
from support import MASTER, PROGRAM, SCRIPT_PATH, SOURCE, Repository

support.need("git", "bash")

BAD = MASTER.replace("v0.27.1", "nightly")


def expand(text, values):
    """The expressions of GitHub that action.yml uses: names of values, nothing more."""
    def value(match):
        return values[match.group(1)]
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", value, text)


class Action(support.ProductTest):
    def setUp(self):
        super().setUp()
        self.repository = Repository(self.folder / "recipes")
        with open(SOURCE / "action.yml", encoding="utf-8") as file:
            self.action = yaml.safe_load(file)

    def run_steps(self, **inputs):
        """Gives the exit code and what was printed, the outputs, and the steps that other actions do."""
        known = self.action["inputs"]
        values = {f"inputs.{name}": str(known[name]["default"]) for name in known}
        for name, value in inputs.items():
            self.assertIn(name.replace("_", "-"), known)
            values["inputs." + name.replace("_", "-")] = str(value)
        values["github.action_path"] = str(SOURCE)
        printed, used = "", []
        for step in self.action["runs"]["steps"]:
            condition = step.get("if", "")
            if condition:
                name, expected = re.fullmatch(r"([\w.-]+) == '(\w+)'", condition).groups()
                if values[name] != expected:
                    continue
            if "uses" in step:
                used.append({"uses": step["uses"],
                             "with": {k: expand(v, values) for k, v in step["with"].items()}})
                continue
            self.assertNotIn("${{", step["run"], "expressions in scripts are open to injection")
            self.assertEqual(step["shell"], "bash")
            output = self.folder / "output"
            output.write_text("")
            env = support.environment(GITHUB_OUTPUT=str(output))
            env.update({k: expand(v, values) for k, v in step["env"].items()})
            done = support.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                               cwd=self.repository.path, env=env)
            printed += done.stdout + done.stderr
            for line in output.read_text().splitlines():
                name, _, value = line.partition("=")
                values[f"steps.{step['id']}.outputs.{name}"] = value
            if done.returncode != 0:
                return done.returncode, printed, values, used
        return 0, printed, values, used

    def test_good_recipes_pass_and_are_uploaded(self):
        code, printed, values, used = self.run_steps(binary=PROGRAM, category="nightly")
        self.assertEqual(code, 0, printed)
        self.assertEqual(expand(self.action["outputs"]["exit-code"]["value"], values), "0")
        self.assertEqual(used, [{"uses": "github/codeql-action/upload-sarif@v4",
                                 "with": {"sarif_file": "recipelint.sarif", "category": "nightly"}}])
        log = json.loads((self.repository.path / "recipelint.sarif").read_text())
        self.assertEqual(log["runs"][0]["automationDetails"]["id"], "recipelint/nightly/")

    def test_findings_fail_after_the_upload(self):
        self.repository.write("configs/nvidia-master.yaml", BAD)
        code, printed, _, used = self.run_steps(binary=PROGRAM)
        self.assertEqual(code, 1, printed)
        self.assertEqual(len(used), 1)
        self.assertIn("configs/nvidia-master.yaml:2:27: warning[RL3001]", printed)
        matcher = re.search(r"::add-matcher::(.+)", printed).group(1)
        self.assertTrue(os.path.isfile(matcher), matcher)

    def test_only_what_is_new_counts(self):
        self.repository.write("configs/nvidia-master.yaml", BAD)
        self.repository.commit("old findings")
        code, printed, _, _ = self.run_steps(binary=PROGRAM, diff_base="HEAD", upload="false")
        self.assertEqual(code, 0, printed)

    def test_arguments_and_paths_are_passed_on(self):
        self.repository.write("configs/nvidia-master.yaml", BAD)
        code, printed, _, used = self.run_steps(
            binary=PROGRAM, args="--fail-on error --ignore RL5004", path=f"configs {SCRIPT_PATH}",
            upload="false")
        self.assertEqual(code, 0, printed)
        self.assertEqual(used, [])

    def test_wrong_usage_fails_without_an_upload(self):
        code, printed, _, used = self.run_steps(binary=PROGRAM, args="--select no-such-rule")
        self.assertEqual(code, 2, printed)
        self.assertEqual(used, [])

    def test_text_of_a_contributor_is_no_command(self):
        code, printed, _, _ = self.run_steps(
            binary=PROGRAM, diff_base="$(touch owned)", path="`touch owned`", upload="false")
        self.assertEqual(code, 2, printed)
        self.assertFalse((self.repository.path / "owned").exists())

    def test_every_input_is_used(self):
        steps = json.dumps(self.action["runs"]["steps"])
        for name in self.action["inputs"]:
            self.assertIn("inputs." + name, steps)


class Matcher(support.ProductTest):
    def setUp(self):
        super().setUp()
        with open(SOURCE / "integrations" / "github-problem-matcher.json", encoding="utf-8") as file:
            self.matchers = json.load(file)["problemMatcher"]

    def match(self, line):
        found = []
        for matcher in self.matchers:
            pattern = matcher["pattern"][0]
            match = re.search(pattern["regexp"], line)
            if match:
                fields = {k: match.group(v) for k, v in pattern.items() if isinstance(v, int)}
                fields.setdefault("severity", matcher.get("severity"))
                found.append(fields)
        return found

    def test_each_line_is_matched_once_with_a_level_that_github_knows(self):
        done = support.run([PROGRAM, "check", SOURCE / "fixtures" / "demo", "--format", "unix"])
        lines = done.stdout.splitlines()
        self.assertGreater(len(lines), 3)
        report = json.loads(support.run(
            [PROGRAM, "check", SOURCE / "fixtures" / "demo", "--format", "json"]).stdout)
        for line, finding in zip(lines, report["findings"], strict=True):
            level = {"note": "notice"}.get(finding["level"], finding["level"])
            self.assertEqual(self.match(line), [{
                "file": finding["file"], "line": str(finding["line"]),
                "column": str(finding["column"]), "severity": level, "code": finding["rule"],
                "message": finding["message"]}], line)

    def test_notifications_are_matched(self):
        self.assertEqual(self.match(".:1:1: error[unreadable]: cannot read 'x'.")[0]["severity"],
                         "error")

    def test_other_lines_are_not(self):
        for line in ("", "make: *** [all] Error 1", "src/a.c:1:2: error: text",
                     "  indented:1:2: error[RL1001]: text"):
            self.assertEqual(self.match(line), [])


class GitLab(support.ProductTest):
    def run_job(self, repository, **variables):
        with open(SOURCE / "integrations" / "gitlab-ci.yml", encoding="utf-8") as file:
            job = yaml.safe_load(file)["recipelint"]
        env = support.environment(**{**job["variables"], "RECIPELINT": PROGRAM, **variables})
        code = 0
        for line in job["script"]:
            done = support.run(["bash", "-eo", "pipefail", "-c", line], cwd=repository.path, env=env)
            code = code or done.returncode
        for report in job["artifacts"]["reports"].values():
            self.assertTrue((repository.path / report).is_file(), report)
        return code

    def test_job(self):
        repository = Repository(self.folder / "recipes")
        self.assertEqual(self.run_job(repository), 0)
        repository.write("configs/nvidia-master.yaml", BAD)
        self.assertEqual(self.run_job(repository), 1)
        report = json.loads((repository.path / "gl-code-quality-report.json").read_text())
        self.assertEqual(report[0]["check_name"], "RL3001")
        repository.commit("old findings")
        self.assertEqual(self.run_job(repository, CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD"), 0)


if __name__ == "__main__":
    unittest.main()
