"""The embedding plugin: the mean of the vectors of a text's tokens, which WordLlama took from a large language model.

The weights (256 numbers for each of 32,000 tokens) and the tokenizer lie in the wheel `wordllama`; nothing is ever downloaded. Loading
takes a moment and 100 MB, so it waits for the first text.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, cast

from veridical_contract import (
    CancelledError,
    EmbeddingReply,
    EmbeddingRequest,
    IncompatibleError,
    MissingExtraError,
    PluginContext,
    hookimpl,
)

__all__ = ["WordLlamaEmbedding"]

INSTALL = 'Type: pip install "veridical[wordllama]"'
CONFIG, WIDTH = "l2_supercat", 256
"""The model whose weights are in the wheel."""
BATCH = 64
_SERIES = "0.4"
_NOTHING = "."
"""Stands for a text without any token: such texts resemble each other."""

_Embed = Callable[[list[str]], list[list[float]]]


class WordLlamaEmbedding:
    """Word vectors of a language model: related words are near each other; no network, no key."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._version = _installed()

    @hookimpl
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """Return one vector of 256 numbers per text; `purpose` makes no difference.

        Raises:
            IncompatibleError: the package is there and its weights are not.
            CancelledError: the call is no longer wanted.
        """
        vectors: list[tuple[float, ...]] = []
        for batch in _batches(request.texts):
            if self._context.cancelled():
                raise CancelledError("wordllama: the call was cancelled before its last text.")
            vectors += map(tuple, self._model([_written(text) for text in batch]))
        return EmbeddingReply(vectors=tuple(vectors), identity=f"wordllama {self._version}/{CONFIG}/{WIDTH}")

    @cached_property
    def _model(self) -> _Embed:
        import wordllama

        # Version 0.4 looks for its tokenizer in a folder of another name than the one it ships; as a cache, the package is found whole.
        folder = Path(wordllama.__file__).parent
        load = cast("Callable[..., Any]", wordllama.WordLlama.load)
        try:
            model = load(CONFIG, cache_dir=folder, dim=WIDTH, disable_download=True)
        except FileNotFoundError as error:
            said = f"wordllama {self._version} is installed without its weights; nothing is downloaded in their place."
            raise IncompatibleError(said, hint=INSTALL) from error
        return lambda texts: model.embed(texts, return_np=False, batch_size=BATCH)


def _installed() -> str:
    """Return the version of the package, without importing it.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is of another series.
    """
    try:
        version = importlib.metadata.version("wordllama")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("wordllama needs the package wordllama, which is not installed.", hint=INSTALL) from None
    if not version.startswith(f"{_SERIES}."):
        raise IncompatibleError(f"wordllama {version} is installed; expected a version {_SERIES}.", hint=INSTALL)
    return version


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _written(text: str) -> str:
    """Return `text` as the tokenizer takes it: lone surrogates have no UTF-8 form, and nothing has no mean."""
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else _NOTHING
