"""Whatever comes in: nothing raises, and every piece stands where it is said to stand."""

import re
from html import escape, unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.drafts import Draft, DraftFormat, read_draft

FORMATS: tuple[DraftFormat, ...] = ("markdown", "html", "text")
_SCRAPS = [
    *('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "\u201e", "``", "''", "\u300c", "\u300d", "it's", '5"'),
    *("words ", " ", "\n", "\n\n", "\r\n", "\t", "    ", "> ", ">> ", "# ", "- ", "1. ", "---\n", "| a | b |\n|---|---|\n| ", " | "),
    *("[", "](", ")", "[^a]", "[^a]: ", "[3]", "[ref]: https://x.org\n", "[ref]", "References\n", "(Smith 2024)"),
    *("https://x.org/a_(b)", "<https://y.org>", '<a href="https://z.org/?a&amp;b">', "</a>", "<ol><li id=f>", "<a href=#f>"),
    *(
        "<q>",
        "</q>",
        "<blockquote>",
        "</blockquote>",
        "<p>",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<s>",
        "<pre>",
        "</pre>",
        "<code>",
        "</code>",
    ),
    *("`", "```\n", "*", "**", "~~", "\\", "&quot;", "&amp;", "&#8220;", "37 %", "$1,200", "2024-05-03", "12 comments", ". ", ", "),
    *("Ann Lee said ", "said Ann", "according to ", "\u2014 Bob", "\x1e", "\x00", "\u0301", "\U0001f600", "\u4e2d\u6587\u3002"),
]
_drafts = st.lists(st.one_of(st.sampled_from(_SCRAPS), st.text(max_size=6)), max_size=40).map("".join)


def _said(text: str) -> str:
    """Return what a stretch of source says, near enough to compare: without white space, markup and entities."""
    return re.sub(r"[\s>*_~`\\\x1e]|<[^<>]*>", "", unescape(text))


def _is_sound(draft: Draft) -> None:
    for piece in draft.pieces:
        assert 0 <= piece.start < piece.end <= len(draft.text)
        assert piece.text
        assert piece.sentence is None or piece.sentence < len(draft.sentences)
        line, column = draft.place(piece.start)
        assert re.split(r"\r\n?|\n", draft.text)[line - 1][column - 1 :].startswith(draft.text[piece.start])
    assert sorted(draft.pieces, key=lambda piece: piece.start) == list(draft.pieces)
    for sentence in draft.sentences:
        assert 0 <= sentence.start < sentence.end <= len(draft.text)
        assert sentence.text
    assert all(one.end <= other.start for one, other in pairwise(draft.sentences))


@pytest.mark.parametrize("how", FORMATS)
@given(text=_drafts)
def test_nothing_that_is_text_raises_and_offsets_stay_within_it(how, text):
    text = text.replace("\0", "").encode("utf-8", "replace").decode()
    draft = read_draft(text.encode(), name="draft", format=how)
    assert draft.text == text.removeprefix("\ufeff")
    _is_sound(draft)


@given(text=_drafts)
def test_in_plain_text_a_piece_is_what_stands_at_its_offsets(text):
    text = text.replace("\0", "").replace("\r", "")
    draft = read_draft(text.encode("utf-8", "replace"), name="draft.txt")
    for piece in draft.pieces:
        if piece.kind == "block-quote":
            assert _said(piece.text) == _said(draft.text[piece.start : piece.end])
        else:
            assert re.sub(r"\s+", " ", piece.text) == re.sub(r"[\s\x1e]+", " ", draft.text[piece.start : piece.end]).replace("\x1e", "")


_WORD = st.sampled_from(
    [
        "battery",
        "leaks",
        "after",
        "winter",
        "never",
        "rains",
        "owners",
        "bought",
        "again",
        "pump",
        "filter",
        "noisy",
        "Grüße",
        "déjà",
        "你好",
        "it's",
        "don't",
        "café",
    ]
)
_words = st.lists(_WORD, min_size=3, max_size=9).map(" ".join)
_STYLES = [
    ('"', '"'),
    ("\u201c", "\u201d"),
    ("\u00ab\u00a0", "\u00a0\u00bb"),
    ("\u201e", "\u201c"),
    ("\u00bb", "\u00ab"),
    ("\u2018", "\u2019"),
    ("'", "'"),
    ("\u300c", "\u300d"),
]
_PLANTS = st.lists(
    st.one_of(
        st.tuples(st.just("quote"), _words, st.sampled_from(_STYLES)),
        st.tuples(st.just("url"), st.integers(1, 999).map("https://site.example/page_{}?c=(d)&a=1&b=2".format), st.none()),
        st.tuples(st.just("number"), st.integers(100, 999).map("{} %".format), st.none()),
        st.tuples(st.just("block-quote"), _words, st.none()),
    ),
    min_size=1,
    max_size=8,
)
_BREAKS = {"markdown": "\n\n", "html": "\n<p>", "text": "\n\n"}


def _planted(plants: list, how: str) -> tuple[str, list[tuple[str, str, int]]]:
    """Write a draft that holds each plant in a paragraph of its own; return it with kind, words and offset of each."""
    text, expected = "Introduction without anything.", []
    written = escape if how == "html" else str
    for kind, words, marks in plants:
        opening, closing = marks or ("", "")
        before, after = {
            "quote": ("Somebody says ", " in it."),
            "url": ("See ", " for more."),
            "number": ("About ", " are broken."),
            "block-quote": ("", ""),
        }[kind]
        if kind == "block-quote":
            before, after = ("<blockquote>", "</blockquote>") if how == "html" else ("> ", "")
            text += _BREAKS[how] + "They wrote this." + _BREAKS[how] + before
        else:
            text += _BREAKS[how] + before + written(opening)
        expected.append((kind, words, len(text)))
        text += written(words) + written(closing) + after
    return text, expected


@pytest.mark.parametrize("how", FORMATS)
@given(plants=_PLANTS)
def test_every_planted_piece_is_found_where_it_was_planted_and_no_other(how, plants):
    text, expected = _planted(plants, how)
    draft = read_draft(text.encode(), name="draft", format=how)
    assert expected == [(piece.kind, piece.text, piece.start) for piece in draft.pieces]
    for piece in draft.pieces:
        line, column = draft.place(piece.start)
        assert text[: piece.start].count("\n") + 1 == line
        assert piece.start - (text.rfind("\n", 0, piece.start) + 1) + 1 == column
        assert unescape(draft.text[piece.start : piece.end]) == piece.text
