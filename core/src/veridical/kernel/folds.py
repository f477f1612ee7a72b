"""Folds: the differences between a quote and the source that are passed over, each under its name.

    compare: the quote as it came, without outer space, without outer ellipses, with one level of entities decoded
        -> align: both texts walked together, grapheme cluster by cluster; equal runs are skipped, each difference needs a fold

A fold may find a span; it is never emitted. Nothing is passed over that stands for something: no space, hyphen, accent, mark or digit.
What the table does not name is a difference: NFKC, accents, look-alikes, other digits, other punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property

from veridical_contract import Model

from .policy import Policy
from .unicode import UnicodeTable, canonical, cluster_end, is_boundary

__all__ = ["QUOTED", "FoldTable", "align", "compare"]

QUOTED = r"(?:>(?:[ \t]+|(?=[>\n]|[^\W\d_]|\Z)))+"
"""What opens a line that repeats somebody else's words, once per level."""

_HYPHENS = "-\u2010"
_BLANK = re.compile(rf"\n[ \t\r]*(?:{QUOTED})?\n|\u2029")
_COLUMN = re.compile(r"..|[\t\n\r\u2028\u2029]", re.DOTALL)
_LINE = re.compile(rf"[{_HYPHENS}\u00ad]?[ \t\r]*\n(?:{QUOTED})?[ \t]*")
_LETTERS = re.compile(r"[^\W\d_]*")
_WORD = re.compile(r"[A-Za-z]+(?![^\W_])")
_LONGEST, _LEAST = 40, 3


class FoldTable(Model):
    """The tables of this module.

    Attributes:
        spaces: whitespace characters.
        width: wide forms, and the ASCII character that each stands for.
        typography: quotation marks and dashes, and the same.
        expansions: the ellipsis, long dashes and ligatures, and the characters that each stands for.
        entities: character references that a quote may carry.
        ellipses: that may stand around a quote.
        emphasis: words that may be written in capitals, none of them a name or an acronym.
        suspended: words before which a hyphen at a line's end is the author's.
        unjoined: what is never joined to the rest of a word after a line's end.
        words: words of their own: of two such a hyphen between them may be the author's.
    """

    spaces: str
    width: dict[str, str]
    typography: dict[str, str]
    expansions: dict[str, str]
    entities: dict[str, str]
    ellipses: tuple[str, ...]
    emphasis: frozenset[str]
    suspended: frozenset[str]
    unjoined: frozenset[str]
    words: frozenset[str]

    @cached_property
    def entity(self) -> re.Pattern[str]:
        """Any of the character references."""
        return re.compile("|".join(map(re.escape, self.entities)))

    @cached_property
    def outer(self) -> re.Pattern[str]:
        """A quote between two ellipses, either of which may be missing."""
        mark = "|".join(map(re.escape, self.ellipses))
        return re.compile(rf"(?:{mark})?(.*?)(?:{mark})?", re.DOTALL)


def compare(source: str, quote: str, policy: Policy) -> frozenset[str] | None:
    """Return the folds under which the whole of `quote` is the whole of `source`, or None when they differ."""
    for words, labels in _readings(quote, policy.table("folds", FoldTable)):
        found = align(source, words, policy)
        if found is not None:
            return found | labels
    return None


def align(source: str, quote: str, policy: Policy) -> frozenset[str] | None:
    """Return the folds under which both are the same characters, or None; what stands around a quote, and entities, are for `compare`."""
    walk = _Walk(source, quote, policy)
    while not walk.done():
        walk.skip_equal()
        if not walk.done() and not walk.fold():
            return None
    return frozenset(walk.labels)


def _readings(quote: str, table: FoldTable) -> Iterator[tuple[str, frozenset[str]]]:
    yield from _decoded(quote, frozenset(), table)
    words = quote.strip(table.spaces)
    trimmed = frozenset({"whitespace"} if words != quote else ())
    if trimmed:
        yield from _decoded(words, trimmed, table)
    outer = table.outer.fullmatch(words)
    if outer is not None and outer[1] != words:
        yield from _decoded(outer[1].strip(table.spaces), trimmed | {"outer-ellipsis-stripped"}, table)


def _decoded(words: str, labels: frozenset[str], table: FoldTable) -> Iterator[tuple[str, frozenset[str]]]:
    yield words, labels
    # Once: what decoding brings to light is a character of its own.
    decoded = table.entity.sub(lambda found: table.entities[found.group()], words)
    if decoded != words:
        yield decoded, labels | {"entity"}


@cache
def _ignorable(policy: Policy) -> re.Pattern[str]:
    return re.compile(f"[{policy.table('unicode', UnicodeTable).ignorable}]+")


@cache
def _spaces(policy: Policy) -> re.Pattern[str]:
    space, unseen = re.escape(policy.table("folds", FoldTable).spaces), policy.table("unicode", UnicodeTable).ignorable
    return re.compile(rf"[{space}](?:[{unseen}]*[{space}]|(?<=\n){QUOTED})*")


class _Walk:
    """A place in each text, always between two clusters, and the folds that were needed to come there."""

    def __init__(self, source: str, quote: str, policy: Policy) -> None:
        self.labels: set[str] = set()
        self._source, self._quote = source, quote
        self._at = self._to = 0
        self._policy = policy
        self._table = policy.table("folds", FoldTable)
        self._kind = policy.table("unicode", UnicodeTable).kind

    def done(self) -> bool:
        return self._at == len(self._source) and self._to == len(self._quote)

    def fold(self) -> bool:
        """Pass over one difference; False when there is no fold for it."""
        return self._space() or self._break() or self._unseen() or self._expansion() or self._emphasis() or self._cluster()

    def skip_equal(self) -> None:
        """Pass over what both have, back to the last place where a difference can begin."""
        left, right = self._source[self._at :], self._quote[self._to :]
        size = next(
            (index for index, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), min(len(left), len(right))
        )
        while size and not (size == len(left) == len(right) or self._is_sound(self._at + size, self._to + size)):
            size -= 1
        self._move(size, size)

    def _is_sound(self, at: int, to: int) -> bool:
        whole = is_boundary(self._source, at, self._policy) and is_boundary(self._quote, to, self._policy)
        return whole and self._source[at - 1] not in self._table.spaces

    def _move(self, by: int, beside: int, *labels: str) -> bool:
        self._at += by
        self._to += beside
        self.labels.update(labels)
        return True

    def _is(self, major: str, text: str, at: int) -> bool:
        """Whether there is a character of the category at `at`."""
        return 0 <= at < len(text) and self._kind(text[at]).category[0] in major

    def _both(self, pattern: re.Pattern[str]) -> tuple[str, str]:
        return _found(pattern.match(self._source, self._at)), _found(pattern.match(self._quote, self._to))

    def _between_digits(self, end: int) -> bool:
        return self._is("N", self._source, self._at - 1) and self._is("N", self._source, end)

    def _space(self) -> bool:
        run, other = self._both(_spaces(self._policy))
        columns = (_COLUMN.match(run) is None) != (_COLUMN.match(other) is None)
        if not run or not other or (columns and self._between_digits(self._at + len(run))):
            return False
        labels = () if run == other else ("whitespace",) if _BLANK.search(run) is None else ("whitespace", "whitespace:block")
        return self._move(len(run), len(other), *labels)

    def _unseen(self) -> bool:
        run, other = self._both(_ignorable(self._policy))
        if not run + other or self._between_digits(self._at + len(run)):
            return False
        return self._move(len(run), len(other), *("soft-hyphen" if char == "\u00ad" else "invisible" for char in run + other))

    def _break(self) -> bool:
        """A word that the source breaks at the end of a line: the hyphen kept without the break, or both left out."""
        line = _LINE.match(self._source, self._at)
        if line is None or self._is("P", self._quote, self._to):  # another sort of hyphen is there, and so is the break
            return False
        kept = self._source[self._at] not in f"{_HYPHENS}\u00ad"
        before = self._at - 1 if kept else self._at
        left = _found(_LETTERS.match(self._source[max(0, before - _LONGEST) : before][::-1]))[::-1]
        right = _found(_LETTERS.match(self._source, line.end()))
        if kept:
            sound = self._source[before] in _HYPHENS and right.lower() not in self._table.suspended
        else:
            sound = self._source[before] == "\u00ad" or self._is_one_word(left, right)
        return bool(left and right) and sound and self._move(len(line.group()), 0, "linebreak" if kept else "dehyphenated")

    def _is_one_word(self, left: str, right: str) -> bool:
        """Whether a hyphen between the two can only be the typesetter's."""
        one, other = left.lower(), right.lower()
        plain = min(len(left), len(right)) >= _LEAST and left[1:] == one[1:] and right.islower()
        return plain and one not in self._table.unjoined and not {one, other} <= self._table.words

    def _expansion(self) -> bool:
        for text, at, other, to in ((self._source, self._at, self._quote, self._to), (self._quote, self._to, self._source, self._at)):
            full = self._table.expansions.get(text[at : at + 1], "")
            end = to + len(full)
            if full and other.startswith(full, to) and is_boundary(text, at + 1, self._policy) and is_boundary(other, end, self._policy):
                by, beside = (1, len(full)) if text is self._source else (len(full), 1)
                return self._move(by, beside, "ligature" if full.isalpha() else "typography")
        return False

    def _emphasis(self) -> bool:
        mine, theirs = self._both(_WORD)
        known = mine.lower() == theirs.lower() and mine.lower() in self._table.emphasis and not self._is("LMN", self._source, self._at - 1)
        cases = mine.isupper() != theirs.isupper() and mine.islower() != theirs.islower()
        return known and cases and self._move(len(mine), len(mine), "case")

    def _cluster(self) -> bool:
        if self._at == len(self._source) or self._to == len(self._quote):
            return False
        mine = self._source[self._at : cluster_end(self._source, self._at, self._policy)]
        theirs = self._quote[self._to : cluster_end(self._quote, self._to, self._policy)]
        one, other, labels = mine, theirs, list[str]()
        table, policy = self._table, self._policy
        folds: dict[str, Callable[[str], str]] = {
            "invisible": self._seen,
            "nfc": lambda cluster: canonical(cluster, policy),
            "width": lambda cluster: table.width.get(cluster, cluster),
            "typography": lambda cluster: table.typography.get(cluster, cluster),
        }
        for label, fold in folds.items():
            folded = fold(one), fold(other)
            if one != other and folded != (one, other):
                one, other = folded
                labels.append(label)
        if one != other and self._may_differ_in_case(one, other):
            one = other
            labels.append("case")
        return one == other and self._move(len(mine), len(theirs), *labels)

    def _may_differ_in_case(self, one: str, other: str) -> bool:
        """Whether this is the first letter of the quote, and one in two cases."""
        settled = len(one) == len(other) == 1 and self._kind(one).settled and self._kind(other).settled
        first = not any(self._is("LN", self._quote, index) for index in range(self._to))
        return settled and first and one.lower() == other.lower()

    def _seen(self, cluster: str) -> str:
        # Tags after a pictograph are a flag: another flag, another country.
        tagged = "\U000e0020" <= cluster[-1] <= "\U000e007f" and self._kind(cluster[0]).pictographic
        return cluster if tagged else _ignorable(self._policy).sub("", cluster)


def _found(match: re.Match[str] | None) -> str:
    return match.group() if match is not None else ""
