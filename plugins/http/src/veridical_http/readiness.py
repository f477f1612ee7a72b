"""Whether a run could work: what `veridical doctor` finds, asked once for all who ask within some seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from veridical.client import Health, Pool

__all__ = ["Readiness"]

_SECONDS = 5.0
"""For which an answer is taken to hold."""


class Readiness:
    """See the module. To be used from one event loop.

    Args:
        pool: that a facade is borrowed from; one more than requests may have, so that a busy service can say that it is ready.
        clock: seconds, monotonic; None for that of the event loop.
    """

    def __init__(self, pool: Pool, clock: Callable[[], float] | None = None) -> None:
        self._pool = pool
        self._clock = clock
        self._turn = asyncio.Lock()
        self._known: tuple[float, Health] | None = None

    async def health(self) -> Health:
        """Return what a run would find now, or some seconds ago."""
        async with self._turn:
            now = (self._clock or asyncio.get_running_loop().time)()
            if self._known is None or now - self._known[0] > _SECONDS:
                self._known = now, await asyncio.to_thread(self._examine)
            return self._known[1]

    def _examine(self) -> Health:
        with self._pool.borrow() as veridical:
            return veridical.doctor()
