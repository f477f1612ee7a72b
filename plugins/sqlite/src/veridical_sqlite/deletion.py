"""Documents that go for good: their bodies, words and records' bytes, with nothing left in the file or its log.

A deleted document that is put again is stored again: a put is the operator's act, and `sources add` after `sources remove` has to bring
the documents back. The tombstone stays and tells when and why it was gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress

from veridical_contract import DeleteReceipt, DeleteRequest, Tombstone

from . import fingerprints, packing
from .documents import rows_of


def delete(connection: sqlite3.Connection, request: DeleteRequest, when: str) -> DeleteReceipt:
    """Delete for good, leave tombstones, and return how many there are of them.

    A source that is deleted leaves no container behind either: one that is still known would say that there is nothing to read again.
    """
    rows = rows_of(connection, "documents", "id", [bytes.fromhex(id_) for id_ in request.documents])
    if request.origin is not None:
        rows |= _only_of(connection, request.origin)
    connection.executemany(
        """
        INSERT INTO tombstones (document, reason, deleted, returns, raw, key)
        VALUES (?1, ?2, ?3, ?4, (SELECT raws.digest FROM documents JOIN raws ON raws.row = documents.raw WHERE documents.row = ?5),
            (SELECT max(key) FROM holdings WHERE document = ?5))
        """,
        [(key, request.reason, when, request.returns, rows[key]) for key in sorted(rows)],
    )
    remove(connection, list(rows.values()))
    withdrawn = _withdraw_reports(connection, request, {key.hex() for key in rows})
    if request.origin is not None:
        connection.execute("DELETE FROM containers WHERE origin = ?", (request.origin,))
    if rows:
        connection.execute("INSERT INTO traces DEFAULT VALUES")
        # What was taken out of the index stays in its segments, in the clear, until they are merged.
        connection.execute("INSERT INTO passage_index (passage_index) VALUES ('optimize')")
    return DeleteReceipt(deleted=len(rows), withdrawn=withdrawn)


def tombstones(connection: sqlite3.Connection, names: Sequence[str]) -> tuple[Tombstone | None, ...]:
    """Return the newest tombstone for each identifier of a document, digest of a record, or key that nothing current has."""
    query = """SELECT lower(hex(document)), reason, deleted, returns FROM tombstones WHERE row = (
        SELECT max(row) FROM (
            SELECT row FROM tombstones WHERE document = ?1 UNION ALL SELECT row FROM tombstones WHERE raw = ?1
            UNION ALL SELECT row FROM tombstones WHERE key = ?1 AND NOT EXISTS (
                SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation
                WHERE holdings.key = ?1 AND generations.state = 'current'
            )
        )
    )"""
    return tuple(_tombstone(connection.execute(query, (bytes.fromhex(name),)).fetchone()) for name in names)


def _tombstone(row: tuple[str, str, str, int] | None) -> Tombstone | None:
    if row is None:
        return None
    document, reason, deleted, returns = row
    return Tombstone(document=document, reason=reason, deleted=deleted, returns=bool(returns))


def _withdraw_reports(connection: sqlite3.Connection, request: DeleteRequest, gone: set[str]) -> int:
    """Take the bytes of the reports that repeat deleted words; their digests stay, so that the chain of the run holds."""
    runs = [(run,) for run, documents in request.dependents.items() if not gone.isdisjoint(documents)]
    withdrawn = connection.executemany("UPDATE runs SET body = x'' WHERE run = ? AND kind = 'report' AND body <> x''", runs).rowcount
    return max(withdrawn, 0)


def remove(connection: sqlite3.Connection, rows: Sequence[int]) -> None:
    """Remove documents, what was indexed of them, and the records' bytes that no other document names."""
    damaged = [row for row in rows if not _unindexed(connection, row)]
    fingerprints.forget(connection, rows)
    raws = _named_by(connection, "raw", rows)
    dictionaries = {*_named_by(connection, "dictionary", rows), *_copies_of(connection, rows)}
    connection.executemany("DELETE FROM documents WHERE row = ?", [(row,) for row in rows])
    _forget_dictionaries(connection, dictionaries)
    connection.executemany(
        "DELETE FROM raws WHERE row = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE raw = ?1)",
        [(raw,) for raw in raws],
    )
    if damaged:
        connection.execute("INSERT INTO passage_index (passage_index) VALUES ('rebuild')")


def _unindexed(connection: sqlite3.Connection, document: int) -> bool:
    """Take the passages of `document` out of the index; False when its words are damaged, so that they cannot be named."""
    passages = connection.execute("SELECT row, words FROM passage_words WHERE document = ?", (document,)).fetchall()
    if any(text is None for _, text in passages):
        return False
    connection.executemany("INSERT INTO passage_index (passage_index, rowid, words) VALUES ('delete', ?, ?)", passages)
    return True


def _only_of(connection: sqlite3.Connection, origin: str) -> dict[bytes, int]:
    """Return the documents that `origin` holds or held and that no other source holds or is reading now."""
    found = connection.execute(
        """
        SELECT DISTINCT documents.id, documents.row FROM containers
        JOIN generations ON generations.container = containers.row
        JOIN holdings ON holdings.generation = generations.row
        JOIN documents ON documents.row = holdings.document
        WHERE containers.origin = ?1 AND NOT EXISTS (
            SELECT 1 FROM holdings AS other
            JOIN generations AS its ON its.row = other.generation AND its.state <> 'past'
            JOIN containers AS place ON place.row = its.container AND place.origin <> ?1
            WHERE other.document = documents.row
        )
        """,
        (origin,),
    )
    return dict(found.fetchall())


def _copies_of(connection: sqlite3.Connection, rows: Sequence[int]) -> list[int]:
    """Return the dictionaries that are copies of these documents, which a repaired document no longer names."""
    gone = set(rows)
    return [row for row, first in connection.execute("SELECT row, first FROM dictionaries") if first in gone]


def _forget_dictionaries(connection: sqlite3.Connection, used: Iterable[int]) -> None:
    """Pack what still rests on these dictionaries without them: a dictionary is a copy of a document, and that may be the one to go."""
    for dictionary in used:
        left = connection.execute(
            """
            SELECT documents.row, documents.size, documents.body, dictionaries.body
            FROM dictionaries JOIN documents ON documents.row BETWEEN dictionaries.first AND dictionaries.last
            WHERE dictionaries.row = ?1 AND documents.dictionary = ?1
            """,
            (dictionary,),
        ).fetchall()
        for row, size, body, common in left:
            with suppress(ValueError):  # a damaged document stays as it is: damaged
                packed = packing.pack_document(packing.unpack_document(body, size, common))
                connection.execute("UPDATE documents SET dictionary = NULL, body = ? WHERE row = ?", (packed, row))
        connection.execute("DELETE FROM dictionaries WHERE row = ?", (dictionary,))


def _named_by(connection: sqlite3.Connection, column: str, rows: Sequence[int]) -> list[int]:
    query = f"SELECT {column} FROM documents WHERE row = ?"  # noqa: S608 - constants of this module
    found = {connection.execute(query, (row,)).fetchone()[0] for row in rows}
    return sorted(found - {None})
