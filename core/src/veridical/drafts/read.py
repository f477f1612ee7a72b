"""A draft taken apart.

bytes --decoding--> characters --markdown, html, plain--> Reading: what is visible, and where it stands
  sentences   of the prose
  addresses   of links and bare; what they cover is looked at no more
  quotations  quoted strings, block quotations
  citations   with the entries that they lead to
  numbers     in what is left
  targets     of quotations and numbers, then speakers
  asides      quotations and addresses where something is hidden that may be shown after all
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veridical.kernel.policy import load_policy

from .decoding import decode, format_of
from .html import read_html
from .page import Reading
from .parts import Parts
from .pieces import Draft, DraftFormat
from .plain import read_plain

__all__ = ["read_draft"]


def read_draft(data: bytes, *, name: str, format: DraftFormat | None = None) -> Draft:  # noqa: A002 - it is what users say
    """Return the draft in `data`, taken apart.

    Args:
        data: the file: UTF-8, or what its byte order mark or (HTML) its declaration says.
        name: of the file; `-` is standard input.
        format: how to read it; None: by the suffix of its name (`.md`, `.markdown`, `.html`, `.htm`, else plain text), that of standard
            input by its content.

    Raises:
        UnreadableError: it is not text, or in no known encoding.
    """
    chosen = format
    text = decode(data, name=name, markup=chosen == "html" or name == "-" or format_of(name, "") == "html")
    chosen = chosen or format_of(name, text)
    reading = _reading(text, chosen)
    draft = Parts(reading, load_policy()).draft(name, chosen)
    return _with_asides(draft, reading.asides) if reading.asides else draft


def _with_asides(draft: Draft, asides: Sequence[tuple[int, int]]) -> Draft:
    """Return the draft with what is hidden in it, each stretch read by itself: it is never a part of what stands around it."""
    pieces = {(piece.kind, piece.start, piece.end): piece for piece in draft.pieces}
    for start, end in asides:
        for piece in Parts(read_html(draft.text, start, end), load_policy()).said():
            pieces.setdefault((piece.kind, piece.start, piece.end), replace(piece, sentence=None))
    return replace(draft, pieces=tuple(sorted(pieces.values(), key=lambda piece: (piece.start, -piece.end))))


def _reading(text: str, chosen: DraftFormat) -> Reading:
    if chosen == "text":
        return read_plain(text)
    if chosen == "html":
        return read_html(text)
    from .markdown import read_markdown  # markdown-it-py takes 50 ms to load

    return read_markdown(text)
