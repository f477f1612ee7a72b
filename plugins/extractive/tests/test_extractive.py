"""The extractive composer: everything it says stands in a passage, and what it picks is what answers."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import pluggy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import (
    PROJECT,
    ChatReply,
    ChatRequest,
    ChatSpec,
    Draft,
    DraftQuote,
    Passage,
    PassageGroup,
    PluginContext,
)
from veridical_extractive import ExtractiveChat

WORDS = """
beans grind grinder coffee water the of it is very hot cold brew? press. filter! taste, sour; bitter https://x.example/ > {x}; 苦い。 豆
"""
PROSE = st.lists(st.sampled_from([*WORDS.split(), "\n", "\n\n", "\n> ", "\x1e"]), max_size=60).map(" ".join)
TOPICS = {
    "freezer": "Storing coffee in the freezer makes water condense on the beans. {0} put a sealed bag in the freezer for {0} weeks.",
    "grinder": "A burr grinder crushes the beans evenly. {0} grams from a burr grinder taste better than {0} from a blade.",
    "roasting": "Roasted beans release carbon dioxide after roasting. Green beans keep for {0} months before roasting.",
}


def plugin() -> ExtractiveChat:
    return ExtractiveChat(cast("PluginContext", SimpleNamespace()))


def request(
    texts: dict[str, str],
    groups: list[tuple[str, ...]],
    question: str = "How should coffee beans be stored?",
    must_address: tuple[str, ...] = (),
    max_quotes: int = 3,
) -> ChatRequest:
    return ChatRequest(
        task="compose",
        messages=(),
        question=question,
        must_address=must_address,
        passages=tuple(Passage(id=name, text=text) for name, text in texts.items()),
        groups=tuple(PassageGroup(id=f"g{number}", passages=group) for number, group in enumerate(groups)),
        max_quotes=max_quotes,
    )


def compose(asked: ChatRequest) -> Draft:
    draft = plugin().chat(asked).draft
    assert draft is not None
    return draft


def quotes(asked: ChatRequest) -> list[str]:
    """Every sentence that is quoted for the themes, in order."""
    return [quote.quote for theme in compose(asked).themes for claim in theme.claims for quote in claim.quotes]


def picked(*sentences: str, question: str = "How long do coffee beans keep?", max_quotes: int = 1) -> list[str]:
    """What is quoted when each sentence is a passage of one group."""
    texts = {f"p{number}": sentence for number, sentence in enumerate(sentences)}
    return quotes(request(texts, [tuple(texts)], question, max_quotes=max_quotes))


def everything_proposed(draft: Draft) -> list[DraftQuote]:
    named = [theme.name_quote for theme in draft.themes if theme.name_quote is not None]
    claims = [claim for part in (*draft.themes, *draft.answers) for claim in part.claims]
    return [*named, *(quote for claim in claims for quote in claim.quotes)]


def topical() -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Twelve passages in three groups, each about something of its own."""
    texts = {f"{topic}{number}": text.format(number + 2) for topic, text in TOPICS.items() for number in range(4)}
    return texts, [tuple(name for name in texts if name.startswith(topic)) for topic in TOPICS]


def test_the_hook_is_reached_through_its_specification() -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(ChatSpec)
    manager.register(plugin())
    manager.check_pending()
    (reply,) = cast("list[ChatReply]", cast("Any", manager.hook).chat(request=request({}, [])))
    assert ChatReply(draft=Draft(), model="veridical-extractive/1") == reply


def test_the_model_that_it_names_before_a_call_is_that_of_its_replies() -> None:
    assert plugin().model == plugin().chat(request({}, [])).model


@pytest.mark.parametrize("task", ["complete", "ground", "cite"])
def test_a_request_for_prose_is_declined(task: Any) -> None:
    asked = ChatRequest(task=task, messages=(), passages=(Passage(id="p1", text="Beans keep in the freezer for two weeks."),))
    assert ChatReply(text=None, draft=None, stop="refusal", model="veridical-extractive/1") == plugin().chat(asked)


@given(st.dictionaries(st.sampled_from("abcdef"), PROSE), st.integers(1, 4), st.data())
def test_every_word_it_proposes_stands_in_the_passage_it_names(texts: dict[str, str], max_quotes: int, data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.lists(st.sampled_from("abcdefx"), unique=True).map(tuple), max_size=3))
    asked = request(texts, groups, "Is the coffee bitter?", ("Is cold water sour?", "豆は苦い\uff1f"), max_quotes)
    reply = plugin().chat(asked)
    assert reply.text is None
    assert reply.draft is not None
    for theme in reply.draft.themes:
        members = dict(zip((group.id for group in asked.groups), groups, strict=True))[theme.group]
        assert 1 <= len(theme.claims) <= max_quotes
        assert theme.name is None
        assert theme.name_quote is not None
        assert {quote.passage for claim in theme.claims for quote in claim.quotes} | {theme.name_quote.passage} <= set(members)
    for quote in everything_proposed(reply.draft):
        assert quote.quote in texts[quote.passage]
        assert "\x1e" not in quote.quote
        assert all(claim.text is None for part in (*reply.draft.themes, *reply.draft.answers) for claim in part.claims)


@given(st.permutations(sorted(topical()[0])))
def test_the_order_of_the_passages_changes_nothing(order: list[str]) -> None:
    texts, groups = topical()
    must = ("Does a burr grinder crush evenly?",)
    shuffled = [tuple(name for name in order if name in group) for group in groups]
    assert compose(request(texts, groups, must_address=must)) == compose(
        request({name: texts[name] for name in order}, shuffled, must_address=must)
    )


def test_another_process_with_another_hash_seed_gives_the_same_reply() -> None:
    texts, groups = topical()
    asked = request(texts, groups, must_address=("Does a burr grinder crush evenly?",))
    script = (
        "import sys; from veridical_contract import ChatRequest; from veridical_extractive import ExtractiveChat;"
        "print(ExtractiveChat(None).chat(ChatRequest.model_validate_json(sys.argv[1])).model_dump_json())"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", script, asked.model_dump_json()],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert [plugin().chat(asked).model_dump_json() + "\n"] * 2 == printed


def test_each_theme_is_named_by_words_that_tell_it_from_the_others() -> None:
    texts, groups = topical()
    names = [theme.name_quote.quote for theme in compose(request(texts, groups)).themes if theme.name_quote is not None]
    assert groups == [tuple(passage for passage, text in texts.items() if name in text) for name in names]


def test_a_name_has_one_to_five_words_and_is_not_cut_out_of_a_longer_word() -> None:
    texts = {f"p{number}": f"Number {number}: deep-fried well-known self-driving cars crash often enough." for number in range(3)}
    texts |= {f"q{number}": f"The weather in town {number} was fine for cycling." for number in range(3)}
    groups = [tuple(name for name in texts if name.startswith(letter)) for letter in "pq"]
    for theme in compose(request(texts, groups, "What drives?")).themes:
        assert theme.name_quote is not None
        name = theme.name_quote.quote
        assert 1 <= len(name.split()) <= 5
        assert f"-{name}" not in texts[theme.name_quote.passage]
        assert f"{name}-" not in texts[theme.name_quote.passage]


def test_the_words_of_the_question_do_not_name_a_theme_when_others_could() -> None:
    texts = {f"p{number}": f"Coffee beans go stale in sunlight after {number} days." for number in range(1, 4)}
    texts |= {f"q{number}": f"Sugar is sold in bags of {number} pounds." for number in range(1, 4)}
    (theme, _) = compose(request(texts, [("p1", "p2", "p3"), ("q1", "q2", "q3")], "coffee beans")).themes
    assert theme.name_quote is not None
    assert "sunlight" == theme.name_quote.quote


@pytest.mark.parametrize(
    ("better", "worse", "frame"),
    [
        ("amber box", "zinc jar", "We saw the {0} beside the {1} on day {2}."),
        ("amber beta gamma delta", "amber beta", "We saw the {0} again on day {2}."),
        ("amber box", "zap bread", "We used to {1} beside the {0} on day {2}."),
        ("amber", "zoning", "We saw the {0} with the {1} on day {2}."),
    ],
    ids=["asked", "part", "verb", "participle"],
)
def test_what_names_better_is_taken_where_passages_hold_both(better: str, worse: str, frame: str) -> None:
    texts = {f"p{number}": frame.format(better, worse, number) for number in range(3)}
    texts |= {f"q{number}": f"Sugar is sold in bags of {number} pounds." for number in range(3)}
    (theme, _) = compose(request(texts, [("p0", "p1", "p2"), ("q0", "q1", "q2")], "Where is the zinc jar?")).themes
    assert theme.name_quote is not None
    assert better == theme.name_quote.quote


def test_a_phrase_of_one_passage_does_not_name_a_group() -> None:
    texts = {"p0": "The amber is here.", "p1": "The amber was there.", "p2": "There is a zinc box.", "p3": "There it is too."}
    texts |= {f"q{number}": "The amber is cheap." if number < 2 else "Sugar is sold in bags." for number in range(8)}
    groups = [tuple(name for name in texts if name.startswith(letter)) for letter in "pq"]
    (theme, _) = compose(request(texts, groups, "What was seen?")).themes
    assert theme.name_quote is not None
    assert "amber" == theme.name_quote.quote


def test_a_theme_for_which_no_phrase_stands_out_is_named_by_the_beginning_of_its_quote() -> None:
    (theme,) = compose(request({"p": "We would use it there and then as well."}, [("p",)])).themes
    assert DraftQuote(passage="p", quote="We would use it there") == theme.name_quote


@pytest.mark.parametrize(
    "worse",
    [
        "Do whole coffee beans keep for a month in a jar?",
        "Thanks, coffee beans keep for a month in a jar.",
        "@bob coffee beans keep for a month in a jar.",
        "That is why coffee beans keep for a month there.",
        "but coffee beans keep for a month in a jar.",
        "Coffee beans keep forever",
        "Coffee beans keep.",
        "In short, whole coffee beans keep for a month.",
        "Whole coffee beans keep for a month because:",
        "Whole coffee beans keep for a month, e.g.",
        "Coffee beans keep " + "and keep " * 60 + "for a month.",
    ],
)
def test_a_sentence_that_stands_alone_is_preferred(worse: str) -> None:
    good = "Whole coffee beans keep for a month in a jar."
    assert [good] == picked(worse, good)
    assert [good] == picked(good, worse)


@pytest.mark.parametrize(
    "unquotable",
    [
        "> Whole coffee beans keep for a month in a jar.",
        "https://coffee.example/beans-keep-for-a-month",
        "See https://coffee.example/beans",
        "for (bean = 0; bean < beans.length; bean++) { keep(bean); }",
        "$ brew whole coffee beans for a month in a jar",
        "Coffee beans.",
        "\x1e",
        "",
    ],
)
def test_what_cannot_stand_as_a_quote_is_never_one(unquotable: str) -> None:
    assert [] == picked(unquotable)


def test_a_quote_stops_at_a_hard_boundary() -> None:
    assert ["Coffee beans keep for weeks"] == picked("Coffee beans keep for weeks\x1ebut not in the sun all day long.")


def test_a_quoted_line_is_left_out_of_what_stands_around_it() -> None:
    text = "My beans kept for a year.\n> Coffee beans never keep that long.\nMine were frozen, coffee and all."
    assert "Coffee beans never keep that long." not in picked(text, max_quotes=5)


def test_the_sentence_that_answers_is_chosen_among_those_on_the_same_subject() -> None:
    chosen = picked(
        "Coffee beans come from two main species of plant.",
        "Ground coffee loses its taste within two weeks.",
        "Coffee beans keep for about six weeks when sealed.",
        "A good bag of coffee costs about ten pounds.",
    )
    assert ["Coffee beans keep for about six weeks when sealed."] == chosen


def test_a_sentence_far_below_the_best_is_not_quoted_to_fill_a_place() -> None:
    good = "Whole coffee beans keep for a month in a jar."
    assert [good] == picked(good, "Thanks, was that so:", max_quotes=3)


def test_a_sentence_counts_for_more_where_its_passage_speaks_of_the_rest_of_the_question() -> None:
    texts = {
        "a": "Soldiers keep long watches at night in there.",
        "b": "The beans keep fresh for weeks in there.\n> Coffee, long ago.",
        "c": "> beans",
        "d": "> beans",
    }
    assert ["The beans keep fresh for weeks in there."] == quotes(
        request(texts, [("a", "b")], "How long do coffee beans keep?", max_quotes=1)
    )


def test_the_title_speaks_for_its_passage() -> None:
    asked = ChatRequest(
        task="compose",
        messages=(),
        question="How long do coffee beans keep?",
        passages=(
            Passage(id="a", text="Sealed jars keep it all for a month."),
            Passage(id="b", text="Sealed tins keep it all for a month.", title="Coffee beans"),
        ),
        groups=(PassageGroup(id="g", passages=("a", "b")),),
        max_quotes=1,
    )
    assert ["Sealed tins keep it all for a month."] == quotes(asked)


def test_no_sentence_is_quoted_twice_in_a_draft() -> None:
    sentence = "Whole coffee beans keep for a month in a jar."
    texts = {"a": sentence, "b": f"{sentence} The jar has to be dark.", "c": "The dark jar has to be dry too."}
    assert 1 == quotes(request(texts, [("a",), ("b", "c")], max_quotes=5)).count(sentence)


def test_quotes_come_from_different_passages_before_a_second_of_one() -> None:
    texts = {
        "a": "Coffee beans keep well in a sealed jar. Coffee beans keep badly in warm places.",
        "b": "Most coffee beans keep their taste for a month.",
    }
    chosen = quotes(request(texts, [("a", "b")], "How long do coffee beans keep?", max_quotes=2))
    assert ["a", "b"] == sorted(name for name, text in texts.items() for quote in chosen if quote in text)


def test_a_group_without_a_sentence_to_quote_has_no_theme() -> None:
    texts = {"a": "> only quoted words in here", "b": "Coffee beans keep for about six weeks."}
    assert ["g1"] == [theme.group for theme in compose(request(texts, [("a",), ("b",), ("unknown",)])).themes]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How long does the battery last?", ["The battery lasts about four hours."]),
        ("How long does the battery last in Japan?", []),
        ("What does the battery weigh?", []),
        ("Is the phone any good?", []),
        ("Is the screen bright outdoors?", ["The screen of the phone is bright enough outdoors."]),
        ("Is charging fast?", []),
        ("?", []),
    ],
)
def test_a_question_is_answered_only_by_a_sentence_that_holds_enough_of_its_words(question: str, expected: list[str]) -> None:
    texts = {
        "a": "I bought the phone last year. The battery lasts about four hours.",
        "b": "The screen of the phone is bright enough outdoors. Is fast charging missing?",
    }
    (answer,) = compose(request(texts, [], "What do people say about the phone?", (question,))).answers
    assert expected == [quote.quote for claim in answer.claims for quote in claim.quotes]


def test_words_of_the_main_question_alone_answer_no_other_question() -> None:
    texts = {"a": "The phone battery lasts about four hours.", "b": "The phone battery is safe enough in the sun."}
    for question, expected in (("Is the phone battery safe?", 1), ("Is the phone battery cheap?", 0)):
        (answer,) = compose(request(texts, [], "What is said about the phone battery?", (question,))).answers
        assert expected == len(answer.claims)


def test_every_must_address_question_has_its_answer_in_order() -> None:
    draft = compose(request({"a": "Coffee beans keep for about six weeks."}, [], must_address=("Why?", "Do beans keep for weeks?")))
    assert [(0, 0), (1, 1)] == [(answer.question, len(answer.claims)) for answer in draft.answers]


def test_unspaced_scripts_are_quoted_and_named() -> None:
    texts = {
        "a": "珈琲豆は冷凍庫で保存すると長持ちする。値段は高い。",
        "b": "冷凍庫に入れると豆の水分が増える。",
        "c": "焙煎した後は炭酸ガスが出る。",
        "d": "焙煎の温度は二百度である。",
    }
    draft = compose(request(texts, [("a", "b"), ("c", "d")], "珈琲豆の保存", max_quotes=1))
    assert ["珈琲豆は冷凍庫で保存すると長持ちする。"] == [quote.quote for quote in draft.themes[0].claims[0].quotes]
    assert ["冷凍庫", "焙煎"] == [theme.name_quote.quote for theme in draft.themes if theme.name_quote is not None]
