"""The OpenAPI document: what FastAPI makes of the routes, with our problems, our token, and the fields as the models describe them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from veridical_contract import AgentChunk

from .edge import OPEN_PATHS
from .problems import MEDIA_TYPE, Problem

__all__ = ["document"]

_REF: Final = "#/components/schemas/{model}"
_FIELD: Final = re.compile(r"    (\w+): (.*)")
_DROPPED: Final = ("HTTPValidationError", "ValidationError")
_STREAM: Final = "/api/v1/agent/stream"
_PROBLEM: Final = {
    "description": "What went wrong, as RFC 9457 says; `code` says which kind.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="Problem")}}},
}
_TOKEN: Final = {"type": "http", "scheme": "bearer", "description": "The service's token, where it has one."}


def document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of `app`."""
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    parts = found["components"]
    schemas: dict[str, Any] = {name: schema for name, schema in parts["schemas"].items() if name not in _DROPPED}
    for adapter, name in ((TypeAdapter[Any](Problem), "Problem"), (TypeAdapter[Any](AgentChunk), "AgentChunk")):
        schema = adapter.json_schema(ref_template=_REF, mode="serialization")
        schemas |= schema.pop("$defs", {}) | {name: schema}
    parts["schemas"] = {name: _described(schema) for name, schema in sorted(schemas.items())}
    parts["securitySchemes"] = {"token": _TOKEN}
    for path, operations in found["paths"].items():
        for operation in operations.values():
            _finish(path, operation)
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": {"$ref": _REF.format(model="AgentChunk")}}
    found["paths"][_STREAM]["post"]["responses"]["200"]["content"]["text/event-stream"]["itemSchema"]["properties"]["data"] = data
    return found


def _finish(path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        parameter["schema"] = _not_null(parameter["schema"])
    if (body := operation.get("requestBody", {}).get("content", {}).get("application/json")) is not None:
        body["schema"] = _not_null(body["schema"])
        operation["requestBody"]["required"] = True
    operation["responses"].pop("422", None)
    operation["responses"]["default"] = _PROBLEM
    operation["operationId"] = re.sub(r"_(api|healthz|readyz|problems)_.*|_(get|post)$", "", operation["operationId"])
    operation["summary"], _, rest = inspect.cleandoc(operation["description"]).partition("\n\n")
    operation["description"] = " ".join(rest.split()) or operation["summary"]
    if path not in OPEN_PATHS and path.startswith("/api/"):
        operation["security"] = [{"token": []}, {}]


def _not_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of what may be left out, and is not null when it is there."""
    parts: list[Mapping[str, Any]] = schema.get("anyOf", [])
    found = next((part for part in parts if part.get("type") != "null"), schema)
    return {name: value for name, value in found.items() if name not in ("title", "description")}


def _described(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Move what a docstring says of the fields to the fields."""
    text, _, fields = str(schema.get("description", "")).partition("\n\nAttributes:\n")
    found: dict[str, Any] = {**schema, **({"description": " ".join(text.split())} if text else {})}
    lines: dict[str, list[str]] = {}
    for line in fields.splitlines():
        if entry := _FIELD.fullmatch(line):
            lines[entry[1]] = [entry[2]]
        elif lines:
            lines[next(reversed(lines))].append(line.strip())
    properties: dict[str, Any] = found.get("properties", {})
    described = {name: {**field, "description": " ".join(lines[name])} if name in lines else field for name, field in properties.items()}
    for field in described.values():
        field.pop("title", None)
    return found | ({"properties": described} if described else {})
