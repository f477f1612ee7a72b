"""A case: words, the texts that they are said to stand in, and whether they do.

The oracle is words in a row, and shares no code with veridical.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Case", "stands", "visible", "words"]

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|[$\u20ac\u00a3%\u00b0]")
_HARD = "\x1e"


@dataclass(frozen=True, slots=True)
class Case:
    """Words that somebody says stand in one of `texts`.

    Attributes:
        id: names the case within its set.
        set: the set of cases: catalogue, quotesum, comments (as they are), variations or alterations (of them).
        kind: within the set, as it is printed.
        quote: the words; not a string in the few cases about types.
        texts: visible texts of the document that was named, each a place of its own (text, title).
        keep: whether the words may be kept.
        snippet: whether the texts are a provider's excerpts, in which an ellipsis hides words.
    """

    id: str
    set: str
    kind: str
    quote: object
    texts: tuple[str, ...]
    keep: bool
    snippet: bool = False


def words(text: str) -> list[str]:
    """Return words, numbers and the signs that are said aloud, in one case and one normal form."""
    return _WORD.findall(unicodedata.normalize("NFC", text).replace("\u2019", "'").casefold())


def stands(texts: Iterable[str], quote: str) -> bool:
    """Say whether the words of `quote` stand in a row in one of `texts`, whatever is between them."""
    wanted = f"\0{chr(0).join(words(quote))}\0"
    return any(wanted in f"\0{chr(0).join(words(text))}\0" for text in texts)


def visible(text: str) -> str:
    """Return a text of veridical's as other programs know it: a hard boundary is a blank line."""
    return text.replace(_HARD, "\n\n")
