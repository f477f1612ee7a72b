"""The measurement of recall, on posts that are made up and a real store."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from veridical_hashing import HashingEmbedding

from tests.benchmarks.posts import Post
from tests.benchmarks.recall import PLACES, Asked, measured, sites, table

FILLER = [f"Sentence {number} is about gardens, stones and rivers of the north." for number in range(60)]
POSTS = [
    Post("p1", "a.example", "question", "", "How do I descale an espresso machine?", "It is slow."),
    Post("p2", "a.example", "answer", "p1", "", "Citric acid will descale the espresso machine."),
    Post("p3", "a.example", "answer", "p1", "", "Take vinegar."),
    *(Post(f"p{number + 10}", "a.example", "answer", "p9", "", text) for number, text in enumerate(FILLER)),
    Post("c1", "b.example", "comment", "p1", "", "Which nozzle do you print with, and how hot is it set?"),
    Post("c2", "b.example", "comment", "p1", "", "The nozzle is of brass, and hot."),
    Post("c3", "b.example", "comment", "p2", "", "Alone here."),
]


def test_a_question_is_answered_by_its_own_answers_and_a_thread_by_its_other_comments() -> None:
    first, second = sites(POSTS, 10)
    assert (Asked("How do I descale an espresso machine?", frozenset({0, 1})), "a.example, answers") == (first.asked[0], first.name)
    assert 62 == len(first.texts)
    assert (Asked(POSTS[-3].text, frozenset({1}), 0),) == second.asked


def test_recall_is_the_share_of_the_relevant_texts_among_the_first(tmp_path: Path) -> None:
    site, _ = sites(POSTS, 10)
    hashing = HashingEmbedding(cast("Any", SimpleNamespace(cancelled=lambda: False)))
    found, said = measured(site, tmp_path, {"hashing": hashing})
    assert {"all candidates", "full text alone", "selection, no embedding", "selection, hashing", "hashing alone"} == set(found)
    assert [0.5] * len(PLACES) == found["full text alone"] == found["selection, hashing"]
    assert 1 == len(said)
    assert "| full text alone | 50.0 | 50.0 | 50.0 |" in table(site, found)


def test_the_text_that_is_asked_with_is_no_answer(tmp_path: Path) -> None:
    _, site = sites(POSTS, 10)
    found, _ = measured(site, tmp_path, {})
    assert [1.0] * len(PLACES) == found["full text alone"]
