"""The embedding plugin: any service that speaks OpenAI's embeddings.

    texts --cut, grouped within the limits--> requests --SDK, recorded--> replies --one model, one width--> vectors in order

A server may answer with base64 (float32, little-endian), which is asked for, or with lists of numbers, which some know alone.
"""

from __future__ import annotations

import binascii
import math
import struct
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from veridical_contract import CancelledError, EmbeddingReply, EmbeddingRequest, PluginContext, ProviderError, hookimpl

from ._client import extra_headers, make_client
from ._failures import translated
from ._settings import OpenAISettings

__all__ = ["OpenAIEmbedding"]

# OpenAI's limits are in tokens: 2,048 texts and 300,000 tokens a request, 8,192 a text. No token has less than one byte of UTF-8.
_TEXTS, _BYTES, _TEXT_BYTES = 2_048, 300_000, 8_192
_NOTHING = "."
"""Sent for a text without any character that shows: the API refuses to embed nothing."""

Vector = tuple[float, ...]


class _Part(BaseModel):
    """Members that nobody here reads may be anything."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Embedding(_Part):
    index: int
    embedding: str | tuple[float, ...]


class _Embeddings(_Part):
    model: str | None = None
    data: tuple[_Embedding, ...]


class OpenAIEmbedding:
    """Embeddings over OpenAI's API, or one that speaks like it: Ollama, vLLM, llama.cpp. Needs OPENAI_API_KEY."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._settings = context.settings(OpenAISettings)
        self._client = make_client(context, self._settings)

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return one vector per text; a text of more than 8,192 bytes is embedded by its beginning. `purpose` makes no difference.

        Raises:
            ProviderError: the service failed, or sent something that is no embedding of each text by one model and in one width.
            CancelledError: the call is no longer wanted.
        """
        vectors: list[Vector] = []
        models: set[str] = set()
        with translated(self._context.now):
            for batch in _batches([_cut(text) for text in request.texts]):
                if self._context.cancelled():
                    raise CancelledError("openai: the call was cancelled before its last text.")
                reply = self._ask(batch)
                vectors += _in_order(reply.data, len(batch))
                models.add(reply.model or self._settings.embedding_model)
        return EmbeddingReply(vectors=tuple(vectors), identity=self._identity(vectors, models))

    def _ask(self, batch: Sequence[str]) -> _Embeddings:
        dimensions = {} if self._settings.dimensions is None else {"dimensions": self._settings.dimensions}
        # Read as bytes: the SDK takes whatever it is sent for an embedding.
        create = cast("Callable[..., Any]", self._client.embeddings.with_raw_response.create)
        sent = create(
            model=self._settings.embedding_model,
            input=list(batch),
            encoding_format="base64",
            extra_headers=extra_headers(self._settings),
            **dimensions,
        )
        try:
            return _Embeddings.model_validate_json(cast("bytes", sent.content))
        except ValidationError:
            raise _malformed("sent a reply that is no list of embeddings") from None

    def _identity(self, vectors: Sequence[Vector], models: set[str]) -> str:
        """Return what the vectors are known by: those of two models, widths or services are never compared."""
        widths = {len(vector) for vector in vectors}
        if len(widths) > 1 or len(models) > 1:
            raise _malformed("sent vectors of several models or widths")
        width = next(iter(widths), 0)
        if vectors and self._settings.dimensions not in (None, width):
            raise _malformed(f"sent vectors of {width} numbers instead of {self._settings.dimensions}")
        return f"{next(iter(models), self._settings.embedding_model)}/{width} of {self._settings.base_url}"


def _cut(text: str) -> str:
    """Return the beginning of `text` that no model finds too long; never nothing."""
    shown = text.encode("utf-8", "replace")[:_TEXT_BYTES].decode("utf-8", "ignore")
    return shown if shown.strip() else _NOTHING


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if len(batch) == _TEXTS or size + length > _BYTES:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch


def _in_order(found: Sequence[_Embedding], wanted: int) -> list[Vector]:
    """Return the vectors by the index that each has: nothing says that they come in the order of the texts."""
    if sorted(one.index for one in found) != list(range(wanted)):
        raise _malformed(f"sent {len(found)} embeddings for {wanted} texts, or not one for each")
    return [_numbers(one.embedding) for one in sorted(found, key=lambda one: one.index)]


def _numbers(embedding: str | Vector) -> Vector:
    vector = _decoded(embedding) if isinstance(embedding, str) else embedding
    if not all(math.isfinite(value) for value in vector):
        raise _malformed("sent a vector with something in it that is no number")
    return vector


def _decoded(text: str) -> Vector:
    try:
        raw = b64decode(text, validate=True)
        return struct.unpack(f"<{len(raw) // 4}f", raw)
    except (binascii.Error, struct.error, ValueError):
        raise _malformed("sent a vector that is no base64 of 32-bit numbers") from None


def _malformed(what: str) -> ProviderError:
    hint = "Check base_url, embedding_model and dimensions under [plugin.openai] in the settings file."
    return ProviderError(f"The service {what}.", failure="malformed", hint=hint)
