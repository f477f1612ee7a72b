"""A pool of facades, for programs that answer several callers at a time.

    with pool.borrow() as veridical: ...        one caller at a time, and never two

    idle --borrow--> at work --done, or a failure that leaves it as it was--> idle
                        `------any other failure--> closed, and the next borrower gets a new one

A `Veridical` is made for one caller at a time; the store beneath is not, so facades of one home may work side by side. One that holds a
plugin which hung is put to use again for a while, since a new one would only hang again, and is then made anew.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from veridical_contract import CancelledError, NotPublishableError, ProviderError, UnreadableError, UsageError

from .facade import Veridical

__all__ = ["Pool"]

_HARMLESS = (UsageError, UnreadableError, NotPublishableError, ProviderError)
"""What a caller, a draft, a report or a service is to blame for: the facade is as good as before."""
_QUARANTINE = 60.0
"""Seconds for which a facade is used on that holds a plugin which hung."""


@dataclass(slots=True)
class _Kept:
    """A facade, and when it was first given back with a plugin that hung."""

    veridical: Veridical
    since: float | None = None


class Pool:
    """Facades that are made when they are needed, at most `size` at a time. Safe to use from several threads; a context manager.

    Args:
        make: makes a facade; called without any lock held, by the borrower who needs it.
        size: how many may be borrowed at a time.
        clock: seconds, monotonic.
    """

    def __init__(self, make: Callable[[], Veridical], *, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        if size < 1:
            raise ValueError(f"a pool has at least one place, not {size}")
        self._make = make
        self._size = size
        self._clock = clock
        self._idle: list[_Kept] = []
        self._borrowed = 0
        self._closed = False
        self._changed = threading.Condition()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def borrow(self, timeout: float | None = None) -> Generator[Veridical]:
        """Give a facade that nobody else uses until the end of the block.

        Args:
            timeout: seconds to wait while all are borrowed; None waits as long as it takes.

        Raises:
            TimeoutError: all were borrowed for that long.
            CancelledError: the pool was closed.
        """
        kept = self._taken(timeout)
        try:
            yield kept.veridical
        except _HARMLESS:
            self._give_back(kept)
            raise
        except BaseException:
            self._throw_away(kept)
            raise
        else:
            self._give_back(kept)

    def close(self, timeout: float | None = None) -> bool:
        """Lend nothing any more, wait for what is borrowed, and end all facades. May be called twice.

        Args:
            timeout: seconds to wait; None waits as long as it takes. What comes back later is ended then.

        Returns:
            Whether everything came back.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            done = self._changed.wait_for(lambda: self._borrowed == 0, timeout)
            idle, self._idle = self._idle, []
        for kept in idle:
            kept.veridical.close()
        return done

    def _taken(self, timeout: float | None) -> _Kept:
        with self._changed:
            if not self._changed.wait_for(lambda: self._closed or self._borrowed < self._size, timeout):
                raise TimeoutError(f"all {self._size} facades were in use for {timeout} s")
            if self._closed:
                raise CancelledError("The pool is closed.")
            self._borrowed += 1
            kept = self._idle.pop() if self._idle else None  # the one that was used last: no more are made than are needed
        try:
            if kept is not None and kept.since is not None and self._clock() - kept.since >= _QUARANTINE:
                kept.veridical.close()
                kept = None
            return kept if kept is not None else _Kept(self._make())
        except BaseException:
            self._release()
            raise

    def _give_back(self, kept: _Kept) -> None:
        if kept.since is None and kept.veridical.quarantined():
            kept.since = self._clock()
        with self._changed:
            if not self._closed:
                self._idle.append(kept)
                self._borrowed -= 1
                self._changed.notify_all()
                return
        self._throw_away(kept)

    def _throw_away(self, kept: _Kept) -> None:
        try:
            kept.veridical.close()
        finally:
            self._release()

    def _release(self) -> None:
        with self._changed:
            self._borrowed -= 1
            self._changed.notify_all()
