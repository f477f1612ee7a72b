"""The steps of runs: a hash chain each, append-only. A step names the SHA-256 of the body of the step before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import TypeAlias

from veridical_contract import StoredRun, StoreError

from . import packing
from .connection import Database

ORIGIN = bytes(32)
"""What the first step of a run names as the one before."""

_COLUMNS = "run, step, kind, previous, digest, size, body"
Row: TypeAlias = tuple[str, int, str, bytes, bytes, int, bytes]


def put_run(connection: sqlite3.Connection, entry: StoredRun) -> None:
    """Append a step.

    Raises:
        StoreError: it does not follow from the newest step of its run.
    """
    newest = connection.execute("SELECT step, digest FROM runs WHERE run = ? ORDER BY step DESC LIMIT 1", (entry.run,)).fetchone()
    step, previous = (0, ORIGIN) if newest is None else (newest[0] + 1, newest[1])
    if entry.step != step:
        raise StoreError(f"The run {entry.run} was not continued: got step {entry.step}, expected step {step}.")
    if bytes.fromhex(entry.previous) != previous:
        raise StoreError(
            f"The run {entry.run} was not continued: step {step} names {entry.previous} as the step before, expected {previous.hex()}."
        )
    connection.execute(
        f"INSERT INTO runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant of this module
        (entry.run, step, entry.kind, previous, sha256(entry.body).digest(), len(entry.body), packing.pack(entry.body)),
    )


def steps(connection: sqlite3.Connection, database: Database, run: str) -> tuple[StoredRun, ...]:
    """Return the steps of `run` in order.

    Raises:
        StoreCorruptError: one is missing, or is not what was put.
    """
    rows = connection.execute(f"SELECT {_COLUMNS} FROM runs WHERE run = ? ORDER BY step", (run,)).fetchall()  # noqa: S608 - as above
    for problem in chain_problems(rows):
        raise database.corrupt(f"run {run}", problem)
    return tuple(_entry(row) for row in rows)


def newest(connection: sqlite3.Connection, database: Database, limit: int) -> tuple[StoredRun, ...]:
    """Return the newest step of each of the `limit` runs that were begun last, newest first.

    Raises:
        StoreCorruptError: a step of one of them is missing, or is not what was put.
    """
    begun = connection.execute("SELECT run FROM runs GROUP BY run ORDER BY min(row) DESC LIMIT ?", (max(limit, 0),)).fetchall()
    return tuple(steps(connection, database, run)[-1] for (run,) in begun)


def chain_problems(rows: list[Row]) -> Iterator[str]:
    """Yield what is wrong with the steps of one run."""
    previous = ORIGIN
    for number, (_, step, _, named, digest, size, stored) in enumerate(rows):
        if step != number:
            yield f"step {number} is missing"
            return
        if named != previous:
            yield f"step {step} does not follow from the step before"
        if stored and _hash(stored, size) != digest:  # nothing is stored of a report that was withdrawn
            yield f"the bytes of step {step} do not hash to their name"
        previous = digest


def all_problems(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the name of each run that is not whole, and what is wrong with it."""
    for (run,) in connection.execute("SELECT DISTINCT run FROM runs").fetchall():
        rows = connection.execute(f"SELECT {_COLUMNS} FROM runs WHERE run = ? ORDER BY step", (run,)).fetchall()  # noqa: S608 - as above
        for problem in chain_problems(rows):
            yield run, problem


def _hash(stored: bytes, size: int) -> bytes | None:
    try:
        return sha256(packing.unpack(stored, size)).digest()
    except (ValueError, TypeError):
        return None


def _entry(row: Row) -> StoredRun:
    run, step, kind, previous, _, size, stored = row
    return StoredRun.model_validate(
        {"run": run, "step": step, "kind": kind, "previous": previous.hex(), "body": packing.unpack(stored, size) if stored else b""}
    )
