"""What a prompt is known by when it is compared with labelled prompts: words, their letters, and the signs that rules go by.

    words    w:WORD, b: two and b3: three in a row, where a mark such as a comma counts as a word; the first three, and the last, by their
             place
    letters  c: runs of three to five letters of a word, < and > at its ends; u: up to three characters of scripts without spaces
    signs    which tables have a word or phrase of it (t:TABLE), what the rules say of each request and of all (r:RULE, rule:RULE), how it
             is laid out (#...), what the prompt before it was about (before:KIND)

All of it is a set of names: the same prompt has the same features in any process. Names are data of the table of weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from types import ModuleType

from veridical_contract import TopicKind

from .judging import judge
from .names import people_in
from .phrases import Phrases
from .requests import Request
from .tables import asking, people, small, work, world
from .words import UNSPACED, Word, words_of

__all__ = ["LONGEST", "letters", "signs", "words"]

LONGEST = 400
"""Words of a prompt that are compared; a longer one is judged by the rules."""
_LONGEST_WORD = 400
"""Characters of a word whose letters are compared: what is longer is data, or a page without spaces."""
_REQUESTS = 12
_RUNS = (3, 4, 5)
_CHARACTERS = (1, 2, 3)
_MOST_MARKS = 6
"""Of those between two words."""
_MOST_BITS = 7
_MOST_REQUESTS = 5
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_LAYOUT = {
    "#?": re.compile("[?\uff1f]"),
    "#code": re.compile(r"[{}<>;=]|\(\)|`|\w_\w|->|::"),
    "#lines": re.compile(r"\n[^\n]*\n"),
    "#quoted": re.compile('["\u201c\u00ab\u201e\u300c]'),
    "#digit": re.compile(r"\d"),
    "#colon": re.compile(":"),
    "#unspaced": _UNSPACED,
}
_NO_NAMES = work.CODE | work.MAYBE_CODE | work.LANGUAGES
"""Written with a capital, and no name of anybody."""
_WAYS = ("asks", "makes", "quoted", "marked", "gap", "vague", "introduces")


def words(text: str) -> frozenset[str]:
    """Return the features that are words of `text`, or some in a row."""
    found = words_of(text)[:LONGEST]
    return frozenset([*_in_a_row(_with_marks(text, found)), *_at_their_place([word.key for word in found])])


def letters(text: str) -> frozenset[str]:
    """Return the features that are parts of words of `text`."""
    return frozenset(part for word in words_of(text)[:LONGEST] for part in _parts(word.key[:_LONGEST_WORD]))


def signs(text: str, requests: Sequence[Request], rule: str, before: TopicKind | None) -> frozenset[str]:
    """Return the features that the rules go by.

    Args:
        text: of the prompt.
        requests: its parts.
        rule: which rule spoke for all of it, in the light of what was said before.
        before: what the prompt before it was about; None for the first.
    """
    found = words_of(text)
    return frozenset([*_of_tables(text, found, requests), *_of_requests(requests), *_of_layout(text, found), *_of_rules(rule, before)])


def _with_marks(text: str, found: Sequence[Word]) -> Iterator[str]:
    """Yield the words with the marks between them; one name stands for all numbers, and one for whatever is in a script without spaces."""
    for word in found:
        yield from _marks(word.gap)
        yield "~" if _UNSPACED.fullmatch(word.key) else "0" if word.key.isdigit() else word.key
    if found and len(found) < LONGEST:
        yield from _marks(text[found[-1].end :])


def _marks(gap: str) -> list[str]:
    return [character for character in gap if not character.isspace()][:_MOST_MARKS]


def _in_a_row(said: Iterable[str]) -> Iterator[str]:
    first, before = "^", "^"
    for word in said:
        if word != "~":
            yield from (f"w:{word}", f"b:{before} {word}", f"b3:{first} {before} {word}")
        first, before = before, word


def _at_their_place(keys: Sequence[str]) -> Iterator[str]:
    yield from (f"f{at}:{key}" for at, key in enumerate(keys[:3]))
    yield from (f"last:{key}" for key in keys[-1:])


def _parts(key: str) -> Iterator[str]:
    if _UNSPACED.fullmatch(key):
        yield from (f"u:{key[at : at + size]}" for size in _CHARACTERS for at in range(len(key) - size + 1))
    else:
        whole = f"<{key}>"
        yield from (f"c:{whole[at : at + size]}" for size in _RUNS for at in range(len(whole) - size + 1))


def _of_tables(text: str, found: Sequence[Word], requests: Sequence[Request]) -> Iterator[str]:
    keys = {word.key for word in found}
    for name, table in _tables():
        if isinstance(table, frozenset):
            held = len(keys & table)
            yield from ([f"t:{name}"] if held else [])
            yield from ([f"t2:{name}"] if held > 1 else [])
        elif isinstance(table, tuple):
            yield from ([f"t:{name}"] if any(mark in text for mark in table) else [])
        elif any(table.first(request.words, request.starts) is not None for request in requests):
            yield f"t:{name}"


def _of_requests(requests: Sequence[Request]) -> Iterator[str]:
    said = [finding.rule if (finding := judge(request)) is not None else "none" for request in requests[:_REQUESTS]]
    yield from (f"r:{rule}" for rule in said)
    yield from (f"r0:{rule}" for rule in said[:1])
    yield from (f"rl:{rule}" for rule in said[-1:])
    yield from (f"a:{way}" for request in requests[:_REQUESTS] for way in _WAYS if getattr(request, way))
    if any(people_in(request.words) for request in requests[:_REQUESTS]):
        yield "people"
    yield f"n:{min(_MOST_REQUESTS, len(requests))}"


def _of_layout(text: str, found: Sequence[Word]) -> Iterator[str]:
    yield f"#len{min(_MOST_BITS, (1 + min(len(found), LONGEST)).bit_length() - 1)}"
    yield from (name for name, pattern in _LAYOUT.items() if pattern.search(text))
    capitals = [word.capital and word.key not in _NO_NAMES for word in found[1:LONGEST]]
    yield from (["#name"] if any(capitals) else [])
    yield from (["#names"] if any(one and other for one, other in pairwise(capitals)) else [])


def _of_rules(rule: str, before: TopicKind | None) -> Iterator[str]:
    yield from (f"rule:{rule}", f"before:{before or 'none'}", f"rule+before:{rule}+{before or 'none'}")


@cache
def _tables() -> tuple[tuple[str, frozenset[str] | tuple[str, ...] | Phrases], ...]:
    """The tables of the rules by name, each once."""
    found: dict[str, frozenset[str] | tuple[str, ...] | Phrases] = {}
    modules: tuple[ModuleType, ...] = (asking, people, small, work, world)
    for name, table in ((name, table) for module in modules for name, table in vars(module).items()):
        if name.isupper() and isinstance(table, (frozenset, tuple, Phrases)):
            found.setdefault(name, table)  # type: ignore[arg-type]
    return tuple(found.items())
