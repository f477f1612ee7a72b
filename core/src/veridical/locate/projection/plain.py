"""Plain text: what is there is what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["plain_blocks"]

_LINE: Final = re.compile(r"([^\n\x1e]*)(\n|\x1e|\Z)")


def plain_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open span of each paragraph: lines with something in them, between blank lines or hard boundaries."""
    start = end = None
    for line in _LINE.finditer(text):
        blank = not line[1] or line[1].isspace()
        if not blank:
            start, end = line.start() if start is None else start, line.end(1)
        if start is not None and end is not None and (blank or line[2] != "\n"):
            yield start, end
            start = None
