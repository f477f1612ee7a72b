"""veridical chat and embeddings over any API that speaks like OpenAI's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._chat import OpenAIChat

if TYPE_CHECKING:
    from ._embedding import OpenAIEmbedding

__all__ = ["OpenAIChat", "OpenAIEmbedding"]


def __getattr__(name: str) -> object:
    if name == "OpenAIEmbedding":
        from ._embedding import OpenAIEmbedding

        return OpenAIEmbedding
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
