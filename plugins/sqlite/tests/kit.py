"""What the tests of the store share: a context, documents as a host would put them, and work for other processes."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from veridical_contract import Model, PutBatch, PutDocument, PutRaw, ScanRequest, TextQuery
from veridical_sqlite import SqliteStorage

_Settings = TypeVar("_Settings", bound=Model)


@dataclass
class Context:
    """A plugin context with a clock that stands still until it is set."""

    data_dir: Path
    table: Mapping[str, Any] = field(default_factory=dict)
    moment: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    unwanted: bool = False
    name: str = "sqlite"
    files: Any = None
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("test"))

    @property
    def cache_dir(self) -> Path:
        raise NotImplementedError

    def now(self) -> datetime:
        return self.moment

    def cancelled(self) -> bool:
        return self.unwanted

    def settings(self, model: type[_Settings]) -> _Settings:
        return model.model_validate(self.table)

    def secret(self, name: str) -> str:
        raise NotImplementedError

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> Any:
        raise NotImplementedError

    ahttp = http


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def raw(body: bytes) -> PutRaw:
    return PutRaw(digest=digest(body), body=body)


def document(
    text: str,
    *,
    title: str | None = None,
    passages: tuple[tuple[int, int], ...] | None = None,
    raw: PutRaw | None = None,
    body: bytes | None = None,
    tag: bytes = b"tag",
) -> PutDocument:
    """A document whose one passage is its whole text, unless said otherwise."""
    if body is None:
        body = json.dumps({"plugin": "files", "text": text, "title": title}, sort_keys=True, separators=(",", ":")).encode()
    return PutDocument(
        id=digest(body),
        body=body,
        tag=tag,
        text=text,
        title=title,
        passages=((0, len(text)),) if passages is None else passages,
        raw=None if raw is None else raw.digest,
    )


def batch(
    *documents: PutDocument,
    origin: str = "notes",
    container: str = "a.txt",
    fingerprint: str = "f1",
    raws: tuple[PutRaw, ...] = (),
    first: bool = True,
    last: bool = True,
) -> PutBatch:
    """A whole container in one batch, unless said otherwise."""
    return PutBatch(origin=origin, container=container, fingerprint=fingerprint, documents=documents, raws=raws, first=first, last=last)


def texts(store: SqliteStorage, *ids: str) -> list[str | None]:
    return [None if found is None else json.loads(found.body)["text"] for found in store.get(ids)]


def current(store: SqliteStorage, *origins: str) -> list[str]:
    """The texts of current documents, sorted."""
    return sorted(str(text) for text in texts(store, *store.scan(ScanRequest(origins=origins))))


def found(store: SqliteStorage, query: str, *origins: str, limit: int = 100) -> list[str]:
    """The texts of the documents of the candidates, in their order."""
    ids = [candidate.document for candidate in store.candidates(TextQuery(text=query, limit=limit, origins=origins))]
    return [str(text) for text in texts(store, *ids)]


def replace_container(folder: str, writer: int, times: int) -> None:
    """Be one of several processes that read the same container, each its own version of it."""
    store = SqliteStorage(Context(Path(folder)))
    for number in range(times):
        same = {"container": "same.txt", "fingerprint": f"{writer}-{number}"}
        store.put(batch(document(f"version {writer} {number} first"), last=False, **same))
        store.put(batch(document(f"version {writer} {number} second"), first=False, **same))


def begin_and_wait(folder: str, begun: Any, never: Any) -> None:
    """Be a process that is killed between the batches of a container."""
    store = SqliteStorage(Context(Path(folder)))
    store.put(batch(document("the new first"), fingerprint="f2", last=False))
    begun.set()
    never.wait()


def make_at_once(folder: str, writer: int, ready: Any) -> None:
    """Be one of several processes that make a store at the same moment."""
    ready.wait()
    SqliteStorage(Context(Path(folder))).put(batch(document(f"made by {writer}"), container=str(writer)))


def compact_all(store: SqliteStorage) -> None:
    """Put the index in order, to the end."""
    while store.compact().pending:
        pass
