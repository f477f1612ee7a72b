"""Numbers as a sentence mentions them: value, unit, and the words that say what is counted or measured.

Values are compared, not spellings: `1,000`, `1 000` and `1000` are one, and so are `3.5` and `3,5`; numbers from two to twenty may be
words of four languages. A word or sign of scale ("4 million", "$4m", "4k"), a fraction ("4½") and a minus belong to the value. A point or
comma before exactly three digits groups thousands. Units are signs and short names, with a sign of comparison before them ("<4"); what
is counted is the run of content words that follows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from veridical.workflows.terms import terms

__all__ = ["UNIT_TERMS", "Mention", "counts_the_same", "mentions"]

_GROUPED: Final = r"\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?!\d)(?:[.,]\d+)?"
_NUMBER: Final = re.compile(
    rf"(?<![\w.,])(?<![A-Za-z]-)(?P<compared>[<>\u2264\u2265\u00b1]\s?)?(?:(?<![^\s(<>\u2264\u2265])(?P<minus>[-\u2212]))?"
    rf"(?P<sign>[$\u20ac\u00a3\u00a5]\s?)?(?P<digits>{_GROUPED}|\d+(?:[.,]\d+)*)(?P<fraction>[\u00bc-\u00be\u2150-\u215e])?"
    r"(?P<attached>[A-Za-z\u00b5]{1,3}\b)?"
)
_SCALES: Final = {
    word: scale
    for scale, words in (
        (10**2, "hundred hundert cent cientos"),
        (10**3, "k thousand thousands tausend mille mil mila duizend"),
        (10**5, "lakh lakhs"),
        (10**6, "m mn mio million millions millionen mill\u00f3n millones milione milioni miljoen"),
        (10**7, "crore crores"),
        (10**9, "b bn mrd billion billions milliard milliards milliarde milliarden miliardo miliardi miljard"),
        (10**12, "trillion trillions billionen"),
        (12, "dozen dozens dutzend"),
    )
    for word in words.split()
}
_SCALE: Final = re.compile(
    rf"[\s-]({'|'.join(sorted((word for word in _SCALES if len(word) > 1), key=len, reverse=True))})\b\.?", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"\s?(?P<sign>[%\u2030\u20ac$\u00a3\u00a5]|\u00b0\s?[CFK]?)"
    r"|\s(?P<short>km|cm|mm|m|kg|mg|g|ms|s|min|h|GB|MB|kB|KB|TB|[kMG]?Hz|k?Wh?|mAh|mV|V|mA|A|ml|mL|l|L|dB|rpm|px|nm|ft|lb|oz|in)\b(?!\s+\w+ed\b)"
    r"|\s(?P<word>percent|per cent|prozent|pour cent|por ciento|euros?|dollars?|pounds?)\b",
    re.IGNORECASE,
)
_SAME: Final = {
    "percent": "%", "per cent": "%", "prozent": "%", "pour cent": "%", "por ciento": "%", "euro": "\u20ac", "euros": "\u20ac",
    "dollar": "$", "dollars": "$", "pound": "\u00a3", "pounds": "\u00a3",
}  # fmt: skip
UNIT_TERMS: Final = frozenset(terms(" ".join(_SAME)))
"""Terms of names of units that may be written as signs: they say nothing about what is counted."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_OF: Final = frozenset(
    [
        "of",
        "the",
        "a",
        "an",
        "der",
        "die",
        "das",
        "des",
        "den",
        "von",
        "vom",
        "de",
        "du",
        "la",
        "le",
        "les",
        "los",
        "las",
        "el",
        "del",
        "di",
    ]
)
_BETWEEN: Final = re.compile(r"[\s-]+")
_RUN: Final = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """A number in a text.

    Attributes:
        start: first code point, a sign of currency before it included.
        end: one past the last, its unit included.
        digits: first and one past the last code point of the digits alone, or of the word.
        value: of the digits, their sign, fraction and scale.
        unit: sign or short name; empty when there is none.
        counted: terms of the content words directly after it, at most three.
    """

    start: int
    end: int
    digits: tuple[int, int]
    value: Decimal
    unit: str
    counted: tuple[str, ...]


_SPELLED: Final = {
    word: value
    for words in (
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
        "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
    )
    for value, word in enumerate(words.split(), 2)
}
_IN_WORDS: Final = re.compile(rf"(?<![\w-])(?P<digits>{'|'.join(sorted(_SPELLED, key=len, reverse=True))})(?![\w-])", re.IGNORECASE)


def mentions(text: str, start: int = 0, end: int | None = None) -> list[Mention]:
    """Return every number in `text[start:end]`, those in figures first, with the words around it."""
    content = frozenset(terms(text[start:end]))
    stop = len(text) if end is None else end
    return [_mention(text, found, content) for pattern in (_NUMBER, _IN_WORDS) for found in pattern.finditer(text, start, stop)]


def counts_the_same(one: Mention, other: Mention) -> bool:
    """Whether both have one unit and count or measure the same: equal runs of words, or one of them within the other."""
    if one.unit != other.unit:
        return False
    short, long = sorted((one.counted, other.counted), key=len)
    if not short:
        return bool(one.unit)
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def _mention(text: str, found: re.Match[str], content: frozenset[str]) -> Mention:
    parts = found.groupdict()
    attached, sign = parts.get("attached") or "", (parts.get("sign") or "").strip()
    scale, end = _scale(text, found.end(), attached, sign)
    unit = sign or ("" if scale != 1 else attached)
    named = _NAMED.match(text, end) if not unit else None
    if named is not None:
        unit, end = named[named.lastgroup or 0].replace(" ", ""), named.end()
        unit = _SAME.get(named[named.lastgroup or 0].casefold(), unit)
    value = (_value(found["digits"]) + _fraction(parts.get("fraction"))) * scale
    signed = -value if parts.get("minus") else value
    compared = (parts.get("compared") or "").strip()
    return Mention(found.start(), end, found.span("digits"), signed, f"{compared}{unit}", _counted(text, end, content))


def _scale(text: str, end: int, attached: str, sign: str) -> tuple[int, int]:
    """Return by how much the digits are multiplied, and where what says so ends: `k` at any number, other letters at money alone."""
    found = _SCALE.match(text, end) if not attached else None
    if found is not None:
        return _SCALES[found[1].casefold()], found.end()
    letters = attached.casefold()
    means_scale = letters in _SCALES and (len(letters) > 1 or letters == "k" or bool(sign))
    return (_SCALES[letters] if means_scale else 1), end


def _fraction(char: str | None) -> Decimal:
    return Decimal(str(unicodedata.numeric(char))) if char else Decimal(0)


def _value(digits: str) -> Decimal:
    if digits.casefold() in _SPELLED:
        return Decimal(_SPELLED[digits.casefold()])
    plain = re.sub(r"[ \u00a0\u2009\u202f'\u2019]", "", digits)
    marks = re.findall(r"[.,]", plain)
    whole, last = re.split(r"[.,]", plain), marks[-1:] or [""]
    grouped = len(whole) > 1 and len(whole[-1]) == 3 and 0 < len(whole[0]) <= 3 and whole[0] != "0" and len(set(marks)) == 1
    if not marks or grouped:
        return Decimal("".join(whole))
    if marks.count(last[0]) > 1:
        return Decimal("".join(whole))  # a version or a date: compared digit by digit
    return Decimal(f"{''.join(whole[:-1])}.{whole[-1]}").normalize()


def _counted(text: str, at: int, content: frozenset[str]) -> tuple[str, ...]:
    run: list[str] = []
    opening = True
    while len(run) < _RUN:
        gap = _BETWEEN.match(text, at)
        word = _WORD.match(text, gap.end()) if gap is not None else None
        if word is None:
            break
        keys = _keys(word[0], content)
        if not keys and not (opening and word[0].casefold() in _OF):
            break
        opening = opening and not keys
        run += keys
        at = word.end()
    return tuple(run[:_RUN])


def _keys(word: str, content: frozenset[str]) -> Sequence[str]:
    return [key for key in terms(word) if key in content]
