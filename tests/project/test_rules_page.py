"""docs/reference/rules.md: every name of a rule that the code refuses by stands there, and no other."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from veridical.kernel import texts

from tests.project.code_blocks import DOCS, ROOT

CORE = ROOT / "core/src/veridical"
PAGE = (DOCS / "reference/rules.md").read_text("utf-8")
NAME = re.compile(r"[a-z]+(?:-[a-z]+)*(?::[a-z]+)?")


def modules(*folders: str) -> Iterator[ast.Module]:
    for folder in folders:
        for path in sorted((CORE / folder).rglob("*.py")):
            yield ast.parse(path.read_text("utf-8"))


def refused_by() -> Iterator[str]:
    """Yield the first argument of each exception of a refusal, the `rule` of each rejection and finding, and the rules of the tables."""
    for module in modules("kernel", "gateway", "workflows", "wire/fetching"):
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                named = [each.value for each in node.keywords if each.arg == "rule"]
                called = ast.unparse(node.func)
                given = node.args[:1] if re.search(r"(?:Refused|SpanError)$", called) else node.args[1:2] if called == "Judged" else []
                yield from (each.value for each in (*named, *given) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    for table in sorted((CORE / "kernel/tables").glob("*/boundaries.json")):
        yield from (rule["rule"] for rule in json.loads(table.read_text("utf-8"))["rules"])


def written() -> set[str]:
    """Return every string of the core."""
    strings = (node.value for module in modules(".") for node in ast.walk(module) if isinstance(node, ast.Constant))
    return {each for each in strings if isinstance(each, str)} | set(refused_by())


def listed() -> set[str]:
    """Return the names in the first cells of the tables, and in the paragraph about counts."""
    cells = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) + re.findall(r"^`count-type`.*?\.$", PAGE, re.MULTILINE | re.DOTALL)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_every_rule_that_something_is_refused_by_is_on_the_page() -> None:
    found = {name for name in refused_by() if NAME.fullmatch(name)}
    assert len(found) > 80
    assert set() == found - listed()


def test_every_name_on_the_page_is_one_of_the_code() -> None:
    assert set() == {name for name in listed() if not NAME.fullmatch(name)}
    assert set() == listed() - written()


def test_every_label_of_a_quote_is_on_the_page() -> None:
    labels = {name for name in written() if texts.known_label(name)}
    assert len(labels) > 20
    assert set() == labels - listed()
