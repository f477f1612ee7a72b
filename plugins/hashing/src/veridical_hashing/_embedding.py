"""The embedding plugin: features, hashed with a sign into a vector of fixed width, of length one.

Each text is embedded by itself: order, batch, process and machine make no difference. Dimension 0 is kept for texts without any
feature, so that they resemble each other and nothing else, and no vector is ever zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from math import hypot

from veridical_contract import CancelledError, EmbeddingReply, EmbeddingRequest, PluginContext, hookimpl

from ._features import features

__all__ = ["HashingEmbedding"]

WIDTH = 512
IDENTITY = f"veridical-hashing/1/{WIDTH}"
"""Changes with every change to what a text is hashed to."""

_Slot = tuple[int, int]


class HashingEmbedding:
    """Hashed words, word pairs and character n-grams: no model, no download, no network."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return one vector of length one per text; `purpose` makes no difference.

        Raises:
            CancelledError: the call is no longer wanted.
        """
        slots: dict[str, _Slot] = {}
        vectors: list[tuple[float, ...]] = []
        for text in request.texts:
            if self._context.cancelled():
                raise CancelledError("hashing: the call was cancelled before its last text.")
            vectors.append(_vector(features(text), slots))
        return EmbeddingReply(vectors=tuple(vectors), identity=IDENTITY)


def _vector(weights: Mapping[str, float], slots: dict[str, _Slot]) -> tuple[float, ...]:
    values = [0.0] * WIDTH
    for feature, weight in weights.items():
        slot = slots.get(feature)
        if slot is None:
            slot = slots[feature] = _slot(feature)
        values[slot[0]] += slot[1] * weight
    length = hypot(*values)
    # Features of opposite sign may cancel to nothing.
    if not length:
        values[0] = length = 1.0
    return tuple(value / length for value in values)


def _slot(feature: str) -> _Slot:
    # A lone surrogate has no UTF-8 form, and a text that holds one still needs a vector.
    number = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    return 1 + (number >> 1) % (WIDTH - 1), 1 if number & 1 else -1
