"""From a provider's excerpt to the page itself: do its words stand there, and where?

    excerpt --seams--> pieces --locate, in order--> places on the page
                          `-- not there --> Absent: which piece, by which rule

An excerpt is cut at its ellipses and at what the host left out. A word that a seam cuts in half is left out of the piece: what is released
later is the page's own characters, never the excerpt's. Every piece has to be found, one after the other, in one part of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from veridical.kernel.policy import Policy
from veridical.kernel.quotes import Refused, confirm
from veridical.locate.find import Located, locate
from veridical.locate.seams import SEAM

from .page import Page

__all__ = ["Absent", "PagePlace", "Upgrade", "find_excerpt", "is_unbroken", "pieces", "upgrade"]

_FIRST: Final = re.compile(r"\A\S+\s+")
_LAST: Final = re.compile(r"\s+\S+\Z")
_LINE: Final = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Where a piece of an excerpt stands on a page.

    Attributes:
        part: index of the part of the page, or of the text.
        start: first code point of the part's text.
        end: one past the last.
        folds: differences between excerpt and page that were passed over, sorted.
    """

    part: int
    start: int
    end: int
    folds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """A piece of an excerpt that is not on the page, and the rule that says so; `out-of-order` where it stands before an earlier one."""

    piece: str
    rule: str


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What became of an excerpt.

    Attributes:
        places: of its pieces, in order, in one part.
        absent: pieces that are not there. The excerpt is held only where this is empty.
    """

    places: tuple[PagePlace, ...]
    absent: tuple[Absent, ...]

    @property
    def held(self) -> bool:
        """Whether every piece stands on the page."""
        return bool(self.places) and not self.absent


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    after_seam: bool
    before_seam: bool


def upgrade(excerpt: str, page: Page, *, policy: Policy) -> Upgrade:
    """Find an excerpt, the text of a document of grade `wire`, on a page that was fetched.

    Args:
        excerpt: with seams where the provider left something out.
        page: the page that it is said to come from.
        policy: whose folds may find it.
    """
    return find_excerpt(excerpt, [part.text for part in page.parts], policy=policy)


def find_excerpt(excerpt: str, texts: Sequence[str], *, policy: Policy) -> Upgrade:
    """Find an excerpt in one of several texts: the one that holds most of it."""
    found = pieces(excerpt)
    tries = [_in_part(index, text, found, policy) for index, text in enumerate(texts)]
    nothing = Upgrade((), tuple(Absent(piece.text, "not-found") for piece in found))
    return min(tries, key=lambda one: len(one.absent), default=nothing)


def is_unbroken(text: str, places: Sequence[PagePlace]) -> bool:
    """Whether no word of the text stands between the places: where the words are the text's own, an ellipsis hides nothing."""
    return not any(char.isalnum() for one, other in pairwise(places) for char in text[one.end : other.start])


def pieces(excerpt: str) -> list[_Piece]:
    """Cut an excerpt at its seams; what holds no letter or digit is no piece."""
    texts, ends = SEAM.split(excerpt), len(SEAM.findall(excerpt))
    cut = [_Piece(text.strip(), index > 0, index < ends) for index, text in enumerate(texts)]
    return [piece for piece in cut if any(map(str.isalnum, piece.text))]


def _in_part(index: int, text: str, found: Sequence[_Piece], policy: Policy) -> Upgrade:
    places: list[PagePlace] = []
    absent: list[Absent] = []
    at = 0
    for piece in found:
        stretch = _stretch(text, at, piece, policy)
        if stretch is None:
            absent.append(Absent(piece.text, _rule(text, piece, policy)))
            continue
        places += [PagePlace(index, one.start, one.end, one.folds) for one in stretch]
        at = stretch[-1].end
    return Upgrade(tuple(places), tuple(absent))


@dataclass(frozen=True, slots=True)
class _Stretch:
    start: int
    end: int
    folds: tuple[str, ...]


def _stretch(text: str, at: int, piece: _Piece, policy: Policy) -> list[_Stretch] | None:
    """Return the places of a piece from `at` on: in one, else without the words that a seam cut, else line by line."""
    for words in _readings(piece):
        one = _after(text, at, words, policy)
        if one is not None:
            return [one]
    lines = [line for line in _LINE.split(piece.text) if any(map(str.isalnum, line))]
    return _lines(text, at, lines, policy) if len(lines) > 1 else None


def _readings(piece: _Piece) -> Iterable[str]:
    """Yield the words of a piece: all of them, then without the one that its seams may have cut in half."""
    yield piece.text
    if piece.before_seam:
        yield _LAST.sub("", piece.text)
    if piece.after_seam:
        yield _FIRST.sub("", piece.text)
    if piece.before_seam and piece.after_seam:
        yield _LAST.sub("", _FIRST.sub("", piece.text))


def _lines(text: str, at: int, lines: Sequence[str], policy: Policy) -> list[_Stretch] | None:
    """Return the places of lines: a provider joins paragraphs, cells and headings that a page keeps apart."""
    found: list[_Stretch] = []
    for line in lines:
        one = _after(text, found[-1].end if found else at, line, policy)
        if one is None:
            return None
        found.append(one)
    return found


def _after(text: str, at: int, words: str, policy: Policy) -> _Stretch | None:
    """Return the place of words from `at` on, as the kernel confirms it in the whole text."""
    one = locate(text[at:], words, policy=policy, illustration=True)
    if not isinstance(one, Located):
        return None
    confirmed = confirm(text, at + one.start, at + one.end, words, policy=policy, illustration=True)
    return None if isinstance(confirmed, Refused) else _Stretch(confirmed.start, confirmed.end, confirmed.folds)


def _rule(text: str, piece: _Piece, policy: Policy) -> str:
    one = locate(text, piece.text, policy=policy, illustration=True)
    return "out-of-order" if isinstance(one, Located) else one.rule
