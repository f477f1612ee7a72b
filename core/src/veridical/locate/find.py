"""Find where a quote stands. Untrusted and clever: it proposes spans, and the kernel confirms or refuses each one.

    exact:    str.find, every occurrence
    anchored: the rarest words of the quote are found as they stand, and only a window of the source around each is compared by its bones
    whole:    the bones of the whole text, only where it holds what may have touched every anchor (ligatures, marks, broken words)

The bones of a text are its letters and digits, taken apart and in one case: much less than any fold leaves, and quickly made. They decide
nothing. What stands around them is matched to the quote's by the kernel's own folds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from veridical.kernel.folds import FoldTable, align
from veridical.kernel.policy import Policy
from veridical.kernel.quotes import Confirmed, Refused, confirm
from veridical.kernel.unicode import cluster_end, is_boundary

__all__ = ["Located", "Miss", "locate"]

_ANCHORS = 4
_PLACES = 200
"""How many occurrences of a quote or of an anchor are looked at."""
_SLACK = 120
_EDGE = 12
_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W_]|[\u2100-\u214f]")
_NO_BONES = {code: None for code in range(128) if not chr(code).isalnum()}
_PART = 250
_LONG = 8
_TOUCHED = re.compile(
    r"[-\u2010\u00ad][ \t\r]*\n"
    r"|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufb00-\ufb06\ufe00-\ufe0f\ufeff\uff01-\uff5e]"
)


@dataclass(frozen=True, slots=True)
class Located:
    """Where a quote stands.

    Attributes:
        confirmed: the kernel's word.
        occurrences: how many places the kernel confirmed, at least one.
    """

    confirmed: Confirmed
    occurrences: int

    @property
    def start(self) -> int:
        """First code point."""
        return self.confirmed.start

    @property
    def end(self) -> int:
        """One past the last."""
        return self.confirmed.end


@dataclass(frozen=True, slots=True)
class Miss:
    """Why a quote was not located: the kernel's rule for the nearest place, or `not-found`."""

    rule: str


def locate(text: str, quote: str, *, policy: Policy, snippet: bool = False, illustration: bool = False) -> Located | Miss:
    """Return the best place at which the kernel confirms `quote` in `text`.

    Whole before clipped, the author's own words before repeated ones, exact before folded, early before late.
    """
    if type(quote) is not str:
        return Miss("not-a-string")
    rule = "not-found"
    found: dict[tuple[int, int], Confirmed] = {}
    for places in (_exact(text, quote), _anchored(text, quote, policy), _whole(text, quote, policy)):
        for start, end in dict.fromkeys(places):
            verdict = confirm(text, start, end, quote, policy=policy, snippet=snippet, illustration=illustration)
            if not isinstance(verdict, Refused):
                found[start, end] = verdict
            elif rule == "not-found" and verdict.rule != "differs":
                rule = verdict.rule
        if found:
            return Located(min(found.values(), key=_preference), len(found))
    return Miss(rule)


def _preference(confirmed: Confirmed) -> tuple[bool, bool, bool, int]:
    supports_nothing = confirmed.verdict in ("clipped", "illustration")
    return supports_nothing, "quoted-not-authored" in confirmed.labels, bool(confirmed.folds), confirmed.start


def _exact(text: str, words: str) -> Iterator[tuple[int, int]]:
    return islice(((found, found + len(words)) for found in _occurrences(text, words)), _PLACES)


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = text.find(words) if words else -1
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _anchored(text: str, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    for inner in _readings(quote, policy):
        for start, end in _windows(text, inner):
            yield from _by_bones(text, start, end, inner, policy)


def _windows(text: str, quote: str) -> Iterator[tuple[int, int]]:
    """Stretches of the text around its rarest words, each once for each word; a short text is one."""
    reach = len(quote) + _SLACK
    if len(text) <= 4 * reach:
        yield 0, len(text)
        return
    for anchor in _anchors(text, quote):
        seen = -1
        for at in islice(_occurrences(text, anchor), _PLACES):
            if at > seen:
                seen = at + reach
                yield max(0, at - reach), min(len(text), seen + reach)


def _whole(text: str, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    if _TOUCHED.search(text) is not None or not unicodedata.is_normalized("NFC", text):
        for inner in _readings(quote, policy):
            yield from _by_bones(text, 0, len(text), inner, policy)


def _readings(quote: str, policy: Policy) -> list[str]:
    """The quote as it is, and with its entities decoded, both without what stands around it."""
    table = policy.table("folds", FoldTable)
    outer = table.outer.fullmatch(quote.strip())
    inner = outer[1].strip() if outer is not None and outer[1].strip() else quote
    return list(dict.fromkeys((inner, table.entity.sub(lambda entity: table.entities[entity.group()], inner))))


def _anchors(text: str, quote: str) -> list[str]:
    """The rarest pieces of words that stand in the text: short enough for scripts without spaces, and without the first capital."""
    words = _WORD.findall(unicodedata.normalize("NFKC", _TOUCHED.sub(_apart, quote)))
    pieces = {word[at : at + _LONG] for word in words[1:] for at in range(0, len(word), _LONG)}
    pieces |= {word[at : at + _LONG] for word in words[:1] for at in range(len(word) > 1, len(word), _LONG)}
    counted = sorted((text.count(piece), -len(piece), piece) for piece in pieces if len(piece) > 1 or len(pieces) == 1)
    return [piece for count, _, piece in counted if count][:_ANCHORS]


def _apart(touched: re.Match[str]) -> str:
    """Ligatures and wide forms stay to be taken apart; what is not seen goes."""
    return touched.group() if "\ufb00" <= touched.group() <= "\uff5e" else ""


def _by_bones(text: str, start: int, end: int, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    window, wanted = text[start:end], _bones(quote)
    if not wanted or wanted not in (bones := _bones(window)):
        return
    places = [start + at for at, char in enumerate(window) for _ in (_bones(char) if char > "\x7f" else "x" if char.isalnum() else "")]
    for at in islice(_occurrences(bones, wanted), _PLACES):
        yield from _with_edges(text, places[at], cluster_end(text, places[at + len(wanted) - 1], policy), quote, policy)


def _with_edges(text: str, first: int, last: int, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    """The span from `first` to `last`, and what stands around the letters of the quote on either side of it."""
    letters = [found.start() for found in _LETTER.finditer(quote)]
    head, tail = quote[: letters[0]], quote[cluster_end(quote, letters[-1], policy) :]
    starts = (at for at in range(first, max(0, first - len(head) - _EDGE) - 1, -1) if _is_edge(text, at, text[at:first], head, policy))
    ends = (at for at in range(last, min(len(text), last + len(tail) + _EDGE) + 1) if _is_edge(text, at, text[last:at], tail, policy))
    yield next(starts, first), next(ends, last)


def _is_edge(text: str, at: int, between: str, words: str, policy: Policy) -> bool:
    return is_boundary(text, at, policy) and align(between, words, policy) is not None


def _bones(text: str) -> str:
    if text.isascii():
        return text.translate(_NO_BONES).lower()
    apart = unicodedata.normalize("NFKD", text)
    parts = (apart[at : at + _PART] for at in range(0, len(apart), _PART))
    # Most parts of most texts are ASCII, and those are read twenty times faster.
    return "".join(part.translate(_NO_BONES) if part.isascii() else "".join(filter(str.isalnum, part)) for part in parts).casefold()
