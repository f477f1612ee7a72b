"""How like a prompt is to those that people labelled as asking about people or the world, rather than about work: a sum of weights.

    score = bias + SCALE / sqrt(number of words' features) * (their weights) + (weights of signs)          ask > 0 > work

The weights stand in `tables/weights.json`, one whole number in thousandths for each feature by its name: they can be read and looked up.
`tools/topic_weights.py` writes them from labelled prompts, the same from the same ones. No sum depends on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum, sqrt
from typing import cast

from veridical_contract import TopicKind

from .features import signs, words
from .requests import Request

__all__ = ["SCALE", "Weights", "likeness", "weights"]

SCALE = 4.0
"""What all words of a prompt together weigh, beside one sign."""
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

    def score(self, of_words: Iterable[str], of_signs: Iterable[str]) -> float:
        """Return the sum for a prompt."""
        all_words = sorted(of_words)
        spoken = fsum(self.features.get(name, 0) for name in all_words)
        shown = fsum(self.features.get(name, 0) for name in sorted(of_signs))
        return (self.bias + SCALE * spoken / sqrt(max(1, len(all_words))) + shown) / _THOUSANDTHS


@cache
def weights() -> Weights:
    """The table of weights, read when it is first needed."""
    table = cast("dict[str, object]", json.loads((files("veridical.workflows.topics") / "tables" / "weights.json").read_text("utf-8")))
    return Weights(cast("int", table["bias"]), cast("dict[str, int]", table["features"]))


def likeness(text: str, requests: Sequence[Request], rule: str, before: TopicKind | None) -> float:
    """Return the score of a prompt; arguments as for `features.signs`."""
    return weights().score(words(text), signs(text, requests, rule, before))
