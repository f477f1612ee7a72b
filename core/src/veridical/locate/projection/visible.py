"""The page as a reader sees it, built from markup events; HTML and Markdown feed the same one.

    open, close, void     elements: what they hide, what they separate
    flow, entity, escape  characters of the source, kept only where they are visible
    omit                  something was left out here: a hard boundary

Text only ever grows by characters of the source, in order, and by separators; `result` gives it with its map. Separators wait until
the next visible character, so a page neither begins nor ends with one:

    LF LF        between paragraphs
    LF U+001E    between what must not be read as one: list items, cells, headings, quoted blocks, code, and around what was left out
    U+001E       in a line, where hidden or struck-out text, a comment or an image was
    `> `         before every line of a block quote, once per level

Where end tags are missing or crossed, elements are closed as the HTML standard closes them (13.2.6, simplified to what decides visibility);
where that is not certain, text stays hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Final, NamedTuple, Protocol

from veridical.kernel.derivation import Run, RunKind

__all__ = ["RAW_TEXT", "Place", "Visible"]


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


RAW_TEXT: Final = _names("script style xmp iframe noembed noframes noscript textarea title")
"""Elements whose content is not markup."""

_VOID: Final = _names("area base br col embed hr img input link meta param source track wbr")
_REPLACED: Final = _names("embed img input")
_HIDDEN: Final = RAW_TEXT | _names(
    "annotation applet audio canvas datalist del head map math object rp rt s select strike svg template video"
)
_SOFT: Final = _names("address body center div html main p")
_HARD: Final = _names(
    "article aside blockquote caption dd details dialog dir dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup "
    "hr legend li listing menu nav ol optgroup option pre search section summary table tbody td tfoot th thead tr ul"
)
_BOXES: Final = _names("button")
_SHIFTED: Final = _names("sub sup")
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = _SOFT | _HARD
_TRACKED: Final = _BLOCKS | _BOXES
_FORMATTING: Final = _names("a b big code em font i nobr s small strike strong tt u")
# How far the standard looks for an element that a tag closes (13.2.4.2): its scopes.
_SCOPE: Final = _names("applet caption html marquee object table td template th")
_BUTTON_SCOPE: Final = _SCOPE | _BOXES
_TABLE_SCOPE: Final = _names("html table template")
_SPECIAL: Final = (_TRACKED | _HIDDEN) - _names("address del div p")
_END_SCOPES: Final = {"p": _BUTTON_SCOPE, "li": _SCOPE | _names("ol ul")}
_P: Final = (_names("p"), _BUTTON_SCOPE)
# Start tag to what it closes first, and where the search for that stops.
_IMPLIED: Final[dict[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]] = {
    **dict.fromkeys(_BLOCKS - _names("body caption html legend optgroup option tbody td tfoot th thead tr"), (_P,)),
    "li": ((_names("li"), _SPECIAL), _P),
    **dict.fromkeys(("dd", "dt"), ((_names("dd dt"), _SPECIAL), _P)),
    "button": ((_names("button"), _SCOPE),),
    **dict.fromkeys(("td", "th"), ((_names("td th"), _TABLE_SCOPE),)),
    "tr": ((_names("tr"), _TABLE_SCOPE),),
    **dict.fromkeys(("tbody", "tfoot", "thead"), ((_names("tbody tfoot thead"), _TABLE_SCOPE),)),
}
_DEPTH: Final = 256

_ATTRIBUTE: Final = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?""")
_INVISIBLE: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|text-decoration[a-z-]*\s*:[^;]*line-through)"
)
_WORDS: Final = re.compile(r"[^ \t\n\r\f]++(?: [^ \t\n\r\f]++)*+")
_LINE: Final = re.compile(r"[^\r\n]++|\r\n?|\n")
_BLANK: Final = frozenset(" \t\n\r\f")

_NO_GAP, _SOFT_GAP, _HARD_GAP = range(3)
_NO_CUT, _COMMENT_CUT, _TEXT_CUT = range(3)
_NOWHERE: Final = -1


class Place(Protocol):
    """Where the characters of a string that was cut out of the source stand in the source."""

    def spans(self, start: int, end: int) -> Iterable[tuple[int, int]]:
        """Return the half-open spans of the source that hold characters `start` to `end`, in order; made-up characters have none."""
        ...


class _Element(NamedTuple):
    name: str
    hides: bool
    markdown: bool


class Visible:
    """One page while it is being read."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[str] = []
        self._runs: list[tuple[int, int, int, int, RunKind]] = []
        self._copied = (0, _NOWHERE, 0)  # start in the text, start in the source, end in the source of the copy that may still grow
        self._length = 0
        self._read = 0
        self._stack: list[_Element] = []
        self._open: dict[str, int] = {}
        self._hidden = 0
        self._lost = False
        # What waits for the next visible character.
        self._waits = False
        self._gap = _NO_GAP
        self._cut = _NO_CUT
        self._breaks: list[int] = []
        self._space: int | None = None
        self._shifted = False
        self._heading: tuple[int, int] | None = None  # its depth in the stack, its level
        self._heading_start: int | None = None
        self._block_start = 0
        # Where the attributes of the tag begin that is being opened, and in what; for those who listen to more than is shown.
        self.tag: tuple[int, Place | None] = (0, None)
        self.headings: list[tuple[int, int, int]] = []
        self.blocks: list[tuple[int, int]] = []

    # Elements

    def open(self, name: str, attributes: str = "", *, markdown: bool = False) -> None:
        """An element begins. Those of Markdown are closed by Markdown alone."""
        if self._lost:
            return
        if name in _VOID:
            self.void(name)
            return
        for names, stops in _IMPLIED.get(name, ()):
            self._close_implied(names, stops)
        self._separate(name)
        hides = name in _HIDDEN or _hides(attributes)
        if not (markdown or hides or self._hidden or name in _TRACKED):
            return
        if len(self._stack) >= _DEPTH and not markdown:
            # Too deep to know where it ends: if that matters, nothing more is shown.
            self._lost = self._lost or hides or self._hidden > 0
            return
        self._push(_Element(name, hides, markdown))

    def close(self, name: str, *, markdown: bool = False) -> None:
        """An element ends, if it is open."""
        if self._lost:
            return
        if self._open.get(name):
            self._close_open(name, markdown=markdown)
        if name == "br":
            self.void(name)
        elif name not in _VOID:
            self._separate(name)

    def void(self, name: str) -> None:
        """An element without content."""
        if name == "br":
            self.line_break()
        elif name in _REPLACED:
            self.omit()
        else:
            self._separate(name)

    def omit(self, *, comment: bool = False) -> None:
        """Leave out something that stands here; a comment does not keep two paragraphs apart."""
        self._cut = max(self._cut, _COMMENT_CUT if comment else _TEXT_CUT)
        self._waits = True

    def line_break(self, at: int = _NOWHERE) -> None:
        """A line ends; its line feed stands at `at` in the source, or nowhere."""
        if not self._hidden:
            self._breaks.append(at)
            self._waits = True

    def space(self) -> None:
        """White space that stands nowhere in the source."""
        self._space, self._waits = _NOWHERE, True

    @property
    def in_quote(self) -> bool:
        """Whether this is in a block quote, where one paragraph is one line."""
        return bool(self._open.get("blockquote"))

    @property
    def _in_pre(self) -> bool:
        return bool(self._open.get("pre") or self._open.get("listing"))

    # Characters

    def flow(self, text: str, start: int, end: int, place: Place | None) -> None:
        """Characters of running text: `text[start:end]`, which stands in the source at `place`, or is the source itself."""
        if self._hidden or self._lost:
            self._drop(text, start, end)
        elif self._in_pre:
            self._keep(text, start, end, place)
        else:
            self._collapse(text, start, end, place)

    def entity(self, written: str, place: int) -> None:
        """A character reference that stands at `place` in the source; one that stands for nothing is left out."""
        shown = unescape(written)
        if self._hidden or self._lost:
            self._drop(shown, 0, len(shown))
        elif shown == "\n" and self._in_pre:
            self.line_break()
        elif shown in _BLANK and not self._in_pre:
            self.space()
        elif shown:
            self._put(shown, place, place + len(written), "entity")

    def escape(self, place: int) -> None:
        """A backslash at `place` in the source, and the character that it protects."""
        if self._hidden or self._lost:
            self.omit()
        else:
            self._put(self._source[place + 1], place, place + 2, "escape")

    def code(self, start: int, end: int, *, indent: int = 0) -> None:
        """A stretch of one line of code, kept as it is in the source, after `indent` spaces that a tab stood for."""
        if self._hidden or self._lost:
            self._drop(self._source, start, end)
            return
        if indent:
            self._insert(" " * indent)
        if start < end:
            self._copy(start, end)

    def result(self) -> tuple[str, tuple[Run, ...]]:
        """Return the visible text and its map."""
        self._seal()
        if self._length > self._block_start:
            self.blocks.append((self._block_start, self._length))
            self._block_start = self._length
        return "".join(self._parts), tuple(self._runs)

    # Elements, inside

    def _push(self, element: _Element) -> None:
        self._stack.append(element)
        self._open[element.name] = self._open.get(element.name, 0) + 1
        self._hidden += element.hides
        if element.name in _HEADINGS and self._heading is None:
            self._heading = len(self._stack), _HEADINGS[element.name]

    def _remove(self, index: int) -> None:
        element = self._stack.pop(index)
        self._open[element.name] -= 1
        self._hidden -= element.hides
        if self._heading is not None and index == len(self._stack) < self._heading[0]:
            if self._heading_start is not None:
                self.headings.append((self._heading_start, self._length, self._heading[1]))
            self._heading = self._heading_start = None

    def _close_open(self, name: str, *, markdown: bool) -> None:
        if not markdown and name in _FORMATTING:
            # The adoption agency: only this element ends, what was opened in it stays open.
            index = next(
                (at for at in reversed(range(len(self._stack))) if self._stack[at].name == name and not self._stack[at].markdown), None
            )
            if index is not None:
                self._remove(index)
            return
        stops = _END_SCOPES.get(name, _SCOPE if name in _TRACKED or name in _SPECIAL else _TRACKED) - {name}
        index = self._find(frozenset({name}), frozenset() if markdown else stops, markdown=markdown)
        if index is not None:
            self._pop_to(index)

    def _close_implied(self, names: frozenset[str], stops: frozenset[str]) -> None:
        while any(self._open.get(name) for name in names):
            index = self._find(names, stops, markdown=False)
            if index is None:
                return
            self._pop_to(index)

    def _find(self, names: frozenset[str], stops: frozenset[str], *, markdown: bool) -> int | None:
        for index in range(len(self._stack) - 1, -1, -1):
            element = self._stack[index]
            if element.name in names and element.markdown == markdown:
                return index
            if element.name in stops or (element.markdown and not markdown):
                return None
        return None

    def _pop_to(self, index: int) -> None:
        """Close everything from `index` on. Formatting that hides (`<s>`) goes on after its parent, as in a browser."""
        again = [element for element in self._stack[index + 1 :] if element.hides and element.name in _FORMATTING and not element.markdown]
        while len(self._stack) > index:
            self._remove(len(self._stack) - 1)
        for element in again:
            self._push(element)

    def _separate(self, name: str) -> None:
        if self._hidden:
            return
        if name in _SOFT:
            self._gap = max(self._gap, _SOFT_GAP)
        elif name in _HARD:
            self._gap = _HARD_GAP
        elif name in _BOXES:
            self._cut = max(self._cut, _COMMENT_CUT)
        elif name in _SHIFTED:
            self._shifted = True
        else:
            return
        self._waits = True

    # Characters, inside

    def _drop(self, text: str, start: int, end: int) -> None:
        if self._cut != _TEXT_CUT and not _BLANK.issuperset(text[start:end]):
            self.omit()

    def _collapse(self, text: str, start: int, end: int, place: Place | None) -> None:
        """White space collapses to one space, as CSS 2 (16.6.1) has it."""
        at = start
        for words in _WORDS.finditer(text, start, end):
            if words.start() > at:
                self._space_at(text, at, place)
            self._copy_from(words.start(), words.end(), place)
            at = words.end()
        if at < end:
            self._space_at(text, at, place)

    def _keep(self, text: str, start: int, end: int, place: Place | None) -> None:
        for line in _LINE.finditer(text, start, end):
            if line[0][0] in "\r\n":
                self.line_break(_spot(line.end() - 1, place) if line[0][-1] == "\n" else _NOWHERE)
            else:
                self._copy_from(line.start(), line.end(), place)

    def _space_at(self, text: str, at: int, place: Place | None) -> None:
        self._space = _spot(at, place) if text[at] == " " else _NOWHERE
        self._waits = True

    def _copy_from(self, start: int, end: int, place: Place | None) -> None:
        if place is None:
            self._copy(start, end)
            return
        for first, last in place.spans(start, end):
            self._copy(first, last)

    def _copy(self, start: int, end: int) -> None:
        if start < self._read:  # a parser that goes back must not make the text repeat itself
            self.omit()
            return
        if self._waits:
            self._flush(self._source[start])
        text_start, first, last = self._copied
        if first == _NOWHERE or last != start:
            self._seal()
            text_start, first = self._length, start
        self._copied = (text_start, first, end)
        self._length += end - start
        self._read = end

    def _put(self, shown: str, start: int, end: int, kind: RunKind) -> None:
        if start < self._read:
            self.omit()
            return
        if self._waits:
            self._flush(shown[0])
        self._add(shown, start, end, kind)

    def _insert(self, separator: str) -> None:
        if self._waits:
            self._flush(" ")
        self._add(separator, self._read, self._read, "inserted")

    def _add(self, shown: str, start: int, end: int, kind: RunKind) -> None:
        self._seal()
        self._parts.append(shown)
        self._runs.append((self._length, self._length + len(shown), start, end, kind))
        self._length += len(shown)
        self._read = end

    def _seal(self) -> None:
        """End the copy that may still grow."""
        text_start, first, last = self._copied
        if first != _NOWHERE:
            self._parts.append(self._source[first:last])
            self._runs.append((text_start, self._length, first, last, "copy"))
            self._copied = (0, _NOWHERE, 0)

    def _flush(self, following: str) -> None:
        """Write the separator that waits, before the character `following`."""
        gap, cut, breaks, space = self._gap, self._cut, self._breaks, self._space
        if self._shifted and following.isdigit() and self._last().isdigit():
            cut = max(cut, _COMMENT_CUT)  # 10 and a raised 6 are not 106
        self._waits = self._shifted = False
        self._gap, self._cut, self._breaks, self._space = _NO_GAP, _NO_CUT, [], None
        if not self._length:
            self._begin_block("")
        elif gap == _HARD_GAP or (gap and cut == _TEXT_CUT):
            self._begin_block("\n\x1e\n" if self.in_quote else "\n\x1e")
        elif gap:
            self._begin_block("\n\n")
        else:
            self._inline(cut, breaks, space)

    def _begin_block(self, separator: str) -> None:
        if self._length > self._block_start:
            self.blocks.append((self._block_start, self._length))
        prefix = "> " * self._open.get("blockquote", 0)
        if separator or prefix:
            self._insert(separator + prefix)
        self._block_start = self._length
        if self._heading is not None and self._heading_start is None:
            self._heading_start = self._length

    def _inline(self, cut: int, breaks: list[int], space: int | None) -> None:
        if space is not None and not breaks:
            if space < self._read:
                self._insert(" ")
            else:
                self._copy(space, space + 1)
        if cut:
            self._insert("\x1e")
        prefix = "> " * self._open.get("blockquote", 0)
        for at in breaks:
            if prefix or at < self._read:
                self._insert("\n" + prefix)
            else:
                self._copy(at, at + 1)

    def _last(self) -> str:
        if self._copied[1] != _NOWHERE:
            return self._source[self._copied[2] - 1]
        return self._parts[-1][-1] if self._parts else ""


def _spot(at: int, place: Place | None) -> int:
    return at if place is None else next((start for start, _ in place.spans(at, at + 1)), _NOWHERE)


def _hides(attributes: str) -> bool:
    """Whether an element with these attributes is not shown, or is shown struck out."""
    if "hidden" not in (lower := attributes.lower()) and "style" not in lower:
        return False
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(lower):
        found.setdefault(name, value.strip("\"'"))
    return (
        found.get("hidden", "until-found") != "until-found"
        or found.get("aria-hidden") == "true"
        or _INVISIBLE.search(found.get("style", "")) is not None
    )
