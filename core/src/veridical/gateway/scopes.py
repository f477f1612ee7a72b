"""What one hook call records, over all the steps that it takes."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

from veridical.wire.recording import Call, Recorded, Recorder

_T = TypeVar("_T")


class Scope:
    """One hook call. An iterator's steps run one after the other in the same context, so that a reply may be read over several of them.

    Args:
        recorder: of the plugin.

    Attributes:
        records: what went over the wire so far; in the order in which it was begun once the scope is closed.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._context = copy_context()
        self._call = Call(recorder)
        self._call.enter(self._context)
        self.records: list[Recorded] = self._call.records

    def run(self, function: Callable[[], _T]) -> _T:
        """Run one step in the plugin's thread."""
        return self._context.run(function)

    def take(self) -> list[Recorded]:
        """Return the records of the attempts that are over, and let go of them: a call of many steps may receive more than fits."""
        return self._call.take()

    def close(self) -> None:
        """End the call: what is still read is cut."""
        self._call.close()

    def whole(self, function: Callable[[], _T]) -> _T:
        """Run all of the call as one step."""
        try:
            return self.run(function)
        finally:
            self.close()
