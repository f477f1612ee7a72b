"""What repeats the request is the asker's word, in whatever place of the reply it came back."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.wire import EchoTable, is_echo
from veridical_contract import WirePlace

from core.tests.kernel.wired import BRAVE, EXA, admitted, exchange, outcome, reply

POLICY = load_policy()
RUN = POLICY.table("echo", EchoTable).run
WORDS = [f"word{number}" for number in range(40)]
QUERY = "who discovered radium in 1898 and where did they work on it"
FIRST = WirePlace(item="/results/0", text="text")


def echoes(words: str, *asked: str) -> bool:
    return is_echo(words, asked, policy=POLICY)


def run(words: int, start: int = 0) -> str:
    return " ".join(WORDS[start : start + words])


def test_a_run_of_as_many_words_as_the_policy_says_is_an_echo_and_a_shorter_one_is_none() -> None:
    asked = f"before {run(RUN)} after"
    assert echoes(f"It says: {run(RUN)}, and more.", asked)
    assert not echoes(f"It says: {run(RUN - 1)}, and more.", asked)


def test_words_that_stand_in_the_request_in_one_piece_are_an_echo_however_few() -> None:
    assert echoes("Radium", "radium half life")
    assert echoes("radium, half", "radium half life")
    assert not echoes("radium life", "radium half life")
    assert not echoes("radium half-life decay", "radium half life")
    assert not echoes("adium", "radium half life")


def test_words_of_different_strings_of_the_request_make_no_run() -> None:
    half = RUN // 2
    assert not echoes(f"It says {run(RUN)}.", run(half), run(RUN - half, half))


def test_words_in_another_order_make_no_run() -> None:
    assert not echoes("It says " + " ".join(reversed(WORDS)), " ".join(WORDS))


@pytest.mark.parametrize(
    "changed",
    [
        run(RUN).upper(),
        run(RUN).replace(" ", "\n"),
        run(RUN).replace(" ", " \u2014 "),
        run(RUN).replace(" ", "_"),
        run(RUN).replace(" ", "-"),
        run(RUN).replace(" ", "+"),
        quote(run(RUN)),
        run(RUN).replace("o", "o\u00ad"),
        run(RUN).replace("o", "\u200do"),
        run(RUN).replace("o", "\u00f6"),
        run(RUN).replace("o", "o\u0308"),
        "".join(chr(ord(char) + 0xFEE0) if char.isalnum() else char for char in run(RUN)),
    ],
    ids=["case", "lines", "dashes", "underscores", "hyphens", "plus", "percent", "soft-hyphens", "joiners", "accents", "marks", "width"],
)
def test_the_way_in_which_words_are_written_makes_no_difference(changed: str) -> None:
    assert echoes(f"Results for {changed} are here", run(RUN + 2))
    assert echoes(f"Results for {run(RUN)} are here", changed)


def test_a_character_of_a_script_without_spaces_counts_for_half_a_word() -> None:
    asked = "".join(chr(0x4E00 + number) for number in range(4 * RUN))
    assert echoes("\u7684" + asked[: 2 * RUN] + "\u7684", asked)
    assert not echoes("\u7684" + asked[: 2 * RUN - 1] + "\u7684", asked)
    assert echoes(f"\u7684 {asked[: 2 * RUN - 2]} one", f"{asked[: 2 * RUN - 2]} one")


@pytest.mark.parametrize("words", ["", " ", "...", "\u2014", "\u200b", "?!"])
def test_what_has_no_words_repeats_nothing(words: str) -> None:
    assert not echoes(words, words, QUERY, "")


def test_a_request_without_words_is_repeated_by_nothing() -> None:
    assert not echoes("Radium was isolated in 1910.", "", "...", "?")
    assert not echoes("Radium was isolated in 1910.")


@given(
    st.lists(st.sampled_from(["a", "b", "c", "\u4e00", "\u4e8c"]), max_size=40), st.lists(st.sampled_from("abc\u4e00\u4e8c"), max_size=40)
)
def test_an_echo_is_a_run_that_both_have_or_all_that_was_said(said: list[str], asked: list[str]) -> None:
    """Against a look at every pair of runs."""
    runs = [said[start:end] for start in range(len(said)) for end in range(start + 1, len(said) + 1)]
    heavy = [each for each in runs if sum(1 if token in "abc" else 0.5 for token in each) >= RUN or each == said]
    shared = any(each == asked[start : start + len(each)] for each in heavy for start in range(len(asked)))
    assert echoes(" ".join(said), " ".join(asked)) is shared


def test_a_long_text_and_a_long_request_are_compared_in_one_pass() -> None:
    """Words that come again and again: comparing every place with every place would not end."""
    assert not echoes("a b " * 50_000, "a c " * 50_000)
    assert echoes("a b " * 50_000, "a c " * 50_000 + "a b " * RUN)


# Through admission


def test_a_text_that_repeats_the_request_is_refused_and_one_that_answers_it_is_not() -> None:
    for text, rule in ((f"You asked: {QUERY}?", "wire-echo"), ("Radium", "wire-echo"), ("Marie and Pierre Curie did.", "admitted")):
        body = reply(results=[{"url": "https://a.example/", "text": text}])
        assert outcome(EXA, FIRST, exchange(body, asked=("search", QUERY))) == rule


def test_a_title_that_repeats_the_request_goes_alone_and_is_reported() -> None:
    body = reply(results=[{"url": "https://a.example/", "title": "Who discovered radium", "text": "The Curies did so."}])
    admission = admitted(EXA, FIRST, exchange(body, asked=(QUERY,)))
    assert (admission.document.title, admission.document.text) == (None, "The Curies did so.")
    assert admission.dropped == (("wire-echo", "Who discovered radium"),)


@pytest.mark.parametrize("asked", ["https://a.example/", "see https://a.example/page", "https://a.example/?q=1"])
def test_a_url_that_stood_in_the_request_is_refused(asked: str) -> None:
    body = reply(results=[{"url": "https://a.example/", "text": "The Curies did so."}])
    assert outcome(EXA, FIRST, exchange(body, asked=(asked,))) == "wire-echo"


def test_an_echo_in_markup_is_compared_as_it_is_shown() -> None:
    marked = " ".join(f"<strong>{word}</strong>" for word in QUERY.split())
    body = reply(web={"results": [{"url": "https://a.example/", "description": f"Results for {marked} &amp; more."}]})
    made = exchange(body, "https://api.search.brave.com/res/v1/web/search", asked=(QUERY,))
    assert outcome(BRAVE, WirePlace(item="/web/results/0", text="description"), made) == "wire-echo"
