"""Every check finds the plugin that was broken for it, and nothing else in that plugin; an honest plugin passes them all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from veridical_contract.testing import CHECKS, ContractReport, check_ids
from veridical_contract.testing.options import Options
from veridical_contract.testing.runner import Runner
from veridical_contract.testing.subject import Subject

from tests.contract.broken import Broken, Honest, chat, embedding, everywhere, search, source, storage
from tests.distributions.installing import on_path

BROKEN: list[Broken] = [*everywhere.BROKEN, *search.BROKEN, *chat.BROKEN, *embedding.BROKEN, *source.BROKEN, *storage.BROKEN]
HONEST: list[Honest] = [search.HONEST, chat.HONEST, chat.COMPOSER, embedding.HONEST, source.HONEST, source.FEED, storage.HONEST]


EIGHTH = 8
"""With the quick profile, which .ci/run has, one broken plugin in so many meets all checks; the others the one that is about them."""


def _run(tmp_path: Path, one: Broken, checks: Sequence[str] | None = None) -> ContractReport:
    with on_path(tmp_path / "site") as site:
        one.distribution.install(site)
        with closing(Subject(Options.of("acme", one.kind, one.options))) as subject:
            return Runner(subject, {}, strict=True).report(checks)


def _made(one: Broken) -> list[str] | None:
    """Return the checks to make of a broken plugin; None is all."""
    quick = os.environ.get("HYPOTHESIS_PROFILE") == "quick"
    return [one.check] if quick and BROKEN.index(one) % EIGHTH else None


@pytest.mark.parametrize("one", BROKEN, ids=lambda one: f"{one.kind}-{one.check}")
def test_a_broken_plugin_fails_the_check_that_is_about_it_and_no_other(
    one: Broken, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    report = _run(tmp_path, one, _made(one))
    failed = {result.check: result.said for result in report.results if result.outcome == "failed"}
    assert [one.check] == list(failed), failed
    record_property("proved", f"{one.check}\t{one.kind}\t{one.does}")


@pytest.mark.parametrize("honest", HONEST, ids=lambda honest: honest.kind)
def test_an_honest_plugin_passes_every_check(honest: Honest, tmp_path: Path) -> None:
    report = _run(tmp_path, Broken("", "", honest.distribution(), honest.kind, honest.options))
    assert {} == {result.check: result.said for result in report.results if result.outcome == "failed"}
    assert honest.skipped == {result.check for result in report.results if result.outcome == "skipped"}


@pytest.mark.parametrize("check", CHECKS)
def test_no_check_is_without_its_proof(check: str) -> None:
    assert check in {one.check for one in BROKEN}


@pytest.mark.parametrize("honest", HONEST, ids=lambda honest: honest.kind)
def test_every_kind_has_an_honest_plugin(honest: Honest) -> None:
    assert check_ids(honest.kind)
