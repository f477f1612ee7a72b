"""Budget, deadline and limits: what may be called, when, and what was spent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.prices import Price, Prices, micro_dollars
from veridical.spending import Budget, Deadline, ProviderLimits, Reservation, Spent
from veridical_contract import CancelledError, ConfigurationError, PluginError, Usage

PRICES = Prices({"acme": {"small": Price(input="1", output="10"), "free": Price(input="0", output="0")}}, today=date(2026, 11, 22))


def budget(limit: str | None) -> Budget:
    return Budget(PRICES, None if limit is None else micro_dollars(limit))


def small(each: Budget, *, sent: int = 100, out: int = 10) -> Reservation:
    return each.reserve("acme", "small", sent_bytes=sent, output_tokens=out)


def test_a_call_is_made_while_it_stays_within_the_limit_at_its_most() -> None:
    run = budget("0.0004")
    first = small(run)
    assert Decimal(200) == first.most
    assert Decimal(60) == run.settle(first, Usage(input_tokens=20, output_tokens=4))
    small(run)  # 60 spent, 200 set aside
    with pytest.raises(PluginError, match=r"may cost \$0.0002, and \$0.0002 of \$0.0004 is left") as caught:
        small(run)
    assert ("acme", "Allow more with --max-cost, or choose a cheaper model.") == (caught.value.plugin, caught.value.hint)


def test_what_is_released_can_be_spent() -> None:
    run = budget("0.0002")
    run.release(small(run))
    run.settle(small(run), Usage(input_tokens=100, output_tokens=10))
    assert Decimal(200) == run.spent()
    with pytest.raises(PluginError):
        small(run, sent=1, out=0)


@pytest.mark.parametrize("usage", [None, Usage()])
def test_a_call_that_does_not_say_what_it_used_costs_what_was_set_aside(usage: Usage | None) -> None:
    run = budget("1")
    assert Decimal(200) == run.settle(small(run), usage)
    assert Spent(calls=1, cost=Decimal(200), estimated=1) == run.rows()["acme", "small"]


def test_with_a_limit_a_model_without_a_price_is_refused_and_the_fix_is_named() -> None:
    with pytest.raises(ConfigurationError) as caught:
        budget("0.50").reserve("openai", "llama3.2", sent_bytes=1, output_tokens=1)
    assert "It is not known what llama3.2 of openai costs, and this run may cost $0.5000 at most." == caught.value.message
    assert '[prices.openai."llama3.2"]' in caught.value.hint


def test_with_a_limit_searches_without_a_price_are_refused() -> None:
    with pytest.raises(ConfigurationError):
        budget("1").reserve("acme", "small", sent_bytes=1, output_tokens=1, searches=1)


def test_without_a_limit_nothing_is_refused_and_everything_is_counted() -> None:
    run = budget(None)
    assert run.settle(run.reserve("openai", "llama3.2", sent_bytes=1, output_tokens=1), Usage(input_tokens=5, output_tokens=7)) is None
    run.settle(small(run, sent=10**9), Usage(input_tokens=3, cached_tokens=2, written_tokens=1, output_tokens=1))
    assert {
        ("openai", "llama3.2"): Spent(calls=1, unknown=1, input_tokens=5, output_tokens=7),
        ("acme", "small"): Spent(calls=1, cost=Decimal(13), input_tokens=3, cached_tokens=2, written_tokens=1, output_tokens=1),
    } == run.rows()
    assert Decimal(13) == run.spent()


def test_a_limit_of_nothing_lets_what_costs_nothing_be_called() -> None:
    run = budget("0")
    run.settle(run.reserve("acme", "free", sent_bytes=10**6, output_tokens=10**6), Usage(input_tokens=9))
    with pytest.raises(PluginError):
        small(run)


def test_what_was_spent_cannot_be_changed_from_outside() -> None:
    run = budget(None)
    run.settle(small(run), Usage(input_tokens=1))
    run.rows()["acme", "small"].cost = Decimal(0)
    assert Decimal(1) == run.spent()


@given(
    st.integers(0, 2_000),
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 50), st.integers(0, 100), st.integers(0, 50)), max_size=30),
)
def test_a_limit_is_never_passed_by_calls_that_use_no_more_than_they_may(limit: int, calls: list[tuple[int, int, int, int]]) -> None:
    run = Budget(PRICES, Decimal(limit))
    under_way: list[tuple[Reservation, Usage]] = []
    for sent, out, used, written in calls:
        try:
            reserved = run.reserve("acme", "small", sent_bytes=sent, output_tokens=out)
        except PluginError:
            continue
        under_way.append((reserved, Usage(input_tokens=min(used, sent), output_tokens=min(written, out))))
        if len(under_way) > 2:
            run.settle(*under_way.pop(0))
        assert run.spent() <= limit
    for each in under_way:
        run.settle(*each)
    assert run.spent() <= limit


def test_threads_share_one_budget() -> None:
    run, made = budget("0.01"), list[Reservation]()

    def call() -> None:
        for _ in range(20):
            try:
                made.append(small(run))
            except PluginError:
                return
            run.settle(made[-1], None)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (50, Decimal(10_000)) == (len(made), run.spent())


@dataclass
class Clock:
    """A clock that sleeping moves."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)
    woken: Callable[[], None] = lambda: None

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        self.woken()


def test_a_deadline_counts_from_its_making() -> None:
    clock = Clock()
    deadline = Deadline(60, clock)
    assert (60, 45, 60) == (deadline.left(), deadline.within(45), deadline.within(300))
    clock.now += 59
    assert (1, 1) == (deadline.left(), deadline.within(45))
    clock.now += 1
    for ask in (deadline.check, lambda: deadline.within(45)):
        with pytest.raises(CancelledError, match="passed its deadline of 60 s"):
            ask()
    assert 0 == deadline.left()


def test_no_deadline_never_passes() -> None:
    clock = Clock()
    deadline = Deadline(None, clock)
    clock.now += 10**9
    deadline.check()
    assert (float("inf"), 45) == (deadline.left(), deadline.within(45))


def test_only_so_many_calls_begin_in_any_minute() -> None:
    clock = Clock()
    limits = ProviderLimits(per_minute=3, clock=clock, sleep=clock.sleep)
    begun: list[float] = []
    for _ in range(7):
        with limits.slot():
            begun.append(clock.now)
        clock.now += 10
    assert all(later - earlier >= 60 for earlier, later in zip(begun, begun[3:], strict=False))
    assert begun[3] - begun[0] < 60.1


def test_without_limits_nobody_waits() -> None:
    clock = Clock()
    limits = ProviderLimits(clock=clock, sleep=clock.sleep)
    with limits.slot(), limits.slot(), limits.slot():
        pass
    assert [] == clock.slept


def test_only_so_many_calls_run_at_once() -> None:
    limits = ProviderLimits(concurrent=2, sleep=lambda _: threading.Event().wait(0.001) and None)
    lock, running, most = threading.Lock(), 0, 0

    def call() -> None:
        nonlocal running, most
        for _ in range(5):
            with limits.slot():
                with lock:
                    running += 1
                    most = max(most, running)
                threading.Event().wait(0.001)
                with lock:
                    running -= 1

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (0, 2) == (running, most)


def test_a_call_that_fails_gives_its_place_back() -> None:
    clock = Clock()
    limits = ProviderLimits(concurrent=1, clock=clock, sleep=clock.sleep)
    with pytest.raises(ZeroDivisionError), limits.slot():
        raise ZeroDivisionError
    with limits.slot():
        pass
    assert [] == clock.slept


def test_a_provider_that_asks_to_wait_is_left_alone() -> None:
    clock = Clock()
    limits = ProviderLimits(clock=clock, sleep=clock.sleep)
    limits.hold(7)
    limits.hold(3)
    with limits.slot():
        assert 7 == pytest.approx(clock.now - 1000)


def test_who_waits_is_let_go_when_the_deadline_passes() -> None:
    clock = Clock()
    limits = ProviderLimits(concurrent=1, clock=clock, sleep=clock.sleep)
    with limits.slot(), pytest.raises(CancelledError, match="deadline of 5 s"), limits.slot(Deadline(5, clock)):
        pass
    assert 5 == pytest.approx(clock.now - 1000, abs=0.1)


def test_who_waits_is_let_go_when_nobody_waits_for_it() -> None:
    clock = Clock()
    limits = ProviderLimits(concurrent=1, clock=clock, sleep=clock.sleep)
    with limits.slot(), pytest.raises(CancelledError), limits.slot(cancelled=lambda: clock.now > 1002):
        pass
    with limits.slot():
        pass
