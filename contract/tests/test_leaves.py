"""Every string of a report says where its words come from; there is no string that nobody answers for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast, get_args

import pytest
from veridical_contract import AgentChunk, Audit, CheckReport, Completion, Model, Report, ResearchOutcome

CLASSES = {"span", "ledger", "computed", "kernel", "user", "prose", "untrusted"}
SCALARS = {"boolean", "integer", "number", "null"}


def leaves(model: type[Model]) -> Iterator[tuple[str, str]]:
    """Yield the path and the class of every leaf that can carry words."""
    root = model.model_json_schema()
    yield from _walk(root, model.__name__, root.get("$defs", {}), frozenset())


def _walk(node: dict[str, Any], path: str, definitions: dict[str, Any], above: frozenset[str]) -> Iterator[tuple[str, str]]:
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        assert name not in above, f"{path}: a report is finite, {name} holds itself"
        yield from _walk(definitions[name], path, definitions, above | {name})
    elif "anyOf" in node:
        for choice in node["anyOf"]:
            yield from _walk(choice, path, definitions, above)
    elif node.get("type") == "object":
        yield from _walk_object(node, path, definitions, above)
    elif node.get("type") == "array":
        for item in [*node.get("prefixItems", []), *([node["items"]] if "items" in node else [])]:
            yield from _walk(item, f"{path}[]", definitions, above)
    elif node.get("type") not in SCALARS:
        yield path, "constant" if "enum" in node or "const" in node else str(node.get("leaf", "unknown"))


def _walk_object(node: dict[str, Any], path: str, definitions: dict[str, Any], above: frozenset[str]) -> Iterator[tuple[str, str]]:
    for name, part in node.get("properties", {}).items():
        yield from _walk(part, f"{path}.{name}", definitions, above)
    if values := cast("dict[str, Any]", node.get("additionalProperties") or {}):
        yield from _walk({"type": "string", **node.get("propertyNames", {})}, f"{path}{{}} key", definitions, above)
        yield from _walk(values, f"{path}{{}}", definitions, above)


LEAVING: list[type[Model]] = [Report, CheckReport, ResearchOutcome, Audit, Completion, *get_args(get_args(AgentChunk)[0])]


@pytest.mark.parametrize("model", LEAVING)
def test_every_string_of_a_report_has_a_class(model: type[Model]) -> None:
    found = dict(leaves(model))
    print("", *(f"{kind:10} {path}" for path, kind in found.items()), sep="\n")
    assert {} == {path: kind for path, kind in found.items() if kind not in CLASSES | {"constant"}}


def test_every_class_is_in_use() -> None:
    assert CLASSES <= set(dict(leaves(Report)).values())


def test_words_of_plugins_and_models_stand_in_few_places() -> None:
    """A new leaf of these two classes is a decision, and this is where it is seen."""
    found = {(kind, ".".join(path.split(".")[-2:])) for path, kind in leaves(Report) if kind in {"prose", "untrusted"}}
    assert {("prose", "name.text"), ("prose", "claims[].template"), ("prose", "claims[].text"), ("untrusted", "reason.text")} == found


def test_in_an_outcome_the_words_of_plugins_stand_in_one_place_and_there_are_none_of_a_model() -> None:
    found = {(kind, path) for path, kind in leaves(ResearchOutcome) if kind in {"prose", "untrusted"}}
    assert {("untrusted", "ResearchOutcome.unverified_notes[].text")} == found


def test_a_string_that_nobody_answers_for_is_found() -> None:
    class Inner(Model):
        bare: str | None
        named: dict[str, int]

    class Outer(Model):
        inner: tuple[Inner, ...]

    assert [("Outer.inner[].bare", "unknown"), ("Outer.inner[].named{} key", "unknown")] == list(leaves(Outer))


def test_a_model_that_holds_itself_is_found() -> None:
    with pytest.raises(AssertionError, match="Loop holds itself"):
        list(leaves(Loop))


class Loop(Model):
    again: tuple[Loop, ...] = ()
