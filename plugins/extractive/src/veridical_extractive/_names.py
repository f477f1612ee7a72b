"""A name for each group, copied from one of its passages.

Every run of one to five words between punctuation is a candidate when its edges are content words. A candidate is worth what it tells
about the group: the share of the group's passages that hold it, times the logarithm of how much larger that is than among the others
(the pointwise Kullback-Leibler term, a class-based tf-idf), with a premium for phrases of several words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from veridical_contract import DraftQuote, Passage

from ._words import SCAFFOLDING, Word, listed, words

__all__ = ["Namer"]

_Keys = tuple[str, ...]

LONGEST = 5
"""Words of a name; character pairs of an unspaced script."""
LENGTH_FACTORS = (1.0, 2.4, 2.4, 2.0, 1.6)
"""By number of content words: two or three say what one word leaves open."""
SINGLE_PASSAGE = 0.1
"""Factor for a phrase that only one passage of a larger group holds."""
ASKED = 0.7
"""What a phrase loses when all its words are the question's; less when some are."""
VERB_FORM = 0.4
"""Factor for a single word in -ing or -ed, which seldom names anything."""
NOT_A_NAME = 0.25
"""Factor for a phrase that never stands like a name: between a word that may come before one and a word or stop that may come after."""

_HIRAGANA = re.compile("[\u3040-\u309f]")
_INNER = ("of",)
_INSIDE = ("-", "_", "@", "'", "\u2019")
_BEFORE_VERBS = listed(
    """
    can can't cannot could didn't do does doesn't don't he i i'd i'll i've it let's may might must never not she should that they to
    we we'll who which will won't would you you'd you'll
    """
)
# Content by the book, but no name of anything.
_GENERIC = listed(
    """
    able actual actually add added allow already answer anyone anything apply approach ask asked asking aspect away back bad basic
    basically become believe best better big bit call called can't case certain certainly change clear clearly close come common
    complete completely consider contain course current currently day deal depend describe described different difficult directly
    doesn't easily easy edit effect either end enough entire especially etc even exactly example expect explain explained fact far
    find fine first follow following found full further future general generally get getting give given go goes going good got great
    hand happen hard help high hope idea image important include instance instead interesting issue keep kind know known large last
    later lead leave less let level like likely link list little long longer look looking lot low made main make makes making many
    matter maybe mean means mention mentioned method million modern must name need needed needs never new next nice note nothing
    number one ones order original paper part particular people perform perhaps place please point possible post pretty probably
    problem process provide put question quite rather read real really reason run running recent refer related relevant require
    required result right said say saying second see seem seems seen self several show shown shows similar simple simply single
    small solve something sometimes sort specific start state still stuff sure take taken tell term terms thank thanks thing things
    think third thought three time title together tried try trying turn two type understand understanding unlikely upon use used
    useful user uses using usually various want wants way welcome whole wikipedia without wonder word words work working works world
    worth would write wrong year years yes
    """
)


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """Where a phrase stands, and whether it stands there as a name would."""

    passage: str
    start: int
    surface: str
    like_name: bool


class Namer:
    """Names groups one after another, no two alike."""

    def __init__(self, passages: Sequence[Passage], question: Collection[str]) -> None:
        self._asked = frozenset(question)
        self._phrases = {passage.id: _phrases(passage) for passage in passages}
        self._holding = Counter(keys for found in self._phrases.values() for keys in found)
        self._used: list[frozenset[str]] = []

    def name(self, group: Sequence[str]) -> DraftQuote | None:
        """Return words that tell `group`, identifiers of passages, from all other passages; None when there are none."""
        found: defaultdict[_Keys, list[_Occurrence]] = defaultdict(list)
        for passage in group:
            for keys, places in self._phrases[passage].items():
                found[keys].extend(places)
        inside = {keys: sum(keys in self._phrases[passage] for passage in group) for keys in found}
        worth = {keys: self._worth(keys, inside[keys], len(group)) * _fitness(keys, places) for keys, places in found.items()}
        best = max(worth, key=lambda keys: (worth[keys], keys), default=None)
        if best is None or worth[best] <= 0:
            return None
        self._used.append(frozenset(best))
        shown = _most_usual(found[best])
        return DraftQuote(passage=shown.passage, quote=shown.surface)

    def _worth(self, keys: _Keys, inside: int, size: int) -> float:
        """Return how well a phrase that `inside` of the group's `size` passages hold tells the group from the rest."""
        parts = frozenset(keys)
        if any(parts <= used or used <= parts for used in self._used):
            return 0.0
        share = inside / (size + 1)
        elsewhere = (self._holding[keys] - inside + 0.5) / (len(self._phrases) - size + 1)
        alone = SINGLE_PASSAGE if inside == 1 and size > 2 else 1.0
        return alone * (1 - ASKED * len(parts & self._asked) / len(parts)) * share * max(0.0, log(share / elsewhere))


def _fitness(keys: _Keys, places: Sequence[_Occurrence]) -> float:
    """Return how much like a name a phrase is by its form and by where it stands."""
    single_verb = len(keys) == 1 and places[0].surface.casefold().endswith(("ing", "ed"))
    like_name = sum(place.like_name for place in places) / len(places)
    return LENGTH_FACTORS[len(keys) - 1] * (VERB_FORM if single_verb else 1.0) * (NOT_A_NAME + (1 - NOT_A_NAME) * like_name)


def _phrases(passage: Passage) -> Mapping[_Keys, list[_Occurrence]]:
    text = passage.text
    found: defaultdict[_Keys, list[_Occurrence]] = defaultdict(list)
    for run in _runs(text, words(text)):
        for first, last in _stretches(len(run)):
            stretch = run[first:last]
            if _may_name(text, stretch):
                keys = tuple(word.key for word in stretch if word.key)
                start, end = stretch[0].start, stretch[-1].end
                found[keys].append(_Occurrence(passage.id, start, text[start:end], _stands_like_name(text, run[:first], run[last:])))
    return found


def _stretches(length: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first in range(length) for last in range(first + 1, min(first + LONGEST, length) + 1))


def _runs(text: str, found: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the longest runs of words with nothing but one space or hyphen between them."""
    run: list[Word] = []
    for word in found:
        if run and not _adjoins(text, run[-1], word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _adjoins(text: str, before: Word, word: Word) -> bool:
    if before.spaced and word.spaced:
        return text[before.end : word.start] in (" ", "-")
    return not before.spaced and not word.spaced and word.start == before.start + 1


def _may_name(text: str, stretch: Sequence[Word]) -> bool:
    start, end = stretch[0].start, stretch[-1].end
    if text[max(0, start - 1) : start] in _INSIDE or text[end : end + 1] in _INSIDE or not (stretch[0].key and stretch[-1].key):
        return False
    return all(_is_content(text, word) if word.key else text[word.start : word.end] in _INNER for word in stretch)


def _stands_like_name(text: str, before: Sequence[Word], after: Sequence[Word]) -> bool:
    left = text[before[-1].start : before[-1].end].casefold() if before else ""
    return left not in _BEFORE_VERBS and not (before and before[-1].key) and not (after and after[0].key)


def _is_content(text: str, word: Word) -> bool:
    surface = text[word.start : word.end]
    if not word.spaced:
        return len(surface) > 1 and not _HIRAGANA.search(surface)
    folded = surface.casefold()
    generic = folded in _GENERIC or folded in SCAFFOLDING or word.key in _GENERIC
    return len(surface) > 1 and not surface.isdigit() and not generic and not (folded.endswith("ly") and len(folded) > 4)


def _most_usual(occurrences: Sequence[_Occurrence]) -> _Occurrence:
    often = Counter(occurrence.surface for occurrence in occurrences)
    return min(
        occurrences, key=lambda occurrence: (not occurrence.like_name, -often[occurrence.surface], occurrence.passage, occurrence.start)
    )
