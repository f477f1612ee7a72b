"""What is said, and in which order: sentences of what was found, chosen and grouped by rules. No model, no chance.

    passages, best first --about the question?--> copies of an earlier one are joined to it --by domain--> one or two sentences of each

A sentence is chosen for how many of the question's words it holds; one that a provider cut only where there is no whole one, and one that
speaks to a program never, since an outcome has no place for a warning. It is proposed
by its place; whether it may stand there is for the kernel to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from veridical_contract import Document, Reference

from veridical.kernel.policy import Policy
from veridical.kernel.sentences import injected, sentence
from veridical.locate.seams import between_seams
from veridical.workflows.terms import query_terms, terms

from .coverage import Witness, is_copy, shingles

__all__ = ["Origin", "Passage", "about", "origins"]

SENTENCES = 2
"""Sentences of one passage at most."""
ABOUT = 1 / 3
"""Share of the question's terms that a passage has to hold, with its title, to be about it."""
_LEAST_WORDS = 4
_STOPS = ".!\u3002\uff01\uff61\u0964\u06d4"
_CLOSING = "\"'”\u2019»)]」』\uff09》"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """Some text of a document that was found.

    Attributes:
        name: identifier of the document.
        document: as it was admitted.
        start: first code point.
        end: one past the last.
        rank: place among what was found, from 1.
        domain: registrable domain of its URL, or `source:NAME`.
    """

    name: str
    document: Document
    start: int
    end: int
    rank: int
    domain: str

    @property
    def text(self) -> str:
        """What stands there."""
        return self.document.text[self.start : self.end]

    @property
    def witness(self) -> Witness:
        """What it counts as for the coverage."""
        return Witness(self.domain, self.text, self.document.title)

    @property
    def place(self) -> Reference:
        """Where it stands."""
        return Reference(document=self.name, start=self.start, end=self.end)


@dataclass(slots=True)
class Origin:
    """A passage, the copies of it that stand elsewhere, and the sentences that are chosen: half-open spans of the document's text."""

    passage: Passage
    chosen: tuple[tuple[int, int], ...]
    copies: list[Passage] = field(default_factory=list[Passage])


def about(question: str, passage: Passage) -> bool:
    """Whether a passage holds enough of the question's terms, in its text or its title, to be about it."""
    wanted = query_terms(question)
    held = {*terms(passage.document.title or ""), *terms(passage.text)}
    return bool(wanted) and sum(term in held for term in wanted) >= ABOUT * len(wanted)


def origins(question: str, passages: Sequence[Passage], policy: Policy) -> tuple[tuple[Origin, ...], ...]:
    """Return what is said, a group for each domain: groups and passages stand where their best one was found."""
    kept: list[tuple[frozenset[tuple[str, ...]], Origin]] = []
    for passage in passages:
        copied = shingles(passage.text)
        first = next((origin for other, origin in kept if is_copy(copied, other)), None)
        if first is not None:
            first.copies.append(passage)
        elif chosen := _chosen(question, passage, policy):
            kept.append((copied, Origin(_around(passage, chosen), chosen)))
    groups: dict[str, list[Origin]] = {}
    for _, origin in kept:
        groups.setdefault(origin.passage.domain, []).append(origin)
    return tuple(tuple(group) for group in groups.values())


def _chosen(question: str, passage: Passage, policy: Policy) -> tuple[tuple[int, int], ...]:
    """Return the places of the best sentences of a passage, in the order of the text."""
    wanted = frozenset(query_terms(question))
    text = passage.document.text
    found = [
        place
        for place in _sentences(passage, policy)
        if len(_WORD.findall(text[slice(*place)])) >= _LEAST_WORDS and not injected(text, *place, policy=policy)
    ]
    whole = [place for place in found if not _is_cut(text[slice(*place)])]
    best = sorted(whole or found, key=lambda place: (-len(wanted.intersection(terms(text[slice(*place)]))), place))
    return tuple(sorted(best[: SENTENCES if whole else 1]))


def _sentences(passage: Passage, policy: Policy) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a passage; of a provider's excerpt without the words at its seams, which may be cut in half."""
    text = passage.document.text
    excerpt = passage.document.grades.text == "wire"
    for start, end in between_seams(text, passage.start, passage.end) if excerpt else [(passage.start, passage.end)]:
        at = start
        while at < end:
            if text[at].isspace():
                at += 1
                continue
            first, last = sentence(text, at, at + 1, policy=policy)
            if (span := (max(first, start), min(last, end)))[0] < span[1]:
                yield span
            at = max(last, at + 1)


def _is_cut(words: str) -> bool:
    """Whether a sentence has no end, or is a question: a whole statement says more."""
    return words.rstrip(_CLOSING)[-1:] not in _STOPS


def _around(passage: Passage, chosen: Sequence[tuple[int, int]]) -> Passage:
    """Return the passage with its chosen sentences inside, which may begin before it."""
    start, end = min(passage.start, chosen[0][0]), max(passage.end, chosen[-1][1])
    return Passage(passage.name, passage.document, start, end, passage.rank, passage.domain)
