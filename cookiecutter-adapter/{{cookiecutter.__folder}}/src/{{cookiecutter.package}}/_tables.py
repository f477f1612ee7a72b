"""What a transaction does.

    container --first batch--> generation `open` --more batches--> --last batch--> `current`; the one before becomes `past`

Until the last batch is written nothing changes for who reads, whatever happens to who writes. A container to which batches come without a
first one grows: its open generation is added to what is current, and takes the place of documents that have one of its keys. Documents that
only an open generation held were never current: when it is abandoned they go, without a tombstone.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from veridical_contract import (
    Candidate,
    ContainerState,
    DeleteReceipt,
    DeleteRequest,
    FingerprintCandidates,
    FingerprintQuery,
    PutBatch,
    PutDocument,
    PutRaw,
    ScanRequest,
    StoredDocument,
    StoredRun,
    StoreError,
    StoreState,
    TextQuery,
    Tombstone,
)

from ._file import SCHEMA, Connection

ORIGIN = "0" * 64
"""What the first step of a run names as the one before."""
_ABANDONED = timedelta(days=1)
_MOST_TERMS = 256
# Scripts that are written without spaces between words: each character is a word.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)
# What a quote may carry instead of the character: none of them stands for a letter.
_REFERENCE = re.compile("&(?:amp|lt|gt|quot|#34|#39|#x27|apos|nbsp);")
_HELD = """EXISTS (
    SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation JOIN containers ON containers.row = generations.container
    WHERE holdings.document = documents.row AND {}
)"""
_CURRENT, _NOT_PAST = "state = 'current'", "state <> 'past'"


def stamp(moment: datetime) -> str:
    """Return `moment` so that the order of the texts is the order of time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def check(documents: Iterable[PutDocument], raws: Iterable[PutRaw]) -> None:
    """Refuse what is not what it says it is.

    Raises:
        StoreError: bytes that do not hash to their name, or a passage outside its text.
    """
    for name, body in [*((each.id, each.body) for each in documents), *((each.digest, each.body) for each in raws)]:
        if sha256(body).hexdigest() != name:
            raise StoreError(f"{name} was not stored: its bytes hash to {sha256(body).hexdigest()}.")
    for document in documents:
        if any(not 0 <= start <= end <= len(document.text) for start, end in document.passages):
            raise StoreError(f"The document {document.id} was not stored: a passage is outside its text.")


def generation(connection: Connection, batch: PutBatch, known: int | None, now: str) -> int:
    """Return the generation that `batch` is written to; `known` is the one that this process wrote to before.

    Raises:
        StoreError: it is gone, since the container was dropped or the source deleted.
    """
    if known is None or batch.first:
        if known is not None:
            _abandon(connection, known)
        return _begin(connection, batch, now)
    if not connection.execute("UPDATE generations SET touched = ? WHERE row = ? AND state = 'open'", (now, known)).rowcount:
        raise StoreError(f"{batch.container} was dropped from {batch.origin} while it was being read.", hint="Run the command again.")
    return known


def put(connection: Connection, batch: PutBatch, generation: int) -> int:
    """Keep what `batch` holds as a part of `generation`; return how many documents are new.

    Raises:
        StoreError: a document names bytes that are not in the store.
    """
    connection.executemany("INSERT OR IGNORE INTO raws VALUES (?, ?)", [(raw.digest, raw.body) for raw in batch.raws])
    added = 0
    for document in {each.id: each for each in batch.documents}.values():
        row, new = _put_document(connection, document)
        added += new
        connection.execute("INSERT OR IGNORE INTO holdings VALUES (?, ?, ?)", (row, generation, document.key))
    return added


def complete(connection: Connection, generation: int, fingerprint: str) -> None:
    """Make `generation` current, and what it replaces past."""
    container, replaces = connection.execute("SELECT container, replaces FROM generations WHERE row = ?", (generation,)).fetchone()
    if replaces:
        connection.execute(
            """DELETE FROM holdings WHERE document IN (SELECT document FROM holdings WHERE generation = ?1)
            AND generation IN (SELECT row FROM generations WHERE container = ?2 AND state = 'current')""",
            (generation, container),
        )
        connection.execute("UPDATE generations SET state = 'past' WHERE container = ? AND state = 'current'", (container,))
    else:
        _retire_versions(connection, container, generation)
    connection.execute("UPDATE generations SET state = 'current' WHERE row = ?", (generation,))
    connection.execute("UPDATE containers SET fingerprint = ? WHERE row = ?", (fingerprint, container))


def drop(connection: Connection, origin: str, container: str) -> None:
    """Make `container` no part of `origin` any more, whoever reads it at the moment."""
    for (row,) in connection.execute("SELECT row FROM containers WHERE origin = ? AND name = ?", (origin, container)).fetchall():
        connection.execute("UPDATE generations SET state = 'past' WHERE container = ? AND state = 'current'", (row,))
        connection.execute("UPDATE containers SET fingerprint = NULL WHERE row = ?", (row,))
        for (open_one,) in connection.execute("SELECT row FROM generations WHERE container = ? AND state = 'open'", (row,)).fetchall():
            _abandon(connection, open_one)


def abandon_old(connection: Connection, now: datetime) -> None:
    """Remove the open generations to which nobody wrote for a day."""
    before = stamp(now - _ABANDONED)
    for (row,) in connection.execute("SELECT row FROM generations WHERE state = 'open' AND touched < ?", (before,)).fetchall():
        _abandon(connection, row)


def containers(connection: Connection, origin: str) -> tuple[ContainerState, ...]:
    """Return the containers of `origin` that were read to their end, by name."""
    rows = connection.execute(
        """SELECT name, fingerprint, (
            SELECT count(DISTINCT document) FROM generations JOIN holdings ON holdings.generation = generations.row
            WHERE generations.container = containers.row AND generations.state = 'current'
        ) FROM containers WHERE origin = ? AND fingerprint IS NOT NULL ORDER BY name""",
        (origin,),
    )
    return tuple(ContainerState(origin=origin, container=name, fingerprint=known, documents=count) for name, known, count in rows)


def get(connection: Connection, ids: Sequence[str]) -> tuple[StoredDocument | None, ...]:
    """Return each document as it was put; the host looks whether its bytes hash to its name."""
    rows = (_row(connection, "SELECT body, tag FROM documents WHERE id = ?", name, (b"", b"")) for name in ids)
    return tuple(StoredDocument(body=row[0], tag=row[1]) if row is not None else None for row in rows)


def raws(connection: Connection, digests: Sequence[str]) -> tuple[bytes | None, ...]:
    """Return the bytes of each record."""
    rows = (_row(connection, "SELECT body FROM raws WHERE digest = ?", name, (b"",)) for name in digests)
    return tuple(row[0] if row is not None else None for row in rows)


def scan(connection: Connection, request: ScanRequest) -> tuple[str, ...]:
    """Return a page of identifiers of documents, ascending."""
    among = f"containers.origin IN ({_marks(request.origins)})" if request.origins else "TRUE"
    where = _HELD.format(f"state = '{request.state}' AND {among}")
    if request.state == "past":
        where = f"{where} AND NOT {_HELD.format(_NOT_PAST)}"
    query = f"SELECT id FROM documents WHERE id > ? AND {where} ORDER BY id LIMIT ?"  # noqa: S608 - placeholders and constants
    return tuple(name for (name,) in connection.execute(query, (request.after or "", *request.origins, request.limit)))


def versions(connection: Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Return the identifiers of the documents that have one of these keys, or the key of one of these documents."""
    query = """SELECT id FROM documents JOIN holdings ON holdings.document = documents.row
        JOIN generations ON generations.row = holdings.generation WHERE state <> 'open' AND key IN (
            SELECT ?1 UNION SELECT key FROM holdings JOIN documents AS named ON named.row = holdings.document WHERE named.id = ?1
        )"""
    return tuple(sorted({found for name in names for (found,) in connection.execute(query, (name,))}))


def candidates(connection: Connection, query: TextQuery) -> tuple[Candidate, ...]:
    """Return passages of current documents that hold any of the words, best first by BM25; ties by document and start."""
    if not (terms := _terms(connection, query.text)):
        return ()
    among = f"containers.origin IN ({_marks(query.origins)})" if query.origins else "TRUE"
    current = _HELD.format(f"{_CURRENT} AND {among}")
    rows = connection.execute(
        f"""SELECT documents.id, start, stop, round(-rank, 9) FROM words
        JOIN passages ON passages.row = words.rowid JOIN documents ON documents.row = passages.document
        WHERE words MATCH ? AND {current} ORDER BY 4 DESC, 1, 2 LIMIT ?""",  # noqa: S608 - placeholders and constants
        (" OR ".join(terms), *query.origins, query.limit),
    )
    return tuple(Candidate(document=name, start=start, end=stop, score=score) for name, start, stop, score in rows)


def candidates_by_fingerprint(connection: Connection, query: FingerprintQuery) -> FingerprintCandidates:
    """Return a page of the current documents whose letters hold those of the words, in each way in which the host may read them.

    The answer is sure when no letter of the words is newer than Python's oldest table: what is newer was none to an older Python.
    """
    readings = sorted({_letters(query.text), _letters(_REFERENCE.sub("", query.text))})
    among = f"containers.origin IN ({_marks(query.origins)})" if query.origins else "TRUE"
    held = " OR ".join(["instr(letters, ?)"] * len(readings))
    rows = connection.execute(
        f"""SELECT id FROM documents WHERE id > ? AND ({held}) AND {_HELD.format(f"{_CURRENT} AND {among}")}
        ORDER BY id LIMIT ?""",  # noqa: S608 - placeholders and constants
        (query.after or "", *readings, *query.origins, query.limit + 1),
    ).fetchall()
    names = tuple(name for (name,) in rows)
    characters = set(unicodedata.normalize("NFKD", query.text))
    sure = all((unicodedata.ucd_3_2_0.category(each)[0] in "LN") == each.isalnum() for each in characters)
    return FingerprintCandidates(documents=names[: query.limit], guaranteed=sure, more=len(names) > query.limit)


def delete(connection: Connection, request: DeleteRequest, when: str) -> DeleteReceipt:
    """Delete for good; whoever reads the file afterwards finds no byte of it."""
    found = [connection.execute("SELECT row, id FROM documents WHERE id = ?", (name,)).fetchone() for name in request.documents]
    rows = {name: row for row, name in filter(None, found)}
    if request.origin is not None:
        rows |= _only_of(connection, request.origin)
    connection.executemany(
        """INSERT INTO tombstones (document, raw, key, reason, deleted, returns)
        SELECT id, raw, (SELECT max(key) FROM holdings WHERE document = documents.row), ?, ?, ? FROM documents WHERE row = ?""",
        [(request.reason, when, request.returns, rows[name]) for name in sorted(rows)],
    )
    _remove(connection, list(rows.values()))
    runs = [(run,) for run, documents in request.dependents.items() if not rows.keys().isdisjoint(documents)]
    withdraw = "UPDATE runs SET body = x'' WHERE run = ? AND kind = 'report' AND body <> x''"
    withdrawn = sum(connection.execute(withdraw, run).rowcount for run in runs)
    if request.origin is not None:
        connection.execute("DELETE FROM containers WHERE origin = ?", (request.origin,))
    if rows:
        connection.execute("INSERT INTO traces DEFAULT VALUES")
        # What was taken out of the index stays in it, in the clear, until its parts are merged.
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    return DeleteReceipt(deleted=len(rows), withdrawn=withdrawn)


def tombstones(connection: Connection, names: Sequence[str]) -> tuple[Tombstone | None, ...]:
    """Return the newest tombstone for each identifier of a document, digest of a record, or key that nothing current has."""
    query = """SELECT document, reason, deleted, returns FROM tombstones WHERE document = ?1 OR raw = ?1 OR (
        key = ?1 AND NOT EXISTS (
            SELECT 1 FROM holdings JOIN generations ON generations.row = holdings.generation WHERE holdings.key = ?1 AND state = 'current'
        )
    ) ORDER BY row DESC LIMIT 1"""
    rows = (connection.execute(query, (name,)).fetchone() for name in names)
    return tuple(Tombstone(document=row[0], reason=row[1], deleted=row[2], returns=bool(row[3])) if row else None for row in rows)


def repair(connection: Connection, documents: Sequence[PutDocument], raws: Sequence[PutRaw]) -> None:
    """Put these in the place of the damaged ones; one that nothing holds stays out."""
    connection.executemany("INSERT OR REPLACE INTO raws VALUES (?, ?)", [(raw.digest, raw.body) for raw in raws])
    for document in documents:
        for (row,) in connection.execute("SELECT row FROM documents WHERE id = ?", (document.id,)).fetchall():
            changed = (document.body, document.tag, document.raw, _letters(document.text), row)
            connection.execute("UPDATE documents SET body = ?, tag = ?, raw = ?, letters = ? WHERE row = ?", changed)
            _remove_passages(connection, row)
            _put_passages(connection, row, document)
    connection.execute("INSERT INTO words (words) VALUES ('rebuild')")


def put_run(connection: Connection, entry: StoredRun) -> None:
    """Append a step.

    Raises:
        StoreError: it does not follow from the newest step of its run.
    """
    newest = connection.execute("SELECT step + 1, digest FROM runs WHERE run = ? ORDER BY step DESC LIMIT 1", (entry.run,)).fetchone()
    step, previous = newest or (0, ORIGIN)
    if (entry.step, entry.previous) != (step, previous):
        raise StoreError(f"The run {entry.run} was not continued: expected step {step} after {previous}.")
    connection.execute(
        "INSERT INTO runs (run, step, kind, body, digest, previous) VALUES (?, ?, ?, ?, ?, ?)",
        (entry.run, step, entry.kind, entry.body, sha256(entry.body).hexdigest(), previous),
    )


def runs(connection: Connection, run: str | None, limit: int) -> tuple[StoredRun, ...]:
    """Return the steps of `run`; with None the newest step of each of the runs that were begun last."""
    if run is None:
        begun = connection.execute("SELECT run FROM runs GROUP BY run ORDER BY min(row) DESC LIMIT ?", (max(limit, 0),)).fetchall()
        return tuple(runs(connection, name, limit)[-1] for (name,) in begun)
    rows = connection.execute("SELECT run, step, kind, body, previous FROM runs WHERE run = ? ORDER BY step", (run,))
    names = ("run", "step", "kind", "body", "previous")
    return tuple(StoredRun.model_validate(dict(zip(names, row, strict=True))) for row in rows)


def state(connection: Connection, location: str) -> StoreState:
    """Return what the store holds, without its problems."""
    origins = connection.execute(
        """SELECT origin, count(DISTINCT document) FROM containers
        LEFT JOIN generations ON generations.container = containers.row AND state = 'current'
        LEFT JOIN holdings ON holdings.generation = generations.row
        WHERE fingerprint IS NOT NULL GROUP BY origin ORDER BY origin"""
    ).fetchall()
    counted = f"SELECT count(*) FROM documents WHERE {_HELD.format(_CURRENT)}"  # noqa: S608 - constants
    documents = connection.execute(counted).fetchone()[0]
    return StoreState(location=location, schema_version=SCHEMA, documents=documents, origins=dict(origins))


def surroundings(connection: Connection, row: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the documents that were put around the same time as one, the nearest first, and the containers that hold it."""
    near = connection.execute(
        "SELECT id FROM documents WHERE row BETWEEN ?1 - 8 AND ?1 + 8 AND row <> ?1 ORDER BY abs(row - ?1), row", (row,)
    ).fetchall()
    held = connection.execute(
        """SELECT DISTINCT origin, name FROM holdings JOIN generations ON generations.row = holdings.generation
        JOIN containers ON containers.row = generations.container WHERE document = ? ORDER BY origin, name""",
        (row,),
    ).fetchall()
    return tuple(name for (name,) in near), tuple((origin, name) for origin, name in held)


def _begin(connection: Connection, batch: PutBatch, now: str) -> int:
    key = (batch.origin, batch.container)
    connection.execute("INSERT OR IGNORE INTO containers (origin, name) VALUES (?, ?)", key)
    return connection.execute(
        """INSERT INTO generations (container, state, replaces, touched)
        SELECT row, 'open', ?, ? FROM containers WHERE origin = ? AND name = ? RETURNING row""",
        (batch.first, now, *key),
    ).fetchone()[0]


def _abandon(connection: Connection, generation: int) -> None:
    """Remove an open generation, and the documents that nothing else ever held."""
    rows = connection.execute(
        """SELECT document FROM holdings AS mine WHERE generation = ?1
        AND NOT EXISTS (SELECT 1 FROM holdings WHERE document = mine.document AND generation <> ?1)""",
        (generation,),
    ).fetchall()
    _remove(connection, [row for (row,) in rows])
    connection.execute("DELETE FROM generations WHERE row = ?", (generation,))


def _retire_versions(connection: Connection, container: int, by: int) -> None:
    """Make the current documents past whose keys `by` holds other documents of; what it holds itself is held once."""
    older = connection.execute(
        """SELECT DISTINCT older.document, older.generation, EXISTS (SELECT 1 FROM holdings WHERE document = older.document AND generation = ?1)
        FROM holdings AS newer JOIN holdings AS older ON older.key = newer.key JOIN generations ON generations.row = older.generation
        WHERE newer.generation = ?1 AND older.generation <> ?1 AND generations.container = ?2 AND state = 'current'""",
        (by, container),
    ).fetchall()
    past = connection.execute(
        """INSERT INTO generations (container, state, replaces, touched)
        SELECT container, 'past', 0, touched FROM generations WHERE row = ? RETURNING row""",
        (by,),
    ).fetchone()[0]
    for document, holder, again in older:
        if again:
            connection.execute("DELETE FROM holdings WHERE document = ? AND generation = ?", (document, holder))
        else:
            moved = (past, document, holder)
            connection.execute("UPDATE OR REPLACE holdings SET generation = ? WHERE document = ? AND generation = ?", moved)


def _put_document(connection: Connection, document: PutDocument) -> tuple[int, bool]:
    """Return the row of a document, and whether it is new; of one that is known only the tag is renewed."""
    known = connection.execute("SELECT 1 FROM raws WHERE digest = ?", (document.raw,)).fetchone()
    if document.raw is not None and known is None:
        raise StoreError(f"The document {document.id} was not stored: its raw bytes {document.raw} are not in the store.")
    found = connection.execute("SELECT row FROM documents WHERE id = ?", (document.id,)).fetchone()
    if found is not None:
        changed = (document.tag, document.raw, found[0])
        connection.execute("UPDATE documents SET tag = ?, raw = coalesce(raw, ?) WHERE row = ?", changed)
        return found[0], False
    row: int = connection.execute(
        "INSERT INTO documents (id, body, tag, raw, letters) VALUES (?, ?, ?, ?, ?) RETURNING row",
        (document.id, document.body, document.tag, document.raw, _letters(document.text)),
    ).fetchone()[0]
    _put_passages(connection, row, document)
    return row, True


def _put_passages(connection: Connection, document: int, put: PutDocument) -> None:
    for start, end in put.passages:
        passage = connection.execute("INSERT INTO passages (document, start, stop) VALUES (?, ?, ?) RETURNING row", (document, start, end))
        words = _apart(f"{put.title or ''} {put.text[start:end]}")
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (passage.fetchone()[0], words))


def _remove_passages(connection: Connection, document: int) -> None:
    connection.execute("DELETE FROM words WHERE rowid IN (SELECT row FROM passages WHERE document = ?)", (document,))
    connection.execute("DELETE FROM passages WHERE document = ?", (document,))


def _remove(connection: Connection, rows: Sequence[int]) -> None:
    """Remove documents, what was indexed of them, and the records' bytes that no other document names."""
    for row in rows:
        raw = connection.execute("SELECT raw FROM documents WHERE row = ?", (row,)).fetchone()[0]
        _remove_passages(connection, row)
        connection.execute("DELETE FROM documents WHERE row = ?", (row,))
        connection.execute("DELETE FROM raws WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE raw = ?1)", (raw,))


def _only_of(connection: Connection, origin: str) -> dict[str, int]:
    """Return the documents that `origin` holds or held, and that no other source holds or is reading now."""
    mine, others = _HELD.format("containers.origin = ?1"), _HELD.format(f"containers.origin <> ?1 AND {_NOT_PAST}")
    query = f"SELECT id, row FROM documents WHERE {mine} AND NOT {others}"  # noqa: S608 - placeholders and constants
    return dict(connection.execute(query, (origin,)).fetchall())


def _terms(connection: Connection, text: str) -> list[str]:
    """Return the words of `text` as the index is asked for them; of a whole page the rarest that occur, as many as a query bears."""
    terms = [f'"{term}"' for term in dict.fromkeys(re.findall(r"[^\W_]+", _apart(text)))]
    if len(terms) <= _MOST_TERMS:
        return terms
    counted = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT 1000)"
    counts = {term: connection.execute(counted, (term,)).fetchone()[0] for term in terms}
    return sorted((term for term in terms if counts[term]), key=counts.__getitem__)[:_MOST_TERMS]


def _row(connection: Connection, query: str, name: str, damaged: tuple[bytes, ...]) -> tuple[bytes, ...] | None:
    """Return the row called `name`, or `damaged` where the file does not give it any more, so that one costs nothing but itself."""
    try:
        return connection.execute(query, (name,)).fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return damaged


def _letters(text: str) -> str:
    """Return what no fold of the host's touches: letters and digits, taken apart, in one case, without marks, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text)).casefold()


def _apart(text: str) -> str:
    return _UNSPACED.sub(r" \1 ", text)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
