"""A store under test: its hooks with their types, and what is looked at again and again.

Store      an instance, called as the host does; what a hook returns is of exactly its type
opened()   makes one
Sizes      how much of everything; smaller where the checks themselves are tried out
worked()   looks for what one of several writers put, `material.work`
"""

from __future__ import annotations

import gc
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from veridical_contract import (
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
    StoreError,
    StoreState,
    TextQuery,
    Tombstone,
)

from .material import work
from .registry import Violation
from .subject import Live, Outcome, Subject

__all__ = ["Sizes", "Store", "opened", "outcome_of", "worked"]

_T = TypeVar("_T")
_SECONDS = 120.0
_PATIENCE, _PAUSE = 40, 0.05


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything.

    Attributes:
        odd: documents with odd texts.
        rows: documents that are paged through.
        containers: that one source has.
        kills: how often a process is killed.
        loops: containers that each of several writers puts.
    """

    odd: int
    rows: int
    containers: int
    kills: int
    loops: int

    @classmethod
    def of(cls, subject: Subject) -> Sizes:
        """Return the sizes for `subject`."""
        many = subject.options.documents
        return cls(
            odd=many, rows=max(1_100, many // 5), containers=max(20, many // 9), kills=max(1, many // 2_000), loops=max(4, many // 500)
        )


class Store:
    """An instance of a storage plugin.

    Args:
        live: the instance.
        patient: call a hook again for a while when it raises StoreError: others use the store, too, and it says so.

    Attributes:
        live: the instance.
    """

    def __init__(self, live: Live, *, patient: bool = False) -> None:
        self.live = live
        self._patient = patient

    def ask(self, hook: str, **arguments: Any) -> Outcome:
        """Call a hook, and say what came of it."""
        outcome = self._asked(hook, arguments)
        for _ in range(_PATIENCE if self._patient else 0):
            if not isinstance(outcome.error, StoreError):
                break
            time.sleep(_PAUSE)
            outcome = self._asked(hook, arguments)
        return outcome

    def put(self, *batches: PutBatch) -> PutReceipt:
        """Call `put` for each batch, and return the last receipt."""
        found = [self._one("put", PutReceipt, batch=batch) for batch in batches]
        return found[-1]

    def get(self, ids: Iterable[str]) -> tuple[StoredDocument | None, ...]:
        """Call `get`."""
        return self._row("get", StoredDocument, optional=True, ids=tuple(ids))

    def raw(self, digests: Iterable[str]) -> tuple[bytes | None, ...]:
        """Call `raw`."""
        return self._row("raw", bytes, optional=True, digests=tuple(digests))

    def candidates(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
        """Call `candidates`."""
        return cast("tuple[Candidate, ...]", self._row("candidates", Candidate, query=TextQuery(text=text, limit=limit, origins=origins)))

    def found(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> set[str]:
        """Return the documents of the candidates."""
        return {one.document for one in self.candidates(text, limit=limit, origins=origins)}

    def fingerprints(
        self, text: str, *, limit: int = 100, after: str | None = None, origins: tuple[str, ...] = ()
    ) -> FingerprintCandidates:
        """Call `candidates_by_fingerprint`."""
        query = FingerprintQuery(text=text, limit=limit, after=after, origins=origins)
        return self._one("candidates_by_fingerprint", FingerprintCandidates, query=query)

    def fingerprint_pages(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> list[FingerprintCandidates]:
        """Return all pages."""
        pages = [self.fingerprints(text, limit=limit, origins=origins)]
        while pages[-1].more:
            if not pages[-1].documents:
                raise Violation("candidates_by_fingerprint returned an empty page and says that there is another one.")
            pages.append(self.fingerprints(text, limit=limit, after=pages[-1].documents[-1], origins=origins))
        return pages

    def compact(self) -> Compaction:
        """Call `compact`."""
        return self._one("compact", Compaction)

    def scan(
        self,
        *,
        after: str | None = None,
        limit: int = 1000,
        origins: tuple[str, ...] = (),
        state: Literal["current", "past"] = "current",
    ) -> tuple[str, ...]:
        """Call `scan`."""
        request = ScanRequest(after=after, limit=limit, origins=origins, state=state)
        return cast("tuple[str, ...]", self._row("scan", str, request=request))

    def scanned(self, *, limit: int = 1000, origins: tuple[str, ...] = (), state: Literal["current", "past"] = "current") -> list[str]:
        """Return all pages of a scan, read until one is empty."""
        found: list[str] = []
        while page := self.scan(after=found[-1] if found else None, limit=limit, origins=origins, state=state):
            if found and page[0] <= found[-1]:
                raise Violation("scan returned a page that does not come after the one before.")
            found += page
        return found

    def versions(self, *names: str) -> tuple[str, ...]:
        """Call `versions`."""
        return cast("tuple[str, ...]", self._row("versions", str, names=names))

    def containers(self, origin: str = "notes") -> tuple[ContainerState, ...]:
        """Call `containers`."""
        return cast("tuple[ContainerState, ...]", self._row("containers", ContainerState, origin=origin))

    def drop(self, container: str, origin: str = "notes") -> None:
        """Call `drop_container`."""
        self.ask("drop_container", origin=origin, container=container).result()

    def delete(
        self,
        *documents: str,
        origin: str | None = None,
        reason: str = "asked for",
        dependents: dict[str, tuple[str, ...]] | None = None,
        returns: bool = True,
    ) -> DeleteReceipt:
        """Call `delete`."""
        request = DeleteRequest(documents=documents, origin=origin, reason=reason, dependents=dependents or {}, returns=returns)
        return self._one("delete", DeleteReceipt, request=request)

    def tombstones(self, *names: str) -> tuple[Tombstone | None, ...]:
        """Call `tombstones`."""
        return self._row("tombstones", Tombstone, optional=True, names=names)

    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """Call `repair`."""
        self.ask("repair", documents=documents, raws=raws).result()

    def backup(self, path: Path) -> Backup:
        """Call `backup`."""
        return self._one("backup", Backup, path=str(path))

    def restore(self, path: Path) -> Migration:
        """Call `restore`."""
        return self._one("restore", Migration, path=str(path))

    def put_runs(self, *entries: StoredRun) -> None:
        """Call `put_run` for each."""
        for entry in entries:
            self.ask("put_run", entry=entry).result()

    def runs(self, run: str | None, limit: int = 10) -> tuple[StoredRun, ...]:
        """Call `runs`."""
        return cast("tuple[StoredRun, ...]", self._row("runs", StoredRun, run=run, limit=limit))

    def state(self, depth: StateDepth = "counts") -> StoreState:
        """Call `state`, in the way in which a plugin asks to be called."""
        return self._one("state", StoreState, depth=depth, check=depth == "whole")

    def migrate(self) -> Migration:
        """Call `migrate`."""
        return self._one("migrate", Migration)

    def whole(self, when: str) -> None:
        """Have the store look at all that it holds.

        Raises:
            Violation: it finds a problem.
        """
        if problems := self.state("whole").problems:
            raise Violation(f"{when}, state names {len(problems)} problems: {problems[0].what} {problems[0].name}: {problems[0].detail}.")

    def holds(self, documents: Sequence[PutDocument]) -> bool:
        """Whether every one of `documents` comes back as it was put."""
        return self.get(each.id for each in documents) == tuple(StoredDocument(body=each.body, tag=each.tag) for each in documents)

    def _asked(self, hook: str, arguments: Mapping[str, Any]) -> Outcome:
        return self.live.call(hook, "ordinary", seconds=_SECONDS, **arguments)

    def _one(self, hook: str, expected: type[_T], **arguments: Any) -> _T:
        found = self.ask(hook, **arguments).result()
        if type(found) is not expected:
            raise Violation(f"{hook} returned {type(found).__name__}, expected {expected.__name__}.")
        return found

    def _row(self, hook: str, expected: type[_T], *, optional: bool = False, **arguments: Any) -> tuple[_T | None, ...]:
        found = self.ask(hook, **arguments).result()
        if type(found) is not tuple:
            raise Violation(f"{hook} returned {type(found).__name__}, expected a tuple.")
        for one in cast("tuple[object, ...]", found):
            if type(one) is not expected and not (optional and one is None):
                raise Violation(f"{hook} returned {type(one).__name__} in its tuple, expected {expected.__name__}.")
        return cast("tuple[_T | None, ...]", found)


@contextmanager
def opened(subject: Subject, home: Path | None = None, *, patient: bool = False) -> Generator[Store]:
    """Make an instance over `home`, a new folder when there is none, and let go of it at the end of the block; `patient`: see `Store`."""
    try:
        with subject.live(home=home) as live:
            yield Store(live, patient=patient)
    finally:
        if home is not None:
            gc.collect()  # there is no hook that closes a store: its files are closed when nobody holds it any more


def outcome_of(error: BaseException | None) -> str:
    """Say what came of a call that was to be refused."""
    return "it returned" if error is None else f"it raised {type(error).__name__}"


def worked(store: Store, writer: str, number: int, *, acknowledged: int) -> None:
    """Look for what `writer` put as its container `number`.

    Args:
        store: where.
        writer: whose.
        number: of the container.
        acknowledged: how many of its three parts came back to the writer; of the others each is there whole, or not at all.

    Raises:
        Violation: something is lost, or half there.
    """
    begun, ended, step = work(writer, number)
    name = begun.container
    for place, batch in enumerate((begun, ended)):
        there = [one is not None for one in store.get(each.id for each in batch.documents)]
        if place < acknowledged and not store.holds(batch.documents):
            raise Violation(f"A batch that was acknowledged is not there: {name}, batch {place}.")
        if any(there) and not all(there):
            raise Violation(f"A batch is half there: {name}, {sum(there)} of {len(there)} documents of batch {place}.")
    if acknowledged > 1 and store.raw([begun.raws[0].digest]) != (begun.raws[0].body,):
        raise Violation(f"The bytes of a record that was acknowledged are not there: {name}.")
    listed = [each for each in store.containers() if each.container == name]
    if listed and listed[0].documents != 12:
        raise Violation(f"A container is half current: {name}, {listed[0].documents} of 12 documents.")
    if acknowledged > 1 and not listed:
        raise Violation(f"A container whose last batch was acknowledged is not known: {name}.")
    if acknowledged > 2 and store.runs(name) != (step,):
        raise Violation(f"A step of a run that was acknowledged is not there: {name}.")
