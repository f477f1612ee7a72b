"""veridical chat and embeddings with Gemini, through Google's own SDK."""

from __future__ import annotations

from ._chat import GoogleChat
from ._embedding import GoogleEmbedding

__all__ = ["GoogleChat", "GoogleEmbedding"]
