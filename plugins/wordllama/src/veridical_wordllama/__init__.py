"""veridical embedding with WordLlama: word vectors of a language model, in the package itself, without a network."""

from __future__ import annotations

from ._embedding import WordLlamaEmbedding

__all__ = ["WordLlamaEmbedding"]
