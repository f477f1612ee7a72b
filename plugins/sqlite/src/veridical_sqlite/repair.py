"""Put back what is damaged, in the rows that it had, so that whatever holds it goes on holding it; and build the index anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from veridical_contract import PutBatch, PutDocument, PutRaw

from . import compaction, packing, schema
from . import documents as stored


def check(documents: Sequence[PutDocument], raws: Sequence[PutRaw]) -> None:
    """Refuse what is not what it says it is.

    Raises:
        StoreError: bytes that do not hash to their name, or a passage outside its text.
    """
    stored.check_batch(PutBatch(origin="", container="", fingerprint="", documents=tuple(documents), raws=tuple(raws)))


def put_back(connection: sqlite3.Connection, documents: Sequence[PutDocument], raws: Sequence[PutRaw]) -> None:
    """Put `documents` and `raws` in the place of the rows of the same names; one without a row stays out: nothing would hold it."""
    _sort_again(connection)
    for raw in raws:
        _put_raw(connection, raw)
    rows = stored.rows_of(connection, "documents", "id", [bytes.fromhex(document.id) for document in documents])
    digests = stored.rows_of(connection, "raws", "digest", [bytes.fromhex(d.raw) for d in documents if d.raw is not None])
    for document in documents:
        row = rows.get(bytes.fromhex(document.id))
        if row is not None:
            _put_document(connection, row, document, digests.get(bytes.fromhex(document.raw or "")))
    _index_anew(connection)
    compaction.rebuild(connection)


def _sort_again(connection: sqlite3.Connection) -> None:
    """Build the tables' own indexes from their rows; where rows are damaged too, what can be read is still to be had."""
    connection.execute("SAVEPOINT before_sorting")
    try:
        connection.execute("REINDEX")
    except sqlite3.DatabaseError:
        connection.execute("ROLLBACK TO before_sorting")
    connection.execute("RELEASE before_sorting")


def _put_raw(connection: sqlite3.Connection, raw: PutRaw) -> None:
    connection.execute(
        """
        INSERT INTO raws (digest, size, body) VALUES (?, ?, ?)
        ON CONFLICT (digest) DO UPDATE SET size = excluded.size, body = excluded.body
        """,
        (bytes.fromhex(raw.digest), len(raw.body), packing.pack(raw.body)),
    )


def _put_document(connection: sqlite3.Connection, row: int, document: PutDocument, raw: int | None) -> None:
    """The index is not told what its row was: that may be damaged too, and it is built anew afterwards."""
    connection.execute(
        "UPDATE documents SET size = ?, body = ?, dictionary = NULL, tag = ?, raw = ? WHERE row = ?",
        (len(document.body), packing.pack_document(document.body), document.tag, raw, row),
    )
    connection.execute("DELETE FROM passages WHERE document = ?", (row,))
    connection.executemany(
        'INSERT INTO passages (document, start, "end", words) VALUES (?, ?, ?, ?)',
        [(row, start, end, words) for start, end, _, words in stored.words_of(document)],
    )


def _index_anew(connection: sqlite3.Connection) -> None:
    connection.execute("SAVEPOINT before_the_index")
    try:
        connection.execute("INSERT INTO passage_index (passage_index) VALUES ('rebuild')")
    except sqlite3.DatabaseError:  # what it has of its own is damaged, or gone
        connection.execute("ROLLBACK TO before_the_index")
        connection.execute("DROP TABLE IF EXISTS passage_index")
        for statement in schema.of_index():
            connection.execute(statement)
        connection.execute("INSERT INTO passage_index (passage_index) VALUES ('rebuild')")
    connection.execute("RELEASE before_the_index")
