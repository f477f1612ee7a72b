"""A diagnosis says what is wrong with a quote, where the nearest passage is, and admits nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.locate.diagnose import Diagnosis, Fragment, Searched, compare, diagnose, word_diff
from veridical.locate.find import Miss, locate

POLICY = load_policy()
TEXT = "I love the design. The screen is bright. But honestly the software crashes daily and support ignores me. It lasts 4 hours."
OTHERS = [("c2", "bob", "but exports fail every time."), ("c3", None, "Nothing else to say here.")]


def found(quote: str, text: str | None = TEXT) -> Diagnosis:
    return diagnose(quote, text, OTHERS, policy=POLICY)


def test_a_document_that_is_not_there_was_not_shown() -> None:
    assert found("I love the design", None) == Diagnosis("not-shown", "not-shown")


def test_a_quote_that_stands_there_is_no_case_for_a_diagnosis() -> None:
    with pytest.raises(ValueError, match=r"use locate\(\)"):
        found("I love the design.")


@pytest.mark.parametrize("quote", ["the design", "support", "It lasts"])
def test_words_that_are_there_and_too_few_are_too_short(quote: str) -> None:
    assert found(quote) == Diagnosis("too-short", "too-short")


def test_what_is_not_a_string_is_not_found() -> None:
    assert diagnose(None, TEXT, OTHERS, policy=POLICY) == Diagnosis("not-found", "not-a-string")  # pyright: ignore[reportArgumentType]


def test_words_of_another_document_are_misattributed_and_it_is_named() -> None:
    assert found("exports fail every time") == Diagnosis("misattributed", "not-found", "c2", "bob", (4, 27))
    assert found("Nothing else to say") == Diagnosis("misattributed", "not-found", "c3", None, (0, 19))


@pytest.mark.parametrize(
    ("quote", "parts"),
    [
        ("I love the design ... the software crashes daily", ["I love the design", "the software crashes daily"]),
        ("I love ... support", ["I love", "support"]),
        ("I love the design [...] support ignores me", ["I love the design", "support ignores me"]),
        ("I love the design\u2026 support ignores me\u2026 daily", ["I love the design", "support ignores me", "daily"]),
        ("The software [of theirs] crashes daily", ["the software", "crashes daily"]),
        ("I love the design support ignores me", ["I love the design", "support ignores me"]),
        ("support ignores me The screen is bright", ["support ignores me", "The screen is bright"]),
    ],
)
def test_parts_that_stand_apart_are_stitched(quote: str, parts: list[str]) -> None:
    made = found(quote)
    assert made.verdict == "stitched"
    assert parts == [TEXT[part.start : part.end] for part in made.fragments]
    assert {part.document for part in made.fragments} == {None}


def test_parts_may_come_from_several_documents() -> None:
    made = found("I love the design but exports fail every time")
    assert made.verdict == "stitched"
    assert made.fragments == (Fragment(None, 0, 17), Fragment("c2", 0, 27))


@pytest.mark.parametrize(
    ("quote", "passage", "diff"),
    [
        ("It lasts 5 hours.", "It lasts 4 hours.", (("same", "It lasts"), ("missing", "4"), ("added", "5"), ("same", "hours."))),
        ("The screen was bright.", "The screen is bright.",
         (("same", "The screen"), ("missing", "is"), ("added", "was"), ("same", "bright."))),
        ("But the software crashes daily", "But honestly the software crashes daily",
         (("same", "But"), ("missing", "honestly"), ("same", "the software crashes daily"))),
        ("the software often crashes daily", "the software crashes daily",
         (("same", "the software"), ("added", "often"), ("same", "crashes daily"))),
        ("honestly, the software crashes daily", "honestly the software crashes daily",
         (("same", "honestly"), ("added", ","), ("same", "the software crashes daily"))),
        ("THE SCREEN IS BRIGHT.", "The screen is bright.",
         (("missing", "The screen is bright"), ("added", "THE SCREEN IS BRIGHT"), ("same", "."))),
    ],
)  # fmt: skip
def test_altered_words_come_with_a_diff_to_the_nearest_passage(quote: str, passage: str, diff: tuple[tuple[str, str], ...]) -> None:
    made = found(quote)
    assert made.verdict == "altered"
    assert made.passage is not None
    assert passage == TEXT[slice(*made.passage)]
    assert diff == made.diff


def test_true_words_that_are_cut_wrongly_are_altered_by_that_rule() -> None:
    made = diagnose("usable and unreliable", "The product is unusable and unreliable.", [], policy=POLICY)
    assert (made.verdict, made.rule) == ("altered", "inside-word")


@pytest.mark.parametrize(
    "quote", ["A quite different statement altogether", "\U0001f600 \U0001f600 \U0001f600", "", "...", "me too, and you"]
)
def test_what_is_nowhere_is_not_found_and_not_refuted(quote: str) -> None:
    made = found(quote)
    assert (made.verdict, made.diff, made.fragments) == ("not-found", (), ())


@given(st.text(st.sampled_from("aeT sl.[\u2026]'"), max_size=30), st.sampled_from([TEXT, "", "A short one."]))
def test_every_miss_gets_a_diagnosis_whose_places_are_in_the_text(quote: str, text: str) -> None:
    if isinstance(locate(text, quote, policy=POLICY), Miss):
        made = diagnose(quote, text, [], policy=POLICY)
        for start, end in ([made.passage] if made.passage else []) + [(part.start, part.end) for part in made.fragments]:
            assert 0 <= start < end <= len(text)


# Several texts, none of which holds the quote


def compared(quote: str, *texts: str, windows: tuple[tuple[int, int], ...] = ()) -> Diagnosis:
    return compare(quote, [Searched(f"d{number}", text, windows) for number, text in enumerate(texts)], [], rule="not-found", policy=POLICY)


def test_the_nearest_passage_is_that_of_the_text_with_most_of_the_words() -> None:
    made = compared("The screen was bright today.", "A screen is a screen.", TEXT, "The screen is bright today, they say.")
    assert ("altered", "d2") == (made.verdict, made.document)


def test_a_word_that_differs_at_an_edge_is_part_of_the_passage() -> None:
    assert [("missing", "It"), ("added", "That"), ("same", "lasts 4 hours")] == list(compared("That lasts 4 hours", TEXT).diff)
    assert [("same", "It lasts"), ("missing", "4"), ("added", "five")] == list(compared("It lasts five", TEXT).diff)


def test_a_far_place_of_a_long_text_is_found() -> None:
    text = "Nothing of the kind stands here at all. " * 400 + TEXT + " And nothing stands here either." * 400
    made = compared("The screen was bright.", text)
    assert made.passage is not None
    assert "The screen is bright." == text[slice(*made.passage)]


def test_a_window_limits_where_the_nearest_passage_is_looked_for() -> None:
    assert "not-found" == compared("The screen was bright.", TEXT, windows=((0, 18),)).verdict


def test_no_passage_crosses_a_hard_boundary() -> None:
    made = compared("the old pump broke on the first day", "They say the old pump broke\x1eon the first day of all.")
    assert made.passage is None or "\x1e" not in "They say the old pump broke\x1eon the first day of all."[slice(*made.passage)]


def test_scripts_without_spaces_are_compared_character_by_character() -> None:
    made = compared(
        "\u96fb\u6c60\u304c\u3059\u3050\u306b\u58ca\u308c\u308b", "\u96fb\u6c60\u304c\u3059\u3050\u306b\u5207\u308c\u308b\u306e\u3067"
    )
    assert "altered" == made.verdict


def test_a_quotation_of_three_parts_of_three_texts_is_stitched_in_its_order() -> None:
    made = compared(
        "the pump broke twice the fan is loud nobody came to help",
        "Then the fan is loud.",
        "I saw the pump broke twice.",
        "But nobody came to help me.",
    )
    assert ("stitched", ["d1", "d0", "d2"]) == (made.verdict, [part.document for part in made.fragments])


def test_what_has_little_in_common_has_no_nearest_passage() -> None:
    made = compared("An elephant ate the whole of our garden last week", TEXT)
    assert ("not-found", None, None) == (made.verdict, made.document, made.passage)


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_word_diff_holds_the_words_of_both_in_order(text: str, quote: str) -> None:
    diff = word_diff(text, quote)
    kept = {"text": [words for op, words in diff if op != "added"], "quote": [words for op, words in diff if op != "missing"]}
    assert re.findall(r"\w", "".join(kept["text"])) == re.findall(r"\w", text)
    assert len(re.findall(r"\w", "".join(kept["quote"]))) == len(re.findall(r"\w", quote))
