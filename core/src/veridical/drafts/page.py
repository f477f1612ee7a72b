"""What a draft shows, and where what it shows stands: the one shape that Markdown, HTML and plain text are brought into.

    markdown, html, plain --tell--> Page --reading()--> Reading

`Page` is the projection's page, which knows what is visible; it notes besides where links, quotations and code begin and end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Final, Literal, NamedTuple

from markdown_it.common.normalize_url import normalizeLink

from veridical.kernel.derivation import Run
from veridical.locate.projection.visible import Visible

__all__ = ["Block", "Link", "Page", "Quoted", "Reading"]

BlockKind = Literal["prose", "heading", "code"]

_NOTED: Final = frozenset({"a", "q", "cite"})
_CODE: Final = frozenset({"code", "kbd", "samp", "tt", "var"})
_ATTRIBUTE: Final = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++)))?""")
_VALUE: Final = (2, 3, 4)
# Elements whose words were taken back, stand nowhere, or are no words; what others hide may be shown by a script or a style sheet.
_NEVER_SHOWN: Final = frozenset({"script", "style", "template", "head", "datalist", "del", "s", "strike", "rp", "rt", "map", "annotation"})
# Elements that the next of their kind closes.
_UNCLOSED: Final = frozenset({"p", "li", "dt", "dd", "td", "th", "tr"})
_STRUCK: Final = re.compile("line-through", re.IGNORECASE)
# Styles with which words stand on a page and are not seen, besides those that the projection knows.
_UNSEEN: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden|"
    r"(?:font-size|opacity|zoom|(?:max-)?(?:width|height))\s*:\s*0*\.?0+(?![.\d])|transform\s*:\s*scale[xy]?\(\s*0|"
    r"color\s*:\s*(?:transparent|rgba\([^)]*[,/]\s*0?\.?0*\s*\))|clip\s*:\s*rect|clip-path\s*:\s*(?:inset|circle)|"
    r"(?!.*background)color\s*:\s*(?:#fff(?:fff)?|white)\b|(?:text-indent|left|top|right|bottom|margin[a-z-]*)\s*:\s*-\d{3,})"
)
_CSS_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_HIDDEN_INK: Final = "\x1e"


class Block(NamedTuple):
    """A paragraph of the visible text.

    Attributes:
        start: first code point of the visible text.
        end: one past the last.
        kind: what it is.
        level: how many block quotations it stands in.
        quotation: number of the outermost of these, from 1; 0 outside.
        item: ordinal of the list item that it stands in; 0: none.
    """

    start: int
    end: int
    kind: BlockKind
    level: int
    quotation: int
    item: int


class Link(NamedTuple):
    """A link: its label in the visible text, and its address in the source.

    Attributes:
        start: first code point of the label.
        end: one past the last.
        address: with entities and escapes resolved; it may lead nowhere else than to this draft (`#note`).
        source: first code point of the address in the source.
        source_end: one past the last.
    """

    start: int
    end: int
    address: str
    source: int
    source_end: int


class Quoted(NamedTuple):
    """A `<q>` or `<cite>` in the visible text, and the address that it gives."""

    start: int
    end: int
    address: str


@dataclass(frozen=True)
class Reading:
    """A draft as it is seen. All offsets but those called `source` are code points of `text`.

    Attributes:
        source: the draft.
        text: what a reader sees; see `veridical.locate.projection.visible` for its separators.
        runs: where each stretch of it stands in the source; see `veridical.kernel.derivation`.
        blocks: paragraphs, in order.
        links: in order.
        code: spans in the midst of prose that are code.
        quoted: `<q>`.
        cited: `<cite>`.
        anchors: where an element with an id begins.
        quotations: addresses that block quotations give, by their number.
        definitions: links that reference definitions make, which stand outside the visible text.
        asides: spans of the source within elements that are hidden, or that only some programs show.
    """

    source: str
    text: str
    runs: tuple[Run, ...]
    blocks: tuple[Block, ...]
    links: tuple[Link, ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    quoted: tuple[Quoted, ...] = ()
    cited: tuple[Quoted, ...] = ()
    anchors: Mapping[str, int] | None = None
    quotations: Mapping[int, str] | None = None
    definitions: tuple[Link, ...] = ()
    asides: tuple[tuple[int, int], ...] = ()

    @cached_property
    def prose(self) -> str:
        """The visible text with other characters for code and hard boundaries, of the same length: none of them is ever checked."""
        parts: list[str] = []
        done = 0
        for start, end in self.code:
            parts += (self.text[done:start], "\ufffc" * (end - start))
            done = max(done, end)
        return "".join((*parts, self.text[done:])) if parts else self.text

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]`, which holds something visible, stands in the source, without what was inserted at its ends."""
        first, last = self._run(start), self._run(end - 1)
        while self.runs[first][4] == "inserted":
            first += 1
            start = self.runs[first][0]
        while self.runs[last][4] == "inserted":
            last -= 1
            end = self.runs[last][1]
        t0, _, a0, _, kind = self.runs[first]
        _, _, b0, b1, ending = self.runs[last]
        return (a0 + start - t0 if kind == "copy" else a0), (b0 + end - self.runs[last][0] if ending == "copy" else b1)

    def words(self, start: int, end: int) -> str:
        """Return the visible words from `start` to `end`: without hard boundaries and the marks of block quotations."""
        parts: list[str] = []
        for index in range(self._run(start), self._run(end - 1) + 1):
            t0, t1, _, _, kind = self.runs[index]
            part = self.text[max(start, t0) : min(end, t1)]
            parts.append(_INSERTED.sub("", part) if kind == "inserted" else part)
        return "".join(parts).replace(_HIDDEN_INK, "").strip()

    def trim(self, start: int, end: int) -> tuple[int, int]:
        """Return the span without white space and separators at its ends; empty when nothing else is there."""
        while start < end and self._is_blank(start):
            start += 1
        while start < end and self._is_blank(end - 1):
            end -= 1
        return start, end

    def _is_blank(self, at: int) -> bool:
        return self.text[at].isspace() or self.text[at] == _HIDDEN_INK or self.runs[self._run(at)][4] == "inserted"

    def _run(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1

    @cached_property
    def _starts(self) -> list[int]:
        return [run[0] for run in self.runs]


_PLAIN: Final[tuple[BlockKind, int, int, int]] = ("prose", 0, 0, 0)
_INSERTED: Final = re.compile(r"(?<=\n)(?:> )+|\A(?:> )+")


class _Opened(NamedTuple):
    start: int
    address: str
    source: tuple[int, int]


class Page(Visible):
    """A page that notes more than what is visible.

    It takes what is read, and the draft itself where something of it was blanked for reading; both are equally long.
    """

    def __init__(self, source: str, draft: str | None = None) -> None:
        super().__init__(source)
        self._draft = source if draft is None else draft
        self._begun: dict[int, tuple[BlockKind, int, int, int]] = {}
        self._noted: dict[str, list[_Opened]] = {}
        self._links: list[Link] = []
        self._codes: list[tuple[int, int]] = []
        self._code_from = -1
        self._spans: dict[str, list[Quoted]] = {"q": [], "cite": []}
        self._anchors: dict[str, int] = {}
        self._quotation = 0
        self._addresses: dict[int, str] = {}
        self._items: list[list[int]] = []
        self._asides: list[tuple[int, int]] = []
        self.definitions: list[Link] = []

    # Elements

    def open(self, name: str, attributes: str = "", *, markdown: bool = False) -> None:
        """An element begins."""
        given = {} if markdown or not attributes else dict(self._attributes(attributes))
        self._list(name, given)
        if name == "blockquote" and not self.in_quote:
            self._quotation += 1
            self._addresses[self._quotation] = given.get("cite", ("", 0, 0))[0]
        if name == "a":
            self.close("a")
        style = _CSS_COMMENT.sub("", given.get("style", ("", 0, 0))[0].lower())
        super().open(name, f"{attributes} hidden" if _UNSEEN.search(style) else attributes, markdown=markdown)
        hides = bool(self._stack) and self._stack[-1].hides and self._stack[-1].name == name and self._hidden == 1
        if hides and not (markdown or name in _NEVER_SHOWN or _STRUCK.search(style)):
            self._aside(name, len(attributes))
        if self._hidden or self._lost:
            return
        for key in ("id", "name"):
            if key in given:
                self._anchors.setdefault(given[key][0], self._length)
        if name in _NOTED:
            address, *source = given.get("href" if name == "a" else "cite", ("", -1, -1))
            self._noted.setdefault(name, []).append(_Opened(self._length, address, (source[0], source[1])))
        elif name in _CODE:
            self.begin_code()

    def close(self, name: str, *, markdown: bool = False) -> None:
        """An element ends, if it is open."""
        opened = self._noted.get(name)
        if opened:
            self._note(name, opened.pop(), self._length)
        elif name in _CODE:
            self.end_code()
        elif name in ("ol", "ul") and self._items:
            self._items.pop()
        super().close(name, markdown=markdown)

    def begin_code(self) -> None:
        """Code begins in the midst of prose."""
        self._code_from = self._length if self._code_from < 0 else self._code_from

    def end_code(self) -> None:
        """Code ends."""
        if 0 <= self._code_from < self._length:
            self._codes.append((self._code_from, self._length))
        self._code_from = -1

    def link(self, start: int, address: str, source: tuple[int, int]) -> None:
        """A link ends whose label began at `start` of what is visible."""
        self._links.append(Link(start, self._length, address, *source))

    def item(self, number: int) -> None:
        """A list item with a number begins."""
        if self._items:
            self._items[-1][0] = number

    @property
    def length(self) -> int:
        """How much is visible so far."""
        return self._length

    def reading(self) -> Reading:
        """Return what was read."""
        for name, opened in self._noted.items():
            for one in opened:
                self._note(name, one, self._length)
        self.end_code()
        text, runs = self.result()
        # A page that begins with a character and no element begins its first block unseen.
        blocks = tuple(Block(start, end, *self._begun.get(start, _PLAIN)) for start, end in self.blocks)
        reading = Reading(self._draft, text, runs, blocks)
        quoted, cited = (tuple(_within(reading, self._spans[name])) for name in ("q", "cite"))
        return Reading(
            self._draft,
            text,
            runs,
            blocks,
            links=tuple(self._shown_links(reading)),
            code=tuple(reading.trim(*span) for span in self._codes),
            quoted=quoted,
            cited=cited,
            anchors=self._anchors,
            quotations={number: address for number, address in self._addresses.items() if address},
            definitions=tuple(self.definitions),
            asides=tuple(self._asides),
        )

    # Inside

    def _shown_links(self, reading: Reading) -> Iterator[Link]:
        # Markdown's parser spells addresses in its own way; the definition has them as they are written.
        written = {normalizeLink(link.address): link.address for link in reversed(self.definitions)}
        for link in sorted(self._links, key=lambda link: (link.start, link.source)):
            start, end = _capped(reading, link)
            yield link._replace(start=start, end=end, address=written.get(link.address, link.address) if link.source < 0 else link.address)

    def _begin_block(self, separator: str) -> None:
        super()._begin_block(separator)
        kind: BlockKind = "code" if self._in_pre else "heading" if self._heading is not None else "prose"
        level = self._open.get("blockquote", 0)
        self._begun[self._length] = (kind, level, self._quotation if level else 0, self._items[-1][0] if self._items else 0)

    def _list(self, name: str, given: Mapping[str, tuple[str, int, int]]) -> None:
        if name in ("ol", "ul"):
            first = given.get("start", ("1", 0, 0))[0]
            self._items.append([int(first[:9]) - 1 if first[:9].isdecimal() else 0, name == "ol"])
        elif name == "li" and self._items:
            value = given.get("value", ("", 0, 0))[0]
            ordered = self._items[-1][1]
            self._items[-1][0] = int(value[:9]) if value[:9].isdecimal() else self._items[-1][0] + ordered

    def _aside(self, name: str, attributes: int) -> None:
        """Note what stands in the element whose tag was just read."""
        _, start = self._source_place(attributes, attributes + 1)
        if start < (self._asides[-1][1] if self._asides else 0):
            return
        depth, end = 1, len(self._draft)
        for tag in re.compile(rf"<(/?){re.escape(name)}(?=[\s/>])", re.IGNORECASE).finditer(self._draft, start):
            depth += -1 if tag[1] or name in _UNCLOSED else 1
            if not depth:
                end = tag.start()
                break
        self._asides.append((start, end))

    def _note(self, name: str, opened: _Opened, end: int) -> None:
        if name != "a":
            self._spans[name].append(Quoted(opened.start, end, opened.address))
        elif opened.source[0] >= 0:
            self._links.append(Link(opened.start, end, opened.address, *opened.source))

    def _attributes(self, attributes: str) -> Iterator[tuple[str, tuple[str, int, int]]]:
        """Yield name, value and the place of the value in the source; of two with one name the first counts, so it comes last."""
        for found in reversed(list(_ATTRIBUTE.finditer(attributes))):
            group = next((group for group in _VALUE if found[group] is not None), None)
            if group is None:
                yield found[1].lower(), ("", -1, -1)
                continue
            value = found[group].strip(" \t\n\r\f")
            start = found.start(group) + found[group].find(value)
            yield found[1].lower(), (unescape(value), *self._source_place(start, start + len(value)))

    def _source_place(self, start: int, end: int) -> tuple[int, int]:
        offset, place = self.tag
        if place is None:
            return offset + start, offset + end
        spans = list(place.spans(offset + start, offset + end))
        return (spans[0][0], spans[-1][1]) if spans else (-1, -1)


def _within(reading: Reading, spans: list[Quoted]) -> Iterator[Quoted]:
    """Yield what is not empty, up to the end of the block in which it begins: what was never closed must not swallow the rest."""
    for span in sorted(spans):
        start, end = _capped(reading, span)
        if start < end:
            yield Quoted(start, end, span.address)


def _capped(reading: Reading, span: Quoted | Link) -> tuple[int, int]:
    start, end = reading.trim(span.start, span.end)
    index = bisect_right(reading.blocks, start, key=lambda block: block.start) - 1
    return start, min(end, reading.blocks[index].end) if index >= 0 else end
