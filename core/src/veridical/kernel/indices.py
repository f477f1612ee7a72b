"""Indices and identifiers that point into a list that was shown.

Only a list of exact ints (or exact strings) is read. An entry that points nowhere is left out with a label; a list that shows another
numbering (a zero where counting began at one, the end where it began at zero, a removed entry) is refused whole, because its other entries
may point to the wrong neighbour.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar, cast

__all__ = ["Admitted", "IndexRefused", "admit_ids", "admit_indices"]

_T = TypeVar("_T", int, str)


class IndexRefused(ValueError):  # noqa: N818 - the name says what happened to the list
    """Nothing of a list can be used. `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Admitted(NamedTuple, Generic[_T]):
    """What points somewhere, each once, in the order of first mention; labels `deduplicated`, `invalid-index-removed`."""

    kept: tuple[_T, ...]
    labels: frozenset[str]


def admit_indices(proposed: object, available: range, removed: frozenset[int] = frozenset()) -> Admitted[int]:
    """Return the indices of `proposed` that are in `available`, the numbering that was shown (`range(1, 4)`: three entries from 1).

    Args:
        proposed: from a model; must be exactly a list of exact ints.
        available: the numbering.
        removed: numbers of it whose entry was taken away after numbering.

    Raises:
        IndexRefused: not such a list, another numbering, or nothing left.
    """
    numbers = _exact(proposed, int)
    if any(number < 0 or number == available.start - 1 for number in numbers):
        raise IndexRefused("index-base")
    if available.start == 0 and available.stop in numbers:
        raise IndexRefused("index-base")
    if removed.intersection(numbers):
        raise IndexRefused("index-removed")
    return _present(numbers, frozenset(available))


def admit_ids(proposed: object, shown: frozenset[str]) -> Admitted[str]:
    """Return the identifiers of `proposed`, exactly a list of exact strings, that were shown.

    Raises:
        IndexRefused: not such a list, or nothing left.
    """
    return _present(_exact(proposed, str), shown)


def _exact(proposed: object, kind: type[_T]) -> list[_T]:
    if type(proposed) is not list:
        raise IndexRefused("index-list-type")
    # Copied before it is checked: what is checked is what is used.
    entries = list(cast("list[object]", proposed))
    if any(type(entry) is not kind for entry in entries):
        raise IndexRefused("index-type")
    return cast("list[_T]", entries)


def _present(entries: list[_T], available: frozenset[_T]) -> Admitted[_T]:
    distinct = dict.fromkeys(entries)
    kept = tuple(entry for entry in distinct if entry in available)
    if not kept:
        raise IndexRefused("index-none")
    found = {"deduplicated": len(distinct) < len(entries), "invalid-index-removed": len(kept) < len(distinct)}
    return Admitted(kept, frozenset(label for label, true in found.items() if true))
