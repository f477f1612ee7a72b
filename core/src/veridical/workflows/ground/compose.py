"""What is said, and in which order: sentences of what was found, chosen and grouped by rules. No model, no chance.

    passages, best first --about the question--> quotable? --> copies of an earlier one are joined to it --by domain--> their sentences

Which sentences of a passage, is in `choice`; a passage of which none can be said is no evidence. What was said already is not said again: a
passage that says nothing else is a copy. A sentence is proposed by its place; whether it may stand there is for the kernel to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from veridical_contract import Document, Reference

from veridical.kernel.policy import Policy
from veridical.locate.passages import passages
from veridical.workflows.terms import query_terms, terms

from .choice import Sentence, best, sentences
from .coverage import Witness, is_copy, shingles

__all__ = ["Origin", "Passage", "about", "best_spans", "origins"]

ABOUT = 1 / 3
"""Share of the question's terms that a passage has to hold, with its title, to be about it."""
_TRIED = 20
"""Passages of one document that are looked at, at most."""


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
        sentences: of it, once they were read for a question.
    """

    name: str
    document: Document
    start: int
    end: int
    rank: int
    domain: str
    sentences: tuple[Sentence, ...] = ()

    @property
    def text(self) -> str:
        """What stands there."""
        return self.document.text[self.start : self.end]

    @property
    def is_quotable(self) -> bool:
        """Whether something of it can be said; what else was read is no evidence."""
        return bool(best(self.sentences, ()))

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


def about(question: str, found: Iterable[Iterable[Passage]], policy: Policy) -> list[Passage]:
    """Return of each document the first of its passages, best first, that is about the question and quotable; else the first about it."""
    return [passage for passages in found if (passage := _first(question, passages, policy)) is not None]


def best_spans(question: str, text: str, within: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the spans of the passages of some parts of a text, those that hold most of the question's terms first."""
    wanted = frozenset(query_terms(question))
    spans = [(begin + start, begin + end) for begin, finish in within for start, end in passages(text[begin:finish])]
    return tuple(sorted(spans, key=lambda span: (-len(wanted.intersection(terms(text[slice(*span)]))), span))[:_TRIED])


def origins(found: Sequence[Passage]) -> tuple[tuple[Origin, ...], ...]:
    """Return what is said, a group for each domain: groups and passages stand where their best one was found."""
    kept: list[tuple[frozenset[tuple[str, ...]], Origin]] = []
    said: dict[tuple[str, ...], Origin] = {}
    for passage in found:
        copied, chosen = shingles(passage.text), best(passage.sentences, said)
        copied_from = [origin for other, origin in kept if is_copy(copied, other)]
        if not chosen:
            copied_from += [said[one.words] for one in passage.sentences if one.words in said]
        if copied_from:
            copied_from[0].copies.append(passage)
        else:
            origin = Origin(_around(passage, chosen), tuple(one.place for one in chosen))
            kept.append((copied, origin))
            said |= {one.words: origin for one in chosen}
    groups: dict[str, list[Origin]] = {}
    for _, origin in kept:
        groups.setdefault(origin.passage.domain, []).append(origin)
    return tuple(tuple(group) for group in groups.values())


def _first(question: str, found: Iterable[Passage], policy: Policy) -> Passage | None:
    read: Passage | None = None
    for passage in filter(partial(_is_about, question), found):
        another = _read(question, passage, policy)
        if another.is_quotable:
            return another
        read = read or another
    return read


def _is_about(question: str, passage: Passage) -> bool:
    wanted = query_terms(question)
    held = {*terms(passage.document.title or ""), *terms(passage.text)}
    return bool(wanted) and sum(term in held for term in wanted) >= ABOUT * len(wanted)


def _read(question: str, passage: Passage, policy: Policy) -> Passage:
    excerpt = passage.document.grades.text == "wire"
    found = sentences(question, passage.document.text, (passage.start, passage.end), policy, excerpt=excerpt)
    return replace(passage, sentences=found)


def _around(passage: Passage, chosen: Sequence[Sentence]) -> Passage:
    """Return the passage with its chosen sentences inside, which may begin before it."""
    return replace(passage, start=min(passage.start, chosen[0].start), end=max(passage.end, chosen[-1].end))
