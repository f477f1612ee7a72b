"""What requests and replies hold beside the contract's models.

A request names nothing of the server's files: sources go by the names that the operator gave them, drafts and bundles are sent.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from veridical_contract import Digest, Document, Model, Turn

__all__ = [
    "Alive",
    "CheckRequest",
    "Chosen",
    "ConversationRequest",
    "DraftText",
    "Evidence",
    "GroundRequest",
    "Ready",
    "ResearchRequest",
    "Verified",
]

_MOST = 100
_Question = Annotated[str, Field(min_length=1, max_length=2_000)]
_Name = Annotated[str, Field(min_length=1, max_length=64)]
# JSON has lists, and a strict model wants its tuples.
_Names = Annotated[tuple[_Name, ...], Field(strict=False, max_length=_MOST)]


class GroundRequest(Model):
    """A question about the world, for a real search.

    Attributes:
        query: in plain words.
        sources: names of the operator's sources to look in too. Without any, no local evidence is looked in.
        pages: how many of the pages that were found are fetched and looked in.
        limit: how many results to ask for.
    """

    query: _Question
    sources: _Names = ()
    pages: int = Field(default=0, ge=0, le=50)
    limit: int = Field(default=10, ge=1, le=100)


class ResearchRequest(Model):
    """A question for a report.

    Attributes:
        query: in plain words.
        sources: names of the operator's sources to look in. Without any, `web` has to be true.
        must_address: questions that the report has to answer one by one.
        web: search the web too.
        pages: how many of the pages that were found are fetched and looked in; goes with `web`.
        seed: of the random part of the selection.
    """

    query: _Question
    sources: _Names = ()
    must_address: Annotated[tuple[_Question, ...], Field(strict=False, max_length=20)] = ()
    web: bool = False
    pages: int = Field(default=0, ge=0, le=50)
    seed: int = Field(default=0, ge=0, le=2**31 - 1)


class DraftText(Model):
    """A draft that somebody wrote.

    Attributes:
        name: of it, for the findings; its ending (`.md`, `.html`) says how it is read.
        text: of it.
    """

    name: Annotated[str, Field(min_length=1, max_length=255)]
    text: str


class CheckRequest(Model):
    """Drafts to be checked against evidence.

    Attributes:
        drafts: each with another name.
        sources: names of the operator's sources that are the evidence.
        strict: warnings are errors.
    """

    drafts: Annotated[tuple[DraftText, ...], Field(strict=False, min_length=1, max_length=_MOST)]
    sources: Annotated[tuple[_Name, ...], Field(strict=False, min_length=1, max_length=_MOST)]
    strict: bool = False


class ConversationRequest(Model):
    """A conversation, for a reply.

    Attributes:
        turns: in their order; the last one is the user's prompt.
    """

    turns: Annotated[tuple[Turn, ...], Field(strict=False, min_length=1, max_length=1_000)]


class Verified(Model):
    """What the stand-alone checker says of a bundle.

    Attributes:
        ok: whether it verifies.
        code: 0 it verifies, 2 it cannot be read, 4 it does not verify.
        said: what the checker printed, line by line; the first line that does not hold is named.
    """

    ok: bool
    code: int
    said: str


class Evidence(Model):
    """A document of the store, read again and checked.

    Attributes:
        id: of the document: the SHA-256 of its canonical bytes.
        document: as it was admitted.
    """

    id: Digest
    document: Document


class Alive(Model):
    """The process answers.

    Attributes:
        status: of the process.
    """

    status: Literal["alive"] = "alive"


class Chosen(Model):
    """A plugin that a run would ask.

    Attributes:
        kind: of the plugin.
        name: of the plugin.
        why: it would be asked.
    """

    kind: str
    name: str
    why: str


class Ready(Model):
    """A run could work.

    Attributes:
        status: of the service.
        choices: whom a run would ask; empty for who did not bring the token.
        documents: that the store holds; null for who did not bring the token.
    """

    status: Literal["ready"] = "ready"
    choices: tuple[Chosen, ...] = ()
    documents: int | None = None
