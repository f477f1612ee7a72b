"""Which sentences answer best: relevance to the question, centrality in the group, diversity among the chosen.

- relevance: BM25 over sentences, with the inverse document frequency of the passages, plus a part of the passage's own;
- centrality: mean cosine with the sentences of the group, the degree of LexRank (Erkan and Radev, JAIR 22, 2004) without a threshold;
- diversity: maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log, sqrt

from veridical_contract import Passage

from ._candidates import Sentence
from ._words import content_keys

__all__ = ["Ranking", "pick"]

SATURATION, LENGTH_PENALTY = 1.2, 0.5
"""k1 and b of BM25; b is below the usual 0.75, since sentences differ less in length than documents."""
CENTRALITY = 0.25
"""Share of centrality in a sentence's score; the rest is relevance."""
DIVERSITY = 0.3
"""Weight of the likeness to what is chosen already, against the score."""
SAME_PASSAGE = 0.4
"""Likeness that two sentences of one passage have at least."""
REPETITION = 0.8
"""Likeness from which a sentence only repeats another."""
FLOOR = 0.2
"""Share of the best score below which a sentence is not worth a place."""

_Vector = Mapping[str, float]


class Ranking:
    """Weights of words over all passages of a request, and scores that use them."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._keys = {passage.id: Counter(content_keys(f"{passage.title or ''}\n{passage.text}")) for passage in passages}
        self._frequency = Counter(key for keys in self._keys.values() for key in keys)
        self._vectors: dict[Sentence, _Vector] = {}

    def idf(self, key: str) -> float:
        """Inverse document frequency, never negative."""
        holding = self._frequency[key]
        return log(1 + (len(self._keys) - holding + 0.5) / (holding + 0.5))

    def relevance(self, question: Iterable[str], pool: Sequence[Sentence]) -> list[float]:
        """Return, for each sentence, how well it and its passage match the question's keys, in [0, 1]."""
        asked = set(question)
        mean = sum(sentence.length for sentence in pool) / max(1, len(pool))
        own = [self._bm25(asked, sentence.keys, sentence.length / mean) for sentence in pool]
        return _scaled([score * self.share(asked, sentence.passage) for score, sentence in zip(own, pool, strict=True)])

    def share(self, asked: Collection[str], passage: str) -> float:
        """Return how much of the question the passage with its title holds: "hard" alone does not speak of hard exams."""
        return sum(key in self._keys[passage] for key in asked) / max(1, len(asked))

    def centrality(self, pool: Sequence[Sentence]) -> list[float]:
        """Return, for each sentence, its mean cosine with all of `pool`, scaled to [0, 1]."""
        total: dict[str, float] = {}
        for sentence in pool:
            for key, weight in self.vector(sentence).items():
                total[key] = total.get(key, 0.0) + weight
        return _scaled([sum(weight * total[key] for key, weight in self.vector(sentence).items()) for sentence in pool])

    def vector(self, sentence: Sentence) -> _Vector:
        """Return the weighted keys of `sentence`, of length one (or none at all)."""
        found = self._vectors.get(sentence)
        if found is None:
            weights = {key: count * self.idf(key) for key, count in sentence.keys.items()}
            length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
            found = self._vectors[sentence] = {key: weight / length for key, weight in weights.items()}
        return found

    def likeness(self, one: Sentence, other: Sentence) -> float:
        """Return the cosine of two sentences; at least `SAME_PASSAGE` when they stand in one passage."""
        left, right = sorted((self.vector(one), self.vector(other)), key=len)
        cosine = sum(weight * right.get(key, 0.0) for key, weight in left.items())
        return max(cosine, SAME_PASSAGE) if one.passage == other.passage else cosine

    def _bm25(self, asked: set[str], keys: Counter[str], relative_length: float) -> float:
        damping = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * relative_length)
        # Sorted: a sum of floats depends on the order, and the order of a set of strings changes from process to process.
        return sum(self.idf(key) * keys[key] * (SATURATION + 1) / (keys[key] + damping) for key in sorted(asked) if key in keys)


def pick(ranking: Ranking, pool: Sequence[Sentence], scores: Sequence[float], limit: int, taken: Sequence[Sentence] = ()) -> list[Sentence]:
    """Choose at most `limit` sentences by score and difference from the chosen; ties go to the earlier of `pool`.

    Args:
        ranking: gives the likeness of two sentences.
        pool: to choose from.
        scores: of each.
        limit: how many at most.
        taken: chosen elsewhere before: not to be repeated.
    """
    chosen: list[Sentence] = []
    floor = FLOOR * max(scores, default=0.0)
    left = [(sentence, score) for sentence, score in zip(pool, scores, strict=True) if score > 0 and score >= floor]
    while len(chosen) < limit:
        ranked = [
            ((1 - DIVERSITY) * score - DIVERSITY * max((ranking.likeness(sentence, other) for other in chosen), default=0.0), -place)
            for place, (sentence, score) in enumerate(left)
        ]
        if not ranked:
            break
        sentence, _ = left.pop(-max(ranked)[1])
        if all(ranking.likeness(sentence, other) < REPETITION for other in (*chosen, *taken)):
            chosen.append(sentence)
    return chosen


def _scaled(values: list[float]) -> list[float]:
    top = max(values, default=0.0)
    return [value / top for value in values] if top > 0 else values
