"""What a power cut leaves of a store, simulated with its files: every state that the disk could be in is a store as it once was.

SQLite brings the log to the disk before a page of it goes into the file, and the file before the log is begun anew. So at any moment the
file is whole together with the log, and of what was written to the log since it was last synced, any sectors may be missing: at the end,
or anywhere. What is called to be written through (the steps of runs, deletions) is synced before the call returns.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from veridical_contract import DeleteRequest, StoredRun
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, current, digest, document, raw

SECTOR = 512
NAME = "store.sqlite3"


@dataclass(frozen=True)
class Files:
    """The bytes of a store's files, and what a reader finds in it."""

    main: bytes
    log: bytes
    holds: tuple[list[str], int]


def holds(store: SqliteStorage) -> tuple[list[str], int]:
    """What is current, and how many steps the run has."""
    return current(store), len(store.runs(run="r", limit=1))


def files(folder: Path, store: SqliteStorage) -> Files:
    return Files((folder / NAME).read_bytes(), (folder / f"{NAME}-wal").read_bytes(), holds(store))


def left(folder: Path, main: bytes, log: bytes, shared: bytes | None = None) -> SqliteStorage:
    """A store of which these bytes are left."""
    folder.mkdir(exist_ok=True)
    (folder / NAME).write_bytes(main)
    (folder / f"{NAME}-wal").write_bytes(log)
    (folder / f"{NAME}-shm").unlink(missing_ok=True)
    if shared is not None:
        (folder / f"{NAME}-shm").write_bytes(shared)
    return SqliteStorage(Context(folder))


def step(number: int) -> StoredRun:
    previous = "0" * 64 if number == 0 else digest(b"%d" % (number - 1))
    return StoredRun(run="r", step=number, kind="report" if number else "begin", body=b"%d" % number, previous=previous)


def text(number: int) -> str:
    return f"text {number} {random.Random(number).getrandbits(200):x}"


def some(store: SqliteStorage) -> Iterator[str]:
    """Write to a store one transaction after the other, and say of each what it was."""
    for number in range(8):
        record = raw(text(number).encode() * 20)
        store.put(batch(document(text(number), raw=record), document(f"{text(number)} too"), raws=(record,), container=f"{number}.txt"))
        yield "put"
    store.put(batch(document("of two batches"), container="x.txt", last=False))
    yield "put"
    store.put(batch(document("the second of two"), container="x.txt", first=False))
    yield "put"
    store.put_run(step(0))
    yield "through"
    store.drop_container(origin="notes", container="3.txt")
    yield "put"
    store.put_run(step(1))
    yield "through"
    store.put(batch(document("the last"), container="y.txt"))
    yield "put"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Files], list[str]]:
    """The files after each transaction; the first ones are those of a store that was just synced."""
    folder = tmp_path_factory.mktemp("history")
    store = SqliteStorage(Context(folder))
    store.put(batch(document("from the beginning")))
    store._database.truncate_log()
    states = [files(folder, store)]
    kinds = ["through"]
    for kind in some(store):
        states.append(files(folder, store))
        kinds.append(kind)
    return states, kinds


def whole(store: SqliteStorage, states: list[Files]) -> int:
    """Return which of `states` a store is: it is one of them, and nothing is wrong with it."""
    found = holds(store)
    assert found in [state.holds for state in states]
    assert store.state(depth="whole").problems == ()
    return max(number for number, state in enumerate(states) if state.holds == found)


def torn(log: bytes, at: int, how: str) -> bytes:
    chance = random.Random(at)
    rest = len(log) - at
    if how == "cut":
        return log[:at]
    if how == "zeros":
        return log[:at] + bytes(rest)
    if how == "garbage":
        return log[:at] + chance.randbytes(rest)
    lost = min(SECTOR, rest)
    return log[:at] + chance.randbytes(lost) + log[at + lost :]


@pytest.mark.parametrize("how", ["cut", "zeros", "garbage", "one sector"])
def test_whatever_of_the_log_is_lost_the_store_is_as_it_once_was_and_keeps_what_was_written_through(
    history: tuple[list[Files], list[str]], tmp_path: Path, how: str
) -> None:
    states, kinds = history
    newest = states[-1]
    assert all(state.main == newest.main and newest.log.startswith(state.log) for state in states)
    synced = [number for number, kind in enumerate(kinds) if kind == "through"]
    reached = []
    for at in range(0, len(newest.log), SECTOR * (3 if how == "cut" else 13)):
        number = whole(left(tmp_path / "left", newest.main, torn(newest.log, at, how)), states)
        assert number <= min(n for n, state in enumerate(states) if len(state.log) >= at), "a store holds what was not written yet"
        reached.append(number)
    assert reached == sorted(reached)
    # A power cut after a call that is written through: all of the log up to there is on the disk.
    for number in synced[1:]:
        kept = len(states[number].log)
        for lost in (SECTOR, 3 * SECTOR, len(newest.log)):
            assert whole(left(tmp_path / "left", newest.main, torn(newest.log[: kept + lost], kept, how)), states) >= number


def test_a_sector_of_the_log_that_was_never_written_ends_what_is_kept_there(history: tuple[list[Files], list[str]], tmp_path: Path) -> None:
    """Sectors reach the disk in any order: those after a gap count for nothing."""
    states, _ = history
    log, chance = states[-1].log, random.Random(5)
    for _ in range(25):
        gaps = sorted(chance.sample(range(1, len(log) // SECTOR), 4))
        broken = bytearray(log)
        for gap in gaps:
            broken[gap * SECTOR : (gap + 1) * SECTOR] = chance.randbytes(SECTOR)  # what stood there before
        number = whole(left(tmp_path / "left", states[-1].main, bytes(broken)), states)
        assert number <= min(n for n, state in enumerate(states) if len(state.log) > gaps[0] * SECTOR)


def test_a_power_cut_while_the_log_goes_into_the_file_loses_nothing(tmp_path: Path) -> None:
    """Any of the file's pages may be old, new or torn then; the log is on the disk as a whole."""
    folder = tmp_path / "store"
    store = SqliteStorage(Context(folder))
    store.put(batch(document("from the beginning")))
    store._database.truncate_log()
    for _ in some(store):
        pass
    before = files(folder, store)
    store._database.truncate_log()
    after = (folder / NAME).read_bytes()
    chance = random.Random(3)
    for _ in range(20):
        mixed = bytearray(before.main.ljust(len(after), b"\0"))
        for at in range(0, len(after), SECTOR):
            if chance.random() < 0.5:
                mixed[at : at + SECTOR] = after[at : at + SECTOR]
        grown = chance.choice((len(after), len(before.main)))
        assert whole(left(tmp_path / "left", bytes(mixed[:grown]), before.log), [before]) == 0


@pytest.mark.parametrize("shared", [b"", b"\0" * 32768, random.Random(0).randbytes(32768)], ids=["empty", "zeros", "garbage"])
def test_what_is_left_of_the_shared_memory_file_counts_for_nothing(
    history: tuple[list[Files], list[str]], tmp_path: Path, shared: bytes
) -> None:
    newest = history[0][-1]
    assert whole(left(tmp_path / "left", newest.main, newest.log, shared), [newest]) == 0


@pytest.mark.parametrize(
    "act",
    [
        lambda store, gone: store.delete(DeleteRequest(documents=(gone.id,), reason="x")),
        lambda store, gone: store.delete(DeleteRequest(origin="notes", reason="x")),
    ],
    ids=["document", "source"],
)
def test_a_power_cut_after_a_deletion_does_not_bring_it_back(tmp_path: Path, act: Callable[[SqliteStorage, object], object]) -> None:
    gone = document("secret")
    store = SqliteStorage(Context(tmp_path / "store"))
    store.put(batch(gone))
    act(store, gone)
    assert (tmp_path / "store" / f"{NAME}-wal").read_bytes() == b""
    assert left(tmp_path / "left", (tmp_path / "store" / NAME).read_bytes(), b"").get((gone.id,)) == (None,)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux says which file a number is")
def test_a_store_is_in_its_folder_for_good_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a file is in its folder: that one is synced too."""
    synced: list[str] = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(str(Path(f"/proc/self/fd/{handle}").readlink())), fsync(handle))[1])
    SqliteStorage(Context(tmp_path)).migrate()
    assert synced[-1] == str(tmp_path)
