"""Sentences that may be quoted, and how well each would stand alone.

`quality` is a factor in (0, 1]: what a reader who sees only the sentence would miss. A sentence that cannot be quoted sensibly at all
(fewer than three words, nothing but a link, code) is no candidate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from veridical_contract import Passage

from ._sentences import sentences
from ._words import Word, words

__all__ = ["Sentence", "candidates"]

LEAST_WORDS, SHORT, LONG = 3, 5, 60
"""Words below which a sentence is no candidate, below which it is penalised, and above which it is."""
PAIRS_PER_WORD = 2
"""Character pairs of an unspaced script that count as one word."""
CODE_SHARE = 0.08
"""Share of code points that only code and formulas use, from which a sentence is one of them."""

_URL = re.compile(r"(?:https?://|www\.)\S+")
_PROMPT = re.compile(r"\s*(?:\$|>>>)\s")
_CODE = re.compile(r"[{}\\=<>|;$^_~`]|\(\)|->|::|//")
_ADDRESS = re.compile(
    r"@\w+|(?:hi|hello|hey|thanks?|welcome|dear|cheers|sorry|edit|update|please|ps|ok|okay|well|yeah|yep|lol|btw|fyi|"
    r"hallo|danke|hola|gracias|bonjour|merci)\b",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:this|that|these|those|it|its|it's|that's|he|she|they|them|his|her|their|such|both|which|who|here|there|so|and|but|or|also|however|"
    r"therefore|thus|hence|then|because|otherwise|instead|yes|no|another|similarly|moreover|furthermore|again|alternatively|alternately|"
    r"finally|(?:for|in|on|to|as|by) (?:example|instance|other words|short|that|this|these|those|addition|contrast|fact|the other hand))\b",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"[(\[]?\d{1,2}[)\]]?[ \t]+(?=[^\W\d_])")
_OPENING = "\"'“\u2018«([¿¡„「『\uff08《"
_CLOSING = "\"'”\u2019»)]」』\uff09》"
_QUESTION_MARKS = "?\uff1f؟"
_STOPS = ".!?…。\uff01\uff1f｡।॥؟\u06d4።"


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A sentence that may be quoted.

    Attributes:
        passage: identifier of its passage.
        text: exactly as it stands there.
        length: in words.
        keys: how often each content key occurs.
        is_question: ends with a question mark.
        quality: how well it stands alone, in (0, 1].
    """

    passage: str
    text: str
    length: float
    keys: Counter[str]
    is_question: bool
    quality: float


def candidates(passages: Iterable[Passage]) -> list[Sentence]:
    """Return the sentences of `passages` that may be quoted, passage by passage, in order."""
    return [
        _sentence(passage.id, text)
        for passage in passages
        for start, end in sentences(passage.text)
        for text in (passage.text[start:end],)
        if _is_prose(text)
    ]


def _sentence(passage: str, text: str) -> Sentence:
    found = words(text)
    length = _length(found)
    is_question = text.rstrip(_CLOSING)[-1:] in _QUESTION_MARKS
    return Sentence(
        passage, text, length, Counter(word.key for word in found if word.key), is_question, _quality(text, length, is_question=is_question)
    )


def _length(found: Iterable[Word]) -> float:
    return sum(1 if word.spaced else 1 / PAIRS_PER_WORD for word in found)


def _is_prose(text: str) -> bool:
    rest = _URL.sub("", text)
    return _PROMPT.match(text) is None and _length(words(rest)) >= LEAST_WORDS and len(_CODE.findall(rest)) < CODE_SHARE * len(rest)


def _quality(text: str, length: float, *, is_question: bool) -> float:
    first, last = text.lstrip(_OPENING)[:1], text.rstrip(_CLOSING)[-1:]
    factors = (
        0.3 if length < SHORT else 1.0,
        0.3 if length > LONG else 1.0,
        0.5 if is_question else 1.0,
        0.4 if last in ":,;" or text.endswith(("e.g.", "i.e.")) else 0.7 if last not in _STOPS else 1.0,
        0.3 if _ADDRESS.match(text) else 1.0,
        0.5 if _FOOTNOTE.match(text) else 1.0,
        0.6 if _DANGLING.match(text) else 1.0,
        0.6 if first.islower() else 1.0,
        0.7 if _CODE.search(text) or _URL.search(text) else 1.0,
        0.7 if "..." in text or text.count("(") != text.count(")") else 1.0,
    )
    product = 1.0
    for factor in factors:
        product *= factor
    return product
