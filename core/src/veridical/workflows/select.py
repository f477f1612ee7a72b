"""Which of the retrieved passages are shown: deterministic, and never by the embedding alone.

    candidates -> related? -> without near-duplicates -> fused 60 % | lexical 25 % | random 15 % -> Selection
                      `-- no word of the question: only the random quota may take it, and it is marked

- fused: reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009) of the order by words and the order by embedding;
- lexical: the next best by words alone, whatever the embedding makes of them;
- random: seeded, from everything that is left, so that what both orders overlook has a chance to be seen.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, dist
from typing import Literal, TypeAlias

from .terms import terms

__all__ = ["COVERAGE_MINIMUM", "FOCUS_MINIMUM", "Reason", "Selection", "SelectionInput", "coverage", "focus", "select"]

FUSED_SHARE, LEXICAL_SHARE = 0.60, 0.25
"""Shares of the limit; the rest is the random quota."""
FUSION_CONSTANT = 60
"""k of reciprocal rank fusion, as published."""
DUPLICATE_SHINGLES = 0.8
"""Jaccard similarity of three-term shingles from which two passages count as one."""
COVERAGE_MINIMUM = 600
"""Per mille of the question's terms that the selected passages have to hold among them; below that the evidence is thin."""
FOCUS_MINIMUM = 500
"""Per mille of the question's terms that at least one selected passage has to hold by itself; below that the evidence is thin.

Both were measured with 240 titles of Stack Exchange questions, 80 passages each. These two limits let 90 % through where the site of the
question was searched without the question's own thread, and 14 % where a site about something else was. Coverage alone would let 74 % of
those through, since among many passages every common word occurs somewhere.
"""

Reason = Literal["fused", "lexical", "random", "random-unrelated"]
"""Why a passage was selected; `random-unrelated` shares no term with the question."""
Key: TypeAlias = tuple[str, int, int]
"""What names a passage: document, start, end."""


@dataclass(frozen=True, slots=True)
class SelectionInput:
    """A passage that may be selected.

    Attributes:
        document: identifier of its document.
        start: first code point of the passage in the document's text.
        end: one past the last.
        text: of the passage.
        score: of the full-text index, higher is better.
        vector: its embedding, of length one; None when there is none.
        title: of its document; its words speak for the passage too.
    """

    document: str
    start: int
    end: int
    text: str
    score: float
    vector: tuple[float, ...] | None = None
    title: str | None = None

    @property
    def key(self) -> Key:
        """What names the passage, and breaks ties."""
        return self.document, self.start, self.end


@dataclass(frozen=True, slots=True)
class Selection:
    """What was selected: fused best first, then lexical best first, then random; `reasons` goes with `selected`, one for one."""

    selected: tuple[SelectionInput, ...]
    reasons: tuple[Reason, ...]


def select(
    candidates: Iterable[SelectionInput],
    query_terms: Sequence[str],
    query_vector: tuple[float, ...] | None,
    *,
    limit: int,
    seed: int,
) -> Selection:
    """Select at most `limit` passages; the same candidates in any order, terms, vector and seed give the same selection.

    One passage of each document, more only where there are fewer documents than places; passages of one document never overlap.

    Raises:
        ValueError: `limit` is not positive.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, got {limit}")
    lexical = _by_score(candidates)
    words = {passage.key: terms(passage.text) for passage in lexical}
    matches = {passage.key: _matches(query_terms, passage, words[passage.key]) for passage in lexical}
    fused = _without_duplicates(_fuse(lexical, matches, query_vector), words)
    related = {passage.key for passage in fused if matches[passage.key]}
    picker = _Picker(per_document=ceil(limit / max(1, len({passage.document for passage in fused}))))
    first = max(1, round(limit * FUSED_SHARE))
    second = min(limit - first, round(limit * LEXICAL_SHARE))
    picker.pick([passage for passage in fused if passage.key in related], first, "fused")
    picker.pick([passage for passage in lexical if passage.key in related], second, "lexical")
    picker.pick(_shuffled(fused, seed), limit - first - second, "random")
    marked: list[Reason] = [
        "random-unrelated" if passage.key not in related else reason for passage, reason in zip(picker.picked, picker.reasons, strict=True)
    ]
    return Selection(tuple(picker.picked), tuple(marked))


def coverage(query_terms: Sequence[str], passages: Iterable[str]) -> int:
    """Return, per mille and rounded down, how many of the distinct terms of the question occur in the texts taken together."""
    wanted = set(query_terms)
    seen: set[str] = set()
    for passage in passages:
        seen |= wanted.intersection(terms(passage))
    return 1000 * len(seen) // len(wanted) if wanted else 0


def focus(query_terms: Sequence[str], passages: Iterable[str]) -> int:
    """Return, per mille and rounded down, how many of the distinct terms of the question the best single text holds."""
    return max((coverage(query_terms, (passage,)) for passage in passages), default=0)


def _matches(query_terms: Sequence[str], passage: SelectionInput, words: tuple[str, ...]) -> int:
    return len(set(query_terms).intersection((*words, *terms(passage.title or ""))))


def _by_score(candidates: Iterable[SelectionInput]) -> list[SelectionInput]:
    best: dict[Key, SelectionInput] = {}
    for passage in sorted(candidates, key=lambda passage: (-passage.score, passage.key)):
        best.setdefault(passage.key, passage)
    return list(best.values())


def _fuse(lexical: Sequence[SelectionInput], matches: Mapping[Key, int], query_vector: tuple[float, ...] | None) -> list[SelectionInput]:
    orders = [
        [passage.key for passage in lexical],
        # The sort is stable: among passages with as many words of the question the full-text score still decides.
        [passage.key for passage in sorted(lexical, key=lambda passage: -matches[passage.key])],
    ]
    if query_vector is not None:
        near = sorted((dist(query_vector, passage.vector), passage.key) for passage in lexical if passage.vector is not None)
        orders.append([key for _, key in near])
    points: defaultdict[Key, float] = defaultdict(float)
    for order in orders:
        for rank, key in enumerate(order, 1):
            points[key] += 1 / (FUSION_CONSTANT + rank)
    return sorted(lexical, key=lambda passage: (-points[passage.key], passage.key))


def _without_duplicates(ordered: Sequence[SelectionInput], words: Mapping[Key, tuple[str, ...]]) -> list[SelectionInput]:
    """Keep the first of passages whose three-term shingles are nearly the same."""
    kept: list[SelectionInput] = []
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    sizes: list[int] = []
    for passage in ordered:
        shingles = _shingles(words[passage.key]) or {(passage.text,)}
        shared = Counter(holder for shingle in shingles for holder in holders[shingle])
        if any(both >= DUPLICATE_SHINGLES * (len(shingles) + sizes[holder] - both) for holder, both in shared.items()):
            continue
        for shingle in shingles:
            holders[shingle].append(len(kept))
        kept.append(passage)
        sizes.append(len(shingles))
    return kept


def _shingles(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    if 0 < len(words) < 3:
        return {words}
    return {words[index : index + 3] for index in range(len(words) - 2)}


def _shuffled(passages: Iterable[SelectionInput], seed: int) -> list[SelectionInput]:
    # Only `random()` itself promises the same numbers in every version of Python; `shuffle` and `sample` do not.
    draw = random.Random(seed).random  # noqa: S311 - a sample, not a secret
    ordered = sorted(passages, key=lambda passage: passage.key)
    return [passage for _, passage in sorted(((draw(), passage) for passage in ordered), key=lambda drawn: drawn[0])]


class _Picker:
    """Picks from lists one after another, no passage twice, a limited number of each document."""

    def __init__(self, *, per_document: int) -> None:
        self.picked: list[SelectionInput] = []
        self.reasons: list[Reason] = []
        self._per_document = per_document
        self._of_document: defaultdict[str, list[SelectionInput]] = defaultdict(list)

    def pick(self, ordered: Iterable[SelectionInput], places: int, reason: Reason) -> None:
        """Pick the first `places` passages of `ordered` that may be picked."""
        for passage in ordered:
            if places <= 0:
                return
            if self._may_pick(passage):
                self._of_document[passage.document].append(passage)
                self.picked.append(passage)
                self.reasons.append(reason)
                places -= 1

    def _may_pick(self, passage: SelectionInput) -> bool:
        others = self._of_document[passage.document]
        apart = all(passage.end <= other.start or other.end <= passage.start for other in others)
        return apart and len(others) < self._per_document
