"""What the rows are given: a folder, how much to do, the comments, and the peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .peers import Peers
from .texts import Comments

__all__ = ["Bench"]


@dataclass(frozen=True)
class Bench:
    """One run of the benchmarks.

    Attributes:
        folder: of its own, for whatever the rows make.
        sizes: numbers of documents, ascending.
        runs: how often a short action is timed; long ones are timed less often.
        distributions: how many are installed beside veridical for the start-up.
        comments: made up.
        data: the folder of real ones, when it is there.
        peers: None when they are not to be had; rows that need them are left out.
        say: shows a line of progress.
    """

    folder: Path
    sizes: tuple[int, ...]
    runs: int
    distributions: int
    comments: Comments
    data: Path | None
    peers: Peers | None
    say: Callable[[str], None]
