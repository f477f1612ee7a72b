"""Verbs in threads: progress, who waits, who is let go."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from veridical.client import Pool, Veridical
from veridical_contract import CancelledError, UsageError
from veridical_mcp._calls import _WAITING, BusyError, Calls, Watcher, _Work

from .house import run


async def unheard(count: float, step: str) -> None:
    pass


@contextmanager
def calls(folder: Path, *, size: int = 1, patience: float = 20.0) -> Iterator[tuple[Callable[[], Calls], Pool, Watcher]]:
    watcher = Watcher()
    with Pool(lambda: Veridical(home=folder, environment={}, progress=watcher), size=size) as pool:
        yield lambda: Calls(pool, watcher, size=size, patience=patience), pool, watcher


def test_steps_are_told_in_order_the_last_one_too_and_those_between_may_be_passed_over(tmp_path: Path) -> None:
    heard: list[tuple[float, str]] = []

    async def hear(count: float, step: str) -> None:
        heard.append((count, step))

    with calls(tmp_path) as (make, _, watcher):

        def verb(_: Veridical) -> str:
            for number in range(1000):
                watcher.step("reading", number, 1000)
            watcher.step("ordering", 7, None)
            return "done"

        assert "done" == run(lambda: make().run(verb, hear))
    assert list(range(1, len(heard) + 1)) == [count for count, _ in heard]
    assert "ordering: 7" == heard[-1][1]
    assert len(heard) < 1000


def test_steps_of_one_call_are_not_told_to_another(tmp_path: Path) -> None:
    both = threading.Barrier(2)
    heard: dict[str, set[str]] = {"one": set(), "two": set()}

    with calls(tmp_path, size=2) as (make, _, watcher):

        def verb(name: str) -> Callable[[Veridical], None]:
            def step(_: Veridical) -> None:
                both.wait(20)
                watcher.step(name, 1, 1)

            return step

        def hearer(name: str) -> Callable[[float, str], Awaitable[None]]:
            async def hear(count: float, step: str) -> None:
                heard[name].add(step)

            return hear

        async def session() -> None:
            running = make()
            async with anyio.create_task_group() as group:
                for name in heard:
                    group.start_soon(running.run, verb(name), hearer(name))

        run(session)
    assert {"one": {"one: 1 of 1"}, "two": {"two: 1 of 1"}} == heard


def test_a_watcher_of_whom_nobody_asks_is_silent() -> None:
    Watcher().step("reading", 1, 2)


def test_an_error_comes_as_it_is(tmp_path: Path) -> None:
    def verb(_: Veridical) -> None:
        raise UsageError("Not like this.")

    with calls(tmp_path) as (make, _, _), pytest.raises(UsageError, match="Not like this"):
        run(lambda: make().run(verb, unheard))


def test_who_waits_too_long_is_told_to_come_back(tmp_path: Path) -> None:
    with calls(tmp_path, patience=0.05) as (make, pool, _), pool.borrow(), pytest.raises(BusyError, match="Call it again in a moment"):
        run(lambda: make().run(lambda _: None, unheard))


def test_no_more_wait_than_there_is_room_for(tmp_path: Path) -> None:
    released, entered = threading.Event(), threading.Event()

    def wait(_: Veridical) -> None:
        entered.set()
        released.wait(20)

    with calls(tmp_path) as (make, _, _):

        async def session() -> None:
            running = make()
            async with anyio.create_task_group() as group:
                for _ in range(1 + _WAITING):
                    group.start_soon(running.run, wait, unheard)
                await anyio.to_thread.run_sync(entered.wait, 20)
                await anyio.lowlevel.checkpoint()
                with pytest.raises(BusyError):
                    await running.run(wait, unheard)
                released.set()
            assert await running.run(lambda _: "there is room again", unheard)

        run(session)


def test_a_cancelled_call_returns_at_once_and_its_facade_is_thrown_away(tmp_path: Path) -> None:
    entered, released = threading.Event(), threading.Event()
    ended: list[BaseException] = []
    facades: list[Veridical] = []

    def verb(veridical: Veridical) -> None:
        facades.append(veridical)
        if len(facades) > 1:
            return
        entered.set()
        released.wait(20)
        try:
            veridical.search_evidence("anything")
        except CancelledError as error:
            ended.append(error)
            raise

    with calls(tmp_path) as (make, _, _):

        async def session() -> None:
            running = make()
            async with anyio.create_task_group() as group:
                group.start_soon(running.run, verb, unheard)
                await anyio.to_thread.run_sync(entered.wait, 20)
                group.cancel_scope.cancel()
            released.set()  # only now: the task group did not wait for the thread
            await running.run(verb, unheard)

        run(session)
    assert 1 == len(ended)
    assert facades[0] is not facades[1]


def test_what_is_cancelled_while_it_waits_for_a_facade_never_begins(tmp_path: Path) -> None:
    begun: list[Veridical] = []

    with calls(tmp_path) as (make, pool, _):

        async def session() -> None:
            running = make()
            with pool.borrow():
                for _ in range(3):
                    with anyio.move_on_after(0.05):
                        await running.run(begun.append, unheard)
            await running.run(lambda _: None, unheard)
            for _ in range(100):
                if running._running == 0:
                    break
                await anyio.sleep(0.05)
            assert 0 == running._running

        run(session)
    assert [] == begun


def test_work_that_nobody_waits_for_is_not_begun() -> None:
    """The thread that takes it up a moment too late leaves it, and with it the count of who is there."""
    work = _Work(lambda _: None)
    assert not work.let_go()
    assert not work.begin()


def test_what_is_cancelled_before_it_has_a_thread_leaves_its_place(tmp_path: Path) -> None:
    with calls(tmp_path) as (make, _, _):

        async def session() -> None:
            running = make()
            with anyio.CancelScope() as scope:
                scope.cancel()
                await running.run(lambda _: None, unheard)
            assert 0 == running._running

        run(session)
