"""docs/explanation/threat-model.md: every test that it names is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.project.code_blocks import DOCS, ROOT

PAGE = (DOCS / "explanation/threat-model.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`((?:core|plugins|tests|contract)/[\w/-]+\.py)(?:::(\w+))?`", PAGE)))


@pytest.mark.parametrize(("path", "name"), NAMED, ids=[f"{path}::{name}" for path, name in NAMED])
def test_a_test_that_is_named_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    tests = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }
    assert tests
    assert not name or name in tests


def test_everybody_who_takes_part_has_a_section_with_what_they_can_do() -> None:
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:-1]
    assert 10 == len(parts)
    assert [] == [part.splitlines()[0] for part in parts if not re.search(r"^\*\*What (it|they) can do\*\*", part, re.MULTILINE)]
    assert [] == [part.splitlines()[0] for part in parts if "| shown by |" not in part]
