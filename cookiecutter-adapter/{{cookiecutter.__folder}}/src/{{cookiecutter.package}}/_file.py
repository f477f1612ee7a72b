"""The SQLite file: opened for one transaction, made when it is not there, copied and replaced as a whole.

Errors of SQLite and of the file system become those of the contract here, so that a full disk is not taken for a damaged store.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import Literal

from veridical_contract import StoreCorruptError, StoreError, StoreFullError

Connection = sqlite3.Connection
SCHEMA = 1
_BUSY_SECONDS = 30.0
_TABLES = """
CREATE TABLE raws (digest TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE documents (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL, tag BLOB NOT NULL, raw TEXT, letters TEXT NOT NULL
);
CREATE INDEX documents_by_raw ON documents (raw);
CREATE TABLE passages (
    row INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE, start INTEGER NOT NULL, stop INTEGER NOT NULL
);
CREATE INDEX passages_by_document ON passages (document);
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE TABLE containers (row INTEGER PRIMARY KEY, origin TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT, UNIQUE (origin, name));
CREATE TABLE generations (
    row INTEGER PRIMARY KEY, container INTEGER NOT NULL REFERENCES containers ON DELETE CASCADE,
    state TEXT NOT NULL, replaces INTEGER NOT NULL, touched TEXT NOT NULL
);
CREATE INDEX generations_by_container ON generations (container);
CREATE TABLE holdings (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    generation INTEGER NOT NULL REFERENCES generations ON DELETE CASCADE,
    key TEXT, PRIMARY KEY (document, generation)
) WITHOUT ROWID;
CREATE INDEX holdings_by_generation ON holdings (generation);
CREATE INDEX holdings_by_key ON holdings (key) WHERE key IS NOT NULL;
CREATE TABLE tombstones (
    row INTEGER PRIMARY KEY, document TEXT NOT NULL, raw TEXT, key TEXT, reason TEXT NOT NULL, deleted TEXT NOT NULL, returns INTEGER NOT NULL
);
CREATE TABLE runs (
    row INTEGER PRIMARY KEY, run TEXT NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL,
    body BLOB NOT NULL, digest TEXT NOT NULL, previous TEXT NOT NULL, UNIQUE (run, step)
);
CREATE TABLE traces (row INTEGER PRIMARY KEY);
"""


@contextmanager
def opened(path: Path, begin: Literal["DEFERRED", "IMMEDIATE"]) -> Generator[Connection]:
    """Yield a connection in a transaction that is kept when the block ends, and undone when it raises.

    Raises:
        StoreError: the store cannot be opened, read or written; of its subclasses the one that says why.
    """
    with translated(path), closing(connect(path)) as connection:
        connection.execute(f"BEGIN {begin}")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def connect(path: Path) -> Connection:
    """Open the file, for its owner alone, and make what is missing."""
    # Only a new file is opened here: to close one is to let go of every lock that other threads of this process hold on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        _make(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def version(path: Path) -> int:
    """Return the version of the schema at `path`; 0 where there is no store."""
    if not path.exists():
        return 0
    with translated(path), closing(sqlite3.connect(path)) as connection:
        return _version(connection)


def copy(path: Path, target: Path) -> None:
    """Write `path`, as it is at one moment, to `target`; others go on with it meanwhile."""
    remove(target)
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with translated(path), closing(connect(path)) as source, closing(sqlite3.connect(target)) as made:
        source.backup(made, pages=1000, sleep=0)
        made.execute("PRAGMA journal_mode = DELETE")  # one file, whatever reads it


def replace(path: Path, by: Path, stamp: str) -> None:
    """Give `by` the name `path`; what has that name is kept beside it."""
    first = f"{path}.before-{''.join(filter(str.isdigit, stamp))}"
    names = chain([first], (f"{first}-{number}" for number in count(2)))
    kept = next(name for name in names if not Path(name).exists())
    with translated(path):
        for suffix in ("", "-wal", "-shm"):
            if Path(f"{path}{suffix}").exists():
                Path(f"{path}{suffix}").rename(f"{kept}{suffix}")
        by.rename(path)


def remove(path: Path) -> None:
    """Remove a copy, and what SQLite puts beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def clear_traces(path: Path) -> None:
    """Write the file anew and empty its log, when something was deleted since: rows that moved leave copies in unused parts of pages.

    Raises:
        StoreError: others read for too long, or there is no room; the next opening tries again.
    """
    with translated(path), closing(connect(path)) as connection:
        if connection.execute("SELECT 1 FROM traces LIMIT 1").fetchone() is None:
            return
        connection.execute("VACUUM")
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(f"The store {path} is being read; traces of what was deleted are left in its log.", hint="Run it again.")
        connection.execute("DELETE FROM traces")


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Raise errors of SQLite and of the file system as those of the contract."""
    try:
        yield
    except sqlite3.Error as error:
        raise _of_sqlite(error, path) from error
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise (StoreFullError if full else StoreError)(f"The store {path} cannot be used: {error.strerror}.") from error


def _of_sqlite(error: sqlite3.Error, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFullError(f"There is no room left to write the store {path}; what was written before is whole.", hint="Make room.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreCorruptError(f"The store {path} is damaged: {error}.", hint="Put a backup back: veridical store restore FILE")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(f"The store {path} is being written by another process.", hint="Run it again.")
    return StoreError(f"The store {path} cannot be used: {error}.")


def _version(connection: Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make(connection: Connection, path: Path) -> None:
    """Bring the schema to this version, forward only. Put the next version's changes here, one step for each."""
    found = _version(connection)
    if found > SCHEMA:
        said = f"The store {path} is of version {found}, this plugin knows {SCHEMA}."
        raise StoreError(said, hint="Install the plugin's newest version.")
    if found == SCHEMA:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) == 0:  # no other process made it meanwhile
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
