"""How much two accounts of a bearer of a name speak for one person, less what speaks for two: a sum of rules, in points.

| rule | points |
|---|---|
| years of birth or death two or more apart; a birth after a death; other middle initials; `Jr` and `Sr` | never one person |
| the same year of birth, of death | 5 each |
| one field of work; a sport and its trainer; fields that one life often joins; fields that seldom go together | 2; 1; 0; -4 |
| a court case on one side, and a field of work on the other | -2 |
| `he` of the one, and `she` of the other | -4 |
| something done before the birth of the other | -4 |
| something done twenty years after the death of the other | -3 |
| a death on one side, employed now on the other; the same, dead before 1995 | -2; -5 |
| no nationality in common; nothing else in common besides, or other fields of work | -1; -2.5 |
| an employer in common; two at the same time in other places | 3; -2.5 |
| two places at the same time; two places, and fields of work that seldom go together | -2.5; -1 |
| another proper name in common; each further one, up to 5 | 1.5; 1 |
| a place in common | 0.5 |
| a second surname in common; two that differ | 3; -4 |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .people_traits import Traits
from .people_words import AKIN

__all__ = ["NEVER", "fields_differ", "impossible", "likeness", "years_differ"]

NEVER = -100.0
"""Likeness of accounts that no one life can hold."""


def likeness(one: Traits, other: Traits) -> float:
    """Return how much speaks for one person, less what speaks for two; `NEVER` when no life holds both. Symmetric."""
    if impossible(one, other):
        return NEVER
    score = _of_fields(one, other) + _of_times(one, other)
    score += _weighed(one.nations, other.nations, 0.0, -2.5 if fields_differ(one, other) or not _has_common(one, other) else -1.0)
    score += _of_surroundings(one, other)
    if len(one.genders) == len(other.genders) == 1 and one.genders != other.genders:
        score -= 4.0
    if one.seconds and other.seconds:
        score += 3.0 if one.seconds & other.seconds else -4.0
    return score


def impossible(one: Traits, other: Traits) -> bool:
    """Whether no life can hold both."""
    if years_differ(one.birth, other.birth) or years_differ(one.death, other.death):
        return True
    for left, right in ((one, other), (other, one)):
        if left.birth and right.death and min(left.birth) >= max(right.death):
            return True
    initials = [{word for word in traits.middle if len(word) == 1} for traits in (one, other)]
    letters = [{word[0] for word in traits.middle} for traits in (one, other)]
    if all(letters) and any(initials) and not letters[0] & letters[1]:
        return True
    return bool(one.suffixes) and bool(other.suffixes) and not one.suffixes & other.suffixes


def years_differ(one: Iterable[int], other: Iterable[int]) -> bool:
    """Whether both name years, and no two of them are less than two apart: a year is often wrong by one."""
    pairs = [(left, right) for left in one for right in other]
    return bool(pairs) and all(abs(left - right) > 1 for left, right in pairs)


def _of_fields(one: Traits, other: Traits) -> float:
    left, right = one.fields, other.fields
    if not left or not right:
        return 0.0
    # Everybody who teaches at a university is a professor: of what is the question.
    narrow = (left - {"academia"} or left, right - {"academia"} or right)
    if narrow[0] & narrow[1]:
        return 2.0
    if _akin(*narrow, lambda a, b: a == "sport" and b.startswith("sport:")):
        return 1.0
    if _akin(*narrow, lambda a, b: frozenset((a, b)) in AKIN):
        return 0.0
    return -2.0 if {"court"} in narrow else -4.0


def _akin(left: Iterable[str], right: Iterable[str], related: Callable[[str, str], bool]) -> bool:
    return any(related(one, other) or related(other, one) for one in left for other in right)


def fields_differ(one: Traits, other: Traits) -> bool:
    """Whether both name fields of work, and they are such as seldom go together."""
    return _of_fields(one, other) < 0


def _of_times(one: Traits, other: Traits) -> float:
    score = 5.0 * bool(one.birth and other.birth) + 5.0 * bool(one.death and other.death)
    for left, right in ((one, other), (other, one)):
        if left.birth and right.active and min(right.active) < min(left.birth) + 5:
            score -= 4.0
        if left.death and right.active and min(right.active) > max(left.death) + 20:
            score -= 3.0
        if left.death and right.present and right.employers:
            score -= 5.0 if max(left.death) < 1995 else 2.0
        if left.active and right.birth and max(right.birth) > max(left.active):
            score -= 4.0
    return score


def _of_surroundings(one: Traits, other: Traits) -> float:
    """Compare employers, places and the other names that stand around; a shared one speaks against chance."""
    common = (one.proper & other.proper) - one.places - other.places
    score = min(5.0, 1.5 * bool(common) + 1.0 * max(0, len(common) - 1)) + 0.5 * len(one.places & other.places)
    if any(left & right for left in one.employers for right in other.employers):
        return score + 3.0
    if common or _whereabouts(one) & _whereabouts(other):
        return score
    now = one.present and other.present
    if now and one.employers and other.employers:
        score -= 2.5
    if one.places and other.places:
        score -= 2.5 if now else 1.0 if fields_differ(one, other) else 0.0
    return score


def _whereabouts(traits: Traits) -> set[str]:
    return traits.places | {word for employer in traits.employers for word in employer}


def _has_common(one: Traits, other: Traits) -> bool:
    return bool(one.proper & other.proper or one.places & other.places)


def _weighed(one: set[str], other: set[str], equal: float, apart: float) -> float:
    """Return `equal` for words in common, `apart` for none; nationalities that one state may have had count as equal."""
    if not one or not other:
        return 0.0
    return equal if {_nation(word) for word in one} & {_nation(word) for word in other} else apart


def _nation(word: str) -> str:
    return "british" if word in ("english", "scottish", "welsh") else "russian" if word == "soviet" else word
