"""Changes to the plain values of a case, and the checker called directly."""

from __future__ import annotations

from typing import Any

from veridical.bundle import checker


def at(value: Any, path: str) -> tuple[Any, Any]:
    """Return the container and the key that `path` ends in."""
    *parents, last = [int(token) if token.isdecimal() else token for token in path.split("/")]
    for token in parents:
        value = value[token]
    return value, last


def put(path: str, new: Any):
    """Return a change that puts a value at a path; a function is given the old value."""

    def change(value: Any) -> None:
        holder, last = at(value, path)
        holder[last] = new(holder[last]) if callable(new) else new

    return change


def drop(path: str):
    def change(value: Any) -> None:
        holder, last = at(value, path)
        del holder[last]

    return change


def stop(data: bytes) -> str:
    """Return where the checker stops, called directly: for tests that ask thousands of times."""
    try:
        checker.Bundle(data, None)
    except checker.DoesNotVerify as error:
        return error.args[0]
    return ""
