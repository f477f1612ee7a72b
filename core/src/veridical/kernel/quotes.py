"""Confirm a quote: do these words stand at this place of this text, cut where words may be cut, and long enough to say something?

The kernel never searches. Whoever searched proposes text, span and words; each rule below may refuse them, in this order: exact types, a
span inside the text, characters that a text may hold, hard boundaries and seams, sound cuts, the same words, length. What is released is
`text[start:end]`, never the words that were proposed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .boundaries import fault, skeleton
from .folds import FoldTable, compare
from .policy import Policy
from .sentences import clipped, injected, level, sentence
from .unicode import UnicodeTable

__all__ = ["Confirmed", "Refused", "confirm"]

Verdict = Literal["exact", "located", "clipped", "illustration"]

_CONTROL, _SURROGATE = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"), re.compile(r"[\ud800-\udfff]")
_SEAM = re.compile(r"\.\.\.|\u2026|\. \. \.")
_BEFORE_SEAM, _AFTER_SEAM = re.compile(r"\[?(?:\.\.\.|\u2026)"), re.compile(r"(?:\.\.\.|\u2026)\]?\Z")
_BLANK = re.compile(r"\n[ \t\r>]*\n|\u2029")
_BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LETTER = re.compile(r"[^\W\d_]+")
_LINE = re.compile(r"\n(?=[> ]*[^\s>])")
_GROUPED, _APART, _SAYING = re.compile(r"(?<=\d)\s(?=\d{3}\b)"), re.compile(r"[\s\x03]+"), re.compile(r"[A-Za-z0-9\x01\x02]")
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 6


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A quote that stands in the text.

    Attributes:
        verdict: `exact`; `located` under `folds`; `clipped`: the cut changes what is said; `illustration`: too short to say something.
        start: first code point.
        end: one past the last.
        folds: differences between the proposed words and the text that were passed over, sorted.
        labels: what a reader must be told of the place and the cut, sorted; of text and span alone, whatever was proposed.
        sentence: start and end of the whole sentences that cover it.
    """

    verdict: Verdict
    start: int
    end: int
    folds: tuple[str, ...]
    labels: tuple[str, ...]
    sentence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Refused:
    """A quote that is not released; `rule` is the stable name of the reason."""

    rule: str


def confirm(
    text: str, start: int, end: int, quote: str, *, policy: Policy, snippet: bool = False, illustration: bool = False
) -> Confirmed | Refused:
    """Judge whether `quote` is `text[start:end]`; offsets are code points, half-open.

    Args:
        text: the visible text of a document, or its title.
        start: first code point.
        end: one past the last.
        quote: the words as they were proposed.
        policy: that judges.
        snippet: the text is a provider's excerpt, in which an ellipsis hides words.
        illustration: a quote below the minimum is kept, as an illustration.
    """
    rule = _malformed(text, start, end, quote) or _unsound(text, start, end, policy, snippet=snippet)
    if rule is not None:
        return Refused(rule)
    taken = text[start:end]
    folds = frozenset[str]() if taken == quote else compare(taken, quote, policy)
    whole = sentence(text, start, end, policy=policy)
    if folds is None or ("case" in folds and _lowers_a_name(text[whole[0] : start], taken, quote)):
        return Refused("differs")
    short = _is_short(taken, policy) and bool((text[:start] + text[end:]).strip(f"{policy.table('folds', FoldTable).spaces}\ufeff"))
    if short and not (illustration and _LETTER.search(taken)):
        return Refused("too-short")
    left_out = clipped(text, start, end, whole, policy=policy)
    supports_nothing = any(label != "clipped-context:unit" for label in left_out)
    verdict: Verdict = "illustration" if short else "clipped" if supports_nothing else "located" if folds else "exact"
    labels = {*left_out, *_notes(text, start, end, policy), *(["snippet-only"] if snippet else [])}
    if injected(text, *whole, policy=policy):
        labels.add("suspected-injection")
    return Confirmed(verdict, start, end, tuple(sorted(folds)), tuple(sorted(labels)), whole)


def _malformed(text: object, start: object, end: object, quote: object) -> str | None:
    # Exact types: a subclass may answer one thing now and another later, and True is not 1.
    if type(text) is not str or type(quote) is not str:
        return "not-a-string"
    if type(start) is not int or type(end) is not int:
        return "not-an-offset"
    if not 0 <= start <= end <= len(text):
        return "out-of-range"
    if start == end or not quote.strip():
        return "empty"
    if "\x1e" in text[start:end]:
        return "hard-boundary"
    for words in (quote, text[start:end]):
        if _CONTROL.search(words) is not None:
            return "control-character"
        if _SURROGATE.search(words) is not None:
            return "lone-surrogate"
    return None


def _unsound(text: str, start: int, end: int, policy: Policy, *, snippet: bool) -> str | None:
    lines = [start, *(start + found.end() for found in _LINE.finditer(text[start:end]))]
    if len({level(text, line) for line in lines}) > 1:
        return "hard-boundary"
    seams = _SEAM.search(text, start, end), _BEFORE_SEAM.match(text, end), _AFTER_SEAM.search(text[max(0, start - 4) : start])
    if snippet and any(seams):
        return "seam"
    return fault(text, start, end, policy)


def _lowers_a_name(left: str, taken: str, quote: str) -> bool:
    """Whether a capital was made small that does not only open a sentence: it is a name's."""
    mine, theirs = ("".join(_LETTER.findall(side))[:2] for side in (taken, quote))
    return mine[:1].isupper() and theirs[:1].islower() and not mine[1:].isupper() and _LETTER.search(left) is not None


def _is_short(taken: str, policy: Policy) -> bool:
    image = _GROUPED.sub("", skeleton(taken, policy).replace("\x7f", ""))
    words = sum(_SAYING.search(word) is not None for word in _APART.split(image))
    if words >= _LEAST_WORDS:
        return False
    kinds = map(policy.table("unicode", UnicodeTable).kind, taken)
    return sum(kind.category[0] == "L" and (kind.spaceless or kind.cluster in ("L", "LV", "LVT")) for kind in kinds) < _LEAST_CHARACTERS


def _notes(text: str, start: int, end: int, policy: Policy) -> list[str]:
    taken = text[start:end]
    notes = {
        "quoted-not-authored": level(text, start) > 0,
        "whitespace:block": _BLANK.search(taken) is not None,
        "bidi-escaped": _BIDI.search(taken) is not None,
        "soft-hyphen": "\u00ad" in taken,
        "invisible": _hidden(policy).search(taken) is not None,
    }
    return [note for note, found in notes.items() if found]


@cache
def _hidden(policy: Policy) -> re.Pattern[str]:
    """What is not seen and may carry something: not a joiner or a variation selector at its work, and not what has a label of its own."""
    unseen = policy.table("unicode", UnicodeTable).ignorable
    return re.compile(
        rf"(?!{_BIDI.pattern}|[\u00ad\u200c\u200d\ufe0e\ufe0f])[{unseen}]|[\u200c\u200d\ufe0e\ufe0f]{{2,}}|(?<=[A-Za-z])[\u200c\u200d]"
    )
