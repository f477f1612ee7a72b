"""The pitfall catalogue, as far as it is about values: URLs, indices, counts, times and whole answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.tests.kernel.pitfalls_values import EXCEPTIONS, KINDS, LABELS, judge

CATALOGUE = Path(__file__).parents[3].parent / "shared" / "data" / "pitfalls.jsonl"
KEPT = {"keep", "keep-with-label"}


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    if not CATALOGUE.exists():
        pytest.skip(f"the pitfall catalogue is not at {CATALOGUE}")
    found = [json.loads(line) for line in CATALOGUE.read_text(encoding="utf-8").splitlines()]
    return [case for case in found if case["kind"] in KINDS and case["id"] not in EXCEPTIONS]


@pytest.fixture(scope="module")
def judged(cases: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str, list[str], str]]:
    rows = [(case, *judge(case)) for case in cases]
    for case, verdict, labels, reason in rows:
        if (verdict, set(labels) - {"duplicate-text"}) != (case["expected_verdict"], set(_due(case)) - {"duplicate-text"}):
            print(f"{case['id']} {case['kind']}: {verdict} {labels} ({reason}); expected {case['expected_verdict']}: {case['why']}")
    return rows


def _due(case: dict[str, Any]) -> list[str]:
    label: str | None = case.get("label")
    return [] if label is None else [LABELS.get(label, label)]


def test_every_kind_has_cases(cases: list[dict[str, Any]]) -> None:
    assert {case["kind"] for case in cases} == set(KINDS)


def test_nothing_is_kept_that_must_not_be(judged: list[tuple[dict[str, Any], str, list[str], str]]) -> None:
    assert [case["id"] for case, verdict, *_ in judged if verdict in KEPT and case["expected_verdict"] not in KEPT] == []


def test_almost_everything_is_kept_that_may_be(judged: list[tuple[dict[str, Any], str, list[str], str]]) -> None:
    keepable = [(case, verdict) for case, verdict, *_ in judged if case["expected_verdict"] in KEPT]
    assert len([case for case, verdict in keepable if verdict not in KEPT]) <= len(keepable) * 0.05


def test_a_case_that_is_kept_with_a_label_carries_it(judged: list[tuple[dict[str, Any], str, list[str], str]]) -> None:
    kept = [(case, labels) for case, verdict, labels, _ in judged if verdict in KEPT and case["expected_verdict"] == "keep-with-label"]
    assert [(case["id"], labels) for case, labels in kept if not set(_due(case)) <= set(labels)] == []


def test_an_answer_is_refused_and_a_claim_dropped_as_the_catalogue_says(judged: list[tuple[dict[str, Any], str, list[str], str]]) -> None:
    assert [case["id"] for case, verdict, *_ in judged if case["kind"] == "answer" and verdict != case["expected_verdict"]] == []
