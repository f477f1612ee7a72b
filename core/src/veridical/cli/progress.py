"""Progress bars on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from veridical.workflows.progress import Progress


@contextmanager
def progress() -> Generator[Progress]:
    """Yield somebody who draws bars on stderr when that is a terminal."""
    from veridical.workflows.progress import Silent

    if not sys.stderr.isatty():
        yield Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as drawn:
        yield _Bars(drawn)


class _Bars:
    def __init__(self, drawn: RichProgress) -> None:
        self._drawn = drawn
        self._tasks: dict[str, TaskID] = {}

    def step(self, name: str, done: int, total: int | None) -> None:
        if name not in self._tasks:
            self._tasks[name] = self._drawn.add_task(name, total=total)
        self._drawn.update(self._tasks[name], completed=done, total=total)
