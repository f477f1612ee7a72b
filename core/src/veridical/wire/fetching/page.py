"""A page as it was read: bytes, and the text that a reader sees in them with its map. Untrusted: the kernel confirms it all.

    reply --content type--> html | text | json | pdf --encoding--> characters --projection--> parts: text, map, main spans

HTML, text and JSON are one part; a PDF is a part for each page that has text. JSON is kept as it is written: what a string says is
looked for in the source, so that nothing has to be believed about its meaning.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import TYPE_CHECKING, Final

from veridical_contract import Derivation, UnreadableError

from veridical.kernel.derivation import Run
from veridical.wire.reading.encodings import find_encoding

from .limits import Limits
from .main_text import outline
from .refused import FetchRefused

if TYPE_CHECKING:
    from .exchange import Reply

__all__ = ["ACCEPTED", "Hop", "NotModified", "Page", "Part", "read_page"]

ACCEPTED: Final = "text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.9, application/json;q=0.8"
"""The value of Accept."""

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_JSON: Final = re.compile(r"(?:application|text)/(?:[a-z0-9.-]+\+)?json")
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*["']?([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title(?=[\s>])[^>]*>([^<]{1,2000})", re.IGNORECASE)
_TITLE_LENGTH: Final = 300


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that was followed: the URL that redirected, and its status."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a page. Offsets are code points, spans half-open.

    Attributes:
        text: everything that a reader sees.
        runs: where each stretch of it stands in the atom; empty where the text is the atom.
        main: the spans of the text that look like what the page is about; all of it where nothing can be told apart.
        derivation: how the text follows from the bytes of the page.
        number: of the page of a PDF, from 1; None otherwise.
    """

    text: str
    runs: Sequence[Run]
    main: tuple[tuple[int, int], ...]
    derivation: Derivation
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page that the host read.

    Attributes:
        asked: the URL that was asked for.
        url: that the bytes came from, without a fragment.
        hops: the redirects between the two.
        content_type: in lower case, without parameters.
        encoding: Python name of the character encoding; empty for a PDF.
        body: the bytes, content codings undone.
        digest: SHA-256 of the body, 64 hexadecimal digits.
        etag: to ask later whether it changed.
        last_modified: the same.
        retrieved: when it was read, aware.
        parts: its texts, in order.
        title: what HTML calls the title: a label for people, not evidence.
    """

    asked: str
    url: str
    hops: tuple[Hop, ...]
    content_type: str
    encoding: str
    body: bytes
    digest: str
    etag: str | None
    last_modified: str | None
    retrieved: datetime
    parts: tuple[Part, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server says that the copy at hand is still the page.

    Attributes:
        asked: the URL that was asked for.
        url: that answered.
        hops: the redirects between the two.
        retrieved: when it was asked, aware.
    """

    asked: str
    url: str
    hops: tuple[Hop, ...]
    retrieved: datetime


def read_page(asked: str, hops: tuple[Hop, ...], url: str, reply: Reply, *, retrieved: datetime, limits: Limits) -> Page:
    """Return the page that a whole reply of status 200 is.

    Raises:
        FetchRefused: `content-type`, `body-size` or `unreadable`.
    """
    said = reply.header("content-type") or ""
    kind = said.partition(";")[0].strip().lower()
    if kind in _HTML and len(reply.body) > limits.markup:
        raise FetchRefused("body-size", url, f"more than {limits.markup} bytes of HTML")
    try:
        encoding, source, parts = _read(kind, said, reply.body, limits)
    except UnreadableError as error:
        raise FetchRefused("unreadable", url, error.message) from None
    except _OtherTypeError:
        raise FetchRefused("content-type", url, ascii(kind)[1:-1][:60] or "not said") from None
    return Page(
        asked=asked,
        url=url,
        hops=hops,
        content_type=kind,
        encoding=encoding,
        body=reply.body,
        digest=hashlib.sha256(reply.body).hexdigest(),
        etag=reply.header("etag"),
        last_modified=reply.header("last-modified"),
        retrieved=retrieved,
        parts=parts,
        title=_title(source) if kind in _HTML else None,
    )


class _OtherTypeError(Exception):
    """It is not of a type that is read."""


def _read(kind: str, said: str, body: bytes, limits: Limits) -> tuple[str, str, tuple[Part, ...]]:
    """Return the encoding, the characters and the parts of a body."""
    if kind == "application/pdf":
        return "", "", _pdf(body, limits)
    if kind not in _HTML and kind != "text/plain" and _JSON.fullmatch(kind) is None:
        raise _OtherTypeError
    named = _CHARSET.search(said)
    encoding = find_encoding(body, markup=kind in _HTML, said=named[1] if named else None).whole
    source = body.decode(encoding)
    derivation = Derivation(format="text", encoding=encoding, projection="html" if kind in _HTML else "plain", pointers={"text": ""})
    if kind not in _HTML:
        return encoding, source, (Part(source, (), _whole(source), derivation),)
    found = outline(source)
    return encoding, source, (Part(found.text, found.runs, found.main, derivation),)


def _pdf(body: bytes, limits: Limits) -> tuple[Part, ...]:
    from veridical.wire.reading.pages import page_text, pages_with_text  # PDFium takes 60 ms to load

    numbers = list(pages_with_text(body))
    if len(numbers) > limits.pages:
        raise UnreadableError(f"it has more than {limits.pages} pages")
    return tuple(_pdf_part(page_text(body, number), number) for number in numbers)


def _pdf_part(text: str, number: int) -> Part:
    return Part(text, (), _whole(text), Derivation(format="pdf", pointers={"text": str(number)}), number)


def _whole(text: str) -> tuple[tuple[int, int], ...]:
    return ((0, len(text)),) if text else ()


def _title(source: str) -> str | None:
    found = _TITLE.search(source)
    return " ".join(unescape(found[1]).split())[:_TITLE_LENGTH] or None if found else None
