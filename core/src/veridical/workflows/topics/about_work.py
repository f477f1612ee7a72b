"""Rules that see the user's own work, small talk, reckoning; and what is left of questions."""

from __future__ import annotations

from itertools import pairwise

from .names import people_in
from .requests import Request
from .rules import Finding
from .signs import SURE_CODE, about_given_text, code_weight, how_to, names_the_world, reckons, uncovered
from .tables.asking import FUNCTION_WORDS, POINTERS, QUESTION_WORDS
from .tables.people import IMPERSONATE, UNSPACED_PEOPLE
from .tables.small import ABOUT, ADDRESSEES, FOR, NAMING, NOBODY, SOME, TOPIC, VERSE, WRITING, YOU
from .tables.work import (
    ASSISTANT,
    FICTION,
    FIRST_PERSON,
    GIVEN_TEXTS,
    HELP_ME,
    MESSAGES,
    OWN,
    SMALL_TALK,
    TRANSFORMS,
    UNSPACED_WORK,
    WORDING,
)
from .tables.world import FACTS

__all__ = ["own_words", "question", "work_signs"]

_TALK_LEFT = 3
_FEW = 3


def _assistant_asked(request: Request) -> bool:
    left = uncovered(request, ASSISTANT)
    if left is None or people_in(request.words):
        return False
    for index, word in enumerate(request.words[:-1]):
        if word.key in ABOUT and request.words[index + 1].key not in YOU and request.words[index - 1].key != "now" and request.asks:
            return False
    questioning = request.marked or not request.keys.isdisjoint(QUESTION_WORDS)
    return left <= (1 if questioning else _TALK_LEFT)


def _talk(request: Request) -> bool:
    left = uncovered(request, SMALL_TALK)
    return left is not None and left <= (1 if request.asks else _TALK_LEFT)


def _made_up(request: Request) -> bool:
    """Say whether it asks for a joke, a tale or a name: about nothing, or about anybody's own."""
    fiction = request.keys & FICTION
    if not fiction or request.keys & FACTS or names_the_world(request):
        return False
    if fiction <= NAMING and not request.keys & (FIRST_PERSON | FOR):
        return False
    keys = [word.key for word in request.words]
    return all(after in NOBODY for word, after in pairwise(keys) if word in TOPIC)


def work_signs(request: Request) -> Finding | None:
    """What shows that it is the user's own work, talk, reckoning or words."""
    unspaced = any(mark in request.text for mark in UNSPACED_WORK)
    if code_weight(request) >= SURE_CODE or (code_weight(request) and (how_to(request) or request.keys & OWN)):
        return Finding("workspace", "code")
    given = bool(request.keys & OWN) and bool(request.keys & GIVEN_TEXTS)
    if (
        (about_given_text(request) and (request.makes or not request.quotes))
        or given
        or (unspaced and not any(mark in request.text for mark in UNSPACED_PEOPLE))
    ):
        return Finding("workspace", "text")
    transforms = TRANSFORMS.first(request.words, request.starts) is not None
    if transforms and request.keys & (GIVEN_TEXTS | MESSAGES):
        return Finding("workspace", "text")
    if reckons(request):
        return Finding("workspace", "reckoning")
    if WORDING.first(request.words, request.starts) is not None or (TRANSFORMS.first(request.words, request.starts) and request.makes):
        return Finding("workspace", "wording")
    if _assistant_asked(request):
        return Finding("workspace", "assistant")
    if (request.makes and not request.vague) or HELP_ME.first(request.words, request.starts) is not None:
        return Finding("workspace", "work")
    if request.makes and request.keys & (FICTION | MESSAGES | OWN | GIVEN_TEXTS):
        return Finding("workspace", "work")
    where = IMPERSONATE.first(request.words, request.starts)
    if where is not None and request.words[where[1] : where[1] + 1] and request.words[where[1]].key in SOME:
        return Finding("workspace", "work", sure=False)
    if not request.asks and request.words[0].key in FICTION and (_made_up(request) or request.keys & VERSE) and not request.keys & FACTS:
        return Finding("workspace", "work")
    if request.asks and (_made_up(request) or (request.keys & MESSAGES and request.keys & FIRST_PERSON and request.keys & WRITING)):
        return Finding("workspace", "work")
    if _talk(request):
        return Finding("workspace", "small-talk", sure=False)
    return None


def question(request: Request) -> Finding | None:
    """What is left of questions and vague orders is about the world."""
    if request.asks or request.makes:
        content = request.keys - FUNCTION_WORDS
        pointing = (
            bool(request.keys & (POINTERS | (FIRST_PERSON - ADDRESSEES)))
            or not content
            or (request.vague and (code_weight(request) > 0 or len(content) <= 1))
        )
        rest = content - FIRST_PERSON
        pointing = pointing and (len(rest) <= _FEW or code_weight(request) > 0)
        return Finding("external", "question", sure=False, points=pointing)
    return None


def own_words(request: Request) -> Finding | None:
    """It says something of the user's own."""
    if request.keys & FIRST_PERSON and not request.keys & QUESTION_WORDS & {"who"}:
        return Finding("workspace", "own-words", sure=False)
    return None
