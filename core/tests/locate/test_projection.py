"""Visible text: what a reader sees, nothing else, in order, with a map that the kernel accepts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from veridical.kernel.derivation import confirm_projection
from veridical.locate.projection import Projection, project
from veridical.locate.projection.layout import Layout, NotLaidError

Kind = Literal["plain", "markdown", "html"]


def seen(source: str, kind: Kind) -> Projection:
    found = project(source, kind)
    confirm_projection(source, found.text, found.runs, kind)
    return found


def ink(text: str) -> str:
    """Return the characters that leave ink."""
    return "".join(each for each in text if not each.isspace() and each != "\x1e")


class TestPlain:
    @given(st.text())
    def test_it_is_the_identity(self, source: str) -> None:
        assert seen(source, "plain").text == source

    def test_blocks_are_paragraphs(self) -> None:
        text = "one\ntwo\n\n  \nthree\x1efour\r\n\r\nfive"
        assert [text[start:end] for start, end in seen(text, "plain").blocks] == ["one\ntwo", "three", "four\r", "five"]


class TestMarkdown:
    @pytest.mark.parametrize(
        ("source", "text"),
        [
            ("See [the docs](https://ex.com/a 'title') for details", "See the docs for details"),
            ("[ref]: /u 't'\n\nsee [ref], [this][ref] and [ref][]", "see ref, this and ref"),
            ("mail <https://a.b/c%20d> now", "mail https://a.b/c%20d now"),
            ("I ~~love~~ hate this", "I \x1ehate this"),
            ("a ![not](x.png) b", "a \x1eb"),
            ("Tom &amp; Jerry &copy;", "Tom & Jerry \u00a9"),
            ("AT&amp;amp;T and &unknown; and &#99999999;", "AT&amp;T and &unknown; and &#99999999;"),
            (r"snake\_case \*not em\* \a \\", r"snake_case *not em* \a " + "\\"),
            ("**bold**text *em* __x__ a_b_c ***both*** **un", "boldtext em x a_b_c both **un"),
            ("Use `rm  -rf` and `` a ` b `` and ` x `", "Use rm -rf and a ` b and x"),
            ("`a\nb` c", "a b c"),
            ("one  two\tthree", "one two three"),
            ("para one\nline two  \nhard\\\nbreak\n\npara two", "para one\nline two\nhard\nbreak\n\npara two"),
            ("# Head *it* #\nBody", "Head it\n\x1eBody"),
            ("## # b\nx", "# b\n\x1ex"),
            ("Set *h*\n===\nBody\n\nTwo\n---\nx", "Set h\n\x1eBody\n\x1eTwo\n\x1ex"),
            ("* one\n* two\n\n  more\n  1. sub", "one\n\x1etwo\n\nmore\n\x1esub"),
            ("> quoted\n> more\n>\n> second\nlazy\n\nmine", "> quoted more\n\n> second lazy\n\x1emine"),
            ("> a\n> > b\n> > c\n\nd", "> a\n\x1e\n> > b c\n\x1ed"),
            ("> hard  \n> break", "> hard\n> break"),
            ("> ```\n> one\n>\n> two\n> ```", "> one\n> \n> two"),
            ("a\n\n***\n\nb", "a\n\x1eb"),
            ("```py\nx = 1\n\n\ty  = `z`\n```\nafter", "x = 1\n\n\ty  = `z`\n\x1eafter"),
            ("    code\n\tmore\n\n\t\ttab\n\ntext", "code\nmore\n\n\ttab\n\x1etext"),
            ("- a\n\n\tb after a tab", "a\n\nb after a tab"),
            ("1. a\n\n  \t     code after half a tab", "a\n\x1e  code after half a tab"),
            ("-\t\tcode after two tabs", "  code after two tabs"),
            ("| a | b |\n|---|---|\n| 1 \\| x | **2** |\n| c |\n||d|", "a\n\x1eb\n\x1e1 | x\n\x1e2\n\x1ec\n\x1ed"),
            ("> - a\n>\n>   b | c\n>   ---|---\n>   1 | 2 | 3", "> a\n\x1e\n> b\n\x1e\n> c\n\x1e\n> 1\n\x1e\n> 2"),
            ("- a | b\n  ---|---\n  1 | 2", "- a\n\x1eb\n\x1e1\n\x1e2"),
            ("I do <b>not</b> like", "I do not like"),
            ("I like it<!-- do not quote --> a lot", "I like it \x1ea lot"),
            ("I <del>do</del> like", "I \x1elike"),
            ("a<br>b", "a\nb"),
            ("<script>var x='buy now';</script>Fine product", "Fine product"),
            ("<div hidden>\n\nsecret *md*\n\n</div>\n\nvisible", "visible"),
            ("a\n\n<p hidden>\nsecret\n\nshown", "a\n\x1eshown"),
            ("<div><!-- open\n\n`middle` &amp; \\* <b>x</b>\n\n    code\n\nend --> shown", "shown"),
            ("<div><!-- open\n\nnever closed", ""),
            ("> <div>\n> a\n> b &lt;\n> </div>", "> a b <"),
            ("<pre>\nx\n  y\n</pre>", "x\n  y"),
            ("<s>\n\ngone\n\nstill struck", ""),
            ("a </p></div> b </li> c", "a\n\nb\n\x1ec"),
            ("- a <s>b</li> c</s> d", "a \x1ed"),
            ("price $5 and $6, $x_1 = \\{a*b*c\\}$ and $$a_b$$", "price $5 and $6, $x_1 = \\{a*b*c\\}$ and $$a_b$$"),
            ("~~~\n~~x~~", "~~x~~"),
            ("a~~~b~~~ c", "a~\x1e~ c"),
            ("a\r\nb\rc\r\n\r\n> d\r\n> e", "a\nb\nc\n\x1e\n> d e"),
            ("a\0b", "a\0b"),
            ("", ""),
        ],
    )
    def test_what_a_reader_sees(self, source: str, text: str) -> None:
        assert seen(source, "markdown").text == text

    def test_headings_are_found_with_their_levels(self) -> None:
        found = seen("# One\n\ntext\n\n> ## `Two` &amp; *more*\n\nThree\n---\n", "markdown")
        assert [(found.text[start:end], level) for start, end, level in found.headings] == [("One", 1), ("Two & more", 2), ("Three", 2)]

    def test_blocks_are_what_separators_divide(self) -> None:
        found = seen("# One\n\ntext ~~x~~ more\n\nnext\n\n> quoted\n", "markdown")
        assert [found.text[start:end] for start, end in found.blocks] == ["One", "text \x1emore", "next", "quoted"]

    def test_a_contiguous_stretch_is_one_run(self) -> None:
        assert seen("one two\nthree\n\nfour", "markdown").runs == (
            (0, 13, 0, 13, "copy"),
            (13, 15, 13, 13, "inserted"),
            (15, 19, 15, 19, "copy"),
        )

    def test_a_block_that_does_not_fit_its_lines_is_left_out_with_a_boundary(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = Layout.lines
        monkeypatch.setattr(Layout, "lines", lambda self, text, number: lines(self, text.replace("two", "2"), number))
        assert seen("one\n\ntwo\n\nthree", "markdown").text == "one\n\x1ethree"

    def test_text_is_looked_for_in_its_own_line_and_nowhere_else(self) -> None:
        layout = Layout("one\n# two")
        assert (layout.line("one", 0), layout.line("   one", 0)) == ((0, 0), (0, 3))
        with pytest.raises(NotLaidError):
            layout.line("two", 0)
        with pytest.raises(NotLaidError):
            layout.heading("one", 1, 1)


class TestHtml:
    @pytest.mark.parametrize(
        ("source", "text"),
        [
            ("<p>one <b>two</b>three</p>\n\n<p>four</p>", "one twothree\n\nfour"),
            ("<p>one<p>two", "one\n\ntwo"),
            ("  a \n\t b  c  ", "a b c"),
            ("a<br>b<br/><br>c", "a\nb\n\nc"),
            ("a <br> b", "a\nb"),
            ("<ul><li>a<li>b</ul>c", "a\n\x1eb\n\x1ec"),
            ("<table><tr><td>a<td>b<tr><th>c</table>", "a\n\x1eb\n\x1ec"),
            ("<dl><dt>a<dd>b</dl>", "a\n\x1eb"),
            ("<h1>T</h1>x", "T\n\x1ex"),
            ("<pre>\n a\n\n  b &amp;&#10;c\n</pre>d", " a\n\n  b &\nc\n\x1ed"),
            ("<pre>a\r\nb</pre>", "a\nb"),
            ("<blockquote><p>a<br>b</p><p>c</p></blockquote>d", "> a\n> b\n\n> c\n\x1ed"),
            ("<blockquote><pre>a\nb</pre></blockquote>", "> a\n> b"),
            ("a<hr>b", "a\n\x1eb"),
            ("a<!-- x -->b<!-- -->c<!---->d<!-->e", "a\x1ebcde"),
            ("<p>a</p><!-- x --><p>b</p>", "a\n\nb"),
            ("<p>a</p><p hidden>x</p><p>b</p>", "a\n\x1eb"),
            ("a<!-- never closed", "a"),
            ("a<!-- x --!>b", "a\x1eb"),
            ("<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body>x", "x"),
            ("a <![CDATA[x]]> b <?php y ?> c", "a \x1eb \x1ec"),
            ("a<script>if (1 </scr && '</script >')</script>b", "a\x1e')b"),
            ("a<script>never closed", "a"),
            ("a<template><p>x</p></template>b<noscript>y</noscript>c", "a\x1eb\x1ec"),
            ("a<del>x</del>b<s>y</s>c<strike>z</strike>d", "a\x1eb\x1ec\x1ed"),
            ("<p><s>a</p><p>b</s>c", "c"),
            ("<p><del>a</p><p>b</del>c", "bc"),
            ("<s><div>a</s>b</div>c", "b\n\nc"),
            ("a<span hidden>x <span>y</span> z</span>b", "a\x1eb"),
            ('a<i hidden="until-found">b</i>', "ab"),
            ('a<i aria-hidden="true"></i>b<i aria-hidden=true>x</i>c', "ab\x1ec"),
            ("a<i style='color:red; DISPLAY : none'>x</i>b", "a\x1eb"),
            ('a<i style="visibility:hidden">x</i><u style="text-decoration: underline line-through">y</u>b', "a\x1eb"),
            ('a<i title="hidden">b</i><i data-hidden>c</i><i style="x-display:none">d</i>', "abcd"),
            ("a<img alt=not>b<input value=x>c", "a\x1eb\x1ec"),
            ("a<select><option>x</select>b<math><mn>2</mn></math>c", "a\x1eb\x1ec"),
            ("<button>a</button><button>b</button>", "a\x1eb"),
            ("10<sup>6</sup>, x<sup>2</sup>, H<sub>2</sub>O, 1<sub>2</sub>3", "10\x1e6, x2, H2O, 1\x1e2\x1e3"),
            ("x &lt;b&gt; &amp;amp; &nbsp;y &bogus; &copy2 &#x26;", "x <b> &amp; \u00a0y &bogus; \u00a92 &"),
            ("a&#10;&#32;b&#x1E;c", "a bc"),
            ("&#" + "9" * 5000 + ";", "&#" + "9" * 5000 + ";"),
            ("1 < 2 & 3 <4 <3", "1 < 2 & 3 <4 <3"),
            ("a <b never closed", "a"),
            ("a</>b</ x>c", "ab\x1ec"),
            ('<a title="a > b" href=\'x\' data-x=">">link</a>', "link"),
            ("<P CLASS=x>a</P><BR>b", "a\n\nb"),
            ("<td>a</td><div>b</td>c", "a\n\x1eb\n\x1ec"),
            ("<p>a<table><tr><td><p>b</table>c", "a\n\x1eb\n\x1ec"),
            ("", ""),
        ],
    )
    def test_what_a_reader_sees(self, source: str, text: str) -> None:
        assert seen(source, "html").text == text

    def test_headings_are_found_with_their_levels(self) -> None:
        found = seen("<h1>A <i>b</h1>x<h3 hidden>no</h3><h2><a href=x>C</a>\n</h2>y<h4>unclosed", "html")
        assert [(found.text[start:end], level) for start, end, level in found.headings] == [("A b", 1), ("C", 2)]

    def test_hidden_text_stays_hidden_below_any_number_of_elements(self) -> None:
        deep = "<div>" * 300
        assert seen(f"a{deep}b<span hidden>c</span>d", "html").text == "a\n\nb"
        assert seen("<span hidden>" + "<i>" * 300 + "a" + "</i>" * 400 + "</span>b", "html").text == ""
        assert seen("<div>" * 300 + "a" + "</div>" * 300 + "b", "html").text == "a\n\nb"


# Documents with known words: (markup, the words that are visible, the words that are not).
_counter = st.integers(0, 10**6).map("w{}x".format)


def _inline(kind: Kind) -> st.SearchStrategy[tuple[str, list[str], list[str]]]:
    marks = {
        "html": ["<b>{}</b>", "<a href='#not'>{}</a>", "<span\n>{}</span >", "<code>{}</code>", "&#32;{}&nbsp;"],
        "markdown": ["**{}**", "*{}*", "[{}](#not 'nor this')", "`{}`", "<b>{}</b>", "&nbsp;{}", r"\*{}\*", "<https://{}.org>"],
    }[kind]
    hides = {
        "html": ["<s>{}</s>", "<del>{}</del>", "<!--{}-->", "<script>{}</script>", "<i hidden>{}</i>", "<p style='display:none'>{}</p>"],
        "markdown": ["~~{}~~", "<!--{}-->", "<del>{}</del>", "![{}](x)", "<i hidden>**{}**</i>"],
    }[kind]
    shown = st.tuples(st.sampled_from(marks), _counter).map(lambda each: (each[0].format(each[1]), [each[1]], list[str]()))
    hidden = st.tuples(st.sampled_from(hides), _counter).map(lambda each: (each[0].format(each[1]), list[str](), [each[1]]))
    plain = _counter.map(lambda each: (each, [each], list[str]()))
    return shown | hidden | plain


def _document(kind: Kind) -> st.SearchStrategy[tuple[str, list[str], list[str]]]:
    blocks = {
        "html": [
            "<p>{}</p>",
            "<p>{}",
            "<ul><li>{}</li></ul>",
            "<h2>{}</h2>",
            "<blockquote>{}</blockquote>",
            "<td>{}</td>",
            "<pre>{}</pre>",
        ],
        "markdown": ["{}", "> {}", "- {}", "# {}", "{}\n===", "1. > {}", "| {} |\n|---|\n| {} |"],
    }[kind]

    def block(drawn: tuple[str, list[tuple[str, list[str], list[str]]]]) -> tuple[str, list[str], list[str]]:
        frame, parts = drawn
        times = frame.count("{}")
        text = " ".join(each[0] for each in parts)
        return frame.replace("{}", text), [w for each in parts for w in each[1]] * times, [w for each in parts for w in each[2]]

    framed = st.tuples(st.sampled_from(blocks), st.lists(_inline(kind), min_size=1, max_size=4)).map(block)
    return st.lists(framed, max_size=5).map(
        lambda each: ("\n\n".join(b[0] for b in each), [w for b in each for w in b[1]], [w for b in each for w in b[2]])
    )


class TestEveryDocument:
    @given(_document("markdown"))
    def test_markdown_loses_and_makes_up_no_word(self, drawn: tuple[str, list[str], list[str]]) -> None:
        source, shown, hidden = drawn
        text = seen(source, "markdown").text
        assert [word for word in _words(text) if word in {*shown, *hidden}] == shown

    @given(_document("html"))
    def test_html_loses_and_makes_up_no_word(self, drawn: tuple[str, list[str], list[str]]) -> None:
        source, shown, hidden = drawn
        text = seen(source, "html").text
        assert [word for word in _words(text) if word in {*shown, *hidden}] == shown

    @given(
        st.lists(
            st.sampled_from(
                [
                    *"<>/!-=\"'&;# \n\tab",
                    "<p>",
                    "</p>",
                    "<s>",
                    "</s>",
                    "<b hidden>",
                    "<!--",
                    "-->",
                    "<pre>",
                    "<td>",
                    "<blockquote>",
                    "</blockquote>",
                    "<script>",
                    "</script>",
                    "&amp;",
                    "&#x1e;",
                    "<br>",
                    "<h1>",
                    "</h1>",
                    "\x1e",
                ]
            )
        )
    )
    def test_malformed_html_neither_crashes_nor_invents(self, parts: list[str]) -> None:
        assert seen("".join(parts), "html").text == seen("".join(parts), "html").text

    @given(
        st.lists(
            st.sampled_from(
                [
                    *"*_`~[]()<>!|\\#-+.:&;$ \t\n\r\0ab1",
                    "\n\n",
                    "> ",
                    "- ",
                    "1. ",
                    "    ",
                    "```",
                    "~~",
                    "|--|",
                    "<!--",
                    "-->",
                    "&amp;",
                    "<s>",
                    "</s>",
                    "<div>",
                    "</div>",
                    "[a]: b\n",
                    "](",
                    "http://a",
                    "\x1e",
                    "\u2028",
                    "\x0c",
                    "\xa0",
                ]
            )
        )
    )
    def test_malformed_markdown_neither_crashes_nor_invents(self, parts: list[str]) -> None:
        seen("".join(parts), "markdown")

    @given(st.text(), st.sampled_from(["html", "markdown"]))
    def test_any_text_can_be_read(self, source: str, kind: Kind) -> None:
        seen(source, kind)

    @given(st.text(st.characters(exclude_characters="<&"), max_size=60), st.sampled_from(["<p>", "<li>", "<pre>", "<blockquote>"]))
    def test_text_without_markup_keeps_its_ink(self, text: str, tag: str) -> None:
        assert ink(seen(tag + text, "html").text).lstrip(">") == ink(text).lstrip(">")

    @given(
        st.lists(
            st.sampled_from(
                [*"*_`~[]()!#-+.:; \nab", "word ", "\n\n", "- ", "1. ", "    ", "```\n", "\n---\n", "a|b\n-|-\n", "<b>", "</b>"]
            )
        )
    )
    def test_markdown_shows_what_its_rendering_shows(self, parts: list[str]) -> None:
        """Two ways to the same characters: exact offsets here, and the library's own HTML read as HTML."""
        source = "".join(parts)
        rendered = MarkdownIt("commonmark").enable(["strikethrough", "table"]).render(source)
        assert ink(seen(source, "markdown").text) == ink(seen(rendered, "html").text)


class TestRealData:
    def test_the_pitfalls_of_markup_come_out_right(self, shared_data: Callable[[str], Path]) -> None:
        rows = [json.loads(line) for line in shared_data("pitfalls.jsonl").read_text("utf-8").splitlines()]
        cases = [row for row in rows if row["area"] == "markup"]
        wrong = {row["id"]: seen(row["source_text"], "markdown").text for row in cases if not _right(row)}
        assert cases
        assert wrong == {}

    def test_real_comments_show_what_their_rendering_shows(self, shared_data: Callable[[str], Path]) -> None:
        with gzip.open(shared_data("comments/stackexchange.ai.stackexchange.com.jsonl.gz"), "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for row in rows:
            kind: Kind = "html" if row["text_format"] == "html" else "markdown"
            found = seen(row["text"], kind)
            if kind == "markdown" and "$" not in row["text"]:
                rendered = MarkdownIt("commonmark").enable(["strikethrough", "table"]).render(row["text"])
                assert ink(found.text) == ink(seen(rendered, "html").text)


def _right(row: dict[str, object]) -> bool:
    text = seen(str(row["source_text"]), "markdown").text
    kept = row["expected_verdict"] != "drop"
    # A quote of the markup itself is found in the record's bytes, not in what a reader sees.
    return (str(row["proposed"]) in text) == kept or (kept and row["exact_substring"] is True)


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()
