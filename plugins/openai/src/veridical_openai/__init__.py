"""veridical chat and embeddings over any API that speaks like OpenAI's."""

from __future__ import annotations

from ._chat import OpenAIChat
from ._embedding import OpenAIEmbedding

__all__ = ["OpenAIChat", "OpenAIEmbedding"]
