"""The TypeScript types of the contract: what they say of a schema, and that a compiler takes them, and a real report as one of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from veridical import Veridical

from tests.project.code_blocks import DOCS, blocks
from tools import typescript
from tools.docstrings import public_models

TSC = shutil.which("tsc")
compiled = pytest.mark.skipif(TSC is None, reason="the TypeScript compiler tsc is not on the PATH")


def test_the_types_are_those_of_the_models() -> None:
    assert typescript.text() == typescript.FILE.read_text("utf-8"), "run: python -m tools.typescript"


def test_every_model_has_a_type_of_its_name() -> None:
    declared = re.findall(r"^export (?:interface|type) (\w+)", typescript.text(), re.MULTILINE)
    assert declared == sorted(set(declared))
    assert set() == set(public_models()) - set(declared)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"const": "a/1", "type": "string"}, '"a/1"'),
        ({"enum": ["a", "b"], "type": "string"}, '"a" | "b"'),
        ({"anyOf": [{"type": "string", "pattern": "x"}, {"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"$ref": "#/$defs/Item"}, "Item"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "ReadonlyArray<string | null>"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/A"}], "minItems": 2}, "readonly [number, A]"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "{ readonly [name: string]: string }"),
        ({"type": "object"}, "{ readonly [name: string]: unknown }"),
        ({}, "unknown"),
    ],
)
def test_a_schema_is_said_in_typescript(schema: dict[str, Any], expected: str) -> None:
    assert expected == typescript.typed(schema)


def test_a_comment_cannot_end_early() -> None:
    """The only `*/` of each comment is its end."""
    assert [] == [line for line in typescript.text().splitlines() if line.count("*/") > 1]


def compile_beside(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Compile `source`, which may import from "./veridical"."""
    assert TSC is not None
    shutil.copy(typescript.FILE, folder / "veridical.d.ts")
    (folder / "use.ts").write_text(source, "utf-8")
    command = [TSC, "--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "veridical.d.ts", "use.ts"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@compiled
def test_the_types_compile_with_a_real_report_and_the_program_of_the_page(tmp_path: Path) -> None:
    """The page is docs/how-to/use-reports-in-a-program.md."""
    (tmp_path / "a.txt").write_text("The battery of the printer fails after two hours of use.", "utf-8")
    with Veridical(home=tmp_path / "home") as veridical:
        report = veridical.research("Why does the battery fail?", paths=[tmp_path / "a.txt"]).report.model_dump(mode="json")
    (program,) = [block.text for block in blocks(DOCS / "how-to/use-reports-in-a-program.md") if block.language == "typescript"]
    done = compile_beside(tmp_path, f"{program}\nexport const report: Report = {json.dumps(report)};\n")
    assert (0, "") == (done.returncode, done.stdout)


@compiled
def test_the_compiler_finds_what_a_report_is_not(tmp_path: Path) -> None:
    lies = ["report.themes = [];", "report.colour;", "const text: number = report.query;"]
    source = ['import type { Report } from "./veridical";', "declare const report: Report;", *lies]
    done = compile_beside(tmp_path, "\n".join(source) + "\n")
    assert ["3", "4", "5"] == re.findall(r"^use\.ts\((\d+),", done.stdout, re.MULTILINE)
