"""An iterator of a plugin, synchronous or not, walked step by step."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Final, cast

from .workers import Worker

END: Final = object()
"""What `Steps.next` returns after the last item."""


class Steps:
    """The iterator that a hook returns. All of it runs in the plugin's thread.

    Args:
        worker: of the plugin.
        implementation: calls the hook.
    """

    def __init__(self, worker: Worker, implementation: Callable[[], object]) -> None:
        self._worker = worker
        self._implementation = implementation
        self._iterator: Iterator[object] | AsyncIterator[object] = iter(())

    def begin(self) -> None:
        """Call the hook, and ask what it returned for its iterator."""
        returned = self._worker.settle(self._implementation())
        if not isinstance(returned, (Iterable, AsyncIterable)):
            raise TypeError(f"it returned {type(returned).__name__}, expected an iterator")
        several = cast("Iterable[object] | AsyncIterable[object]", returned)
        self._iterator = aiter(several) if isinstance(several, AsyncIterable) else iter(several)

    def next(self) -> object:
        """Return the next item, or `END`."""
        iterator = self._iterator
        return self._worker.settle(anext(iterator, END)) if isinstance(iterator, AsyncIterator) else next(iterator, END)

    def close(self) -> None:
        """Let a generator run its clean-up."""
        close = getattr(self._iterator, "aclose", None) or getattr(self._iterator, "close", None)
        if close is not None:
            self._worker.settle(close())
