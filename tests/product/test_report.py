"""docs/report.schema.json: it holds for every report, and names every key that one has."""

import json
import re
import unittest

import support
from support import PROGRAM, SOURCE

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}


class Schema:
    """The part of JSON Schema that the file uses. A key that it does not describe is a fault as well."""

    def __init__(self, document):
        self.document = document
        self.seen = set()

    def resolve(self, schema):
        if "$ref" not in schema:
            return schema
        return self.document["definitions"][schema["$ref"].removeprefix("#/definitions/")]

    def faults(self, value, schema, at="$"):
        schema = self.resolve(schema)
        unknown = set(schema) - {"$schema", "title", "description", "type", "required", "properties",
                                 "items", "const", "enum", "pattern", "minimum", "definitions"}
        assert not unknown, unknown
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(isinstance(value, TYPES[t]) and not isinstance(value, bool) for t in types):
            return [f"{at}: {value!r} is no {types}"]
        if "const" in schema and value != schema["const"]:
            return [f"{at}: {value!r}"]
        if "enum" in schema and value not in schema["enum"]:
            return [f"{at}: {value!r}"]
        if "pattern" in schema and not re.search(schema["pattern"], value):
            return [f"{at}: {value!r}"]
        if isinstance(value, int) and value < schema.get("minimum", value):
            return [f"{at}: {value!r}"]
        found = []
        if isinstance(value, dict):
            found += [f"{at}: lacks {name}" for name in schema["required"] if name not in value]
            for name, child in value.items():
                self.seen.add(name)
                if name not in schema["properties"]:
                    found.append(f"{at}: {name} is not described")
                else:
                    found += self.faults(child, schema["properties"][name], f"{at}.{name}")
        if isinstance(value, list):
            for i, child in enumerate(value):
                found += self.faults(child, schema["items"], f"{at}[{i}]")
        return found


def names_in(schema):
    """All names of properties, however deep."""
    names = set()
    if isinstance(schema, dict):
        names |= set(schema.get("properties", {}))
        for child in schema.values():
            names |= names_in(child)
    return names


class Report(support.ProductTest):
    def test_reports_keep_to_the_published_schema(self):
        document = json.loads((SOURCE / "docs/report.schema.json").read_text())
        schema = Schema(document)
        reports = [json.loads((SOURCE / "tests/golden/report" / name).read_text())
                   for name in ("report.json", "clean/report.json")]
        repository = support.Repository(self.folder / "recipes")
        repository.write("configs/nvidia-master.yaml", support.MASTER.replace(
            "v0.27.1", "nightly  # recipelint: ignore[RL3001] the nightly build itself"))
        for folder in (repository.path, "fixtures/demo", "fixtures/rules/RL1002/bad", "fixtures/repos/search-space"):
            done = support.run([PROGRAM, "check", SOURCE / folder, "--format", "json",
                                "--show-suppressed"])
            self.assertEqual(done.stderr, "")
            reports.append(json.loads(done.stdout))
        for report in reports:
            self.assertEqual(schema.faults(report, document), [])
        # What is described and never printed would be a promise that nobody keeps.
        self.assertEqual(names_in(document) - schema.seen, set())

    def test_the_schema_refuses(self):
        document = json.loads((SOURCE / "docs/report.schema.json").read_text())
        good = (SOURCE / "tests/golden/report/report.json").read_text()
        for old, new in (('"level":"note"', '"level":"info"'), ('"line":', '"lines":'),
                         ('"schema":"recipelint/1"', '"schema":"recipelint/2"'),
                         ('"errors":1', '"errors":-1'), ('"cells":[]', '"cells":[1]')):
            self.assertIn(old, good)
            self.assertTrue(Schema(document).faults(json.loads(good.replace(old, new, 1)), document), new)


if __name__ == "__main__":
    unittest.main()
