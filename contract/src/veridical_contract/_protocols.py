"""One Protocol per kind, for type checkers: `pluggy` calls are `Any` to them. A test holds each against its hook specification.

Deprecated arguments are left out, and so are defaults: those are the host's, and a plugin that is asked always gets all that it asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ._chat import ChatDelta, ChatReply, ChatRequest
from ._documents import Item
from ._embedding import EmbeddingReply, EmbeddingRequest
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


class ChatPlugin(Protocol):
    """A chat plugin."""

    def chat(self, request: ChatRequest) -> ChatReply:
        """See `ChatSpec.chat`."""
        ...

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """See `ChatSpec.stream`."""
        ...


class SearchPlugin(Protocol):
    """A search plugin."""

    def search(self, query: SearchQuery) -> list[Item]:
        """See `SearchSpec.search`."""
        ...


class EmbeddingPlugin(Protocol):
    """An embedding plugin."""

    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        """See `EmbeddingSpec.embed`."""
        ...


class SourcePlugin(Protocol):
    """A source plugin."""

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        """See `SourceSpec.read`."""
        ...


class StoragePlugin(Protocol):
    """A storage plugin."""

    def put(self, batch: PutBatch) -> PutReceipt:
        """See `StorageSpec.put`."""
        ...

    def get(self, ids: tuple[str, ...]) -> tuple[StoredDocument | None, ...]:
        """See `StorageSpec.get`."""
        ...

    def raw(self, digests: tuple[str, ...]) -> tuple[bytes | None, ...]:
        """See `StorageSpec.raw`."""
        ...

    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:
        """See `StorageSpec.candidates`."""
        ...

    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        """See `StorageSpec.candidates_by_fingerprint`."""
        ...

    def compact(self) -> Compaction:
        """See `StorageSpec.compact`."""
        ...

    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        """See `StorageSpec.scan`."""
        ...

    def versions(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """See `StorageSpec.versions`."""
        ...

    def containers(self, origin: str) -> tuple[ContainerState, ...]:
        """See `StorageSpec.containers`."""
        ...

    def drop_container(self, origin: str, container: str) -> None:
        """See `StorageSpec.drop_container`."""
        ...

    def delete(self, request: DeleteRequest) -> DeleteReceipt:
        """See `StorageSpec.delete`."""
        ...

    def tombstones(self, names: tuple[str, ...]) -> tuple[Tombstone | None, ...]:
        """See `StorageSpec.tombstones`."""
        ...

    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """See `StorageSpec.repair`."""
        ...

    def backup(self, path: str) -> Backup:
        """See `StorageSpec.backup`."""
        ...

    def restore(self, path: str) -> Migration:
        """See `StorageSpec.restore`."""
        ...

    def put_run(self, entry: StoredRun) -> None:
        """See `StorageSpec.put_run`."""
        ...

    def runs(self, run: str | None, limit: int) -> tuple[StoredRun, ...]:
        """See `StorageSpec.runs`."""
        ...

    def state(self, depth: StateDepth) -> StoreState:
        """See `StorageSpec.state`."""
        ...

    def migrate(self) -> Migration:
        """See `StorageSpec.migrate`."""
        ...
