"""Write the reference of the MCP server, from the lists that it gives to clients: `python -m tools.mcp_reference`. A test compares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import veridical_contract
from mcp.types import Tool
from veridical_mcp._prompts import PROMPTS
from veridical_mcp._resources import TEMPLATES
from veridical_mcp._server import INSTRUCTIONS, listed_tools
from veridical_mcp._tools import TOOLS

from .docstrings import documentation

__all__ = ["PAGE", "main", "page"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "mcp.md"

_HEAD = """# MCP

<!-- Written by python -m tools.mcp_reference; run it again instead of editing. -->

What `veridical mcp` serves. These names, arguments and results are a [stable surface](../explanation/compatibility.md). How to use it:
[Use it from an assistant](../how-to/use-over-mcp.md).

A result comes twice, as data (`structuredContent`) and as the same JSON in text; reports and documents that it rests on are named as
resource links. A tool that does not do what it was asked answers with an error (`isError`) of one line that says what to do. A refusal is
no error: it is a result.
"""
_LOCAL = "Over stdio only."


def page() -> str:
    """Return the page."""
    there = {tool.name for tool in listed_tools(local=False)}
    parts = [_HEAD, "## Instructions\n\nWhat a client is told when it connects:\n", f"> {INSTRUCTIONS}\n", "## Tools\n"]
    parts += [f"{line}\n" for tool in listed_tools(local=True) for line in _tool(tool, everywhere=tool.name in there)]
    parts += ["## Resources\n", *_resources(), "## Prompts\n", *_prompts()]
    return "\n".join(parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


def _tool(tool: Tool, *, everywhere: bool) -> Iterator[str]:
    yield f"### {tool.name}"
    yield f"**{tool.title}.** {'' if everywhere else f'{_LOCAL} '}{tool.description}"
    yield _hints(tool)
    yield _arguments(tool)
    yield _result(tool)


def _hints(tool: Tool) -> str:
    hints = tool.annotations
    assert hints is not None  # noqa: S101 - each of them has some
    said = {
        "readOnlyHint": hints.read_only_hint,
        "destructiveHint": hints.destructive_hint,
        "idempotentHint": hints.idempotent_hint,
        "openWorldHint": hints.open_world_hint,
    }
    return (
        "| "
        + " | ".join(said)
        + " |\n|"
        + " --- |" * len(said)
        + "\n| "
        + " | ".join("yes" if hint else "no" for hint in said.values())
        + " |"
    )


def _arguments(tool: Tool) -> str:
    properties = cast("dict[str, dict[str, Any]]", tool.input_schema.get("properties", {}))
    if not properties:
        return "It takes no arguments."
    remote = {one.name: one.input_schema.get("properties", {}) for one in listed_tools(local=False)}.get(tool.name, properties)
    rows = [
        f"| `{name}` | {_type(row)} | {_default(row, required=name in tool.input_schema.get('required', ()))} | "
        f"{row['description']}{'' if name in remote else f' {_LOCAL}'} |"
        for name, row in properties.items()
    ]
    return "\n".join(["| argument | type | default | meaning |", "| --- | --- | --- | --- |", *rows])


def _type(row: Mapping[str, Any]) -> str:
    if "anyOf" in row:
        return " or ".join(_type(one) for one in cast("list[dict[str, Any]]", row["anyOf"]) if one.get("type") != "null")
    if "enum" in row:
        return ", ".join(f"`{value}`" for value in cast("list[str]", row["enum"]))
    if "$ref" in row:
        return _named(str(row["$ref"]).rpartition("/")[2])
    if row["type"] == "array":
        return f"list of {_type(cast('dict[str, Any]', row['items']))}"
    bounds = [str(row[key]) for key in ("minimum", "maximum") if key in row]
    return f"{row['type']}{f', {bounds[0]} to {bounds[1]}' if len(bounds) > 1 else f', {bounds[0]} or more' if bounds else ''}"


def _default(row: Mapping[str, Any], *, required: bool) -> str:
    if required:
        return "needed"
    value = row.get("default")
    return "" if value is None or value == [] else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _result(tool: Tool) -> str:
    model = next(one.result for one in TOOLS if one.name == tool.name)
    if hasattr(veridical_contract, model.__name__):
        return f"Result: {_named(model.__name__)}."
    fields = ", ".join(f"`{name}`" for name in model.model_fields)
    return f"Result: an object with {fields}. {documentation(model).text}"


def _named(name: str) -> str:
    return f"[`{name}`](models.md#{name.lower()})" if hasattr(veridical_contract, name) else f"`{name}`"


def _resources() -> list[str]:
    rows = [f"| `{template.uri_template}` | {template.mime_type} | {template.description} |" for template in TEMPLATES]
    listed = "\nListed are the reports of the newest 20 runs. Documents are found with `search_evidence` and `find_quote`.\n"
    return ["| address | type | what it is |", "| --- | --- | --- |", *rows, listed]


def _prompts() -> list[str]:
    rows = [f"| `{job.name}` | {job.title}. {job.description} | `{job.argument}`: {job.asked} |" for job in PROMPTS]
    return ["| name | what for | argument |", "| --- | --- | --- |", *rows, ""]


if __name__ == "__main__":
    main()
