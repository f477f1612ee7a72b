"""Where quoted strings stand in prose.

    marks of quotation --one pass, a stack of what is open--> quotations, unclosed ones --across paragraphs--> the outermost

Directed marks (“ ” « » „ “ 「 」) say themselves whether they open or close, within the customs of their language; straight ones are told
by what stands beside them, or where that says nothing (`said"so`, `" so "`) by the next one. An apostrophe (it's, the dogs', '90s, rock 'n'
roll) and an inch mark (5", 6'2") are none. What was never closed is quoted to the end of its sentence, as are straight double marks; a
single mark that was never closed is an apostrophe. Where in doubt something is a quotation: what is none is never checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

__all__ = ["Quotation", "find_quotations"]

_MARK: Final = re.compile(
    '\'\'|``|,,|<<|>>|""(?!")|["\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\'\u00ab\u00bb\u2039\u203a\uff02\u300c-\u300f\u300a\u300b\ufe41-\ufe44\u301d-\u301f'
    "\u2033\u02ba\u275b-\u275e\U0001f676-\U0001f678\uff62\uff63\u3008\u3009]"
)
# What closes a quotation that each mark opens. The first is what it is told by where both could be meant.
_CLOSED_BY: Final = {
    '"': '"\u201d',
    "\u2033": "\u2033",
    "\u02ba": "\u02ba",
    "\uff02": "\uff02",
    "\u201c": '\u201d"',
    "\u201d": "\u201d",  # Swedish, Finnish
    "\u201e": '\u201c\u201d\u201f"',
    "\u201f": "\u201d",
    "\u2018": "\u2019",
    "\u201b": "\u2019",
    "\u201a": "\u2018\u2019",
    "'": "'",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab\u00bb",  # German and Danish; Swedish and Finnish
    "\u2039": "\u203a",
    "\u203a": "\u2039\u203a",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
    "\u300a": "\u300b",
    "\ufe41": "\ufe42",
    "\ufe43": "\ufe44",
    "\u301d": "\u301e\u301f",
    "''": ("''",),
    "``": ("''",),
    ",,": ("''", "\u201c", "\u201d", '"'),
    "<<": (">>",),
    '""': ('""',),
    "\u275b": "\u275c",
    "\u275d": "\u275e",
    "\U0001f676": "\U0001f677",
    "\U0001f678": "\U0001f678\U0001f677",
    "\uff62": "\uff63",
    "\u3008": "\u3009",
}
_ALWAYS_OPENS: Final = frozenset("\u201e\u201f\u201a\u201b\u300c\u300e\u300a\ufe41\ufe43\u301d\u275b\u275d\U0001f676\uff62\u3008")
_ALWAYS_CLOSES: Final = frozenset("\u300d\u300f\u300b\ufe42\ufe44\u301e\u301f\u275c\u275e\U0001f677\uff63\u3009")
_STRAIGHT: Final = frozenset('"\uff02\u2033\u02ba')
_SENTENCE_GOES_ON: Final = frozenset(".,;:!?)]}")
_SINGLE: Final = frozenset("\u275b\u275c'\u2018\u2019\u201a\u201b\u2039\u203a")
_APOSTROPHES: Final = frozenset("'\u2019")
_ELIDED: Final = re.compile(
    "(?:\\d\\ds?|tis|twas|twere|twill|em|n|cause|til|till|round|bout|cuz|nuff|fraid|neath|tude|nother|tween|gainst|s|t)(?!\\w)",
    re.IGNORECASE,
)
# Part of a word that stands beside a mark; scripts without spaces have no such words.
_BESIDE: Final = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\ufffc")
_DEEPEST: Final = 8
_SPACES: Final = re.compile(r"\s*+")


class Quotation(NamedTuple):
    """A quoted string.

    Attributes:
        start: first code point inside its marks.
        end: one past the last.
        outer: first code point of the opening mark.
        outer_end: one past the closing mark.
    """

    start: int
    end: int
    outer: int
    outer_end: int


class _Open(NamedTuple):
    mark: str
    start: int
    end: int


class _Mark(NamedTuple):
    mark: str
    start: int
    end: int
    before: str  # the character before it, empty at the beginning
    after: str

    @property
    def leads(self) -> bool:
        """Whether it stands where an opening mark stands."""
        return bool(self.after) and not self.after.isspace() and not _BESIDE.match(self.before)

    @property
    def ends(self) -> bool:
        """Whether it stands where a closing mark stands."""
        return bool(self.before) and not self.before.isspace() and not _BESIDE.match(self.after)


def find_quotations(text: str, blocks: Sequence[tuple[int, int]], sentence_end: Callable[[int], int]) -> list[Quotation]:
    """Return the outermost quotations in the paragraphs `blocks` of `text`, in order.

    One that goes on over paragraphs is found paragraph by paragraph.
    `sentence_end` gives the end of the sentence in which an offset lies.
    """
    found: list[Quotation] = []
    carried: str | None = None
    for index, (start, end) in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        scan = _Scan(text, start, end, carried)
        carried = scan.run(following, sentence_end)
        found += _outermost(scan.found)
    return found


def _outermost(found: list[Quotation]) -> Iterator[Quotation]:
    last = -1
    for quotation in sorted(found, key=lambda one: (one.outer, -one.outer_end)):
        if quotation.outer >= last and quotation.start < quotation.end:
            yield quotation
            last = quotation.outer_end


class _Scan:
    """One paragraph."""

    def __init__(self, text: str, start: int, end: int, carried: str | None) -> None:
        self._text, self._start, self._end = text, start, end
        self._stack: list[_Open] = []
        self._unclosed: list[_Open] = []
        self.found: list[Quotation] = []
        self._from = start
        if carried is not None:
            # A paragraph that goes on with a quotation repeats its opening mark, or (where the marks are directed) may not.
            repeated = text.startswith(carried, start)
            self._from = start + len(carried) * repeated
            self._stack.append(_Open(carried, start, self._from))

    def run(self, following: tuple[int, int] | None, sentence_end: Callable[[int], int]) -> str | None:
        """Find the quotations; return the mark of the one that goes on in the next paragraph."""
        marks = [*self._marks()]
        for mark, after in pairwise((*marks, None)):
            if mark is not None:
                self._take(mark, after)
        left = [*self._unclosed, *self._stack]
        goes_on = self._stack[0] if self._stack and self._goes_on(self._stack[0].mark, following) else None
        for opened in left:
            if opened is goes_on:
                self._add(opened, self._end, self._end)
            elif opened.mark not in _SINGLE:
                stop = max(opened.end, min(self._end, sentence_end(opened.end)))
                self._add(opened, stop, stop)
        return goes_on.mark if goes_on is not None else None

    def _marks(self) -> Iterator[_Mark]:
        for found in _MARK.finditer(self._text, self._from, self._end):
            at, end = found.span()
            before = self._text[at - 1] if at > self._start else ""
            after = self._text[end] if end < self._end else ""
            if found[0] in _APOSTROPHES and _BESIDE.match(before) and _BESIDE.match(after):
                continue
            yield _Mark(found[0], at, end, before, after)

    def _take(self, mark: _Mark, after: _Mark | None) -> None:
        depth = next((depth for depth in reversed(range(len(self._stack))) if mark.mark in _CLOSED_BY[self._stack[depth].mark]), None)
        if depth is not None and self._closes(mark, after):
            opened = self._stack[depth]
            self._drop(depth + 1)
            self._stack.pop()
            self._add(opened, mark.start, mark.end)
        elif self._opens(mark) or (depth is None and self._opens_by_the_next(mark, after)):
            if (
                depth is not None
                and mark.mark in _CLOSED_BY[mark.mark]
                and (mark.mark not in _STRAIGHT or self._stack[depth].mark == mark.mark)
            ):
                self._drop(depth)  # the mark before it was never closed
            if len(self._stack) < _DEEPEST:
                self._stack.append(_Open(mark.mark, mark.start, mark.end))

    def _drop(self, depth: int) -> None:
        self._unclosed += self._stack[depth:]
        del self._stack[depth:]

    def _closes(self, mark: _Mark, after: _Mark | None) -> bool:
        if mark.mark in _ALWAYS_CLOSES:
            return True
        if mark.mark in "\u00ab\u00bb\u2039\u203a":
            spaced = mark.before.isspace() and bool(mark.after) and not mark.after.isspace()
            return not (spaced and _BESIDE.match(mark.after))
        if mark.mark in "\u201c\u2018" or not mark.before:
            return mark.ends or not mark.leads
        if mark.mark in _APOSTROPHES:
            return mark.ends and not (mark.before == "s" and mark.after == " " and _ends_later(mark, after))
        if mark.mark in _STRAIGHT and mark.before.isdigit() and _ends_later(mark, after):
            return False  # inches within a quotation
        if mark.mark in _STRAIGHT and mark.before.isspace() and (not mark.after or mark.after.isspace() or mark.after in _SENTENCE_GOES_ON):
            return True
        return not mark.before.isspace() and not (mark.leads and not mark.ends and mark.before in "([{")

    def _opens(self, mark: _Mark) -> bool:
        if mark.mark not in _CLOSED_BY:
            return False
        if mark.mark in _ALWAYS_OPENS:
            return True
        if mark.mark in ("\u00ab", "\u2039"):
            return not _BESIDE.match(mark.before)
        if mark.mark in ("\u201c", "``"):
            return bool(mark.after) and not mark.after.isspace()
        if mark.mark in ("'", "\u2018"):
            return mark.leads and not _ELIDED.match(self._text, mark.end, self._end)
        if mark.mark == "\u2019":
            return False
        return mark.leads and not (mark.ends and mark.before in _SENTENCE_GOES_ON)

    def _opens_by_the_next(self, mark: _Mark, after: _Mark | None) -> bool:
        """Whether a straight mark with letters, or with white space, on both sides opens what the next mark closes."""
        if mark.mark not in _STRAIGHT or after is None or after.mark != mark.mark or not mark.after:
            return False
        if mark.after.isspace():
            return not self._text[max(self._start, mark.start - 3) : mark.start].rstrip()[-1:].isdigit() and not mark.ends
        return mark.before.isalpha() and mark.after.isalpha()

    def _goes_on(self, mark: str, following: tuple[int, int] | None) -> bool:
        """Whether the next paragraph repeats the mark, or closes what directed marks opened before it opens anything."""
        if following is None or mark in _SINGLE:
            return False
        if self._text.startswith(mark, following[0]):
            return True
        if mark in _CLOSED_BY[mark] or mark == "``":
            return False
        closing = "".join(_CLOSED_BY[mark])
        first = re.compile(f"[{closing}{mark}]").search(self._text, *following)
        return first is not None and first[0] in closing

    def _add(self, opened: _Open, end: int, outer_end: int) -> None:
        """Take what stands between the marks, without the white space and the comma or full stop of the sentence around it."""
        start = min(end, _skip(self._text, opened.end))
        inside = self._text[start:end].rstrip()
        if inside.endswith((",", ";", ":")):
            inside = inside[:-1].rstrip()
        elif inside.endswith(".") and _FULL_STOP.search(inside[-24:]):
            inside = inside[:-1]
        self.found.append(Quotation(start, start + len(inside), opened.start, outer_end))


# Not of an ellipsis or an abbreviation, whose own it is.
_FULL_STOP: Final = re.compile(r"(?<![.\s])(?<!\.\w)(?<!\s\w)\.\Z")


def _skip(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found is not None else at


def _ends_later(mark: _Mark, after: _Mark | None) -> bool:
    """Whether the next mark is the same and can only close: then this one need not."""
    return after is not None and after.mark == mark.mark and after.ends and not after.leads
