"""From the bytes of a draft to its characters, and how it is to be read. Nothing is ever replaced or guessed."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from veridical_contract import UnreadableError

from veridical.wire.reading.encodings import find_encoding

from .pieces import DraftFormat

__all__ = ["decode", "format_of"]

_SUFFIXES: Final[dict[str, DraftFormat]] = {
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
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
        UnreadableError: it is in no encoding that its mark or declaration says, nor in UTF-8. A draft's encoding is never guessed.
    """
    try:
        text = data.decode(find_encoding(data, markup=markup, guess=False).whole)
    except UnreadableError as error:
        raise _unreadable(name, str(error)) from None
    if "\0" in text:
        raise _unreadable(name, "it holds binary data, not text")
    return text


def format_of(name: str, text: str) -> DraftFormat:
    """Return how to read a draft: by the suffix of its name, or by its content where it comes from standard input (`-`)."""
    if name != "-":
        return _SUFFIXES.get(PurePath(name).suffix.lower(), "text")
    head = text[:_LOOKED_AT]
    return "html" if _HTML.match(head) else "markdown" if _MARKDOWN.search(head) else "text"


def _unreadable(name: str, why: str) -> UnreadableError:
    shown = "The draft on standard input" if name == "-" else name
    return UnreadableError(
        f"{shown} cannot be read: {why}.",
        hint="Expected Markdown, HTML or plain text in UTF-8. From another encoding: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW",
    )
