"""Processes that use a store are killed at random moments, and nothing that was acknowledged is lost, and nothing is half there.

    a round    fork a process --> it does one call after the other, and says so after each --> SIGKILL --> open, check, compare

    ingest     containers of one to three batches are written, replaced and dropped; steps of runs are appended
    merge      the same, with most of the time spent in putting the index in order
    delete     the same, with most of the time spent in deleting documents and sources
    migrate    a store of version 1 is brought to this version
    next       a store of this version is brought to one that is made up here
    make       a store is made

Every round ends with what `veridical doctor --store` does to a store, with every document and run read again and compared with what the
plan of the round says: all calls that were acknowledged, with or without the whole of the one that was not. What was deleted must be in no
byte of the files.

Type: python -m tests.proof.kill 400
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import pickle
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from veridical_contract import FingerprintQuery, ScanRequest, TextQuery
from veridical_sqlite import SqliteStorage
from veridical_sqlite.connection import Database
from veridical_sqlite.schema import MIGRATIONS

from plugins.sqlite.tests.kit import Context, digest
from tests.proof.killed import Kind, Model, old_documents, open_once, opened_next, plan, to_next, work

_ROOT = Path(__file__).resolve().parents[2]
OLD = _ROOT / "plugins/sqlite/tests/stores/version-1.sqlite3.gz"
"""A store as version 1 wrote it: `old_documents()` in one container, and two runs."""


_ROUNDS_PER_STORE = 25
SHARES: dict[Kind, int] = {"ingest": 6, "merge": 3, "delete": 5, "migrate": 3, "next": 2, "make": 1}
"""How many of twenty rounds are of each kind."""


class Lost(AssertionError):  # noqa: N818 - what a store has
    """A store is not what it has to be after a process was killed."""


@dataclass
class Tally:
    """What the rounds did."""

    rounds: Counter[str] = field(default_factory=Counter)
    moments: Counter[tuple[str, str]] = field(default_factory=Counter)
    calls: int = 0
    logs: int = 0
    documents: int = 0
    printed: int = 0

    def lines(self, seconds: float) -> list[str]:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.rounds.items()))
        moments = [f"    {what:<20} {outcome:<26} {count:>5}" for (what, outcome), count in sorted(self.moments.items())]
        return [
            f"{self.rounds.total()} processes were killed in {seconds:.0f} s: {kinds}.",
            f"{self.calls} calls were acknowledged before; {self.logs} stores were left with a log to recover.",
            "What ran at the moment, and what was there of it afterwards:",
            *moments,
            f"{self.documents} times a document was read again, {self.printed} times one was found by its fingerprints.",
            "Nothing that was acknowledged was lost, nothing was half there.",
        ]


class Forks:
    """Forks processes off one that has everything imported and no file open, so that each is at work within a millisecond."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.proof.killed"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT
        )
        self._child = 0

    def start(self, function: Callable[..., None], *arguments: object) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(b64encode(pickle.dumps((function, arguments))) + b"\n")
        self._server.stdin.flush()
        self._child = self._number()

    def kill(self) -> int:
        """Kill the process that was started last, and return its exit status."""
        os.kill(self._child, signal.SIGKILL)
        return self._number()

    def close(self) -> None:
        for pipe in (self._server.stdin, self._server.stdout):
            assert pipe is not None
            pipe.close()
        self._server.wait()

    def _number(self) -> int:
        assert self._server.stdout is not None
        return int(self._server.stdout.readline())


class Killer:
    """Runs rounds in `folder`; every one of them is repeated by its seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.tally = Tally()
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(seed)
        self._forks = Forks()
        self._model = Model()
        self._store = folder / "store"
        self._durations: dict[Kind, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._forks.close()

    def round(self, kind: Kind) -> None:
        """Kill one process and look at what it left."""
        seed = self._seed * 1_000_000 + self.tally.rounds.total()
        try:
            if kind in ("ingest", "merge", "delete"):
                self._work(kind, seed)
            else:
                self._open(kind)
        except Exception as error:
            raise Lost(f"in round {self.tally.rounds.total()} ({kind}, seed {self._seed}): {error}") from error
        self.tally.rounds[kind] += 1

    def _work(self, kind: Kind, seed: int) -> None:
        if self.tally.rounds.total() % _ROUNDS_PER_STORE == 0 or not self._store.exists():
            shutil.rmtree(self._store, ignore_errors=True)
            self._model = Model()
        said = self._folder / "said"
        said.unlink(missing_ok=True)
        # Some die while they open what the one before left, some at their work.
        wait = self._chance.uniform(0, 0.02) if self._chance.random() < 0.2 else self._chance.uniform(0.01, 0.25)
        self._kill(wait, work, str(self._store), str(said), seed, kind, self._model.copy())
        self._after_work(kind, seed, said.stat().st_size if said.exists() else 0)

    def _after_work(self, kind: Kind, seed: int, done: int) -> None:
        before, what = self._model, "open"
        after = before
        for number, call in enumerate(plan(seed, kind, before)):
            if number == done:
                after = before.copy()
                call.apply(after)
                what = call.what
                break
            call.apply(before)
        self.tally.calls += done
        self._model = self._same_as_one_of(self._store, what, before, after)

    def _open(self, kind: Kind) -> None:
        folder = self._folder / kind
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        model = Model()
        if kind == "migrate":
            model = _put_old(folder)
        elif kind == "next":
            model = self._model
            if self._store.exists():
                shutil.copytree(self._store, folder, dirs_exist_ok=True)
            SqliteStorage(Context(folder)).migrate()
        said = self._folder / "said"
        said.unlink(missing_ok=True)
        if kind not in self._durations:
            self._durations[kind] = self._measure(kind, folder)
            return self._open(kind)
        self._kill(self._chance.uniform(0, self._durations[kind] * 1.1), open_once, str(folder), str(said), kind)
        outcome = "acknowledged" if said.exists() else self._version(kind, folder)
        self.tally.moments[kind, outcome] += 1
        if kind == "next":
            with closing(sqlite3.connect(folder / "store.sqlite3")) as connection:
                columns = connection.execute("SELECT count(*) FROM pragma_table_info('containers') WHERE name = 'note'").fetchone()[0]
                tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'sizes'").fetchone()[0]
                version = connection.execute("PRAGMA user_version").fetchone()[0]
            if (columns, tables) != ((1, 1) if version > len(MIGRATIONS) else (0, 0)):
                raise Lost(f"version {version} has {columns} new columns and {tables} new tables")
            if opened_next(folder).open()[1] != len(MIGRATIONS) + 1:
                raise Lost("the migration was not finished at the next opening")
            self.same(folder, model, (*MIGRATIONS, to_next))
        else:
            self.same(folder, model)
        return None

    def _version(self, kind: Kind, folder: Path) -> str:
        file = folder / "store.sqlite3"
        if not file.exists():
            return "not there"
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            return "done" if connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + (kind == "next") else "not there"

    def _measure(self, kind: Kind, folder: Path) -> float:
        said = self._folder / "said"
        begun = time.perf_counter()
        self._forks.start(open_once, str(folder), str(said), kind)
        while not said.exists():
            time.sleep(0.001)
        took = time.perf_counter() - begun
        self._forks.kill()
        return took

    def _kill(self, wait: float, function: Callable[..., None], *arguments: object) -> None:
        self._forks.start(function, *arguments)
        time.sleep(wait)
        status = self._forks.kill()
        if status != -signal.SIGKILL:
            raise Lost(f"the process ended by itself with {status}")
        self.tally.logs += any(log.stat().st_size for log in self._folder.glob("*/store.sqlite3-wal"))

    def _same_as_one_of(self, folder: Path, what: str, before: Model, after: Model) -> Model:
        """Return the model that the store is: `before` the call that was cut short, or `after` it."""
        try:
            self.same(folder, before)
        except Lost as first:
            try:
                self.same(folder, after)
            except Lost as second:
                raise Lost(f"{what}: neither without it ({first}) nor with it ({second})") from None
            self.tally.moments[what, "all of it, unacknowledged"] += 1
            return after
        self.tally.moments[what, "nothing of it"] += 1
        return before

    def same(self, folder: Path, model: Model, migrations: Any = MIGRATIONS) -> None:
        """Raise `Lost` when the store in `folder` is not `model`."""
        context = Context(folder)
        store = SqliteStorage(context)
        store._database = Database(lambda: folder / "store.sqlite3", busy_seconds=30, cancelled=context.cancelled, migrations=migrations)
        store.migrate()
        self._compare(store, folder, model)
        del store
        gc.collect()

    def _compare(self, store: SqliteStorage, folder: Path, model: Model) -> None:
        problems = store.state(depth="whole").problems
        _equal("what is wrong", (), tuple((problem.what, problem.name, problem.detail) for problem in problems))
        held = {
            f"{row.origin}/{row.container}": (row.fingerprint, row.documents)
            for origin in ("notes", "mail")
            for row in store.containers(origin=origin)
        }
        _equal("containers", {key: (print_, len(set(names))) for key, (print_, names) in model.containers.items()}, held)
        _equal("what is current", model.current(), set(store.scan(ScanRequest(limit=10_000))))
        names = sorted(model.bodies)
        bodies = [found and found.body for found in store.get(tuple(names))]
        _equal("documents", [model.bodies[name] for name in names], bodies)
        self.tally.documents += len(names)
        self._find_again(store, model)
        _equal("records", list(model.records.values()), list(store.raw(tuple(model.records))))
        _equal("what was deleted", [None] * len(model.gone), list(store.get(tuple(model.gone))))
        for run, digests in model.runs.items():
            _equal(f"run {run}", digests, tuple(digest(step.body) for step in store.runs(run=run, limit=1)))
        looked_for = list(model.gone.items())[-40:] + self._chance.sample(list(model.gone.items()), min(len(model.gone), 10))
        contents = {file.name: file.read_bytes() for file in folder.iterdir()}
        left = [
            f"{name} in {file}"
            for name, marks in looked_for
            for file, content in contents.items()
            if any(mark in content for mark in marks)
        ]
        _equal("bytes that were deleted", [], left)

    def _find_again(self, store: SqliteStorage, model: Model) -> None:
        """Some current documents are found by their own words, in the full-text index and where the fingerprints say that they are sure."""
        there = sorted(model.current())
        for name in self._chance.sample(there, min(len(there), 8)):
            text = json.loads(model.bodies[name])["text"]
            found = store.candidates(TextQuery(text=text.split()[0], limit=10))
            _equal("documents by a word", [name], [candidate.document for candidate in found])
            printed = store.candidates_by_fingerprint(FingerprintQuery(text=text, limit=10))
            if printed.guaranteed:
                _equal("documents by fingerprint", (name,), printed.documents)
                self.tally.printed += 1


def _equal(what: str, expected: object, actual: object) -> None:
    if expected != actual:
        shown = [sha256(repr(value).encode()).hexdigest()[:8] if len(repr(value)) > 600 else repr(value) for value in (expected, actual)]
        raise Lost(f"{what}: expected {shown[0]}, got {shown[1]}")


def _put_old(folder: Path) -> Model:
    (folder / "store.sqlite3").write_bytes(gzip.decompress(OLD.read_bytes()))
    documents = old_documents()
    model = Model(bodies={one.id: one.body for one in documents})
    model.containers["notes/old.txt"] = ("old", tuple(one.id for one in documents))
    model.runs = {run: tuple(digest(f"{run} {step}".encode()) for step in range(3)) for run in ("first", "second")}
    return model


def kill(times: int, folder: Path, seed: int) -> Tally:
    """Kill `times` processes; raise `Lost` when a store is not what it has to be."""
    kinds = [kind for kind, share in SHARES.items() for _ in range(share)]
    chance = random.Random(seed)
    with Killer(folder, seed) as killer:
        for number in range(times):
            if number % len(kinds) == 0:
                chance.shuffle(kinds)
            killer.round(kinds[number % len(kinds)])
        return killer.tally


def main(times: int, seed: int = 0) -> Tally:
    """Kill `times` processes in a folder of its own, and print what was found."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        tally = kill(times, Path(folder), seed)
    print("\n".join(tally.lines(time.perf_counter() - begun)))
    return tally


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
