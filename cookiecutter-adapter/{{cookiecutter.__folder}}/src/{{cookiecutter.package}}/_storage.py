"""Storage: the hooks, each of them one transaction on one SQLite file. What a transaction does stands in `_tables` and `_file`.

Every call opens the file and closes it again, so that threads, processes and forks do not get into each other's way. This is a store to
start from: whole, durable and simple. `candidates_by_fingerprint` looks through the letters of every current document, which is right and
slow; an index of your own is what makes a large store fast.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

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
    PluginContext,
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
    hookimpl,
)

from . import _file, _problems, _tables
from ._file import Connection

FILE = "{{ cookiecutter.name }}.sqlite3"

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Storage:
    """A store in one SQLite file in the data folder."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._writing: dict[tuple[str, str], int] = {}

    @hookimpl
    def put(self, batch: PutBatch) -> PutReceipt:
        """See `StorageSpec.put`.

        Raises:
            StoreError: something does not hash to its name, or the container was dropped meanwhile.
        """
        _tables.check(batch.documents, batch.raws)
        key = (batch.origin, batch.container)
        with self._lock:
            with self._writer() as connection:
                now = _tables.stamp(self._context.now())
                generation = _tables.generation(connection, batch, self._writing.get(key), now)
                added = _tables.put(connection, batch, generation)
                if batch.last:
                    _tables.complete(connection, generation, batch.fingerprint)
            # Only now is the transaction kept. One that was lost must not be gone on with: its number may be another's by then.
            self._writing[key] = generation
            if batch.last:
                del self._writing[key]
        return PutReceipt(added=added, known=len(batch.documents) - added)

    @hookimpl
    def get(self, ids: tuple[str, ...]) -> tuple[StoredDocument | None, ...]:
        """See `StorageSpec.get`."""
        return self._read(_tables.get, ids)

    @hookimpl
    def raw(self, digests: tuple[str, ...]) -> tuple[bytes | None, ...]:
        """See `StorageSpec.raw`."""
        return self._read(_tables.raws, digests)

    @hookimpl
    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:
        """See `StorageSpec.candidates`."""
        return self._read(_tables.candidates, query)

    @hookimpl
    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        """See `StorageSpec.candidates_by_fingerprint`."""
        return self._read(_tables.candidates_by_fingerprint, query)

    @hookimpl
    def compact(self) -> Compaction:
        """See `StorageSpec.compact`; there is nothing to do."""
        return Compaction(pending=0)

    @hookimpl
    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        """See `StorageSpec.scan`."""
        return self._read(_tables.scan, request)

    @hookimpl
    def versions(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """See `StorageSpec.versions`."""
        return self._read(_tables.versions, names)

    @hookimpl
    def containers(self, origin: str) -> tuple[ContainerState, ...]:
        """See `StorageSpec.containers`."""
        return self._read(_tables.containers, origin)

    @hookimpl
    def drop_container(self, origin: str, container: str) -> None:
        """See `StorageSpec.drop_container`."""
        with self._writer() as connection:
            _tables.drop(connection, origin, container)

    @hookimpl
    def delete(self, request: DeleteRequest) -> DeleteReceipt:
        """See `StorageSpec.delete`.

        Raises:
            StoreError: it is deleted, and traces are left in the file until the store is opened again.
        """
        with self._writer() as connection:
            receipt = _tables.delete(connection, request, _tables.stamp(self._context.now()))
        if receipt.deleted:
            _file.clear_traces(self._path)
        return receipt

    @hookimpl
    def tombstones(self, names: tuple[str, ...]) -> tuple[Tombstone | None, ...]:
        """See `StorageSpec.tombstones`."""
        return self._read(_tables.tombstones, names)

    @hookimpl
    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """See `StorageSpec.repair`.

        Raises:
            StoreError: something does not hash to its name.
        """
        _tables.check(documents, raws)
        with self._writer() as connection:
            _tables.repair(connection, documents, raws)

    @hookimpl
    def backup(self, path: str) -> Backup:
        """See `StorageSpec.backup`.

        Raises:
            StoreError: there is a file at `path`, or something is wrong with the copy.
        """
        target, part = Path(path), Path(f"{path}.part")
        if target.exists():
            raise StoreError(f"There is a file at {path}; it was not replaced.", hint="Choose another name.")
        try:
            _file.copy(self._path, part)
            held = _problems.sound(part)
            part.rename(target)
        finally:
            _file.remove(part)
        return Backup(documents=held.documents, schema_version=held.schema_version)

    @hookimpl
    def restore(self, path: str) -> Migration:
        """See `StorageSpec.restore`.

        Raises:
            StoreError: something is wrong with the copy; the store is as it was.
        """
        if not Path(path).is_file() or not Path(path).stat().st_size:
            raise StoreError(f"There is no copy of a store at {path}.", hint="Name a file that a backup wrote.")
        part = Path(f"{self._path}.restored")
        try:
            _file.copy(Path(path), part)
            _problems.sound(part)
            with self._lock:
                _file.replace(self._path, part, _tables.stamp(self._context.now()))
                self._writing.clear()
        finally:
            _file.remove(part)
        return self.migrate()

    @hookimpl
    def put_run(self, entry: StoredRun) -> None:
        """See `StorageSpec.put_run`.

        Raises:
            StoreError: the step does not follow from the newest one of its run.
        """
        with self._writer() as connection:
            _tables.put_run(connection, entry)

    @hookimpl
    def runs(self, run: str | None, limit: int) -> tuple[StoredRun, ...]:
        """See `StorageSpec.runs`."""
        return self._read(_tables.runs, run, limit)

    @hookimpl
    def state(self, depth: StateDepth) -> StoreState:
        """See `StorageSpec.state`."""
        if depth == "counts":
            return self._read(_tables.state, str(self._path))
        with self._writer() as connection:  # SQLite compares its index in a transaction that writes
            problems = tuple(_problems.problems(connection))
            return _tables.state(connection, str(self._path)).model_copy(update={"problems": problems})

    @hookimpl
    def migrate(self) -> Migration:
        """See `StorageSpec.migrate`; what abandoned readings and killed deletions left behind goes here too."""
        before = _file.version(self._path)
        with self._writer() as connection:
            _tables.abandon_old(connection, self._context.now())
        _file.clear_traces(self._path)
        return Migration(before=before, after=_file.SCHEMA)

    @property
    def _path(self) -> Path:
        return self._context.data_dir / FILE

    @contextmanager
    def _writer(self) -> Generator[Connection]:
        with _file.opened(self._path, "IMMEDIATE") as connection:
            yield connection

    def _read(self, function: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        with _file.opened(self._path, "DEFERRED") as connection:
            return function(connection, *args, **kwargs)
