"""Plain text: fits the terminal, and no word of a source reaches the terminal's own language."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.render import render_text, visible
from veridical.render.text import wrapped

from .test_markdown import NASTY


def _columns(line: str) -> int:
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


@given(text=NASTY, width=st.integers(10, 120))
def test_every_line_fits_and_no_word_is_lost(text, width):
    lines = wrapped(text, width, "  ", "- ")
    assert max(_columns(line) for line in lines) <= width
    assert "".join("".join(lines).split()) == "-" + "".join(visible(text).split())


@given(text=NASTY, width=st.sampled_from([20, 40, 100]))
def test_the_terminal_gets_no_control_character(make, text, width):
    quote = make("quote", text, text or "x", text, headings=[make("span", text)], labels=[text])
    claim = make("claim", quote, wording="model", support="attached", text=text, template=text)
    report = make("report", query=text, themes=[make("theme", claim)], citations=[make("citation", title=text, url="https://a.example/")])
    shown = render_text(report, width=width)
    assert [char for char in shown if unicodedata.category(char) in ("Cc", "Zl", "Zp") and char != "\n"] == []
    assert max(_columns(line) for line in shown.split("\n")) <= max(width, 40)


def test_a_report_reads_like_a_page(make):
    report = make(
        "report",
        themes=[
            make(
                "theme",
                make(
                    "claim",
                    make(
                        "quote",
                        "It takes ",
                        "a lot of data",
                        ".",
                        headings=[make("span", "Basics")],
                        folds=["case"],
                        verdict="located",
                        before=make("span", "Before."),
                        after=make("span", "After.", 60),
                    ),
                ),
                name={"wording": "model", "text": "Data hunger"},
            )
        ],
        answers=[
            {"question": "Is it slow?", "status": "unaddressed", "claims": [], "reason": "No sentence."},
            {"question": "Is it hard?", "status": "answered", "claims": [make("claim", make("quote"), id="c2")], "reason": None},
        ],
    )
    assert render_text(report, width=72) == (
        "What is hard?\n"
        "\n"
        "1. Data hunger (named by a model)\n"
        "   12 passages by 9 accounts on 2 sources; 3 of unknown authors\n"
        "\n"
        "   (Before.) It takes ⟦a lot of data⟧. (After.)\n"
        "     — [1] notes/a.md:12 / Basics\n"
        "       Note: found although these differ: case.\n"
        "\n"
        "?  Is it slow?\n"
        "   Unaddressed: No sentence.\n"
        "\n"
        "?  Is it hard?\n"
        "\n"
        "   ⟦the words⟧\n"
        "     — [1] notes/a.md:12\n"
        "\n"
        "Sources\n"
        " [1] notes/a.md:3. retrieved 2026-06-02T10:00:00Z. read by this program.\n"
        "\n"
        "How this was made\n"
        "  40 documents in scope, 30 retrieved, 20 admitted, 10 selected, 5 shown\n"
        "  to the composer, 1 cited\n"
        "  0 documents shown and not cited\n"
        "  run run-1 at 2026-06-03T10:00:00Z, veridical 0.1.0,\n"
        "  veridical-policy-1, seed 7\n"
        "\n"
        "Every quote is copied from a record that was read, and every count is\n"
        "the size of a set of such records. It does not prove that the words are\n"
        "true, independent, complete or fairly chosen.\n"
        "\n"
        "veridical-export veridical.report/1\n"
    )


@pytest.mark.parametrize("full", [True, False])
def test_a_refusal_says_what_was_tried_and_what_would_help(make, full):
    refusal = {"code": "no-evidence", "text": "Nothing.", "tried": [{"what": "documents", "count": 3}], "help": ["Name files."]}
    if not full:
        refusal |= {"tried": [], "help": []}
    shown = render_text(make("report", outcome="refused", themes=[], citations=[], refusal=refusal), width=80)
    assert "No answer. Nothing." in shown
    assert ("  - documents: 3\n" in shown) is full
    assert ("  - Name files.\n" in shown) is full
