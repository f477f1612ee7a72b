"""From what a driver gives for a column to what a field of an item may be.

text        as it is, NUL and all; what is no UTF-8 in SQLite becomes lone surrogates, and the host refuses the row
number      all its digits, without an exponent; a truth value is `true` or `false`
UUID, IP address, enumeration, interval     as they are written
date, time  ISO 8601; one without a zone gets none
bytes       as UTF-8; no value when they are none
JSON, array compact JSON
NULL        no value
else        an error that names the column: what a person would read of it is for the query to say
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from typing import cast
from uuid import UUID

__all__ = ["UnknownTypeError", "as_published", "as_text", "row_number"]

_WRITTEN = (UUID, timedelta, IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network)


class UnknownTypeError(ValueError):
    """A value is of a type that nobody said how to read."""


def as_text(value: object) -> str | None:
    """Return `value` as text; None where there is none.

    Raises:
        UnknownTypeError: its type is not one of those above.
    """
    if value is None or type(value) is str:
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _decoded(bytes(cast("bytes", value)))
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(_plain(cast("object", value)), ensure_ascii=False, separators=(",", ":"))
    return _scalar(value)


def as_published(value: object) -> str | int | None:
    """Return `value` as a moment that the host reads: ISO 8601 as far as it goes, or whole seconds since 1970.

    Raises:
        UnknownTypeError: its type is not one of those above.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, (float, Decimal)) and math.isfinite(value) and value == int(value):
        return int(value)
    return as_text(value)


def row_number(value: object) -> int | None:
    """Return the number that a key names its row with; None when it is not one, or not positive."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not math.isfinite(value):
        return None
    return int(value) if value >= 1 and value == int(value) else None


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(cast("object", value.value))
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (int, Decimal)):
        return format(value, "f" if isinstance(value, Decimal) else "d")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, _WRITTEN):
        return str(value)
    raise UnknownTypeError(type(value).__name__)


def _decoded(value: bytes) -> str | None:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _plain(value: object) -> object:
    """Return `value` as JSON has it: numbers and truth values as they are, the rest as text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("list[object]", value)]
    if value is None or isinstance(value, (bool, int, float)) or type(value) is str:
        return value
    return as_text(value)
