"""The storage plugin: each hook is one transaction."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import Field
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
    Model,
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

from . import checks, compaction, containers, copies, deletion, documents, repair, runs, search
from .connection import CACHE_MEGABYTES, Database


class SqliteSettings(Model):
    """The plugin's table of the settings file.

    Attributes:
        path: of the store; a relative one is below the data folder. None: `store.sqlite3` there.
        busy_seconds: how long to wait for another process that writes.
        cache_megabytes: how much of the store is kept in memory, at most; of a service, for each of its threads.
    """

    path: str | None = None
    busy_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    cache_megabytes: Annotated[int, Field(ge=1, le=65_536)] = CACHE_MEGABYTES


class SqliteStorage:
    """Storage in one SQLite file (WAL, FTS5, mode 0600).

    Nothing is opened before the first call. One object may be called from several threads, and several processes may use one file, each
    through an object of its own: an open file does not survive a fork.
    """

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        settings = context.settings(SqliteSettings)
        locate = partial(_path, context, settings.path)  # no method: a cycle would keep the file open
        self._database = Database(
            locate, busy_seconds=settings.busy_seconds, cache_megabytes=settings.cache_megabytes, cancelled=context.cancelled
        )
        self._writers = containers.Writers()

    @hookimpl
    def put(self, batch: PutBatch) -> PutReceipt:
        """See `StorageSpec.put`."""
        documents.check_batch(batch)
        with self._database.write() as connection:
            generation = self._writers.generation(connection, batch, self._context.now())
            documents.put_raws(connection, batch.raws)
            rows, added = documents.put_documents(connection, batch.documents)
            containers.hold(connection, generation, rows)
            if batch.last:
                containers.complete(connection, generation, batch.fingerprint)
        self._writers.written(batch, generation)
        return PutReceipt(added=added, known=len(batch.documents) - added)

    @hookimpl
    def get(self, ids: tuple[str, ...]) -> tuple[StoredDocument | None, ...]:
        """See `StorageSpec.get`."""
        with self._database.read("the table documents") as connection:
            return documents.get(connection, self._database, ids)

    @hookimpl
    def raw(self, digests: tuple[str, ...]) -> tuple[bytes | None, ...]:
        """See `StorageSpec.raw`."""
        with self._database.read("the table raws") as connection:
            return documents.get_raws(connection, self._database, digests)

    @hookimpl
    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:
        """See `StorageSpec.candidates`."""
        with self._database.read("the full-text index") as connection:
            return search.candidates(connection, query)

    @hookimpl
    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        """See `StorageSpec.candidates_by_fingerprint`."""
        with self._database.read("the fingerprint index") as connection:
            return search.candidates_by_fingerprint(connection, query)

    @hookimpl
    def compact(self) -> Compaction:
        """See `StorageSpec.compact`."""
        with self._database.read("the fingerprint index") as connection:
            if not compaction.pending(connection):
                return Compaction(pending=0)
        with self._database.write() as connection:
            compaction.step(connection)
            return Compaction(pending=compaction.pending(connection))

    @hookimpl
    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        """See `StorageSpec.scan`."""
        with self._database.read("the table documents") as connection:
            return documents.scan(connection, request)

    @hookimpl
    def versions(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """See `StorageSpec.versions`."""
        with self._database.read("the table holdings") as connection:
            return documents.versions(connection, names)

    @hookimpl
    def containers(self, origin: str) -> tuple[ContainerState, ...]:
        """See `StorageSpec.containers`."""
        with self._database.read("the table containers") as connection:
            return containers.listed(connection, origin)

    @hookimpl
    def drop_container(self, origin: str, container: str) -> None:
        """See `StorageSpec.drop_container`."""
        with self._database.write() as connection:
            containers.drop(connection, origin, container)

    @hookimpl
    def delete(self, request: DeleteRequest) -> DeleteReceipt:
        """See `StorageSpec.delete`."""
        with self._database.write_through() as connection:
            deleted = deletion.delete(connection, request, containers.stamp(self._context.now()))
        if deleted.deleted:
            try:
                self._database.clear_traces()
            except StoreError as error:
                many = "1 document is" if deleted.deleted == 1 else f"{deleted.deleted} documents are"
                raise type(error)(
                    f"{many} deleted, and traces may be left in the file until it is opened again with enough room. {error.message}",
                    hint=error.hint,
                ) from error
        return deleted

    @hookimpl
    def tombstones(self, names: tuple[str, ...]) -> tuple[Tombstone | None, ...]:
        """See `StorageSpec.tombstones`."""
        with self._database.read("the table tombstones") as connection:
            return deletion.tombstones(connection, names)

    @hookimpl
    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """See `StorageSpec.repair`; one transaction."""
        repair.check(documents, raws)
        with self._database.write_through() as connection:
            repair.put_back(connection, documents, raws)

    @hookimpl
    def backup(self, path: str) -> Backup:
        """See `StorageSpec.backup`."""
        return copies.backup(self._database, Path(path))

    @hookimpl
    def restore(self, path: str) -> Migration:
        """See `StorageSpec.restore`."""
        copies.restore(self._database, Path(path), containers.stamp(self._context.now()))
        return self.migrate()

    @hookimpl
    def put_run(self, entry: StoredRun) -> None:
        """See `StorageSpec.put_run`."""
        with self._database.write_through() as connection:
            runs.put_run(connection, entry)

    @hookimpl
    def runs(self, run: str | None, limit: int) -> tuple[StoredRun, ...]:
        """See `StorageSpec.runs`; `limit` is of runs, never of the steps of one."""
        with self._database.read("the table runs") as connection:
            if run is None:
                return runs.newest(connection, self._database, limit)
            return runs.steps(connection, self._database, run)

    @hookimpl
    def state(self, depth: StateDepth) -> StoreState:
        """See `StorageSpec.state`."""
        if depth == "counts":
            with self._database.read("the table holdings") as connection:
                return checks.state(connection, self._database)
        with self._database.examine() as connection:
            return checks.checked_state(connection, self._database)

    @hookimpl
    def migrate(self) -> Migration:
        """See `StorageSpec.migrate`; what abandoned readings left behind is removed here too."""
        before, after = self._database.open()
        with self._database.read("the table generations") as connection:
            left = containers.abandoned(connection, self._context.now())
        for generation in left:
            with self._database.write() as connection:
                containers.abandon(connection, generation)
        return Migration(before=before, after=after)


def _path(context: PluginContext, path: str | None) -> Path:
    found = Path(path or "store.sqlite3").expanduser()
    return found if found.is_absolute() else context.data_dir / found
