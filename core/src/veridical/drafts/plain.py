"""A draft in plain text: paragraphs between blank lines; lines that begin with `>` are quoted, as in e-mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .page import Page, Reading

__all__ = ["read_plain"]

_LINE: Final = re.compile(r"[^\r\n\x1e]*+(?:\r\n?|\n|\x1e|\Z)")
_INDENT: Final = re.compile(r"[^\S\r\n]*+")
_QUOTED: Final = re.compile(r"[^\S\r\n]{0,3}+(?:>[^\S\r\n]?+)++")
_BREAK: Final = "\r\n\x1e"


class _Line(NamedTuple):
    start: int  # of its words
    end: int
    level: int
    feed: int  # where its line feed stands, or -1


def read_plain(source: str) -> Reading:
    """Return the paragraphs of `source`."""
    page = Page(source)
    level, open_paragraph = 0, False
    for line in _lines(source):
        if line.level != level or line.start == line.end:
            page.close("p")
            open_paragraph = False
        for _ in range(line.level, level):
            page.close("blockquote")
        for _ in range(level, line.level):
            page.open("blockquote")
        level = line.level
        if line.start == line.end:
            continue
        if not open_paragraph:
            page.open("p")
            open_paragraph = True
        page.code(line.start, line.end)
        if level:
            page.space()
        else:
            page.line_break(line.feed)
    return page.reading()


def _lines(source: str) -> Iterator[_Line]:
    for found in _LINE.finditer(source):
        if found.start() == found.end():
            return
        quoted = _QUOTED.match(source, *found.span())
        start = quoted.end() if quoted is not None else found.start()
        indent = _INDENT.match(source, start, found.end())
        start = indent.end() if indent is not None else start
        stop = found.end() - 1 if source[found.end() - 1] == "\n" else -1
        end = max(start, found.start() + len(found[0].rstrip()))
        yield _Line(start, end, min(quoted[0].count(">"), 8) if quoted is not None else 0, stop)
