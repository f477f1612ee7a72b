"""From words to the terms that are compared."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.workflows.terms import query_terms, query_words, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The printer's nozzles were clogged.", ("printer", "nozzl", "clog")),
        ("Networks, network; NETWORKING networked", ("network",) * 4),
        ("studies study studied", ("study",) * 3),
        ("passes classes boxes churches", ("pass", "class", "box", "church")),
        ("string need speed being thing", ("string", "need", "speed", "thing")),
        ("bus gas analysis glass", ("bus", "gas", "analysis", "glass")),
        ("C++ and C# and C", ("c++", "c#", "c")),
        ("café naïve résumé", ("caf", "naiv", "resum")),
        ("\uff34\uff45\uff53\uff54 \ufb01le soft\u00adware", ("test", "fil", "softwar")),
        ("Wie lange hält der Akku?", ("lang", "halt", "akku")),
        ("Combien de temps dure la batterie ?", ("combien", "temp", "dur", "batteri")),
        ("電池の寿命", ("電池", "池の", "の寿", "寿命")),
        ("茶", ("茶",)),
        ("배터리 수명", ("배터", "터리", "수명")),
        ("हिन्दी भाषा", ("हिन्दी", "भाषा")),
        ("שָׁלוֹם", ("שלום",)),
        ("4 hours at 230 V", ("4", "hour", "230", "v")),
        ("", ()),
        ("... ?! --", ()),
        ("the of and", ()),
    ],
)
def test_a_text_gives_the_terms_of_its_content_words(text: str, expected: tuple[str, ...]) -> None:
    assert expected == terms(text)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What do beginners find hard about neural networks?", ("beginners", "hard", "neural", "networks")),
        ("What do people think about the battery, the BATTERY?", ("battery",)),
        ("Please summarise the evidence on dark roasts", ("dark", "roasts")),
        ("What do people think?", ("people", "think")),
        ("To be or not to be", ("to", "be", "or", "not")),
        ("?", ()),
    ],
)
def test_a_question_is_about_its_subject_not_about_asking(question: str, words: tuple[str, ...]) -> None:
    assert words == query_words(question)


@given(st.text(max_size=60))
def test_a_question_has_distinct_terms_all_of_which_come_from_its_words(question: str) -> None:
    found = query_terms(question)
    assert len(set(found)) == len(found)
    assert len(found) <= len(query_words(question))


@given(st.text(max_size=60))
def test_terms_do_not_depend_on_case_or_composition(text: str) -> None:
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(st.text(max_size=60))
def test_a_term_is_never_empty(text: str) -> None:
    assert all(terms(text))
