"""What went wrong with a store, for a person: the contract's errors in the place of SQLite's and the system's."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from veridical_contract import CancelledError, StoreCorruptError, StoreError, StoreFullError, VeridicalError

ELSEWHERE = "Choose another folder with `--home DIR` or the VERIDICAL_HOME variable."
_RESTORE = "Put a backup back with `veridical store restore FILE`, or move the file away and add its sources again."
_AGAIN = "Run the command again."
_LITTLE_ROOM = 1 << 20


def corrupt(path: Path, what: str, detail: str) -> StoreCorruptError:
    """Return the error that names `what` is damaged, and how it shows."""
    return StoreCorruptError(f"The store {path} is damaged: {what}: {detail}.", hint=_RESTORE)


def busy(path: Path, who: str, seconds: float) -> StoreError:
    """Return the error for a store that others write to for too long."""
    return StoreError(f"The store {path} is being written by {who}; waited {seconds:g} seconds.", hint=_AGAIN)


def cancelled() -> CancelledError:
    """Return the error for a call that is no longer wanted."""
    return CancelledError("The call to the store was cancelled; nothing of it was kept.")


def replaced(path: Path) -> StoreError:
    """Return the error for a file that is not the one that was opened."""
    return StoreError(f"The store {path} was removed or replaced while it was open.", hint=_AGAIN)


def unusable(path: Path, detail: str) -> StoreError:
    """Return the error for a store that cannot be where it is."""
    return StoreError(f"The store {path} cannot be used: {detail}.", hint=ELSEWHERE)


def of_system(error: OSError, path: Path) -> StoreError:
    """Return what an error of the file system means."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _full(path)
    return unusable(path, error.strerror or str(error))


def of_sqlite(error: sqlite3.Error, path: Path, what: str, seconds: float) -> VeridicalError:
    """Return what an error of SQLite means, met while `what` was worked on after waiting up to `seconds` for others."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0: Python's own, for text that is no UTF-8
    text = str(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _little_room(path)):
        return _full(path)
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return busy(path, "another process", seconds)
    if code == sqlite3.SQLITE_INTERRUPT:
        return cancelled()
    if code == sqlite3.SQLITE_NOTADB:
        return corrupt(path, "the file", "it is not an SQLite file, or its first bytes were changed")
    # Every statement fits the schema of a whole store: an error in one means that the tables are not what they were.
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, 0} and "no such module" not in text:
        return corrupt(path, what, text)
    return unusable(path, text)


def _full(path: Path) -> StoreFullError:
    return StoreFullError(
        f"There is no room left to write the store {path}; what was written before is whole.", hint=f"Make room. {ELSEWHERE}"
    )


def _little_room(path: Path) -> bool:
    # SQLite reports a full disk as an I/O error where it enlarges the shared memory file.
    try:
        room = os.statvfs(path.parent)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < _LITTLE_ROOM
