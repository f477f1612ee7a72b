"""The pitfall catalogue, as far as it is about quotes and spans."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.tests.kernel.pitfalls_quotes import EXCEPTIONS, KINDS, LABELS, RESOLVED, judge

KEPT = {"keep", "keep-with-label"}

Row = tuple[dict[str, Any], str, list[str], str]


@pytest.fixture(scope="module")
def rows(shared_data: Callable[[str], Path]) -> list[Row]:
    found = [json.loads(line) for line in shared_data("pitfalls.jsonl").read_text("utf-8").splitlines()]
    judged = [(case, *judge(case)) for case in found if case["kind"] in KINDS and case["id"] not in EXCEPTIONS]
    differing = [row for row in judged if not _agrees(row)]
    print(f"\n{len(judged)} cases about quotes and spans, {len(differing)} judged otherwise:")
    for case, verdict, labels, reason in differing:
        print(
            f"{case['id']:6} expected {case['expected_verdict']} {case.get('label', '')}, got {verdict} {labels} ({reason}): {case['why']}"
        )
    return judged


def _agrees(row: Row) -> bool:
    case, verdict, labels, _ = row
    due = case.get("label")
    resolved = due in RESOLVED and verdict == "keep"
    return resolved or (verdict == case["expected_verdict"] and (due is None or LABELS.get(due, due) in labels))


def test_every_kind_has_cases(rows: list[Row]) -> None:
    assert {case["kind"] for case, *_ in rows} == set(KINDS)


def test_nothing_is_kept_that_must_not_be(rows: list[Row]) -> None:
    assert [case["id"] for case, verdict, *_ in rows if verdict in KEPT and case["expected_verdict"] not in KEPT] == []


def test_almost_everything_is_kept_that_may_be(rows: list[Row]) -> None:
    keepable = [(case, verdict) for case, verdict, *_ in rows if case["expected_verdict"] in KEPT]
    assert len([case for case, verdict in keepable if verdict not in KEPT]) <= len(keepable) * 0.05


def test_what_is_kept_with_a_label_carries_it(rows: list[Row]) -> None:
    labelled = [row for row in rows if row[1] in KEPT and row[0]["expected_verdict"] == "keep-with-label"]
    assert [(case["id"], labels) for case, verdict, labels, why in labelled if not _agrees((case, verdict, labels, why))] == []


def test_what_is_kept_without_a_label_has_none(rows: list[Row]) -> None:
    assert [(case["id"], labels) for case, _, labels, _ in rows if case["expected_verdict"] == "keep" and labels] == []
