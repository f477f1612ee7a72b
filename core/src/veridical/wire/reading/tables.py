"""CSV and its kin: one record is one row, quoted line feeds included, exactly as it lies in the file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from veridical_contract import UnreadableError

from .encodings import Encoding
from .lines import Line, Piece, join

__all__ = ["Row", "read_rows"]

_DELIMITERS: Final = ",;\t|"
_LOOK: Final = 100


class Row(NamedTuple):
    """One data row.

    Attributes:
        piece: its bytes.
        number: from 1, the header not counted.
        names: column name to column number, as the header has them.
        delimiter: between its cells.
    """

    piece: Piece
    number: int
    names: dict[str, str]
    delimiter: str


def read_rows(lines: Iterable[Line], encoding: Encoding, *, delimiter: str | None) -> Iterator[Row]:
    """Yield the rows below the header, which is the first row that is not empty.

    Args:
        lines: of the file.
        encoding: of the file.
        delimiter: None finds it out.

    Raises:
        UnreadableError: quotes do not balance, or a cell is larger than the csv module reads (131,072 characters).
    """
    rest = iter(lines)
    head = list(islice(rest, _LOOK))
    delimiter = delimiter or _sniff([line.text for line in head])
    names: dict[str, str] | None = None
    number = 0
    for cells, taken in _rows(chain(head, rest), delimiter):
        if not cells:
            continue
        if names is None:
            names = _names(cells)
            continue
        number += 1
        yield Row(join(taken, encoding), number, names, delimiter)


def _rows(lines: Iterable[Line], delimiter: str) -> Iterator[tuple[list[str], list[Line]]]:
    taken: list[Line] = []

    def texts() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line.text

    reader = csv.reader(texts(), delimiter=delimiter, strict=True)
    while True:
        taken.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            # After an unbalanced quote nobody knows where the next row begins.
            raise UnreadableError(f"the row in line {taken[0].number} cannot be read: {error}") from None
        if cells is None:
            return
        yield cells, taken


def _names(header: list[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for column, name in enumerate(header):
        if name.strip():
            names.setdefault(name.strip(), str(column))
    return names


def _sniff(head: list[str]) -> str:
    """Return the delimiter that cuts most rows into as many cells as the header has, more than one."""

    def score(delimiter: str) -> tuple[float, int]:
        widths: list[int] = []
        try:
            widths.extend(len(row) for row in csv.reader(head, delimiter=delimiter) if row)
        except csv.Error:
            return 0, 0
        if not widths or widths[0] < 2:
            return 0, 0
        return widths.count(widths[0]) / len(widths), widths[0]

    return max(_DELIMITERS, key=score)
