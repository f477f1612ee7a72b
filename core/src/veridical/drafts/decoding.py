"""From the bytes of a draft to its characters, and how it is to be read. Nothing is ever replaced or guessed."""

from __future__ import annotations

import codecs
import re
from pathlib import PurePath
from typing import Final

from veridical_contract import UnreadableError

from .pieces import DraftFormat

__all__ = ["decode", "format_of"]

_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SUFFIXES: Final[dict[str, DraftFormat]] = {
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
# Where HTML 13.2.3.2 looks for a declaration.
_HEAD: Final = 1024
_DECLARED: Final = re.compile(
    rb"""<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})|<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
# What the web means by these names (Encoding Standard, 4.2); others are as they are called.
_MEANT: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
}
# Codecs that are no character encodings of files, or spell characters as others.
_REFUSED: Final = re.compile(r"utf-7|utf-16|utf-32|punycode|idna|hz|raw.unicode.escape|unicode.escape")
_HTML: Final = re.compile(
    r"\s*(?:<!doctype\s+html|<(?:html|head|body|div|p|article|section|main|h[1-6]|ul|ol|table|blockquote|span)[\s>])", re.IGNORECASE
)
_MARKDOWN: Final = re.compile(
    r"\A---[ \t]*\r?$|^#{1,6}[ \t]|^(?:```|~~~)|\]\([^\s)]|^\[[^\]\n]+\]:|\*\*\w|^[ \t]*[-*+][ \t]+\w|\[\^\w", re.MULTILINE
)
_LOOKED_AT: Final = 1 << 16


def decode(data: bytes, *, name: str, markup: bool = False) -> str:
    """Return the characters of `data`, without a byte order mark.

    Args:
        data: the file.
        name: of the file, for messages.
        markup: whether it may declare its encoding, as HTML does.

    Raises:
        UnreadableError: it is in no encoding that its mark or declaration says, nor in UTF-8.
    """
    encoding, text = next(((encoding, data[len(mark) :]) for mark, encoding in _MARKS if data.startswith(mark)), ("utf-8", data))
    decoded = _strictly(text, encoding)
    if decoded is None and markup and encoding == "utf-8" and (declared := _declaration(data)) is not None:
        encoding, decoded = declared, _strictly(data, declared)
    if decoded is None or "\0" in decoded:
        raise _unreadable(data, name, encoding)
    return decoded


def format_of(name: str, text: str) -> DraftFormat:
    """Return how to read a draft: by the suffix of its name, or by its content where it comes from standard input (`-`)."""
    if name != "-":
        return _SUFFIXES.get(PurePath(name).suffix.lower(), "text")
    head = text[:_LOOKED_AT]
    return "html" if _HTML.match(head) else "markdown" if _MARKDOWN.search(head) else "text"


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _declaration(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_HEAD])
    if found is None:
        return None
    try:
        name = codecs.lookup((found[1] or found[2]).decode("ascii")).name
        "x".encode(name)  # some codecs make bytes of bytes
    except LookupError:
        return None
    return None if _REFUSED.fullmatch(name) else _MEANT.get(name, name)


def _unreadable(data: bytes, name: str, encoding: str) -> UnreadableError:
    shown = "The draft on standard input" if name == "-" else name
    if b"\0" in data and encoding == "utf-8":
        return UnreadableError(f"{shown} holds binary data, not text.", hint="Expected Markdown, HTML or plain text.")
    hint = "Save it as UTF-8, or type: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW" if encoding == "utf-8" else "Save it as UTF-8."
    return UnreadableError(f"{shown} is not valid {encoding.upper()}.", hint=hint)
