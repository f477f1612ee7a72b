"""JSON Schema as OpenAI's `strict` takes it: every object is closed, and every member of it is required."""

from __future__ import annotations

from pydantic import JsonValue

_COPIED = {"$ref", "type", "enum", "const", "description", "title", "pattern", "format", "minimum", "maximum", "minItems", "maxItems"}
_SCHEMAS = {"properties", "$defs"}


class _NotStrictError(Exception):
    pass


def strict(schema: JsonValue) -> JsonValue:
    """Return `schema` so that `strict` takes it, None where that would change what it means.

    A member that need not be there becomes required when it has a default, which the model can say as well as leave out.
    """
    try:
        return _strict(schema)
    except _NotStrictError:
        return None


def _strict(schema: JsonValue) -> JsonValue:
    if not isinstance(schema, dict):
        raise _NotStrictError
    found = {name: _member(name, value) for name, value in schema.items() if name not in {"default", "required", "additionalProperties"}}
    return found | _closed(schema) if schema.get("type") == "object" else found


def _member(name: str, value: JsonValue) -> JsonValue:
    if name in _COPIED:
        return value
    if name in _SCHEMAS and isinstance(value, dict):
        return {each: _strict(one) for each, one in value.items()}
    if name == "items":
        return _strict(value)
    if name == "anyOf" and isinstance(value, list):
        return [_strict(one) for one in value]
    raise _NotStrictError


def _closed(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    members, required = schema.get("properties"), schema.get("required") or []
    if not isinstance(members, dict) or not isinstance(required, list) or schema.get("additionalProperties", False) is not False:
        raise _NotStrictError
    if any(name not in required and not (isinstance(member, dict) and "default" in member) for name, member in members.items()):
        raise _NotStrictError
    return {"required": list[JsonValue](members), "additionalProperties": False}
