"""The verbs as coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from veridical_contract import AgentChunk, Turn

from .facade import Veridical

__all__ = ["AsyncVeridical"]

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AsyncVeridical:
    """The same verbs as coroutines. The work runs in a thread, one verb at a time.

    Args:
        inner: the installation; made from the same arguments as `Veridical` when it is None.
    """

    def __init__(self, inner: Veridical | None = None) -> None:
        self._inner = inner or Veridical()
        self._turn = asyncio.Lock()
        self.ground = self._later(self._inner.ground)
        self.published = self._later(self._inner.published)
        self.topic = self._later(self._inner.topic)
        self.complete = self._later(self._inner.complete)
        self.research = self._later(self._inner.research)
        self.check = self._later(self._inner.check)
        self.fix_paths = self._later(self._inner.fix_paths)
        self.write_fixed = self._later(self._inner.write_fixed)
        self.check_output = self._later(self._inner.check_output)
        self.save = self._later(self._inner.save)
        self.verify = self._later(self._inner.verify)
        self.recheck = self._later(self._inner.recheck)
        self.audit = self._later(self._inner.audit)
        self.add_source = self._later(self._inner.add_source)
        self.sync_sources = self._later(self._inner.sync_sources)
        self.sources = self._later(self._inner.sources)
        self.remove_source = self._later(self._inner.remove_source)
        self.search_evidence = self._later(self._inner.search_evidence)
        self.find_quote = self._later(self._inner.find_quote)
        self.show_place = self._later(self._inner.show_place)
        self.show_evidence = self._later(self._inner.show_evidence)
        self.plugins = self._later(self._inner.plugins)
        self.show_plugin = self._later(self._inner.show_plugin)
        self.check_plugin = self._later(self._inner.check_plugin)
        self.enable_plugin = self._later(self._inner.enable_plugin)
        self.disable_plugin = self._later(self._inner.disable_plugin)
        self.freeze_plugins = self._later(self._inner.freeze_plugins)
        self.restore_plugins = self._later(self._inner.restore_plugins)
        self.wire_maps = self._later(self._inner.wire_maps)
        self.choices = self._later(self._inner.choices)
        self.ping = self._later(self._inner.ping)
        self.quarantined = self._later(self._inner.quarantined)
        self.spent = self._later(self._inner.spent)
        self.unkept = self._later(self._inner.unkept)
        store = self._inner.store
        self.doomed = self._later(store.doomed)
        self.forget = self._later(store.forget)
        self.repair = self._later(store.repair)
        self.backup = self._later(store.backup)
        self.restore = self._later(store.restore)
        self.tidy = self._later(store.tidy)
        self.runs = self._later(store.runs)
        self.reopen = self._later(store.reopen)
        self.wire = self._later(store.wire)
        self.wire_file = self._later(store.wire_file)
        self.settings = self._later(self._inner.settings)
        self.doctor = self._later(self._inner.doctor)
        self.close = self._later(self._inner.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def cancel(self) -> None:
        """Let the verb that runs go with `CancelledError`; see `Veridical.cancel`."""
        self._inner.cancel()

    async def agent(self, turns: Sequence[Turn], *, chat: str | None = None) -> AsyncGenerator[AgentChunk]:
        """Yield what `Veridical.agent` yields. No other verb runs meanwhile; an iterator that is left early is to be closed (`aclose`)."""
        async with self._turn:
            chunks = await asyncio.to_thread(self._inner.agent, turns, chat=chat)
            try:
                while (chunk := await _whole(asyncio.to_thread(next, chunks, None))) is not None:
                    yield chunk
            finally:
                await _whole(asyncio.to_thread(chunks.close))

    def _later(self, verb: Callable[_P, _T]) -> Callable[_P, Coroutine[object, object, _T]]:
        async def later(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            async with self._turn:
                return await asyncio.to_thread(verb, *args, **kwargs)

        return later


async def _whole(step: Coroutine[object, object, _T]) -> _T:
    """Return what `step` returns; whoever is cancelled meanwhile waits for its end first, since a thread cannot be stopped half-way."""
    running = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
