"""The harness of the published error rates, on a sample and without peers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical.kernel.policy import load_policy

from tests.benchmarks.error_rates.__main__ import gathered
from tests.benchmarks.error_rates.alterations import ALTERATIONS
from tests.benchmarks.error_rates.cases import Case, stands, visible
from tests.benchmarks.error_rates.judges import veridical
from tests.benchmarks.error_rates.table import counted, table, totals
from tests.benchmarks.error_rates.variations import VARIATIONS

SIZE = 40
AS_THEY_STAND = {"quotesum", "comments"}


@pytest.fixture(scope="module")
def cases(shared_data: Callable[[str], Path]) -> list[Case]:
    found = [shared_data(name) for name in ("pitfalls.jsonl", "quotesum/dev_half.jsonl", "comments")]
    return gathered(found[0].parent, SIZE, 1)


@pytest.fixture(scope="module")
def judged(cases: list[Case]) -> list[tuple[Case, bool, str]]:
    policy = load_policy()
    return [(case, *veridical(case, policy)) for case in cases]


def test_nothing_false_is_accepted(judged: list[tuple[Case, bool, str]]) -> None:
    assert [] == [(case.id, case.quote, answer) for case, kept, answer in judged if kept and not case.keep]


def test_of_a_hundred_true_quotes_ninety_nine_are_kept(judged: list[tuple[Case, bool, str]]) -> None:
    true = [(case.id, kept, answer) for case, kept, answer in judged if case.set in AS_THEY_STAND and case.keep]
    lost = [each for each in true if not each[1]]
    assert len(lost) <= len(true) * 0.01, lost


def test_of_ten_harmless_variations_nine_are_kept(judged: list[tuple[Case, bool, str]]) -> None:
    varied = [(case.id, kept, answer) for case, kept, answer in judged if case.set == "variations"]
    lost = [each for each in varied if not each[1]]
    assert len(lost) <= len(varied) * 0.1, lost


def test_each_alteration_and_variation_has_cases(cases: list[Case]) -> None:
    sizes = Counter(case.kind for case in cases if case.set in ("alterations", "variations"))
    assert {*ALTERATIONS, *VARIATIONS} == {*sizes}
    assert 12 == len(ALTERATIONS)
    assert [] == [kind for kind in ALTERATIONS if sizes[kind] != SIZE]


def test_the_same_seed_gives_the_same_cases(cases: list[Case], shared_data: Callable[[str], Path]) -> None:
    assert cases == gathered(shared_data("pitfalls.jsonl").parent, SIZE, 1)


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("It isn\u2019t \u2014 not yet \u2014 good.", "it isn't not yet good", True),
        ("It is not good.", "It is good.", False),
        ("It costs $5 here.", "costs \u20ac5 here", False),
        ("unusable for all", "usable for all", False),
        ("caf\u00e9 au lait", "cafe\u0301 au lait", True),
    ],
)
def test_the_oracle_looks_for_words_in_a_row(text: str, quote: str, expected: bool) -> None:
    assert expected == stands([text], quote)


def test_a_tool_that_accepts_all_is_wrong_on_each_false_quote_and_one_that_rejects_all_on_each_true_one() -> None:
    cases = [Case("a", "comments", "k", "x", ("x",), keep=True), *[Case("b", "comments", "k", "y", ("x",), keep=False)] * 2]
    rows = counted(cases, [{"all": True, "none": False}] * 3)
    assert [(True, 1, {"all": 0, "none": 1}), (False, 2, {"all": 2, "none": 0})] == [(row.true, row.cases, row.wrong) for row in rows]


def test_the_table_ends_with_shares_of_all() -> None:
    rows = counted([Case(str(at), "comments", "k", "x", ("x",), keep=False) for at in range(4)], [{"one": at == 0} for at in range(4)])
    assert [1, 1] == [row.wrong["one"] for row in totals(rows)]
    assert "1 (25.00%)" in list(table(rows))[-1]


def test_peers_see_a_hard_boundary_as_a_blank_line() -> None:
    assert "one\n\ntwo" == visible("one\x1etwo")
