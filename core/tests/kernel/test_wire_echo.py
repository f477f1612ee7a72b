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
TABLE = POLICY.table("echo", EchoTable)
RUN, PART = TABLE.run, TABLE.part
WORDS = [f"word{number}" for number in range(40)]
PAGE = " ".join(f"other{number}" for number in range(60))
QUERY = "who discovered radium in 1898 and where did they work on it"
FIRST = WirePlace(item="/results/0", text="text")


def echoes(words: str, *asked: str) -> bool:
    return is_echo(words, asked, policy=POLICY)


def run(words: int, start: int = 0) -> str:
    return " ".join(WORDS[start : start + words])


def test_a_run_of_as_many_words_as_the_policy_says_is_an_echo_and_a_shorter_one_is_none() -> None:
    asked = f"before {run(RUN)} after"
    assert echoes(f"It says: {run(RUN)}, and more. {PAGE}", asked)
    assert not echoes(f"It says: {run(RUN - 1)}, and more. {PAGE}", asked)


def test_short_runs_are_an_echo_where_they_are_too_much_of_what_was_said() -> None:
    asked = run(3 * PART)
    said = f"{run(PART)} X {run(PART, PART)}"
    rest = 2 * PART * 100 // TABLE.share - (2 * PART + 1)
    assert echoes(f"{said} {' '.join(PAGE.split()[:rest])}", asked)
    assert not echoes(f"{said} {' '.join(PAGE.split()[: rest + 1])}", asked)


def test_the_share_of_short_runs_is_exact_in_a_long_text() -> None:
    asked = " ".join(f"asked{number}" for number in range(20 * PART)).split()
    said = [word for at in range(0, len(asked), PART) for word in (*asked[at : at + PART], "X")]
    rest = [f"rest{number}" for number in range(100 * len(asked) // TABLE.share - len(said))]
    assert 100 * len(asked) == TABLE.share * len(said + rest)
    assert echoes(" ".join(said + rest), " ".join(asked))
    assert not echoes(" ".join([*said, *rest, "more"]), " ".join(asked))


def test_runs_that_are_too_short_do_not_add_up() -> None:
    asked = run(20)
    assert not echoes(" X ".join(run(PART - 1, start) for start in range(0, 20, PART)), asked)


@pytest.mark.parametrize("said", ['Results for "{}"', "You searched for {} - 10 results found", "No results for {}.", "{} | Acme Search"])
def test_a_request_among_words_of_the_providers_is_an_echo(said: str) -> None:
    assert echoes(said.format(QUERY), QUERY)
    assert echoes(said.format(QUERY.replace("1898", "1899")), QUERY)
    assert echoes(said.format("How hot is lava"), "how hot is lava")


def test_words_that_stand_in_the_request_in_one_piece_are_an_echo_however_few() -> None:
    assert echoes("Radium", "radium half life")
    assert echoes("radium, half", "radium half life")
    assert not echoes("radium life", "radium half life")
    assert not echoes("radium half decay", "radium half life")
    assert not echoes("adium", "radium half life")


def test_words_of_different_strings_of_the_request_make_no_run() -> None:
    half = RUN // 2
    assert not echoes(f"It says {run(RUN)}. {PAGE}", run(half), run(RUN - half, half))


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
    assert echoes(f"{PAGE} {asked[: 2 * RUN]} {PAGE}", asked)
    assert not echoes(f"{PAGE} {asked[: 2 * RUN - 1]} {PAGE}", asked)
    assert echoes(f"{PAGE} {asked[: 2 * RUN - 2]} one {PAGE}", f"{asked[: 2 * RUN - 2]} one")


@pytest.mark.parametrize("words", ["", " ", "...", "\u2014", "\u200b", "?!"])
def test_what_has_no_words_repeats_nothing(words: str) -> None:
    assert not echoes(words, words, QUERY, "")


def test_a_request_without_words_is_repeated_by_nothing() -> None:
    assert not echoes("Radium was isolated in 1910.", "", "...", "?")
    assert not echoes("Radium was isolated in 1910.")


@given(st.text("abcde\u4e00\u4e8c", max_size=40), st.text("abcde\u4e00\u4e8c", max_size=40))
def test_an_echo_is_what_a_look_at_every_pair_of_runs_finds(said: str, asked: str) -> None:
    def shared(words: int) -> set[int]:
        spans = [(start, end) for start in range(len(said)) for end in range(start + 1, len(said) + 1)]
        heavy = [(start, end) for start, end in spans if sum(1 if char < "z" else 0.5 for char in said[start:end]) >= words]
        return {at for start, end in heavy if said[start:end] in asked for at in range(start, end)}

    expected = bool(said) and (said in asked or bool(shared(RUN)) or 100 * len(shared(PART)) >= TABLE.share * len(said))
    assert expected is echoes(" ".join(said), " ".join(asked))


def test_a_long_text_and_a_long_request_are_compared_in_one_pass() -> None:
    """Words that come again and again: comparing every place with every place would not end."""
    assert not echoes("a b " * 50_000, "a c " * 50_000)
    assert echoes("a b " * 50_000, "a c " * 50_000 + "a b " * RUN)


@pytest.mark.parametrize("words", ["radium", "who discovered radium", "discovered radium in 1898"])
def test_an_answer_may_use_the_words_of_the_question(words: str) -> None:
    assert not echoes(
        f"It was Marie and Pierre Curie {words.replace('who ', 'who had ')}, in a shed of the school of physics in Paris.", QUERY
    )


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
