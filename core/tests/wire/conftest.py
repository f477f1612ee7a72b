"""Files as they are on a disk, made by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from veridical_contract import InputFile

Words = tuple[float, float, float, bytes]
"""Where words stand on a page, in points from its lower left corner, the size of their type, and their bytes in WinAnsi."""


@pytest.fixture
def listed(tmp_path: Path) -> Callable[..., InputFile]:
    """Return a function that writes a file and lists it as the host does."""

    def write(name: str, data: bytes) -> InputFile:
        (tmp_path / name).write_bytes(data)
        return InputFile(path=name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))

    return write


@pytest.fixture
def pdf() -> Callable[..., bytes]:
    """Return a function that makes a PDF (ISO 32000-1) of pages of words."""
    return make_pdf


def make_pdf(*pages: Sequence[Words], trailer: bytes = b"") -> bytes:
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", font]
    kids: list[int] = []
    for page in pages:
        shown = b"".join(b"BT /F1 %g Tf %g %g Td (%s) Tj ET\n" % (size, x, y, _escaped(words)) for x, y, size, words in page)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown))
        made = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>"
        objects.append(made % len(objects))
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % kid for kid in kids), len(kids))
    out, offsets = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def _escaped(words: bytes) -> bytes:
    return words.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
