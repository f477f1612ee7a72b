"""How like a prompt is to those that are labelled as asking about people or the world, rather than about work: a sum of weights.

    score = bias + mean(words) + mean(letters) + (weights of signs)          ask > 0 > work
    mean(features) = SCALE / sqrt(their number) * (their weights)

The weights stand in `tables/weights.json`, one whole number in thousandths for each feature by its name: they can be read and looked up.
`tools/topic_weights.py` writes them from labelled prompts, the same from the same ones. No sum depends on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import cast

from veridical_contract import TopicKind

from .features import letters, signs, words
from .requests import Request

__all__ = ["SCALE", "Weights", "likeness", "weights"]

SCALE = 6.0
"""What all words of a prompt together weigh, or all letters, beside one sign."""
_THOUSANDTHS = 1000


@dataclass(frozen=True, slots=True)
class Weights:
    """What features speak for, in thousandths: above zero for a question about people or the world, below for work.

    Attributes:
        bias: of a prompt without any.
        features: by name.
    """

    bias: int
    features: Mapping[str, int]

    def score(self, of_words: Iterable[str], of_letters: Iterable[str], of_signs: Iterable[str]) -> float:
        """Return the sum for a prompt."""
        return (self.bias + self._mean(of_words) + self._mean(of_letters) + self._sum(of_signs)) / _THOUSANDTHS

    def _mean(self, names: Iterable[str]) -> float:
        every = list(names)
        return SCALE * self._sum(every) / sqrt(max(1, len(every)))

    def _sum(self, names: Iterable[str]) -> int:
        return sum(self.features.get(name, 0) for name in names)


@cache
def weights() -> Weights:
    """The table of weights, read when it is first needed."""
    table = cast("dict[str, object]", json.loads((files("veridical.workflows.topics") / "tables" / "weights.json").read_text("utf-8")))
    return Weights(cast("int", table["bias"]), cast("dict[str, int]", table["features"]))


def likeness(text: str, requests: Sequence[Request], rule: str, before: TopicKind | None) -> float:
    """Return the score of a prompt; arguments as for `features.signs`."""
    return weights().score(words(text), letters(text), signs(text, requests, rule, before))
