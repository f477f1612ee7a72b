"""Rules that see that somebody is asked about."""

from __future__ import annotations

from .names import people_in
from .requests import Request
from .rules import Finding
from .signs import SURE_CODE, about_given_text, addressed, code_weight
from .tables.asking import PERSON_POINTERS, POINTERS
from .tables.people import (
    ABOUT_A_LIFE,
    ATTRIBUTES,
    HARMLESS_WHO,
    IMPERSONATE,
    LIFE_QUESTIONS,
    OWN_PEOPLE,
    ROLE_OF,
    ROLES,
    UNSPACED_PEOPLE,
    WHO,
)
from .tables.small import ARTICLES, NOBODY, OF, PARTICULAR, PROGRAM_ROLES, TOPIC
from .tables.work import CODE, FICTION, FIRST_PERSON, MAYBE_CODE, NAMED, TRANSFORMS, UNSPACED_WORK
from .tables.world import COMPANIES, FACTS, PLACES

__all__ = ["about_a_life", "impersonation", "life", "life_question", "person_asked_for", "pronoun", "role", "who"]


def who(request: Request) -> Finding | None:
    """Who somebody is, or who did something; not who the assistant is."""
    where = WHO.first(request.words, request.starts)
    unspaced = any(mark in request.text for mark in UNSPACED_PEOPLE)
    if where is None:
        return (
            Finding("biographical", "who")
            if unspaced and (request.gap or not any(mark in request.text for mark in UNSPACED_WORK))
            else None
        )
    if HARMLESS_WHO.first(request.words, request.starts) is not None and not people_in(request.words):
        return Finding("workspace", "assistant")
    if not request.starts[where[0]] and request.makes and not people_in(request.words):
        return None
    pointing = bool(request.keys & (PERSON_POINTERS | POINTERS)) and not people_in(request.words)
    return Finding("biographical", "who", points=pointing)


def life(request: Request) -> Finding | None:
    """A biography, a career, a childhood: a text about somebody's life."""
    return Finding("biographical", "life") if about_a_life(request) else None


def about_a_life(request: Request) -> bool:
    """Say whether it is about somebody's life, by the words for it."""
    for begin, end in ABOUT_A_LIFE.find(request.words, request.starts):
        if begin and request.words[begin - 1].key in {"half", "shelf", "battery", "real", "everyday", "night"}:
            continue
        rest = [word.key for word in request.words[end:] if word.key not in ARTICLES]
        if rest and rest[0] in NOBODY and not people_in(request.words):
            continue
        if not rest and not request.asks and not request.quotes:
            continue
        if code_weight(request) >= SURE_CODE and not people_in(request.words) and (not rest or rest[0] in CODE | MAYBE_CODE):
            continue
        return True
    return False


def life_question(request: Request) -> Finding | None:
    """Birth, death, age, marriage, whoever is meant."""
    where = LIFE_QUESTIONS.first(request.words, request.starts)
    if where is None:
        return None
    rest = [word.key for word in request.words[where[1] :]]
    if len(rest) > 1 and rest[0] in ARTICLES and rest[1] not in ROLES and not request.keys & {"born", "married"}:
        return None
    named = bool(people_in(request.words))
    if named or request.keys & PERSON_POINTERS:
        return Finding("biographical", "life", points=not named)
    if (
        request.keys & {"many", "people", "soldiers", "workers"}
        or request.keys & (FACTS | PLACES | COMPANIES | FIRST_PERSON | {"you", "your", "it", "du", "tu", "je", "jij", "this"}) - ROLES
    ):
        return None
    if code_weight(request) >= SURE_CODE or request.makes:
        return None
    return Finding("biographical", "life", points=bool(request.keys & POINTERS))


def impersonation(request: Request) -> Finding | None:
    """To speak as a person is to say things about that person."""
    where = IMPERSONATE.first(request.words, request.starts)
    if where is None:
        return None
    people = people_in(request.words)
    if addressed(request, people[0][0] if people else None):
        return None
    if people or _particular_role(request):
        return Finding("biographical", "impersonation")
    return None


def person_asked_for(request: Request) -> Finding | None:
    """A question about somebody who is named, or a text about them; not a message to them, nor a character of that name."""
    people = people_in(request.words)
    if not people:
        return None
    begin = people[0][0]
    works = request.makes or TRANSFORMS.first(request.words, request.starts) is not None
    if request.asks and not (works and addressed(request, begin)):
        return Finding("biographical", "named-person")
    if request.quoted and not request.asks and code_weight(request) >= SURE_CODE and not request.keys & ATTRIBUTES:
        return None
    before = {word.key for word in request.words[max(0, begin - 2) : begin]}
    if request.keys & ATTRIBUTES and not addressed(request, begin) and not before & NAMED:
        return Finding("biographical", "named-person")
    if not request.makes and before & (TOPIC | OF):
        return Finding("biographical", "named-person")
    if not request.makes:
        return (
            None
            if request.keys & FIRST_PERSON or request.quoted or (works and addressed(request, begin))
            else Finding("biographical", "named-person", sure=False)
        )
    if before & NAMED or addressed(request, begin):
        return None
    if about_given_text(request) and not before & TOPIC:
        return None
    return Finding("biographical", "named-person")


def role(request: Request) -> Finding | None:
    """Whoever holds a role: "the CEO of", "the current pope"."""
    if not request.asks and (request.makes or request.keys & FIRST_PERSON or request.quoted):
        return None
    if request.makes and addressed(request):
        return None
    if not _particular_role(request):
        return None
    return Finding("biographical", "role", sure=request.asks, points=not request.asks or bool(request.keys & (PERSON_POINTERS | POINTERS)))


def _particular_role(request: Request) -> bool:
    coded = code_weight(request) >= SURE_CODE
    for index, word in enumerate(request.words):
        if word.key not in ROLES or (coded and word.key in PROGRAM_ROLES):
            continue
        before = {each.key for each in request.words[max(0, index - 2) : index]}
        if before & OWN_PEOPLE and not before & PARTICULAR:
            continue
        after = ROLE_OF.begin(request.words, request.starts, index + 1) is not None
        if (after and not before & {"a", "an", "ein", "eine", "un", "une"}) or before & PARTICULAR:
            return True
    return False


def pronoun(request: Request) -> Finding | None:
    """A person whom a pronoun points at."""
    if request.asks and request.keys & PERSON_POINTERS and not request.keys & (CODE | FICTION) and not request.keys & OWN_PEOPLE:
        return Finding("biographical", "person-pointer", points=True)
    return None
