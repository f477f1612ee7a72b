"""The differential proof at a small size, and that it sees a difference: with a rule taken out of the checker, and out of the kernel."""

from __future__ import annotations

import pytest
from veridical.bundle import checker
from veridical.kernel import recheck

from tests.proof import differential
from tests.proof.bundles import honest
from tests.proof.differential import CARRIED, compare, explained, main
from tests.proof.judge import Refusal, by_kernel


def test_kernel_and_checker_agree_on_some_hundred_bundles() -> None:
    figures = main(300, seed=20)
    assert () == figures.failures
    assert 0 == figures.figures["refused by the checker alone"]
    assert 200 < int(figures.figures["bundles"])


def test_an_honest_bundle_is_the_same_from_the_same_numbers() -> None:
    assert honest(5, 6) == honest(5, 6)
    assert honest(5, 6) != honest(5, 7)


def test_a_rule_that_the_checker_lacks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker.Bundle, "_counts", lambda *_: None)
    monkeypatch.setattr(checker.Bundle, "_fields", lambda *_: None)
    failures = [line for number in range(30) for line in compare(20, number).failures]
    assert any("the checker accepts what the kernel refuses" in line for line in failures)


def test_a_rule_that_the_kernel_lacks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "_identifiers", lambda _: None)
    monkeypatch.setattr(recheck, "_answers", lambda *_: None)
    failures = [line for number in range(40) for line in compare(20, number).failures]
    assert any("the checker refuses what the kernel lets out" in line for line in failures)


def test_only_what_is_listed_is_explained() -> None:
    assert {"pages"} == explained(Refusal("pages", ("report.html",), ""))
    assert {"bounds", "context"} == explained(Refusal("quote", ("label invisible", "sentence"), ""))
    assert set() == explained(Refusal("quote", ("sentence", "span"), ""))
    assert set() == explained(Refusal("report", ("run",), ""))
    assert set() == explained(Refusal("citation", ("url",), ""))
    assert CARRIED.keys() == {entry for entry, _, _ in differential._RULES}


def test_the_kernel_refuses_what_is_no_archive() -> None:
    refusal = by_kernel(b"no archive")
    assert refusal is not None
    assert "archive" == refusal.part
