"""Markdown: whatever a source says is text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from veridical.render import render_markdown, visible
from veridical.render.markdown import escape, escape_line
from veridical.render.words import ATTACHED

PARSERS = {
    "commonmark": MarkdownIt("commonmark"),
    "everything": MarkdownIt("js-default", {"html": True, "linkify": True}).enable(["linkify", "table", "strikethrough"]),
}
HOSTILE = [
    "[x](https://evil.example)",
    "![x](https://evil.example/i.png)",
    "<script>alert(1)</script>",
    "</blockquote><img src=x onerror=alert(1)>",
    "<https://evil.example>",
    "https://evil.example/a www.evil.example evil.com 1.2.3.4",
    "mail me@evil.example or mailto:me@evil.example",
    "`code` ``more`` ```",
    "~~~\nfence",
    "    indented",
    "- item\n+ item\n* item",
    "1. one\n2) two",
    "# heading\n\nTitle\n===\nTitle\n---",
    "a | b\n--|--\n1 | 2",
    "**bold** _em_ ~~no~~",
    "&amp; &#60;script&#62; &copy;",
    "[ref]: https://evil.example\n[ref]",
    "[^1] $x$ {{ liquid }} <!-- comment -->",
    "back\\slash \\",
    "> > quote",
    "pay \u202e now \u200b \x1b[31m",
    "line\r\nline\n",
    "\n\nblank",
    "*",
    "@user #1 :smile:",
]
NASTY = st.text(st.sampled_from("ab1 \n\t.:/@#-+=*_`~[](){}<>!&;\\|^$\"'wé字\u202e")) | st.sampled_from(HOSTILE) | st.text()


def _tokens(text: str, parser: str):
    for token in PARSERS[parser].parse(text):
        yield token
        yield from token.children or []


def _words(text: str, parser: str) -> str:
    found = []
    for token in _tokens(text, parser):
        if token.type in ("text", "code_inline"):
            found.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            found.append("\n")
    return "".join(found)


@pytest.mark.parametrize("parser", PARSERS)
@given(text=NASTY)
@example(text="@@ @")
def test_escaped_text_renders_as_its_own_characters_and_no_markup(parser, text):
    for shown, wanted in ((escape(text), visible(text)), (escape_line(text), visible(text))):
        types = {token.type for token in _tokens(shown, parser)} - {"text", "code_inline", "hardbreak", "inline"}
        assert types <= {"paragraph_open", "paragraph_close"}
        assert "".join(_words(shown, parser).split()) == "".join(wanted.split())


@pytest.mark.parametrize("parser", PARSERS)
@given(before=NASTY, quoted=NASTY.filter(lambda text: bool(text)), after=NASTY, neighbour=NASTY.filter(lambda text: bool(text)))
@example(before="了", quoted="「電池」", after="的", neighbour="x")
@example(before="a ", quoted=" b ", after=" c", neighbour="x")
@example(before="a", quoted="(b)", after="c", neighbour="x")
@example(before="@@", quoted="@@", after="@@", neighbour="@@")
@example(before="a\n", quoted="b", after="\nc", neighbour="x")
def test_no_word_of_a_source_becomes_markup_anywhere_in_a_report(make, parser, before, quoted, after, neighbour):
    quote = make(
        "quote",
        before,
        quoted,
        after,
        before=make("span", neighbour),
        after=make("span", neighbour, 900),
        headings=[make("span", neighbour)],
    )
    report = make(
        "report",
        query=neighbour,
        themes=[make("theme", make("claim", quote, wording="model", support="attached", text=neighbour, template=neighbour))],
        citations=[make("citation", url="https://good.example/a?b=1&c;=(2)", title=neighbour, locator={"container": neighbour})],
    )
    text = render_markdown(report)
    tokens = list(_tokens(text, parser))
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == ["<!-- veridical-export veridical.report/1 -->"]
    assert [token for token in tokens if token.type in ("html_inline", "image", "fence", "code_block", "hr", "table_open", "s_open")] == []
    links = [token.attrs["href"] for token in tokens if token.type == "link_open"]
    assert links == ["https://good.example/a?b=1&c;=(2)"]
    assert len([token for token in tokens if token.type == "blockquote_open"]) == 1
    assert len([token for token in tokens if token.type == "heading_open"]) == 5
    strong = _strong(tokens)
    assert "".join(strong.split()) == "".join(visible(quoted).split())


def _strong(tokens) -> str:
    found, inside = "", False
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            inside = token.type == "strong_open"
        elif inside and token.type in ("text", "code_inline"):
            found += token.content
    return found


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
                        before=make("span", "Before."),
                        after=make("span", "After.", 60),
                        headings=[make("span", "Basics")],
                    ),
                ),
                name={"wording": "model", "text": "Data hunger"},
            )
        ],
        citations=[make("citation", title="Notes", url="https://a.example/n")],
        answers=[
            {"question": "Is it slow?", "status": "unaddressed", "claims": [], "reason": "No sentence."},
            {
                "question": "Is it hard?",
                "status": "answered",
                "claims": [make("claim", make("quote", verdict="clipped"), make("quote"), id="c2")],
            },
        ],
    )
    assert render_markdown(report) == (
        "<!-- veridical-export veridical.report/1 -->\n"
        "\n"
        "# What is hard?\n"
        "\n"
        "## 1. Data hunger (named by a model)\n"
        "\n"
        "12 passages by 9 accounts on 2 sources; 3 of unknown authors.\n"
        "\n"
        "> *Before.* It takes **a lot of data**. *After.*\n"
        ">\n"
        "> — source 1, notes/a\\.md\\:12, under Basics\n"
        "\n"
        "## Questions to address\n"
        "\n"
        "### Is it slow?\n"
        "\n"
        "Unaddressed: No sentence.\n"
        "\n"
        "### Is it hard?\n"
        "\n"
        "> **the words**\n"
        ">\n"
        "> — source 1, notes/a\\.md\\:12\n"
        ">\n"
        "> Note: the words around this quote change what it says; it supports nothing by itself.\n"
        "\n"
        "> **the words**\n"
        ">\n"
        "> — source 1, notes/a\\.md\\:12\n"
        "\n"
        "## Sources\n"
        "\n"
        "1. Notes. notes/a\\.md\\:3. retrieved 2026-06-02T10\\:00\\:00Z. read by this program. "
        "[https\\://a\\.example/n](<https://a.example/n>)\n"
        "\n"
        "## How this was made\n"
        "\n"
        "- 40 documents in scope, 30 retrieved, 20 admitted, 10 selected, 5 shown to the composer, 1 cited\n"
        "- 0 documents shown and not cited\n"
        "- run run-1 at 2026-06-03T10\\:00\\:00Z, veridical 0\\.1\\.0, veridical-policy-1, seed 7\n"
        "\n"
        "## What is proved, and what is not\n"
        "\n"
        "Every quote is copied from a record that was read, and every count is the size of a set of such records. "
        "It does not prove that the words are true, independent, complete or fairly chosen.\n"
        "\n"
    )


def test_a_refusal_says_what_was_tried_and_what_would_help(make):
    report = make(
        "report",
        outcome="refused",
        themes=[],
        citations=[],
        refusal={
            "code": "no-evidence",
            "text": "There is nothing.",
            "tried": [{"what": "documents in scope", "count": 3}],
            "help": ["Name files: veridical research QUESTION --from PATH"],
        },
    )
    text = render_markdown(report)
    assert (
        "**No answer.** There is nothing.\n\nWhat was tried:\n\n- documents in scope: 3\n\nWhat would help:\n\n- Name files: veri" in text
    )
    bare = make(
        "report", outcome="refused", themes=[], citations=[], refusal={"code": "no-evidence", "text": "No.", "tried": [], "help": []}
    )
    assert "What" not in render_markdown(bare).split("## How")[0].replace("# What is hard?", "")


def test_model_words_are_labelled_and_a_bad_url_is_no_link(make):
    claim = make("claim", make("quote"), wording="model", support="attached", text="It is hard.", template="It is hard.")
    text = render_markdown(make("report", themes=[make("theme", claim)], citations=[make("citation", url="javascript:alert(1)")]))
    assert f"It is hard.\n\n*{ATTACHED}*\n\n> **the words**" in text
    assert "](<" not in text
