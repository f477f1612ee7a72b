"""The examples of docs/explanation/how-verification-works.md, run."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from veridical.kernel.folds import compare
from veridical.kernel.indices import IndexRefused, admit_indices
from veridical.kernel.policy import load_policy
from veridical.kernel.prose import EvidenceSentence, ProseRefused, check_prose
from veridical.kernel.spans import SpanError, to_codepoints
from veridical.kernel.texts import known_label
from veridical.kernel.times import TimeRefused, admit_time
from veridical.kernel.urls import UrlRefused, admit_url, same_url
from veridical.locate.diagnose import diagnose
from veridical.locate.find import Located, Miss, locate
from veridical.locate.projection import project

PAGE = (Path(__file__).resolve().parents[2] / "docs/explanation/how-verification-works.md").read_text("utf-8")
POLICY = load_policy()
READ = datetime(2026, 11, 21, tzinfo=UTC)


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table whose head begins with `head`."""
    found = re.search(rf"^\| {re.escape(head)}.*\n\|-.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found is not None, head
    return [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in found[1].splitlines()]


def said(cell: str) -> str:
    """Return what a cell shows as code, with its escapes resolved."""
    code = cell.strip("`").replace("\\n", "\n")
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), code)


def stands(*words: str) -> None:
    """The page still has the example that a test is of."""
    assert [] == [each for each in words if each not in PAGE]


@pytest.mark.parametrize("row", rows("fold"), ids=lambda row: row[0])
def test_a_fold_passes_over_what_its_row_says(row: list[str]) -> None:
    fold, _, proposed, document = row
    assert frozenset({said(fold)}) == compare(said(document), said(proposed), POLICY)
    assert known_label(said(fold))


@pytest.mark.parametrize("row", rows("proposed | the document"), ids=lambda row: row[0])
def test_what_is_no_fold_differs(row: list[str]) -> None:
    assert compare(said(row[1]), said(row[0]), POLICY) is None


@pytest.mark.parametrize("row", rows("proposed | recorded"), ids=lambda row: row[0])
def test_two_urls_are_the_same_when_the_table_says_so(row: list[str]) -> None:
    proposed, recorded, verdict = row
    labels = re.findall("`(.+?)`", verdict)
    assert (frozenset(labels) if verdict.startswith("yes") else None) == same_url(said(proposed), said(recorded), POLICY)


@pytest.mark.parametrize("url", ["https://example.com@evil.example/", "http://2130706433/"])
def test_a_url_that_is_not_admissible_is_refused(url: str) -> None:
    stands(url)
    with pytest.raises(UrlRefused):
        admit_url(url, policy=POLICY)


def test_lists_of_source_numbers() -> None:
    stands("`[1, 1, 1]` cites one source", "`[1, 99]` cites source 1", "`[0, 1]` is refused")
    assert (1,) == admit_indices([1, 1, 1], range(1, 4)).kept
    assert ((1,), frozenset({"invalid-index-removed"})) == admit_indices([1, 99], range(1, 4))
    with pytest.raises(IndexRefused):
        admit_indices([0, 1], range(1, 4))


@pytest.mark.parametrize("entry", [True, 1.0, "1"])
def test_what_is_no_source_number(entry: object) -> None:
    stands('`True`, `1.0` and `"1"` are none')
    with pytest.raises(IndexRefused):
        admit_indices([entry], range(1, 4))


def test_a_span_inside_a_character_is_refused() -> None:
    stands("In `naïve`, byte 3")
    with pytest.raises(SpanError):
        to_codepoints("naïve", 3, 6, "utf8", policy=POLICY)


@pytest.mark.parametrize("date", ["2026-02-30", "2027-01-01", "2016-12-31T23:59:60Z", "0001-01-01T00:00:00Z"])
def test_a_date_that_cannot_be_is_refused(date: str) -> None:
    stands(f"`{date}`")
    with pytest.raises(TimeRefused):
        admit_time(date, retrieved=READ)


def test_a_year_stays_a_year() -> None:
    stands("`2026` stays a year")
    found = admit_time("2026", retrieved=READ)
    assert ("2026", "year") == (found.value, found.precision)


PROSE = [
    (["Support answered after 3 days."], "Support took 3 weeks to answer."),
    (["Exports fail on the M1.", "Exports are slow since May."], "Exports fail since May."),
]


@pytest.mark.parametrize(("evidence", "statement"), PROSE)
def test_a_statement_that_no_single_sentence_carries_is_dropped(evidence: list[str], statement: str) -> None:
    stands(*evidence, statement)
    sentences = [EvidenceSentence(f"{number:064x}", text, None, None) for number, text in enumerate(evidence)]
    with pytest.raises(ProseRefused):
        check_prose(statement, sentences, {}, POLICY)


def sample() -> str:
    """Return the document that the table of verdicts is about."""
    found = re.search(r"^Say that a document holds:\n\n> (.*)$", PAGE, re.MULTILINE)
    assert found is not None
    return found[1]


ANOTHER = ("b" * 64, None, "He found that the nozzle was cold all day, and gave up.")


@pytest.mark.parametrize("row", rows("verdict"), ids=lambda row: row[0])
def test_a_verdict_is_what_its_row_says(row: list[str]) -> None:
    verdict, kept, supports, example = said(row[0]), *row[1:]
    words = re.match(r'"(.*?)"(?=[ :])', example)
    assert words is not None
    found = locate(sample(), words[1], policy=POLICY, illustration=verdict == "illustration")
    if kept == "yes":
        assert isinstance(found, Located)
        assert (verdict, supports) == (found.confirmed.verdict, "yes" if verdict in {"exact", "located"} else "no")
    else:
        cited = None if verdict == "not-shown" else sample()
        assert (verdict, "no") == (diagnose(words[1], cited, [ANOTHER], policy=POLICY).verdict, supports)


CUTS = [
    ("If you skip the update it crashed every day.", "it crashed every day", "clipped-context:conditional"),
    ("My brother says the tool is perfect.", "the tool is perfect", "clipped-context:reported"),
    ("Is the battery bad?", "the battery bad", "clipped-context:question"),
]


@pytest.mark.parametrize(("sentence", "quote", "label"), CUTS)
def test_a_cut_that_turns_the_meaning_is_labelled(sentence: str, quote: str, label: str) -> None:
    stands(f'"{sentence}"', f'"{quote}"', f"`{label}`")
    found = locate(sentence, quote, policy=POLICY)
    assert isinstance(found, Located)
    assert ("clipped", (label,)) == (found.confirmed.verdict, found.confirmed.labels)


BOUNDARIES = [
    ("This is unusable and unreliable", "usable and unreliable"),
    ("Version 1.23 fails", "Version 1.2"),
    ("a well-known issue with the app", "known issue with the app"),
]


@pytest.mark.parametrize(("text", "quote"), BOUNDARIES)
def test_a_quote_is_not_cut_inside_a_word_or_number(text: str, quote: str) -> None:
    stands(f"`{text}", f'"{quote}')
    assert isinstance(locate(text, quote, policy=POLICY), Miss)


def test_a_whole_record_may_be_short() -> None:
    stands('"No." as a complete comment')
    assert isinstance(locate("No.", "No.", policy=POLICY), Located)
    assert isinstance(locate("No. It never did that to me.", "No.", policy=POLICY), Miss)


def test_what_is_hidden_is_a_boundary() -> None:
    stands("`I like it <!-- not --> a lot`")
    shown = project("<p>I like it <!-- not --> a lot</p>", "html").text
    assert ["I like it", "a lot"] == [part.strip() for part in shown.split("\x1e")]


def test_list_items_are_not_read_as_one() -> None:
    stands("`item one is broken`", "`item two is fine`")
    shown = project("<ul><li>item one is broken</li><li>item two is fine</li></ul>", "html").text
    assert ["item one is broken", "item two is fine"] == [part.strip() for part in shown.split("\x1e")]
