"""Lines of text and the bytes that each of them is."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from veridical_contract import UnreadableError

from .content import Content
from .encodings import Encoding

__all__ = ["Line", "Piece", "join", "text_lines"]


class Line(NamedTuple):
    """One line with its end, as text and as bytes.

    Attributes:
        number: from 1.
        offset: of its first byte after decompression.
        raw: its bytes.
        text: its characters.
    """

    number: int
    offset: int
    raw: bytes
    text: str


class Piece(NamedTuple):
    """Bytes of one record.

    Attributes:
        number: its first line, from 1.
        offset: of its first byte after decompression.
        raw: its bytes.
    """

    number: int
    offset: int
    raw: bytes


def text_lines(content: Content, encoding: Encoding) -> Iterator[Line]:
    r"""Yield the lines of a file, which end with `\n`, `\r\n` or `\r`; a byte order mark is left out.

    Raises:
        UnreadableError: the file cannot be read, or its bytes do not come back from its characters.
    """
    pairs = _wide(content.whole(), encoding) if encoding.is_wide else _narrow(content.lines(), encoding)
    offset = encoding.mark
    for number, (raw, text) in enumerate(pairs, 1):
        yield Line(number, offset, raw, text)
        offset += len(raw)


def join(lines: Iterable[Line], encoding: Encoding) -> Piece:
    """Return the bytes of lines that follow one another, without the end of the last."""
    taken = list(lines)
    last = taken[-1].text
    end = len(last[len(last.rstrip("\r\n")) :].encode(encoding.part))
    raw = b"".join(line.raw for line in taken)
    return Piece(taken[0].number, taken[0].offset, raw[: len(raw) - end])


def _narrow(lines: Iterable[bytes], encoding: Encoding) -> Iterator[tuple[bytes, str]]:
    mark = encoding.mark
    for line in lines:
        rest, mark = line[mark:], 0
        for raw in rest.splitlines(keepends=True) if b"\r" in rest else (rest,):
            yield raw, _decoded(raw, encoding)


def _wide(data: bytes, encoding: Encoding) -> Iterator[tuple[bytes, str]]:
    at = encoding.mark
    for text in io.StringIO(_decoded(data[at:], encoding), newline=""):
        raw = text.encode(encoding.part)
        at += len(raw)
        yield raw, text


def _decoded(raw: bytes, encoding: Encoding) -> str:
    try:
        return raw.decode(encoding.part)
    except UnicodeError:
        raise UnreadableError(f"its bytes are not {encoding.part} throughout: save it as UTF-8") from None
