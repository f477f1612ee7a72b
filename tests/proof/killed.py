"""What the processes do that `kill` kills: calls to a store, each of them said to be done once it is.

plan(seed, kind, model)    the calls, the same in the process that makes them and in the one that looks afterwards
python -m tests.proof.killed    waits for jobs on its standard input and forks a process for each
"""

from __future__ import annotations

import json
import os
import pickle
import random
import sqlite3
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical_contract import DeleteRequest, PutDocument, StoredRun
from veridical_sqlite import SqliteStorage
from veridical_sqlite.connection import Database
from veridical_sqlite.schema import MIGRATIONS

from plugins.sqlite.tests.kit import Context, batch, digest, document, raw

_VOCABULARY = [f"{a}{b}{c}" for a in "bcdfglmnprst" for b in ("ala", "ero", "ino", "ode", "uli") for c in ("n", "r", "st", "x", "ma")]
Kind = str


@dataclass
class Model:
    """What a store must hold."""

    containers: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    unfinished: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By container: documents of batches whose last one never came. They are there until the container is dropped, and never current."""
    bodies: dict[str, bytes] = field(default_factory=dict)
    records: dict[str, bytes] = field(default_factory=dict)
    raw_of: dict[str, str] = field(default_factory=dict)
    gone: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    """Identifier of each deleted document to bytes that stood in it and in its record and nowhere else."""
    runs: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def copy(self) -> Model:
        return Model(**{name: dict(value) for name, value in vars(self).items()})

    def current(self) -> set[str]:
        return {name for _, names in self.containers.values() for name in names}

    def forget(self, names: set[str]) -> None:
        for name in names:
            del self.bodies[name]
            self.records.pop(self.raw_of.pop(name, ""), None)

    def drop(self, container: str) -> None:
        del self.containers[container]
        self.forget(set(self.unfinished.pop(container, ())))

    def delete(self, names: set[str]) -> None:
        for name in names:
            # The index leaves out what a word shares with the one before.
            mark = json.loads(self.bodies[name])["text"].split()[0][-14:].encode()
            self.gone[name] = (mark, self.records.get(self.raw_of.get(name, ""), mark))
        self.forget(names)
        self.containers = {key: (print_, tuple(n for n in held if n not in names)) for key, (print_, held) in self.containers.items()}


@dataclass(frozen=True)
class Call:
    """One call to the store, and what it does to the model."""

    what: str
    run: Callable[[SqliteStorage], object]
    apply: Callable[[Model], None]


def words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(_VOCABULARY, k=count))


def old_documents() -> list[PutDocument]:
    chance = random.Random(1)
    return [document(f"{number} {words(chance, 40)}", title=words(chance, 3)) for number in range(700)]


# The plan: the same in the process that is killed and in the one that looks afterwards


def plan(seed: int, kind: Kind, model: Model) -> Iterator[Call]:
    """Yield calls without end; `model` is kept by the caller: every call is applied before the next one is asked for."""
    chance = random.Random(f"{seed} {kind}")
    weights = {"ingest": (10, 2, 1, 3, 1), "merge": (4, 0, 0, 1, 12), "delete": (4, 1, 10, 1, 1)}[kind]
    for number in range(1_000_000):
        (make,) = chance.choices((_containers, _drop, _delete, _run, _compact), weights)
        yield from make(chance, model, f"{seed}-{number}")


def _containers(chance: random.Random, model: Model, name: str) -> Iterator[Call]:
    origin, container = chance.choice(("notes", "mail")), f"{chance.randrange(6)}.txt"
    batches = chance.randint(1, 3)
    held: list[str] = []
    for part in range(batches):
        documents, raws = [], []
        for n in range(chance.choice((1, 8, 60, 150))):
            record = raw(chance.randbytes(60)) if n % 3 == 0 else None
            documents.append(document(f"z{chance.getrandbits(80):020x} {words(chance, chance.randint(5, 60))}", raw=record))
            raws += [record] if record is not None else []
        put = batch(
            *documents,
            origin=origin,
            container=container,
            fingerprint=name,
            raws=tuple(raws),
            first=part == 0,
            last=part == batches - 1,
        )
        held += [one.id for one in documents]

        def apply(model: Model, put: Any = put, held: tuple[str, ...] = tuple(held)) -> None:
            model.bodies.update({one.id: one.body for one in put.documents})
            model.raw_of.update({one.id: one.raw for one in put.documents if one.raw is not None})
            model.records.update({one.digest: one.body for one in put.raws})
            key = f"{put.origin}/{put.container}"
            if put.last:
                model.containers[key] = (put.fingerprint, held)
                model.unfinished[key] = tuple(name for name in model.unfinished.get(key, ()) if name not in held)
            else:
                model.unfinished[key] = (*model.unfinished.get(key, ()), *(one.id for one in put.documents))

        yield Call("put the last batch" if put.last else "put a batch", lambda store, put=put: store.put(put), apply)


def _drop(chance: random.Random, model: Model, _name: str) -> Iterator[Call]:
    if model.containers:
        key = chance.choice(sorted(model.containers))
        origin, _, container = key.partition("/")
        yield Call("drop", lambda store: store.drop_container(origin=origin, container=container), lambda it: it.drop(key))


def _delete(chance: random.Random, model: Model, name: str) -> Iterator[Call]:
    there = sorted(model.current())
    if there:
        names = set(chance.sample(there, min(len(there), chance.choice((1, 5, 60)))))
        request = DeleteRequest(documents=tuple(sorted(names)), reason=name)
        yield Call("delete", lambda store: store.delete(request), lambda it: it.delete(names))


def _run(chance: random.Random, model: Model, name: str) -> Iterator[Call]:
    run = chance.choice([*sorted(model.runs)[-3:], name])
    before = model.runs.get(run, ())
    body = json.dumps({"step": len(before), "words": words(chance, 30)}).encode()
    kind = "begin" if not before else "report"
    step = StoredRun(run=run, step=len(before), kind=kind, body=body, previous=before[-1] if before else "0" * 64)
    yield Call("append to a run", lambda store: store.put_run(step), lambda it: it.runs.update({run: (*before, digest(body))}))


def _compact(_chance: random.Random, _model: Model, _name: str) -> Iterator[Call]:
    for _ in range(3):
        yield Call("merge", compact, lambda it: None)


def compact(store: SqliteStorage) -> None:
    """Do one step of putting the index in order, where this version of the plugin has any."""
    step = getattr(store, "compact", None)
    if step is not None:
        step()


# The process that is killed


def work(folder: str, said: str, seed: int, kind: Kind, model: Model) -> None:
    """Do what `plan` says until killed; the size of the file `said` is how many calls were done."""
    handle = os.open(said, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    store = SqliteStorage(Context(Path(folder)))
    for call in plan(seed, kind, model):
        call.run(store)
        os.write(handle, b".")
        call.apply(model)


def open_once(folder: str, said: str, kind: Kind) -> None:
    """Open a store, which makes it or brings it to this version or to the made-up one, and wait."""
    if kind == "next":
        opened_next(Path(folder)).open()
    else:
        SqliteStorage(Context(Path(folder))).migrate()
    Path(said).write_bytes(b".")
    time.sleep(600)


def opened_next(folder: Path) -> Database:
    return Database(lambda: folder / "store.sqlite3", busy_seconds=30, cancelled=bool, migrations=(*MIGRATIONS, to_next))


def to_next(connection: sqlite3.Connection) -> None:
    """Be a migration that touches everything: a column, a table that is filled, the index built anew."""
    connection.execute("ALTER TABLE containers ADD COLUMN note TEXT NOT NULL DEFAULT 'none yet'")
    connection.execute("CREATE TABLE sizes AS SELECT row, size, zeroblob(300) AS space FROM documents")
    connection.execute("INSERT INTO passage_index (passage_index) VALUES ('rebuild')")
    connection.execute("UPDATE containers SET note = 'seen'")


def main() -> None:
    """Fork a process for each line, a pickled call in base64; print its identifier, and its exit status once it is gone."""
    for line in sys.stdin:
        function, arguments = pickle.loads(b64decode(line))
        child = os.fork()
        if child == 0:
            function(*arguments)
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    sys.modules["tests.proof.killed"] = sys.modules["__main__"]
    main()
