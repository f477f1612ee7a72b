"""A record read again: its atoms as the kernel takes them, its text as a reader sees it, and where things stand in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

from veridical_contract import Derivation, UnreadableError

from veridical.kernel.derivation import DerivationRefused, Run, values_at
from veridical.locate.projection import Projection, project

__all__ = ["Derived"]

_LINE_END: Final = re.compile(r"\r\n?|\n")
_NOTHING: Final = Projection("", (), (), ())


class Derived:
    """What the host's reader makes of a record. Untrusted: the kernel confirms it.

    Args:
        raw: the record's bytes.
        derivation: how its fields follow.
        line: of the file, from 1, on which the record begins; None when that is not known.
    """

    def __init__(self, raw: bytes, derivation: Derivation, *, line: int | None = None) -> None:
        self._raw = raw
        self._derivation = derivation
        self._line = line
        self._atom, self._projection = _read(raw, derivation)

    @property
    def text(self) -> str:
        """The visible text; empty when the record does not hold what the derivation says (the kernel says why)."""
        return self._projection.text

    @property
    def runs(self) -> tuple[Run, ...]:
        """Where each stretch of the text stands in the text atom."""
        return self._projection.runs

    def line(self, offset: int) -> int | None:
        """Return the line of the file, from 1, in which a code point of the text stands; None when that is not known."""
        if self._derivation.format == "text":
            return (self._line or 1) + bisect_right(self._line_ends, self._place(offset))
        # A value is decoded before it is text; only in a record of one line is it clear where its characters stand.
        if self._derivation.format in ("json", "csv") and not re.search(rb"[\r\n]", self._raw):
            return self._line
        return None

    def headings(self, offset: int) -> tuple[tuple[int, int], ...]:
        """Return the half-open spans of the headings above a code point of the text, outermost first."""
        above: list[tuple[int, int, int]] = []
        for start, end, level in self._projection.headings:
            if end > offset:
                break
            above = [each for each in above if each[2] < level]
            above.append((start, end, level))
        return tuple((start, end) for start, end, _ in above)

    @cached_property
    def _line_ends(self) -> list[int]:
        return [found.end() for found in _LINE_END.finditer(self._atom)]

    def _place(self, offset: int) -> int:
        """Return where a code point of the text stands in the atom."""
        if not self.runs:
            return offset
        t0, _, a0, _, kind = self.runs[bisect_right(self.runs, offset, key=lambda run: run[0]) - 1]
        return a0 + offset - t0 if kind == "copy" else a0


def _read(raw: bytes, derivation: Derivation) -> tuple[str, Projection]:
    pointer = derivation.pointers.get("text")
    if pointer is None:
        return "", _NOTHING
    try:
        if derivation.format == "pdf":
            from .pages import page_text  # PDFium takes 60 ms to load, and few files are PDF

            text = page_text(raw, int(pointer))
            return text, project(text, "plain")
        atom = values_at(raw, derivation, {"text": pointer}).get("text", "")
    except (DerivationRefused, UnreadableError, ValueError):
        return "", _NOTHING
    return atom, project(atom, derivation.projection)
