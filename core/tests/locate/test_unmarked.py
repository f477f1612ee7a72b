from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.locate import projection
from veridical.locate.projection import Projection, project
from veridical.locate.projection.markdown import project_markdown

LINES = st.text("ab A1.,:;'\"!?()-+=#/@$%^{}~*_`[]<>&|\\\n\t", max_size=16)


def parsed(source: str) -> Projection:
    page = project_markdown(source)
    return Projection(*page.result(), tuple(page.headings), tuple(page.blocks))


@given(LINES)
def test_a_line_that_is_not_parsed_is_as_if_it_were(source: str) -> None:
    assert parsed(source) == project(source, "markdown")


@pytest.mark.parametrize("source", ["a", "See 3.5, or (so) - 100%!", 'I said: "no", at 5/6 {of} it @home #1 = $2 ^ 3?'])
def test_a_plain_line_needs_no_parser(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.locate.projection.markdown.project_markdown", None)
    assert ((0, len(source), 0, len(source), "copy"),) == project(source, "markdown").runs


@pytest.mark.parametrize(
    "source", ["a *b* c", "1. a", "# a", "a  b", " a", "a ", "a\nb", "a &amp; b", "a <b> c", "[a](b)", "a_b_", "`a`", "- a", "\u00e9", ""]
)
def test_a_line_with_a_character_that_may_mean_something_is_parsed(source: str) -> None:
    assert projection._UNMARKED.fullmatch(source) is None
