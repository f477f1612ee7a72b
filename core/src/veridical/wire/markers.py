"""Which files are exports of veridical: they carry a marker, and support nothing when they are read back in.

Looked for is the form in which each export carries it: a member of JSON, a comment or a line of Markdown and text, a meta element of
HTML, the manifest of a bundle. Files whose records are other people's words (tables, mail) are not looked at: a stranger who quotes the
marker must not be able to take a whole file out of the evidence.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Final
from zipfile import BadZipFile, ZipFile

from veridical_contract import MARKER

__all__ = ["MarkerSearch", "holds_export"]

_CHUNK: Final = 1 << 20
# How much of a compressed file or archive member is looked at, in bytes after decompression.
_LOOK: Final = 16 << 20
_OVERLAP: Final = 256
_MARK: Final = re.escape(MARKER.encode("ascii"))
_MEMBER: Final = re.compile(rb'"marker"\s{0,8}:\s{0,8}"' + _MARK + rb'"')
_LINE: Final = re.compile(
    rb"\n[ \t]{0,8}(?:<!--\s{0,8}" + _MARK + rb"\b|<meta name=\"" + _MARK + rb'"|' + _MARK + rb"(?: [^\n]{0,40})?\r?(?:\n|$))"
)
_BUNDLE: Final = re.compile(rb'"veridical\.bundle/1"')
_RECORDS: Final = frozenset({".json", ".jsonl", ".ndjson", ".sarif"})
_OTHERS: Final = frozenset({".csv", ".tsv", ".mbox", ".eml", ".pdf", ".zip"})


class MarkerSearch:
    """Looks for the marker in a file that is read piece by piece.

    Attributes:
        found: whether it has been met.
    """

    def __init__(self, name: str) -> None:
        suffix = PurePath(name.lower().removesuffix(".gz")).suffix
        self._pattern = None if suffix in _OTHERS else _MEMBER if suffix in _RECORDS else _LINE
        self._before = b"\n"
        self.found = False

    def feed(self, chunk: bytes) -> None:
        """Look at the next piece."""
        window = self._before + chunk
        self.found = self.found or (self._pattern is not None and self._pattern.search(window) is not None)
        self._before = window[-_OVERLAP:]


def holds_export(path: Path) -> bool:
    """Whether a compressed file or an archive holds an export. What cannot be read holds none: whoever reads it says what is wrong."""
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path) as file:
                return _search(file.read, MarkerSearch(path.name))
        return path.suffix.lower() == ".zip" and _is_bundle(path)
    except (BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError, zlib.error):
        return False


def _is_bundle(path: Path) -> bool:
    with ZipFile(path) as archive:
        names = archive.namelist()
        if "MANIFEST.json" in names:
            with archive.open("MANIFEST.json") as member:
                if _BUNDLE.search(member.read(_CHUNK)):
                    return True
        if "report.json" not in names:
            return False
        with archive.open("report.json") as member:
            return _search(member.read, MarkerSearch("report.json"))


def _search(read: Callable[[int], bytes], search: MarkerSearch) -> bool:
    for _ in range(_LOOK // _CHUNK):
        search.feed(read(_CHUNK))
    return search.found
