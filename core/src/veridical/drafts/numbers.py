"""Figures in prose, with their unit or what they count.

    $1,200   37 %   1,5 Millionen   12 comments   5-7 km   12-month warranty   3 May 2024   2024-05-03   14:30

Words after a figure belong to it as long as the kernel's claim rule takes them for its noun phrase, up to the first plural and three at
most, so that no verb comes with it; where its lexicon does not know the language, one word does. Ordinals of lists, numbers of headings,
versions, names that hold a figure (GPT-4) and pointers (section 3, page 12, #5) count nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from veridical.kernel.boundaries import BoundaryTable
from veridical.kernel.policy import Policy
from veridical.kernel.prose import ProseTable

__all__ = ["find_numbers"]


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Names of months have a capital in English and German; in French and Spanish they have none, so that "may" is no month.
_MONTH: Final = (
    r"(?-i:(?:Jan(?:uary|uar|vier)?|Feb(?:ruary|ruar)?|F\u00e9v(?:rier)?|Mar(?:ch|s)?|M\u00e4rz|Apr(?:il)?|Avril|May|Mai|June?|Juni|Juin|July?|"
    r"Juli|Juillet|Aug(?:ust)?|Ao\u00fbt|Sep(?:t(?:ember|embre)?)?|O[ck]t(?:ober|obre)?|Nov(?:ember|embre)?|De[cz](?:ember)?|D\u00e9c(?:embre)?|"
    r"janvier|f\u00e9vrier|mars|avril|mai|juin|juillet|ao\u00fbt|septembre|octobre|novembre|d\u00e9cembre|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b\.?)"
)
_YEAR: Final = r"(?:1[0-9]|20)\d\d"
_DATE: Final = (
    rf"{_YEAR}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|\d{{1,2}}(?:st|nd|rd|th|er|\.)?(?: of| de)? {_MONTH},?(?: (?:de )?{_YEAR})?|"
    rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,? {_YEAR})?|{_MONTH},? {_YEAR}|"
    rf"\d{{1,2}}(?P<mark>[./])\d{{1,2}}(?P=mark)(?:{_YEAR}|\d\d)(?![\d.])"
)
_CLOCK: Final = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?| ?Uhr)?"
_DIGITS: Final = r"\d{1,3}(?:[,.'\u2019\u00a0\u202f\u2009 ]\d{3})+(?!\d)(?:[.,]\d+)?|\d{1,2}(?:,\d\d)+,\d{3}|\d+(?:[.,]\d+)?"
_SECOND: Final = r" ?[-\u2013/] ?|\s(?:(?:out )?of|von|sur)\s|(?<=1)\sin\s(?!\d{4})"
_MONEY: Final = r"(?:(?:US|CA|AU|NZ|HK)?\$|[\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|Rs\.?) ?) ?"
_UNIT: Final = (
    r"\s?(?:[%\u2030\u2031]|\u00b0 ?[CFK]?\b|[$\u20ac\u00a3\u00a5\u20b9]|\"|\u2033|\u2032)|"
    r"\s(?:percent(?:age points?)?|per cent|prozent(?:punkte)?|pour cent|por ciento)\b|"
    r"[^\W\d_]{1,4}\b(?:/[^\W\d_]{1,4}\b)?|-[^\W\d_]+(?:-[^\W\d_]+){0,2}\b|[\u00bc-\u00be\u2150-\u215e]"
)
_ORDINAL: Final = re.compile(r"[ \t]*(?:\d{1,2}(?:\.\d{1,2})*[.)]|\d{1,2}(?:\.\d{1,2})+)(?=[ \t])")
_HEADING: Final = re.compile(r"[ \t]*\d{1,2}(?:\.\d{1,2})*[.)]?(?=[ \t])")
_POINTS: Final = re.compile(
    r"(?:\b(?:sections?|chapters?|fig(?:ure)?s?|tables?|steps?|pages?|pp?|no|nos|nr|vol(?:ume)?|ver(?:sion)?|v|art(?:icle)?|appendix|eq|"
    r"question|item|point|part|rule|note|kapitel|abschnitt|abb(?:ildung)?|tabelle|seite|s|schritt|teil|chapitre|tableau|\u00e9tape|partie|"
    r"secci\u00f3n|cap\u00edtulo|tabla|paso)\b\.?|\u00a7+|#)[ \u00a0]?\Z",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"\b(?:in|since|of|by|until|from|before|after|during|im|seit|bis|von|en|de|depuis|avant|desde|hasta)[ \u00a0]\Z", re.IGNORECASE
)
_BARE_YEAR: Final = re.compile(_YEAR)
_WORD: Final = re.compile(r"[ \u00a0\u202f]([^\W\d_]+(?:['\u2019-][^\W\d_]+)*)")
_LINE: Final = re.compile(r"[^\n\x1e]+")
_WORDS: Final = re.compile(r"[^\W\d_]+")
# Ends what a figure counts, in languages for which the kernel has no lexicon.
_FUNCTION: Final = _words(
    """der die das den dem des ein eine einen und oder aber ist sind war waren hat haben wird werden wurde wurden im in auf an am von vom zu
    zum zur mit bei bis f\u00fcr als wie nicht auch nach aus \u00fcber unter vor um so sie er es wir ich
    le la les l un une des du de et ou mais est sont a ont \u00e9t\u00e9 sera dans sur sous en au aux par pour avec sans que qui ne pas ce
    cette il elle ils el los las una unos y o pero es son fue fueron ha han del al por para con sin no se su
    the of and or to is are was were has have in on at for"""
)
# Words that are no sign of English, since other languages have them too.
_SHARED: Final = _words("also as at be do for from has in is it more my on or she was")
_SCALES: Final = _words("k m bn mn mio mrd b")
_CURRENCY: Final = re.compile(r"(?:euros?|dollars?|pounds?)\Z", re.IGNORECASE)
_PLURAL: Final = re.compile(r"[^\W\d_]{2,}(?<![su])s|people|men|women|children")
_NOUNS: Final = 3
_BACK: Final = 16


def find_numbers(text: str, start: int, end: int, policy: Policy, *, heading: bool = False) -> Iterator[tuple[int, int]]:
    """Yield the spans of figures with their unit or noun in the paragraph `text[start:end]`."""
    numbers = _pattern(policy)
    shown = text[start:end]
    nouns = _Nouns(shown, policy)
    for number, line in enumerate(_LINE.finditer(shown)):
        opening = (_HEADING if heading and not number else _ORDINAL).match(shown, *line.span())
        for found in numbers.finditer(shown, line.start(), line.end()):
            first, last = found.span()
            is_ordinal = (
                opening is not None and first < opening.end() and not any(found[part] for part in ("date", "money", "scale", "unit"))
            )
            before = shown[max(0, first - _BACK) : first]
            if is_ordinal or _POINTS.search(before):
                continue
            yield start + first, start + nouns.end(last, has_unit=_is_whole(found, before))


def _is_whole(found: re.Match[str], before: str) -> bool:
    """Whether a figure needs no noun to mean something."""
    if found["date"] or found["clock"] or found["money"]:
        return True
    if found["unit"]:
        return not (found["unit"].startswith("-") or found["unit"].lower() in _SCALES)
    if found["scale"] and _CURRENCY.search(found["scale"]):
        return True
    return _BARE_YEAR.fullmatch(found[0]) is not None and _DATED.search(before) is not None


class _Nouns:
    """What the figures of one paragraph count."""

    def __init__(self, text: str, policy: Policy) -> None:
        self._text = text
        lexicon = policy.table("prose", ProseTable).languages["en"]
        english = len(lexicon.markers.intersection(word.lower() for word in _WORDS.findall(text[:2000])) - _SHARED) > 0
        self._ending = (lexicon.stops | lexicon.participles | lexicon.neutral if english else frozenset[str]()) | _FUNCTION
        self._most = _NOUNS if english else 1

    def end(self, at: int, *, has_unit: bool) -> int:
        """Return where the words end that belong to the figure which ends at `at`."""
        for _ in range(0 if has_unit else self._most):
            word = _WORD.match(self._text, at)
            if word is None or word[1].lower() in self._ending:
                return at
            at = word.end()
            if _PLURAL.fullmatch(word[1]):
                return at
        return at


@cache
def _pattern(policy: Policy) -> re.Pattern[str]:
    scales = "|".join(re.escape(word) for word in sorted(policy.table("boundaries", BoundaryTable).scales, key=len, reverse=True))
    scaled = rf"[ \u00a0\u202f]?(?:{scales})\b\.?(?:[ \u00a0](?:euros?|dollars?|pounds?|(?:US-)?dollar|euro)\b)?"
    figure = rf"(?:(?<!\S)[+\u2212\u00b1~\u2248<>-] ?)?(?P<money>{_MONEY})?(?:{_DIGITS})(?:(?:{_SECOND})(?:{_MONEY})?(?:{_DIGITS}))?"
    return re.compile(
        r"(?<![\w.\u00a7#@/])(?<!\w[-\u2010-\u2013,'\u2019])(?<!\d[\u00a0\u202f])"
        rf"(?:(?P<date>{_DATE})|(?P<clock>{_CLOCK})|{figure}(?P<scale>{scaled})?(?P<unit>{_UNIT})?)(?!\w|\.\d|-\w)",
        re.IGNORECASE,
    )
