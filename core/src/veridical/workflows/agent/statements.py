"""The statements of a text that comes piece by piece: whole sentences, and the numbers that each cites.

    pieces --lines--> blocks (a blank line, a heading or an item of a list ends one) --sentences of the kernel--> statements

How a text was cut into pieces makes no difference: a block is taken apart when it is whole, and by itself. Marks of layout (`**`, the dot
of an item) and of citation (`[1]`) are left out of a statement, and what is left is what is judged: nothing rests on this module being
right about where a sentence ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.kernel.policy import Policy
from veridical.kernel.sentences import sentence

__all__ = ["Statement", "Statements", "unmarked"]

_ITEM = re.compile(r"\s*(?:>\s*)*(?:[-+*\u2022\u2013]|[0-9]{1,3}[.)]|#{1,6}|>)\s+")
_CITED = re.compile(r"[ \t]*(?:\[\^?|\u3010)([0-9]{1,4}(?:\s*[,;]\s*[0-9]{1,4})*)[]\u3011](?![(:])")
_EMPHASIS = re.compile(r"\*+|`+|(?<!\w)_+(?=\w)|(?<=[\w.!?])_+(?!\w)")
_LAYOUT = "-*_#>=|`~:. \t\r"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a text.

    Attributes:
        text: in single spaces, without marks of layout and citation.
        cited: numbers that stand in brackets in it or directly after it.
    """

    text: str
    cited: tuple[int, ...] = ()


class Statements:
    """Takes pieces of a text, gives its statements.

    Args:
        policy: whose sentences they are.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._line: list[str] = []  # pieces: a line of a million characters may come in a million of them
        self._block: list[str] = []

    def add(self, piece: str) -> Iterator[Statement]:
        """Yield the statements of blocks that are whole with `piece`."""
        first, *others = piece.split("\n")
        self._line.append(first)
        for other in others:
            line, self._line = "".join(self._line), [other]
            yield from self._add_line(line)

    def end(self) -> Iterator[Statement]:
        """Yield the statements of what is left."""
        yield from self._add_line("".join(self._line))
        yield from self._whole_block()
        self._line.clear()

    def _add_line(self, line: str) -> Iterator[Statement]:
        item = _ITEM.match(line)
        if item is not None or not line.strip():
            yield from self._whole_block()
        if line.strip(_LAYOUT):
            self._block.append(line[item.end() :] if item is not None else line)
        if item is not None and "#" in item[0]:
            yield from self._whole_block()

    def _whole_block(self) -> Iterator[Statement]:
        text, marks = _without_marks(" ".join(_EMPHASIS.sub("", " ".join(self._block)).split()))
        self._block.clear()
        spans = list(self._sentences(text))
        cited: list[list[int]] = [[] for _ in spans]
        for at, numbers in marks:
            if spans:
                # A mark belongs to the sentence before it, also when it stands after its full stop.
                cited[max(0, bisect_left([start for start, _ in spans], at) - 1)] += numbers
        for (start, end), numbers in zip(spans, cited, strict=True):
            yield Statement(text[start:end].strip(), tuple(dict.fromkeys(numbers)))

    def _sentences(self, text: str) -> Iterator[tuple[int, int]]:
        at = 0
        while at < len(text):
            start, end = sentence(text, at, at + 1, policy=self._policy)
            if text[max(start, at) : end].strip(_LAYOUT):
                yield max(start, at), end
            at = end + text.startswith(" ", end)


def unmarked(text: str) -> str:
    """Return `text` without marks of citation."""
    return _without_marks(text)[0]


def _without_marks(text: str) -> tuple[str, list[tuple[int, list[int]]]]:
    """Return the text without its citations, and where in it each stood."""
    left, marks, at = "", list[tuple[int, list[int]]](), 0
    for found in _CITED.finditer(text):
        left += text[at : found.start()]
        marks.append((len(left), [int(number) for number in re.findall(r"[0-9]+", found[1])]))
        at = found.end()
    return left + text[at:], marks
