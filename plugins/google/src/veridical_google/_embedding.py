"""The embedding plugin: each text with its task, since Gemini embeds what is searched for otherwise than what is searched in.

texts --task, cut in batches--> batchEmbedContents --SDK, recorded--> one vector for each, in order, of one width
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from veridical_contract import CancelledError, EmbeddingReply, EmbeddingRequest, PluginContext, ProviderError, hookimpl

from ._client import Client, api_key, check_sdk, make_client
from ._failures import api_call, sdk_call
from ._settings import GoogleSettings

__all__ = ["GoogleEmbedding"]

BATCH = 100
"""Texts in a request: the API takes no more."""
_TASKS = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}
_NOTHING = "."
"""Sent for a text without any character that shows: the API refuses to embed nothing."""

Vector = tuple[float, ...]


class GoogleEmbedding:
    """Gemini's embeddings, through Google's SDK. Needs GEMINI_API_KEY (or GOOGLE_API_KEY)."""

    def __init__(self, context: PluginContext) -> None:
        check_sdk()
        self._context = context
        self._settings = context.settings(GoogleSettings)
        self._key = api_key(context)

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return one vector per text; the API embeds a text that is too long for the model by its beginning.

        Raises:
            ProviderError: the API failed, or sent something that is no vector of one width for each text.
            CancelledError: the call is no longer wanted.
        """
        vectors: list[Vector] = []
        with api_call(self._context.logger):
            for batch in _batches(request.texts):
                if self._context.cancelled():
                    raise CancelledError("google: the call was cancelled before its last text.")
                vectors += self._ask(batch, _TASKS[request.purpose])
        return EmbeddingReply(vectors=tuple(vectors), identity=self._identity(vectors))

    def _ask(self, batch: Sequence[str], task: str) -> list[Vector]:
        from google.genai import types

        # As contents: some models take a list of strings for the parts of one text.
        contents = [types.Content(parts=[types.Part(text=text)]) for text in batch]
        config = types.EmbedContentConfig(task_type=task, output_dimensionality=self._settings.dimensions)
        with sdk_call():
            reply = self._client.models.embed_content(model=self._settings.embedding_model, contents=contents, config=config)
        vectors = [tuple(one.values or ()) for one in reply.embeddings or ()]
        if len(vectors) != len(batch):
            raise _malformed(f"sent {len(vectors)} vectors for {len(batch)} texts")
        if not all(vector and all(math.isfinite(number) for number in vector) for vector in vectors):
            raise _malformed("sent a vector that is empty, or holds something that is no number")
        return vectors

    def _identity(self, vectors: Sequence[Vector]) -> str:
        """Return what the vectors are known by: those of two models, widths or services are never compared; those of two tasks are."""
        widths = {len(vector) for vector in vectors}
        if len(widths) > 1:
            raise _malformed("sent vectors of several widths")
        width = next(iter(widths), 0)
        if vectors and self._settings.dimensions not in (None, width):
            raise _malformed(f"sent vectors of {width} numbers instead of {self._settings.dimensions}")
        return f"{self._settings.embedding_model}/{width} of {self._settings.base_url}"

    @cached_property
    def _client(self) -> Client:
        return make_client(self._context, self._settings, self._key)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, BATCH)):
        yield [_written(text) for text in batch]


def _written(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else _NOTHING


def _malformed(what: str) -> ProviderError:
    hint = "Check embedding_model, dimensions and base_url in [plugin.google]."
    return ProviderError(f"Google {what}.", failure="malformed", hint=hint)
