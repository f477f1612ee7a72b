"""Vectors: one per text, of one width, finite, not zero."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["VectorsRefused", "admit_vectors"]


class VectorsRefused(ValueError):  # noqa: N818 - the name says what happened to the vectors
    """An embedding is not usable; the message says why."""


def admit_vectors(vectors: Sequence[Sequence[float]], texts: int) -> tuple[tuple[float, ...], ...]:
    """Return `vectors` as tuples.

    Raises:
        VectorsRefused: there is not one for each of `texts` texts, widths differ, or one is empty, zero or not finite.
    """
    if len(vectors) != texts:
        raise VectorsRefused(f"{len(vectors)} vectors for {texts} texts")
    if len({len(vector) for vector in vectors}) > 1:
        raise VectorsRefused("vectors of different widths")
    for vector in vectors:
        if not any(vector) or not all(math.isfinite(value) for value in vector):
            raise VectorsRefused("a vector that is empty, zero or not finite")
    return tuple(tuple(vector) for vector in vectors)
