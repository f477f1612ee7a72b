"""Documents, the records' bytes, and their passages: put, get, page through.

What is put is checked against its name; what is read the host checks, and hashing it here too would only take time. Only `id` names a
document: the body, text and passages of one that is known stay as they are; its tag is the newest, since the host may have got a new key.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, TypeVar

from veridical_contract import PutBatch, PutDocument, PutRaw, ScanRequest, StoreCorruptError, StoredDocument, StoreError

from . import fingerprints, packing, words
from .connection import Database

_HEX = re.compile("[0-9a-f]{64}")
_AT_ONCE = 500
_MANY, _SMALL = 50, 4096
_DOCUMENT = """SELECT documents.size, documents.body, dictionaries.body, documents.tag
    FROM documents LEFT JOIN dictionaries ON dictionaries.row = documents.dictionary WHERE documents.id = ?"""
_RAW = "SELECT size, body FROM raws WHERE digest = ?"
_T = TypeVar("_T")

PAST = """EXISTS (
    SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation
    JOIN containers ON containers.row = generations.container
    WHERE holdings.document = documents.row AND generations.state = 'past' {}
) AND NOT EXISTS (
    SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation
    WHERE holdings.document = documents.row AND generations.state <> 'past'
)"""
CURRENT = """EXISTS (
    SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation
    WHERE holdings.document = documents.row AND generations.state = 'current'
)"""
"""SQL that is true of a row of `documents` which is current; before it, of one that was once and nobody reads now."""
_VERSIONS = """
    SELECT DISTINCT lower(hex(documents.id)) FROM holdings JOIN generations ON generations.row = holdings.generation
    JOIN documents ON documents.row = holdings.document
    WHERE generations.state <> 'open' AND holdings.key IN (
        SELECT ?1 UNION SELECT holdings.key FROM holdings JOIN documents AS named ON named.row = holdings.document WHERE named.id = ?1
    )
"""


def current_in(origins: Sequence[str]) -> str:
    """Return SQL that is true of a row of `documents` which is current in one of `origins`, its parameters; all when there are none."""
    if not origins:
        return CURRENT
    return f"""EXISTS (
        SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation
        JOIN containers ON containers.row = generations.container
        WHERE holdings.document = documents.row AND generations.state = 'current' AND containers.origin IN ({_marks(origins)})
    )"""  # noqa: S608 - only placeholders


def held_in(origins: Sequence[str]) -> str:
    """Return a query of `document`: the rows, each once, of documents that are current in one of `origins`, its parameters."""
    return f"""SELECT DISTINCT holdings.document FROM containers CROSS JOIN generations ON generations.container = containers.row
        CROSS JOIN holdings ON holdings.generation = generations.row
        WHERE generations.state = 'current' AND containers.origin IN ({_marks(origins)})"""  # noqa: S608 - only placeholders


def check_batch(batch: PutBatch) -> None:
    """Refuse what is not what it says it is.

    Raises:
        StoreError: bytes that do not hash to their name, or a passage outside its text.
    """
    for kind, name, body in _named(batch):
        found = sha256(body).hexdigest()
        if found != name:
            raise StoreError(f"The {kind} {name} was not stored: its bytes hash to {found}.", hint="Report it to whoever made the plugin.")
    for document in batch.documents:
        for start, end in document.passages:
            if not 0 <= start <= end <= len(document.text):
                raise StoreError(f"The document {document.id} was not stored: its passage {start} to {end} is outside its text.")


def put_raws(connection: sqlite3.Connection, raws: Sequence[PutRaw]) -> None:
    """Keep the bytes that are not kept yet."""
    new = {bytes.fromhex(raw.digest): raw.body for raw in raws}
    for key in rows_of(connection, "raws", "digest", new):
        del new[key]
    connection.executemany(
        "INSERT INTO raws (digest, size, body) VALUES (?, ?, ?)", [(key, len(body), packing.pack(body)) for key, body in new.items()]
    )


def put_documents(connection: sqlite3.Connection, documents: Sequence[PutDocument]) -> tuple[dict[int, bytes | None], int]:
    """Keep the documents that are not kept yet; return the row of each with its key, and how many are new.

    Raises:
        StoreError: a document names bytes that are not in the store.
    """
    distinct = {bytes.fromhex(document.id): document for document in documents}
    raws = _raw_rows(connection, distinct.values())
    rows = rows_of(connection, "documents", "id", distinct)
    known = set(rows)
    fresh = _next(connection, "documents")
    for row, key in enumerate((key for key in distinct if key not in known), fresh):
        rows[key] = row
    new = [(rows[key], key, document) for key, document in distinct.items() if key not in known]
    dictionary, common = _dictionary(connection, [(row, document) for row, _, document in new])
    connection.executemany(
        "INSERT INTO documents (row, id, size, body, dictionary, tag, raw) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(row, key, len(d.body), packing.pack_document(d.body, common), dictionary, d.tag, raws.get(d.raw)) for row, key, d in new],
    )
    connection.executemany(
        "UPDATE documents SET tag = ?2, raw = coalesce(raw, ?3) WHERE row = ?1 AND (tag <> ?2 OR (raw IS NULL AND ?3 IS NOT NULL))",
        [(rows[key], d.tag, raws.get(d.raw)) for key, d in distinct.items() if key in known],
    )
    _put_passages(connection, [(row, document) for row, _, document in new])
    fingerprints.add(connection, ((row, document.text) for row, _, document in new))
    return {rows[key]: bytes.fromhex(d.key) if d.key is not None else None for key, d in distinct.items()}, len(new)


def get(connection: sqlite3.Connection, database: Database, ids: Sequence[str]) -> tuple[StoredDocument | None, ...]:
    """Return each document, None where there is none; of a damaged one what is left."""
    return tuple(_read(connection, database, "document", _DOCUMENT, ids, _document, StoredDocument(body=b"", tag=b"")))


def get_raws(connection: sqlite3.Connection, database: Database, digests: Sequence[str]) -> tuple[bytes | None, ...]:
    """Return the bytes of each record, None where there are none; of a damaged one what is left."""
    return tuple(_read(connection, database, "raw", _RAW, digests, _raw, b""))


def scan(connection: sqlite3.Connection, request: ScanRequest) -> tuple[str, ...]:
    """Return a page of identifiers of documents, ascending."""
    after = b"" if request.after is None else bytes.fromhex(request.after)
    among = f"AND containers.origin IN ({_marks(request.origins)})" if request.origins else ""
    where = current_in(request.origins) if request.state == "current" else PAST.format(among)
    rows = connection.execute(
        f"SELECT lower(hex(id)) FROM documents WHERE id > ? AND {where} ORDER BY id LIMIT ?",  # noqa: S608 - only placeholders
        (after, *request.origins, request.limit),
    )
    return tuple(name for (name,) in rows)


def versions(connection: sqlite3.Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Return the identifiers of the documents that have one of these keys, or the key of one of these documents."""
    found = set[str]()
    for name in {bytes.fromhex(name) for name in names}:
        found.update(row[0] for row in connection.execute(_VERSIONS, (name,)))
    return tuple(sorted(found))


def _named(batch: PutBatch) -> Iterator[tuple[str, str, bytes]]:
    for document in batch.documents:
        yield "document", document.id, document.body
    for raw in batch.raws:
        yield "raw", raw.digest, raw.body


def _raw_rows(connection: sqlite3.Connection, documents: Iterable[PutDocument]) -> dict[str | None, int]:
    wanted = {document.raw: document.id for document in documents if document.raw is not None}
    rows = rows_of(connection, "raws", "digest", [bytes.fromhex(raw) for raw in wanted])
    for raw, document in wanted.items():
        if bytes.fromhex(raw) not in rows:
            raise StoreError(f"The document {document} was not stored: its raw bytes {raw} are neither in the batch nor in the store.")
    return {key.hex(): row for key, row in rows.items()}


def _dictionary(connection: sqlite3.Connection, new: Sequence[tuple[int, PutDocument]]) -> tuple[int | None, bytes | None]:
    """Make the first of many new documents the dictionary of all; they come from one container and differ little."""
    if len(new) < _MANY or len(new[0][1].body) > _SMALL:
        return None, None
    body = new[0][1].body
    made = connection.execute("INSERT INTO dictionaries (first, last, body) VALUES (?, ?, ?)", (new[0][0], new[-1][0], body))
    return made.lastrowid, body


def _put_passages(connection: sqlite3.Connection, documents: Sequence[tuple[int, PutDocument]]) -> None:
    passages: list[tuple[int, int, int, int, bytes]] = []
    index: list[tuple[int, str]] = []
    passage = _next(connection, "passages")
    for row, document in documents:
        for start, end, text, stored in words_of(document):
            passages.append((passage, row, start, end, stored))
            index.append((passage, text))
            passage += 1
    connection.executemany('INSERT INTO passages (row, document, start, "end", words) VALUES (?, ?, ?, ?, ?)', passages)
    connection.executemany("INSERT INTO passage_index (rowid, words) VALUES (?, ?)", index)


def words_of(document: PutDocument) -> Iterator[tuple[int, int, str, bytes]]:
    """Yield start, end, words and stored words of each passage."""
    follow = words.follow_from(document.body, document.title, document.text)
    for start, end in document.passages:
        text = words.indexed(document.title, document.text[start:end])
        yield start, end, text, packing.sum_of_words(text) if follow else packing.pack_words(text, document.body)


def _read(
    connection: sqlite3.Connection,
    database: Database,
    kind: str,
    query: str,
    names: Sequence[str],
    unpacked: Callable[[Any], _T],
    damaged: _T,
) -> Iterator[_T | None]:
    """Yield what is called `names`; `damaged` in the place of what the file no longer gives, so that one costs nothing but itself."""
    for name in names:
        try:
            row = connection.execute(query, (bytes.fromhex(name),)).fetchone() if _HEX.fullmatch(name) else None
            yield None if row is None else unpacked(row)
        except sqlite3.Error as error:
            translated = database.translated(error, f"{kind} {name}")
            if not isinstance(translated, StoreCorruptError):
                raise translated from error
            yield damaged
        except (ValueError, TypeError):
            yield damaged


def _document(row: tuple[int, bytes, bytes | None, bytes]) -> StoredDocument:
    size, stored, dictionary, tag = row
    try:
        body = packing.unpack_document(stored, size, dictionary)
    except ValueError:
        body = stored  # the tag beside it may be whole: the host repairs with it
    return StoredDocument(body=body, tag=tag)


def _raw(row: tuple[int, bytes]) -> bytes:
    size, body = row
    return packing.unpack(body, size)


def rows_of(connection: sqlite3.Connection, table: str, column: str, keys: Iterable[bytes]) -> dict[bytes, int]:
    """Return the row of each of `keys` that `table` has."""
    found: dict[bytes, int] = {}
    for some in _chunks(keys):
        query = f"SELECT {column}, row FROM {table} WHERE {column} IN ({_marks(some)})"  # noqa: S608 - constants and placeholders
        found.update(connection.execute(query, some))
    return found


def _chunks(keys: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(keys)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _next(connection: sqlite3.Connection, table: str) -> int:
    return connection.execute(f"SELECT coalesce(max(row), 0) + 1 FROM {table}").fetchone()[0]  # noqa: S608 - a constant of this module
