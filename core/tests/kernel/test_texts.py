"""The kernel's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.texts import known_label, known_rule, refusal, theme_name


@pytest.mark.parametrize("code", ["no-evidence", "insufficient-evidence", "nothing-verified"])
def test_a_refusal_says_what_was_tried_and_what_helps(code: str) -> None:
    found = refusal(code, (4, 3, 2, 1))  # type: ignore[arg-type]
    assert [step.count for step in found.tried] == [4, 3, 2, 1]
    assert found.code == code
    assert all("veridical " in line for line in found.help)


def test_a_refusal_counts_every_step() -> None:
    with pytest.raises(ValueError, match="shorter"):
        refusal("no-evidence", (4, 3, 2))  # type: ignore[arg-type]


@given(st.text(max_size=60))
def test_a_rules_name_is_short_and_plain(text: str) -> None:
    plain = 0 < len(text) <= 40 and set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and text.strip("-") != ""
    assert known_rule(text) == plain


def test_labels_are_a_closed_list() -> None:
    assert known_label("ambiguous-occurrence")
    assert not known_label("trust me")


def test_themes_are_counted_from_one() -> None:
    assert theme_name(1) == "Theme 1"


def test_a_rules_name_has_at_most_40_characters() -> None:
    assert known_rule("a" * 40)
    assert not known_rule("a" * 41)
    assert not known_rule("A")
    assert not known_rule("a\u00e9")
