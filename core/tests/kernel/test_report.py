"""What each part of a report must be, given the documents."""

from __future__ import annotations

import pytest
from veridical.kernel.report import QuoteRefused, _slice, citations, counts, funnel, quote, quoted, span, supports
from veridical_contract import Reference

from tests.properties.checks import SENTENCE, Stage, honest

STAGE = Stage()
NAME = STAGE.named(SENTENCE)


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (4, 3), (0, 10**6)])
def test_a_span_outside_the_text_is_refused(start: int, end: int) -> None:
    with pytest.raises(QuoteRefused, match="out-of-range"):
        span(STAGE.evidence, NAME, start, end)


def test_a_title_that_is_not_there_has_no_span() -> None:
    with pytest.raises(QuoteRefused, match="out-of-range"):
        span(STAGE.evidence, NAME, 0, 1, "title")


def test_what_was_admitted_and_not_shown_cannot_be_cited() -> None:
    stage = Stage()
    stage.run.shown = tuple(name for name in stage.run.shown if name != NAME)
    with pytest.raises(QuoteRefused, match="not-shown"):
        span(stage.evidence, NAME, 0, 3)


def test_a_quote_stands_in_its_sentence_between_its_neighbours() -> None:
    found = quote(STAGE.evidence, span(STAGE.evidence, NAME, 0, len(SENTENCE)), SENTENCE, occurrences=2)
    assert (found.sentence.text, found.before, found.after.text if found.after else None) == (SENTENCE, None, "Update it first.")
    assert found.labels == ("ambiguous-occurrence",)
    last = quote(STAGE.evidence, span(STAGE.evidence, NAME, len(SENTENCE) + 1, len(SENTENCE) + 17), "Update it first.")
    assert last.before is not None
    assert last.before.text == SENTENCE


def test_a_neighbour_that_overlaps_the_sentence_is_none() -> None:
    assert _slice("a b c", span(STAGE.evidence, NAME, 0, 3), 3, 3) is None


def test_other_words_are_no_quote() -> None:
    with pytest.raises(QuoteRefused, match="differs"):
        quote(STAGE.evidence, span(STAGE.evidence, NAME, 0, len(SENTENCE)), "The battery never fails.")


def test_citations_are_numbered_quoted_first_then_counted() -> None:
    report = honest(STAGE)
    rows = citations(STAGE.evidence, report.themes, ())
    assert rows == report.citations
    assert [row.number for row in rows] == [*range(1, 13)]
    assert rows[0].document == NAME
    assert quoted(report.themes[0].claims) == [NAME]
    assert all(map(supports, report.themes[0].claims[0].quotes))


def test_counts_are_unions() -> None:
    members = [Reference(document=name, start=0, end=1) for name in STAGE.run.shown]
    assert counts(STAGE.evidence, members) == counts(STAGE.evidence, members * 2)
    assert counts(STAGE.evidence, members).accounts == 10


def test_the_funnel_is_the_runs_own() -> None:
    found = funnel(STAGE.run, 1)
    assert (found.admitted, found.shown, found.cited) == (12, 12, 1)
