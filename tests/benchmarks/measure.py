"""How long things take: every subject and its peers are called in turns, so that whatever slows the machine down slows them all."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Figures", "alternate", "timed", "undisturbed"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Figures:
    """What came out of many runs.

    Attributes:
        p50: the median.
        p99: exceeded by one run in a hundred.
        runs: how many there were.
        unit: `s` for seconds; anything else is shown as it is.
    """

    p50: float
    p99: float
    runs: int
    unit: str = "s"

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Figures:
        """Return the figures of at least one run."""
        found = sorted(seconds)
        return cls(_at(found, 0.5), _at(found, 0.99), len(found))

    @classmethod
    def once(cls, value: float, unit: str) -> Figures:
        """Return the figures of something that is the same every time, or that was done once."""
        return cls(value, value, 1, unit)


def timed(action: Callable[[_T], object]) -> Callable[[_T], float]:
    """Return a function that calls `action` and returns the seconds that it took."""

    def run(argument: _T) -> float:
        started = time.perf_counter_ns()
        action(argument)
        return (time.perf_counter_ns() - started) / 1e9

    return run


def alternate(actions: Mapping[str, Callable[[_T], float]], arguments: Sequence[_T], *, warm_up: int = 20) -> dict[str, Figures]:
    """Call each of `actions` with each of `arguments`, in turns, and return the figures of each.

    Args:
        actions: name to a function that returns the seconds of its own run.
        arguments: one for each run.
        warm_up: how many of the arguments are used once before anything counts.
    """
    for argument in arguments[:warm_up]:
        for action in actions.values():
            action(argument)
    taken: dict[str, list[float]] = {name: [] for name in actions}
    order = list(actions.items())
    with undisturbed():
        for turn, argument in enumerate(arguments):
            first = turn % len(order)
            for name, action in (*order[first:], *order[:first]):
                taken[name].append(action(argument))
    return {name: Figures.of(seconds) for name, seconds in taken.items()}


@contextmanager
def undisturbed() -> Generator[None]:
    """Keep Python's garbage collector out of what is timed, as `timeit` does."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _at(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))]
