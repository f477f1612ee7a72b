"""Putting the store in order, off the write path: a step is one short transaction, and any of them may be the last.

backlog   documents of a store that was made before there was an index are indexed, a few a step, oldest first
log       the postings of a part of one bucket go to where they are found fastest
pages     that hold nothing any more are given back to the file system; a store that was made before this was done keeps them for later
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from . import fingerprints
from .fingerprints import LOG, MAIN

_DOCUMENTS = 300
_BYTES = 60_000
_PAGES, _SLACK = 128, 64
"""Pages that a step gives back, and the part of the file that may be free: what is written next takes it."""
_INCREMENTAL = 2
_CHUNK = 398
"""Postings in a row: two rows fill a page of 4,096 bytes."""


def step(connection: sqlite3.Connection) -> None:
    """Do one step of what is pending; nothing when nothing is."""
    backlog = connection.execute("SELECT next, last FROM fingerprint_backlog").fetchone()
    if backlog is not None:
        _index(connection, *backlog)
    elif not _move(connection):
        for _ in range(_PAGES):  # Python's sqlite3 takes one step of this statement, and a step is one page
            connection.execute("PRAGMA incremental_vacuum(1)")


def pending(connection: sqlite3.Connection) -> int:
    """Return how many steps are left, about; 0 only when nothing is."""
    backlog = connection.execute("SELECT next, last FROM fingerprint_backlog").fetchone()
    if backlog is not None:
        return (backlog[1] - backlog[0]) // _DOCUMENTS + (1 << LOG.bits)
    left, after = -(-_free(connection) // _PAGES), -1
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


def _free(connection: sqlite3.Connection) -> int:
    """Return how many pages can be given back; 0 when it is not worth the while."""
    pages, free, mode = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "auto_vacuum"))
    return free if mode == _INCREMENTAL and free > max(_PAGES, pages // _SLACK) else 0


def _move(connection: sqlite3.Connection) -> bool:
    """Empty a part of the log; False when there is none."""
    first = _first(connection, -1)
    if first is None:
        return False
    bucket, size, last = first >> LOG.numbers & (1 << LOG.bits) - 1, 0, first
    base = MAIN.start(LOG.high(first), bucket << 32 - LOG.bits)
    more = (1 << MAIN.bits - LOG.bits) - 1
    moved: dict[int, tuple[bytearray, bytearray]] = {}
    for key, hashes, documents in connection.execute(
        "SELECT row, hashes, documents FROM fingerprint_log WHERE row BETWEEN ? AND ? ORDER BY row", (first, LOG.end(first))
    ):
        for at in range(0, len(hashes), 3):
            start = base | (hashes[at] & more) << MAIN.numbers
            if start not in moved:
                moved[start] = bytearray(), bytearray()
            moved[start][0].extend(hashes[at + 1 : at + 3])
            moved[start][1].extend(documents[at : at + 3])
        size, last = size + len(hashes), key
        if size > _BYTES:
            break
    _append(connection, moved)
    connection.execute("DELETE FROM fingerprint_log WHERE row BETWEEN ? AND ?", (first, last))
    return True


def _append(connection: sqlite3.Connection, moved: Mapping[int, tuple[bytearray, bytearray]]) -> None:
    """Fill the last row of each bucket, and begin new ones."""
    written: list[tuple[int, bytes, bytes]] = []
    for start, (hashes, documents) in sorted(moved.items()):
        last = connection.execute(
            "SELECT row, hashes, documents FROM fingerprints WHERE row BETWEEN ? AND ? ORDER BY row DESC LIMIT 1", (start, MAIN.end(start))
        ).fetchone()
        key, held, of = (start, b"", b"") if last is None else last
        hashes[:0], documents[:0] = held, of
        for number, at in enumerate(range(0, len(documents) // 3, _CHUNK)):
            end = at + _CHUNK
            written.append((key + number, bytes(hashes[2 * at : 2 * end]), bytes(documents[3 * at : 3 * end])))
    connection.executemany("INSERT OR REPLACE INTO fingerprints (row, hashes, documents) VALUES (?, ?, ?)", written)
