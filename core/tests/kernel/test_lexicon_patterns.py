"""The patterns of the lexicons, made quicker, match what they would match as they are written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.sentences import LexiconTable, _any, _small

TABLE = load_policy().table("lexicons", LexiconTable)
CASELESS = sorted(name for name, found in TABLE.compiled.items() if re.match(r"\(\?is?\)", found.pattern) and "(?-i" not in found.pattern)
PIECES = st.sampled_from(["a", "b", "c", " ", "'", "a?", "b*", "c+", "a{2}", "(?:a|bc)", "[ab]", "(?=c)", "\u00e9"])
ENTRIES = st.lists(st.lists(PIECES, max_size=4).map("".join), min_size=1, max_size=8)
SPOKEN = st.lists(
    st.one_of(
        st.sampled_from(sorted({entry for words in TABLE.words.values() for entry in words if entry.isascii() and entry[:1].isalpha()})),
        st.sampled_from(
            ["the", "I", "we", "it", "and", "but", ",", ".", "?", "!", " - ", "so", "that", "don't", "DON'T", "cannot", "(", ")"]
        ),
        st.text("aAnNtT'iI ,.\n", max_size=4),
    ),
    max_size=12,
).map(" ".join)


@given(ENTRIES, st.text("abc '\u00e9", max_size=12))
def test_what_begins_alike_is_written_once_and_matches_as_before(words: list[str], text: str) -> None:
    plain, quick = (re.compile(f"(?:{alternatives})(?!b)") for alternatives in ("|".join(words), _any(words)))
    assert [found.span() for found in plain.finditer(text)] == [found.span() for found in quick.finditer(text)]


def test_of_many_words_the_first_letter_is_tried_once() -> None:
    assert "n(?:o(?:t(?:)|)|e(?:v(?:e(?:r(?:)))))|x?|n(?:o(?:))" == _any(["not", "no", "never", "x?", "no"])


@pytest.mark.parametrize("name", CASELESS)
def test_no_pattern_that_pays_no_heed_to_case_is_written_with_capitals(name: str) -> None:
    written = re.sub(r"\\[A-Z]|\(\?P<\w+>", "", TABLE.compiled[name].pattern)
    assert written == written.lower()


@pytest.mark.parametrize("name", CASELESS)
@given(text=SPOKEN)
def test_ascii_text_in_small_letters_is_matched_at_the_same_places(name: str, text: str) -> None:
    as_written = TABLE.compiled[name].finditer(text)
    assert [found.span() for found in as_written] == [found.span() for found in _small(TABLE.compiled[name].pattern).finditer(text.lower())]
