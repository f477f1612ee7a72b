"""Vectors: one per text, of one width, finite, not zero; scaled to length one, so that no square of a number overflows or vanishes."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["VectorsRefused", "admit_vectors"]


class VectorsRefused(ValueError):  # noqa: N818 - the name says what happened to the vectors
    """An embedding is not usable; the message says why."""


def admit_vectors(vectors: Sequence[Sequence[float]], texts: int) -> tuple[tuple[float, ...], ...]:
    """Return `vectors`, each scaled to length one.

    Raises:
        VectorsRefused: there is not one for each of `texts` texts, widths differ, or one is empty, zero or not finite.
    """
    if len(vectors) != texts:
        raise VectorsRefused(f"{len(vectors)} vectors for {texts} texts")
    if len({len(vector) for vector in vectors}) > 1:
        raise VectorsRefused("vectors of different widths")
    lengths = [math.hypot(*vector) for vector in vectors]
    if not all(math.isfinite(length) and length > 0 for length in lengths):
        raise VectorsRefused("a vector that is empty, zero or not finite")
    return tuple(tuple(value / length for value in vector) for vector, length in zip(vectors, lengths, strict=True))
