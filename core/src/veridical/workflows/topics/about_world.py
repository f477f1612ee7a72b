"""Rules that see that the answer stands in the world."""

from __future__ import annotations

from itertools import pairwise

from .about_work import work_signs
from .requests import Request
from .rules import Finding
from .signs import SURE_CODE, about_given_text, addressed, code_weight, how_to, names_the_world
from .tables.asking import POINTERS
from .tables.people import OWN_PEOPLE, ROLES
from .tables.small import ADDRESSEES, ALL_OF_THEM, FETCHED, HOLDERS, NOBODY, PROGRAM_ROLES, SUMMARISES, THE_KNOWN, TOPIC
from .tables.work import (
    AMBIGUOUS_TOOLS,
    CODE,
    COMPOSES,
    FICTION,
    FIRST_PERSON,
    GIVEN_TEXTS,
    MAYBE_CODE,
    MESSAGES,
    OWN,
    RECKONING,
    TECHNOLOGY,
    TRANSFORMS,
)
from .tables.world import (
    ABOUT_THE_WORLD,
    COMPANIES,
    CONSTANTS,
    CURRENCIES,
    FACT_GENRES,
    FACT_PHRASES,
    FACTS,
    PLACES,
    RELEASE_FACTS,
    STATIC_FACTS,
    UNSPACED_FACTS,
)

__all__ = ["fact", "fact_in_work", "factual_text", "release", "stated_fact"]


def release(request: Request) -> Finding | None:
    """The makers, licence, versions, price and security of a program."""
    if not request.asks or how_to(request) or request.keys & (OWN_PEOPLE | OWN) or (request.makes and not request.vague):
        return None
    if request.keys & GIVEN_TEXTS and not request.keys & (TECHNOLOGY | AMBIGUOUS_TOOLS):
        return None
    if (code_weight(request) or request.keys & POINTERS) and RELEASE_FACTS.first(request.words, request.starts) is not None:
        return Finding("external", "release")
    return None


def fact(request: Request) -> Finding | None:
    """A question with a word that is looked up, a place or a firm in it."""
    if not request.asks or (request.makes and not request.vague):
        return None
    named = names_the_world(request)
    weight = code_weight(request)
    looked_up = bool(request.keys & FACTS) or any(mark in request.text for mark in UNSPACED_FACTS)
    coded = weight >= SURE_CODE * (1 if how_to(request) or request.keys & OWN or not looked_up else 2)
    if CONSTANTS.first(request.words, request.starts) is not None and not _of_own(request):
        return Finding("external", "fact")
    if coded and (how_to(request) or not named):
        return Finding("external", "fact") if named and request.keys & STATIC_FACTS else None
    if named or looked_up or CONSTANTS.first(request.words, request.starts) is not None:
        return Finding("external", "fact") if not _of_own(request) else None
    if FACT_PHRASES.first(request.words, request.starts) is not None and not work_signs(request):
        mine = request.keys & (POINTERS | (FIRST_PERSON - ADDRESSEES))
        return Finding("external", "fact", sure=not mine, points=bool(request.keys & POINTERS))
    return None


def stated_fact(request: Request) -> Finding | None:
    """A sentence that breaks off, or a name in a program, whose rest would be a fact."""
    if request.asks:
        return None
    unspaced = any(mark in request.text for mark in UNSPACED_FACTS)
    if unspaced and not about_given_text(request):
        return Finding("external", "fact-in-work")
    if not request.makes and CONSTANTS.first(request.words, request.starts) is not None:
        return Finding("external", "fact-in-work")
    if request.makes or not request.keys & STATIC_FACTS or not names_the_world(request):
        return None
    return Finding("external", "fact-in-work") if not request.quoted or request.code else None


def _of_own(request: Request) -> bool:
    """Say whether its facts are those of a text or program of the user's: "the price column of my table"."""
    return bool(request.keys & (MAYBE_CODE | CODE)) and bool(request.keys & OWN) and not request.keys & (PLACES | COMPANIES)


def fact_in_work(request: Request) -> Finding | None:
    """Work that would have to hold facts of the world: a table of capitals, a program that prints the speed of light."""
    if not request.makes or about_given_text(request) or request.keys & OWN_PEOPLE:
        return None
    named = names_the_world(request)
    if CONSTANTS.first(request.words, request.starts) is not None or (request.keys & CURRENCIES and _converts(request)):
        return Finding("external", "fact-in-work")
    whole = named or bool(request.keys & ALL_OF_THEM) or _the_known(request)
    if named and request.keys & HOLDERS and not request.keys & (FETCHED | FICTION | MESSAGES):
        return Finding("external", "fact-in-work")
    coded = code_weight(request)
    if request.keys & (STATIC_FACTS | (ROLES - PROGRAM_ROLES)) and (
        whole or (request.keys & STATIC_FACTS and not request.keys & (FICTION | MESSAGES) and not coded)
    ):
        return Finding("biographical" if request.keys & ROLES else "external", "fact-in-work")
    looked_up = request.keys & FACTS or FACT_PHRASES.first(request.words, request.starts) is not None
    if addressed(request) or (coded >= SURE_CODE and not (whole and request.keys & FACTS and not named)):
        return None
    if (looked_up and whole) or (named and not request.keys & (FICTION | MESSAGES) and coded < SURE_CODE):
        return Finding("external", "fact-in-work")
    return None


def _the_known(request: Request) -> bool:
    """Say whether facts of one kind are meant as a whole: "a list of the planets"."""
    keys = [word.key for word in request.words]
    return any(word in STATIC_FACTS and before in THE_KNOWN for before, word in pairwise(keys))


def _converts(request: Request) -> bool:
    return RECKONING.first(request.words, request.starts) is not None and not code_weight(request)


def factual_text(request: Request) -> Finding | None:
    """A text about something that the user has not given."""
    if not request.makes or about_given_text(request) or request.keys & OWN_PEOPLE or addressed(request):
        return None
    summarised = TRANSFORMS.first(request.words, request.starts) is not None and request.keys & SUMMARISES
    if summarised and not request.keys & OWN and code_weight(request) < SURE_CODE:
        return Finding("external", "factual-text")
    if not request.keys & COMPOSES or request.keys & (FICTION | OWN) or code_weight(request) >= SURE_CODE:
        return None
    for index, word in enumerate(request.words[:-1]):
        after = [each.key for each in request.words[index + 1 : index + 3]]
        topical = ABOUT_THE_WORLD.begin(request.words, request.starts, index) is not None
        if topical and (request.keys & FACT_GENRES or word.key in TOPIC) and after[0] not in NOBODY:
            return Finding("external", "factual-text")
    return None
