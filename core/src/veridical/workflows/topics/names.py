"""Where people are named in a sentence: by title, by a known name, by two capitals in a row.

A name that is not in the tables and stands in lower case is not seen here; a question about it needs grounding anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

from .tables.asking import FUNCTION_WORDS, GERMAN
from .tables.people import EPONYMS, EVERYDAY_SURNAMES, GIVEN_NAMES, ORGANISATIONS, PARTICLES, ROLES, SURNAMES, TITLES
from .tables.work import CODE, FICTION, FIRST_PERSON, MAYBE_CODE, MESSAGES, OWN
from .tables.world import COMPANIES, FACT_GENRES, FACTS, PLACES
from .words import Word

__all__ = ["people_in"]

_KNOWN = FUNCTION_WORDS | CODE | MAYBE_CODE | FACTS | PLACES | COMPANIES | FACT_GENRES | FICTION | MESSAGES | OWN | FIRST_PERSON | ROLES
_SUFFIXES = frozenset({"py", "js", "ts", "md", "csv", "json", "txt", "rs", "go", "java", "html", "css", "yaml", "pdf", "predict", "run"})
_DISCOVERIES = frozenset({"algorithm", "theorem", "law", "disease", "syndrome", "equation"})
_SCRIPT_OF_NAMES = 2
_LEAST_LETTERS = 2


def people_in(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return from where to where (exclusive) people are named in `words`, in order."""
    tells = _capitals_tell(words)
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        end = _name_at(words, index, tells=tells)
        if end is not None and not _other_thing(words, index, end):
            found.append((index, end))
        index = end or index + 1
    return found


def _capitals_tell(words: Sequence[Word]) -> bool:
    """Say whether a capital is a sign of a name: not in a headline, in shouting, or in German, where every noun has one."""
    rest = [word for word in words[1:] if word.key.isalpha()]
    capitals = sum(word.capital for word in rest)
    german = sum(word.key in GERMAN for word in words)
    return capitals > 0 and (2 * capitals <= len(rest) + 2) and german < _SCRIPT_OF_NAMES


def _name_at(words: Sequence[Word], index: int, *, tells: bool) -> int | None:
    word = words[index]
    if word.key in TITLES:
        end = _run(words, index + 1, tells=tells, known=True)
        if end > index + 1:
            return end
    if index + 1 < len(words) and words[index + 1].gap == "." and words[index + 1].key in _SUFFIXES:
        return None
    if _known_name(word):
        end = _run(words, index + 1, tells=tells, known=True)
        if end > index + 1 or (word.key in SURNAMES and (tells or word.key not in EVERYDAY_SURNAMES)):
            return end
    if tells and index and _capital_unknown(word):
        end = _run(words, index + 1, tells=tells)
        return end if end > index + 1 else None
    return None


def _known_name(word: Word) -> bool:
    return (word.key in GIVEN_NAMES or word.key in SURNAMES) and (word.capital or word.key not in EVERYDAY_SURNAMES)


def _capital_unknown(word: Word) -> bool:
    return word.capital and word.key not in _KNOWN and word.key.isalpha() and len(word.key) >= _LEAST_LETTERS


def _run(words: Sequence[Word], index: int, *, tells: bool, known: bool = False) -> int:
    """Return where the rest of a name ends that goes on at `index`; `index` itself when nothing of it follows.

    Args:
        words: of the sentence.
        index: where it goes on.
        tells: capitals are a sign of a name.
        known: a given name or a title stands before it.
    """
    end = index
    while end < len(words) and end < index + 4 and _joined(words[end]):
        following = end + 1 if words[end].key in PARTICLES and end + 1 < len(words) else end
        if following > end and not _part_of_name(words[following], tells=tells, known=known):
            break
        if following == end and not _part_of_name(words[end], tells=tells, known=known):
            break
        end = following + 1
    return end


def _joined(word: Word) -> bool:
    return word.gap != "." and word.gap.strip(" .\u00a0-\t\u2019'\u200b") == ""


def _part_of_name(word: Word, *, tells: bool, known: bool) -> bool:
    if _known_name(word):
        return True
    if known and tells and word.capital and word.key in FACTS and word.key not in FUNCTION_WORDS:
        return True  # Anna Berg, Vincent Price
    if word.capital and word.key in COMPANIES | PLACES and word.key not in FUNCTION_WORDS:
        return True  # Walt Disney, Jack London: nobody gets here without a given name or a title before it
    if word.key in _KNOWN or not word.key.isalpha():
        return False
    return _capital_unknown(word) if tells else len(word.key) > _LEAST_LETTERS


def _other_thing(words: Sequence[Word], begin: int, end: int) -> bool:
    """Say whether a firm or an institution is named, or a law, test or disease after somebody."""
    if any(word.key in ORGANISATIONS for word in words[begin : end + 1]) or (begin and words[begin - 1].key in ORGANISATIONS):
        return True
    rest = [word.key for word in words[end : end + 3] if word.key != "s"]
    return bool(rest) and (rest[0] in EPONYMS or rest[-1] in _DISCOVERIES)
