"""A pool of facades: one borrower each, made when needed, made anew after a failure, and nothing is cut off at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical.client import Pool, Veridical
from veridical_contract import CancelledError, PluginError, ProviderError, StoreError, UsageError


class Installation(Veridical):
    """A real facade that says what became of it, and which plugins hang in it."""

    def __init__(self, home: Path) -> None:
        super().__init__(home=home, environment={})
        self.closed = 0
        self.hanging: tuple[str, ...] = ()

    def close(self) -> None:
        self.closed += 1
        super().close()

    def quarantined(self) -> tuple[str, ...]:
        return self.hanging


@pytest.fixture
def made() -> list[Installation]:
    return []


@pytest.fixture
def make(made: list[Installation], tmp_path: Path) -> Callable[[], Veridical]:
    def one() -> Veridical:
        made.append(Installation(tmp_path / "home"))
        return made[-1]

    return one


def test_nothing_is_made_before_it_is_borrowed(make: Callable[[], Veridical], made: list[Installation]) -> None:
    with Pool(make, size=3):
        assert [] == made


def test_a_facade_that_came_back_is_lent_again(make: Callable[[], Veridical], made: list[Installation]) -> None:
    with Pool(make, size=3) as pool:
        for _ in range(5):
            with pool.borrow() as veridical:
                assert made[0] is veridical
    assert [1] == [one.closed for one in made]


def test_two_borrowers_never_have_the_same_one(make: Callable[[], Veridical], made: list[Installation]) -> None:
    in_use: list[Veridical] = []
    seen: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        for _ in range(20):
            with pool.borrow() as veridical:
                with lock:
                    assert veridical not in in_use
                    in_use.append(veridical)
                    seen.append(len(in_use))
                threading.Event().wait(0.001)
                with lock:
                    in_use.remove(veridical)

    with Pool(make, size=3) as pool:
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert 160 == len(seen)
    assert len(made) <= 3
    assert 1 < max(seen) <= 3


def test_who_waits_too_long_is_told(make: Callable[[], Veridical]) -> None:
    with Pool(make, size=1) as pool, pool.borrow(), pytest.raises(TimeoutError), pool.borrow(timeout=0.01):
        pass


@pytest.mark.parametrize(
    "error", [StoreError("x"), PluginError("x"), RuntimeError("x"), KeyboardInterrupt()], ids=lambda error: type(error).__name__
)
def test_after_a_failure_of_its_own_a_facade_is_ended_and_made_anew(
    error: BaseException, make: Callable[[], Veridical], made: list[Installation]
) -> None:
    with Pool(make, size=1) as pool:
        with pytest.raises(type(error)), pool.borrow():
            raise error
        assert [1] == [one.closed for one in made]
        with pool.borrow() as veridical:
            assert made[1] is veridical


@pytest.mark.parametrize("error", [UsageError("x"), ProviderError("x", failure="server")], ids=lambda error: type(error).__name__)
def test_after_a_failure_of_somebody_else_a_facade_is_used_on(
    error: BaseException, make: Callable[[], Veridical], made: list[Installation]
) -> None:
    with Pool(make, size=1) as pool:
        with pytest.raises(type(error)), pool.borrow():
            raise error
        with pool.borrow() as veridical:
            assert made[0] is veridical


def test_a_facade_in_which_a_plugin_hung_is_made_anew_after_a_while_and_not_before(
    make: Callable[[], Veridical], made: list[Installation]
) -> None:
    now = [100.0]
    with Pool(make, size=1, clock=lambda: now[0]) as pool:
        with pool.borrow():
            made[0].hanging = ("brave",)
        for later in (1.0, 58.0):
            now[0] += later
            with pool.borrow() as veridical:
                assert made[0] is veridical
        now[0] += 1.0
        with pool.borrow() as veridical:
            assert made[1] is veridical
    assert [1, 1] == [one.closed for one in made]


def test_a_place_is_free_again_when_none_could_be_made(make: Callable[[], Veridical], made: list[Installation]) -> None:
    working = [False]

    def sometimes() -> Veridical:
        if not working[0]:
            raise OSError("no room")
        return make()

    with Pool(sometimes, size=1) as pool:
        with pytest.raises(OSError, match="no room"), pool.borrow(timeout=0):
            pass
        working[0] = True
        with pool.borrow(timeout=0) as veridical:
            assert made[0] is veridical


def test_closing_waits_for_what_is_borrowed_and_lends_nothing_more(make: Callable[[], Veridical], made: list[Installation]) -> None:
    pool, borrowed, enough = Pool(make, size=2), threading.Event(), threading.Event()
    closed: list[bool] = []

    def work() -> None:
        with pool.borrow():
            borrowed.set()
            enough.wait(10)
            assert 0 == made[0].closed

    worker = threading.Thread(target=work)
    worker.start()
    assert borrowed.wait(10)
    assert not pool.close(timeout=0.01)
    closing = threading.Thread(target=lambda: closed.append(pool.close()))
    closing.start()
    with pytest.raises(CancelledError), pool.borrow():
        pass
    assert [] == closed
    enough.set()
    for thread in (closing, worker):
        thread.join(10)
    assert [True] == closed
    assert [1] == [one.closed for one in made]


def test_who_waits_for_a_place_is_told_when_the_pool_closes(make: Callable[[], Veridical]) -> None:
    pool, told = Pool(make, size=1), threading.Event()

    def wait() -> None:
        with pytest.raises(CancelledError), pool.borrow():
            pass
        told.set()

    with pool.borrow():
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not pool.close(timeout=0.05)
        waiting.join(10)
    assert told.is_set()


def test_a_pool_has_a_place(make: Callable[[], Veridical]) -> None:
    with pytest.raises(ValueError, match="not 0"):
        Pool(make, size=0)


def test_the_facade_says_which_plugins_hung(tmp_path: Path) -> None:
    with Veridical(home=tmp_path / "home", environment={}) as veridical:
        assert () == veridical.quarantined()
        veridical.sources()
        assert () == veridical.quarantined()
