"""Runs are append-only chains: a gap, a repetition or another past is refused, and a changed step is found."""

from __future__ import annotations

import sqlite3

import pytest
from veridical_contract import StoreCorruptError, StoredRun, StoreError, StoreProblem
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import digest

KINDS = ("begin", "seal", "report")


def chain(run: str, length: int = 3) -> list[StoredRun]:
    steps: list[StoredRun] = []
    previous = "0" * 64
    for step in range(length):
        body = f'{{"run":"{run}","step":{step}}}'.encode()
        steps.append(StoredRun.model_validate({"run": run, "step": step, "kind": KINDS[step], "body": body, "previous": previous}))
        previous = digest(body)
    return steps


def put(store: SqliteStorage, *steps: StoredRun) -> None:
    for step in steps:
        store.put_run(step)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (chain("a")[2], "got step 2, expected step 1"),
        (chain("a")[0], "got step 0, expected step 1"),
        (chain("b")[1], "got step 1, expected step 0"),
        (chain("b")[0].model_copy(update={"previous": "1" * 64}), f"names {'1' * 64} as the step before, expected {'0' * 64}"),
        (chain("a")[1].model_copy(update={"previous": "0" * 64}), f"expected {digest(chain('a')[0].body)}"),
    ],
)
def test_a_step_that_does_not_follow_is_refused(store: SqliteStorage, entry: StoredRun, message: str) -> None:
    put(store, chain("a")[0])
    with pytest.raises(StoreError, match=message):
        store.put_run(entry)
    assert store.runs(run="a", limit=1) == (chain("a")[0],)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET kind = 'seal'",
        "DELETE FROM runs",
        "INSERT OR REPLACE INTO runs SELECT * FROM runs",
        "INSERT OR REPLACE INTO runs SELECT row, 'b', 0, kind, previous, digest, size, body FROM runs",
        "INSERT INTO runs SELECT 99, run, step + 2, kind, previous, digest, size, body FROM runs WHERE step = 2",
    ],
)
def test_steps_cannot_be_changed_or_removed(store: SqliteStorage, tables, statement: str) -> None:
    put(store, *chain("a"))
    with pytest.raises(sqlite3.IntegrityError, match="a step of a run is "):
        tables(statement)


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("UPDATE runs SET body = zeroblob(8) WHERE step = 1", "the bytes of step 1 do not hash to their name"),
        ("UPDATE runs SET body = zeroblob(8), size = 8 WHERE step = 2", "the bytes of step 2 do not hash to their name"),
        ("UPDATE runs SET size = 'x' WHERE step = 1", "the bytes of step 1 do not hash to their name"),
        ("DELETE FROM runs WHERE step = 1", "step 1 is missing"),
        ("UPDATE runs SET previous = zeroblob(32) WHERE step = 2", "step 2 does not follow from the step before"),
        ("UPDATE runs SET kind = 'other' WHERE step = 1", "1 values are not what was written"),
    ],
)
def test_a_changed_chain_is_found_at_the_next_read_and_named(store: SqliteStorage, tables, damage: str, problem: str) -> None:
    put(store, *chain("a"), *chain("b"))
    tables("DROP TRIGGER runs_stay")
    tables("DROP TRIGGER runs_stay_as_they_are")
    tables(damage + (" AND run = 'a'"))
    with pytest.raises(StoreCorruptError, match=problem):
        store.runs(run="a", limit=1)
    with pytest.raises(StoreCorruptError, match=problem):
        store.runs(run=None, limit=2)
    assert store.runs(run="b", limit=1) == tuple(chain("b"))
    if "values" not in problem:
        assert StoreProblem(what="run", name="a", detail=problem) in store.state(depth="whole").problems
