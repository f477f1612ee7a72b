"""What is current: containers, their generations, and the documents that each generation holds.

    first batch --> a generation in state `open` --> more batches --> last batch: it becomes `current`, and the one before `past`

Until the last batch is written nothing changes for a reader, whatever happens to the writer. Several writers may read one container at
once, each into a generation of its own; the one that ends last stays. A container to which batches come without a first one grows: its open
generation is added to what is current, once its last batch is written; a document with a key then takes the place of the ones of that key.

An open generation that nobody wrote to for a day is taken for abandoned. Documents that only it holds were never current, so no report
can cite them, and they go without a tombstone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from veridical_contract import ContainerState, PutBatch, StoreError

from .deletion import remove

ABANDONED = timedelta(days=1)
Key = tuple[str, str]


class Writers:
    """The open generations of this process: which one the next batch of a container belongs to.

    A generation that was taken away stays known until the container is begun anew: were it forgotten, the rest of a reading would count
    as additions.
    """

    def __init__(self) -> None:
        self._open: dict[Key, int] = {}

    def generation(self, connection: sqlite3.Connection, batch: PutBatch, now: datetime) -> int:
        """Return the generation that `batch` is written to.

        Raises:
            StoreError: it is gone, since the container was dropped or the source deleted.
        """
        key = (batch.origin, batch.container)
        known = self._open.get(key)
        if batch.first and known is not None:
            abandon(connection, known)
        if batch.first or known is None:
            return _begin(connection, batch, now)
        if not connection.execute("UPDATE generations SET touched = ? WHERE row = ? AND state = 'open'", (stamp(now), known)).rowcount:
            raise StoreError(
                f"{batch.container} was dropped from {batch.origin} while it was being read; what was read of it is gone.",
                hint="Run the command again.",
            )
        return known

    def written(self, batch: PutBatch, generation: int) -> None:
        """Remember, once the transaction of `batch` is kept, where the next batch of its container goes."""
        key = (batch.origin, batch.container)
        if batch.last:
            self._open.pop(key, None)
        else:
            self._open[key] = generation


def hold(connection: sqlite3.Connection, generation: int, documents: Mapping[int, bytes | None]) -> None:
    """Make `documents`, each with its key, part of `generation`."""
    connection.executemany(
        "INSERT OR IGNORE INTO holdings (document, generation, key) VALUES (?, ?, ?)",
        [(document, generation, key) for document, key in documents.items()],
    )


def complete(connection: sqlite3.Connection, generation: int, fingerprint: str) -> None:
    """Make `generation` current, and what it replaces past."""
    container, replaces = connection.execute("SELECT container, replaces FROM generations WHERE row = ?", (generation,)).fetchone()
    if replaces:
        _retire(connection, container, generation)
    else:
        _retire_versions(connection, container, generation)
    connection.execute("UPDATE generations SET state = 'current' WHERE row = ?", (generation,))
    connection.execute("UPDATE containers SET fingerprint = ? WHERE row = ?", (fingerprint, container))


def _retire_versions(connection: sqlite3.Connection, container: int, by: int) -> None:
    """Make the current documents past whose keys `by` holds other documents of; what it holds itself is held once."""
    older = connection.execute(
        """
        SELECT DISTINCT older.document, older.generation, EXISTS (
            SELECT 1 FROM holdings WHERE document = older.document AND generation = ?1
        ) FROM holdings AS newer JOIN holdings AS older ON older.key = newer.key
        JOIN generations ON generations.row = older.generation
        WHERE newer.generation = ?1 AND older.generation <> ?1 AND generations.container = ?2 AND generations.state = 'current'
        """,
        (by, container),
    ).fetchall()
    again = [(document, generation) for document, generation, held in older if held]
    connection.executemany("DELETE FROM holdings WHERE document = ? AND generation = ?", again)
    if versions := [(document, generation) for document, generation, held in older if not held]:
        past = connection.execute(
            """
            INSERT INTO generations (container, state, replaces, touched)
            SELECT container, 'past', 0, touched FROM generations WHERE row = ?
            """,
            (by,),
        ).lastrowid
        connection.executemany(
            "UPDATE OR REPLACE holdings SET generation = ? WHERE document = ? AND generation = ?",
            [(past, document, generation) for document, generation in versions],
        )


def drop(connection: sqlite3.Connection, origin: str, container: str) -> None:
    """Make `container` no part of `origin` any more, whoever reads it at the moment."""
    rows = connection.execute("SELECT row FROM containers WHERE origin = ? AND name = ?", (origin, container)).fetchall()
    for (row,) in rows:
        connection.execute("UPDATE generations SET state = 'past' WHERE container = ? AND state = 'current'", (row,))
        connection.execute("UPDATE containers SET fingerprint = NULL WHERE row = ?", (row,))
        for (generation,) in connection.execute("SELECT row FROM generations WHERE container = ? AND state = 'open'", (row,)).fetchall():
            abandon(connection, generation)


def listed(connection: sqlite3.Connection, origin: str) -> tuple[ContainerState, ...]:
    """Return the containers of `origin` that were read to their end, by name."""
    rows = connection.execute(
        """
        SELECT name, fingerprint, (
            SELECT count(DISTINCT holdings.document) FROM generations JOIN holdings ON holdings.generation = generations.row
            WHERE generations.container = containers.row AND generations.state = 'current'
        ) FROM containers WHERE origin = ? AND fingerprint IS NOT NULL ORDER BY name
        """,
        (origin,),
    )
    return tuple(ContainerState(origin=origin, container=name, fingerprint=print_, documents=count) for name, print_, count in rows)


def abandon(connection: sqlite3.Connection, generation: int) -> None:
    """Remove an open `generation`, and the documents that nothing else ever held."""
    rows = connection.execute(
        """
        SELECT document FROM holdings WHERE generation = ?1
        AND NOT EXISTS (SELECT 1 FROM holdings AS other WHERE other.document = holdings.document AND other.generation <> ?1)
        """,
        (generation,),
    ).fetchall()
    remove(connection, [row for (row,) in rows])
    connection.execute("DELETE FROM generations WHERE row = ?", (generation,))


def abandoned(connection: sqlite3.Connection, now: datetime) -> list[int]:
    """Return the open generations to which nobody wrote for a day."""
    before = stamp(now - ABANDONED)
    return [row for (row,) in connection.execute("SELECT row FROM generations WHERE state = 'open' AND touched < ?", (before,))]


def stamp(moment: datetime) -> str:
    """Return `moment` so that the order of the texts is the order of time."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _begin(connection: sqlite3.Connection, batch: PutBatch, now: datetime) -> int:
    key = (batch.origin, batch.container)
    connection.execute("INSERT OR IGNORE INTO containers (origin, name) VALUES (?, ?)", key)
    (container,) = connection.execute("SELECT row FROM containers WHERE origin = ? AND name = ?", key).fetchone()
    begun = connection.execute(
        "INSERT INTO generations (container, state, replaces, touched) VALUES (?, 'open', ?, ?)", (container, batch.first, stamp(now))
    )
    assert begun.lastrowid is not None  # noqa: S101 - for the type checker
    return begun.lastrowid


def _retire(connection: sqlite3.Connection, container: int, by: int) -> None:
    """Make the current generations past; of what they hold keep what `by` does not hold."""
    current = connection.execute("SELECT row FROM generations WHERE container = ? AND state = 'current'", (container,)).fetchall()
    for (generation,) in current:
        connection.execute(
            "DELETE FROM holdings WHERE generation = ? AND document IN (SELECT document FROM holdings WHERE generation = ?)",
            (generation, by),
        )
        connection.execute("UPDATE generations SET state = 'past' WHERE row = ?", (generation,))
