"""Indices and identifiers: exact lists only, each entry once, never from another numbering."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.indices import Admitted, IndexRefused, admit_ids, admit_indices

from core.tests.kernel import lying

ONE_TO_THREE, ZERO_TO_TWO = range(1, 4), range(3)


class LyingInt(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class LyingList(list[Any]):
    def __iter__(self) -> Any:
        return iter([1])


@pytest.mark.parametrize(
    ("proposed", "available", "kept", "labels"),
    [
        ([1, 2, 3], ONE_TO_THREE, (1, 2, 3), set()),
        ([3, 1], ONE_TO_THREE, (3, 1), set()),
        ([0, 2], ZERO_TO_TWO, (0, 2), set()),
        ([1, 1, 1], ONE_TO_THREE, (1,), {"deduplicated"}),
        ([3, 1, 3], ONE_TO_THREE, (3, 1), {"deduplicated"}),
        ([1, 99], ONE_TO_THREE, (1,), {"invalid-index-removed"}),
        ([1, 4], ONE_TO_THREE, (1,), {"invalid-index-removed"}),
        ([0, 99], ZERO_TO_TWO, (0,), {"invalid-index-removed"}),
        ([2, 99, 2, 99], ONE_TO_THREE, (2,), {"deduplicated", "invalid-index-removed"}),
        ([1, 10**30], ONE_TO_THREE, (1,), {"invalid-index-removed"}),
        ([6], range(5, 8), (6,), set()),
        ([6, 3], range(5, 8), (6,), {"invalid-index-removed"}),
    ],
)
def test_indices_that_point_somewhere_are_kept_once_in_their_order(
    proposed: object, available: range, kept: tuple[int, ...], labels: set[str]
) -> None:
    assert admit_indices(proposed, available) == Admitted(kept, frozenset(labels))


@pytest.mark.parametrize(
    ("rule", "proposed", "available"),
    [
        ("index-none", [], ONE_TO_THREE),
        ("index-none", [4], ONE_TO_THREE),
        ("index-none", [99, 99], ONE_TO_THREE),
        ("index-none", [1], range(1, 1)),
        ("index-base", [0], ONE_TO_THREE),
        ("index-base", [0, 1, 2], ONE_TO_THREE),
        ("index-base", [1, 2, 3], ZERO_TO_TWO),
        ("index-base", [1], range(1)),
        ("index-base", [-1], ONE_TO_THREE),
        ("index-base", [1, -1], ONE_TO_THREE),
        ("index-base", [-1], ZERO_TO_TWO),
        ("index-base", [4, 5], range(5, 8)),
        ("index-type", [True], ONE_TO_THREE),
        ("index-type", [1, True], ONE_TO_THREE),
        ("index-type", [False], ZERO_TO_TWO),
        ("index-type", [1.0], ONE_TO_THREE),
        ("index-type", [1.5], ONE_TO_THREE),
        ("index-type", [float("nan")], ONE_TO_THREE),
        ("index-type", [float("inf")], ONE_TO_THREE),
        ("index-type", ["1"], ONE_TO_THREE),
        ("index-type", [1, "2"], ONE_TO_THREE),
        ("index-type", ["\u0661"], ONE_TO_THREE),
        ("index-type", ["\uff11"], ONE_TO_THREE),
        ("index-type", [" 1 "], ONE_TO_THREE),
        ("index-type", ["1-3"], ONE_TO_THREE),
        ("index-type", ["one"], ONE_TO_THREE),
        ("index-type", [None], ONE_TO_THREE),
        ("index-type", [[1]], ONE_TO_THREE),
        ("index-type", [(1,)], ONE_TO_THREE),
        ("index-type", [{"id": 1}], ONE_TO_THREE),
        ("index-type", [1 + 0j], ONE_TO_THREE),
        ("index-type", [b"1"], ONE_TO_THREE),
        ("index-type", [LyingInt(99)], ONE_TO_THREE),
        ("index-type", [lying.LyingInt(1)], ONE_TO_THREE),
        ("index-list-type", lying.LyingList([1]), ONE_TO_THREE),
        ("index-list-type", "[1][2]", ONE_TO_THREE),
        ("index-list-type", "1", ONE_TO_THREE),
        ("index-list-type", 1, ONE_TO_THREE),
        ("index-list-type", None, ONE_TO_THREE),
        ("index-list-type", (1, 2), ONE_TO_THREE),
        ("index-list-type", {1, 2}, ONE_TO_THREE),
        ("index-list-type", {"0": 1}, ONE_TO_THREE),
        ("index-list-type", range(1, 3), ONE_TO_THREE),
        ("index-list-type", LyingList([99]), ONE_TO_THREE),
    ],
)
def test_anything_else_is_refused_whole(rule: str, proposed: object, available: range) -> None:
    with pytest.raises(IndexRefused) as refused:
        admit_indices(proposed, available)
    assert refused.value.rule == rule


@pytest.mark.parametrize("proposed", [[2], [1, 2], [2, 99]])
def test_an_entry_that_was_taken_away_after_numbering_refuses_the_list(proposed: list[int]) -> None:
    with pytest.raises(IndexRefused, match="index-removed"):
        admit_indices(proposed, ONE_TO_THREE, frozenset({2}))
    assert admit_indices([1, 3], ONE_TO_THREE, frozenset({2})) == Admitted((1, 3), frozenset())


@pytest.mark.parametrize(
    ("proposed", "kept", "labels"),
    [
        (["a1", "b2"], ("a1", "b2"), set()),
        (["b2", "b2"], ("b2",), {"deduplicated"}),
        (["b2", "zz"], ("b2",), {"invalid-index-removed"}),
    ],
)
def test_identifiers_that_were_shown_are_kept(proposed: object, kept: tuple[str, ...], labels: set[str]) -> None:
    assert admit_ids(proposed, frozenset({"a1", "b2"})) == Admitted(kept, frozenset(labels))


@pytest.mark.parametrize("proposed", [[], ["zz"], ["A1"], [" a1"], [1], [True], [None], [["a1"]], "a1", ("a1",), None, {"a1"}])
def test_identifiers_that_were_not_shown_are_refused(proposed: object) -> None:
    with pytest.raises(IndexRefused):
        admit_ids(proposed, frozenset({"a1", "b2"}))


def test_a_string_that_claims_to_be_equal_is_no_identifier() -> None:
    lying = type("Lying", (str,), {"__eq__": lambda *_: True, "__hash__": lambda _: hash("a1")})("zz")
    with pytest.raises(IndexRefused, match="index-type"):
        admit_ids([lying], frozenset({"a1"}))


@given(st.lists(st.integers(-2, 12)), st.integers(0, 2), st.integers(0, 5), st.frozensets(st.integers(0, 7)))
def test_what_is_kept_is_a_subset_without_repetition_of_what_was_shown(
    proposed: list[int], base: int, size: int, removed: frozenset[int]
) -> None:
    try:
        kept, labels = admit_indices(proposed, range(base, base + size), removed)
    except IndexRefused:
        return
    assert kept
    assert list(kept) == [number for number in dict.fromkeys(proposed) if base <= number < base + size]
    assert removed.isdisjoint(proposed)
    assert ("deduplicated" in labels) == (len(set(proposed)) < len(proposed))
    assert ("invalid-index-removed" in labels) == (set(kept) != set(proposed))


@given(st.lists(st.integers(1, 5), min_size=1, unique=True), st.data())
def test_one_entry_of_another_type_spoils_the_list(proposed: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(proposed) - 1))
    other = data.draw(st.sampled_from([bool(proposed[at]), float(proposed[at]), str(proposed[at]), None, [proposed[at]]]))
    with pytest.raises(IndexRefused, match="index-type"):
        admit_indices([*proposed[:at], other, *proposed[at + 1 :]], range(1, 6))
