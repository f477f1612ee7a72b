"""Canonical JSON bytes and the digests made of them.

One spelling for one value: keys sorted by code point, no spaces, ASCII only (so no invisible or bidirectional character travels raw),
integers but no floats (two machines may print a float differently), no NaN, no lone surrogates, no duplicate keys. It is the
subset of RFC 8785 on which every JSON implementation agrees, so the stand-alone checker reproduces it with `json.dumps`.
"""

from __future__ import annotations

import hashlib
import json
from typing import cast

from veridical_contract import Json

__all__ = ["canonical_bytes", "digest", "parse"]

_ENCODER = json.JSONEncoder(ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))


def canonical_bytes(value: Json) -> bytes:
    """Return the one byte string that stands for `value`.

    Raises:
        TypeError: a value that is not exactly None, bool, int, str, list, tuple or dict with str keys (subclasses are refused).
        ValueError: a string with a lone surrogate.
    """
    _only_plain(value)
    return _ENCODER.encode(value).encode("ascii")


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes) -> Json:
    """Read JSON bytes, refusing what canonical bytes cannot hold.

    Raises:
        ValueError: not UTF-8 JSON, a duplicate key, a float, NaN or Infinity, a lone surrogate, or nested too deeply to be read.
    """
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_float=_no_float, parse_constant=_no_float)
        _only_plain(found)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    return cast("Json", found)


def _only_plain(*values: object) -> None:
    """Refuse what is not plain. The values of one container at a time: a call for each leaf would cost more than writing it."""
    for value in values:
        kind = type(value)
        if kind is str:
            # A lone surrogate has no UTF-8 form: refuse it before it is hashed.
            cast("str", value).encode("utf-8")
        elif kind is dict:
            members = cast("dict[object, object]", value)
            for key in members:
                if type(key) is not str:
                    raise TypeError(f"canonical JSON needs str keys, got {type(key).__name__}")
            _only_plain(*members, *members.values())
        elif kind is list or kind is tuple:
            _only_plain(*cast("list[object]", value))
        elif value is not None and kind is not bool and kind is not int:
            raise TypeError(f"canonical JSON cannot hold {kind.__name__}")


def _no_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key in JSON object")
    return found


def _no_float(text: str) -> Json:
    raise ValueError(f"JSON holds {text[:20]!r}, which is not an integer")
