"""The open file, shared between threads and processes.

    Database.read()            one snapshot                   all of them under one lock in this process,
    Database.write()           one immediate transaction      and with SQLite's errors translated
    Database.write_through()   the same, on disk before it returns
    Database.examine()         the same, of which nothing is kept

One connection serves all threads, one at a time. Between processes SQLite's own locks decide: readers never wait, writers wait for each
other.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError
from veridical_contract import StoreCorruptError, VeridicalError

from . import failures, making
from .schema import MIGRATIONS, Migrate, version

_Identity = tuple[int, int] | None
CACHE_MEGABYTES = 64


class _Undo(Exception):  # noqa: N818 - nothing went wrong
    """The block is done and nothing of it is kept."""


class Database:
    """One store file, opened at the first use.

    Args:
        locate: says where the file is; asked at the first use.
        busy_seconds: how long to wait for other writers.
        cache_megabytes: how much of the file is kept in memory, at most.
        cancelled: whether what runs now is no longer wanted; asked every few milliseconds.
        migrations: of the schema.
    """

    def __init__(
        self,
        locate: Callable[[], Path],
        *,
        busy_seconds: float,
        cache_megabytes: int = CACHE_MEGABYTES,
        cancelled: Callable[[], bool],
        migrations: Sequence[Migrate] = MIGRATIONS,
    ) -> None:
        self._locate = locate
        self._busy_seconds = busy_seconds
        self._cache_megabytes = cache_megabytes
        self.is_cancelled = cancelled
        self.migrations = migrations
        self._lock = threading.RLock()
        self._opened: tuple[sqlite3.Connection, _Identity] | None = None

    @cached_property
    def path(self) -> Path:
        """Where the file is.

        Raises:
            StoreError: the folder that it is in by default cannot be made.
        """
        try:
            return self._locate()
        except OSError as error:
            raise failures.of_system(error, Path(error.filename or "in its folder")) from error

    def open(self) -> tuple[int, int]:
        """Open the file, make it or bring it to this version where needed, and return its schema version before and after.

        Raises:
            StoreError: it cannot be used; the hint says what to do.
        """
        with self._locked(), self.translating("the file"):
            if self._opened is not None:
                known = version(self._connection())
                return known, known
            made = making.make(self.path, self.migrations)
            making.check_usable(self.path)
            connection = making.connect(self.path, self._busy_seconds, _asking(weakref.ref(self)))
            close = weakref.finalize(self, connection.close)
            try:
                before = making.prepare(connection, self.path, self.migrations)
                connection.execute(f"PRAGMA cache_size = -{self._cache_megabytes << 10:d}").fetchall()
            except BaseException:
                close()
                raise
            self._opened = (connection, self._identity())
            self._empty_old_log(connection)
            self._clear_old_traces(connection)
            return (0 if made else before), len(self.migrations)

    @contextmanager
    def read(self, what: str) -> Generator[sqlite3.Connection]:
        """Give one snapshot of the store, to read `what`."""
        try:
            with self._transaction("BEGIN", what) as connection:
                yield connection
        except ValidationError as error:
            raise self.corrupt(what, f"{error.error_count()} values are not what was written") from error

    @contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """Give a transaction of which everything is kept, or nothing when the block raises or is no longer wanted."""
        with self._transaction("BEGIN IMMEDIATE", "the file") as connection:
            yield connection
            if self.is_cancelled():  # whoever asked was told that it failed
                raise failures.cancelled()

    @contextmanager
    def write_through(self) -> Generator[sqlite3.Connection]:
        """Give a transaction that a power cut cannot take back once it is kept."""
        with self._locked():
            self._set("synchronous = FULL")
            try:
                with self.write() as connection:
                    yield connection
            finally:
                self._set("synchronous = NORMAL")

    @contextmanager
    def examine(self) -> Generator[sqlite3.Connection]:
        """Give a transaction of which nothing is kept, for checks that SQLite makes only in one that writes."""
        with suppress(_Undo), self._transaction("BEGIN IMMEDIATE", "the file") as connection:
            yield connection
            raise _Undo

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy the store as it is at one moment into `target`; others go on reading and writing."""
        with self._locked(), self.translating("the file"):
            self.open()
            self._connection().backup(target)

    def close(self) -> None:
        """Close the file; the next use opens what is there then."""
        with self._locked():
            if self._opened is not None:
                self._opened[0].close()
                self._opened = None

    def truncate_log(self) -> None:
        """Bring what the write-ahead log holds into the file and empty it, as far as other readers let us."""
        self._set("wal_checkpoint(TRUNCATE)")

    def clear_traces(self) -> None:
        """Write the file anew from its rows, and empty its log, as far as other readers let us.

        SQLite clears the cells that it deletes (`secure_delete`), and not the copies that are left where cells moved to another page.
        """
        with self._locked(), self.translating("the file"):
            self.open()
            _clear_traces(self._connection())

    def _clear_old_traces(self, connection: sqlite3.Connection) -> None:
        """Do the same after a process that was killed before it came to it."""
        with suppress(sqlite3.OperationalError):  # a full disk or another writer keeps nobody from reading; the next to open tries again
            if connection.execute("SELECT 1 FROM traces").fetchone() is not None:
                _clear_traces(connection)

    def _empty_old_log(self, connection: sqlite3.Connection) -> None:
        """Empty the log that a process left which was killed, unless another one uses it: what was deleted last still stands in it."""
        log = Path(f"{self.path}-wal")
        if log.exists() and log.stat().st_size:
            connection.execute("PRAGMA busy_timeout = 0").fetchall()
            with suppress(sqlite3.OperationalError):  # a full disk keeps nobody from reading; the next one to open the store tries again
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.execute(f"PRAGMA busy_timeout = {round(self._busy_seconds * 1000):d}").fetchall()

    def corrupt(self, what: str, detail: str) -> StoreCorruptError:
        """Return the error that names `what` is damaged, and how it shows."""
        return failures.corrupt(self.path, what, detail)

    def translated(self, error: sqlite3.Error, what: str) -> VeridicalError:
        """Return what `error`, met while `what` was worked on, means to a person."""
        return failures.of_sqlite(error, self.path, what, self._busy_seconds)

    @contextmanager
    def translating(self, what: str) -> Generator[None]:
        """Raise the contract's errors for those of SQLite and the file system, met while `what` was worked on."""
        try:
            yield
        except sqlite3.Error as error:
            raise self.translated(error, what) from error
        except OSError as error:
            raise failures.of_system(error, self.path) from error

    @contextmanager
    def _transaction(self, begin: str, what: str) -> Generator[sqlite3.Connection]:
        with self._locked(), self.translating(what):
            if self._opened is None:
                self.open()
            connection = self._connection()
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):  # the first error is the one to tell; closing rolls back as well
                        connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _locked(self) -> Generator[None]:
        if not self._lock.acquire(timeout=self._busy_seconds):
            raise failures.busy(self.path, "another thread of this process", self._busy_seconds)
        try:
            yield
        finally:
            self._lock.release()

    def _set(self, pragma: str) -> None:
        with self._locked(), self.translating("the file"):
            self.open()
            self._connection().execute(f"PRAGMA {pragma}").fetchall()

    def _connection(self) -> sqlite3.Connection:
        assert self._opened is not None  # noqa: S101 - for the type checker
        connection, identity = self._opened
        if self._identity() != identity:
            raise failures.replaced(self.path)
        return connection

    def _identity(self) -> _Identity:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino


def _asking(reference: weakref.ref[Database]) -> Callable[[], bool]:
    """Ask through a weak reference: what the connection holds, and a context may hold the plugin, keeps the file open."""

    def cancelled() -> bool:
        database = reference()
        return database is not None and database.is_cancelled()

    return cancelled


def _clear_traces(connection: sqlite3.Connection) -> None:
    last = connection.execute("SELECT max(row) FROM traces").fetchone()[0]
    connection.execute("VACUUM")
    connection.execute("DELETE FROM traces WHERE row <= ?", (last,))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
