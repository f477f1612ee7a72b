"""A prompt as a list of requests: one for each sentence, and one for each order or question that `and` joins to another.

    requests(text) -> [Request]

A request knows where its clauses begin, whether it asks, orders or says something, and whether it stands in quotation marks or code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .tables.asking import (
    ASKED_FIELDS,
    COORDINATORS,
    FILLERS,
    INTRODUCERS,
    PERIODS,
    PLAIN_QUESTIONS,
    QUESTION_WORDS,
    TELLS,
    UNSPACED_QUESTIONS,
)
from .tables.work import MAKES, VAGUE
from .words import Word, sentences_of, words_of

__all__ = ["Request", "requests"]

_OPENS = re.compile(r"[\"'`\u201c\u201d\u201e\u00ab\u00bb\u2018\u300c\u300e(\[{<>=#*/\-\u2013\u2014,.:;!?\u3001\uff0c|\\~^]")
_QUESTION_MARK = re.compile("[?\u061f\uff1f\u037e]")
_QUOTED = re.compile(
    r"```|\"[^\"]*\"|\u201c[^\u201c\u201d]*\u201d|\u201e[^\u201e\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00ab\u00bb]*\u00bb|`[^`]*`"
    r"|(?<!\w)'[^'\n]*'(?!\w)|\u300c[^\u300c\u300d]*\u300d"
)
_CODE_SIGN = re.compile(
    r"`[^`\s]+`|\w\(\)|\b[a-z]{2,}[A-Z]\w|[^\W_]_[^\W_]|\b\w+\.(?:py|js|ts|java|rs|go|cpp|html|css|json|csv|txt|md|yaml|yml|sql|sh|pdf|docx|xlsx)\b"
    r"|\b(?:def|const|var|public|import|SELECT|elif) \w|==|!=|=>|\+=|&&|\|\||#include|\bC(?:\+\+|#)|\$\w|--\w|::\w"
)
_GAP = re.compile(r"_{2,}|\.{3}|\u2026|\[[^\[\]\n]{0,20}\]|\uff08\s*\uff09|\(\s*\)\s*[.,]")
# A question may be dressed in these.
_FRAME = re.compile(r"`[^`\n]+`|</\w")
_ARITHMETIC = re.compile(r"\d\s*[-+*/^\u00d7\u00f7%=]\s*\d|\d\s*%\s*(?:of|von|de|di|van)\b|\u221a")
_LEADING = FILLERS | COORDINATORS
_FILLED = 12
"""Words that say nothing, at most, before an order."""
_UNSPACED_QUESTION = re.compile("|".join(re.escape(word) for word in UNSPACED_QUESTIONS))


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence, or a part of one that asks or orders by itself.

    Attributes:
        text: from its first word to its last, with the marks that follow.
        words: its words.
        keys: its folded words, without "this" of "this year".
        starts: for each word, whether a clause begins there.
        asks: it is a question, or orders to tell something.
        makes: it orders work.
        vague: the verb that orders does not tell what the work is.
        marked: a question mark ends it.
        quoted: all of it stands in quotation marks or a code fence.
        quotes: a part of it stands in quotation marks.
        code: it has the look of code.
        reckons: it has the look of arithmetic.
        joined: `and`, `then` or the like joins it to what is before.
        introduces: a colon ends it.
    """

    text: str
    words: tuple[Word, ...]
    keys: frozenset[str]
    starts: tuple[bool, ...]
    asks: bool
    makes: bool
    vague: bool
    marked: bool
    quoted: bool
    quotes: bool
    code: bool
    reckons: bool
    joined: bool
    introduces: bool

    @property
    def gap(self) -> bool:
        """It leaves out something that is to be filled in."""
        return _GAP.search(self.text) is not None


def requests(text: str) -> list[Request]:
    """Return the requests of `text`, in order."""
    quoted = _quoted_ranges(text)
    found = words_of(text)
    if not found:
        return []
    parts = [part for sentence in sentences_of(found) for part in _orders(sentence)]
    ends = [part[0].start for part in parts[1:]] + [len(text)]
    made: list[Request] = []
    cursor = 0
    for part, end in zip(parts, ends, strict=True):
        while cursor < len(quoted) and quoted[cursor][1] <= part[0].start:
            cursor += 1
        inside = quoted[cursor] if cursor < len(quoted) else (len(text), len(text))
        asked = bool(made) and made[-1].introduces and made[-1].words[-1].key in ASKED_FIELDS
        made.append(_request(text, part, end, inside, asked=asked))
    return made


def _request(text: str, part: Sequence[Word], end: int, quoted: tuple[int, int], *, asked: bool) -> Request:
    starts = _clause_starts(part)
    after = text[part[-1].end : end]
    said = text[part[0].start : end]
    tells = any(TELLS.begin(part, starts, index) for index, begins in enumerate(starts) if begins)
    makes, vague = _makes(part, starts)
    marked = bool(_QUESTION_MARK.search(after))
    opened = any(begins and word.key in QUESTION_WORDS for word, begins in zip(part, starts, strict=True))
    plain = not makes and PLAIN_QUESTIONS.first(part, starts) is not None
    asks = asked or marked or tells or plain or (opened and not makes) or bool(_UNSPACED_QUESTION.search(said))
    return Request(
        text=said,
        words=tuple(part),
        keys=_keys(part),
        starts=tuple(starts),
        asks=asks,
        makes=makes,
        vague=vague,
        marked=marked,
        quoted=quoted[0] <= part[0].start and part[-1].end <= quoted[1],
        quotes=quoted[0] < part[-1].end,
        code=bool(_CODE_SIGN.search(said)) or (not asks and bool(_FRAME.search(said))),
        reckons=bool(_ARITHMETIC.search(said)),
        joined=part[0].key in COORDINATORS
        or part[0].key in {"p", "ps", "btw", "by", "additionally", "ausserdem", "furthermore", "finally", "next", "now", "nebenbei", "ah"},
        introduces=":" in after or "\uff1a" in after,
    )


def _keys(part: Sequence[Word]) -> frozenset[str]:
    found = {word.key for word in part}
    if "this" in found and any(word.key == "this" and after.key in PERIODS for word, after in pairwise(part)):
        found.discard("this")
    return frozenset(found)


def _makes(part: Sequence[Word], starts: Sequence[bool]) -> tuple[bool, bool]:
    """Return whether work is ordered, and whether only by verbs that do not tell which."""
    found = [part[index].key for index, begins in enumerate(starts) if begins and MAKES.begin(part, starts, index) is not None]
    return bool(found), bool(found) and all(key in VAGUE for key in found)


def _clause_starts(part: Sequence[Word]) -> list[bool]:
    starts: list[bool] = []
    for index, word in enumerate(part):
        if index == 0:
            starts.append(True)
            continue
        before = part[index - 1]
        opened = word.gap != " " and bool(_OPENS.search(word.gap))
        carried = starts[-1] and before.key in FILLERS
        starts.append(opened or carried or before.key in COORDINATORS or before.key in INTRODUCERS)
    return starts


def _orders(sentence: Sequence[Word]) -> list[list[Word]]:
    """Part a sentence where `and`, `then`, `but` or a comma comes before a new order or question."""
    starts = _clause_starts(sentence)
    cuts = [0]
    for index in range(1, len(sentence)):
        if index - cuts[-1] > 1 and _new_order(sentence, starts, index):
            cuts.append(index)
    return [list(sentence[begin:end]) for begin, end in zip(cuts, [*cuts[1:], len(sentence)], strict=True)]


def _new_order(sentence: Sequence[Word], starts: Sequence[bool], index: int) -> bool:
    word = sentence[index]
    if word.key not in COORDINATORS and not ("," in word.gap or "\u2014" in word.gap or " - " in word.gap):
        return False
    follows = index + 1 if word.key in COORDINATORS else index
    last = min(len(sentence), follows + _FILLED)
    while follows < last and sentence[follows].key in _LEADING:
        follows += 1
    if follows >= len(sentence):
        return False
    return (
        TELLS.begin(sentence, starts, follows) is not None
        or MAKES.begin(sentence, starts, follows) is not None
        or (sentence[follows].key in QUESTION_WORDS and word.key in COORDINATORS and follows > index)
    )


def _quoted_ranges(text: str) -> list[tuple[int, int]]:
    """Return from where to where `text` stands in quotation marks or in fences, in order."""
    found: list[tuple[int, int]] = []
    fence: int | None = None
    for match in _QUOTED.finditer(text):
        if match[0] == "```":
            if fence is not None:
                found.append((fence, match.start()))
            fence = match.end() if fence is None else None
        elif fence is None:
            found.append((match.start(), match.end()))
    return [*found, (fence, len(text))] if fence is not None else found
