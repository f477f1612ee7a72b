"""One thread per plugin, and what happens when it does not come back.

Everything of a plugin (import, constructor, hooks, steps of its iterators, closing) runs in the plugin's own thread, one job at a time
and in order: a connection made in the constructor is used in the thread that made it, and an event loop that a coroutine blocks is no
other plugin's. A thread cannot be killed: one that passes its deadline is told so, left behind, and counted.

    caller: run(function, seconds) --job--> thread: function(), awaited if need be --outcome--> caller
            deadline passed: OverdueError, and the worker is lost
            cancelled, or Ctrl-C: the caller goes on at once; the thread ends its job first, and the next job waits for that
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from queue import Empty, SimpleQueue
from typing import Final, TypeVar, cast

from veridical_contract import CancelledError

_T = TypeVar("_T")
_LEFT_BEHIND: Final = "veridical left behind: "


class OverdueError(Exception):
    """A job passed its deadline, now or earlier: the worker is lost."""


def left_behind() -> int:
    """Return how many threads of this process were left behind and still run, whichever gateway started them."""
    return sum(thread.name.startswith(_LEFT_BEHIND) for thread in threading.enumerate())


class _Job:
    """One thing to do, in a copy of the caller's context, and the box for its outcome: a value, or an error."""

    __slots__ = ("cancelled", "context", "function", "outcome")

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = function
        self.context = contextvars.copy_context()
        self.outcome: SimpleQueue[tuple[object, BaseException | None]] = SimpleQueue()
        self.cancelled = False

    def do(self) -> None:
        if self.cancelled:
            return
        try:
            value = self.context.run(self.function)
        except BaseException as error:  # noqa: BLE001 - it belongs to the caller, who waits in another thread
            self.outcome.put((None, error))
        else:
            self.outcome.put((value, None))


class Worker:
    """The thread of one plugin; it starts with the first job.

    Args:
        name: of the plugin, for the name of the thread.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.lost = False
        self._closed_to_callers = False
        self._turn = threading.Lock()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._awaited: _Job | None = None
        self._running: _Job | None = None
        self._runner: asyncio.Runner | None = None
        self._task: asyncio.Task[object] | None = None

    def run(self, function: Callable[[], _T], seconds: float) -> _T:
        """Do `function` in the thread and return what it returns, or raise what it raises. Callers take turns.

        Raises:
            OverdueError: it took longer than `seconds`, or the worker was lost before.
            CancelledError: `cancel` was called.
        """
        with self._turn:
            return self._submit(function, seconds)

    def settle(self, value: object) -> object:
        """Return `value`, awaited when it is awaitable. Only for functions that run in this worker's thread."""
        if not inspect.isawaitable(value):
            return value
        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            return self._runner.run(self._watched(cast("Awaitable[object]", value)), context=contextvars.copy_context())
        finally:
            self._task = None

    def is_cancelled(self) -> bool:
        """Whether nobody waits any more for what runs now."""
        running = self._running
        return running is not None and running.cancelled

    def cancel(self) -> None:
        """Let the caller go that waits now, and every later one; the plugin is told through its context."""
        self._closed_to_callers = True
        if job := self._awaited:
            self._abort(job)
            job.outcome.put((None, CancelledError("The call was cancelled.")))

    def stop(self, closing: Callable[[], object], seconds: float) -> None:
        """End the thread, after the job it has and after `closing`, which may return an awaitable.

        Raises:
            OverdueError: it did not end within `seconds` and is left behind.
        """
        if self._thread is None or self.lost:
            return
        self._closed_to_callers = False
        try:
            self.run(lambda: self.settle(closing()), seconds)
        finally:
            self._jobs.put(None)
            self._thread.join(0 if self.lost else seconds)
        if self._thread.is_alive():
            self._leave_behind()
            raise OverdueError
        self.lost = True

    def _submit(self, function: Callable[[], _T], seconds: float) -> _T:
        if self.lost:
            raise OverdueError
        job = self._awaited = _Job(function)
        if self._closed_to_callers:  # looked at after the job can be seen: `cancel` does it the other way round
            raise CancelledError("The call was cancelled.")
        try:
            self._start()
            self._jobs.put(job)
            value, error = job.outcome.get(timeout=seconds)
        except Empty:
            self._leave_behind()
            self._abort(job)
            raise OverdueError from None
        except BaseException:  # Ctrl-C
            self._abort(job)
            raise
        finally:
            self._awaited = None
        if error is not None:
            raise error
        return cast("_T", value)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=f"veridical plugin: {self.name}", daemon=True)
            self._thread.start()

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._running = job
            job.do()
            self._running = None
            del job  # it holds what the plugin returned
        self._close_loop()

    async def _watched(self, value: Awaitable[object]) -> object:
        self._task = asyncio.current_task()
        return await value

    def _abort(self, job: _Job) -> None:
        job.cancelled = True
        if self._running is job and (task := self._task):
            task.get_loop().call_soon_threadsafe(task.cancel)

    def _leave_behind(self) -> None:
        self.lost = True
        if thread := self._thread:
            thread.name = _LEFT_BEHIND + self.name
        self._jobs.put(None)

    def _close_loop(self) -> None:
        try:
            if self._runner is not None:
                self._runner.close()
        except BaseException:  # noqa: BLE001, S110 - tasks that the plugin left may raise anything when they are cancelled, and nobody waits
            pass
