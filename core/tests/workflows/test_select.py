"""What is selected, why, and how much of the question it covers."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.workflows.select import Selection, SelectionInput, coverage, focus, select
from veridical.workflows.terms import query_terms

QUESTION = query_terms("battery life")
WORDS = ("battery", "life", "screen", "case", "button", "cable", "charger", "warm", "light", "heavy")


def passage(document: int, text: str, score: float = 0.0, *, start: int = 0, vector: tuple[float, ...] | None = None) -> SelectionInput:
    return SelectionInput(f"d{document:03d}", start, start + len(text), text, score, vector)


def distinct(number: int, *, related: bool = True) -> SelectionInput:
    """A passage like no other of these, the better the smaller its number."""
    return passage(number, f"{'battery' if related else 'gadget'} word{number} other{number} third{number}", -float(number))


def chosen(selection: Selection, reason: str) -> list[str]:
    return [found.document for found, why in zip(selection.selected, selection.reasons, strict=True) if why == reason]


@st.composite
def candidates(draw: st.DrawFn) -> list[SelectionInput]:
    vectors = st.tuples(st.floats(-1, 1), st.floats(-1, 1)) | st.none()
    texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
    return [
        passage(draw(st.integers(0, 12)), draw(texts), draw(st.floats(-5, 5)), start=draw(st.integers(0, 60)), vector=draw(vectors))
        for _ in range(draw(st.integers(0, 25)))
    ]


@given(candidates(), st.integers(1, 12), st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_changes_nothing(found: list[SelectionInput], limit: int, seed: int, chance: Random) -> None:
    found = list({one.key: one for one in found}.values())
    shuffled = list(found)
    chance.shuffle(shuffled)
    expected = select(found, QUESTION, (1.0, 0.0), limit=limit, seed=seed)
    assert expected == select(shuffled, QUESTION, (1.0, 0.0), limit=limit, seed=seed)


@given(candidates(), st.integers(1, 12), st.integers(0, 3))
def test_a_selection_keeps_its_limits(found: list[SelectionInput], limit: int, seed: int) -> None:
    selection = select(found, QUESTION, (1.0, 0.0), limit=limit, seed=seed)
    keys = [one.key for one in selection.selected]
    assert len(keys) == len(selection.reasons) == len(set(keys)) <= limit
    assert set(keys) <= {one.key for one in found}
    for one, reason in zip(selection.selected, selection.reasons, strict=True):
        assert ("battery" in one.text or "life" in one.text) == (reason != "random-unrelated")
    for document in {one.document for one in selection.selected}:
        spans = sorted((one.start, one.end) for one in selection.selected if one.document == document)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_the_places_are_shared_between_fused_lexical_and_random() -> None:
    found = [distinct(number) for number in range(60)]
    selection = select(found, QUESTION, None, limit=20, seed=1)
    assert {"fused": 12, "lexical": 5, "random": 3} == Counter(selection.reasons)
    assert [f"d{number:03d}" for number in range(17)] == chosen(selection, "fused") + chosen(selection, "lexical")


def test_the_lexical_share_goes_to_what_the_embedding_would_have_left_out() -> None:
    """Ten far from the question by embedding, and best by words; fifty the other way round."""
    far = [passage(number, f"battery a{number} b{number} c{number}", 100.0 - number, vector=(-1.0, 0.0)) for number in range(10)]
    near = [passage(number, f"battery life e{number} f{number} g{number}", -float(number), vector=(1.0, 0.0)) for number in range(10, 60)]
    selection = select([*near, *far], QUESTION, (1.0, 0.0), limit=20, seed=1)
    best_by_words = [one.document for one in far if one.document not in chosen(selection, "fused")]
    assert best_by_words[:5] == chosen(selection, "lexical")


def test_the_embedding_moves_what_it_finds_near_forward() -> None:
    found = [
        passage(number, f"battery a{number} b{number} c{number}", -float(number), vector=(1.0 if number == 8 else -1.0, 0.0))
        for number in range(40)
    ]
    assert "d008" not in chosen(select(found, QUESTION, None, limit=10, seed=1), "fused")
    assert "d008" in chosen(select(found, QUESTION, (1.0, 0.0), limit=10, seed=1), "fused")


def test_a_passage_that_holds_more_words_of_the_question_comes_before_one_that_scores_a_little_better() -> None:
    found = [passage(1, "batteries are for sale", 1.1), passage(2, "battery life of this model", 1.0), passage(3, "life without a battery")]
    assert "d002" == select(found, QUESTION, None, limit=1, seed=0).selected[0].document


def test_a_passage_without_a_word_of_the_question_is_selected_only_by_chance_and_marked() -> None:
    found = [distinct(number, related=number < 5) for number in range(40)]
    selection = select(found, QUESTION, None, limit=20, seed=3)
    assert {f"d{number:03d}" for number in range(5)} == set(chosen(selection, "fused"))
    assert {"fused": 5, "random-unrelated": 3} == Counter(selection.reasons)


def test_the_title_speaks_for_the_passage() -> None:
    untitled = distinct(1, related=False)
    titled = SelectionInput("d002", 0, 9, "two days.", 0.0, title="Battery life")
    assert ["d002"] == chosen(select([untitled, titled], QUESTION, None, limit=2, seed=0), "fused")


def test_chance_is_the_seed_and_nothing_else() -> None:
    found = [distinct(number) for number in range(100)]
    drawn = [chosen(select(found, QUESTION, None, limit=40, seed=seed), "random") for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert ["d091", "d035", "d071", "d056", "d072", "d042"] == drawn[0]


def test_near_duplicates_count_as_one_and_the_better_stays() -> None:
    text = "the battery life of the new model is a good deal longer than before by all accounts"
    found = [passage(1, text, 1.0), passage(2, f"{text} ...", 2.0), passage(3, "battery life differs with the screen", 0.5)]
    assert {"d002", "d003"} == {one.document for one in select(found, QUESTION, None, limit=10, seed=0).selected}


@pytest.mark.parametrize("text", ["battery", "of the", "Battery life"])
def test_short_passages_are_duplicates_only_when_they_say_the_same(text: str) -> None:
    found = [passage(1, text, 1.0), passage(2, f"{text}!", 2.0), passage(3, "life")]
    expected = {"d001", "d002"} if text == "of the" else {"d002"}
    assert expected == {one.document for one in select(found, QUESTION, None, limit=100, seed=0).selected} - {"d003"}


def test_many_documents_give_one_passage_each() -> None:
    first = [passage(number, f"battery a{number} b{number} c{number}", -float(number)) for number in range(30)]
    second = [passage(number, f"battery x{number} y{number} z{number}", 50.0 - number, start=500) for number in range(30)]
    selection = select([*first, *second], QUESTION, None, limit=20, seed=0)
    assert 20 == len({one.document for one in selection.selected})


def test_few_documents_may_give_several_passages_each_but_no_overlapping_ones() -> None:
    long = [passage(1, f"battery a{number} b{number} c{number}", -float(number), start=number * 10) for number in range(40)]
    selection = select(long, QUESTION, None, limit=10, seed=0)
    assert 10 == len(selection.selected)


def test_no_candidates_give_an_empty_selection() -> None:
    assert Selection((), ()) == select([], QUESTION, (1.0,), limit=5, seed=0)


def test_a_single_place_is_given_to_the_best() -> None:
    assert ["d000"] == chosen(select([distinct(number) for number in range(9)], QUESTION, None, limit=1, seed=0), "fused")


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit must be at least 1, got 0"):
        select([], QUESTION, None, limit=0, seed=0)


@pytest.mark.parametrize(
    ("passages", "together", "best"),
    [
        ((), 0, 0),
        (("nothing of it",), 0, 0),
        (("the battery",), 333, 333),
        (("the battery", "the BATTERIES", "battery"), 333, 333),
        (("the battery", "a long life", "and screens"), 1000, 333),
        (("a battery life", "the screen"), 1000, 666),
        (("battery life and screen",), 1000, 1000),
    ],
)
def test_coverage_is_of_all_passages_and_focus_of_the_best_one(passages: tuple[str, ...], together: int, best: int) -> None:
    asked = ("battery", "lif", "screen")
    assert (together, best) == (coverage(asked, passages), focus(asked, passages))


def test_a_question_without_terms_is_covered_by_nothing() -> None:
    assert (0, 0) == (coverage((), ("battery",)), focus((), ("battery",)))
