"""Putting the fingerprint index in order, off the write path: a step is one short transaction, and any of them may be the last.

backlog   documents of a store that was made before there was an index are indexed, a few a step, oldest first
log       the postings of a part of one bucket go to where they are found fastest
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from . import fingerprints
from .fingerprints import LOG, MAIN

_DOCUMENTS = 300
_BYTES = 250_000
_CHUNK = 398 * MAIN.size
"""Bytes in a row: two of them fill a page of 4,096."""


def step(connection: sqlite3.Connection) -> None:
    """Do one step of what is pending; nothing when nothing is."""
    backlog = connection.execute("SELECT next, last FROM fingerprint_backlog").fetchone()
    if backlog is not None:
        _index(connection, *backlog)
    else:
        _move(connection)


def pending(connection: sqlite3.Connection) -> int:
    """Return how many steps are left, about; 0 only when nothing is."""
    backlog = connection.execute("SELECT next, last FROM fingerprint_backlog").fetchone()
    if backlog is not None:
        return (backlog[1] - backlog[0]) // _DOCUMENTS + (1 << LOG.bits)
    left, after = 0, -1
    while (found := _first(connection, after)) is not None:
        left += 1
        after = LOG.end(found)
    return left


def rebuild(connection: sqlite3.Connection) -> None:
    """Throw the index away, and leave it to `step` to make it anew from the documents."""
    for table in (MAIN.name, LOG.name, "fingerprint_backlog"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
    connection.execute("INSERT INTO fingerprint_backlog (next, last) SELECT min(row), max(row) FROM documents HAVING count(*) > 0")


def _index(connection: sqlite3.Connection, first: int, last: int) -> None:
    rows = connection.execute(
        "SELECT row FROM documents WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ?", (first, last, _DOCUMENTS)
    ).fetchall()
    texts = ((row, fingerprints.stored_text(connection, row)) for (row,) in rows)
    # What is damaged is passed over: it cannot be read by anybody.
    fingerprints.add(connection, ((row, text) for row, text in texts if text is not None))
    if len(rows) < _DOCUMENTS:
        connection.execute("DELETE FROM fingerprint_backlog")
    else:
        connection.execute("UPDATE fingerprint_backlog SET next = ?", (rows[-1][0] + 1,))


def _first(connection: sqlite3.Connection, after: int) -> int | None:
    return connection.execute("SELECT min(row) FROM fingerprint_log WHERE row > ?", (after,)).fetchone()[0]


def _move(connection: sqlite3.Connection) -> None:
    first = _first(connection, -1)
    if first is None:
        return
    moved: dict[int, bytearray] = {}
    bucket, size, last = first >> LOG.numbers, 0, first
    base = MAIN.start(LOG.high(first), 0) | (bucket & (1 << LOG.bits) - 1) << MAIN.numbers + MAIN.bits - LOG.bits
    for key, postings in connection.execute(
        "SELECT row, postings FROM fingerprint_log WHERE row BETWEEN ? AND ? ORDER BY row", (first, LOG.end(first))
    ):
        for at in range(0, len(postings), LOG.size):
            moved.setdefault(base | postings[at] << MAIN.numbers, bytearray()).extend(postings[at + 1 : at + LOG.size])
        size, last = size + len(postings), key
        if size > _BYTES:
            break
    _append(connection, moved)
    connection.execute("DELETE FROM fingerprint_log WHERE row BETWEEN ? AND ?", (first, last))


def _append(connection: sqlite3.Connection, moved: Mapping[int, bytearray]) -> None:
    """Fill the last row of each bucket, and begin new ones."""
    written: list[tuple[int, bytes]] = []
    for start, postings in sorted(moved.items()):
        last = connection.execute(
            "SELECT row, postings FROM fingerprints WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT 1", (start, MAIN.end(start))
        ).fetchone()
        key, held = (start, b"") if last is None else last
        whole = held + bytes(postings)
        written += [(key + number, whole[at : at + _CHUNK]) for number, at in enumerate(range(0, len(whole), _CHUNK))]
    connection.executemany("INSERT OR REPLACE INTO fingerprints (row, postings) VALUES (?, ?)", written)
