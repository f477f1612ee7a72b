"""From a text to its weighted features.

A feature is a string whose first character says what it is, so that a word and a character n-gram never share a hash:

    w stem            every word; function words weigh little
    b stem stem       two content words side by side, function words between them left out
    c gram            character 4-grams of longer words (morphology that the stemmer does not know)
    g char(s)         characters and character pairs of scripts that are written without spaces

Only keys are made here, nothing is quoted from them, so words are folded freely: compatibility forms, case, Latin accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from math import log

__all__ = ["features"]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Vowel signs of Arabic, Hebrew and the Indic scripts are no letters to `re`, but they do not end a word.
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
_TOKEN = re.compile(rf"(?P<run>[{_UNSPACED}]+)|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_MARKS}])*(?:\+\+|#)?")
# What readers leave out: Latin accents, Hebrew points, Arabic vowel signs and tatweel.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
# Soft hyphen, zero-width characters, direction marks: they stand inside words and are no part of them.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")
_VOWEL = re.compile("[aeiouy]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FUNCTION_WORDS = _listed(
    """
    a about above across after again against all along also although always am among an and any are around as at be because been before
    behind being below beneath beside besides between beyond both but by can cannot could d despite did do does doing don done down during
    each either else ever every except few for from further had has have having he her here hers herself him himself his how however i if
    in inside into is isn it its itself just least less ll m may me might more most much must my myself near neither no nor not now of off
    often on once one only onto or other others our ours out outside over own per quite rather re s same shall she should since so some
    still such t than that the their theirs them themselves then there therefore these they this those though through throughout thus to
    too toward towards under unlike until up upon us ve versus very via was we well were what whatever when where whereas whether which
    while who whom whose why will with within without would yes yet you your yours yourself
    """
)
_WORD, _FUNCTION_WORD, _PAIR, _GRAM, _CHARACTER = 1.0, 0.1, 0.25, 0.25, 0.5


def features(text: str) -> dict[str, float]:
    """Return the weight of each feature of `text`; a feature that comes often weighs the logarithm of how often."""
    counts: Counter[str] = Counter()
    weights: dict[str, float] = {}
    for feature, weight in _occurrences(_folded(text)):
        counts[feature] += 1
        weights[feature] = weight
    return {feature: weights[feature] * (1 + log(count)) for feature, count in counts.items()}


def _occurrences(text: str) -> Iterator[tuple[str, float]]:
    before = ""
    for match in _TOKEN.finditer(text):
        if match["run"]:
            before = ""
            yield from _characters(match["run"])
        elif match[0] in _FUNCTION_WORDS:
            yield "w" + match[0], _FUNCTION_WORD
        elif word := _stem(_plain(match[0])):
            yield "w" + word, _WORD
            if before:
                yield f"b{before} {word}", _PAIR
            before = word
            yield from _grams(word)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


def _characters(run: str) -> Iterator[tuple[str, float]]:
    for index, character in enumerate(run):
        yield "g" + character, _CHARACTER * _CHARACTER
        if index + 1 < len(run):
            yield "g" + run[index : index + 2], _CHARACTER


def _grams(word: str) -> Iterator[tuple[str, float]]:
    if len(word) > 4:
        framed = f"<{word}>"
        for start in range(len(framed) - 3):
            yield "c" + framed[start : start + 4], _GRAM


def _plain(word: str) -> str:
    if word.isascii():
        return word
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def _stem(word: str) -> str:
    """Take off English plurals, `-ing`, `-ed` and a final `e`: enough for a key, wrong for a dictionary."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 2 and rest[-1] != "e" and _VOWEL.search(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
