"""Completions and the manual page: they come from the description that command lines are read with, and
the programs that they are for take them."""

import re
import shutil
import unittest

import support
from support import PROGRAM


def printed(*arguments):
    done = support.run([PROGRAM, *arguments])
    assert done.returncode == 0, done.stderr
    return done.stdout


def options_of(command):
    """The long options that --help names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", printed(command, "--help").split("OPTIONS", 1)[-1]
                          .split("Options:", 1)[-1]))


class Shells(support.ProductTest):
    def setUp(self):
        super().setUp()
        (self.folder / "configs").mkdir()
        (self.folder / "conf.yaml").write_text("")
        for shell in ("bash", "zsh", "fish"):
            (self.folder / shell).write_text(printed("completions", shell))

    def bash(self, *words):
        script = (f"source {self.folder}/bash; COMP_WORDS=(recipelint \"$@\"); COMP_CWORD=$#; "
                  "_recipelint; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = support.run(["bash", "--norc", "-euc", script, "bash", *words], cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash(self):
        self.assertEqual(self.bash("che"), {"check"})
        self.assertEqual(self.bash("check", "--diff"), {"--diff-base"})
        self.assertEqual(self.bash("check", "--fail-on", ""), {"error", "warning", "note", "never"})
        self.assertEqual(self.bash("--color", "a"), {"auto", "always"})
        self.assertEqual(self.bash("check", "--format", "s"), {"sarif"})
        self.assertEqual(self.bash("cells", "--format", ""), {"text", "json"})
        self.assertEqual(self.bash("explain", "RL300"), {"RL3001", "RL3002", "RL3003", "RL3004"})
        self.assertEqual(self.bash("check", "--root", "conf"), {"configs"})
        self.assertEqual(self.bash("check", "--config", "conf"), {"configs", "conf.yaml"})
        self.assertEqual(self.bash("check", "conf"), {"configs", "conf.yaml"})
        self.assertEqual(self.bash("completions", ""), {"bash", "zsh", "fish"})
        for command in ("check", "argv", "memory", "cells", "rules"):
            self.assertEqual({name for name in self.bash(command, "--") if name != "--help"},
                             options_of(command) - {"--help", "--version"}, command)

    def test_zsh(self):
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        # In a terminal of its own: completions only work while a line is edited.
        script = (
            "zmodload zsh/zpty; zpty z zsh -f -i\n"
            "zpty -w z 'autoload -Uz compinit; compinit -u -D; source $ZFILE; bindkey -e; "
            "unsetopt zle_bracketed_paste; PS1=REA''DY'; zpty -r -m z all '*READY*'\n"
            # What is completed is printed by the command that the line then is.
            "for line in \"$@\"; do zpty -w -n z \"$line\"$'\\t'; sleep 0.1; "
            "zpty -w -n z $'\\C-aprint -r -- \\C-e END\\n'; "
            "zpty -r -m z text '*END*END*READY*'; print -r -- $text; done\n")
        done = support.run(
            ["timeout", "60", "zsh", "-f", "-c", script, "zsh", "recipelint check --diff",
             "recipelint expl", "recipelint --fail-on nev"],
            cwd=self.folder, env=support.environment(ZFILE=str(self.folder / "zsh"), TERM="dumb"))
        for text in ("--diff-base", "explain", "never"):
            self.assertIn(text, done.stdout, done.stderr)
        check = support.run(["zsh", "-n", self.folder / "zsh"])
        self.assertEqual((check.returncode, check.stderr), (0, ""))

    def test_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("fish is not installed")
        def complete(line):
            done = support.run(
                ["fish", "--no-config", "-c", f"source {self.folder}/fish; complete -C '{line}'"],
                cwd=self.folder, env=support.environment(HOME=str(self.folder)))
            self.assertEqual(done.stderr, "")
            return {word.split("\t")[0] for word in done.stdout.splitlines()}
        self.assertEqual(complete("recipelint che") - {"checks"}, {"check"})
        self.assertEqual(complete("recipelint check --diff"), {"--diff-base"})
        self.assertEqual(complete("recipelint check --fail-on n"), {"note", "never"})
        self.assertEqual(complete("recipelint explain RL3001"), {"RL3001"})
        self.assertEqual(complete("recipelint rules --for"), {"--format"})

    def test_manual_page(self):
        page = printed("man")
        for command in ("check", "argv", "memory", "cells", "rules", "explain", "facts"):
            self.assertIn(f".SS {command}\n", page)
        for option in options_of("check"):
            self.assertIn(option.replace("-", "\\-"), page)
        if shutil.which("man") is None:
            return
        (self.folder / "recipelint.1").write_text(page)
        done = support.run(["man", "--warnings", "-E", "UTF-8", "-l", self.folder / "recipelint.1"],
                           env=support.environment(MANWIDTH="100", LC_ALL="C.UTF-8"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--diff-base REF", done.stdout)


if __name__ == "__main__":
    unittest.main()
