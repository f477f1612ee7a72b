"""The harness at a tiny size: every row yields numbers. Nothing here depends on how long something takes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import Figures, alternate
from tests.benchmarks.page import facts, lines, write
from tests.benchmarks.peers import Peers, PeersMissingError
from tests.benchmarks.plot import drawing
from tests.benchmarks.results import Row, at_least, at_most, shown
from tests.benchmarks.rows import GROUPS
from tests.benchmarks.texts import Comments, absent, cut

SIZES = (30, 60)


@pytest.fixture(scope="session")
def peers() -> Iterator[Peers]:
    """The peers, where their environment was made before: it comes from a package index, and no test reaches one."""
    try:
        started = Peers.started(make=False)
    except PeersMissingError as error:
        pytest.skip(str(error))
    with started:
        yield started


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    comments = replace(Comments.modelled(None), lengths=[9, 20, 40])
    return Bench(tmp_path, SIZES, 2, 3, comments, None, None, lambda line: None)


def assert_numbers(rows: list[Row]) -> None:
    assert rows
    for row in rows:
        for figures in (row.ours, row.theirs or row.ours):
            assert all(math.isfinite(value) for value in (figures.p50, figures.p99)), row
            assert 0 < figures.p50 <= figures.p99, row
        assert row.goal is None or row.met is not None, row


@pytest.mark.parametrize("group", GROUPS)
def test_every_row_of_a_group_yields_numbers(group: str, bench: Bench) -> None:
    assert_numbers(list(GROUPS[group](bench)))


@pytest.mark.parametrize("group", ["matching", "ingesting", "locating"])
def test_every_row_that_is_held_against_a_peer_of_another_environment_yields_numbers(group: str, bench: Bench, peers: Peers) -> None:
    rows = list(GROUPS[group](replace(bench, peers=peers)))
    assert_numbers(rows)
    assert any("metalworks" in row.peer for row in rows)


def test_subject_and_peer_are_called_in_turns_and_each_is_first_as_often() -> None:
    called: list[str] = []

    def action(name: str, seconds: float) -> object:
        return lambda argument: called.append(f"{name}{argument}") or seconds

    found = alternate({"a": action("a", 1.0), "b": action("b", 3.0)}, range(4), warm_up=0)  # type: ignore[dict-item]
    assert ["a0", "b0", "b1", "a1", "a2", "b2", "b3", "a3"] == called
    assert {"a": Figures(1.0, 1.0, 4), "b": Figures(3.0, 3.0, 4)} == found


def test_figures_are_the_median_and_what_one_run_in_a_hundred_exceeds() -> None:
    assert Figures(51.0, 100.0, 100) == Figures.of(float(value) for value in range(100, 0, -1))


@pytest.mark.parametrize(
    ("goal", "value", "met"), [(at_most(8), 8.0, True), (at_most(8), 8.1, False), (at_least(20), 20.0, True), (at_least(20), 19.9, False)]
)
def test_a_goal_is_met_up_to_its_limit(goal: object, value: float, met: bool) -> None:
    row = Row("g", "w", Figures.once(value, "x"), "p", Figures.once(1.0, "x"), goal=goal)  # type: ignore[arg-type]
    assert (met, value) == (row.met, row.ratio)


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [(1.5, "s", "1.5 s"), (0.00021, "s", "210 us"), (3e-8, "s", "30 ns"), (2.5, "x", "2.5x"), (12345.6, "B", "12,346 B")],
)
def test_a_value_is_shown_with_three_digits_that_count(value: float, unit: str, words: str) -> None:
    assert words == shown(value, unit)


def test_comments_are_the_same_every_time_and_as_long_as_those_they_are_modelled_on() -> None:
    comments = Comments.modelled(None)
    first, again, other = (list(comments.texts(200, seed=seed)) for seed in (0, 0, 1))
    assert first == again
    assert not set(first) & set(other)
    assert {len(text.split()) for text in first} <= set(comments.lengths)


def test_a_cut_is_whole_words_of_the_text_and_an_absent_quote_differs_in_one_inner_word() -> None:
    import random

    rng = random.Random(3)
    text = " ".join(f"word{number}" for number in range(30))
    for _ in range(100):
        quote = cut(text, 8, rng)
        assert quote is not None
        changed = absent(quote, rng)
        differing = [at for at, (one, other) in enumerate(zip(quote.split(" "), changed.split(" "), strict=True)) if one != other]
        assert quote in text
        assert changed not in text
        assert len(differing) == 1
        assert 0 < differing[0] < 7
    assert cut("too few words", 8, rng) is None


def test_a_drawing_is_xml_with_a_line_and_a_name_for_each_series() -> None:
    drawn = ET.fromstring(drawing("T & t", "a", "b", {"x<y": [(10, 1e-6), (1000, 3e-3)], "z": [(10, 1)]}, shown=str))
    space = "{http://www.w3.org/2000/svg}"
    assert 2 == len(drawn.findall(f"{space}polyline"))
    assert {"T & t", "x<y", "z"} <= {found.text for found in drawn.findall(f"{space}text")}


def test_the_page_has_every_row_and_names_no_machine(bench: Bench, tmp_path: Path) -> None:
    rows = list(GROUPS["matching"](bench))
    (tmp_path / "reference").mkdir()
    page, plot = write(tmp_path, rows, facts(SIZES, "made up"))
    text = page.read_text("utf-8")
    assert all(row.what in text for row in rows)
    assert plot.name in text
    assert "veridical" in plot.read_text("utf-8")
    assert not re.search(r"{|}", text)
    assert len(list(lines(rows))) == len(rows) + 1
    assert rows == [Row.of(json.loads(json.dumps(row.data()))) for row in rows]
