"""Is the speaker whom a draft names an author of the evidence? Names are compared by their words, without titles, in their order."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from veridical_contract import Author

__all__ = ["is_author", "is_named"]

_WORD: Final = re.compile(r"\w+")
_TITLES: Final = frozenset(
    [
        "dr",
        "prof",
        "professor",
        "mr",
        "mrs",
        "ms",
        "mx",
        "sir",
        "lady",
        "herr",
        "frau",
        "mme",
        "mlle",
        "monsieur",
        "madame",
        "señor",
        "señora",
    ]
)
_LEAST: Final = 2


def is_author(speaker: str, author: Author) -> bool:
    """Whether `speaker` is the author: the same words, or some of them that follow each other (`Ann` or `Lee` for `Ann Lee`)."""
    said = _words(speaker)
    return any(_holds(known, said) or (len(known) >= _LEAST and _holds(said, known)) for known in _names(author))


def is_named(speaker: str, text: str) -> bool:
    """Whether `text` names the speaker, by the whole name or by its last word."""
    said, name = _words(text), _words(speaker)
    return _holds(said, name) or (bool(name) and len(name[-1]) > _LEAST and name[-1] in said)


def _names(author: Author) -> list[list[str]]:
    return [words for name in (author.name, author.id) if name is not None and (words := _words(name))]


def _words(name: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", name).casefold()
    words = [word for word in _WORD.findall(folded.replace("_", " ")) if word != "s"]
    return [word for word in words if word not in _TITLES] or words


def _holds(words: list[str], part: list[str]) -> bool:
    return bool(part) and any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))
