"""Several processes and threads use one file at once; one that dies takes nothing along."""

from __future__ import annotations

import gc
import multiprocessing
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from veridical_contract import ContainerState, StoreError
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import (
    Context,
    batch,
    begin_and_wait,
    current,
    document,
    found,
    make_at_once,
    replace_container,
    texts,
)

SPAWN = multiprocessing.get_context("spawn")


def run(*work: tuple[object, ...]) -> list[int | None]:
    """Run each function with its arguments in a process of its own, and return the exit codes."""
    processes = [SPAWN.Process(target=target, args=arguments) for target, *arguments in work]  # type: ignore[arg-type]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=120)
    return [process.exitcode for process in processes]


def test_two_processes_that_read_one_container_leave_it_whole(tmp_path: Path) -> None:
    assert run(*((replace_container, str(tmp_path), writer, 10) for writer in range(2))) == [0, 0]
    store = SqliteStorage(Context(tmp_path))
    (container,) = store.containers(origin="notes")
    version = container.fingerprint.replace("-", " ")
    assert current(store) == [f"version {version} first", f"version {version} second"]
    assert store.state(depth="whole").problems == ()


def test_processes_that_make_a_store_at_once_end_up_with_one(tmp_path: Path) -> None:
    ready = SPAWN.Event()
    processes = [SPAWN.Process(target=make_at_once, args=(str(tmp_path), writer, ready)) for writer in range(3)]
    for process in processes:
        process.start()
    ready.set()
    for process in processes:
        process.join(timeout=120)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert current(SqliteStorage(Context(tmp_path))) == ["made by 0", "made by 1", "made by 2"]
    gc.collect()
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".new"] == []


def test_a_process_killed_between_batches_leaves_the_old_generation_current(tmp_path: Path) -> None:
    store = SqliteStorage(Context(tmp_path))
    store.put(batch(document("the old")))
    begun, never = SPAWN.Event(), SPAWN.Event()
    process = SPAWN.Process(target=begin_and_wait, args=(str(tmp_path), begun, never))
    process.start()
    assert begun.wait(timeout=60)
    process.kill()
    process.join(timeout=60)
    old = ContainerState(origin="notes", container="a.txt", fingerprint="f1", documents=1)
    for again in (store, SqliteStorage(Context(tmp_path))):
        assert (current(again), again.containers(origin="notes")) == (["the old"], (old,))
        assert again.state(depth="whole").problems == ()
    store.put(batch(document("the new first"), document("the new second"), fingerprint="f2"))
    assert current(store) == ["the new first", "the new second"]


def test_a_writer_waits_for_another_one_and_says_so_when_that_takes_too_long(tmp_path: Path, file: Path) -> None:
    store = SqliteStorage(Context(tmp_path, {"busy_seconds": 0.05}))
    store.put(batch(document("one")))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is being written by another process; waited 0\.05 seconds\. Run the command again\."):
            store.put(batch(document("two"), container="b.txt"))
        assert current(store) == ["one"]
        other.execute("ROLLBACK")
    store.put(batch(document("two"), container="b.txt"))
    assert current(store) == ["one", "two"]


def test_threads_share_one_store(store: SqliteStorage) -> None:
    def work(number: int) -> list[str | None]:
        mine = document(f"thread {number}")
        store.put(batch(mine, container=f"{number}.txt"))
        return texts(store, mine.id)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(40))) == [[f"thread {number}"] for number in range(40)]
    assert len(found(store, "thread")) == 40
    assert store.state(depth="whole").problems == ()


def test_a_thread_waits_for_another_one_no_longer_than_for_a_process(tmp_path: Path) -> None:
    store = SqliteStorage(Context(tmp_path, {"busy_seconds": 0.05}))
    store.migrate()
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store._database.read("the file"):
            inside.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    with pytest.raises(StoreError, match="by another thread of this process"):
        current(store)
    done.set()
    thread.join()
    assert current(store) == []


def test_a_store_that_nobody_uses_any_more_is_closed_and_leaves_one_file(tmp_path: Path) -> None:
    store = SqliteStorage(Context(tmp_path))
    store.put(batch(document("one")))
    assert len(list(tmp_path.iterdir())) == 3
    del store
    assert [file.name for file in tmp_path.iterdir()] == ["store.sqlite3"]
