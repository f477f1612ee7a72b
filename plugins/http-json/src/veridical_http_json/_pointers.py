"""RFC 6901 pointers into parsed JSON: what stands there, and putting something there."""

from __future__ import annotations

from copy import deepcopy

from pydantic import JsonValue

__all__ = ["at", "filled"]


def at(value: JsonValue, pointer: str) -> JsonValue:
    """Return what stands at `pointer`, which may be without the slash before it; None where nothing does."""
    for token in _tokens(pointer):
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and token.isascii() and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None
    return value


def filled(value: dict[str, JsonValue], pointer: str, new: JsonValue) -> dict[str, JsonValue]:
    """Return a copy of `value` with `new` at `pointer`; members on the way that are no objects become such."""
    copy = deepcopy(value)
    *way, last = _tokens(pointer)
    place = copy
    for token in way:
        inner = place.get(token)
        if not isinstance(inner, dict):
            inner = {}
            place[token] = inner
        place = inner
    place[last] = new
    return copy


def _tokens(pointer: str) -> list[str]:
    stripped = pointer.removeprefix("/")
    return [token.replace("~1", "/").replace("~0", "~") for token in stripped.split("/")] if stripped else []
