"""Say what is wrong with a quote that was not located. A diagnosis is help for a person: it can admit nothing.

no document -> not-shown
found, but short -> too-short; found in another document -> misattributed
parts found apart (joined by an ellipsis, by brackets or by nothing) -> stitched
most of its words in one place -> altered, with a word diff from the document to the quote
otherwise -> not-found, which is not refuted

`diagnose` is told the cited document; `compare` looks for the nearest passage and for parts in several texts, none of which holds the
quote. Both weigh words: those of more than three letters say most, punctuation says little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal
from unicodedata import normalize

from veridical.kernel.policy import Policy

from .find import Located, locate

__all__ = ["Diagnosis", "Fragment", "Searched", "compare", "diagnose", "word_diff"]

_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]+|[^\w\s]")
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]+")
_JOINT = re.compile(r"\[[^\]]*\]|\(\.{3,}\)|\(\u2026\)|\.{3,}|\u2026")
_ALIKE = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bc", "'") | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'))
_NEAR, _ALTERED, _SHOWN = 0.75, 0.6, 0.4
"""Shares of common words from which a passage is surely, and perhaps, the one that was altered, and from which it is worth a look."""
_LOOKED_INTO = 6
"""How many of the stretches that share the most words with a quote are compared with it word by word."""
_PART, _PARTS = 3, 4
"""Words that a part has at least, and parts that a quote is taken apart into at most."""
_STRETCH = 40
"""Words of one stretch of a long text that is looked into, beside those of the quote."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a quote, and where it stands.

    Attributes:
        document: identifier; None for the cited document.
        start: first code point.
        end: one past the last.
    """

    document: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with a quote.

    Attributes:
        verdict: as `veridical check` shows it.
        rule: the kernel's rule for the nearest place, or `not-found`.
        document: the other document, when it is misattributed, or that of the nearest passage; None for the cited one.
        author: of that document, when known.
        passage: start and end, in code points, of the nearest passage, or of the place in the other document.
        diff: words in order: `same`, `missing` (only in the document) or `added` (only in the quote).
        fragments: the parts of a stitched quote, in its order.
    """

    verdict: Literal["altered", "misattributed", "stitched", "too-short", "not-found", "not-shown"]
    rule: str
    document: str | None = None
    author: str | None = None
    passage: tuple[int, int] | None = None
    diff: tuple[tuple[str, str], ...] = ()
    fragments: tuple[Fragment, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """A text that does not hold the quote.

    Attributes:
        document: identifier; None for the cited document.
        text: of it.
        windows: half-open stretches in which the nearest passage is looked for; everywhere when there are none.
    """

    document: str | None
    text: str
    windows: tuple[tuple[int, int], ...] = field(default=())


def diagnose(quote: str, cited: str | None, others: Iterable[tuple[str, str | None, str]], *, policy: Policy) -> Diagnosis:
    """Return what is wrong with `quote`.

    Args:
        quote: as it was proposed.
        cited: text of the document that it is said to stand in; None when there is no such document.
        others: identifier, author and text of the other documents that were shown.
        policy: that judges.

    Raises:
        ValueError: nothing is wrong: the quote stands in the cited document.
    """
    if cited is None:
        return Diagnosis("not-shown", "not-shown")
    missed = locate(cited, quote, policy=policy)
    if isinstance(missed, Located):
        raise ValueError("diagnose() is for quotes that were not located, and this one stands in the cited document; use locate()")  # noqa: TRY004 - the words are wrong, not their type
    if missed.rule in ("not-a-string", "too-short"):
        return Diagnosis("too-short" if missed.rule == "too-short" else "not-found", missed.rule)
    elsewhere = list(others)
    for document, author, text in elsewhere:
        found = locate(text, quote, policy=policy)
        if isinstance(found, Located):
            return Diagnosis("misattributed", missed.rule, document, author, (found.start, found.end))
    parts = [Searched(document, text) for document, _, text in elsewhere]
    return compare(quote, [Searched(None, cited)], parts, rule=missed.rule, policy=policy)


def compare(quote: str, near: Sequence[Searched], parts: Sequence[Searched], *, rule: str, policy: Policy) -> Diagnosis:
    """Return `altered`, `stitched` or `not-found` for a quote that stands in none of the texts.

    Args:
        quote: as it was proposed.
        near: texts in which the nearest passage is looked for, the likelier first.
        parts: further texts in which only a part of it may stand.
        rule: the kernel's rule for the nearest place; another one than `not-found` says that its words stand there.
        policy: that judges.
    """
    nearest = _nearest(near, quote)
    share = nearest.share if nearest is not None else 0.0
    where = (nearest.document, nearest.passage) if nearest is not None and share >= _SHOWN else (None, None)
    if _JOINT.search(quote.strip(". \u2026")) is not None or share < _NEAR:
        fragments = _fragments(quote, [*near, *parts], policy)
        if fragments:
            return Diagnosis("stitched", rule, where[0], passage=where[1], fragments=fragments)
    if nearest is not None and (share >= _ALTERED or rule != "not-found"):
        return Diagnosis("altered", rule, nearest.document, passage=nearest.passage, diff=nearest.diff(quote))
    return Diagnosis("altered" if rule != "not-found" else "not-found", rule, where[0], passage=where[1])


# Parts


def _fragments(quote: str, texts: Sequence[Searched], policy: Policy) -> tuple[Fragment, ...]:
    """Where the parts stand that a quote was put together of: at its joints, or of stretches of words; empty when one stands nowhere."""
    for parts in filter(None, (_joined(quote), _divided(quote, texts))):
        found = [_fragment(part, texts, policy) for part in parts]
        if all(found):
            return tuple(filter(None, found))
    return ()


def _joined(quote: str) -> list[str]:
    joint = _JOINT.search(quote) is not None
    return [part.strip() for part in _JOINT.split(quote) if part.strip(" .,;")] if joint else []


def _divided(quote: str, texts: Sequence[Searched]) -> list[str]:
    """The quote as few stretches of words, each of which may stand in one of the texts; empty when there is no such division."""
    words = list(_WORD.finditer(quote))
    keys = [_key(word.group()).casefold() for word in words]
    ends: list[int] = []
    lines = [_line(_WORD.findall(text.text)) for text in texts]
    while (start := ends[-1] if ends else 0) < len(keys):
        end = max((_reach(keys, start, line) for line in lines), default=start)
        if 0 < len(keys) - end < _PART:
            end = len(keys) - _PART
        if end - start < _PART or len(ends) == _PARTS:
            return []
        ends.append(end)
    if len(ends) < 2:
        return []
    cuts = [0, *(words[end].start() for end in ends[:-1]), len(quote)]
    return [quote[first:last].strip() for first, last in pairwise(cuts)]


def _reach(keys: Sequence[str], start: int, line: str) -> int:
    """One past the last of the words from `start` that stand in the line one after the other."""
    low, high = start, len(keys)
    while low < high:
        middle = (low + high + 1) // 2
        if f" {' '.join(keys[start:middle])} " in line:
            low = middle
        else:
            high = middle - 1
    return low


def _line(words: Iterable[str]) -> str:
    return f" {' '.join(_key(word).casefold() for word in words)} "


def _fragment(part: str, texts: Sequence[Searched], policy: Policy) -> Fragment | None:
    for text in texts:
        found = locate(text.text, part, policy=policy, illustration=True)
        if isinstance(found, Located):
            return Fragment(text.document, found.start, found.end)
    return None


# The nearest passage


@dataclass(frozen=True, slots=True)
class _Nearest:
    share: float
    document: str | None
    text: str
    passage: tuple[int, int]

    def diff(self, quote: str) -> tuple[tuple[str, str], ...]:
        return word_diff(self.text[slice(*self.passage)], quote)


def word_diff(text: str, quote: str) -> tuple[tuple[str, str], ...]:
    """Return runs of words in order: `same`, `missing` (only in `text`) or `added` (only in `quote`), as they are written there."""
    (mine, places), (theirs, spots) = _tokens(text), _tokens(quote)
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return tuple(
        (op, words)
        for tag, a, b, c, d in matcher.get_opcodes()
        for op, words in (
            ("same" if tag == "equal" else "missing", _slice(text, places[a:b])),
            ("added", "" if tag == "equal" else _slice(quote, spots[c:d])),
        )
        if words
    )


def _nearest(texts: Sequence[Searched], quote: str) -> _Nearest | None:
    """The passage that has the greatest share of its words in common with the quote."""
    theirs, _ = _uncased(*_tokens(quote))
    wanted = Counter(theirs)
    stretches = [(text, *stretch) for text in texts for stretch in _stretches(text, len(theirs))]
    promising = sorted(stretches, key=lambda one: -_common(wanted, one[1]))[:_LOOKED_INTO]
    found = [one for text, mine, places in promising if (one := _aligned(text, mine, places, theirs)) is not None]
    return max(found, key=lambda one: one.share, default=None)


def _stretches(text: Searched, words: int) -> Iterator[tuple[list[str], list[tuple[int, int]]]]:
    """Overlapping stretches of words; none crosses a hard boundary."""
    length = 2 * words + _STRETCH
    for start, end in text.windows or ((0, len(text.text)),):
        for part in re.finditer("[^\x1e]+", text.text[start:end]):
            tokens, places = _uncased(*_tokens(part.group(), start + part.start()))
            for at in range(0, max(1, len(tokens) - length // 2), length // 2):
                yield tokens[at : at + length], places[at : at + length]


def _aligned(text: Searched, mine: list[str], places: list[tuple[int, int]], theirs: list[str]) -> _Nearest | None:
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    longest = matcher.find_longest_match()
    if not longest.size:
        return None
    slack = len(theirs) // 2 + 4
    low = max(0, longest.a - longest.b - slack)
    high = min(len(mine), longest.a + len(theirs) - longest.b + slack)
    blocks = [block for block in SequenceMatcher(None, mine[low:high], theirs, autojunk=False).get_matching_blocks() if block.size]
    # A full stop far behind the last common word is that of another clause.
    while len(blocks) > 1 and not any(word[0].isalnum() for word in theirs[blocks[-1].b : blocks[-1].b + blocks[-1].size]):
        blocks.pop()
    # What stands before the first common word of the quote was put there instead of as many words of the text; so after the last.
    first = _stepped(mine, low + blocks[0].a, -blocks[0].b)
    end = low + blocks[-1].a + blocks[-1].size
    last = _stepped(mine, end, len(theirs) - blocks[-1].b - blocks[-1].size)
    common = sum(_weight(word) for block in blocks for word in theirs[block.b : block.b + block.size])
    whole = sum(map(_weight, theirs)) + sum(map(_weight, mine[first:last]))
    return _Nearest(2 * common / whole, text.document, text.text, (places[first][0], places[last - 1][1]))


def _stepped(mine: Sequence[str], at: int, words: int) -> int:
    """The edge of the passage moved out by as many words, no further than the sentence goes."""
    step = 1 if words > 0 else -1
    for _ in range(abs(words)):
        beside = at if step > 0 else at - 1
        if not 0 <= beside < len(mine) or (mine[beside] in ".!?" and step < 0):
            break
        at += step
        if mine[beside] in ".!?":
            break
    return at


def _common(wanted: Counter[str], mine: Sequence[str]) -> float:
    return sum(_weight(word) * count for word, count in (wanted & Counter(mine)).items())


def _weight(token: str) -> float:
    if not token[0].isalnum():
        return 0.25
    return 1.0 if len(token) > 3 or token.isdigit() else 0.5


def _tokens(text: str, offset: int = 0) -> tuple[list[str], list[tuple[int, int]]]:
    found = list(_TOKEN.finditer(text))
    return [_key(token.group()) for token in found], [(offset + token.start(), offset + token.end()) for token in found]


def _uncased(tokens: list[str], places: list[tuple[int, int]]) -> tuple[list[str], list[tuple[int, int]]]:
    """Words written in capitals are near those that are not, though no quote of them."""
    return [token.casefold() for token in tokens], places


def _key(word: str) -> str:
    return word.translate(_ALIKE) if word.isascii() or len(word) == 1 else normalize("NFC", word)


def _slice(text: str, places: list[tuple[int, int]]) -> str:
    return text[places[0][0] : places[-1][1]] if places else ""
