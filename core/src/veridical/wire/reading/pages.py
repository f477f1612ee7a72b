"""PDF: one record is one page. The bytes of each are the whole file, since a page is no stretch of it.

PDFium gives a page character by character. Lines come out as they stand on the page, which the kernel's folds know how to read:

- a line break is a line feed; a word that is broken at the end of a line keeps its hyphen. PDFium writes such a hyphen and its line
  break as one character (U+0002, or U+FFFE in its text functions); soft hyphens (U+00AD) are drawn in a PDF, and so are U+2010 at the
  end of a line: all of them become `-`;
- a wide gap, or a step back up the page (the next column), ends a paragraph; another size of type is a hard boundary, so that a heading
  never runs into the text below it;
- a character for which the file does not say what it stands for is U+FFFD.

What PDFium draws but a reader cannot see (white on white, behind an image) cannot be told apart, and the text layer of a scan is wanted.
PDFium is not thread-safe: one lock for the whole module.
"""

from __future__ import annotations

import ctypes
import math
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from veridical_contract import UnreadableError

__all__ = ["page_text", "pages_with_text"]

_LOCK: Final = threading.Lock()
_HYPHENS: Final = frozenset("\x02\ufffe")
_DRAWN_HYPHEN: Final = re.compile("\u00ad|\u2010(?=\n)")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_UNKNOWN: Final = "\ufffd"
# In parts of the size of the type: what still is the same size, and from where a step down is more than the next line.
_SAME: Final = 0.08
_STEP: Final = 1.7


class _Line(NamedTuple):
    """One line: its characters, its baseline from the bottom of the page and the size of its type, in points."""

    text: str
    baseline: float
    size: float


def pages_with_text(raw: bytes) -> Iterator[int]:
    """Yield the number, from 1, of each page that has text.

    Raises:
        UnreadableError: it is no PDF, damaged, encrypted, or no page has text.
    """
    with _LOCK, _document(raw) as document:
        count = len(document)
        found = [number for number in range(1, count + 1) if _has_text(document, number)]
    if not found:
        raise UnreadableError("no page holds text: it may be a scan, which needs text recognition first")
    yield from found


def page_text(raw: bytes, number: int) -> str:
    """Return the text of a page, counted from 1.

    Raises:
        UnreadableError: there is no such page, or the file cannot be read.
    """
    with _LOCK, _document(raw) as document:
        if not 1 <= number <= len(document):
            raise UnreadableError(f"there is no page {number}")
        return _read(document, number)


@contextmanager
def _document(raw: bytes) -> Generator[pdfium.PdfDocument, None, None]:
    try:
        document = pdfium.PdfDocument(raw)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise UnreadableError("it is encrypted: save a copy without a password") from None
        raise UnreadableError("it is damaged, or no PDF") from None
    try:
        yield document
    finally:
        document.close()


def _has_text(document: pdfium.PdfDocument, number: int) -> bool:
    with _text_page(document, number) as page:
        return page is not None and bool(page.get_text_range().strip())


def _read(document: pdfium.PdfDocument, number: int) -> str:
    with _text_page(document, number) as page:
        return "" if page is None else _joined(list(_lines(page)))


@contextmanager
def _text_page(document: pdfium.PdfDocument, number: int) -> Generator[pdfium.PdfTextPage | None, None, None]:
    """Open a page; None when it is damaged, which costs this page alone."""
    try:
        page = document[number - 1]
        text = page.get_textpage()
    except pdfium.PdfiumError:
        yield None
        return
    try:
        yield text
    finally:
        text.close()
        page.close()


def _lines(page: pdfium.PdfTextPage) -> Iterator[_Line]:
    characters: list[str] = []
    inked: list[int] = []
    for index in range(cast("int", page.count_chars())):
        character = _character(page, index)
        if character not in _HYPHENS and character not in "\r\n":
            characters.append(character)
            if not character.isspace():
                inked.append(index)
            continue
        if character in _HYPHENS:
            characters.append("-")
        if inked:
            yield _line(page, characters, inked)
        characters, inked = [], []
    if inked:
        yield _line(page, characters, inked)


def _character(page: pdfium.PdfTextPage, index: int) -> str:
    code = pdfium_c.FPDFText_GetUnicode(page, index)
    if chr(code) in _HYPHENS:
        return "\x02" if pdfium_c.FPDFText_IsHyphen(page, index) == 1 else _UNKNOWN
    if code == 0 or pdfium_c.FPDFText_HasUnicodeMapError(page, index) == 1:
        return _UNKNOWN
    return chr(code)


def _line(page: pdfium.PdfTextPage, characters: list[str], inked: list[int]) -> _Line:
    # Three characters are looked at, since one may be raised or an initial.
    samples = [_place(page, index) for index in (inked[0], inked[len(inked) // 2], inked[-1])]
    baseline = sorted(baseline for baseline, _ in samples)[1]
    size = sorted(size for _, size in samples)[1]
    # Outside the basic plane PDFium gives the two halves of UTF-16.
    text = "".join(characters).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _Line(_CONTROL.sub("", text).strip(), baseline, size)


def _place(page: pdfium.PdfTextPage, index: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFText_GetCharOrigin(page, index, x, y)
    pdfium_c.FPDFText_GetMatrix(page, index, matrix)
    return y.value, pdfium_c.FPDFText_GetFontSize(page, index) * math.hypot(matrix.c, matrix.d)


def _joined(lines: list[_Line]) -> str:
    parts: list[str] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if before is not None:
            parts.append(_separator(before, line))
        parts.append(line.text)
    return _DRAWN_HYPHEN.sub("-", "".join(parts))


def _separator(above: _Line, below: _Line) -> str:
    size = max(above.size, below.size)
    step = above.baseline - below.baseline
    if abs(above.size - below.size) > _SAME * size:
        return "\n\x1e"
    return "\n" if -0.5 * size < step < _STEP * size else "\n\n"
