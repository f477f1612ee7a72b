"""Statements of a text that comes piece by piece."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.workflows.agent.statements import Statement, Statements

POLICY = load_policy()
LAYOUTS = [
    ("One fact stands here. Another stands there.", [("One fact stands here.", ()), ("Another stands there.", ())]),
    ("It was found in 1898 [1]. It glowed [2, 3].", [("It was found in 1898.", (1,)), ("It glowed.", (2, 3))]),
    ("It was found in 1898. [1] It glowed. [2][3]", [("It was found in 1898.", (1,)), ("It glowed.", (2, 3))]),
    ("[7] It glowed.", [("It glowed.", (7,))]),
    ("Dr. Curie found it [1][1].", [("Dr. Curie found it.", (1,))]),
    ("# Radium\nIt glowed.\nIt was sold.", [("Radium", ()), ("It glowed.", ()), ("It was sold.", ())]),
    ("- It **glowed**. [1]\n- It was sold\n3) It was banned", [("It glowed.", (1,)), ("It was sold", ()), ("It was banned", ())]),
    ("It glowed\nin the dark.\r\n\r\nIt was sold.", [("It glowed in the dark.", ()), ("It was sold.", ())]),
    ("[1](https://evil.example)", [("[1](https://evil.example)", ())]),
    ("[1]: https://evil.example", [("[1]: https://evil.example", ())]),
    ("> It glowed.\n> It was sold.", [("It glowed.", ()), ("It was sold.", ())]),
    ("*It* __glowed__ in `the` _dark._[^1] A_b was sold\u30102\u3011.", [("It glowed in the dark.", (1,)), ("A_b was sold.", (2,))]),
    (" \n---\n\n***\n[1]\n", []),
    ("", []),
]


def statements(*pieces: str) -> list[Statement]:
    taken = Statements(POLICY)
    return [one for piece in pieces for one in taken.add(piece)] + list(taken.end())


@pytest.mark.parametrize(("text", "due"), LAYOUTS, ids=[str(number) for number in range(len(LAYOUTS))])
def test_a_statement_is_a_sentence_without_marks_of_layout_and_citation(text: str, due: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [Statement(words, cited) for words, cited in due] == statements(text)


PIECES = st.sampled_from(
    ["It glowed. ", "Dr. ", "Curie ", "[1]", "[2, 3] ", "\n", "\n\n", "\r\n", "- ", "3.5 ", "**", "> ", "x", "\u200b", "# ", "1. "]
)


@given(st.lists(PIECES, max_size=20).map("".join), st.data())
def test_where_a_text_is_cut_into_pieces_makes_no_difference(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
    assert statements(text) == statements(*pieces)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_every_word_of_a_text_is_in_a_statement_once(text: str) -> None:
    due = [word for word in ("glowed", "Curie", "x") for _ in range(text.count(word))]
    said = " ".join(one.text for one in statements(text))
    assert due == [word for word in ("glowed", "Curie", "x") for _ in range(said.count(word))]
