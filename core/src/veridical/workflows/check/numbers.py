"""Judge a number: does one sentence of the evidence have it, together with its unit and with what it counts or measures?

    draft's sentence -> mention -> cited documents, or full-text candidates -> the same value, unit and noun -> stands
                                                                     `-> another value in a sentence that says nearly the same -> altered

Where the draft cites no document, another content word of its sentence has to stand in that sentence too: any text counts days.
Dates, times of day and ranges stand only as they are written. A number inside words that are quoted is judged with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from veridical_contract import Document

from veridical.drafts import Draft, Piece
from veridical.kernel.sentences import sentence
from veridical.locate.diagnose import word_diff
from veridical.workflows.terms import terms

from .evidence import Evidence
from .judged import Judged, diff_parts
from .mentions import UNIT_TERMS, Mention, counts_the_same, mentions

__all__ = ["judge_number"]

_LETTER: Final = re.compile(r"[^\W\d_]")
_DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_CANDIDATES = 40
_CITED = 50
_MOST_WORDS = 2_000
_ALIKE = 2
"""Content words that a sentence with another number shares at least, for it to be shown as the one that was altered."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A number of the evidence, and the sentence that it stands in."""

    name: str
    document: Document
    mention: Mention
    sentence: tuple[int, int]
    shared: frozenset[str]

    @property
    def text(self) -> str:
        return self.document.text[slice(*self.sentence)]


def judge_number(draft: Draft, piece: Piece, evidence: Evidence) -> Judged:
    """Return what became of a number in a sentence of `draft`."""
    text = draft.sentences[piece.sentence].text if piece.sentence is not None else piece.text
    mine = _own(draft, piece, text)
    if mine is None:
        return Judged("not-found", "no-number")
    return _Number(piece, text, mine, evidence).judged()


def _own(draft: Draft, piece: Piece, text: str) -> Mention | None:
    """The mention in the visible sentence that the piece is: the same digits, as often seen before in the sentence."""
    wanted = mentions(piece.text)
    same = [one for one in mentions(text) if wanted and text[slice(*one.digits)] == piece.text[slice(*wanted[0].digits)]]
    if not same:
        return wanted[0] if wanted else None
    if piece.sentence is None:
        return same[0]
    before = draft.text[draft.sentences[piece.sentence].start : piece.start]
    digits = piece.text[slice(*wanted[0].digits)]
    seen = sum(before[slice(*one.digits)] == digits for one in mentions(before))
    return same[min(seen, len(same) - 1)]


def _is_compound(words: str, mine: Mention) -> bool:
    """Whether the words are more than a number with what it counts: a date, a time of day, a range."""
    return len(mentions(words)) > 1 or (not mine.unit and not mine.counted and _LETTER.search(words) is not None)


def _plain(words: str) -> str:
    return " ".join(words.translate(_DASHES).casefold().split())


class _Number:
    def __init__(self, piece: Piece, text: str, mine: Mention, evidence: Evidence) -> None:
        self._piece = piece
        self._text = text
        self._mine = mine
        self._evidence = evidence
        self._others = [other for other in mentions(text) if other.value != mine.value]
        self._whole = _plain(piece.text) if _is_compound(piece.text, mine) else None
        self._content = frozenset(term for term in terms(text) if not term[0].isdigit()) - UNIT_TERMS

    def judged(self) -> Judged:
        cited = self._cited()
        said = list(self._said(cited))
        held = max((one for one in said if self._stands(one, cited=bool(cited))), key=self._likeness, default=None)
        near = max((one for one in said if self._is_near(one)), key=self._likeness, default=None)
        # What is said of something else with the same number does not stand for a sentence that has another one.
        if held is not None and (cited or near is None or len(near.shared) <= len(held.shared)):
            return self._held(held, sum(self._stands(one, cited=bool(cited)) for one in said), cited)
        if near is not None:
            passage = self._evidence.passage(near.name, near.document, near.sentence)
            return Judged("altered", "number-differs", passage=passage, diff=diff_parts(self._diff(near)))
        if self._piece.targets and not cited:
            return Judged("not-shown", "not-shown")
        return Judged("not-found", "not-found")

    def _held(self, best: _Said, places: int, cited: dict[str, Document]) -> Judged:
        passage = self._evidence.passage(best.name, best.document, (best.mention.start, best.mention.end))
        labels = ("cited-not-shown",) if self._piece.targets and not cited else ()
        verdict = "exact" if self._as_written(best) else "located"
        return Judged(verdict, verdict, labels=labels, passage=passage, places=places)

    def _diff(self, near: _Said) -> tuple[tuple[str, str], ...]:
        """The sentences word by word where they are much alike, else the numbers alone."""
        whole = word_diff(near.text, self._text)
        same = sum(len(words) for op, words in whole if op == "same")
        if 2 * same > max(len(near.text), len(self._text)):
            return whole
        mine = self._text[self._mine.start : self._mine.end]
        return ("missing", near.document.text[near.mention.start : near.mention.end]), ("added", mine)

    def _likeness(self, one: _Said) -> tuple[int, bool]:
        return len(one.shared), self._as_written(one)

    def _cited(self) -> dict[str, Document]:
        found = [tied for url in self._piece.targets if (tied := self._evidence.tied(url)) is not None]
        return self._evidence.fetch(name for tied in found for name in tied.names[:_CITED])

    def _said(self, cited: dict[str, Document]) -> Iterator[_Said]:
        """Every number of the cited documents, or of passages that share words with the sentence."""
        if cited:
            places: Iterable[tuple[str, Document, int, int]] = ((name, one, 0, len(one.text)) for name, one in cited.items())
        else:
            found = self._evidence.candidates(self._text[:_MOST_WORDS], _CANDIDATES)
            places = ((candidate.document, document, candidate.start, candidate.end) for candidate, document in found)
        for name, document, start, end in places:
            for mention in mentions(document.text, start, end):
                if not self._may_be_meant(mention):
                    continue
                around = sentence(document.text, mention.start, mention.end, policy=self._evidence.policy)
                shared = self._content & frozenset(terms(document.text[slice(*around)]))
                yield _Said(name, document, mention, around, shared)

    def _may_be_meant(self, mention: Mention) -> bool:
        mine = self._mine
        bare = mention.unit == mine.unit and not (mine.counted and mention.counted)
        return mention.value == mine.value or bare or counts_the_same(mine, mention)

    def _stands(self, one: _Said, *, cited: bool) -> bool:
        if one.mention.value != self._mine.value or one.mention.unit != self._mine.unit:
            return False
        if self._whole is not None:
            return self._has_whole(one) and (cited or bool(one.shared) or not self._content)
        beside = one.shared - frozenset(self._mine.counted)
        if counts_the_same(self._mine, one.mention):
            return cited or bool(beside) or self._content == frozenset(self._mine.counted)
        if self._mine.counted and one.mention.counted:
            return False
        # One of them counts nothing that is named beside it: a year, a version, a price.
        return bool(one.shared) and len(one.shared) >= min(_ALIKE, len(self._content))

    def _is_near(self, one: _Said) -> bool:
        """Whether the sentence says nearly the same with another number, or with the number of something else."""
        if self._whole is not None:
            alike = len(one.shared) >= _ALIKE and 2 * len(one.shared) > len(self._content)
            return alike and not self._has_whole(one)
        if any(other.value == one.mention.value and counts_the_same(other, one.mention) for other in self._others):
            return False  # the draft has that one too, for what that sentence says
        same = counts_the_same(self._mine, one.mention)
        if one.mention.value == self._mine.value and one.mention.unit == self._mine.unit and (same or not one.mention.counted):
            return False
        if same and one.shared - frozenset(self._mine.counted):
            return True
        return len(one.shared) >= _ALIKE and 2 * len(one.shared) > len(self._content)

    def _has_whole(self, one: _Said) -> bool:
        """Whether a date, a time or a range stands in the sentence as the draft has it."""
        return re.search(rf"(?<!\w){re.escape(self._whole or '')}(?!\w)", _plain(one.text)) is not None

    def _as_written(self, one: _Said) -> bool:
        return one.document.text[slice(*one.mention.digits)] == self._text[slice(*self._mine.digits)]
