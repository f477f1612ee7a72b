"""Words of a text with the keys by which they are compared.

Keys are folded (compatibility forms, case, Latin accents) and stemmed lightly; what is quoted is cut from the text by offsets, never
made from keys. Scripts that are written without spaces give overlapping character pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["SCAFFOLDING", "Word", "content_keys", "listed", "question_keys", "words"]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Vowel signs of Arabic, Hebrew and the Indic scripts are no letters to `re`, but they do not end a word.
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
_PART = rf"[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_MARKS}])*"
# Soft hyphen, zero-width characters, direction marks: they stand inside words and are no part of them.
_INVISIBLE = "\u00ad\u200b-\u200f\u2060\ufeff"
_TOKEN = re.compile(rf"(?P<run>[{_UNSPACED}]+)|{_PART}(?:['\u2019{_INVISIBLE}]{_PART})*(?:\+\+|#)?")
_IGNORED = re.compile(f"[{_INVISIBLE}]+")
# What readers leave out: Latin accents, Hebrew points, Arabic vowel signs and tatweel.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
_VOWEL = re.compile("[aeiouy]")


def listed(words: str) -> frozenset[str]:
    """Return the words of a table that is written as running text."""
    return frozenset(words.split())


_FUNCTION_WORDS = (
    listed(
        """
        a about above across after again against all along also although always am among an and any are aren't around as at be because
        been before behind being below beneath beside besides between beyond both but by can can't cannot could couldn't despite did
        didn't do does doesn't doing don't done down during each either else ever every except few for from further had has have having he
        her here hers herself him himself his how however i i'd i'll i'm i've if in inside into is isn't it it's its itself just least
        less let's may me might more most much must my myself near neither no nor not now of off often on once one only onto or other
        others our ours out outside over own per quite rather same shall she should since so some still such than that that's the their
        theirs them themselves then there there's therefore these they they're this those though through throughout thus to too toward
        towards under unlike until up upon us versus very via was wasn't we we're we've well were what what's whatever when where whereas
        whether which while who whom whose why will with within without won't would yes yet you you'll you're you've your yours yourself
        """
    ),
    listed(
        """
        aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser doch du durch ein eine einem einen einer
        eines er es für hat haben ich ihr im in ist ja kann mit nach nicht noch nur oder ob sein sich sie sind so über um und uns unter
        vom von vor war was wenn wer werden wie wir wird wo zu zum zur
        """
    ),
    listed(
        """
        à au aux avec c'est ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais me même ne nos notre
        nous on ou où par pas pour plus qu que quel quelle quels qui quoi sa se ses son sont sur tu un une vos votre vous y
        """
    ),
    listed(
        """
        a al como con cual cuando de del desde donde el él ella en entre es esta este esto fue ha hay la las le lo los más me mi muy ni no
        nos o para pero por porque qué que quién se ser si sin sobre son su sus también te tiene un una uno y ya yo
        """
    ),
    listed(
        """
        a ai al alla anche che chi ci come con cosa cui da dal dei del della delle di dove e è gli ha ho i il in io la le lei li lo loro
        ma mi ne nel nella non o per perché più quale quando questo se si sono su sua sul tra tu un una uno
        """
    ),
    listed(
        """
        a ao aos as até com como da das de do dos e é ela ele em entre era essa esse esta este eu foi há isso já lhe mais mas me muito na
        não nas no nos o onde os ou para pela pelo por porque qual quando que quem se sem ser seu sua são também te tem um uma você
        """
    ),
    listed(
        """
        aan al als bij dan dat de deze die dit door een en er geen had heb heeft het hij hoe hun ik in is je kan maar me meer met mijn naar
        niet nog nu of om ook op over te tot u uit van veel voor waar wat we wel werd wie wij wordt zijn zo zou
        """
    ),
)
"""English, German, French, Spanish, Italian, Portuguese, Dutch; a text is in the one of which it holds most, English when in doubt."""

SCAFFOLDING = listed(
    """
    anybody anyone anything article ask believe consider describe discuss evidence example explain far find get give go happen help know
    let like list long look make many mean need new often old people person please question recommend report say see seem somebody
    someone something soon sort source state suggest summarise summarize tell thing think thought use used user want way
    """
)
"""Words that carry a question rather than its subject: "What do people think about ...", "How long can it ..."."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or a pair of characters of an unspaced script.

    Attributes:
        start: first code point.
        end: one past the last.
        key: what it is compared by; empty for a function word.
        spaced: False for a pair of characters.
    """

    start: int
    end: int
    key: str
    spaced: bool


def words(text: str) -> list[Word]:
    """Return the words of `text` in order."""
    tokens = list(_TOKEN.finditer(text))
    folded = ["" if token["run"] else _fold(token[0]) for token in tokens]
    functions = _function_words(folded)
    found: list[Word] = []
    for token, word in zip(tokens, folded, strict=True):
        if token["run"]:
            found.extend(_pairs(token))
        else:
            found.append(Word(token.start(), token.end(), "" if word in functions else _key(word), spaced=True))
    return found


def content_keys(text: str) -> tuple[str, ...]:
    """Return the keys of the content words of `text`, in order, repetitions included."""
    return tuple(word.key for word in words(text) if word.key)


def question_keys(question: str) -> tuple[str, ...]:
    """Return the distinct keys of what a question is about, in order; all content words where nothing else is left."""
    found = [(question[word.start : word.end].casefold(), word.key) for word in words(question) if word.key]
    subject = [key for surface, key in found if surface not in SCAFFOLDING]
    return tuple(dict.fromkeys(subject or [key for _, key in found]))


def _pairs(token: re.Match[str]) -> list[Word]:
    length = len(token[0])
    ends = [(index, min(index + 2, length)) for index in range(max(1, length - 1))]
    return [Word(token.start() + start, token.start() + end, token[0][start:end], spaced=False) for start, end in ends]


def _fold(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", _IGNORED.sub("", word)).casefold().replace("\u2019", "'")


def _function_words(folded: Iterable[str]) -> frozenset[str]:
    seen = set(folded)
    return max(_FUNCTION_WORDS, key=lambda listed: len(listed & seen))


def _key(word: str) -> str:
    if not word.isascii():
        word = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))
    return _stem(word.removesuffix("'s"))


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
