"""Passages cover all words, never cross a boundary, and stay short."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from veridical.locate.passages import passages

texts = st.lists(st.sampled_from([*"ab.\u3002!? \t\n\r\x1e\u00a0", "word ", "\n\n", "Ends. ", "> "])).map("".join)


@given(texts, st.integers(1, 40))
def test_they_cover_every_word_in_order_without_overlap(text: str, limit: int) -> None:
    spans = passages(text, limit=limit)
    covered = [at for start, end in spans for at in range(start, end)]
    assert covered == sorted(set(covered))
    assert {at for at, each in enumerate(text) if not each.isspace()} <= set(covered)


@given(texts, st.integers(1, 40))
def test_none_crosses_a_hard_boundary_or_a_blank_line_or_the_limit(text: str, limit: int) -> None:
    for start, end in passages(text, limit=limit):
        assert 0 < end - start <= limit
        assert "\x1e" not in text[start:end]
        assert all(line.strip() for line in text[start:end].split("\n"))


def test_a_paragraph_that_fits_stays_whole() -> None:
    text = "One. Two. Three.\n\nFour."
    assert [text[start:end] for start, end in passages(text)] == ["One. Two. Three.", "Four."]


def test_a_long_paragraph_ends_where_sentences_do() -> None:
    text = 'She said: "It works." Then more words. And the last one follows here'
    assert [text[start:end] for start, end in passages(text, limit=40)] == [
        'She said: "It works." Then more words.',
        "And the last one follows here",
    ]


def test_a_long_sentence_is_cut_at_white_space_and_else_at_the_limit() -> None:
    assert passages("aaaa bbbb cccc", limit=10) == ((0, 9), (10, 14))
    assert passages("\u4e2d" * 25, limit=10) == ((0, 10), (10, 20), (20, 25))


def test_a_chinese_paragraph_ends_where_sentences_do() -> None:
    text = "\u4e2d" * 8 + "\u3002" + "\u6587" * 8
    assert passages(text, limit=12) == ((0, 9), (9, 17))
