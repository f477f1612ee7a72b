"""Twelve ways to make a true quote false. Each takes a chance generator and a sample, and gives the altered words or None when it cannot.

Whether the words of the result really stand nowhere is for the oracle to say, not for these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["ALTERATIONS", "Alteration", "Sample"]

_NOT = re.compile(r"(?<=\w)(?:n['\u2019]t\b| (?:not|never)\b)(?= \w)")
_VERB = re.compile(r"(?<=\w )(?:is|are|was|were|can|will|would|should|could|does|do|did|has|have|had|must)\b(?= \w)")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w.,-]*\w)")
_PLAIN = re.compile(r"(?<= )[a-z]{4,}(?= )")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_UNIT = re.compile(
    r"(?<=\d)(?P<gap> ?)(?P<unit>mm|cm|m|km|kg|g|ml|l|%|\u00b0C|\u00b0F|C|F|V|A|W|GB|MB|ms|in|inch|inches|degrees"
    r"|hours?|minutes?|seconds?|days?|weeks?|months?|years?|grams?)(?!\w)"
)
_MONEY = re.compile(r"[$\u20ac\u00a3](?=\d)")
_HEDGE = re.compile(
    r"(?<=\w) (?:probably|perhaps|maybe|possibly|generally|usually|often|sometimes|mostly|likely|almost|apparently|basically"
    r"|roughly|typically|somewhat|fairly|partly|supposedly)(?= \w)",
    re.IGNORECASE,
)
_MODAL = re.compile(r"(?<=\w )(?:may|might|could|seems to|tends to)(?= \w)")
_UNITS = (
    ("mm", "cm", "m", "km", "in", "inch", "inches"), ("g", "kg", "gram", "grams"), ("ml", "l"), ("\u00b0C", "\u00b0F"), ("C", "F"),
    ("V", "A", "W"), ("GB", "MB"), ("%", "ms", "degrees"),
    ("second", "minute", "hour", "day", "week", "month", "year", "seconds", "minutes", "hours", "days", "weeks", "months", "years"),
)  # fmt: skip
_SYNONYMS = {
    "good": "great", "great": "good", "large": "big", "small": "little", "better": "nicer", "problem": "issue", "issue": "problem",
    "using": "employing", "make": "create", "need": "require", "want": "wish", "think": "believe", "often": "frequently",
    "show": "display", "start": "begin", "different": "distinct", "question": "query", "answer": "reply", "easy": "simple",
    "quickly": "rapidly", "slow": "sluggish", "sure": "certain", "very": "highly", "also": "likewise", "because": "since",
    "like": "such as", "right": "correct", "wrong": "incorrect", "machine": "device", "coffee": "brew", "printer": "machine",
    "just": "simply", "help": "assist", "hard": "difficult", "change": "alter",
}  # fmt: skip
_ADDED = (
    "always", "clearly", "completely", "entirely", "extremely", "never", "obviously", "of course", "only", "really", "reportedly",
    "simply", "surely", "very",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence of a document, and what else alterations draw from.

    Attributes:
        sentence: one sentence.
        others: other sentences of the same document, in order, none next to it.
        names: capitalised words of the corpus.
        words: common words of the corpus.
        stranger: a sentence of another document.
    """

    sentence: str
    others: Sequence[str]
    names: Sequence[str]
    words: Sequence[str]
    stranger: str


Alteration = Callable[[Random, Sample], str | None]


def _one(rng: Random, pattern: re.Pattern[str], text: str, change: Callable[[re.Match[str]], str]) -> str | None:
    found = list(pattern.finditer(text))
    if not found:
        return None
    chosen = rng.choice(found)
    return text[: chosen.start()] + change(chosen) + text[chosen.end() :]


def _negation(rng: Random, sample: Sample) -> str | None:
    dropped = _one(rng, _NOT, sample.sentence, lambda found: "")
    if dropped is not None and rng.random() < 0.5:
        return dropped
    return _one(rng, _VERB, sample.sentence, lambda found: f"{found[0]} not")


def _number(rng: Random, sample: Sample) -> str | None:
    def other(found: re.Match[str]) -> str:
        at = rng.choice([at for at, char in enumerate(found[0]) if char.isdigit()])
        digit = rng.choice("0123456789"[at == 0 :].replace(found[0][at], ""))
        return found[0][:at] + digit + found[0][at + 1 :]

    return _one(rng, _NUMBER, sample.sentence, other)


def _replaced(rng: Random, sample: Sample) -> str | None:
    return _one(rng, _PLAIN, sample.sentence, lambda found: _SYNONYMS.get(found[0]) or rng.choice(sample.words))


def _reordered(rng: Random, sample: Sample) -> str | None:
    parts = sample.sentence.split(" ")
    places = [at for at, part in enumerate(parts) if part.isalpha() and part.islower() and len(part) > 2]
    if len(places) < 2:
        return None
    first = rng.randrange(len(places) - 1)
    one, two = places[first], places[rng.randrange(first + 1, len(places))]
    parts[one], parts[two] = parts[two], parts[one]
    return " ".join(parts)


def _inserted(rng: Random, sample: Sample) -> str | None:
    return _one(rng, re.compile(r"(?<=\w) (?=\w)"), sample.sentence, lambda found: f" {rng.choice(_ADDED)} ")


def _deleted(rng: Random, sample: Sample) -> str | None:
    return _one(rng, re.compile(r"(?<=\w )\w+ (?=\w)"), sample.sentence, lambda found: "")


def _name(rng: Random, sample: Sample) -> str | None:
    return _one(rng, _NAME, sample.sentence, lambda found: rng.choice(sample.names))


def _spliced(rng: Random, sample: Sample) -> str | None:
    if not sample.others:
        return None
    other = rng.choice(sample.others)
    if rng.random() < 0.5:
        return f"{sample.sentence} {other}"
    one, two = sample.sentence.split(" "), other.split(" ")
    return " ".join([*one[: max(3, len(one) // 2)], *two[len(two) // 2 :]])


def _ellipsis(rng: Random, sample: Sample) -> str | None:
    parts = sample.sentence.split(" ")
    if len(parts) < 9:
        return None
    start = rng.randrange(3, len(parts) - 5)
    end = rng.randrange(start + 2, len(parts) - 2)
    return " ".join([*parts[:start], rng.choice(("...", "\u2026", "[...]", "[\u2026]", "(...)", ". . .")), *parts[end:]])


def _unit(rng: Random, sample: Sample) -> str | None:
    def other(found: re.Match[str]) -> str:
        family = next((units for units in _UNITS if found["unit"] in units), ("mm", "cm"))
        return found["gap"] + rng.choice([unit for unit in family if unit.rstrip("s") != found["unit"].rstrip("s")] or ["kg"])

    money = _one(rng, _MONEY, sample.sentence, lambda found: rng.choice("$\u20ac\u00a3".replace(found[0], "")))
    return money or _one(rng, _UNIT, sample.sentence, other)


def _hedge(rng: Random, sample: Sample) -> str | None:
    return _one(rng, _HEDGE, sample.sentence, lambda found: "") or _one(rng, _MODAL, sample.sentence, lambda found: "will")


def _elsewhere(rng: Random, sample: Sample) -> str | None:
    return sample.stranger


ALTERATIONS: dict[str, Alteration] = {
    "negation dropped or inserted": _negation,
    "number swapped": _number,
    "word replaced": _replaced,
    "words reordered": _reordered,
    "word inserted": _inserted,
    "word deleted": _deleted,
    "name swapped": _name,
    "two sentences spliced": _spliced,
    "ellipsis hides words": _ellipsis,
    "unit or currency changed": _unit,
    "hedge removed": _hedge,
    "put under another document": _elsewhere,
}
