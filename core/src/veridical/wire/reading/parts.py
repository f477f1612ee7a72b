"""Long plain text in parts, each a record of its own: whoever fetches a quote reads one part, not the whole file.

A part ends where a paragraph does; where none ends in the later half of what it may hold, where a sentence does; then where a line, a
word, at last a grapheme does. So a sentence is divided only where it is longer than half a part. Parts follow one another without a gap.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from veridical_contract import UnreadableError

from .content import Content
from .encodings import Encoding
from .lines import Piece

__all__ = ["LONG", "text_parts"]

LONG: Final = 1 << 20
"""Bytes up to which a text is one document."""

_MOST: Final = 1 << 18
"""Characters of a part."""

_ENDS: Final = (
    re.compile(r"\n[ \t]*\r?\n\s*|\r[ \t]*\r\s*"),
    re.compile(r"[.!?\u2026\u06d4\u0964][\"'\u2019\u201d\u00bb)\]]*[ \t]*(?:\r\n?|\n)|[\u3002\uff01\uff1f][\u300d\u300f\u201d]*"),
    re.compile(r"[.!?\u2026\u06d4\u0964][\"'\u2019\u201d\u00bb)\]]*\s"),
    re.compile(r"\r\n?|\n"),
    re.compile(r"\s"),
)
_LINE_END: Final = re.compile(r"\r\n?|\n")
_JOINERS: Final = frozenset("\u200c\u200d")
_LONGEST_CLUSTER: Final = 64


def text_parts(content: Content, encoding: Encoding, *, most: int = _MOST) -> Iterator[Piece]:
    """Yield the parts of a text, each at most `most` characters; a byte order mark is left out.

    Raises:
        UnreadableError: the file cannot be read, or its bytes do not come back from its characters.
    """
    decoder = codecs.getincrementaldecoder(encoding.part)()
    text, raw, line, offset, mark = "", b"", 1, encoding.mark, encoding.mark
    for chunk in content.chunks():
        raw += chunk[mark:]
        text += _decoded(decoder, chunk[mark:], encoding)
        mark = 0
        while len(text) > 2 * most:
            piece, text, raw = _taken(text, raw, _end(text, most), line, offset, encoding)
            line, offset = line + len(_LINE_END.findall(piece.raw.decode(encoding.part))), offset + len(piece.raw)
            yield piece
    text += _decoded(decoder, b"", encoding, final=True)
    while text:
        piece, text, raw = _taken(text, raw, len(text) if len(text) <= most else _end(text, most), line, offset, encoding)
        line, offset = line + len(_LINE_END.findall(piece.raw.decode(encoding.part))), offset + len(piece.raw)
        yield piece


def _taken(text: str, raw: bytes, end: int, line: int, offset: int, encoding: Encoding) -> tuple[Piece, str, bytes]:
    data = text[:end].encode(encoding.part)
    if not raw.startswith(data):
        raise UnreadableError(f"its bytes are not plain {encoding.part} throughout: save it as UTF-8")
    return Piece(line, offset, data), text[end:], raw[len(data) :]


def _end(text: str, most: int) -> int:
    r"""Return where a part ends, never between `\r` and `\n`."""
    for pattern in _ENDS:
        found = [each.end() for each in pattern.finditer(text, most // 2, most + 1)]
        within = [end for end in found if end <= most and text[end - 1 : end + 1] != "\r\n"]
        if within:
            return within[-1]
    end = most
    while most - end < _LONGEST_CLUSTER and _joins(text, end):
        end -= 1
    return end


def _joins(text: str, at: int) -> bool:
    """Whether a division at `at` would be inside a cluster of characters."""
    after = text[at]
    inside = unicodedata.category(after) in {"Mn", "Mc", "Me", "Sk"} or after in _JOINERS or text[at - 1] in _JOINERS
    return inside or text[at - 1 : at + 1] == "\r\n"


def _decoded(decoder: codecs.IncrementalDecoder, chunk: bytes, encoding: Encoding, *, final: bool = False) -> str:
    try:
        return decoder.decode(chunk, final)
    except UnicodeError:
        raise UnreadableError(f"its bytes are not {encoding.part} throughout: save it as UTF-8") from None
