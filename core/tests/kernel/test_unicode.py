"""Graphemes, normal forms and properties come from the policy's own table, and agree with an independent implementation of UAX #29."""

import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.unicode import UnicodeTable, canonical, cluster_end, is_boundary

POLICY = load_policy()
TABLE = POLICY.table("unicode", UnicodeTable)

# One character of every break class, and enough of the classes whose rules look further back.
# Viramas are left out: the independent implementation joins a consonant to one whatever stands before it, GB9c does not.
PIECES = st.sampled_from(
    [
        "a", "b", "\r", "\n", "\x00", "\u00ad", "\u200b", "\u0301", "\u0323", "\u200d", "\ufe0f", "\U0001f1e9", "\U0001f1ea",
        "\U0001f3fb", "\U0001f468", "\u2764", "\u0600", "\u0903", "\u1112", "\u1161", "\u11ab", "\uac00", "\uac01", "\u0915",
        "\u0937", "\u093c", "\u0e33", "\U000e0067",
    ]
)  # fmt: skip


def boundaries(text: str) -> list[int]:
    return [at for at in range(len(text) + 1) if is_boundary(text, at, POLICY)]


@given(st.lists(PIECES, max_size=8).map("".join))
@example("\u0915\u094d\u0937")
@example("\u0915\u093c\u094d\u200d\u0937")
@example("\u0915\u0937")
@example("\U0001f468\u200d\U0001f468")
@example("\U0001f468\u0301\ufe0f\u200d\U0001f468")
@example("\u200d\U0001f468")
@example("a\u200d\U0001f468")
@example("\U0001f1e9\U0001f1ea\U0001f1e9\U0001f1ea\U0001f1e9")
@example("\r\n\n\r")
@example("\u0600\u0600a")
@example("\u0600\n")
@example("\n\u0301")
def test_graphemes_are_those_of_an_independent_implementation(text: str) -> None:
    regex = pytest.importorskip("regex", reason="the independent implementation is the regex package")
    assert [0] + [found.end() for found in regex.finditer(r"\X", text)] == boundaries(text) or text == ""


@given(st.lists(PIECES, max_size=8).map("".join))
@example("e\u0301\u0323a\r\nb")
def test_clusters_end_where_boundaries_are(text: str) -> None:
    ends = [0]
    while ends[-1] < len(text):
        ends.append(cluster_end(text, ends[-1], POLICY))
    assert boundaries(text) == ends


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301", [0, 2]),
        ("\r\n", [0, 2]),
        ("a\r\nb", [0, 1, 3, 4]),
        ("\U0001f1e9\U0001f1ea\U0001f1eb", [0, 2, 3]),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", [0, 5]),
        ("\u1112\u1161\u11ab\u1100", [0, 3, 4]),
        ("\u0915\u094d\u0937\u0915", [0, 3, 4]),
        ("\U0001f468\ufe0f\U0001f468", [0, 2, 3]),
        ("\U0001f468\u200da", [0, 2, 3]),
        ("a\u200d\U0001f468", [0, 2, 3]),
        ("\u094d\u0937", [0, 1, 2]),
        ("a\u094d\u0937", [0, 2, 3]),
        ("\u0915\u093c\u094d\u200d\u0937", [0, 5]),
        ("\u0915\u093c\u0937", [0, 2, 3]),
        ("", [0]),
        ("a\u0600b", [0, 1, 3]),
        ("a\u0903\U0001f1e9\U0001f1ea", [0, 2, 4]),
        ("a\U0001f1e9\U0001f1ea", [0, 1, 3]),
        ("\U0001f468\u200d\u200d\U0001f469", [0, 3, 4]),
        ("\u0915\u094da", [0, 2, 3]),
    ],
)  # fmt: skip
def test_known_clusters(text: str, expected: list[int]) -> None:
    assert expected == boundaries(text)


def test_there_is_a_boundary_everywhere_outside_of_the_text() -> None:
    assert all(is_boundary("e\u0301", at, POLICY) for at in (-2, -1, 0, 2, 3, 99))


def test_normal_form_is_nfc_of_settled_characters_and_nothing_of_others() -> None:
    young = "\U00010eab"  # assigned in Unicode 13
    unsettled = "\U0001e4ec"  # a mark of combining class 232, assigned in Unicode 15
    assert canonical("e\u0301", POLICY) == "\u00e9"
    assert canonical("plain", POLICY) == "plain"
    assert canonical(f"e{young}\u0301", POLICY) == unicodedata.normalize("NFC", f"e{young}\u0301")
    assert canonical(f"e\u0301{unsettled}", POLICY) == f"e\u0301{unsettled}"


def test_the_table_covers_every_code_point_once_and_in_order() -> None:
    assert TABLE.starts[0] == 0
    assert sorted(set(TABLE.starts)) == list(TABLE.starts)
    assert len(TABLE.starts) == len(TABLE.runs)
    assert TABLE.starts[-1] <= sys.maxunicode


@pytest.mark.parametrize(
    ("char", "category", "trait"),
    [
        ("\u00ad", "Cf", "ignorable"), ("\u200b", "Cf", "ignorable"), ("\u034f", "Mn", "ignorable"), ("\u2062", "Cf", "ignorable"),
        ("\U000e0067", "Cf", "ignorable"), ("\ufe0f", "Mn", "ignorable"), ("\u202e", "Cf", "ignorable"), ("\u96fb", "Lo", "spaceless"),
        ("\u30fc", "Lm", "spaceless"), ("\u0e01", "Lo", "spaceless"), ("\u1780", "Lo", "spaceless"), ("\u2764", "So", "pictographic"),
    ],
)  # fmt: skip
def test_properties_that_rules_stand_on(char: str, category: str, trait: str) -> None:
    kind = TABLE.kind(char)
    assert category == kind.category
    assert getattr(kind, trait)
    assert not getattr(TABLE.kind("a"), trait)


@pytest.mark.parametrize("char", ["\u115f", "\u3164", "\u0600", "\uac00", "a", " "])
def test_what_stands_for_something_is_not_ignorable(char: str) -> None:
    assert not TABLE.kind(char).ignorable


def test_the_class_of_what_is_not_seen_is_exactly_that() -> None:
    unseen = re.compile(f"[{TABLE.ignorable}]")
    for start in TABLE.starts:
        for code in (max(0, start - 1), start):
            assert (unseen.match(chr(code)) is not None) is TABLE.kind(chr(code)).ignorable
