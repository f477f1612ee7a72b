"""Spans that carry their unit: converted exactly, or refused. Never rounded, clamped, stripped or wrapped."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from .policy import Policy
from .unicode import is_boundary

__all__ = ["SpanError", "overlap", "to_codepoints", "union"]

_ENCODINGS = {"utf8": ("utf-8", 1), "utf16": ("utf-16-le", 2)}


class SpanError(ValueError):
    """A span is not one of this text. `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def to_codepoints(text: str, start: object, end: object, unit: object, *, policy: Policy, expected: object = None) -> tuple[int, int]:
    """Return a half-open span of `text` in code points.

    Args:
        text: that the span is of.
        start: first, exactly an int, in `unit`.
        end: one past the last, exactly an int, in `unit`.
        unit: `codepoint`, `utf8` (bytes) or `utf16` (code units).
        policy: whose grapheme clusters count.
        expected: the text that the span is said to hold, where the provider sends one; it must be exactly that.

    Raises:
        SpanError: it is none, lies outside, is empty, cuts a character or a grapheme cluster, or holds other text.
    """
    if type(start) is not int or type(end) is not int:
        raise SpanError("span-type")
    if start < 0 or end <= start:
        raise SpanError("span-empty")
    if unit == "codepoint" and type(unit) is str:
        first, last = start, end
    elif type(unit) is str and unit in _ENCODINGS:
        first, last = _converted(text, start, end, *_ENCODINGS[unit])
    else:
        raise SpanError("span-unit")
    if last > len(text):
        raise SpanError("span-outside")
    if expected is not None and (type(expected) is not str or text[first:last] != expected):
        raise SpanError("span-text-differs")
    if not (is_boundary(text, first, policy) and is_boundary(text, last, policy)):
        raise SpanError("inside-grapheme")
    return first, last


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two half-open spans share a character: touching is not overlapping."""
    return max(one[0], other[0]) < min(one[1], other[1])


def union(spans: Iterable[tuple[int, int]]) -> tuple[tuple[tuple[int, int], ...], frozenset[str]]:
    """Return spans as a set in ascending order; labels: `deduplicated` when one came twice, `overlap` when two share characters."""
    given = list(spans)
    distinct = sorted(set(given))
    labels = {"deduplicated"} if len(distinct) < len(given) else set[str]()
    if any(overlap(one, other) for one, other in pairwise(distinct)):
        labels.add("overlap")
    return tuple(distinct), frozenset(labels)


def _converted(text: str, start: int, end: int, encoding: str, width: int) -> tuple[int, int]:
    data = text.encode(encoding)
    if end * width > len(data):
        raise SpanError("span-outside")
    try:
        return len(data[: start * width].decode(encoding)), len(data[: end * width].decode(encoding))
    except UnicodeDecodeError:
        raise SpanError("inside-character") from None
