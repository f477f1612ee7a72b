"""The name that a question asks about, and where a text bears it.

    question -> asked_names: what may be the name of a person, the likeliest first
    text -> tokens -> find: each place where the name stands, with what stands inside it and behind it (middle names, Jr, second surname)

A name is known by its first and its last word: `Grace Brewster Hopper` and `Hopper, Grace` bear the name of `Grace Hopper`. `Grace Hopper
Celebration` does not, nor does `Grace Hopper Bridge`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .people_words import HEADLINE, ORGANISATION, SCAFFOLDING, SUFFIXES, TITLES, field_of, fold, listed

__all__ = ["Bearing", "Name", "Token", "asked_names", "bearings", "tokens"]

_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*|\d+")
_INSIDE = re.compile(r"[ \u00a0]+|\.[ \u00a0]*|-|\.?[ \u00a0]*[\"\u201c\u201d'(][ \u00a0]*|[\"\u201d')][ \u00a0]+")
_JOINED = re.compile(r"[ \u00a0]+|-")
_COMMA = re.compile(r",[ \u00a0]*")
_PARTICLES = listed("van von der den de la le du da di del della dos das do bin ibn al el ben y zu zur ter ten of")
_NAMES_TOO = listed("king prince major judge bishop pope don baron count senior saint sister")
_ASKED = 60
"""Words of a question that are looked at."""
_MOST = 5
"""Words of a name at most."""
_MIDDLE = 3


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a number of a text: half-open span in code points, folded, and what stands between it and the one before."""

    start: int
    end: int
    text: str
    key: str
    gap: str

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class Name:
    """A name that may be a person's: its words, folded, and as they were written."""

    words: tuple[str, ...]
    text: str

    @property
    def middle(self) -> tuple[str, ...]:
        """What stands between first and last word, without particles."""
        return tuple(word for word in self.words[1:-1] if word not in _PARTICLES)


@dataclass(frozen=True, slots=True)
class Bearing:
    """A place where a text bears a name: half-open span of tokens, and what the name has there besides."""

    first: int
    last: int
    middle: tuple[str, ...] = ()
    suffix: str = ""
    second: str = ""


def tokens(text: str) -> list[Token]:
    """Return the words and numbers of a text, in order."""
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        found.append(Token(match.start(), match.end(), match[0], fold(match[0]), text[end : match.start()]))
        end = match.end()
    return found


def asked_names(question: str) -> Iterator[Name]:
    """Yield what may be the name of a person in a question, the likeliest first: written with capitals, long, early."""
    words = tokens(question)[:_ASKED]
    for capital in (True, False):
        for run in _runs(words, capital=capital):
            for size in range(min(len(run), _MOST), 1, -1):
                for at in range(len(run) - size + 1):
                    part = run[at : at + size]
                    titled = part[0].key in TITLES and len(run) > 2
                    if not titled and part[0].key not in _PARTICLES and part[-1].key not in _PARTICLES:
                        yield Name(tuple(word.key for word in part), question[part[0].start : part[-1].end])


def _runs(words: Sequence[Token], *, capital: bool) -> Iterator[list[Token]]:
    """Yield neighbouring words that may make up a name: all with a capital (particles apart), or all that are none of a question's own."""
    run: list[Token] = []
    for word in words:
        joined = bool(run) and _INSIDE.fullmatch(word.gap) is not None
        if run and not joined:
            yield run
            run = []
        if _names(word, run, capital=capital):
            run.append(word)
        else:
            yield run
            run = []
    yield run


def _names(word: Token, run: Sequence[Token], *, capital: bool) -> bool:
    if word.text.isdigit() or word.key in SCAFFOLDING:
        return bool(run) and word.key in _PARTICLES and not word.capital
    # Stephen King, Don Draper, M. Night
    if word.key in TITLES and word.key not in _NAMES_TOO and not (run and len(word.text) == 1):
        return False
    if capital:
        return word.capital or (bool(run) and word.key in _PARTICLES)
    return len(run) < 2 or field_of(word.key) is None


def bearings(words: Sequence[Token], name: Name, *, title: bool = False) -> list[Bearing]:
    """Return where `words` bear the name, in order. In a title, capitals say little, and what follows is no second surname."""
    found: list[Bearing] = []
    at = 0
    while at < len(words):
        place = _straight(words, at, name, title=title) or _inverted(words, at, name)
        if place is not None:
            found.append(place)
        at = place.last if place is not None else at + 1
    return found


def _straight(words: Sequence[Token], at: int, name: Name, *, title: bool) -> Bearing | None:
    if words[at].key != name.words[0] or not words[at].capital:
        return None
    for last in range(at + 1, min(len(words), at + _MIDDLE + len(name.words))):
        word = words[last]
        if _INSIDE.fullmatch(word.gap) is None or not (word.capital or word.key in _PARTICLES):
            return None
        if word.key == name.words[-1] and word.capital:
            middle = tuple(inner.key for inner in words[at + 1 : last] if inner.key not in _PARTICLES)
            return None if _disagree(middle, name.middle) else _behind(words, at, last + 1, middle, title=title)
    return None


def _inverted(words: Sequence[Token], at: int, name: Name) -> Bearing | None:
    """`Hopper, Grace`: as directories have it."""
    if at + 1 >= len(words) or words[at].key != name.words[-1] or words[at + 1].key != name.words[0]:
        return None
    return Bearing(at, at + 2) if _COMMA.fullmatch(words[at + 1].gap) and words[at].capital and words[at + 1].capital else None


def _behind(words: Sequence[Token], at: int, end: int, middle: tuple[str, ...], *, title: bool) -> Bearing | None:
    """Return the bearing with what follows the name, None where that makes it the name of something else."""
    if end == len(words):
        return Bearing(at, end, middle)
    following = words[end]
    if (suffix := SUFFIXES.get(following.key)) and re.fullmatch(r",?[ \u00a0]+", following.gap) and (following.capital or len(suffix) == 2):
        return Bearing(at, end + 1, middle, suffix)
    if _JOINED.fullmatch(following.gap) is None or not following.capital:
        return Bearing(at, end, middle)
    if following.key in ORGANISATION:
        return None
    # PhD, BVSc, MRCVS
    lettered = 2 * sum(map(str.isupper, following.text)) >= len(following.text) > 1
    if title or lettered or field_of(following.key) is not None or following.key in HEADLINE:
        return Bearing(at, end, middle)
    beyond = words[end + 1] if end + 1 < len(words) else None
    if beyond is not None and beyond.capital and _JOINED.fullmatch(beyond.gap):
        return None
    return Bearing(at, end + 1, middle, "", following.key)


def _disagree(found: Sequence[str], asked: Sequence[str]) -> bool:
    """Whether middle names, or their initials, rule each other out."""
    return bool(found) and bool(asked) and not {word[0] for word in found} & {word[0] for word in asked}
