"""A verb of the facade, called from the event loop: in a thread, on a facade that nobody else uses meanwhile.

    run --borrow a facade--> verb in a thread --steps--> progress notifications
     `--cancelled--> nobody waits any more, the facade lets its plugins go, and the pool throws it away

Whoever calls while all facades are at work waits for a while, and is then told to come back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import Generic, NoReturn, TypeVar

import anyio
import anyio.to_thread
from veridical.client import Pool, Veridical
from veridical_contract import CancelledError, VeridicalError

__all__ = ["BusyError", "Calls", "Watcher"]

_T = TypeVar("_T")
_PACE = 0.1
"""Seconds between two notifications of one call, at least."""
_WAITING = 8
"""How many callers may wait for each facade."""

Told = Callable[[float, str], Awaitable[None]]
"""Takes how many notifications there were, and what is done now."""


class BusyError(VeridicalError):
    """All facades are at work for others."""

    code = "busy"


class Watcher:
    """Who watches long steps of a facade: tells whoever called the verb that runs in this thread."""

    def __init__(self) -> None:
        self._teller: ContextVar[Callable[[str], None] | None] = ContextVar("teller", default=None)

    def step(self, name: str, done: int, total: int | None) -> None:
        """Say how far a step is."""
        if (teller := self._teller.get()) is not None:
            teller(f"{name}: {done}" if total is None else f"{name}: {done} of {total}")

    def tell(self, teller: Callable[[str], None]) -> None:
        """Tell `teller` of the steps of verbs that this thread calls from now on."""
        self._teller.set(teller)


class _Steps:
    """The newest step of one call, on its way from the verb's thread to the client; older ones that were not sent yet are passed over."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._newest: str | None = None
        self._count = 0
        self._changed = anyio.Event()

    def put(self, step: str) -> None:
        """Take a step; called in the event loop."""
        self._newest = step
        self._changed.set()

    async def send(self) -> None:
        """Send steps as they come, until this is cancelled."""
        while True:
            await self._changed.wait()
            await self.flush()
            await anyio.sleep(_PACE)

    async def flush(self) -> None:
        """Send the newest step, unless it was."""
        self._changed = anyio.Event()
        step, self._newest = self._newest, None
        if step is not None:
            self._count += 1
            await self._told(self._count, step)


class _Work(Generic[_T]):
    """One verb in its thread. What is let go before it is done ends with `CancelledError` there, so that its facade is thrown away."""

    def __init__(self, verb: Callable[[Veridical], _T]) -> None:
        self._verb = verb
        self._lock = threading.Lock()
        self._veridical: Veridical | None = None
        self._begun = self._let_go = False

    def begin(self) -> bool:
        """Say in the thread that it has the work now; False when nobody waits for it any more."""
        with self._lock:
            self._begun = not self._let_go
            return self._begun

    def do(self, veridical: Veridical) -> _T:
        """Call the verb; in the thread."""
        with self._lock:
            self._veridical = veridical
        try:
            self._check()
            return self._verb(veridical)
        finally:
            with self._lock:
                self._veridical = None
            self._check()

    def let_go(self) -> bool:
        """Nobody waits any more; in the event loop. Return whether the thread has the work, and will end it."""
        with self._lock:
            self._let_go = True
            if self._veridical is not None:
                self._veridical.cancel()
            return self._begun

    def _check(self) -> None:
        if self._let_go:
            raise CancelledError("The call was cancelled.")


class Calls:
    """Calls of verbs, as many at a time as there are facades.

    Args:
        pool: of facades whose steps `watcher` watches.
        watcher: of them.
        size: how many facades there are.
        patience: seconds that a caller waits while all of them are at work.
    """

    def __init__(self, pool: Pool, watcher: Watcher, *, size: int, patience: float = 30.0) -> None:
        self._pool = pool
        self._watcher = watcher
        self._patience = patience
        self._most = size * (1 + _WAITING)
        self._threads = anyio.CapacityLimiter(self._most)
        self._running = 0
        self._lock = threading.Lock()

    async def run(self, verb: Callable[[Veridical], _T], told: Told) -> _T:
        """Call `verb` with a facade and return what it returns; `told` hears of its steps.

        Raises:
            BusyError: all facades were at work for too long, or too many callers wait already.
            Exception: whatever the verb raises.
        """
        with self._lock:
            if self._running >= self._most:
                raise _busy()
            self._running += 1
        steps, work = _Steps(told), _Work(verb)
        outcome: Callable[[], _T] = partial(_raise, CancelledError("The call was cancelled."))
        async with anyio.create_task_group() as group:
            group.start_soon(steps.send)
            try:
                outcome = await self._in_thread(work, steps)
            finally:
                group.cancel_scope.cancel()
        await steps.flush()
        return outcome()

    async def _in_thread(self, work: _Work[_T], steps: _Steps) -> Callable[[], _T]:
        """Return what returns or raises what the verb did: raised here, a task group would wrap it."""
        loop = asyncio.get_running_loop()

        def teller(step: str) -> None:
            with suppress(RuntimeError):  # the loop is over: nobody listens any more
                loop.call_soon_threadsafe(steps.put, step)

        def job() -> Callable[[], _T]:
            if not work.begin():
                return partial(_raise, CancelledError("The call was cancelled."))
            self._watcher.tell(teller)
            try:
                value = self._borrowed(work)
            except Exception as error:  # noqa: BLE001 - whoever waits raises it again
                return partial(_raise, error)
            return lambda: value

        try:
            return await anyio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=self._threads)
        except anyio.get_cancelled_exc_class():
            if not work.let_go():
                self._left()
            raise

    def _borrowed(self, work: _Work[_T]) -> _T:
        try:
            with self._pool.borrow(self._patience) as veridical:
                return work.do(veridical)
        except TimeoutError:
            raise _busy() from None
        finally:
            self._left()

    def _left(self) -> None:
        with self._lock:
            self._running -= 1


def _busy() -> BusyError:
    return BusyError("The server is at work for others.", hint="Call it again in a moment.")


def _raise(error: Exception) -> NoReturn:
    raise error
