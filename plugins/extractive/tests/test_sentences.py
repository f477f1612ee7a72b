"""Where sentences start and end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_extractive._sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One here. Two there! Three? Four", ["One here.", "Two there!", "Three?", "Four"]),
        ("Dr. Miller and Mr. Smith, e.g. in the U.S. Senate, agree.", ["Dr. Miller and Mr. Smith, e.g. in the U.S. Senate, agree."]),
        (
            "It costs 4.50 in Fig. 3 and No. 7. The answer is no. That is all.",
            ["It costs 4.50 in Fig. 3 and No. 7.", "The answer is no.", "That is all."],
        ),
        ("J. R. R. Tolkien wrote it. I did not.", ["J. R. R. Tolkien wrote it.", "I did not."]),
        ("It broke again and so did I. Then it worked.", ["It broke again and so did I.", "Then it worked."]),
        ("Wait... what? Yes... Then it fell.", ["Wait... what?", "Yes...", "Then it fell."]),
        ('He said "stop." Then he left (for good.) Fine.', ['He said "stop."', "Then he left (for good.)", "Fine."]),
        ("A title\n\nA paragraph that\nis wrapped here. Another.", ["A title", "A paragraph that\nis wrapped here.", "Another."]),
        ("Short line\nAnother line\n", ["Short line", "Another line"]),
        (
            "This line is long enough that an editor may have wrapped\nIt here.",
            ["This line is long enough that an editor may have wrapped\nIt here."],
        ),
        ("Needed:\n- two eggs\n- some flour\n1. Mix it.\n2. Bake it.", ["Needed:", "two eggs", "some flour", "Mix it.", "Bake it."]),
        ("Before\x1eafter. End", ["Before", "after.", "End"]),
        ("Mine.\n> Somebody else wrote this.\nMine again.", ["Mine.", "Mine again."]),
        (
            "電池は四時間で切れる。充電は二時間かかる\uff01「本当\uff1f」はい。",
            ["電池は四時間で切れる。", "充電は二時間かかる\uff01", "「本当\uff1f」", "はい。"],
        ),
        ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("Das gilt z.B. für Akkus. Es gilt nicht immer.", ["Das gilt z.B. für Akkus.", "Es gilt nicht immer."]),
        ("iPhone users etc. are fine. eBay is not.", ["iPhone users etc. are fine. eBay is not."]),
        ("", []),
        (" \n\x1e ", []),
    ],
)
def test_a_text_is_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    assert expected == cut(text)


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n\r\t>-\x1e。「」)'\"…e.g"), max_size=80))
def test_sentences_are_trimmed_in_order_apart_and_never_cross_a_boundary(text: str) -> None:
    spans = sentences(text)
    assert spans == sorted(spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for start, end in spans:
        assert text[start:end].strip() == text[start:end] != ""
        assert "\x1e" not in text[start:end]
        assert not any(line.startswith("> ") for line in text[start:end].split("\n"))


@given(st.text(alphabet=st.sampled_from("ab. \n"), max_size=60))
def test_nothing_but_white_space_and_markers_is_lost(text: str) -> None:
    spans = sentences(text)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(text.split()) == "".join(kept.split())
