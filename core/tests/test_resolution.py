"""Who is asked: explicit, then keys, then what needs none; and only what is installed and may run."""

from __future__ import annotations

import pytest
from veridical.resolution import LOCAL, resolve_chat, resolve_search


def everything(_kind: str, _name: str) -> bool:
    return True


def nothing(_kind: str, _name: str) -> bool:
    return False


def test_an_explicit_choice_wins_over_every_key() -> None:
    assert resolve_chat("mine", {"ANTHROPIC_API_KEY": "k"}, everything).name == "mine"
    assert [choice.name for choice in resolve_search("mine", {"TAVILY_API_KEY": "k"}, everything)] == ["mine"]


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, "anthropic"),
        ({"GEMINI_API_KEY": "k", "OPENAI_API_KEY": "k"}, "google"),
        ({"GOOGLE_API_KEY": "k"}, "google"),
        ({"OPENAI_API_KEY": "k"}, "openai"),
        ({"OPENAI_API_KEY": "  "}, "extractive"),
        ({}, "extractive"),
    ],
)
def test_the_first_key_that_is_set_decides_who_composes(variables: dict[str, str], name: str) -> None:
    assert resolve_chat(None, variables, everything).name == name


def test_a_key_without_its_plugin_changes_nothing() -> None:
    choice = resolve_chat(None, {"ANTHROPIC_API_KEY": "k"}, nothing)
    assert (choice.name, choice.why) == ("extractive", LOCAL)
    assert resolve_search(None, {"BRAVE_SEARCH_API_KEY": "k"}, nothing) == ()


def test_a_login_of_claude_code_is_a_hint_and_no_choice() -> None:
    choice = resolve_chat(None, {}, lambda kind, name: name == "claude-code")
    assert (choice.name, choice.change) == ("extractive", "claude-code is installed: --chat claude-code uses its login")


def test_search_asks_all_that_are_set_up_in_order_and_keyless_services_only_without_any() -> None:
    variables = {"SEARXNG_INSTANCE_URL": "https://s.example", "EXA_API_KEY": "k", "BRAVE_SEARCH_API_KEY": "k"}
    assert ["brave", "exa", "searxng"] == [choice.name for choice in resolve_search(None, variables, everything)]
    assert ["tavily", "claude-code"] == [choice.name for choice in resolve_search(None, {}, everything)]


def test_duckduckgo_is_never_chosen_by_itself() -> None:
    every = [*resolve_search(None, {}, everything), *resolve_search(None, {"TAVILY_API_KEY": "k"}, everything)]
    assert "duckduckgo" not in {choice.name for choice in every}


def test_a_choice_says_why_and_never_the_key() -> None:
    choice = resolve_chat(None, {"ANTHROPIC_API_KEY": "secret-value"}, everything)
    assert choice.why == "ANTHROPIC_API_KEY is set"
    assert "secret-value" not in repr(choice)
