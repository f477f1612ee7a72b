"""Seams: where a provider left something out of an excerpt. A word beside one may be cut in half."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["SEAM", "between_seams"]

SEAM: Final = re.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\(\s*(?:\.\.\.|\u2026)\s*\)|\.{3,}|\u2026|\. \. \.|\x1e)\s*")
"""`...`, `[...]` and the like, and the hard boundary."""

_FIRST: Final = re.compile(r"\S+\s*")
_LAST: Final = re.compile(r"\s*\S+\Z")


def between_seams(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the half-open spans of `text` from `start` to `end` that lie between seams, without the words at a seam, in order."""
    at, cut = start, False
    for seam in [*SEAM.finditer(text, start, end), None]:
        stop = seam.start() if seam is not None else end
        first, last = at, stop
        if cut and (word := _FIRST.match(text, first, last)) is not None:
            first = word.end()
        if seam is not None and (word := _LAST.search(text[first:last])) is not None:
            last = first + word.start()
        if any(map(str.isalnum, text[first:last])):
            yield first, last
        if seam is not None:
            at, cut = seam.end(), True
