"""The hook specifications, one class per kind, and the two markers.

A plugin is a class that is found through an entry point of the group `veridical.v1.KIND`. The host calls `Class(context)` once and then its
hooks, each with keyword arguments. A hook may be `async def`. Wrappers, `tryfirst` and `trylast` are refused: only the gateway decides
what is called, in which order, and for how long.
"""

from __future__ import annotations

from collections.abc import Iterator

import pluggy

from ._chat import ChatDelta, ChatReply, ChatRequest
from ._deprecations import deprecation_warnings
from ._documents import Item
from ._embedding import EmbeddingReply, EmbeddingRequest
from ._kinds import PROJECT, Kind
from ._search import SearchQuery
from ._source import SourceBatch, SourceRequest
from ._storage import (
    Backup,
    Candidate,
    Compaction,
    ContainerState,
    DeleteReceipt,
    DeleteRequest,
    FingerprintCandidates,
    FingerprintQuery,
    Migration,
    PutBatch,
    PutDocument,
    PutRaw,
    PutReceipt,
    ScanRequest,
    StateDepth,
    StoredDocument,
    StoredRun,
    StoreState,
    TextQuery,
    Tombstone,
)

hookspec: pluggy.HookspecMarker = pluggy.HookspecMarker(PROJECT)
hookimpl: pluggy.HookimplMarker = pluggy.HookimplMarker(PROJECT)


class ChatSpec:
    """Hooks of kind `chat`."""

    @hookspec
    def chat(self, request: ChatRequest) -> ChatReply:  # pyright: ignore[reportReturnType]
        """Answer `request`: a `Draft` for `compose`, text for `complete`, text with its grounding for `ground` and `cite`."""

    @hookspec
    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:  # pyright: ignore[reportReturnType]
        """Answer `request` bit by bit; the last piece carries the whole reply. A plugin that cannot need not have it."""


class SearchSpec:
    """Hooks of kind `search`."""

    @hookspec
    def search(self, query: SearchQuery) -> list[Item]:  # pyright: ignore[reportReturnType]
        """Return what the service found, best first, at most `query.limit` items."""


class EmbeddingSpec:
    """Hooks of kind `embedding`."""

    @hookspec
    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:  # pyright: ignore[reportReturnType]
        """Return one vector per text, in order."""


class SourceSpec:
    """Hooks of kind `source`."""

    @hookspec
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:  # pyright: ignore[reportReturnType]
        """Yield the records of every input, batch by batch, a few hundred at a time.

        Every input ends with a batch whose `done` is true; an input of which no batch speaks is reported as left out. A source that has no
        inputs names its containers itself, and ends each in the same way. Items with a `place` stand in one of the last replies that were
        received: hand in what a page holds before the next page is asked for.
        """


class StorageSpec:
    """Hooks of kind `storage`. One plugin of this kind is in use at a time."""

    @hookspec
    def put(self, batch: PutBatch) -> PutReceipt:  # pyright: ignore[reportReturnType]
        """Write `batch` in one transaction: all of it or nothing."""

    @hookspec
    def get(self, ids: tuple[str, ...]) -> tuple[StoredDocument | None, ...]:  # pyright: ignore[reportReturnType]
        """Return each document as it was put, in order; None where there is none (never stored, or deleted).

        One that is damaged comes as the bytes that are left of it: the host sees that they do not hash to its name, names it, and goes on
        with the others.
        """

    @hookspec
    def raw(self, digests: tuple[str, ...]) -> tuple[bytes | None, ...]:  # pyright: ignore[reportReturnType]
        """Return the bytes of each record, in order; None where there are none; of a damaged one the bytes that are left."""

    @hookspec
    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:  # pyright: ignore[reportReturnType]
        """Return passages of current documents that may answer, best first; ties in the order of document and start."""

    @hookspec
    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:  # pyright: ignore[reportReturnType]
        """Return a page of the documents in which the words of `query` may stand."""

    @hookspec
    def compact(self) -> Compaction:  # pyright: ignore[reportReturnType]
        """Do one step, well under a second, of putting the index in order; writers and readers go on, and any step may be the last."""

    @hookspec
    def scan(self, request: ScanRequest) -> tuple[str, ...]:  # pyright: ignore[reportReturnType]
        """Return a page of identifiers of documents, ascending."""

    @hookspec
    def versions(self, names: tuple[str, ...]) -> tuple[str, ...]:  # pyright: ignore[reportReturnType]
        """Return the identifiers of all documents, current or past, of some records, ascending.

        A record is named by its key, or by the identifier of a document that was put with one. What was put without a key has no versions.
        """

    @hookspec
    def containers(self, origin: str) -> tuple[ContainerState, ...]:  # pyright: ignore[reportReturnType]
        """Return the containers of `origin` that were read to their end."""

    @hookspec
    def drop_container(self, origin: str, container: str) -> None:
        """Forget that `container` is part of `origin`: its documents stop being current unless something else holds them."""

    @hookspec
    def delete(self, request: DeleteRequest) -> DeleteReceipt:  # pyright: ignore[reportReturnType]
        """Delete for good, leaving a tombstone for each document and no byte of it."""

    @hookspec
    def tombstones(self, names: tuple[str, ...]) -> tuple[Tombstone | None, ...]:  # pyright: ignore[reportReturnType]
        """Return the newest tombstone for each name, in order: a document's identifier, the digest of a record's bytes, or a key.

        A key that a current document has is none of something deleted: the record was taken back.
        """

    @hookspec
    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """Put these in the place of the damaged ones of the same names, wherever those are held, and build every index anew."""

    @hookspec
    def backup(self, path: str) -> Backup:  # pyright: ignore[reportReturnType]
        """Write a copy of the whole store to `path`, where there is no file, as it is at one moment, and read the copy again.

        Others go on reading and writing meanwhile.
        """

    @hookspec
    def restore(self, path: str) -> Migration:  # pyright: ignore[reportReturnType]
        """Make the copy at `path` the store, once it was read and nothing is wrong with it; what was the store stays beside it."""

    @hookspec
    def put_run(self, entry: StoredRun) -> None:
        """Append a step of a run; refuse a gap, a repeated step or a wrong `previous` with `StoreError`."""

    @hookspec
    def runs(self, run: str | None, limit: int) -> tuple[StoredRun, ...]:  # pyright: ignore[reportReturnType]
        """Return the steps of `run` in order, all of them; with None the newest step of each of the newest `limit` runs, newest first."""

    @hookspec(warn_on_impl_args=deprecation_warnings("storage", "state"))
    def state(self, depth: StateDepth = "counts", check: bool = False) -> StoreState:  # noqa: FBT001, FBT002  # pyright: ignore[reportReturnType]
        """Return what the store holds; with the depth `whole`, also everything that is wrong with it, for which all of it is read.

        `check` is deprecated: true where `depth` is `whole`.
        """

    @hookspec
    def migrate(self) -> Migration:  # pyright: ignore[reportReturnType]
        """Bring the schema to this version, forward only; open the store if it is not yet open."""


SPECS: dict[Kind, type[object]] = {
    "chat": ChatSpec,
    "search": SearchSpec,
    "embedding": EmbeddingSpec,
    "storage": StorageSpec,
    "source": SourceSpec,
}
"""Hook specifications by kind."""
