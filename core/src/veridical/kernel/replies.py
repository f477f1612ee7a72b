"""The layouts that only recorded replies have, read with the standard library.

sse       the data of each event, in order (HTML Living Standard 9.2.6); events without data are left out
html      elements by the number of their start tag, from 0, and what stands inside them
composed  a URL made of atoms: `https://host/item?id={/hits/3/objectID}`, or `?uddg={57@href}`, a parameter of the URL that stands there
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from urllib.parse import parse_qs, urlsplit

__all__ = ["Element", "element_value", "elements", "event_data", "expanded", "is_composed"]

_LINE = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"(?>\r\n|\n|\r){2}")  # atomic: a CRLF is one line end, never two
_SLOT = re.compile(r"\{([^{}]+)\}")
_SLOT_VALUE = re.compile(r"[A-Za-z0-9_-]{1,128}")
_ADDRESS = re.compile(r"(0|[1-9][0-9]{0,6})(?:@([a-z][a-z0-9-]*))?")
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])


@dataclass(frozen=True, slots=True)
class Element:
    """A start tag and what stands inside its element.

    Attributes:
        tag: its name.
        attributes: as written, character references resolved; of two of one name the first.
        source: of the document.
        begin: where the start tag is over.
        end: where its end tag begins, or where the element has to end.
        last: number of the last start tag inside it, its own where there is none.
    """

    tag: str
    attributes: dict[str, str]
    source: str = field(repr=False)
    begin: int
    end: int
    last: int

    @property
    def inside(self) -> str:
        """What stands inside; cut out when it is asked for, since a page of nested elements would else be kept once for each of them."""
        return self.source[self.begin : self.end]


def event_data(text: str) -> Iterator[str]:
    """Yield the data of each event of a stream; what follows the last blank line is no event."""
    *events, _ = _BLANK.split(text.removeprefix("\ufeff"))
    for event in events:
        fields = [line.partition(":") for line in _LINE.split(event)]
        data = [value.removeprefix(" ") for name, _, value in fields if name == "data"]
        if data and data != ["[DONE]"]:
            yield "\n".join(data)


def elements(source: str) -> list[Element]:
    """Return the elements of an HTML document in the order of their start tags.

    A tag or comment that the source ends in is none (HTML Living Standard 13.2.5, eof-in-tag); so is what follows it.
    """
    reader = _Reader(source)
    # Without `close`, which would read the rest of an unfinished tag anew from each `<` in it: hours for a page made for that.
    reader.feed(source)
    reader.end_all()
    return [Element(tag, held, source, begin, *end) for (tag, held, begin), end in zip(reader.begun, reader.ended, strict=True)]


def element_value(found: Sequence[Element], pointer: str) -> str | None:
    """Return what `pointer` leads to: `N` the inside of an element, `N@NAME` an attribute; None where there is none."""
    address = _ADDRESS.fullmatch(pointer)
    if address is None:
        raise ValueError("no pointer into a page")
    number, name = int(address[1]), address[2]
    if number >= len(found):
        return None
    return found[number].attributes.get(name) if name else found[number].inside


def is_composed(pointer: str) -> bool:
    """Whether a pointer is a template or a parameter, not a pointer itself."""
    return pointer.startswith(("http://", "https://", "?"))


def expanded(pointer: str, take: Callable[[str], str | None]) -> str | None:
    """Return the URL that a composed `pointer` stands for; None when an atom of it is absent.

    Raises:
        ValueError: a slot of a template holds anything but letters, digits, `_` and `-`: it could lead to another host; or what should
            be a link is none, or its parameter no UTF-8.
    """
    slots = {slot: take(slot) for slot in _SLOT.findall(pointer)}
    if None in slots.values():
        return None
    if pointer.startswith("?"):
        name, (value,) = pointer[1:].partition("=")[0], slots.values()
        return next(iter(parse_qs(urlsplit(value or "").query, errors="strict").get(name, [])), None)
    if not all(_SLOT_VALUE.fullmatch(value or "") for value in slots.values()):
        raise ValueError("a slot of a template holds what may not stand there")
    return _SLOT.sub(lambda slot: slots[slot[1]] or "", pointer)


class _Reader(HTMLParser):
    def __init__(self, source: str) -> None:
        # Read as text: else the parser stops at a `&#` that is no reference, and an open element would hold the rest of the page.
        super().__init__(convert_charrefs=True)
        self._source = source
        self._lines = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
        self._open: list[int] = []
        self._tags: Counter[str] = Counter()  # of the open elements: an end tag without one must not cost a look at all of them
        self.begun: list[tuple[str, dict[str, str], int]] = []
        self.ended: list[tuple[int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        begin, number = self._at() + len(self.get_starttag_text() or ""), len(self.begun)
        self.begun.append((tag, {name: value or "" for name, value in reversed(attrs)}, begin))
        self.ended.append((begin, number))
        if tag not in _VOID:
            self._open.append(number)
            self._tags[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # the slash says nothing in HTML

    def handle_endtag(self, tag: str) -> None:
        if self._tags[tag]:
            while self._end(self._at()) != tag:
                pass

    def end_all(self) -> None:
        while self._open:
            self._end(len(self._source))

    def _end(self, at: int) -> str:
        number = self._open.pop()
        tag = self.begun[number][0]
        self._tags[tag] -= 1
        self.ended[number] = (at, len(self.begun) - 1)
        return tag

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column
