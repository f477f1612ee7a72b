"""The measurement of the echo rule, on posts that are made up."""

from __future__ import annotations

from tests.benchmarks.echo import RULES, Case, cases, measured, table
from tests.benchmarks.posts import Post, sentences, window

POSTS = [
    Post(
        "q1",
        "a.example",
        "question",
        "",
        "How do I descale an espresso machine?",
        "It is slow. The water is hard. I have no vinegar at home.",
    ),
    Post("a1", "a.example", "answer", "q1", "", "Citric acid dissolves scale. Run a tank of it through the machine, and rinse it twice."),
    Post("q2", "a.example", "question", "", "How do I clean a grinder?", "The grinder is full of oil."),
    Post("a2", "a.example", "answer", "q2", "", "Grind some dry rice in the grinder, or take the burrs out."),
    Post("c1", "a.example", "comment", "q2", "", "How do I clean it?"),
]
RECORD = {"question": "who made the first espresso machine", "source1": "Angelo Moriondo made it in 1884.", "title1": "Espresso machine"}


def test_a_snippet_is_where_most_words_of_the_query_are_and_no_longer_than_a_search_engine_shows() -> None:
    text = f"{'Nothing here. ' * 20}Citric acid dissolves scale. {'Nothing here. ' * 20}"
    assert "Citric acid" in window(text, ["citric", "acid"])
    assert 300 + len(" ...") >= len(window("word " * 200, ["word"]))
    assert "" == window("", ["word"])
    assert ["One.", "Two?", "Three"] == sentences("One. Two?\nThree")


def test_every_question_is_asked_with_and_without_its_beginning_and_nothing_answers_itself() -> None:
    found = list(cases(POSTS, [RECORD]))
    assert {"How do I clean a grinder?", "How do I clean a grinder? The grinder is full of oil."} <= {case.query for case in found}
    assert [] == [case for case in found if not case.echo and case.words == case.query]
    assert 2 * 2 * 4 == sum(case.echo for case in found)
    assert "Angelo Moriondo made it in 1884." in [case.words for case in found]


def test_each_rule_has_a_column_and_longer_runs_catch_less() -> None:
    query = "one two three four five six seven eight nine ten"
    counts = measured([Case(True, "echo", query, f"{query} and more"), Case(False, "honest", query, "Something else is said here.")])
    assert (1, [0] * len(RULES)) == counts[False, "honest"]
    assert [1] * 7 + [0] * 2 == counts[True, "echo"][1][:9]
    assert ["| caught, % | cases | 4 | 12 |", "|---|---|---|---|", "| echo | 1 | 100.00 | 0.00 |"] == table(counts, [0, 8], echo=True)
