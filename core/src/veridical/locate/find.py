"""Find where a quote stands. Untrusted and clever: it proposes spans, and the kernel confirms or refuses each one.

    exact:   str.find, every occurrence
    anchored: a word of the quote is found as it stands, and only a window of the source around it is compared by skeleton
    whole:   the skeleton of the whole text, only where folds may have touched every anchor (text that is not plain ASCII, or is hyphenated)

A skeleton is what is left of a text without spaces, ignorables and the differences that folds pass over; it is lossy on purpose, keeps for
every character the place it came from, and decides nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.kernel.policy import Policy
from veridical.kernel.quotes import Confirmed, Refused, confirm
from veridical.kernel.unicode import cluster_end, is_boundary

__all__ = ["Located", "Miss", "locate"]

_ANCHORS = 3
_PLACES = 200
"""How many occurrences of an exact quote or of an anchor are looked at."""
_SLACK = 80
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    }
)
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'", "&nbsp;": " "}
_ENTITY = re.compile("|".join(map(re.escape, _ENTITIES)))
_OUTER = re.compile(r"\A\s*(?:\.\.\.|\u2026|\[(?:\.\.\.|\u2026)\])?\s*(.*?)\s*(?:\.\.\.|\u2026|\[(?:\.\.\.|\u2026)\])?\s*\Z", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9]{2,}")
_BROKEN = re.compile(r"[-\u2010\u00ad][ \t\r]*\n")
_QUOTED_LINE = re.compile(r"\n[ \t]*(?:>[ \t]?)+")


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

    Whole before clipped, the author's own words before quoted ones, exact before folded, early before late.
    """
    rule = "not-found"
    found: dict[tuple[int, int], Confirmed] = {}
    for places in (_exact(text, quote), _anchored(text, quote, policy), _whole(text, quote, policy)):
        for start, end in places:
            verdict = confirm(text, start, end, quote, policy=policy, snippet=snippet, illustration=illustration)
            if isinstance(verdict, Refused):
                rule = verdict.rule if rule in ("not-found", "differs") else rule
            else:
                found[verdict.start, verdict.end] = verdict
        if found:
            return Located(min(found.values(), key=_preference), len(found))
    return Miss("not-found" if rule == "differs" else rule)


def _preference(confirmed: Confirmed) -> tuple[bool, bool, bool, int]:
    return (
        confirmed.verdict in ("clipped", "illustration"),
        "quoted-not-authored" in confirmed.labels,
        bool(confirmed.folds),
        confirmed.start,
    )


def _exact(text: str, quote: str) -> Iterator[tuple[int, int]]:
    at = text.find(quote) if quote else -1
    for _ in range(_PLACES):
        if at < 0:
            return
        yield at, at + len(quote)
        at = text.find(quote, at + 1)


def _anchored(text: str, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    """Windows around the longest words of the quote that stand in the text as they are."""
    inner = _inner(quote)
    words = sorted({*_WORD.findall(inner)}, key=lambda word: (-len(word), word))
    seen: set[int] = set()
    for word in [word for word in words if word in text][:_ANCHORS]:
        for at, _ in _exact(text, word):
            start, end = max(0, at - len(inner) - _SLACK), min(len(text), at + len(inner) + _SLACK)
            if start in seen:
                continue
            seen.add(start)
            yield from _by_skeleton(text, start, end, inner, policy)


def _whole(text: str, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    if not text.isascii() or not quote.isascii() or _BROKEN.search(text) is not None:
        yield from _by_skeleton(text, 0, len(text), _inner(quote), policy)


def _inner(quote: str) -> str:
    found = _OUTER.match(quote)
    inner = found[1] if found is not None and found[1] else quote
    return _ENTITY.sub(lambda entity: _ENTITIES[entity.group()], inner)


def _by_skeleton(text: str, start: int, end: int, quote: str, policy: Policy) -> Iterator[tuple[int, int]]:
    window = text[start:end]
    for joined in (False, True):
        bones, places = _skeleton(window, joined=joined)
        wanted, _ = _skeleton(quote, joined=False)
        at = bones.find(wanted) if wanted else -1
        for _ in range(_PLACES):
            if at < 0:
                break
            first, last = start + places[at], start + places[at + len(wanted) - 1]
            yield _edges(text, first, last, policy)
            at = bones.find(wanted, at + 1)
        if _BROKEN.search(window) is None:
            return


def _edges(text: str, first: int, last: int, policy: Policy) -> tuple[int, int]:
    """The span from the cluster of the first bone to the end of the cluster of the last."""
    while not is_boundary(text, first, policy):
        first -= 1
    return first, cluster_end(text, last, policy)


def _skeleton(text: str, *, joined: bool) -> tuple[str, list[int]]:
    """Return the bones of `text` and the place of each; with `joined`, a hyphen at a line's end is left out with the break."""
    bones: list[str] = []
    places: list[int] = []
    skipped = {at for found in _BROKEN.finditer(text) for at in range(found.start(), found.end())} if joined else set[int]()
    skipped.update(at for found in _QUOTED_LINE.finditer(text) for at in range(found.start(), found.end()))
    for at, character in enumerate(text):
        if at in skipped:
            continue
        for bone in _bones(character):
            bones.append(bone)
            places.append(at)
    return "".join(bones), places


def _bones(character: str) -> str:
    if character < "\x80":
        return "" if character.isspace() else character.lower()
    if character.isspace() or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    plain = unicodedata.normalize("NFKD", character.translate(_TYPOGRAPHY)).lower()
    return "".join(bone for bone in plain if not bone.isspace() and unicodedata.category(bone) not in ("Cf", "Mn", "Me"))
