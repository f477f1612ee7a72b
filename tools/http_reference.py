"""Write the reference of the HTTP service, docs/reference/http.md, from its OpenAPI document and its table of problems.

`python -m tools.http_reference`. A test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import click
import veridical_contract
from veridical_http.app import api
from veridical_http.command import command
from veridical_http.problems import KINDS

__all__ = ["PAGE", "main", "page"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "http.md"
_WIDTH = 100
_HEAD = """# HTTP

<!-- Written by python -m tools.http_reference; run it again instead of editing. -->

What `veridical serve` answers. Routes, fields and codes are a [stable surface](../explanation/compatibility.md). How to use it:
[Serve over HTTP](../how-to/serve-over-http.md). The service gives its OpenAPI document at `/openapi.json`; it has no page that shows it,
since such pages fetch their scripts from elsewhere.

## Of every request

- `Authorization: Bearer TOKEN`, when the service has a token. `/healthz`, `/readyz`, `/openapi.json` and `/problems/...` need none.
- Without a token the service listens on this machine only, answers to its names only (`Host`), and refuses pages of other sites (`Origin`).
- `X-Request-ID` may be given, up to 128 letters, digits and `. _ : -`; it comes back, and stands in the log. Any other is replaced.
- A body is `application/json` in UTF-8, without a name twice in an object, `NaN`, or half of a surrogate pair. Fields that are not known
  are refused.
- No route takes a query but `verify`, which takes `root`.
- `HEAD` is answered wherever `GET` is, `OPTIONS` names the methods. There are no CORS headers: pages of other origins cannot read replies.

## The command
"""
_EVENTS = """Each event has an `id`, an `event`, which is the type of its chunk, and `data`, the chunk as one line of JSON. Lines that begin
with a colon only keep the connection open. The first event is `topic`, the last one `done` or `failed`.
"""
_PROBLEMS = """## Problems

Every reply with a status of 400 or more is a problem document, `application/problem+json`
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). `code` is stable, `type` leads to what it means, `detail` says what it was this time,
and `request_id` is what to tell the operator. A refusal to answer for lack of evidence is no problem: it is an outcome, with status 200.
"""


def page() -> str:
    """Return the page."""
    document = api().openapi()
    schemas = cast("Mapping[str, Any]", document["components"]["schemas"])
    names = command.context_settings["help_option_names"]
    context = click.Context(
        command, info_name="veridical serve", terminal_width=_WIDTH, max_content_width=_WIDTH, help_option_names=list(names)
    )
    parts = [_HEAD, f"```text\n{command.get_help(context).rstrip()}\n```\n"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts += [f"{line}\n" for line in _operation(method.upper(), path, operation, schemas)]
    parts += [_PROBLEMS, *(f"{line}\n" for line in _model("Problem", schemas)), *(f"{line}\n" for line in _model("Invalid", schemas))]
    rows = [(f"`{code}`", str(kind.status), f"{kind.title}. {kind.meaning}") for code, kind in sorted(KINDS.items(), key=_by_status)]
    return "\n".join([*parts, _table(("code", "status", "what it means"), rows), ""])


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


def _by_status(row: tuple[str, Any]) -> tuple[int, str]:
    return row[1].status, row[0]


def _operation(method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {method} {path}"
    said = operation["description"]
    yield operation["summary"] + (f" {said}" if said != operation["summary"] else "")
    if rows := [(f"`{one['name']}`", one["in"], _type(one["schema"]), one["description"]) for one in operation.get("parameters", ())]:
        yield _table(("parameter", "in", "type", "meaning"), rows)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"**Body**: `{kind}`{_linked(content['schema'])}"
        if name := _name(content["schema"]):
            yield _fields(schemas[name])
    for kind, content in operation["responses"]["200"].get("content", {}).items():
        if kind == "text/event-stream":
            yield f"**Reply**: `{kind}`, of {_contract('AgentChunk')}"
            yield _EVENTS.rstrip()
            names = schemas["AgentChunk"]["discriminator"]["mapping"].items()
            yield _table(("event", "its data"), [(f"`{event}`", _contract(ref.rpartition("/")[2])) for event, ref in names])
        else:
            yield f"**Reply**: `{kind}`{_linked(content['schema'])}"
            if (name := _name(content["schema"])) and not hasattr(veridical_contract, name):
                yield _fields(schemas[name], reply=True)


def _model(name: str, schemas: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {name}"
    yield schemas[name]["description"]
    yield _fields(schemas[name], reply=True)


def _fields(schema: Mapping[str, Any], *, reply: bool = False) -> str:
    if not (properties := schema.get("properties")):
        return schema["description"]
    required = schema.get("required", ())
    return _table(
        ("field", "type", "meaning"),
        [
            (f"`{name}`{'' if name in required or reply else ', may be left out'}", _type(field), field.get("description", ""))
            for name, field in properties.items()
        ],
    )


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a field in words, with its bounds."""
    if name := _name(schema):
        return _contract(name)
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = str(schema.get("type", "any"))
    if kind == "array":
        return f"list of ({_type(schema['items'])}){_bounds(schema, 'minItems', 'maxItems')}".replace("(text)", "text")
    kind = {"integer": "whole number", "boolean": "true or false", "string": "text", "null": "null"}.get(kind, kind)
    if pattern := schema.get("pattern"):
        return f"text like `{pattern}`"
    low, high = ("minLength", "maxLength") if kind == "text" else ("minimum", "maximum")
    return kind + _bounds(schema, low, high)


def _bounds(schema: Mapping[str, Any], low: str, high: str) -> str:
    said = [f"{word} {schema[key]:,.0f}" for word, key in (("at least", low), ("at most", high)) if key in schema]
    return f", {', '.join(said)}" if said else ""


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _linked(schema: Mapping[str, Any]) -> str:
    return f", {_contract(name)}" if (name := _name(schema)) else ""


def _contract(name: str) -> str:
    """Return the name of a model as a link, where the reference of the models describes it."""
    found = getattr(veridical_contract, name, None)
    return f"[`{name}`](models.md#{name.lower()})" if isinstance(found, type) else f"`{name}`"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    main()
