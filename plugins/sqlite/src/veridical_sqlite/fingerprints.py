"""The packed fingerprint index: which documents hold the grams of a quote.

    put ----------------> fingerprint_log    256 buckets; a row for each and 4,096 documents, appended to in the documents' transaction
    `compaction.step` --> fingerprints       65,536 buckets; rows of half a page each

A posting is a hash and the row of a document. The first bits of the hash are the bucket, the high bits of the row are in the key too, and
two blobs hold the rest, numbers of two or three bytes, high byte first: 5 bytes a posting, 6 in the log. Nothing is sorted: the hashes
of a bucket are searched with `bytes.find`. Every posting is in exactly one of the two tables.

The hashes of a document are made anew from its body when it is deleted, and each of its postings is taken out. Where the body is damaged,
or a posting is not where it should be, all of the index is gone through.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain, groupby, pairwise
from typing import NamedTuple

from . import bones, packing

LOW = 24
"""Bits of a document's row that are in a posting; the higher ones are in the key."""
_PIECE = 12
_AT_ONCE = 1 << 18
_ROWS = 500


class Table(NamedTuple):
    """Where postings are kept. The key of a row: high bits of documents' rows, first bits of the hash, number of the row.

    Attributes:
        name: of the table.
        bits: of the hash that are in the key.
        rest: bytes of the hash that are kept, the last ones.
        numbers: bits of the key that tell the rows of one bucket apart.
    """

    name: str
    bits: int
    rest: int
    numbers: int

    def start(self, high: int, hash_: int) -> int:
        """The first key of the bucket of a hash, for documents of these high bits."""
        return (high << self.bits | hash_ >> 32 - self.bits) << self.numbers

    def end(self, start: int) -> int:
        """The last key of the bucket that begins at `start`."""
        return start | (1 << self.numbers) - 1

    def high(self, key: int) -> int:
        """The high bits of the rows of the documents under a key."""
        return key >> self.bits + self.numbers


LOG = Table("fingerprint_log", bits=8, rest=3, numbers=LOW - _PIECE)
MAIN = Table("fingerprints", bits=16, rest=2, numbers=20)


def add(connection: sqlite3.Connection, documents: Iterable[tuple[int, str]]) -> None:
    """Index documents, given by row and text; the caller holds the transaction that puts them."""
    shift = 32 - LOG.bits
    for piece, part in groupby(documents, key=lambda document: document[0] >> _PIECE):
        buckets = _buckets()
        count = 0
        for row, text in part:
            low = row & (1 << LOW) - 1
            for hashes in bones.grams(text):
                for hash_ in hashes:
                    buckets[hash_ >> shift].append((hash_ & 0xFFFFFF) << LOW | low)
                count += len(hashes)
                if count > _AT_ONCE:
                    _append(connection, piece, buckets)
                    buckets, count = _buckets(), 0
        _append(connection, piece, buckets)


def _buckets() -> list[list[int]]:
    return [[] for _ in range(1 << LOG.bits)]


def _append(connection: sqlite3.Connection, piece: int, buckets: Sequence[Sequence[int]]) -> None:
    base = LOG.start(piece >> LOG.numbers, 0) | piece & (1 << LOG.numbers) - 1
    hashes, documents = _packed(list(chain.from_iterable(buckets)))
    ends = list(accumulate(map(len, buckets), initial=0))
    connection.executemany(
        """
        INSERT INTO fingerprint_log (row, hashes, documents) VALUES (?, ?, ?) ON CONFLICT (row) DO UPDATE
        SET hashes = CAST(hashes || excluded.hashes AS BLOB), documents = CAST(documents || excluded.documents AS BLOB)
        """,
        [
            (base | bucket << LOG.numbers, hashes[3 * start : 3 * end], documents[3 * start : 3 * end])
            for bucket, (start, end) in enumerate(pairwise(ends))
            if start < end
        ],
    )


def _packed(postings: Sequence[int]) -> tuple[bytes, bytes]:
    """Return the three bytes of each above the low three, and the low three, high byte first."""
    wide = array("Q", postings)
    if sys.byteorder == "little":
        wide.byteswap()
    source, packed = wide.tobytes(), (bytearray(3 * len(postings)), bytearray(3 * len(postings)))
    for at in range(6):
        packed[at // 3][at % 3 :: 3] = source[at + 2 :: 8]
    return bytes(packed[0]), bytes(packed[1])


class Lookup:
    """Documents by the grams of a quote, in the snapshot that the caller holds.

    Attributes:
        is_whole: every document is in the index.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        main, log, backlog = connection.execute(
            """
            SELECT (SELECT max(row) FROM fingerprints), (SELECT max(row) FROM fingerprint_log), EXISTS (SELECT 1 FROM fingerprint_backlog)
            """
        ).fetchone()
        self.is_whole = not backlog
        self._parts = [
            (table, high, f"SELECT hashes, documents FROM {table.name} WHERE row BETWEEN ? AND ?")  # noqa: S608 - constants
            for table, last in ((MAIN, main), (LOG, log))
            if last is not None
            for high in range(table.high(last) + 1)
        ]

    def documents(self, units: str) -> set[int]:
        """Return the rows of the documents that hold what every document holds in which all of a quote's units stand.

        Wherever they stand, the first gram of the document in them begins at one of the first `STEP` units, and the others follow at every
        `STEP`th after that.
        """
        found: set[int] = set()
        windows = bones.windows(units)
        for first in range(min(bones.STEP, windows)):
            rows = self._held(bones.hash_at(units, first))
            for at in range(first + bones.STEP, windows, bones.STEP):
                if not rows:
                    break
                rows &= self._held(bones.hash_at(units, at))
            found |= rows
        return found

    def _held(self, hash_: int) -> set[int]:
        # Ten of these are most of a look-up.
        found: set[int] = set()
        last_bytes = hash_.to_bytes(4, "big")
        for (_, bits, rest, numbers), high, query in self._parts:
            start = (high << bits | hash_ >> 32 - bits) << numbers
            needle = last_bytes[-rest:]
            for hashes, documents in self._connection.execute(query, (start, start | (1 << numbers) - 1)):
                at = hashes.find(needle)
                while at >= 0:
                    place, inside = divmod(at, rest)
                    if not inside:
                        found.add(high << LOW | int.from_bytes(documents[3 * place : 3 * place + 3], "big"))
                    at = hashes.find(needle, at + 1)
        return found


def forget(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Take the postings of documents out of the index; called while their bodies are still there."""
    due, sound = 0, True
    keys: dict[Table, set[int]] = {LOG: set(), MAIN: set()}
    for row in rows:
        text = stored_text(connection, row)
        sound = sound and text is not None
        hashes = set(chain.from_iterable(bones.grams(text or "")))
        due += 0 if _is_due(connection, row) else len(hashes)
        for table, known in keys.items():
            known.update(table.start(row >> LOW, hash_) for hash_ in hashes)
    taken = sum(_taken_out(connection, table, set(rows), _in_buckets(connection, table, known)) for table, known in keys.items())
    if taken < due or not sound:
        for table in keys:
            _taken_out(connection, table, set(rows), _all(connection, table))


def problems(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield the name of each document whose postings are not those of its text, and what that means.

    Postings are summed up by document, so that 8 bytes a document are enough; one that is still to be indexed is passed over.
    """
    sums = array("Q", bytes(8 * (1 + connection.execute("SELECT coalesce(max(row), 0) FROM documents").fetchone()[0])))
    for table in (MAIN, LOG):
        for key, hashes, documents in _all(connection, table):
            first = key >> table.numbers & (1 << table.bits) - 1
            for hash_, low in zip(_numbers(hashes, table.rest), _numbers(documents, 3), strict=False):
                row = table.high(key) << LOW | low
                if row < len(sums):
                    sums[row] += first << 32 - table.bits | hash_ & (1 << 32 - table.bits) - 1
    for row, name in connection.execute("SELECT row, lower(hex(id)) FROM documents"):
        text = None if _is_due(connection, row) else stored_text(connection, row)
        if text is not None and sums[row] != sum(chain.from_iterable(bones.grams(text))):
            yield name, "quotes of this document are not found: its fingerprints are not those of its text"


def _numbers(values: bytes, size: int) -> Iterator[int]:
    return (int.from_bytes(values[at : at + size], "big") for at in range(0, len(values), size))


def stored_text(connection: sqlite3.Connection, row: int) -> str | None:
    """Return the text of a document as its body holds it; None when the body is damaged or holds none."""
    found = connection.execute(
        """
        SELECT documents.body, documents.size, dictionaries.body
        FROM documents LEFT JOIN dictionaries ON dictionaries.row = documents.dictionary WHERE documents.row = ?
        """,
        (row,),
    ).fetchone()
    text: object = None
    with suppress(ValueError, TypeError, LookupError):
        text = json.loads(packing.unpack_document(*found))["text"]
    return text if isinstance(text, str) else None


def _is_due(connection: sqlite3.Connection, row: int) -> bool:
    """Whether a document is still to be indexed."""
    return connection.execute("SELECT 1 FROM fingerprint_backlog WHERE ? BETWEEN next AND last", (row,)).fetchone() is not None


def _taken_out(connection: sqlite3.Connection, table: Table, gone: set[int], rows: Iterable[tuple[int, bytes, bytes]]) -> int:
    taken = 0
    names = {row.to_bytes(8, "big") for row in gone}
    for key, hashes, documents in rows:
        high = table.high(key).to_bytes(5, "big")
        stay = [at for at in range(len(documents) // 3) if high + documents[3 * at : 3 * at + 3] not in names]
        if 3 * len(stay) == len(documents):
            continue
        taken += len(documents) // 3 - len(stay)
        if stay:
            left = _only(hashes, stay, table.rest), _only(documents, stay, 3)
            connection.execute(f"UPDATE {table.name} SET hashes = ?, documents = ? WHERE row = ?", (*left, key))  # noqa: S608 - constants
        else:
            connection.execute(f"DELETE FROM {table.name} WHERE row = ?", (key,))  # noqa: S608 - constants
    return taken


def _only(values: bytes, places: Sequence[int], size: int) -> bytes:
    return b"".join(values[size * at : size * at + size] for at in places)


def _in_buckets(connection: sqlite3.Connection, table: Table, starts: Iterable[int]) -> Iterator[tuple[int, bytes, bytes]]:
    for start in sorted(starts):
        query = f"SELECT row, hashes, documents FROM {table.name} WHERE row BETWEEN ? AND ?"  # noqa: S608 - constants
        yield from connection.execute(query, (start, table.end(start))).fetchall()


def _all(connection: sqlite3.Connection, table: Table) -> Iterator[tuple[int, bytes, bytes]]:
    after = -1
    query = f"SELECT row, hashes, documents FROM {table.name} WHERE row > ? ORDER BY row LIMIT {_ROWS}"  # noqa: S608 - constants
    while rows := connection.execute(query, (after,)).fetchall():
        yield from rows
        after = rows[-1][0]
