"""Where sentences start and end in a passage.

Small and robust rather than complete: a wrong cut costs one sentence its place among the candidates, never a false quote, since
whatever is cut out is copied as it stands.

    passage -> blocks (U+001E, blank lines, lines that do not run on) -> sentences (stops that are not abbreviations)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._words import listed

__all__ = ["sentences"]

_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_BLOCK_END = re.compile(r"\x1e|\f|\u2029|\n[ \t\r]*\n|\n")
_STOP = re.compile(r"(?<![.!?…؟])[.!?…؟]+[\"'”\u2019»)\]]*(?=\s)|[。\uff01\uff1f｡।॥\u06d4።။]+[」』”\u2019\uff09》\"]*")
_MARKER = re.compile(r"(?:[-*+•\u2013—]|#{1,6}|\d{1,3}[.)]|[a-z]\))[ \t]+")
_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z])")
_SOLID = re.compile(r"\S")
_LAST_WORD = re.compile(r"[^\s(\[\"'“\u2018]*$")
_ABBREVIATIONS = listed("al approx bzw ca cf dept dr ggf gov jr mr mrs ms prof resp sr st viz vs")
_BEFORE_NUMBERS = listed("abb art ch eq eqs fig figs no nos nr op p pp ref s sec sect tab vol")
_LONGEST_ABBREVIATION = 12
_WRAPPED_LINE = 45
"""Code points from which a line that ends without a stop may be one that an editor wrapped."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the half-open code-point spans of the sentences of `text`, in order, trimmed, without list markers and `> ` lines."""
    return [span for start, end in _blocks(text) for span in _split(text, start, end)]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for quoted in _QUOTED.finditer(text):
        yield from _unquoted(text, start, quoted.start())
        start = quoted.end()
    yield from _unquoted(text, start, len(text))


def _unquoted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for found in _BLOCK_END.finditer(text, start, end):
        if found[0] == "\n" and _runs_on(text, begin, found.start(), found.end(), end):
            continue
        yield begin, found.start()
        begin = found.end()
    yield begin, end


def _runs_on(text: str, start: int, newline: int, after: int, end: int) -> bool:
    """Say whether the line break at `newline` is inside a sentence: the next line goes on in small letters, or this one was full."""
    line = text[max(start, text.rfind("\n", start, newline) + 1) : newline].rstrip()
    following = _SOLID.search(text, after, end)
    if not line or not following or _MARKER.match(text, following.start(), end):
        return False
    return following[0].islower() or (len(line) >= _WRAPPED_LINE and line[-1] not in ":;")


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if _ends_sentence(text, begin, stop, end):
            yield from _trimmed(text, begin, stop.end())
            begin = stop.end()
    yield from _trimmed(text, begin, end)


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    solid = _SOLID.search(text, stop.end(), end)
    following = solid[0] if solid else ""
    if following.islower():
        return False
    if stop[0] != ".":
        return True
    if _NUMBER.fullmatch(text[begin : stop.start()].strip()):
        return False
    found = _LAST_WORD.search(text, max(begin, stop.start() - _LONGEST_ABBREVIATION), stop.start())
    word = found[0] if found else ""
    if word.casefold() in _BEFORE_NUMBERS and following.isdigit():
        return False
    initial = len(word) == 1 and word.isupper() and word != "I"
    return not (initial or word.casefold() in _ABBREVIATIONS or _is_dotted(word))


def _is_dotted(word: str) -> bool:
    """Say whether `word` is an abbreviation with inner stops: e.g, i.e, U.S, z.B."""
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    marker = _MARKER.match(text, start, end)
    if marker:
        start = marker.end()
    if start < end:
        yield start, end
