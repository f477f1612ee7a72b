"""What a draft is taken apart into. Offsets are code points of the draft as it was decoded, half-open."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Draft", "DraftFormat", "Piece", "PieceKind", "Sentence"]

DraftFormat: TypeAlias = Literal["markdown", "html", "text"]
PieceKind: TypeAlias = Literal["quote", "block-quote", "url", "number", "citation"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the draft's prose.

    Attributes:
        start: first code point.
        end: one past the last.
        text: its visible words: markup, entities and escapes resolved.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that can be checked.

    Attributes:
        kind: a quoted string, a block quotation, an address (of a link, or bare), a number with what it counts, or a citation
            (`[3]`, `[^note]`, `(Smith 2024)`) that leads to no address in this draft.
        start: first code point of what is checked: of a quotation the first inside its quotation marks.
        end: one past the last.
        text: its visible words: the quoted words, the address, the number as it stands.
        sentence: index of the sentence in which it begins; None outside prose (the target of a reference definition).
        targets: addresses that the draft ties to it: of the link around it, or of the links, footnotes and references in its sentence
            or directly after its quotation; in the order of the draft, each once. Of an address that is the text of a link: where the link
            leads instead.
        speaker: whom the draft says that it is by ("said Ann", "according to X", "-- Ann"), as it stands there; None: nobody.
    """

    kind: PieceKind
    start: int
    end: int
    text: str
    sentence: int | None = None
    targets: tuple[str, ...] = ()
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft that was taken apart.

    Attributes:
        name: of the file; `-` is standard input.
        format: how it was read.
        text: as it was decoded, byte order mark left out, line ends as they are.
        pieces: in the order of the draft.
        sentences: of its prose, in order; code, markup, comments and what stands inside block quotations are none.
        newlines: offset of the first code point of each line; the first is 0.
    """

    name: str
    format: DraftFormat
    text: str
    pieces: tuple[Piece, ...]
    sentences: tuple[Sentence, ...]
    newlines: tuple[int, ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of `offset`, both from 1, the column in code points."""
        line = bisect_right(self.newlines, offset)
        return line, offset - self.newlines[line - 1] + 1
