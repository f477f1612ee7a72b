"""What several rules ask of a request: is it about programs, whom is it addressed to, does it name a place or a firm."""

from __future__ import annotations

import re
from itertools import pairwise

from .phrases import Phrases
from .requests import Request
from .tables.asking import FUNCTION_WORDS
from .tables.small import ABOUT, AUTHORSHIP, DIFFERENCE, USING
from .tables.work import (
    AMBIGUOUS_TOOLS,
    CODE,
    CODE_PHRASES,
    FIRST_PERSON,
    HOW_TO,
    LANGUAGES,
    MAYBE_CODE,
    MESSAGES,
    OWN,
    RECIPIENT,
    RECKONING,
    TRANSFORMS,
    UNITS,
)
from .tables.world import COMPANIES, PLACES

__all__ = ["SURE_CODE", "about_given_text", "addressed", "code_weight", "how_to", "names_the_world", "reckons", "uncovered"]

SURE_CODE = 2

_LEFT = 2

# "us" is a state in capitals only.
_STATES = re.compile(r"\b(?:US|U\.S\.|UN|WHO)(?!\w)")


def code_weight(request: Request) -> int:
    """Return how much of `request` is about programs: two is sure."""
    looks = request.code and not (request.asks and request.keys & ABOUT)  # a name may look like code: "tell me about kariKo"
    sure = sum(word.key in CODE for word in request.words) + looks + _tools_in_use(request)
    phrase = CODE_PHRASES.first(request.words, request.starts) is not None
    maybe = len({word.key for word in request.words if word.key in MAYBE_CODE})
    if not (sure or phrase or request.makes or how_to(request) or request.keys & OWN or request.keys & DIFFERENCE):
        maybe -= 1  # in a plain question two such words may be about anything
    return SURE_CODE * (sure + phrase) + max(0, min(maybe, SURE_CODE))


def _tools_in_use(request: Request) -> int:
    before = [word.key for word in request.words]
    return sum(word in AMBIGUOUS_TOOLS and previous in USING for previous, word in pairwise(before))


def addressed(request: Request, begin: int | None = None) -> bool:
    """Say whether it is a message, and whoever is named at `begin` its addressee; at any place, when none is given."""
    if not request.keys & MESSAGES:
        return False
    before = request.words if begin is None else request.words[max(0, begin - 3) : begin]
    keys = {word.key for word in before}
    return bool(keys & RECIPIENT) and not keys & AUTHORSHIP


def names_the_world(request: Request) -> bool:
    """Say whether it names a place, a firm or an institution."""
    return bool(request.keys & (PLACES | COMPANIES)) or _STATES.search(request.text) is not None


def how_to(request: Request) -> bool:
    """Say whether it asks how something is done."""
    return HOW_TO.first(request.words, request.starts) is not None


def reckons(request: Request) -> bool:
    """Say whether it is arithmetic or a conversion, and of nothing but numbers and units."""
    if not request.reckons and RECKONING.first(request.words, request.starts) is None:
        return False
    rest = {word.key for word in request.words if not word.key[0].isdigit()} - FUNCTION_WORDS - UNITS - FIRST_PERSON
    return len(rest) <= _LEFT and not names_the_world(request)


def uncovered(request: Request, phrases: Phrases) -> int | None:
    """Return how many words of content stand outside of `phrases`; None when none of these stands in the request."""
    covered: set[int] = set()
    for begin, end in phrases.find(request.words, request.starts):
        covered.update(range(begin, end))
    if not covered:
        return None
    plain = FUNCTION_WORDS | FIRST_PERSON | LANGUAGES
    return sum(index not in covered and word.key not in plain for index, word in enumerate(request.words))


def about_given_text(request: Request) -> bool:
    """Say whether `request` orders work on a text that stands beside it."""
    if TRANSFORMS.first(request.words, request.starts) is None:
        return False
    return bool(request.keys & OWN) or request.quotes or request.introduces
