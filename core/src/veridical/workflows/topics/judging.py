"""What a single request is about: the rules, in order. The first that speaks decides.

    judge(request) -> Finding | None        None: it says something and asks for nothing

Rules about people come first, then those about the world, then what shows that it is work; what is left of questions is about the world.
"""

from __future__ import annotations

from collections.abc import Callable

from .about_people import about_a_life, impersonation, life, life_question, person_asked_for, pronoun, role, who
from .about_work import own_words, question, work_signs
from .about_world import fact, fact_in_work, factual_text, release, stated_fact
from .names import people_in
from .requests import Request
from .rules import Finding
from .tables.people import ATTRIBUTES, UNSPACED_PEOPLE
from .tables.small import DISREGARD
from .tables.world import COMPANIES, CONSTANTS, FACTS, PLACES

__all__ = ["judge", "judge_material"]


def judge(request: Request) -> Finding | None:
    """Return what `request` is about; None when it asks for nothing."""
    for rule in _RULES:
        found = rule(request)
        if found is not None:
            return found
    return None


def judge_material(request: Request) -> Finding | None:
    """Judge a request that stands in a text that the user gives: only what asks for facts by name is held against it."""
    if request.gap and (people_in(request.words) or request.keys & ATTRIBUTES):
        return Finding("biographical", "named-person")
    if request.gap and any(mark in request.text for mark in UNSPACED_PEOPLE):
        return Finding("biographical", "named-person")
    if request.gap and request.keys & (FACTS | PLACES | COMPANIES):
        return Finding("external", "fact-in-work")
    if request.asks and (request.keys & DISREGARD or CONSTANTS.first(request.words, request.starts) is not None):
        return judge(request)
    if not (request.asks or about_a_life(request)):
        return None
    if people_in(request.words):
        return person_asked_for(request) or who(request) or life_question(request)
    if request.marked and (request.keys & (PLACES | COMPANIES)) and (request.keys & FACTS):
        return Finding("external", "fact")
    return None


_RULES: tuple[Callable[[Request], Finding | None], ...] = (
    who,
    life,
    life_question,
    impersonation,
    person_asked_for,
    role,
    pronoun,
    release,
    fact,
    stated_fact,
    fact_in_work,
    factual_text,
    work_signs,
    question,
    own_words,
)
