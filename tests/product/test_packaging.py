"""What cmake --install and cpack make: complete, and a program that runs on any current system."""

import json
import os
import pathlib
import re
import tarfile
import unittest

import support
from support import SOURCE

support.need("cmake", "cpack", "objdump", "dpkg-deb", "dpkg-shlibdeps")

BUILD = pathlib.Path(os.environ["RECIPELINT_BUILD_DIR"])
# What every system with a C++ program has; ld-linux is named by the C library itself.
LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"}
# Ubuntu 22.04 and Debian 12.
NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}
INSTALLED = [
    "bin/recipelint",
    "share/man/man1/recipelint.1",
    "share/bash-completion/completions/recipelint",
    "share/zsh/vendor-completions/_recipelint",
    "share/fish/vendor_completions.d/recipelint.fish",
    "share/doc/recipelint/README.md",
    "share/doc/recipelint/copyright",
    "share/doc/recipelint/docs/first-hour.md",
    "share/doc/recipelint/docs/recipelint.schema.json",
    "share/recipelint/integrations/github-problem-matcher.json",
]


class Packages(support.ProductTest):
    def expect_complete(self, prefix):
        for name in INSTALLED:
            self.assertTrue((prefix / name).is_file(), name)
        done = support.run([prefix / "bin/recipelint", "check", SOURCE / "fixtures/demo",
                            "--format", "json"])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(json.loads(done.stdout)["findings"])

    def expect_portable(self, program):
        needed = re.findall(r"NEEDED +(\S+)", support.run(["objdump", "-p", program]).stdout)
        self.assertTrue(needed)
        self.assertLessEqual(set(needed), LIBRARIES)
        symbols = support.run(["objdump", "-T", program]).stdout
        versions = set(re.findall(r"\((GLIBC|GLIBCXX|CXXABI|GCC)_([\d.]+)\)|"
                                  r"\b(GLIBC|GLIBCXX|CXXABI|GCC)_([\d.]+)\b", symbols))
        self.assertTrue(versions)
        for first, number, second, other in versions:
            version = tuple(int(part) for part in (number or other).split("."))
            self.assertLessEqual(version, NEWEST[first or second], (first or second, version))

    def test_install(self):
        done = support.run(["cmake", "--install", BUILD, "--prefix", self.folder / "usr"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.expect_complete(self.folder / "usr")
        self.expect_portable(self.folder / "usr/bin/recipelint")

    def test_package_and_tarball(self):
        done = support.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder],
                           timeout=250)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [tarball] = self.folder.glob("recipelint-*-linux-*.tar.gz")
        with tarfile.open(tarball) as archive:
            archive.extractall(self.folder / "tar")
        [top] = (self.folder / "tar").iterdir()
        self.assertEqual(top.name + ".tar.gz", tarball.name)
        self.expect_complete(top)
        self.expect_portable(top / "bin/recipelint")

        [package] = self.folder.glob("recipelint_*_*.deb")
        fields = support.run(["dpkg-deb", "-f", package]).stdout
        self.assertIn("Package: recipelint\n", fields)
        depends = re.search(r"^Depends: (.*)$", fields, re.MULTILINE).group(1)
        self.assertLessEqual({d.split()[0] for d in depends.split(",")},
                             {"libc6", "libgcc-s1", "libstdc++6"})
        self.assertEqual(support.run(["dpkg-deb", "-x", package, self.folder / "deb"]).returncode, 0)
        self.expect_complete(self.folder / "deb/usr")


if __name__ == "__main__":
    unittest.main()
