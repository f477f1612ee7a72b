"""Say what is wrong with a quote that was not located. A diagnosis is help for a person: it can admit nothing.

no document -> not-shown
found, but short -> too-short; found in another document -> misattributed
parts found apart (joined by an ellipsis, by brackets or by nothing) -> stitched
most of its words in one place -> altered, with a word diff from the document to the quote
otherwise -> not-found, which is not refuted
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal
from unicodedata import normalize

from veridical.kernel.policy import Policy

from .find import Located, Miss, locate

__all__ = ["Diagnosis", "Fragment", "diagnose"]

_TOKEN = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"\[[^\]]*\]|\.{3,}|\u2026")
_NEAR, _ALTERED = 0.75, 0.5
"""Shares of common words from which a passage is surely, and perhaps, the one that was altered."""
_LONGEST = 60
_PART = 3


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a quote, and where it stands.

    Attributes:
        document: identifier; None for the cited document.
        start: first code point.
        end: one past the last.
    """

    document: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a quote.

    Attributes:
        verdict: as `veridical check` shows it.
        rule: the kernel's rule for the nearest place, or `not-found`.
        document: the other document, when it is misattributed.
        author: of that document, when known.
        passage: start and end, in code points, of the nearest passage of the cited document, or of the place in the other one.
        diff: words in order: `same`, `missing` (only in the document) or `added` (only in the quote).
        fragments: the parts of a stitched quote, in its order.
    """

    verdict: Literal["altered", "misattributed", "stitched", "too-short", "not-found", "not-shown"]
    rule: str
    document: str | None = None
    author: str | None = None
    passage: tuple[int, int] | None = None
    diff: tuple[tuple[str, str], ...] = ()
    fragments: tuple[Fragment, ...] = ()


def diagnose(quote: str, cited: str | None, others: Iterable[tuple[str, str | None, str]], *, policy: Policy) -> Diagnosis:
    """Return what is wrong with `quote`.

    Args:
        quote: as it was proposed.
        cited: text of the document that it is said to stand in; None when there is no such document.
        others: identifier, author and text of the other documents that were shown.
        policy: that judges.

    Raises:
        ValueError: nothing is wrong: the quote stands in the cited document.
    """
    if cited is None:
        return Diagnosis("not-shown", "not-shown")
    missed = locate(cited, quote, policy=policy)
    if isinstance(missed, Located):
        raise ValueError("diagnose() is for quotes that were not located, and this one stands in the cited document; use locate()")  # noqa: TRY004 - the words are wrong, not their type
    if missed.rule in ("not-a-string", "too-short"):
        return Diagnosis("too-short" if missed.rule == "too-short" else "not-found", missed.rule)
    elsewhere = list(others)
    for document, author, text in elsewhere:
        found = locate(text, quote, policy=policy)
        if isinstance(found, Located):
            return Diagnosis("misattributed", missed.rule, document, author, (found.start, found.end))
    texts: list[tuple[str | None, str]] = [(None, cited), *((document, text) for document, _, text in elsewhere)]
    return _compared(quote, cited, texts, missed, policy)


def _compared(quote: str, cited: str, texts: list[tuple[str | None, str]], missed: Miss, policy: Policy) -> Diagnosis:
    share, passage, diff = _nearest(cited, quote)
    joined = _JOINT.search(quote.strip(". \u2026")) is not None
    if joined or share < _NEAR:
        for parts in _divisions(quote):
            fragments = [_fragment(part, texts, policy) for part in parts]
            if all(fragments):
                return Diagnosis("stitched", missed.rule, passage=passage, fragments=tuple(filter(None, fragments)))
    if share >= _ALTERED or missed.rule != "not-found":
        return Diagnosis("altered", missed.rule, passage=passage, diff=diff)
    return Diagnosis("not-found", missed.rule, passage=passage)


def _divisions(quote: str) -> Iterator[list[str]]:
    """The ways in which a quote may have been put together: at its joints, or of two stretches of words."""
    parts = [part.strip() for part in _JOINT.split(quote) if part.strip(" .,;")]
    if _JOINT.search(quote) is not None and parts:
        yield parts
    words = quote.split()[:_LONGEST]
    for at in range(len(words) - _PART, _PART - 1, -1):
        yield [" ".join(words[:at]), " ".join(words[at:])]


def _fragment(part: str, texts: list[tuple[str | None, str]], policy: Policy) -> Fragment | None:
    for document, text in texts:
        found = locate(text, part, policy=policy, illustration=True)
        if isinstance(found, Located):
            return Fragment(document, found.start, found.end)
    return None


def _nearest(text: str, quote: str) -> tuple[float, tuple[int, int] | None, tuple[tuple[str, str], ...]]:
    """Return the share of words that the nearest passage has in common with the quote, its place, and the diff between the two."""
    mine, places = _tokens(text)
    theirs, spots = _tokens(quote)
    longest = SequenceMatcher(None, mine, theirs, autojunk=False).find_longest_match()
    if not longest.size:
        return 0.0, None, ()
    slack = len(theirs) // 2 + 4
    low = max(0, longest.a - longest.b - slack)
    high = min(len(mine), longest.a + len(theirs) - longest.b + slack)
    blocks = [block for block in SequenceMatcher(None, mine[low:high], theirs, autojunk=False).get_matching_blocks() if block.size]
    first, last = low + blocks[0].a, low + blocks[-1].a + blocks[-1].size
    matcher = SequenceMatcher(None, mine[first:last], theirs, autojunk=False)
    diff = [
        (op, words)
        for tag, a, b, c, d in matcher.get_opcodes()
        for op, words in (
            ("same" if tag == "equal" else "missing", _slice(text, places[first + a : first + b])),
            ("added", "" if tag == "equal" else _slice(quote, spots[c:d])),
        )
        if words
    ]
    return matcher.ratio(), (places[first][0], places[last - 1][1]), tuple(diff)


def _tokens(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    found = list(_TOKEN.finditer(text))
    return [normalize("NFC", token.group()) for token in found], [token.span() for token in found]


def _slice(text: str, places: list[tuple[int, int]]) -> str:
    return text[places[0][0] : places[-1][1]] if places else ""
