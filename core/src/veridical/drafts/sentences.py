"""The sentences of a draft's prose, as the kernel tells them apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from veridical.kernel.policy import Policy
from veridical.kernel.sentences import REACH, sentence

from .page import Block

__all__ = ["Sentences"]

_INK: Final = re.compile(r"[^\s\x1e]")


class Sentences:
    """Half-open spans of the visible text, in order."""

    def __init__(self, text: str, blocks: Iterable[Block], policy: Policy) -> None:
        self.spans = [span for block in blocks for span in _split(text, block.start, block.end, policy)]
        self._starts = [start for start, _ in self.spans]

    def at(self, offset: int) -> int | None:
        """Return the index of the sentence in which `offset` lies, or None."""
        index = bisect_right(self._starts, offset) - 1
        return index if index >= 0 and offset < self.spans[index][1] else None

    def end(self, offset: int) -> int:
        """Return where the sentence ends in which `offset` lies; `offset` itself where there is none."""
        index = self.at(offset)
        return offset if index is None else self.spans[index][1]


def _split(text: str, start: int, end: int, policy: Policy) -> Iterator[tuple[int, int]]:
    at = start
    while (ink := _INK.search(text, at, end)) is not None:
        at = ink.start()
        # What lies before a sentence does not change where it ends, so the kernel need not see it.
        window = text[at : min(end, at + 2 * REACH)]
        _, length = sentence(window, 0, 1, policy=policy)
        if length == 1 and len(window) > REACH:
            length = REACH  # neither a stop nor a space within the kernel's reach
        yield at, at + length
        at += length
