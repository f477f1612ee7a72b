"""Citations of a draft, and where they lead: to a footnote, an entry in a list of references, or nowhere.

entries    [^a]: ..., [3] ..., the third item below "References", an element with an id
citations  [^a], [3], [3, 5-7], [@key], (Smith 2024), Smith (2024), <a href="#id">

A footnote without an address and without a year says something and cites nothing: what it says is looked at where it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .page import Block, Reading

__all__ = ["Citation", "Entries", "Reference", "find_citations", "reference_zones"]

_LABEL: Final = re.compile(r"(?:\A|(?<=\n))[ \t]*\[\^?([^\]\s]{1,80})\](?:[\x1e:]|(?=[ \t]+\S))[ \t]*")
_NUMBERED: Final = re.compile(r"(?:\A|(?<=\n))[ \t]*(\d{1,3})[.)][ \t]+")
_ZONE: Final = re.compile(
    r"[\d.\s]*(?:references?|sources?|bibliography|works cited|citations|notes|footnotes|endnotes|further reading|links|"
    r"quellen|quellenverzeichnis|literatur|literaturverzeichnis|einzelnachweise|belege|"
    r"r\u00e9f\u00e9rences|sources et r\u00e9f\u00e9rences|bibliographie|referencias|fuentes|bibliograf\u00eda)\s*:?",
    re.IGNORECASE,
)
_NAME: Final = r"[^\W\d_][\w'\u2019.-]*"
_WORK: Final = (
    rf"{_NAME}(?:,? (?:et al\.?|and|&|und|et|y|[^\W\d_][\w'\u2019-]*)){{0,5}}"
    r",? (?:1[5-9]|20)\d\d[a-z]?(?:[,:] ?(?:pp?\. ?)?\d+(?:[-\u2013]\d+)?)?"
)
_CITATION: Final = re.compile(
    rf"\[\^(?P<note>[^\]\s]{{1,80}})\]"
    r"|\[(?P<numbers>\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,20})\]"
    r"|\[(?P<key>-?@[^\]\s][^\]\n]{0,200})\]"
    rf"|(?<!\w)(?P<narrative>(?=[A-Z\u00c0-\u00de]){_NAME}(?: et al\.?)? "
    r"\((?:1[5-9]|20)\d\d[a-z]?(?:[,:] ?(?:pp?\. ?)?\d+(?:[-\u2013]\d+)?)?\))"
    rf"|\((?:see |cf\. |e\.g\.,? |vgl\. |siehe |voir )?(?P<work>{_WORK}(?:; ?{_WORK}){{0,9}})\)"
)
_RANGE: Final = re.compile(r"(\d+)(?:\s?[\u2013-]\s?(\d+))?")
_KEY: Final = re.compile(r"@([\w:.#$%&+?<>~/-]*\w)")
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\w)")
_WORD: Final = re.compile(_NAME)
_HEAD: Final = 400
_MOST: Final = 100


class Reference(NamedTuple):
    """Something in the visible text that leads to addresses."""

    start: int
    end: int
    addresses: tuple[str, ...]


class Citation(NamedTuple):
    """A citation in the visible text, and the labels of the entries it means, or what an entry must say (name and year)."""

    start: int
    end: int
    labels: tuple[str, ...]
    works: tuple[tuple[str, str], ...] = ()


class _Entry(NamedTuple):
    label: str
    labelled: int  # where its label begins
    start: int
    end: int


class Entries:
    """Footnotes and lists of references."""

    def __init__(self, reading: Reading, zones: Sequence[tuple[int, int]]) -> None:
        self._text = reading.text
        self._blocks = reading.blocks
        self._entries = [entry for block in reading.blocks if block.kind == "prose" for entry in _entries(reading.text, block, zones)]
        self._by_label = {entry.label: entry for entry in reversed(self._entries)}
        self._by_work = {work: entry for entry in reversed(self._entries) for work in self._works(entry)}

    @property
    def labels(self) -> list[tuple[int, int]]:
        """Where labels stand that open an entry: they are no citations."""
        return [(entry.labelled, entry.start) for entry in self._entries if entry.labelled < entry.start]

    def addresses(self, citation: Citation, references: Sequence[Reference]) -> tuple[str, ...]:
        """Return the addresses in the entries that a citation means; empty: it leads nowhere."""
        entries = [self._by_label[label] for label in citation.labels if label in self._by_label]
        entries += [self._by_work[work] for work in citation.works if work in self._by_work]
        return tuple(dict.fromkeys(address for entry in entries for address in _between(references, entry.start, entry.end)))

    def is_remark(self, citation: Citation) -> bool:
        """Whether a citation leads to footnotes of this draft that cite nothing."""
        entries = [self._by_label.get(label) for label in citation.labels]
        texts = [self._text[entry.start : entry.end] if entry is not None else "" for entry in entries]
        return bool(texts) and all(_WORD.search(text) and not _YEAR.search(text) and not _CITATION.search(text) for text in texts)

    def _works(self, entry: _Entry) -> Iterator[tuple[str, str]]:
        """Yield each name in an entry with each year in it."""
        text = self._text[entry.start : min(entry.end, entry.start + _HEAD)]
        years = {found[0] for found in _YEAR.finditer(text)}
        yield from ((name, year) for name in set(_WORD.findall(text)) for year in years)

    def at(self, anchor: int, references: Sequence[Reference]) -> tuple[str, ...]:
        """Return the addresses in the paragraph at `anchor`."""
        index = bisect_left(self._blocks, anchor + 1, key=lambda block: block.end)
        block = self._blocks[index] if index < len(self._blocks) else None
        return tuple(dict.fromkeys(_between(references, block.start, block.end))) if block is not None else ()


def reference_zones(reading: Reading) -> list[tuple[int, int]]:
    """Return the spans of lists of references: from a heading that says so to the next heading."""
    zones: list[tuple[int, int]] = []
    opened: int | None = None
    for block in reading.blocks:
        # In plain text the entries may follow their heading directly, in one paragraph with it.
        line = reading.text[block.start : min(block.end, block.start + 60)].partition("\n")[0]
        says = _ZONE.fullmatch(line) is not None
        if (says or block.kind == "heading") and opened is not None:
            zones.append((opened, block.start))
            opened = None
        if says:
            opened = block.start
    return [*zones, (opened, len(reading.text))] if opened is not None else zones


def find_citations(text: str, start: int, end: int) -> Iterator[Citation]:
    """Yield the citations in `text[start:end]`."""
    for found in _CITATION.finditer(text, start, end):
        kind = found.lastgroup
        said = found[str(kind)]
        labels: tuple[str, ...] = (said,) if kind == "note" else ()
        works: tuple[tuple[str, str], ...] = ()
        if kind == "numbers":
            labels = tuple(_numbers(said))
        elif kind == "key":
            labels = tuple("@" + key for key in _KEY.findall(said))
        elif kind in ("work", "narrative"):
            works = tuple((one.split()[0].rstrip(","), year[0]) for one in said.split("; ") if (year := _YEAR.search(one)))
        yield Citation(*found.span(), labels, works)


def _numbers(said: str) -> Iterator[str]:
    for found in _RANGE.finditer(said):
        first, last = int(found[1]), int(found[2] or found[1])
        yield from (str(number) for number in range(first, min(last, first + _MOST) + 1))


def _entries(text: str, block: Block, zones: Sequence[tuple[int, int]]) -> Iterator[_Entry]:
    index = bisect_right(zones, block.start, key=lambda zone: zone[0]) - 1
    in_zone = index >= 0 and block.start < zones[index][1]
    shown = text[block.start : block.end]
    labels = list(_LABEL.finditer(shown)) or (list(_NUMBERED.finditer(shown)) if in_zone else [])
    ends = [*(found.start() for found in labels[1:]), len(shown)]
    for found, end in zip(labels, ends, strict=False):
        yield _Entry(found[1], block.start + found.start(), block.start + found.end(), block.start + end)
    if in_zone and not labels:
        yield _Entry(str(block.item) if block.item else "", block.start, block.start, block.end)


def _between(references: Sequence[Reference], start: int, end: int) -> Iterator[str]:
    index = bisect_left(references, start, key=lambda one: one.start)
    while index < len(references) and references[index].start < end:
        yield from references[index].addresses
        index += 1
