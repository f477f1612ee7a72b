"""Servers that understand less than OpenAI's: what they refuse is left out, and it is not asked for again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from veridical_contract import ChatRequest, Draft, Message, ProviderError
from veridical_openai._dialects import Dialect, first_dialect, weaker
from veridical_openai._schemas import strict
from veridical_openai._settings import OpenAISettings

from plugins.openai.tests.kit import Asked, Served, answering, completion, error, plugin, serving, streamed

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"i": {"type": "integer"}},
    "required": ["i"],
    "additionalProperties": False,
}
ASK = ChatRequest(task="complete", messages=(Message(role="user", text="Count."),), response_schema=SCHEMA)
PLAIN = ASK.model_copy(update={"response_schema": None})
GOOD = answering(completion({"content": '{"i": 1}'}))


def refusing(refused: Callable[[dict[str, Any]], bool], served: Served) -> Callable[[Asked], Served]:
    return lambda asked: served if refused(asked.body) else GOOD(asked)


def forms(asked: list[Asked]) -> list[str]:
    return [each.body.get("response_format", {"type": "text"})["type"] for each in asked]


def is_schema(body: dict[str, Any]) -> bool:
    return body.get("response_format", {}).get("type") == "json_schema"


def is_form(body: dict[str, Any]) -> bool:
    return "response_format" in body


@pytest.mark.parametrize("served", [error(400, param="response_format"), error(422), error(500), Served(b"", 501), Served(b"x", 415)])
@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        (is_schema, ["json_schema", "json_object", "json_object"]),
        (is_form, ["json_schema", "json_object", "text", "text"]),
    ],
)
def test_a_form_that_is_refused_is_weakened_and_remembered(
    refused: Callable[[dict[str, Any]], bool], expected: list[str], served: Served
) -> None:
    """llama-cpp-python's server answers 500 to a schema."""
    with serving(refusing(refused, served)) as server, plugin(server.base) as chat:
        assert [{"i": 1}, {"i": 1}] == [chat.chat(ASK).structured, chat.chat(ASK).structured]
    assert expected == forms(server.asked)


def test_a_weaker_form_shows_the_schema_in_the_prompt() -> None:
    with serving(GOOD) as server, plugin(server.base, form="json_object") as chat:
        chat.chat(ASK)
    (asked,) = server.asked
    assert [{"role": "user", "content": f"Count.\n\nAnswer with JSON alone, of this schema:\n{json.dumps(SCHEMA)}"}] == asked.body[
        "messages"
    ]
    assert {"type": "json_object"} == asked.body["response_format"]


def test_a_failure_that_stays_is_raised_and_changes_nothing() -> None:
    failing = [error(500)] * 3
    with serving(lambda asked: failing.pop() if failing else GOOD(asked)) as server, plugin(server.base) as chat:
        with pytest.raises(ProviderError, match="HTTP 500"):
            chat.chat(ASK)
        chat.chat(ASK)
    assert ["json_schema", "json_object", "text", "json_schema"] == forms(server.asked)


@pytest.mark.parametrize("served", [error(401), error(404), error(429), error(503), error(400, "context_length_exceeded")])
def test_what_has_nothing_to_do_with_the_form_is_raised_at_once(served: Served) -> None:
    with serving(lambda _: served) as server, plugin(server.base) as chat, pytest.raises(ProviderError):
        chat.chat(ASK)
    assert 1 == len(server.asked)


def test_text_that_is_refused_is_not_asked_for_again() -> None:
    with serving(lambda _: error(400)) as server, plugin(server.base) as chat, pytest.raises(ProviderError):
        chat.chat(PLAIN)
    assert 1 == len(server.asked)


@pytest.mark.parametrize("served", [error(400, param="stream_options"), error(422)])
def test_a_server_that_knows_no_stream_options_streams_without(served: Served) -> None:
    with serving(refusing(lambda body: "stream_options" in body, served)) as server, plugin(server.base) as chat:
        texts, reply = streamed(chat, PLAIN)
        streamed(chat, PLAIN)
    assert ('{"i": 1}', 0) == ("".join(texts), reply.usage.input_tokens)
    assert [True, False, False] == ["stream_options" in asked.body for asked in server.asked]


def test_a_stream_falls_back_as_well() -> None:
    with serving(refusing(is_schema, error(400))) as server, plugin(server.base) as chat:
        assert {"i": 1} == streamed(chat, ASK)[1].structured
    assert ["json_schema", "json_object"] == forms(server.asked)


def test_a_server_that_names_its_limit_otherwise_is_asked_so() -> None:
    refused = error(400, "unsupported_parameter", param="max_tokens")
    with serving(refusing(lambda body: "max_tokens" in body, refused)) as server, plugin(server.base) as chat:
        assert {"i": 1} == chat.chat(ASK).structured
        chat.chat(ASK)
    limits = [sorted(name for name in asked.body if name.startswith("max_")) for asked in server.asked]
    assert [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]] == limits
    assert ["json_schema"] * 3 == forms(server.asked)


def test_a_server_that_refuses_both_names_of_the_limit_is_asked_twice() -> None:
    with (
        serving(lambda _: error(400, param="max_tokens max_completion_tokens")) as server,
        plugin(server.base) as chat,
        pytest.raises(ProviderError),
    ):
        chat.chat(PLAIN)
    assert 2 == len(server.asked)


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        ("https://acme.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("http://127.0.0.1:11434/v1", "max_tokens"),
        ("https://api.openai.com.example/v1", "max_tokens"),
    ],
)
def test_openai_is_asked_as_openai(base: str, expected: str) -> None:
    assert Dialect("json_schema", usage=True, limit=expected) == first_dialect(OpenAISettings(base_url=base))  # pyright: ignore[reportArgumentType]


@given(
    st.sampled_from([400, 401, 404, 415, 422, 429, 500, 501, 503]),
    st.sampled_from(["", "max_tokens", "stream_options", "response_format", "max_completion_tokens max_tokens"]),
    st.booleans(),
    st.booleans(),
)
def test_weakening_comes_to_an_end(status: int, said: str, structured: bool, streamed_: bool) -> None:
    dialect: Dialect | None = first_dialect(OpenAISettings())
    tried: list[Dialect] = []
    while dialect is not None:
        assert dialect not in tried
        tried.append(dialect)
        dialect = weaker(dialect, status=status, code="", said=said, structured=structured, streamed=streamed_)
    assert len(tried) <= 6


def test_a_draft_can_be_asked_for_strictly() -> None:
    found = strict(Draft.model_json_schema())
    assert isinstance(found, dict)
    assert ["themes", "answers"] == found["required"]
    assert '"default"' not in json.dumps(found)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
        {"oneOf": [{"type": "string"}]},
        {"type": "object", "properties": {"a": True}, "required": ["a"]},
        True,
    ],
)
def test_a_schema_that_would_mean_something_else_is_not_asked_for_strictly(schema: JsonValue) -> None:
    assert strict(schema) is None
    with serving(GOOD) as server, plugin(server.base) as chat:
        chat.chat(ASK.model_copy(update={"response_schema": schema}))
    form = server.asked[0].body["response_format"]["json_schema"]
    assert (schema, False) == (form["schema"], form["strict"])


def test_a_schema_that_is_strict_already_stays_as_it_is() -> None:
    assert SCHEMA == strict(SCHEMA)
