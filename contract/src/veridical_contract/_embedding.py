"""What an embedding plugin is asked, and what it hands back."""

from __future__ import annotations

from typing import Literal

from ._documents import Score
from ._model import Model


class EmbeddingRequest(Model):
    """Texts to embed.

    Attributes:
        texts: in order; never empty.
        purpose: whether they are searched for or searched in; a model may embed the two differently.
    """

    texts: tuple[str, ...]
    purpose: Literal["query", "document"] = "document"


class EmbeddingReply(Model):
    """One vector per text, in order, of one width, finite and not zero.

    Attributes:
        vectors: rows of floats.
        identity: name and version of the model; vectors of two identities are never compared.
    """

    vectors: tuple[tuple[Score, ...], ...]
    identity: str
