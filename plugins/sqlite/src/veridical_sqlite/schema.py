"""The tables, and the way from one version of them to the next.

    containers --< generations --< holdings >-- documents --< passages     what is current
                                 dictionaries --< documents >-- raws       the records' bytes
    passage_index (full text of passages)  <-reads-  passage_words (view)
    fingerprints, fingerprint_log, fingerprint_backlog                     which documents hold the grams of a quote
    runs, tombstones                                                       append-only; a report that repeats deleted words loses them

A document is *current* when a generation in state `current` holds it. A container is read into a generation in state `open`; its last
batch makes that generation current, and the one before past. A past generation keeps only the documents that are no longer in the
container: reports of earlier runs cite them. Where a container grows, a document with a key takes the place of those of the same key.

The index takes its content from the view, so SQLite itself can compare the two and build the index anew. The words are the same bytes
that were indexed, since a full-text row can only be taken out by naming exactly what was put in: they are stored, or made anew and summed.

`MIGRATIONS[n]` brings version n to n + 1. A released one is never edited: stores of that version are out there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeAlias

from . import compaction

Migrate: TypeAlias = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x76726463
"""`vrdc` in ASCII: what `PRAGMA application_id` of a store says."""

_FIRST = """
CREATE TABLE containers (
    row INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT,                   -- of the newest generation that was read to its end; NULL when it is not part of the origin
    UNIQUE (origin, name)
);
CREATE TABLE generations (
    row INTEGER PRIMARY KEY AUTOINCREMENT,  -- a writer keeps the number: never used again
    container INTEGER NOT NULL REFERENCES containers ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('open', 'current', 'past')),
    replaces INTEGER NOT NULL,          -- 1: what is current now becomes past; 0: it is added to
    touched TEXT NOT NULL               -- when the newest batch was written
);
CREATE INDEX generations_container ON generations (container);
CREATE TABLE raws (
    row INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    body BLOB NOT NULL                  -- deflated when it is shorter than `size`
);
CREATE TABLE dictionaries (
    row INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,             -- rows of the documents that were deflated against it
    last INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE TABLE documents (
    row INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    body BLOB NOT NULL,                 -- deflated when it is shorter than `size`
    dictionary INTEGER,                 -- NULL: the one in the program; no foreign key, whose index would cost what this saves
    tag BLOB NOT NULL,
    raw INTEGER REFERENCES raws
);
CREATE INDEX documents_raw ON documents (raw) WHERE raw IS NOT NULL;
CREATE TABLE holdings (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    generation INTEGER NOT NULL REFERENCES generations ON DELETE CASCADE,
    PRIMARY KEY (document, generation)
) WITHOUT ROWID;
CREATE INDEX holdings_generation ON holdings (generation);
CREATE TABLE passages (
    row INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    words BLOB NOT NULL                 -- what was indexed, deflated against the document's body
);
CREATE INDEX passages_document ON passages (document);
CREATE VIEW passage_words AS
    SELECT passages.row AS row, passages.document AS document,
        unpacked_words(documents.size, documents.body, dictionaries.body, passages.words) AS words
    FROM passages JOIN documents ON documents.row = passages.document
    LEFT JOIN dictionaries ON dictionaries.row = documents.dictionary;
CREATE VIRTUAL TABLE passage_index USING fts5 (
    words, content = 'passage_words', content_rowid = 'row',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);
INSERT INTO passage_index (passage_index, rank) VALUES ('automerge', 8);
CREATE TABLE runs (
    row INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL,
    previous BLOB NOT NULL,
    digest BLOB NOT NULL,               -- of the body
    size INTEGER NOT NULL,
    body BLOB NOT NULL,                 -- deflated when it is shorter than `size`
    UNIQUE (run, step)
);
CREATE TRIGGER runs_stay_as_they_are BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'a step of a run is never changed'); END;
CREATE TRIGGER runs_stay BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'a step of a run is never deleted'); END;
CREATE TRIGGER runs_only_grow BEFORE INSERT ON runs
    WHEN new.step <> (SELECT count(*) FROM runs WHERE run = new.run) OR EXISTS (SELECT 1 FROM runs WHERE row = new.row)
    BEGIN SELECT RAISE(ABORT, 'a step of a run is only ever appended'); END;
CREATE TABLE tombstones (
    row INTEGER PRIMARY KEY,
    document BLOB NOT NULL,
    reason TEXT NOT NULL,
    deleted TEXT NOT NULL               -- when
);
CREATE INDEX tombstones_document ON tombstones (document);
CREATE TRIGGER tombstones_stay_as_they_are BEFORE UPDATE ON tombstones BEGIN SELECT RAISE(ABORT, 'a tombstone is never changed'); END;
CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones BEGIN SELECT RAISE(ABORT, 'a tombstone is never deleted'); END;
CREATE TRIGGER tombstones_only_grow BEFORE INSERT ON tombstones
    WHEN EXISTS (SELECT 1 FROM tombstones WHERE row = new.row)
    BEGIN SELECT RAISE(ABORT, 'a tombstone is never replaced'); END;
"""


def _first(connection: sqlite3.Connection) -> None:
    for statement in _statements(_FIRST):
        connection.execute(statement)


_FINGERPRINTS = """
CREATE TABLE fingerprints (
    row INTEGER PRIMARY KEY,            -- documents' rows without their low 24 bits, 16 bits of a hash, number of the row (20 bits)
    hashes BLOB NOT NULL,               -- last 16 bits of each hash
    documents BLOB NOT NULL             -- low 24 bits of the row of the document of each
);
CREATE TABLE fingerprint_log (
    row INTEGER PRIMARY KEY,            -- documents' rows without their low 24 bits, 8 bits of a hash, the documents' next 12 bits
    hashes BLOB NOT NULL,               -- last 24 bits of each hash
    documents BLOB NOT NULL             -- low 24 bits of the row of the document of each
);
CREATE TABLE fingerprint_backlog (      -- documents that are not in the index yet: of a store that was made before there was one
    next INTEGER NOT NULL,
    last INTEGER NOT NULL
);
"""


def _fingerprints(connection: sqlite3.Connection) -> None:
    """What is in the store already is indexed step by step."""
    for statement in _statements(_FINGERPRINTS):
        connection.execute(statement)
    compaction.rebuild(connection)


def _statements(script: str) -> list[str]:
    """Split `script` as the SQLite shell does; `executescript` would commit the transaction that a migration runs in."""
    statements: list[str] = []
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements


def of_index() -> list[str]:
    """Return the statements that make the full-text index of passages."""
    return [statement for statement in _statements(_FIRST) if "passage_index" in statement]


_WITHDRAWAL = """
ALTER TABLE tombstones ADD COLUMN raw BLOB;                     -- digest of the record's bytes
ALTER TABLE tombstones ADD COLUMN returns INTEGER NOT NULL DEFAULT 1;
CREATE INDEX tombstones_raw ON tombstones (raw) WHERE raw IS NOT NULL;
DROP TRIGGER runs_stay_as_they_are;
CREATE TRIGGER runs_stay_as_they_are BEFORE UPDATE ON runs
    WHEN new.body <> x'' OR new.row IS NOT old.row OR new.run IS NOT old.run OR new.step IS NOT old.step OR new.kind IS NOT old.kind
        OR new.previous IS NOT old.previous OR new.digest IS NOT old.digest OR new.size IS NOT old.size
    BEGIN SELECT RAISE(ABORT, 'a step of a run is never changed'); END;
CREATE TABLE traces (
    row INTEGER PRIMARY KEY AUTOINCREMENT   -- a deletion after which the file has not been written anew
);
"""


def _withdrawal(connection: sqlite3.Connection) -> None:
    """Tombstones know the records of their documents, and the report of a run may go with the words that it repeats."""
    for statement in _statements(_WITHDRAWAL):
        connection.execute(statement)


_SUMS = """
DROP VIEW passage_words;
CREATE VIEW passage_words AS
    SELECT passages.row AS row, passages.document AS document,
        unpacked_words(documents.size, documents.body, dictionaries.body, passages.start, passages."end", passages.words) AS words
    FROM passages JOIN documents ON documents.row = passages.document
    LEFT JOIN dictionaries ON dictionaries.row = documents.dictionary;
"""


def _sums(connection: sqlite3.Connection) -> None:
    """The words of a passage may be a sum, four bytes, of what is made anew from the document; those that are there stay as they are."""
    for statement in _statements(_SUMS):
        connection.execute(statement)


_KEYS = """
ALTER TABLE holdings ADD COLUMN key BLOB;                       -- what the record is known by in its source, whichever version it is
CREATE INDEX holdings_key ON holdings (key) WHERE key IS NOT NULL;
ALTER TABLE tombstones ADD COLUMN key BLOB;                     -- the same
CREATE INDEX tombstones_key ON tombstones (key) WHERE key IS NOT NULL;
"""


def _keys(connection: sqlite3.Connection) -> None:
    """A record that changed is known by its key, and so is one that was deleted."""
    for statement in _statements(_KEYS):
        connection.execute(statement)


MIGRATIONS: tuple[Migrate, ...] = (_first, _fingerprints, _withdrawal, _sums, _keys)


def version(connection: sqlite3.Connection) -> int:
    """Return the schema version of the store."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migrate]) -> None:
    """Run what is missing of `migrations`; the caller holds the write transaction, so it is all of it or nothing."""
    for number in range(version(connection), len(migrations)):
        migrations[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1:d}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
