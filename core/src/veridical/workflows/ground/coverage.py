"""How much of a question independent evidence speaks of: a number from 0 to 1.

    score = mean over the question's terms of  WEIGHT[how many independent passages hold the term, 3 at most]

- terms: the stems of the words that the question is about (`terms.query_terms`); words that only make it a question are none.
- a passage holds a term when its text or its title does. One that only repeats the question (`kernel.wire.is_echo`, and one term at most
  besides) holds nothing: "Ann Lee is the head of Acme" answers "who is the head of Acme", and repeats most of it.
- two passages are independent when they are of different domains and neither is mostly a copy of the other.

More evidence never lowers the score: the largest set of passages that are independent of each other can only grow. Three are as good as
more, so that the set can be looked for by trying all pairs and triples.
"""

from __future__ import annotations

from collections.abc import Sequence
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
_BESIDES = 1
"""Terms beside those of the question that what only repeats it may hold."""


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
    kept = [one for one in dict.fromkeys(witnesses) if not _repeats(one.text, question, policy)]
    held = [frozenset(terms(f"{one.title or ''}\n{one.text}")) for one in kept]
    apart = _apart(kept)
    worth = sum(WEIGHT[_independent([at for at, words in enumerate(held) if term in words], apart)] for term in wanted)
    return round(worth / len(wanted), 4) if wanted else 0.0


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of three terms of a text; all of it where it has fewer."""
    found = terms(text)
    return frozenset(found[at : at + _SHINGLE] for at in range(max(1, len(found) - _SHINGLE + 1)))


def is_copy(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    """Whether the shorter of two passages, given by their shingles, stands in the other for the most part."""
    return len(one & other) >= COPY * min(len(one), len(other))


def _repeats(text: str, question: str, policy: Policy) -> bool:
    return len(set(terms(text)).difference(terms(question))) <= _BESIDES and is_echo(text, [question], policy=policy)


def _apart(kept: Sequence[Witness]) -> list[int]:
    """Return for each passage, as bits, the others that it is independent of."""
    copied = [shingles(one.text) for one in kept]
    rows = [0] * len(kept)
    for one, other in combinations(range(len(kept)), 2):
        if kept[one].domain != kept[other].domain and not is_copy(copied[one], copied[other]):
            rows[one] |= 1 << other
            rows[other] |= 1 << one
    return rows


def _independent(found: Sequence[int], apart: Sequence[int]) -> int:
    """Return how many of `found` there are at most of which each two are apart; three is as good as more."""
    among = sum(1 << at for at in found)
    pairs = [(one, other) for one, other in combinations(found, 2) if apart[one] >> other & 1]
    if any(apart[one] & apart[other] & among for one, other in pairs):
        return 3
    return 2 if pairs else min(1, len(found))
