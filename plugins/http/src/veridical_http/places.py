"""Who may work, who waits, and for how long.

    run:   wait for a place -- none within the queue's bound: busy --> thread with a facade of its own --> result
                                                                        `-- time passed: timeout; the thread ends its work all the same

As many threads as places, and a facade for each. Places are given in the order in which they were asked for. A thread cannot be killed: who
waited too long for one is told so, and the place is free again when its work is done.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from veridical.client import Pool, Veridical
from veridical_contract import VeridicalError

from .problems import Refused
from .tracing import span

__all__ = ["Places"]

_T = TypeVar("_T")
_LOGGER = logging.getLogger("veridical_http")


class Places:
    """See the module. To be used from one event loop.

    Args:
        pool: that facades are borrowed from.
        threads: how many places there are.
        queue: how many may wait for one.
        seconds: for everything, from the question to the answer.
    """

    def __init__(self, pool: Pool, *, threads: int, queue: int, seconds: float) -> None:
        self.seconds = seconds
        self._pool = pool
        self._queue = queue
        self._waiting = 0
        self._free = asyncio.Semaphore(threads)
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="veridical http")

    async def run(self, name: str, verb: Callable[[Veridical], _T], *, gone: Callable[[], Awaitable[bool]] | None = None) -> _T:
        """Do `verb` with a facade, in a thread, and return what it returns, or raise what it raises.

        Args:
            name: of the work, for traces.
            verb: the work.
            gone: whether nobody waits for it any more; asked once, when its turn comes.

        Raises:
            Refused: too many wait, or the time passed.
        """
        deadline = asyncio.get_running_loop().time() + self.seconds
        future = await self.start(name, verb, deadline, gone=gone)
        result = asyncio.wrap_future(future)
        await asyncio.wait({result}, timeout=deadline - asyncio.get_running_loop().time())
        if not result.done():
            result.add_done_callback(_log_late)
            raise Refused("timeout")
        return result.result()

    async def start(
        self, name: str, verb: Callable[[Veridical], _T], deadline: float, *, gone: Callable[[], Awaitable[bool]] | None = None
    ) -> Future[_T]:
        """Wait for a place, begin `verb` in it, and return its future; the place is free when that is done.

        Args:
            name: of the work, for traces.
            verb: the work.
            deadline: of the waiting, by the clock of the event loop.
            gone: whether nobody waits for it any more; asked once, when its turn comes.

        Raises:
            Refused: too many wait, or the time passed.
        """
        await self._enter(deadline)
        try:
            await _check_there(gone)
            future = self._executor.submit(contextvars.copy_context().run, self._work, name, verb)
        except BaseException:
            self._free.release()
            raise
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._free.release))
        return future

    def close(self) -> None:
        """Wait for the work that is under way, and end threads and facades."""
        self._executor.shutdown(wait=True)
        self._pool.close()

    async def _enter(self, deadline: float) -> None:
        if self._free.locked() and self._waiting >= self._queue:
            raise Refused("busy")
        self._waiting += 1
        try:
            async with asyncio.timeout_at(deadline):
                await self._free.acquire()
        except TimeoutError:
            raise Refused("busy", "Nothing became free in the time that a request may take.") from None
        finally:
            self._waiting -= 1

    def _work(self, name: str, verb: Callable[[Veridical], _T]) -> _T:
        with span(name), self._pool.borrow() as veridical:
            return verb(veridical)


async def _check_there(gone: Callable[[], Awaitable[bool]] | None) -> None:
    if gone is not None and await gone():
        raise Refused("cancelled")


def _log_late(future: asyncio.Future[_T]) -> None:
    """Say what became of work that nobody waits for any more."""
    if (error := future.exception()) is not None:
        said = error.message if isinstance(error, VeridicalError) else type(error).__name__
        _LOGGER.warning("work that passed its time failed: %s", said)
