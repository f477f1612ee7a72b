"""What each part of a report must be, given the documents."""

from __future__ import annotations

import hashlib

import pytest
from veridical.kernel.policy import load_policy
from veridical.kernel.report import Evidence, QuoteRefused, _slice, citations, counts, funnel, quote, quoted, span, supports
from veridical.kernel.run import Run
from veridical_contract import Document, Grade, Grades, Locator, Quote, Reference

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


ONE = "0" * 64


def evidence(text: str, title: str | None = None, grade: Grade = "held") -> Evidence:
    """Evidence of one document."""
    run = Run(run="r", created_at="x", query="q", must_address=(), policy=load_policy(), seed=0, version="0")
    run.admit(ONE)
    run.seal()
    run.shown = (ONE,)
    document = Document(
        text=text,
        title=title,
        retrieved="2026-11-21T12:00:00Z",
        locator=Locator(container="x"),
        origin="o",
        plugin="p",
        extractor="e",
        grades=Grades(text=grade, title="held" if title else None),
    )
    return Evidence(run, {ONE: document})


def quoted_in(found: Evidence, words: str, field: str = "text") -> Quote:
    document = found.document(ONE)
    whole = document.title or "" if field == "title" else document.text
    return quote(found, span(found, ONE, whole.index(words), whole.index(words) + len(words), field), words)


def neighbours(text: str, words: str) -> tuple[str | None, str | None]:
    found = quoted_in(evidence(text), words)
    return found.before and found.before.text, found.after and found.after.text


def test_a_quote_of_a_title_is_of_the_title_and_says_so() -> None:
    found = quoted_in(evidence("The text says this.", "The title says that. It does."), "The title says that.", "title")
    assert ("title", "The title says that.", "The title says that.") == (found.span.field, found.span.text, found.sentence.text)
    assert found.after is not None
    assert (("field:title",), "title", "It does.") == (found.labels, found.after.field, found.after.text)


def test_a_quote_of_a_text_is_of_the_text_whatever_the_title_says() -> None:
    found = quoted_in(evidence("The text says this.", "The title says that."), "The text says this.")
    assert ("text", (), "exact") == (found.span.field, found.labels, found.verdict)


@pytest.mark.parametrize(("grade", "labels"), [("held", ()), ("attested", ()), ("wire", ("snippet-only",))])
def test_only_what_a_provider_replied_is_an_excerpt(grade: Grade, labels: tuple[str, ...]) -> None:
    assert labels == quoted_in(evidence("The text says this.", grade=grade), "The text says this.").labels


def test_a_short_quote_is_none_unless_it_is_to_illustrate() -> None:
    found = evidence("The battery fails early.")
    with pytest.raises(QuoteRefused, match="too-short"):
        quote(found, span(found, ONE, 4, 11), "battery")
    assert "illustration" == quote(found, span(found, ONE, 4, 11), "battery", illustration=True).verdict


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("One one one. Two two two. Three.", "Two two two.", ("One one one.", "Three.")),
        ("One one one.\nTwo two two.\nThree.", "Two two two.", (None, None)),
        ("One one one.\n\nTwo two two.\n\nThree.", "Two two two.", (None, None)),
        ("One one one.\x1eTwo two two.\x1eThree.", "Two two two.", (None, None)),
        ("\n\nOne one one. Two two two. Three.", "Two two two.", ("One one one.", "Three.")),
        ("> Two two two. Three.", "Two two two.", ("> ", "Three.")),
        ("\u96fb\u6c60\u304c\u5207\u308c\u308b\u3002\u8cb7\u308f\u306a\u3044\u3067\u3059\u3002\u306f\u3044\u3002",
         "\u8cb7\u308f\u306a\u3044\u3067\u3059\u3002", ("\u96fb\u6c60\u304c\u5207\u308c\u308b\u3002", "\u306f\u3044\u3002")),
    ],
)  # fmt: skip
def test_neighbours_are_the_sentences_of_the_same_block(text: str, words: str, expected: tuple[str | None, str | None]) -> None:
    assert expected == neighbours(text, words)


def test_a_stretch_that_ends_before_it_begins_is_none() -> None:
    assert _slice("a b c", span(STAGE.evidence, NAME, 0, 3), 3, 2) is None


def test_a_citation_holds_the_digest_of_its_text_and_the_beginning_of_it() -> None:
    row = honest(STAGE).citations[0]
    due = hashlib.sha256(STAGE.evidence.documents[row.document].text.encode()).hexdigest()
    assert (due, due[:16]) == (row.text_sha256, row.snippet_hash)
