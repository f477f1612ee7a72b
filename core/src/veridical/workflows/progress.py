"""How far a long step is: told to whoever watches, decided by nobody here."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "Silent"]


class Progress(Protocol):
    """Somebody who watches a run."""

    def step(self, name: str, done: int, total: int | None) -> None:
        """Say that `done` of `total` things of the step called `name` are done; `total` is None while it is not known."""
        ...


class Silent:
    """Nobody watches."""

    def step(self, name: str, done: int, total: int | None) -> None:
        """Say nothing."""
