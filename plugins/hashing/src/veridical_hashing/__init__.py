"""veridical embedding without a download: hashed features."""

from __future__ import annotations

from ._embedding import HashingEmbedding

__all__ = ["HashingEmbedding"]
