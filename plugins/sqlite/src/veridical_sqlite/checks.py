"""What the store holds, and everything that is wrong with it.

The checks do not rest on each other: one that cannot be made because the file is damaged is itself a problem, and the others go on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Literal, TypeAlias

from veridical_contract import StoreCorruptError, StoreProblem, StoreState

from . import fingerprints, packing, runs
from .connection import Database
from .making import connect_to_new
from .schema import version

What: TypeAlias = Literal["file", "document", "raw", "run", "index"]
Check: TypeAlias = Callable[[sqlite3.Connection], Iterator[tuple[str, str]]]
Unpack: TypeAlias = Callable[[bytes, int, bytes | None], bytes]
_MOST_OF_A_KIND = 1_000
_HEX_DIGITS = 64
_SCHEMA = "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_RAW_OF = "SELECT lower(hex(raws.digest)) FROM documents JOIN raws ON raws.row = documents.raw WHERE documents.id = ?"
_NAMED_BY = "SELECT lower(hex(documents.id)) FROM raws JOIN documents ON documents.raw = raws.row WHERE raws.digest = ? LIMIT 100"
_NEAR = """SELECT lower(hex(other.id)) FROM documents JOIN documents AS other ON other.row BETWEEN documents.row - 8 AND documents.row + 8
    WHERE documents.id = ? AND other.row <> documents.row ORDER BY abs(other.row - documents.row), other.row"""
_HELD = """SELECT DISTINCT containers.origin, containers.name FROM documents JOIN holdings ON holdings.document = documents.row
    JOIN generations ON generations.row = holdings.generation JOIN containers ON containers.row = generations.container
    WHERE documents.id = ? ORDER BY containers.origin, containers.name"""


def state(connection: sqlite3.Connection, database: Database) -> StoreState:
    """Return what the store holds, without its problems."""
    origins = connection.execute(
        """
        SELECT containers.origin, count(DISTINCT holdings.document) FROM containers
        LEFT JOIN generations ON generations.container = containers.row AND generations.state = 'current'
        LEFT JOIN holdings ON holdings.generation = generations.row
        WHERE containers.fingerprint IS NOT NULL GROUP BY containers.origin ORDER BY containers.origin
        """
    ).fetchall()
    documents = connection.execute(
        """
        SELECT count(DISTINCT holdings.document) FROM generations JOIN holdings ON holdings.generation = generations.row
        WHERE generations.state = 'current'
        """
    ).fetchone()[0]
    return StoreState(location=str(database.path), schema_version=version(connection), documents=documents, origins=dict(origins))


def checked_state(connection: sqlite3.Connection, database: Database) -> StoreState:
    """Return what the store holds and what is wrong with it, at most a thousand problems of a kind.

    SQLite compares the index in a transaction that writes: the caller holds one.
    """
    found = _problems(connection, database)
    try:
        held = state(connection, database)
    except sqlite3.Error as error:
        found = (*found, StoreProblem(what="file", name="holdings", detail=f"cannot be counted: {_damage(error, database)}"))
        held = StoreState(location=str(database.path), schema_version=version(connection), documents=0, origins={})
    return held.model_copy(update={"problems": found})


def _problems(connection: sqlite3.Connection, database: Database) -> tuple[StoreProblem, ...]:
    checks: tuple[tuple[What, str, Check], ...] = (
        ("file", "the file", _file),
        ("file", "the schema", partial(_schema, database)),
        ("document", "documents", _documents),
        ("raw", "raws", _raws),
        ("raw", "raws", _missing_raws),
        ("run", "runs", runs.all_problems),
        ("index", "passage_index", _index),
        ("index", "fingerprints", fingerprints.problems),
    )
    found: list[StoreProblem] = []
    for what, table, check in checks:
        try:
            # `extend`, so that what was found before an error stays
            some = islice(check(connection), _MOST_OF_A_KIND)
            found.extend(_placed(connection, StoreProblem(what=what, name=name, detail=detail)) for name, detail in some)
        except sqlite3.Error as error:
            found.append(StoreProblem(what=what, name=table, detail=f"cannot be read: {_damage(error, database)}"))
    return tuple(found)


def _placed(connection: sqlite3.Connection, problem: StoreProblem) -> StoreProblem:
    """Say of a document or record what its repair can start from."""
    if problem.what not in ("document", "raw", "index") or len(problem.name) != _HEX_DIGITS:
        return problem
    key = bytes.fromhex(problem.name)
    if problem.what == "raw":
        named = connection.execute(_NAMED_BY, (key,)).fetchall() or [(problem.name,)]
        return problem.model_copy(update={"near": tuple(name for (name,) in named)})
    raw = connection.execute(_RAW_OF, (key,)).fetchone()
    near = connection.execute(_NEAR, (key,)).fetchall()
    held = connection.execute(_HELD, (key,)).fetchall()
    return problem.model_copy(
        update={"raw": raw and raw[0], "near": tuple(name for (name,) in near), "containers": tuple((one, two) for one, two in held)}
    )


def _damage(error: sqlite3.Error, database: Database) -> str:
    """Return what `error` says of the file; raise it when it says something else: no room, no longer wanted."""
    translated = database.translated(error, "the file")
    if not isinstance(translated, StoreCorruptError):
        raise translated from error
    return str(error)


def _schema(database: Database, connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Compare with the schema of a new store: whoever wrote this one could have added a trigger that changes what is written."""
    with closing(connect_to_new(database.migrations)) as new:
        expected, found = (set[tuple[str, str]](each.execute(_SCHEMA).fetchall()) for each in (new, connection))
    for name, _ in sorted(found - expected):
        yield name, "is not, or not in this form, a part of a store"
    for name in sorted({name for name, _ in expected} - {name for name, _ in found}):
        yield name, "is missing"


def _file(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for (line,) in connection.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield "the file", line
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        if (table, parent) != ("documents", "raws"):
            yield table, f"row {row} names a row of {parent} that is not there"


def _documents(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    rows = connection.execute(
        """
        SELECT documents.id, documents.size, documents.body, dictionaries.body
        FROM documents LEFT JOIN dictionaries ON dictionaries.row = documents.dictionary
        """
    )
    return _bodies(rows, packing.unpack_document)


def _raws(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    return _bodies(connection.execute("SELECT digest, size, body, NULL FROM raws"), _unpack_raw)


def _missing_raws(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    rows = connection.execute("SELECT id FROM documents WHERE raw IS NOT NULL AND raw NOT IN (SELECT row FROM raws)")
    for (key,) in rows:
        yield _hex(key), "the raw bytes of this document are missing"


def _bodies(rows: sqlite3.Cursor, unpack: Unpack) -> Iterator[tuple[str, str]]:
    for key, size, stored, dictionary in rows:
        try:
            whole = sha256(unpack(stored, size, dictionary)).digest() == key
        except (ValueError, TypeError):
            whole = False
        if not whole:
            yield _hex(key), "its bytes do not hash to its name"


def _index(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for (key,) in connection.execute(
        """
        SELECT DISTINCT documents.id FROM passage_words JOIN documents ON documents.row = passage_words.document
        WHERE passage_words.words IS NULL
        """
    ):
        yield _hex(key), "the indexed words of this document are damaged"
    # Says that the database is malformed when the index does not hold the words of the passages, each at its place.
    connection.execute("INSERT INTO passage_index (passage_index, rank) VALUES ('integrity-check', 1)")


def _unpack_raw(stored: bytes, size: int, _: bytes | None) -> bytes:
    return packing.unpack(stored, size)


def _hex(key: object) -> str:
    return key.hex() if isinstance(key, bytes) else repr(key)
