"""Everything that can be wrong with a store: damaged bytes, missing records, broken chains of runs, an index that does not fit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Literal

from veridical_contract import StoreCorruptError, StoreProblem, StoreState

from . import _tables
from ._file import Connection, opened

What = Literal["file", "document", "raw", "run", "index"]


def sound(path: Path) -> StoreState:
    """Return what the store at `path` holds, once all of it was read.

    Raises:
        StoreCorruptError: something is wrong with it.
    """
    with opened(path, "IMMEDIATE") as connection:
        for problem in problems(connection):
            raise StoreCorruptError(f"The copy {path} is damaged: {problem.what} {problem.name}: {problem.detail}.")
        return _tables.state(connection, str(path))


def problems(connection: Connection) -> Iterator[StoreProblem]:
    """Yield everything that is wrong. One check that cannot be made is itself a problem, and the others go on."""
    checks: tuple[tuple[What, Callable[[Connection], Iterator[StoreProblem]]], ...] = (
        ("file", _file),
        ("document", _documents),
        ("raw", _raws),
        ("run", _runs),
        ("index", _index),
    )
    for what, check in checks:
        try:
            yield from check(connection)
        except sqlite3.DatabaseError as error:
            yield StoreProblem(what=what, name=f"all of kind {what}", detail=f"cannot be read: {error}")


def _file(connection: Connection) -> Iterator[StoreProblem]:
    for (line,) in connection.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield StoreProblem(what="file", name="the file", detail=line)


def _documents(connection: Connection) -> Iterator[StoreProblem]:
    rows = connection.execute("SELECT row, id, body, raw, raw IS NULL OR raw IN (SELECT digest FROM raws) FROM documents")
    for row, name, body, raw, complete in rows:
        if not _is(name, body):
            detail = "its bytes do not hash to its name"
        elif not complete:
            detail = "the raw bytes of this document are missing"
        else:
            continue
        near, held = _tables.surroundings(connection, row)
        yield StoreProblem(what="document", name=name, detail=detail, raw=raw, near=near, containers=held)


def _raws(connection: Connection) -> Iterator[StoreProblem]:
    for name, body in connection.execute("SELECT digest, body FROM raws"):
        if not _is(name, body):
            named = connection.execute("SELECT id FROM documents WHERE raw = ? LIMIT 100", (name,)).fetchall()
            near = tuple(document for (document,) in named)
            yield StoreProblem(what="raw", name=name, detail="its bytes do not hash to its name", near=near)


def _runs(connection: Connection) -> Iterator[StoreProblem]:
    rows = connection.execute("SELECT run, step, body, digest, previous FROM runs ORDER BY run, step").fetchall()
    expected = ("", 0, _tables.ORIGIN)
    for run, step, body, digest, previous in rows:
        _, number, before = expected if expected[0] == run else (run, 0, _tables.ORIGIN)
        if (step, previous) != (number, before) or (body and not _is(digest, body)):
            yield StoreProblem(what="run", name=run, detail=f"step {step} does not follow from the step before, or is damaged")
        expected = (run, step + 1, digest)


def _index(connection: Connection) -> Iterator[StoreProblem]:
    missing = connection.execute("SELECT count(*) FROM passages WHERE row NOT IN (SELECT rowid FROM words)").fetchone()[0]
    if missing:
        yield StoreProblem(what="index", name="words", detail=f"{missing} passages are not indexed")
    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")


def _is(name: str, body: object) -> bool:
    return isinstance(body, bytes) and sha256(body).hexdigest() == name
