"""JSON: one record is one line (`.jsonl`, `.ndjson`), one element of a list, or one of several values in a row, as it lies there."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Final, NamedTuple, cast

from veridical_contract import UnreadableError

from .encodings import Encoding
from .lines import Line, Piece, join

__all__ = ["Value", "read_lines", "read_values"]

_BLANK: Final = frozenset(" \t\n\r")
_DECODER: Final = json.JSONDecoder()


class Value(NamedTuple):
    """One JSON value and the names of its members, each to its RFC 6901 pointer; none for what is no object, or not JSON."""

    piece: Piece
    names: dict[str, str]


def read_lines(lines: Iterable[Line], encoding: Encoding) -> Iterator[Value]:
    """Yield every line that holds something. A line that is not JSON is a record too: the kernel refuses it, and says so."""
    for line in lines:
        if line.text.strip():
            yield Value(join([line], encoding), _names(_loaded(line.text)))


def read_values(data: bytes, encoding: Encoding) -> Iterator[Value]:
    """Yield the elements of the list that `data` is, or the values that stand there one after another.

    Raises:
        UnreadableError: it is not JSON; what stood before was yielded.
    """
    text = data[encoding.mark :].decode(encoding.part)
    offset, line, done = encoding.mark, 1, 0
    for start, end, value in _values(text):
        between = text[done:start]
        offset, line, done = offset + len(between.encode(encoding.part)), line + between.count("\n"), end
        raw = text[start:end].encode(encoding.part)
        if data[offset : offset + len(raw)] != raw:
            raise UnreadableError(f"its bytes do not come back from its characters in {encoding.part}: save it as UTF-8")
        yield Value(Piece(line, offset, raw), _names(value))
        offset, line = offset + len(raw), line + text.count("\n", start, end)


def _values(text: str) -> Iterator[tuple[int, int, object]]:
    at = _skip(text, 0)
    if text.startswith("[", at):
        at = yield from _elements(text, _skip(text, at + 1))
        if at < len(text):
            raise _not_json(text, at)
    while at < len(text):
        end, value = _decode(text, at)
        yield at, end, value
        at = _skip(text, end)


def _elements(text: str, at: int) -> Generator[tuple[int, int, object], None, int]:
    """Yield the elements of a list whose first begins at `at`, and return where what follows the list begins."""
    while not text.startswith("]", at):
        end, value = _decode(text, at)
        yield at, end, value
        at = _skip(text, end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)
            if not text.startswith("]", at):
                continue
        elif text.startswith("]", at):
            break
        raise _not_json(text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _decode(text: str, at: int) -> tuple[int, object]:
    try:
        value, end = cast("tuple[object, int]", _DECODER.raw_decode(text, at))
    except json.JSONDecodeError as error:
        raise _not_json(text, error.pos) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or brackets nested as deep
        raise _not_json(text, at) from None
    return end, value


def _not_json(text: str, at: int) -> UnreadableError:
    return UnreadableError(f"it is not JSON from line {text.count(chr(10), 0, at) + 1} on")


def _loaded(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _names(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    members = cast("dict[str, object]", value)
    return {name: "/" + name.replace("~", "~0").replace("/", "~1") for name in members}
