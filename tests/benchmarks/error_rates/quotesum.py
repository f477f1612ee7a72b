"""Spans that people copied out of sources for semi-extractive answers (QuoteSum): true as people make them, not as a program does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .cases import Case, stands

__all__ = ["LEAST", "read", "rows"]

LEAST = 3
_SPAN = re.compile(r"\[ (\d) (.*?) \](?= |\Z)")


def read(path: Path) -> Iterator[Case]:
    """Yield each span of at least three words with the text and the title of the source that it names.

    True: its characters stand there, between words, white space aside. Changed: its words do not stand there in a row. What is neither
    (other punctuation, other capitals, a part of a word) is left out: one span.
    """
    for number, row in enumerate(rows(path.read_text("utf-8"))):
        for place, span in enumerate(_SPAN.finditer(row["summary"])):
            quote, texts = span[2], tuple(text for text in (row[f"source{span[1]}"], row[f"title{span[1]}"]) if text)
            if len(quote.split()) >= LEAST and texts:
                keep = _verbatim(texts, quote)
                if keep or not stands(texts, quote):
                    yield Case(f"q{number}.{place}", "quotesum", "as copied" if keep else "changed by the writer", quote, texts, keep)


def rows(text: str) -> Iterator[dict[str, Any]]:
    """Yield the records of the file; one line holds two of them."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        row, at = decoder.raw_decode(text, at)
        yield row
        at += len(text) - at - len(text[at:].lstrip())


def _verbatim(texts: tuple[str, ...], quote: str) -> bool:
    wanted = rf"(?<!\w){re.escape(' '.join(quote.split()))}(?!\w)"
    return any(re.search(wanted, " ".join(text.split())) is not None for text in texts)
