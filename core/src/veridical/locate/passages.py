"""Passages: what the full-text index holds one by one. For indexing only; what may be quoted is the kernel's business.

A passage is a paragraph, or a part of a long one that ends where a sentence does. None crosses a hard boundary (U+001E) or a blank
line, and together they cover every character that is not white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .projection.plain import plain_blocks

__all__ = ["passages"]

_SENTENCE_END: Final = re.compile(r"[.!?\u2026\u06d4\u0964][\"'\u2019\u201d\u00bb)\]]*\s|[\u3002\uff01\uff1f][\u300d\u300f\u201d]*|\n")
_SPACE: Final = re.compile(r"\s")
_INK: Final = re.compile(r"\S")


def passages(text: str, *, limit: int = 1200) -> tuple[tuple[int, int], ...]:
    """Return half-open spans of code points, in order, each at most `limit` long, that cover all words of `text`."""
    return tuple(part for start, end in plain_blocks(text) for part in _parts(text, start, end, limit))


def _parts(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    while (first := _INK.search(text, start, end)) is not None:
        start = first.start()
        stop = end if end - start <= limit else _stop(text, start, start + limit)
        yield start, start + len(text[start:stop].rstrip())
        start = stop


def _stop(text: str, start: int, limit: int) -> int:
    """Return where to cut before `limit`: after the last sentence in the later half, else at the last white space, else at `limit`."""
    half = (start + limit) // 2
    for pattern in (_SENTENCE_END, _SPACE):
        found = [each.end() for each in pattern.finditer(text, half, limit)]
        if found:
            return found[-1]
    return limit
