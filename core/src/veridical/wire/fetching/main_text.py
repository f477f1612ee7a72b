"""What a page is about, as spans of everything that it shows.

Nothing is cut out of the text: a quote from a side bar is a quote too. The spans only say where to look first. A block is taken for main
text by what it is, not by what a site calls it:

    sentences   ten words or more, or five that end like a sentence, of which less than half is links
    not aside   outside of nav, aside, footer and form, and of a header that no article or main holds
    between     headings above such a block, and up to three short blocks between two of them

Where article or main hold at least half of these words, what stands outside of them is left out. Where there is no such block, all is main.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from veridical.kernel.derivation import Run
from veridical.locate.projection.html import feed
from veridical.locate.projection.visible import Visible

__all__ = ["Outline", "outline"]

_ASIDE: Final = frozenset({"aside", "footer", "form", "nav"})
_MAIN: Final = frozenset({"article", "main"})
_FOLLOWED: Final = _ASIDE | _MAIN | {"a", "header"}
_WORD: Final = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{2}|[^\W_]+")
_ENDED: Final = re.compile(r"[.!?:;\u2026\u3002\uff01\uff1f][\"'\u2019\u201d)\]]*\s*\Z")
_MANY, _FEW, _BETWEEN = 10, 5, 3


@dataclass(frozen=True, slots=True)
class Outline:
    """The text of an HTML page, its map, and the half-open spans of the text that it is about."""

    text: str
    runs: tuple[Run, ...]
    main: tuple[tuple[int, int], ...]


def outline(source: str) -> Outline:
    """Return what `source` shows, as `project` does, and what it is about."""
    page = _Outlined(source)
    feed(page, source, 0, len(source), None)
    text, runs = page.result()
    blocks = [_block(text, start, end, page) for start, end in page.blocks]
    return Outline(text, runs, _merged(blocks) or (((0, len(text)),) if text else ()))


class _Outlined(Visible):
    """A page that remembers where in its text some elements begin and end."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._within: dict[str, int] = {}
        self._since: dict[str, int] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {"link": [], "aside": [], "main": []}

    def open(self, name: str, attributes: str = "", *, markdown: bool = False) -> None:
        super().open(name, attributes, markdown=markdown)
        kind = self._kind(name)
        if kind == "link":
            self._leave(kind)  # links do not nest
        if kind is not None:
            self._within[kind] = self._within.get(kind, 0) + 1
            self._since.setdefault(kind, self._length)

    def close(self, name: str, *, markdown: bool = False) -> None:
        super().close(name, markdown=markdown)
        kind = self._kind(name)
        if kind is not None and self._within.get(kind, 0) == 1:
            self._leave(kind)
        elif kind is not None:
            self._within[kind] = max(0, self._within.get(kind, 0) - 1)

    def result(self) -> tuple[str, tuple[Run, ...]]:
        for kind in self.spans:
            self._leave(kind)
        return super().result()

    def _leave(self, kind: str) -> None:
        start = self._since.pop(kind, None)
        self._within[kind] = 0
        if start is not None and start < self._length:
            self.spans[kind].append((start, self._length))

    def _kind(self, name: str) -> str | None:
        if name not in _FOLLOWED:
            return None
        if name == "header":
            return None if self._within.get("main") else "aside"
        return "link" if name == "a" else "main" if name in _MAIN else "aside"


@dataclass(slots=True)
class _Block:
    start: int
    end: int
    words: int
    sentences: bool
    aside: bool
    main: bool
    heading: bool


def _block(text: str, start: int, end: int, page: _Outlined) -> _Block:
    words = len(_WORD.findall(text, start, end))
    linked = _overlap(page.spans["link"], start, end) * 2 >= end - start
    aside = _overlap(page.spans["aside"], start, end) > 0
    ended = _ENDED.search(text[max(start, end - 8) : end]) is not None
    sentences = not linked and not aside and (words >= _MANY or (words >= _FEW and ended))
    heading = any(start <= first < end for first, _, _ in page.headings[max(0, bisect_right(page.headings, (start,)) - 1) :][:2])
    return _Block(start, end, words, sentences, aside or linked, _overlap(page.spans["main"], start, end) > 0, heading)


def _overlap(spans: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """Return how many characters of a stretch the spans cover; they are in order and apart."""
    first = max(0, bisect_right(spans, (start,)) - 1)
    covered = 0
    for low, high in spans[first:]:
        if low >= end:
            break
        covered += max(0, min(high, end) - max(low, start))
    return covered


def _merged(blocks: Sequence[_Block]) -> tuple[tuple[int, int], ...]:
    found = [block for block in blocks if block.sentences]
    inside = [block for block in found if block.main]
    if sum(block.words for block in inside) * 2 >= sum(block.words for block in found):
        found = inside
    chosen = {(block.start, block.end) for block in found}
    spans: list[tuple[int, int]] = []
    waiting: list[_Block] = []
    for block in blocks:
        if (block.start, block.end) in chosen:
            joined = bool(spans) and len(waiting) <= _BETWEEN and not any(each.aside for each in waiting)
            first = spans.pop()[0] if joined else _heading(waiting, block)
            spans.append((first, block.end))
            waiting = []
        else:
            waiting.append(block)
    return tuple(spans)


def _heading(waiting: Sequence[_Block], block: _Block) -> int:
    """Return where the heading right above a block begins, or the block."""
    return waiting[-1].start if waiting and waiting[-1].heading and not waiting[-1].aside else block.start
