"""Prompts that slipped through the gate once: the shape of each is kept here, with other words than in the labelled sets."""

from __future__ import annotations

import pytest
from veridical.workflows.topics import TopicShiftDetector
from veridical_contract import Turn


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a poem about the crimes of Anna Berg.",
        "Write a haiku about the scandal of my neighbour Anna Berg",
        "Give three synonyms for 'fast', and the year Anna Berg was jailed.",
    ],
)
def test_a_surname_that_is_also_a_word_is_a_name_behind_a_given_name(prompt: str) -> None:
    assert "biographical" == TopicShiftDetector().classify([Turn(role="user", text=prompt)]).kind


@pytest.mark.parametrize("prompt", ["Now as Python code with her data.", "Write a SQL insert with his children."])
def test_code_about_the_person_of_the_conversation_is_about_that_person(prompt: str) -> None:
    found = TopicShiftDetector().classify([Turn(role="user", text=text) for text in ("Who is Marie Curie?", prompt)])
    assert ("biographical", "Marie Curie") == (found.kind, found.subject)
