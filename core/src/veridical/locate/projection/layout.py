"""Where the text of a Markdown block stands in the source: line by line, cell by cell.

A block's text is its lines without what stands before them (indentation, `> `, list markers). Every line is looked for in its own
line of the source and nowhere else; what is not found is not shown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.common.utils import mdTrim

__all__ = ["Laid", "Layout", "NotLaidError"]

_Piece = tuple[int, int, int]

_NEWLINE: Final = re.compile(r"\r\n?|\n")
_CONTAINERS: Final = re.compile(r"[\s>*+\-0-9.)]*")


class NotLaidError(Exception):
    """The text of a block does not fit the lines it is said to stand in."""


class Laid:
    """The text of a block, and where its characters stand in the source."""

    __slots__ = ("_pieces", "_starts", "text")

    def __init__(self, text: str, pieces: Sequence[_Piece]) -> None:
        """Take pieces (start in the text, start in the source, length), in order."""
        self.text = text
        self._pieces = pieces
        self._starts = [start for start, _, _ in pieces]

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """See `Place.spans`."""
        for index in range(max(0, bisect_right(self._starts, start) - 1), len(self._pieces)):
            first, source, length = self._pieces[index]
            if first >= end:
                return
            low, high = max(start, first), min(end, first + length)
            if low < high:
                yield source + low - first, source + high - first

    def at(self, position: int) -> int:
        """Return where a character stands, or -1."""
        return next((start for start, _ in self.spans(position, position + 1)), -1)

    def cut(self, start: int, end: int) -> Laid:
        """Return the part `start` to `end`."""
        pieces: list[_Piece] = []
        for first, source, length in self._pieces:
            low, high = max(start, first), min(end, first + length)
            if low < high:
                pieces.append((low - start, source + low - first, high - low))
        return Laid(self.text[start:end], pieces)


class Layout:
    """The lines of the source, numbered from 0, and the texts of blocks laid over them."""

    def __init__(self, source: str) -> None:
        breaks = [found.span() for found in _NEWLINE.finditer(source)]
        # NUL is what markdown-it-py replaces; the length stays.
        self._source = source.replace("\0", "\ufffd")
        self._lines = list(zip([0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(source)], strict=True))

    def line(self, text: str, number: int) -> tuple[int, int]:
        """Return where a line of text starts in line `number`, and how many of its leading spaces stand for (part of) a tab.

        Raises:
            NotLaidError: it is not in that line.
        """
        first, last = self._lines[number]
        for rest in (text, text.lstrip(" ")):
            at = self._source.rfind(rest, first, last)
            if at >= 0:
                return at, len(text) - len(rest)
        raise NotLaidError

    def line_feed(self, number: int) -> int:
        """Return where the line feed at the end of line `number` stands, or -1."""
        at = self._lines[number + 1][0] - 1 if number + 1 < len(self._lines) else -1
        return at if at >= 0 and self._source[at] == "\n" else -1

    def lines(self, text: str, number: int) -> Laid:
        """Lay lines of text over the source from line `number` on; blank lines before the first were cut off.

        Raises:
            NotLaidError: one of them is not in its line.
        """
        while mdTrim(text) and not mdTrim(self._source[slice(*self._lines[number])]):
            number += 1
        pieces: list[_Piece] = []
        done = 0
        for count, line in enumerate(text.split("\n"), number):
            if line:
                at, indent = self.line(line, count)
                _add(pieces, done + indent, at, len(line) - indent)
            done += len(line)
            if done < len(text) and (at := self.line_feed(count)) >= 0:
                _add(pieces, done, at, 1)
            done += 1
        return Laid(text, pieces)

    def heading(self, text: str, number: int, level: int) -> Laid:
        """Lay the text of a heading that begins with `level` number signs.

        Raises:
            NotLaidError: it is not in that line.
        """
        first, last = self._lines[number]
        at = self._source.find(text, self._source.find("#", first, last) + level, last)
        if at < 0:
            raise NotLaidError
        return Laid(text, [(0, at, len(text))])

    def row(self, texts: Sequence[str], number: int) -> Iterator[Laid]:
        """Lay the cells of a table row, in order; whoever reads them compares each text with what is due."""
        cells = [*self._cells(number), *(Laid("", ()) for _ in texts)]
        before = cells[0].text
        if _CONTAINERS.fullmatch(before) and all(cell.text == text for cell, text in zip(cells[1:], texts, strict=False)):
            del cells[0]
        elif before.endswith(texts[0]):
            # The markers of the list or quote that the table stands in.
            cells[0] = cells[0].cut(len(before) - len(texts[0]), len(before))
        return iter(cells)

    def _cells(self, number: int) -> Iterator[Laid]:
        """Cut a line at its bars. A bar after a backslash is part of the cell, and the backslash is not."""
        first, last = self._lines[number]
        pieces: list[_Piece] = []
        start = first
        for bar in [first + found.start() for found in re.finditer(r"\|", self._source[first:last])]:
            escaped = bar > first and self._source[bar - 1] == "\\"
            pieces.append((0, start, bar - escaped - start))
            start = bar if escaped else bar + 1
            if not escaped:
                yield self._trimmed(pieces)
                pieces = []
        yield self._trimmed([*pieces, (0, start, last - start)])

    def _trimmed(self, parts: Sequence[_Piece]) -> Laid:
        text = ""
        pieces: list[_Piece] = []
        for _, at, length in parts:
            pieces.append((len(text), at, length))
            text += self._source[at : at + length]
        trimmed = mdTrim(text)
        start = text.find(trimmed)
        return Laid(text, pieces).cut(start, start + len(trimmed))


def _add(pieces: list[_Piece], start: int, source: int, length: int) -> None:
    """Append a piece, or let the last one grow."""
    if pieces:
        first, at, count = pieces[-1]
        if first + count == start and at + count == source:
            pieces[-1] = (first, at, count + length)
            return
    pieces.append((start, source, length))
