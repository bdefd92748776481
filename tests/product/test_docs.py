"""Executes what README.md and docs/ show. In a ```console block, a line with "$ " is a command, and what
follows is all that it prints; a line "..." stands for any number of lines. The blocks of one page run one
after the other in one folder, which first holds `my-recipes`: a git repository like fixtures/demo.
Pages whose examples run in the root of the source tree are those of tests/docs_test.cpp.

RECIPELINT_UPDATE_GOLDEN=1 rewrites the outputs, to be reviewed."""

import os
import re
import shutil
import unittest

import support
import yaml
from support import PROGRAM, SOURCE

support.need("git", "bash")

PAGES = ["docs/first-hour.md"]
UPDATE = os.environ.get("RECIPELINT_UPDATE_GOLDEN") == "1"
END = "--- end of output ---"


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def steps_of(block):
    """Commands, each with the output that the page shows."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif steps and steps[-1][0].endswith("\\"):
            steps[-1][0] += "\n" + line
        else:
            steps[-1][1].append(line)
    return steps


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


class Docs(support.ProductTest):
    def setUp(self):
        super().setUp()
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "recipelint").symlink_to(PROGRAM)
        self.env = support.environment(
            PATH=f"{bin_folder}:{os.environ['PATH']}", HOME=str(self.folder), COLUMNS="100")

    def recipes(self):
        work = self.folder / "work"
        recipes = work / "my-recipes"
        shutil.copytree(SOURCE / "fixtures/demo", recipes)
        for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
            self.assertEqual(support.run(["git", *arguments], cwd=recipes).returncode, 0)
        return work

    def run_steps(self, steps, cwd):
        script = "".join(f"{command}\nstatus=$?; echo '{END}'; (exit $status)\n" for command, _ in steps)
        done = support.run(["bash", "--norc", "-c", f"exec 2>&1\n{script}"], cwd=cwd, env=self.env)
        return [part.strip("\n").splitlines() for part in done.stdout.split(END)[:len(steps)]]

    def check_page(self, name):
        path = SOURCE / name
        text = path.read_text()
        shown = blocks(text, "console")
        steps = [step for block in shown for step in steps_of(block)]
        self.assertTrue(steps)
        outputs = self.run_steps(steps, self.recipes())
        self.assertEqual(len(outputs), len(steps))
        if UPDATE:
            printed = iter(outputs)
            for block in shown:
                new = ""
                for command, expected in steps_of(block):
                    output = next(printed)
                    keep = matches(expected, output)
                    new += "\n".join([f"$ {command}", *(expected if keep else output)]) + "\n"
                text = text.replace(f"```console\n{block}```", f"```console\n{new}```")
            path.write_text(text)
            return
        for (command, expected), output in zip(steps, outputs):
            if not matches(expected, output):
                self.assertEqual("\n".join(output), "\n".join(expected), f"{name}: $ {command}")

    def test_examples_print_what_they_show(self):
        for name in PAGES:
            with self.subTest(name):
                self.check_page(name)

    def test_commands_without_output_are_accepted(self):
        work = self.recipes()
        found = 0
        for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
            for command in re.findall(r"^    (recipelint .*)$", path.read_text(), re.MULTILINE):
                found += 1
                done = support.run(["bash", "--norc", "-c", command], cwd=work / "my-recipes",
                                   env=self.env)
                self.assertIn(done.returncode, (0, 1), f"{path.name}: {command}\n{done.stderr}")
        self.assertGreater(found, 0)

    def test_hooks_and_inputs_that_examples_name_exist(self):
        hooks = {h["id"] for h in yaml.safe_load((SOURCE / ".pre-commit-hooks.yaml").read_text())}
        inputs = set(yaml.safe_load((SOURCE / "action.yml").read_text())["inputs"])
        named_hooks, named_inputs = set(), set()
        for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
            for block in blocks(path.read_text(), "yaml"):
                data = yaml.safe_load(block)
                if not isinstance(data, dict):
                    continue
                for repository in data.get("repos", []):
                    named_hooks |= {hook["id"] for hook in repository["hooks"]}
                for job in (data.get("jobs") or {}).values():
                    for step in job["steps"]:
                        if "recipelint" in step.get("uses", ""):
                            named_inputs |= set(step.get("with", {}))
        self.assertEqual(named_hooks, hooks)
        self.assertTrue(named_inputs)
        self.assertLessEqual(named_inputs, inputs)

    def test_links_lead_somewhere(self):
        for path in [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *SOURCE.glob("docs/**/*.md")]:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
                if "://" in target:
                    continue
                self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")


if __name__ == "__main__":
    unittest.main()
