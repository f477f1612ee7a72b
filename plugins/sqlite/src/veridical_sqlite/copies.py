"""Copies of the store: written while others go on, read again before they count, and put back with what was there kept beside.

backup     SQLite's online backup -> PATH.part -> read as `doctor --store` reads a store -> PATH
restore    PATH -> a copy beside the store -> read -> the store's files are renamed -> the copy takes their name
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO

from veridical_contract import Backup, StoreError, StoreState

from . import checks, failures
from .connection import Database

FILES = ("", "-wal", "-shm")


def backup(database: Database, path: Path) -> Backup:
    """Write a copy of the store, as it is at one moment, to `path`.

    Raises:
        StoreError: there is something at `path`, or the copy cannot be written.
        StoreCorruptError: something is wrong with what was copied; there is no copy then.
    """
    if os.path.lexists(path):
        raise StoreError(f"There is something at {path}; it was not replaced.", hint="Choose another name.")
    part = path.with_name(f"{path.name}.part")
    try:
        with _about(path):
            _copy(database, part)
            held = _read_again(part)
            part.rename(path)
    finally:
        _remove(part)
    return Backup(documents=held.documents, schema_version=held.schema_version)


def restore(database: Database, path: Path, stamp: str) -> None:
    """Make the copy at `path` the store. What was the store is renamed to `NAME.before-STAMP`.

    Raises:
        StoreError: the copy cannot be read; the store is as it was.
        StoreCorruptError: something is wrong with the copy; the store is as it was.
    """
    target = database.path
    with _about(path):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = target.with_name(f"{target.name}.restored")
        _remove(part)
        try:
            with path.open("rb") as source, _private(part) as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
                copy.flush()
                os.fsync(copy.fileno())
            _read_again(part)
            database.close()
            before = _kept_as(target, "".join(character for character in stamp if character.isdigit())[:14])
            for suffix in FILES:
                if os.path.lexists(f"{target}{suffix}"):
                    Path(f"{target}{suffix}").rename(f"{before}{suffix}")
            part.rename(target)
        finally:
            _remove(part)


def _kept_as(target: Path, stamp: str) -> str:
    """Return a name that no file of a store has: two restores may fall into one second."""
    first = f"{target}.before-{stamp}"
    names = chain((first,), (f"{first}-{number}" for number in count(2)))
    return next(name for name in names if not any(os.path.lexists(f"{name}{suffix}") for suffix in FILES))


def _copy(database: Database, part: Path) -> None:
    _remove(part)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(part)) as copy:
        database.copy_to(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, whatever reads it
    with part.open("rb") as file:
        os.fsync(file.fileno())


def _read_again(part: Path) -> StoreState:
    """Read a whole copy, and bring it to this version."""
    database = Database(lambda: part, busy_seconds=1, cancelled=bool)
    database.open()
    with database.examine() as connection:
        held = checks.checked_state(connection, database)
    database.truncate_log()
    database.close()
    if held.problems:
        first = held.problems[0]
        raise failures.corrupt(part, f"{first.what} {first.name}", first.detail)
    return held


@contextmanager
def _about(path: Path) -> Generator[None]:
    """Let errors speak of the copy, not of the store."""
    try:
        yield
    except sqlite3.Error as error:
        raise failures.of_sqlite(error, path, "the file", 0) from error
    except OSError as error:
        raise failures.of_system(error, path) from error


def _private(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def _remove(part: Path) -> None:
    for suffix in FILES:
        Path(f"{part}{suffix}").unlink(missing_ok=True)
