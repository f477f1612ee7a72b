"""Whom or what a prompt is about, as a piece of the prompt itself: what a later "she" or "it" points at."""

from __future__ import annotations

from collections.abc import Sequence

from .names import people_in
from .requests import Request
from .tables.asking import FUNCTION_WORDS, PERSON_POINTERS
from .tables.people import ATTRIBUTES, ROLE_OF, ROLES
from .tables.world import COMPANIES, PLACES
from .words import Word

__all__ = ["person_of", "thing_of"]

_LONGEST = 6


def person_of(text: str, parts: Sequence[Request]) -> str | None:
    """Return the name, or else the role, or else what follows the question word; None when the prompt only points."""
    for part in reversed(parts):
        people = people_in(part.words)
        if people:
            begin, end = max(people, key=lambda each: each[1] - each[0])
            return _cut(text, part.words[_with_owner(part.words, begin) : end])
    for part in reversed(parts):
        role = _role_of(part)
        if role:
            return _cut(text, role)
    return _content(text, parts, avoid=ATTRIBUTES)


def thing_of(text: str, parts: Sequence[Request]) -> str | None:
    """Return the firm or place that is named, or else the last run of words that carry content."""
    for part in reversed(parts):
        for index, word in enumerate(part.words):
            if word.key in COMPANIES | PLACES:
                end = index + 1
                while (
                    end < len(part.words)
                    and part.words[end].capital
                    and part.words[end].gap == " "
                    and part.words[end].key not in FUNCTION_WORDS
                ):
                    end += 1
                return _cut(text, part.words[index:end])
    return _capitals(text, parts) or _content(text, parts, avoid=frozenset())


def _with_owner(words: Sequence[Word], begin: int) -> int:
    """Return where the phrase begins that says who is named: "my dentist Dr. Y"."""
    own = {"my", "our", "mein", "meine", "mon", "ma", "mi", "mio", "mia", "meu", "minha", "mijn"}
    return begin - 2 if begin >= 2 and words[begin - 2].key in own and words[begin - 1].key in ROLES else begin


def _role_of(part: Request) -> Sequence[Word]:
    for index, word in enumerate(part.words):
        if word.key not in ROLES:
            continue
        begin = index
        while (
            begin
            and index - begin < 3
            and part.words[begin - 1].gap == " "
            and part.words[begin].key not in {"the", "der", "die", "le", "la", "el", "il", "o", "de"}
            and part.words[begin - 1].key not in {"is", "was", "are", "ist", "war", "est", "es", "e", "about", "who", "uber"}
        ):
            begin -= 1
        end = index + 1
        if ROLE_OF.begin(part.words, part.starts, end) is not None:
            end += 1
            while (
                end < len(part.words)
                and end - index <= _LONGEST
                and (end == index + 2 or part.words[end].capital or part.words[end - 1].key in {"the", "der", "la", "le", "el"})
            ):
                end += 1
        return part.words[begin:end]
    return ()


def _capitals(text: str, parts: Sequence[Request]) -> str | None:
    for part in reversed(parts):
        run: list[Word] = []
        for index, word in enumerate(part.words):
            if index and word.capital and word.key not in FUNCTION_WORDS:
                run.append(word)
            elif run:
                break
        if run:
            return _cut(text, run)
    return None


def _content(text: str, parts: Sequence[Request], *, avoid: frozenset[str]) -> str | None:
    for part in reversed(parts):
        run: list[Word] = []
        for word in reversed(part.words):
            if word.key not in FUNCTION_WORDS | PERSON_POINTERS | avoid:
                run.append(word)
            elif run:
                break
            if len(run) == _LONGEST:
                break
        if run:
            return _cut(text, run[::-1])
    return None


def _cut(text: str, words: Sequence[Word]) -> str:
    return text[words[0].start : words[-1].end]
