"""A table of phrases, and where they stand in a sentence.

A phrase is a line of slots with spaces between them:

    who is|was      one word of several
    the?            a word that may be missing
    invent*         a word that begins so
    ~               up to three words, whichever
    ^who            the phrase begins where a clause begins

Each phrase looks at no more than a handful of words from where it begins, so that the time for a text grows with its length alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .words import Word, words_of

__all__ = ["Phrases", "listed"]

_KEY = 3
_GAP = 3


@dataclass(frozen=True, slots=True)
class _Slot:
    exact: frozenset[str]
    prefixes: tuple[str, ...]
    least: int
    most: int

    def takes(self, word: str) -> bool:
        return not (self.exact or self.prefixes) or word in self.exact or word.startswith(self.prefixes)


@dataclass(frozen=True, slots=True)
class _Phrase:
    slots: tuple[_Slot, ...]
    begins: bool


def listed(*texts: str) -> frozenset[str]:
    """Return the folded words of `texts`."""
    return frozenset(word.key for text in texts for piece in text.split() for word in words_of(piece))


class Phrases:
    """Phrases of a table, found by their first words."""

    def __init__(self, *tables: str) -> None:
        """Read `tables`, a phrase a line."""
        self._by_key: dict[str, list[_Phrase]] = {}
        for line in (line.strip() for table in tables for line in table.splitlines()):
            if line:
                self._add(line)

    def _add(self, line: str) -> None:
        phrase = _Phrase(tuple(_slots(line.removeprefix("^"))), line.startswith("^"))
        first = phrase.slots[0]
        if not (first.exact or first.prefixes) or not first.least:
            raise ValueError(f"The phrase {line!r} begins with a slot that may be empty; expected a word first.")
        for key in sorted({word[:_KEY] for word in (*first.exact, *first.prefixes)}):
            self._by_key.setdefault(key, []).append(phrase)

    def find(self, words: Sequence[Word], starts: Sequence[bool]) -> Iterator[tuple[int, int]]:
        """Yield from where to where (exclusive) a phrase stands in `words`; `starts` says where clauses begin."""
        for index, word in enumerate(words):
            for phrase in self._by_key.get(word.key[:_KEY], ()):
                if phrase.begins and not starts[index]:
                    continue
                end = _matched(phrase.slots, words, index)
                if end is not None:
                    yield index, end

    def first(self, words: Sequence[Word], starts: Sequence[bool]) -> tuple[int, int] | None:
        """Return the place of the first phrase; None when there is none."""
        return next(self.find(words, starts), None)

    def begin(self, words: Sequence[Word], starts: Sequence[bool], index: int) -> int | None:
        """Return where a phrase that begins at `index` ends; None when none does."""
        if index >= len(words):
            return None
        for phrase in self._by_key.get(words[index].key[:_KEY], ()):
            if not phrase.begins or starts[index]:
                end = _matched(phrase.slots, words, index)
                if end is not None:
                    return end
        return None


def _slots(line: str) -> Iterator[_Slot]:
    for token in line.split():
        if token == "~":  # noqa: S105 - a slot of a phrase
            yield _Slot(frozenset(), (), 0, _GAP)
            continue
        optional = token.endswith("?")
        alternatives = token.removesuffix("?").split("|")
        # An apostrophe parts words in texts, and so it does here: "who's" is two slots.
        if len(alternatives) == 1 and len(words_of(token)) > 1:
            yield from (_Slot(frozenset({word.key}), (), 1, 1) for word in words_of(token))
        else:
            yield _Slot(_folded(part for part in alternatives if not part.endswith("*")), _prefixes(alternatives), 0 if optional else 1, 1)


def _folded(parts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.key for part in parts for word in words_of(part))


def _prefixes(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(_folded(part.removesuffix("*") for part in parts if part.endswith("*"))))


def _matched(slots: tuple[_Slot, ...], words: Sequence[Word], index: int) -> int | None:
    """Return where the slots end that begin at `index`; None when they do not fit."""
    if not slots:
        return index
    slot, rest = slots[0], slots[1:]
    if not slot.least:
        for taken in range(slot.most + 1):
            end = _matched(rest, words, index + taken)
            if end is not None:
                return end
            if index + taken >= len(words) or not slot.takes(words[index + taken].key):
                return None
        return None
    if index < len(words) and slot.takes(words[index].key):
        return _matched(rest, words, index + 1)
    return None
