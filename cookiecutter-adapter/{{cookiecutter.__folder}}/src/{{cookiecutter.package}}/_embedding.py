"""Embedding: one vector for each text, in the order of the texts.

    texts --grouped--> POST /v1/embeddings --> {"model", "data": [{"index", "vector"}]} --in order--> vectors of one model and width

Each text gets the same vector whatever stands beside it, or say so to your users: an index is built batch by batch.
"""

from __future__ import annotations

from pydantic import JsonValue
from veridical_contract import CancelledError, EmbeddingReply, EmbeddingRequest, PluginContext, hookimpl

from ._client import NAME, Client, Part, malformed, read

_MOST = 100
"""Texts that the provider takes in one request at most."""


class _Vector(Part):
    index: int
    vector: list[float]


class _Embeddings(Part):
    model: str
    data: list[_Vector]


class Embedding:
    """Vectors of the provider's model. Needs a key."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._client = Client(context)

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return one vector for each text.

        Raises:
            ProviderError: the provider failed, or sent something else than a vector for each text.
            CancelledError: the call is no longer wanted.
        """
        vectors: list[tuple[float, ...]] = []
        models: set[str] = set()
        for start in range(0, len(request.texts), _MOST):
            if self._context.cancelled():
                raise CancelledError(f"{NAME}: the call was cancelled before its last text.")
            reply = self._ask(request.texts[start : start + _MOST], request.purpose)
            vectors += _in_order(reply.data, len(request.texts[start : start + _MOST]))
            models.add(reply.model)
        return EmbeddingReply(vectors=tuple(vectors), identity=_identity(vectors, models))

    def _ask(self, texts: tuple[str, ...], purpose: str) -> _Embeddings:
        body: dict[str, JsonValue] = {
            "model": self._client.settings.embedding_model,
            "input": list(texts),
            "purpose": purpose,
        }
        return read(_Embeddings, self._client.post("/v1/embeddings", body))


def _in_order(found: list[_Vector], wanted: int) -> list[tuple[float, ...]]:
    """Return the vectors by the index that each has: nothing says that they come in the order of the texts."""
    if sorted(each.index for each in found) != list(range(wanted)):
        raise malformed(f"{len(found)} vectors for {wanted} texts, or not one for each")
    return [tuple(each.vector) for each in sorted(found, key=lambda each: each.index)]


def _identity(vectors: list[tuple[float, ...]], models: set[str]) -> str:
    """Return what the vectors are known by: those of two models or widths are never compared."""
    widths = {len(vector) for vector in vectors}
    if len(models) != 1 or len(widths) != 1:
        raise malformed("vectors of several models or widths")
    return f"{NAME}/{models.pop()}/{widths.pop()}"
