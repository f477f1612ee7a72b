"""Where a text stands in its bytes: the runs of a map, and the line of a quote."""

from __future__ import annotations

from typing import Any

import pytest
from veridical.bundle import checker


def map_stopped(text: str, atom: str, runs: list[list[Any]]) -> str:
    """Return where the checker stops in a map from `text` to the words `atom` of the bytes."""
    try:
        object.__new__(checker.Bundle)._map("here", runs, text, atom)
    except checker.DoesNotVerify as error:
        return error.args[0]
    return ""


MAPS: list[tuple[str, str, list[list[Any]], str]] = [
    ("ab", "ab", [[0, 1, 0, 1, "copy"], [1, 2, 1, 2, "copy"]], ""),
    ("ab", "aab", [[0, 1, 0, 1, "copy"], [0, 2, 1, 3, "copy"]], "here/1"),
    ("ab", "abb", [[0, 2, 0, 2, "copy"], [2, 1, 2, 2, "copy"], [1, 2, 2, 3, "copy"]], "here/1"),
    ("ab", "ab", [[0, 2, 0, 2, "copy"], [2, 2, 2, 2, "copy"]], "here/1"),
    ("ab", "a", [[0, 1, 0, 1, "copy"]], "here"),
    ("ab", "ab", [[0, 3, 0, 2, "copy"]], "here"),
]


@pytest.mark.parametrize(("text", "atom", "runs", "where"), MAPS)
def test_each_run_of_a_map_begins_where_the_one_before_it_ended_and_leads_on(text, atom, runs, where):
    assert where == map_stopped(text, atom, runs)


ONE_RUN: list[tuple[str, str, str, bool]] = [
    ("a", "a", "copy", True), ("a", "b", "copy", False), ("b", "a", "copy", False),
    ("&", "&amp;", "entity", True), ("!", "&amp;", "entity", False), ("b", "&amp;", "entity", False), ("a", "a", "entity", False),
    ("*", "\\*", "escape", True), ("!", "\\*", "escape", False), ("b", "\\*", "escape", False), ("a", "\\a", "escape", False),
    ("\n> ", "", "inserted", True), ("\x1e", "", "inserted", True), ("a", "", "inserted", False), (" ", " ", "inserted", False),
    ("a", "a", "invented", False),
]  # fmt: skip


@pytest.mark.parametrize(("shown", "markup", "kind", "stands"), ONE_RUN)
def test_a_run_shows_what_its_markup_stands_for_and_nothing_near_it(shown, markup, kind, stands):
    assert ("" if stands else "here/0") == map_stopped(shown, markup, [[0, len(shown), 0, len(markup), kind]])


@pytest.mark.parametrize("run", [[0, 1, 0, True, "copy"], [0, 1, 0, "copy"], [], {}, "copy", 7, None])
def test_a_run_is_four_integers_and_a_kind(run):
    checker.check_shape([0, 1, 0, 1, "copy"], "run", "here")
    with pytest.raises(checker.DoesNotVerify) as caught:
        checker.check_shape(run, "run", "here")
    assert ("here", "is not a run") == caught.value.args


ATOM = "ab\ncd\r\nef\rgh&amp;\n\ni"
RUNS = [[0, 12, 0, 12, "copy"], [12, 13, 12, 17, "entity"], [13, 15, 17, 17, "inserted"], [15, 17, 18, 20, "copy"]]
LINES: list[tuple[str, str, int | None, int, int | None]] = [
    *(
        ("text", "text", None, at, n)
        for at, n in ((0, 1), (2, 1), (3, 2), (5, 2), (7, 3), (9, 3), (10, 4), (12, 4), (14, 4), (15, 5), (16, 6))
    ),
    ("text", "text", 5, 0, 5),
    ("text", "text", 5, 3, 6),
    ("text", "title", 5, 0, None),
    ("json", "text", 5, 3, 5),
    ("csv", "text", 5, 3, 5),
    ("csv", "title", 5, 0, None),
    ("mime", "text", 5, 3, None),
    ("pdf", "text", 5, 3, None),
]


def line_of(kind: str, field: str, line: int | None, start: int, body: bytes = b"{}") -> int | None:
    """Return the line that the checker gives a quote at `start` of a document whose record has `line` and the bytes `body`."""
    bundle = object.__new__(checker.Bundle)
    bundle.atoms, bundle.members = {"d": (ATOM, RUNS)}, {"raw/x": body}
    bundle.documents = {"d": {"derivation": {"format": kind}, "locator": {"line": line}, "raw": {"digest": "x"}}}
    return bundle._line({"document": "d", "field": field, "start": start})


@pytest.mark.parametrize(("kind", "field", "line", "start", "due"), LINES)
def test_the_line_of_a_quote_is_that_of_its_bytes_in_a_text_and_that_of_its_record_in_a_table(kind, field, line, start, due):
    assert due == line_of(kind, field, line, start)


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_a_record_of_more_lines_than_one_gives_its_quotes_none(end):
    assert line_of("json", "text", 5, 3, b"{" + end + b"}") is None
