"""How passages are grouped."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.workflows.cluster import ClusterItem, cluster

TOPICS = {
    "bean": ("roast", "bean", "crop", "origin"),
    "brew": ("water", "filter", "pour", "kettle"),
    "cost": ("price", "pound", "shop", "cheap"),
    "milk": ("foam", "latte", "steam", "cream"),
}


def topical(each: int, *topics: str, vectors: bool = False) -> list[ClusterItem]:
    """Passages that share the question's term and, within a topic, two of its four terms with each other."""
    found: list[ClusterItem] = []
    for place, topic in enumerate(topics):
        direction = tuple(1.0 if axis == place else 0.0 for axis in range(len(topics))) if vectors else None
        for number in range(each):
            own = [TOPICS[topic][(number + step) % 4] for step in range(3)]
            found.append((f"{topic}{number:02d}", direction, ("coffee", *own, f"only{topic}{number}")))
    return found


def by_topic(groups: tuple[tuple[str, ...], ...]) -> list[set[str]]:
    return [{name[:4] for name in group} for group in groups]


@st.composite
def items(draw: st.DrawFn) -> list[ClusterItem]:
    names = draw(st.lists(st.text("abcdef", min_size=1, max_size=3), unique=True, max_size=24))
    terms = st.lists(st.sampled_from(sorted({term for found in TOPICS.values() for term in found})), max_size=6).map(tuple)
    vectors = st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))
    vector = vectors if draw(st.booleans()) else vectors | st.none() | st.just(())
    return [(name, draw(vector), draw(terms)) for name in names]


@given(items(), st.integers(1, 4), st.integers(4, 8))
def test_groups_are_apart_ordered_by_size_and_no_more_than_wanted(found: list[ClusterItem], minimum: int, maximum: int) -> None:
    groups = cluster(found, minimum=minimum, maximum=maximum)
    grouped = [name for group in groups for name in group]
    assert len(set(grouped)) == len(grouped)
    assert set(grouped) <= {name for name, _, _ in found}
    assert bool(groups) == bool(found)
    assert len(groups) <= (maximum if len(found) >= 12 else 3)
    assert [tuple(sorted(group)) for group in groups] == list(groups)
    assert sorted(groups, key=lambda group: (-len(group), group)) == list(groups)


@given(items(), st.data())
def test_the_order_of_the_items_changes_nothing(found: list[ClusterItem], data: st.DataObject) -> None:
    assert cluster(found) == cluster(data.draw(st.permutations(found)))


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("topics", [("bean", "brew", "cost"), ("bean", "brew", "cost", "milk")])
def test_passages_about_one_thing_come_together(topics: tuple[str, ...], vectors: bool) -> None:
    groups = cluster(topical(8, *topics, vectors=vectors))
    assert [{topic} for topic in topics] == by_topic(groups)
    assert [8] * len(topics) == [len(group) for group in groups]


def test_what_all_passages_share_holds_nothing_together() -> None:
    """The embedding says the same of all, and so does the one term that all hold."""
    found = [(name, (1.0, 0.0), terms) for name, _, terms in topical(8, "bean", "brew", "cost")]
    assert [{"bean"}, {"brew"}, {"cost"}] == by_topic(cluster(found))


def test_what_all_embeddings_share_does_not_drown_what_tells_them_apart() -> None:
    """All point almost the same way, and each passage shares one word with one of each other topic."""
    found: list[ClusterItem] = []
    for place, topic in enumerate(("bean", "brew", "cost")):
        direction = [10.0, 0.0, 0.0, 0.0]
        direction[place + 1] = 1.0
        unit = tuple(value / hypot(*direction) for value in direction)
        found.extend((f"{topic}{number}", unit, (f"one{number}", "and", f"two{(number + place) % 4}")) for number in range(4))
    assert [{"bean"}, {"brew"}, {"cost"}] == by_topic(cluster(found))


def test_the_embedding_groups_what_shares_no_word() -> None:
    found = [
        (f"{topic}{number}", (1.0, 0.1 * number, 0.0) if topic == "warm" else (0.0, 0.1 * number, 1.0), (f"{topic}{number}",))
        for topic in ("warm", "cold")
        for number in range(4)
    ]
    assert [{"cold"}, {"warm"}] == by_topic(cluster(found))


def test_the_larger_group_comes_first() -> None:
    groups = cluster([*topical(5, "bean"), *topical(9, "brew"), *topical(7, "cost")])
    assert [9, 7, 5] == [len(group) for group in groups]


def test_there_are_no_more_groups_than_the_maximum() -> None:
    assert 3 == len(cluster(topical(6, *TOPICS), maximum=3))


def test_a_passage_unlike_every_group_is_left_out() -> None:
    stray: ClusterItem = ("stray", None, ("nothing", "alike"))
    groups = cluster([*topical(6, "bean", "brew", "cost"), stray])
    assert 18 == sum(map(len, groups))
    assert "stray" not in {name for group in groups for name in group}


def test_a_leftover_joins_the_group_it_is_most_like() -> None:
    leftover: ClusterItem = ("late", None, ("coffee", "price", "elsewhere"))
    groups = cluster([*topical(6, "bean", "brew", "cost"), leftover])
    assert {"cost", "late"} in by_topic(groups)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_very_few_passages_are_one_group(count: int) -> None:
    found = topical(count, "bean")
    assert ((tuple(name for name, _, _ in found),) if count else ()) == cluster(found)


@pytest.mark.parametrize("each", [2, 3])
def test_few_passages_give_at_most_three_groups(each: int) -> None:
    assert 1 <= len(cluster(topical(each, "bean", "brew", "cost"))) <= 3


def test_passages_that_are_all_the_same_are_still_grouped() -> None:
    assert cluster([(f"p{number:02d}", (1.0, 0.0), ("coffee", "bean")) for number in range(20)])


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 3), (4, 3)])
def test_limits_out_of_order_are_refused(minimum: int, maximum: int) -> None:
    with pytest.raises(ValueError, match=f"got {minimum} and {maximum}"):
        cluster([], minimum=minimum, maximum=maximum)


def test_two_items_with_one_identifier_are_refused() -> None:
    with pytest.raises(ValueError, match="one identifier"):
        cluster([("a", None, ()), ("a", None, ())])
