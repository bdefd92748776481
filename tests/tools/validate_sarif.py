#!/usr/bin/env python3
"""Validates SARIF documents with Microsoft's SARIF multitool, rule kinds Sarif and Ghas.

    npm install --prefix DIR @microsoft/sarif-multitool-linux    # 100 MB; development only
    tests/tools/validate_sarif.py DIR [PROGRAM [REPOSITORY...]]

Looks at every golden document, and at what PROGRAM prints for the bundled demo and each REPOSITORY. The
multitool's exit code says nothing, so its output log is judged: no error, no warning, no failed check. Only
the notes about addresses (SARIF2006) need the network. Exit code 1 if anything is left."""

import json
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def problems_of(multitool, document, folder):
    log = folder / "log.sarif"
    log.unlink(missing_ok=True)
    subprocess.run([multitool, "validate", document, "--rule-kind", "Sarif;Ghas", "--level",
                    "Error;Warning;Note", "-o", log, "--log", "ForceOverwrite"],
                   check=False, capture_output=True)
    run = json.loads(log.read_text())["runs"][0]
    found = [f"{r.get('level', 'warning')} {r['ruleId']}: {r['message']}" for r in run["results"]
             if r.get("level", "warning") in ("error", "warning")]
    for invocation in run.get("invocations", []):
        for kind in ("toolExecutionNotifications", "toolConfigurationNotifications"):
            found += [f"{n.get('level', 'warning')} {n['message']['text']}" for n in invocation.get(kind, [])
                      if n.get("level", "warning") in ("error", "warning")]
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    [multitool] = pathlib.Path(sys.argv[1]).glob("node_modules/@microsoft/*-linux/Sarif.Multitool")
    multitool.chmod(0o755)
    left = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        documents = sorted(SOURCE.glob("tests/golden/**/*.sarif"))
        repositories = [SOURCE / "fixtures/demo", *map(pathlib.Path, sys.argv[3:])]
        for number, repository in enumerate(repositories if len(sys.argv) > 2 else []):
            document = folder / f"{number}.sarif"
            subprocess.run([sys.argv[2], "check", repository, "--format", f"sarif={document}"],
                           check=False)
            documents.append(document)
        for document in documents:
            found = problems_of(multitool, document, folder)
            left += len(found)
            print(f"{document}: {len(found)} problems", *found, sep="\n  ")
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
