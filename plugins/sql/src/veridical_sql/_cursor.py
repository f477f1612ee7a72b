"""Where a reading ended: the last row's (incremental, key) pair, and of which declaration they are, as one line of JSON."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import cast
from uuid import UUID

from veridical_contract import ConfigurationError

from ._settings import Declaration

__all__ = ["read_cursor", "written_cursor"]

_READERS: dict[str, Callable[[str], object]] = {
    "bytes": base64.b64decode,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "Decimal": Decimal,
    "float": float,
    "int": int,
    "str": str,
    "UUID": UUID,
}


def written_cursor(declaration: Declaration, last: Sequence[object]) -> str:
    """Return the cursor after a row with the pair `last`.

    Raises:
        ConfigurationError: rows cannot be put in order by a value of that type.
    """
    return json.dumps({"of": _identity(declaration), "last": [_written(value) for value in last]}, ensure_ascii=True)


def read_cursor(declaration: Declaration, cursor: str | None) -> tuple[object, ...] | None:
    """Return the pair after which to go on; None to read everything: there is no cursor, or it is of another query."""
    if cursor is None or declaration.incremental is None:
        return None
    try:
        found = cast("dict[str, object]", json.loads(cursor))
        identity, pair = found["of"], cast("list[list[str]]", found["last"])
        value, key = (_READERS[kind](written) for kind, written in pair)
    except (ValueError, KeyError, TypeError, ArithmeticError):
        raise ConfigurationError(
            "Where the last reading ended is not something that this plugin wrote.",
            hint="Read the source from its begin: veridical sources sync --full NAME",
        ) from None
    return (value, key) if identity == _identity(declaration) else None


def _written(value: object) -> list[str]:
    kind = type(value).__name__
    if kind not in _READERS:
        hint = "Cast the column to a number, a time or text in the query."
        raise ConfigurationError(f"Rows cannot be read from a value of the type {kind} on.", hint=hint)
    if isinstance(value, bytes):
        return [kind, base64.b64encode(value).decode("ascii")]
    return [kind, value.isoformat() if isinstance(value, (date, datetime)) else str(value)]


def _identity(declaration: Declaration) -> str:
    """Return what a reading is known by: rows that were read with another query, or as other fields, are other documents."""
    told = declaration.model_dump(mode="json", exclude={"password_secret", "batch", "seconds"})
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("utf-8")).hexdigest()
