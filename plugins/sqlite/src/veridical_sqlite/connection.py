"""The file: how it is made, opened, shared between threads and processes, and what its errors mean to a person.

    Database.read()            one snapshot                   all of them under one lock in this process,
    Database.write()           one immediate transaction      and with SQLite's errors translated
    Database.write_through()   the same, on disk before it returns

A store is built under another name and linked to its own when it is whole. So a file at the store's path is never half made, an empty one
was cut, and of two processes that make it at once one wins and the other opens what it made. SQLite gives `-wal` and `-shm` the
mode of the file itself, so that they are born 0600 too.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
import threading
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError
from veridical_contract import CancelledError, StoreCorruptError, StoreError, StoreFullError, VeridicalError

from . import packing
from .schema import APPLICATION_ID, MIGRATIONS, Migrate, migrate, version

ELSEWHERE = "Choose another folder with `--home DIR` or the VERIDICAL_HOME variable."
RESTORE = "Put a backup of the file back, or move it away and add its sources again."
_MIB = 1 << 20
_STEPS_BETWEEN_LOOKS = 100_000


class Database:
    """One store file, opened at the first use.

    Args:
        locate: says where the file is; asked at the first use.
        busy_seconds: how long to wait for other writers.
        cancelled: whether what runs now is no longer wanted; asked every few milliseconds.
        migrations: of the schema.
    """

    def __init__(
        self,
        locate: Callable[[], Path],
        *,
        busy_seconds: float,
        cancelled: Callable[[], bool],
        migrations: Sequence[Migrate] = MIGRATIONS,
    ) -> None:
        self._locate = locate
        self._busy_seconds = busy_seconds
        self._cancelled = cancelled
        self._migrations = migrations
        self._lock = threading.RLock()
        self._opened: tuple[sqlite3.Connection, tuple[int, int] | None] | None = None
        self._close: Callable[[], object] = _nothing

    @cached_property
    def path(self) -> Path:
        """Where the file is.

        Raises:
            StoreError: the folder that it is in by default cannot be made.
        """
        try:
            return self._locate()
        except OSError as error:
            raise StoreError(f"The folder of the store cannot be made: {error}.", hint=ELSEWHERE) from error

    def open(self) -> tuple[int, int]:
        """Open the file, make it or bring it to this version where needed, and return its schema version before and after."""
        with self._locked(), self._translating():
            if self._opened is not None:
                known = version(self._connection())
                return known, known
            made = self._make()
            self._usable()
            connection = self._connect(self.path)
            self._close = weakref.finalize(self, connection.close)
            try:
                before = self._prepare(connection)
            except BaseException:
                self.close()
                raise
            self._opened = (connection, self._identity())
            return (0 if made else before), len(self._migrations)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._locked():
            self._opened = None
            self._close()

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
        """Give a transaction of which everything is kept, or nothing when the block raises."""
        with self._transaction("BEGIN IMMEDIATE", "the file") as connection:
            yield connection

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

    def truncate_log(self) -> None:
        """Move what the write-ahead log holds into the file and empty it, as far as other readers let us."""
        with self._locked(), self._translating():
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def corrupt(self, what: str, detail: str) -> StoreCorruptError:
        """Return the error that names `what` is damaged."""
        return StoreCorruptError(f"The store {self.path} is damaged: {what}: {detail}.", hint=RESTORE)

    def translated(self, error: sqlite3.Error, what: str) -> VeridicalError:
        """Return what `error`, met while `what` was worked on, means to a person."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        text = str(error)
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and self._no_room()):
            return self._full()
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return self._busy("another process")
        if code == sqlite3.SQLITE_INTERRUPT:
            return CancelledError("The call to the store was cancelled; nothing of it was kept.")
        if code == sqlite3.SQLITE_NOTADB:
            return self.corrupt("the file", "it is not an SQLite file, or its first bytes were changed")
        if code == sqlite3.SQLITE_CORRUPT or text.startswith(("no such table", "no such column", "Could not decode")):
            return self.corrupt(what, text)
        return StoreError(f"The store {self.path} cannot be used: {text}.", hint=ELSEWHERE)

    @contextmanager
    def _translating(self, what: str = "the file") -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self.translated(error, what) from error
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise self._full() from error
            raise StoreError(f"The store {self.path} cannot be used: {error.strerror or error}.", hint=ELSEWHERE) from error

    @contextmanager
    def _transaction(self, begin: str, what: str) -> Generator[sqlite3.Connection]:
        with self._locked(), self._translating(what):
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
            raise self._busy("another thread of this process")
        try:
            yield
        finally:
            self._lock.release()

    def _set(self, pragma: str) -> None:
        self.open()
        with self._translating():
            self._connection().execute(f"PRAGMA {pragma}")

    def _connection(self) -> sqlite3.Connection:
        assert self._opened is not None  # noqa: S101 - for the type checker
        connection, identity = self._opened
        if self._identity() != identity:
            raise StoreError(f"The store {self.path} was removed or replaced while it was open.", hint="Run the command again.")
        return connection

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _make(self) -> bool:
        """Make the store unless there is one; return whether this call did."""
        if self.path.is_symlink() or self.path.exists():
            return False
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f"{self.path.name}.", suffix=".new")
        os.close(handle)
        unfinished = Path(name)
        try:
            connection = self._connect(unfinished)
            try:
                self._migrate(connection)
            finally:
                connection.close()
            os.link(unfinished, self.path)
        except FileExistsError:
            return False
        finally:
            for suffix in ("", "-wal", "-shm"):
                Path(name + suffix).unlink(missing_ok=True)
        return True

    def _connect(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        connection.create_function("unpacked_words", 4, _unpacked_words, deterministic=True)
        connection.set_progress_handler(self._cancelled, _STEPS_BETWEEN_LOOKS)
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> int:
        _private(self.path)
        self._ours(connection)
        before = version(connection)
        if before > len(self._migrations):
            raise StoreError(
                f"The store {self.path} has schema version {before}; this veridical-sqlite knows versions up to {len(self._migrations)}.",
                hint="Update it: pip install --upgrade veridical-sqlite",
            )
        self._migrate(connection)
        return before

    def _usable(self) -> None:
        # SQLite would open it for reading alone and fail later, at the first write, with less to say.
        if not os.access(self.path, os.R_OK | os.W_OK):
            raise StoreError(f"The store {self.path} cannot be written: the file is read-only for this user.", hint=ELSEWHERE)
        if not os.access(self.path.parent, os.W_OK | os.X_OK):
            raise StoreError(f"The store {self.path} cannot be written: its folder is read-only for this user.", hint=ELSEWHERE)
        if self.path.stat().st_size == 0:
            raise self.corrupt("the file", "it is empty")

    def _ours(self, connection: sqlite3.Connection) -> None:
        found = connection.execute("PRAGMA application_id").fetchone()[0]
        if found != APPLICATION_ID:
            raise StoreError(f"{self.path} is an SQLite file of another program, not a veridical store.", hint=ELSEWHERE)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = NORMAL",  # a power cut may take the last transactions back, each of them whole
            "foreign_keys = ON",
            "secure_delete = ON",
            "trusted_schema = ON",  # the view calls `unpacked_words`
            f"cache_size = -{64 << 10}",
            "wal_autocheckpoint = 4000",
            f"journal_size_limit = {64 * _MIB}",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        if version(connection) == len(self._migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            migrate(connection, self._migrations)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _busy(self, who: str) -> StoreError:
        return StoreError(
            f"The store {self.path} is being written by {who}; waited {self._busy_seconds:g} seconds.", hint="Run the command again."
        )

    def _full(self) -> StoreFullError:
        return StoreFullError(
            f"There is no room left to write the store {self.path}; what was written before is whole.", hint=f"Make room. {ELSEWHERE}"
        )

    def _no_room(self) -> bool:
        # SQLite reports a full disk as an I/O error where it enlarges the shared memory file.
        room = os.statvfs(self.path.parent)
        return room.f_bavail * room.f_frsize < _MIB


def _private(path: Path) -> None:
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        with suppress(FileNotFoundError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _unpacked_words(size: int, body: bytes, dictionary: bytes | None, words: bytes) -> str | None:
    """Be the SQL function of the view; NULL for what is damaged, so that one document does not stop work on the others."""
    try:
        return packing.unpack_words(words, packing.unpack_document(body, size, dictionary))
    except (ValueError, TypeError):
        return None


def _nothing() -> None:
    """Close what was never opened."""
