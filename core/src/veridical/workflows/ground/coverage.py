"""How much of a question independent evidence speaks of: a number from 0 to 1.

    score = mean over the question's terms of  WEIGHT[how many independent passages hold the term, 3 at most]

- terms: the stems of the words that the question is about (`terms.query_terms`); words that only make it a question are none.
- a passage holds a term when its text or its title does. One that only repeats the question (`kernel.wire.is_echo`) holds nothing.
- two passages are independent when they are of different domains and neither is mostly a copy of the other.

More evidence never lowers the score: the largest set of passages that are independent of each other can only grow. Three are as good as
more, so that the set can be looked for by trying all pairs and triples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from veridical.kernel.policy import Policy
from veridical.kernel.wire import is_echo
from veridical.workflows.terms import query_terms, terms

__all__ = ["ENOUGH", "WEIGHT", "Witness", "coverage_score", "is_copy", "shingles"]

WEIGHT = (0.0, 0.6, 0.85, 1.0)
"""What a term is worth that none, one, two or three independent passages hold."""
ENOUGH = 0.15
"""Below this nothing is said."""
COPY = 0.8
"""Share of the shorter passage's shingles from which it is a copy."""
_SHINGLE = 3


@dataclass(frozen=True, slots=True)
class Witness:
    """A passage as evidence.

    Attributes:
        domain: registrable domain of its URL, or `source:NAME`.
        text: of it.
        title: of its document.
    """

    domain: str
    text: str
    title: str | None = None


def coverage_score(question: str, witnesses: Sequence[Witness], policy: Policy) -> float:
    """Return the score, rounded to four digits; 0 for a question without terms."""
    wanted = query_terms(question)
    kept = [one for one in dict.fromkeys(witnesses) if not is_echo(one.text, [question], policy=policy)]
    holding = [(frozenset(terms(f"{one.title or ''}\n{one.text}")), shingles(one.text), one.domain) for one in kept]
    worth = 0.0
    for term in wanted:
        found = [(copied, domain) for held, copied, domain in holding if term in held]
        worth += WEIGHT[_independent(found, lambda one, other: one[1] != other[1] and not is_copy(one[0], other[0]))]
    return round(worth / len(wanted), 4) if wanted else 0.0


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of three terms of a text; all of it where it has fewer."""
    found = terms(text)
    return frozenset(found[at : at + _SHINGLE] for at in range(max(1, len(found) - _SHINGLE + 1)))


def is_copy(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    """Whether the shorter of two passages, given by their shingles, stands in the other for the most part."""
    return len(one & other) >= COPY * min(len(one), len(other))


_Held = tuple[frozenset[tuple[str, ...]], str]


def _independent(found: Sequence[_Held], apart: Callable[[_Held, _Held], bool]) -> int:
    """Return how many of `found` there are at most of which each two are apart; three is as good as more."""
    most = len(WEIGHT) - 1
    for size in range(min(most, len(found)), 1, -1):
        if any(all(apart(one, other) for one, other in combinations(some, 2)) for some in combinations(found, size)):
            return size
    return min(1, len(found))
