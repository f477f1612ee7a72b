"""How a store file comes to be, and what is looked at before one is used.

A store is built under another name and linked to its own when it is whole. So a file at the store's path is never half made, an empty one
was cut, and of two processes that make it at once one wins and the other opens what it made. SQLite gives `-wal` and `-shm` the
mode of the file itself, so that they are born 0600 too. What a killed process left under another name is removed by the next one.
"""

from __future__ import annotations

import glob
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from veridical_contract import StoreError

from . import failures, packing, words
from .schema import APPLICATION_ID, Migrate, migrate, version

_MIB = 1 << 20
_DAY = 86_400
_STEPS_BETWEEN_LOOKS = 10_000
_ALWAYS = (
    "journal_mode = WAL",
    "synchronous = NORMAL",  # a power cut may take the last transactions back, each of them whole
    "foreign_keys = ON",
    "secure_delete = ON",
    "trusted_schema = ON",  # the view calls `unpacked_words`
    "wal_autocheckpoint = 4000",
    f"journal_size_limit = {64 * _MIB}",
)


def make(path: Path, migrations: Sequence[Migrate]) -> bool:
    """Make the store unless there is something at `path`; return whether this call did."""
    if path.is_symlink() or path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".new")
    try:
        try:
            _build(Path(name), migrations)
            os.fsync(handle)
        finally:
            os.close(handle)  # before others see the file: closing takes away every lock that this process has on it
        os.link(name, path)
        _sync_folder(path.parent)
    except FileExistsError:
        return False
    finally:
        for suffix in ("", "-wal", "-shm"):
            Path(name + suffix).unlink(missing_ok=True)
    return True


def connect(path: Path, seconds: float, cancelled: Callable[[], bool] | None = None) -> sqlite3.Connection:
    """Open a file that is there, for any thread, without transactions that begin by themselves."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=seconds, isolation_level=None, check_same_thread=False
    )
    _add_functions(connection)
    connection.set_progress_handler(cancelled, _STEPS_BETWEEN_LOOKS)
    return connection


def connect_to_new(migrations: Sequence[Migrate]) -> sqlite3.Connection:
    """Make a store in memory, with nothing in it, and open it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _add_functions(connection)
    migrate(connection, migrations)
    return connection


def _add_functions(connection: sqlite3.Connection) -> None:
    connection.create_function("unpacked_words", 6, _unpacked_words, deterministic=True)


def check_usable(path: Path) -> None:
    """Refuse a file that SQLite would open and stumble over later, with less to say.

    Raises:
        StoreError: it cannot be written, or it is empty.
    """
    if not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"The store {path} cannot be written: the file is read-only for this user.", hint=failures.ELSEWHERE)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreError(f"The store {path} cannot be written: its folder is read-only for this user.", hint=failures.ELSEWHERE)
    if path.stat().st_size == 0:
        raise failures.corrupt(path, "the file", "it is empty")


def prepare(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migrate]) -> int:
    """Set up a connection to a store, bring the store to this version, and return the version that it had.

    Raises:
        StoreError: it is the file of another program, or of a newer version.
    """
    _keep_private(path)
    _sweep(path)
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"{path} is an SQLite file of another program, not a veridical store.", hint=failures.ELSEWHERE)
    before = version(connection)
    if before > len(migrations):
        raise StoreError(
            f"The store {path} has schema version {before}; this veridical-sqlite knows versions up to {len(migrations)}.",
            hint="Update it: pip install --upgrade veridical-sqlite",
        )
    _set_up(connection, _ALWAYS)
    _migrate(connection, migrations)
    return before


def _sweep(path: Path) -> None:
    """Remove what processes left that were killed while they made or restored the store: a copy, or this one's second name.

    One that is still at work has begun within the day; a second name of the store itself is of no use to anybody at any age.
    """
    name = glob.escape(path.name)
    for left in (*path.parent.glob(f"{name}.*.new*"), *path.parent.glob(f"{name}.restored*")):
        with suppress(OSError):  # somebody else's, or already gone
            if left.samefile(path) or left.stat().st_mtime < time.time() - _DAY:
                left.unlink()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _build(path: Path, migrations: Sequence[Migrate]) -> None:
    with closing(connect(path, 0)) as connection:
        # Nobody can see the file yet: it is brought to the disk once, when it is whole.
        _set_up(connection, ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = OFF"))
        _migrate(connection, migrations)


def _set_up(connection: sqlite3.Connection, pragmas: Sequence[str]) -> None:
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migrate]) -> None:
    if version(connection) == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection, migrations)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _keep_private(path: Path) -> None:
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        with suppress(FileNotFoundError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _unpacked_words(size: int, body: bytes, dictionary: bytes | None, start: int, end: int, stored: bytes) -> str | None:
    """Be the SQL function of the view; NULL for what is damaged, so that one document does not stop work on the others."""
    try:
        whole = packing.unpack_document(body, size, dictionary)
        if len(stored) != packing.SUM:
            return packing.unpack_words(stored, whole)
        made = words.of_body(whole, start, end)
        return made if packing.sum_of_words(made) == stored else None
    except (ValueError, TypeError, LookupError):
        return None
