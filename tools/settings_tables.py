"""Write the tables of docs/reference/settings.md, below its line that says so, from the models: `python -m tools.settings_tables`.

What stands above that line is written by hand. A table is a model, its keys are the fields, and what they mean stands in the docstrings: of
the program's own settings, and of those that each plugin of this repository asks its context for. A test holds the page against the models.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast
from unittest.mock import MagicMock

from veridical.settings import Settings
from veridical_contract import GENERATION, KINDS, Model

from . import schemas

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "settings.md"
_LINE = "<!-- From here on written by python -m tools.settings_tables: edit the docstrings instead. -->\n"
_TYPES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "`true` or `false`"}
_SHARED = """
## Tables

Each table may be left out, and so may each key that is not marked as required.
"""
_OWN = """
## Tables of plugins

What a plugin takes in its table `[plugin.NAME]`.
"""

_Schema = dict[str, Any]


def page() -> str:
    """Return what the page should hold: what is written by hand, and the tables."""
    by_hand, line, _ = PAGE.read_text("utf-8").partition(_LINE)
    return "".join([by_hand, line or f"\n{_LINE}", tables()])


def tables() -> str:
    """Return the part of the page that is written from the models."""
    own = (part for name, model in models().items() for part in _table(f"plugin.{name}", *_opened(model)))
    return "\n".join([_SHARED, *_table("", *_opened(Settings)), _OWN, *own])


def models() -> dict[str, type[Model]]:
    """Return the settings models of the plugins of this repository that have one, by plugin."""
    found = {folder.name: settings_model(folder.name) for folder in sorted((ROOT / "plugins").iterdir())}
    return {name: model for name, model in found.items() if model is not None}


@cache
def settings_model(name: str) -> type[Model] | None:
    """Return the model of the table `[plugin.NAME]`, as the plugin asks its context for it; None when it asks for none or is not there."""
    asked: list[type[Model]] = []

    class Asked(Exception):  # noqa: N818 - it is no error
        pass

    def answer(model: type[Model]) -> None:
        asked.append(model)
        raise Asked

    context = MagicMock()
    context.settings.side_effect = answer
    for kind in KINDS:
        for entry in entry_points(group=f"veridical.{GENERATION}.{kind}", name=name):
            try:
                entry.load()(context)
            except Asked:
                return asked[-1]
    return None


def _opened(model: type[Model]) -> tuple[_Schema, _Schema]:
    """Return the schema of a model and its definitions."""
    whole = json.loads(schemas.schema(model))
    return whole, whole.get("$defs", {})


def _table(path: str, schema: _Schema, definitions: _Schema) -> Iterator[str]:
    """Yield the parts of the page about the table at `path` and the tables in it."""
    required = schema.get("required", [])
    rows: list[str] = []
    inner: list[tuple[str, _Schema]] = []
    for key, value in schema["properties"].items():
        below, found = _inside(key, value, definitions)
        if found is not None:
            inner.append((f"{path}.{below}" if path else below, found))
        elif path:
            default = "required" if key in required else _default(value)
            rows.append(f"| `{key}` | {_said(value)} | {default} | {value.get('description', '')} |")
    if path:
        about = schema.get("description", "")
        yield f"### `[{path}]`\n\n{about}\n"
        if rows:
            yield "\n".join(["| key | value | default | meaning |", "| --- | --- | --- | --- |", *rows, ""])
    for below, found in inner:
        yield from _table(below, found, definitions)


def _inside(key: str, schema: _Schema, definitions: _Schema) -> tuple[str, _Schema | None]:
    """Return the path below a table that `key` opens, and the table there; no table when it holds a plain value."""
    if "$ref" in schema:
        found = definitions[str(schema["$ref"]).rpartition("/")[2]]
        return key, found if "properties" in found else None
    for each in schema.get("anyOf", ()):
        if "$ref" in each:
            return _inside(key, each, definitions)
    if schema.get("type") == "array":
        below, found = _inside(key, schema.get("items", {}), definitions)
        return f"[{below}]" if found else below, found
    if (values := _values(schema)) is not None:
        return _inside(f"{key}.MODEL" if ".NAME" in key else f"{key}.NAME", values, definitions)
    return key, None


def _values(schema: _Schema) -> _Schema | None:
    """Return the schema of the values of an object with any names; None when it is no such object."""
    by_pattern = list(schema.get("patternProperties", {}).values())
    named = (cast("_Schema", each) for each in [schema.get("additionalProperties"), *by_pattern] if isinstance(each, dict))
    return next(named, None)


def _said(schema: _Schema) -> str:
    """Return what a value may be, in words."""
    if "anyOf" in schema:
        return ", or ".join(dict.fromkeys(_said(each) for each in schema["anyOf"] if each.get("type") != "null"))
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_said(schema['items'])}"
    if schema.get("type") == "object":
        values = _values(schema)
        return f"table of {_said(values)}" if values else "table"
    return _TYPES.get(schema.get("type", ""), "any value") + _bounds(schema)


def _bounds(schema: _Schema) -> str:
    words = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "exclusiveMaximum": "less than"}
    return "".join(f", {word} {schema[key]:,}" for key, word in words.items() if key in schema)


def _default(schema: _Schema) -> str:
    """Return a default as TOML has it; none where leaving it out is a choice of its own."""
    default = schema.get("default")
    return "" if default is None or default in ([], {}) else f"`{json.dumps(default)}`"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
