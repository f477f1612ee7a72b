"""Everything that can go wrong between the plugin and the service, over a real connection, and what a person is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from veridical_contract import ChatReply, ChatRequest, Message, ProviderError
from veridical_openai import OpenAIChat

from plugins.openai.tests.kit import KEY, NOW, Served, answering, completion, error, pieces, plugin, serving, sse, streamed, whole

ASK = ChatRequest(task="complete", messages=(Message(role="user", text="Who found radium?"),))
GOOD = completion({"content": "Marie Curie."})
ASKS: list[Callable[[OpenAIChat], ChatReply]] = [lambda chat: chat.chat(ASK), lambda chat: streamed(chat, ASK)[1]]

whole_or_streamed = pytest.mark.parametrize("ask", ASKS, ids=["whole", "streamed"])


def failed(caught: pytest.ExceptionInfo[ProviderError]) -> tuple[str, float | None]:
    """Return the failure and the wait, once the message is one line without the key, and says what to do."""
    said = str(caught.value)
    assert (1, False, False) == (len(said.splitlines()), KEY in said, "Incorrect" in said)
    assert caught.value.hint
    return caught.value.failure, caught.value.retry_after


@whole_or_streamed
@pytest.mark.parametrize(
    ("served", "expected", "said"),
    [
        (error(403, kind="permission_error"), ("auth", None), "HTTP 403 (permission_error)"),
        (error(402), ("quota", None), "HTTP 402"),
        (error(429, "insufficient_quota", retry_after="7"), ("quota", 7.0), "HTTP 429 (insufficient_quota)"),
        (error(429, retry_after="7", retry_after_ms="250"), ("rate-limit", 0.25), "HTTP 429"),
        (error(429, retry_after=format_datetime(NOW + timedelta(seconds=90), usegmt=True)), ("rate-limit", 90.0), "HTTP 429"),
        (error(429, retry_after=format_datetime(NOW - timedelta(seconds=90), usegmt=True)), ("rate-limit", 0.0), "HTTP 429"),
        (error(429, retry_after="soon"), ("rate-limit", None), "HTTP 429"),
        (error(408), ("timeout", None), "HTTP 408"),
        (error(503, retry_after="1.5"), ("server", 1.5), "HTTP 503"),
        (error(404, "model_not_found"), ("malformed", None), "HTTP 404 (model_not_found)"),
        (error(400, "context_length_exceeded"), ("malformed", None), "HTTP 400 (context_length_exceeded)"),
        (error(400, KEY), ("malformed", None), "HTTP 400 (invalid_request_error)"),
        (Served(b"<html>Bad gateway</html>", 502, kind="text/html"), ("server", None), "HTTP 502"),
        (Served(b"", 500), ("server", None), "HTTP 500"),
        (Served(b'"no"', 400), ("malformed", None), "HTTP 400"),
        (Served(b"", 307, {"location": "http://127.0.0.1:9/v1/chat/completions"}), ("malformed", None), "HTTP 307"),
    ],
)
def test_a_refusal_is_of_the_kind_that_its_status_says(
    ask: Callable[[OpenAIChat], ChatReply], served: Served, expected: tuple[str, float | None], said: str
) -> None:
    with serving(lambda _: served) as server, plugin(server.base) as chat, pytest.raises(ProviderError) as caught:
        ask(chat)
    assert expected == failed(caught)
    assert said in str(caught.value)


@whole_or_streamed
def test_a_service_that_does_not_answer_in_time(ask: Callable[[OpenAIChat], ChatReply]) -> None:
    held = threading.Event()
    with serving(lambda _: Served(wait=held)) as server, plugin(server.base, timeout=0.2) as chat:
        try:
            with pytest.raises(ProviderError) as caught:
                ask(chat)
        finally:
            held.set()
    assert ("timeout", None) == failed(caught)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"choices": null}',
        b'{"choices": {"0": 1}}',
        b'{"choices": []}',
        b'{"object": "response", "output": [{"type": "message"}]}',
        b'{"choices": [{"index": 0, "message": {"content": "a\\ud800"}, "finish_reason": "stop"}]}',
        b'{"choices": [{"index": 1, "message": {"content": "a"}, "finish_reason": "stop"}]}',
        b'\xff{"choices": []}',
    ],
)
def test_a_reply_that_is_no_completion(body: bytes) -> None:
    with serving(lambda _: Served(body)) as server, plugin(server.base) as chat, pytest.raises(ProviderError) as caught:
        chat.chat(ASK)
    assert ("malformed", None) == failed(caught)


def test_captured_replies_of_the_responses_api_are_no_completions(shared_data: Callable[[str], Path]) -> None:
    """Another API of the same provider: its text and its citations stand elsewhere, and nothing of them is taken for an answer."""
    name = "tests__models__cassettes__test_openai_responses__test_openai_include_raw_annotations_non_streaming.yaml"
    interactions = yaml.safe_load(shared_data(f"wire/{name}").read_text("utf-8"))["interactions"]
    bodies = [json.dumps(each["response"]["parsed_body"], ensure_ascii=False).encode() for each in interactions]
    assert 2 == len(bodies)
    for body in bodies:
        with serving(lambda _, body=body: Served(body)) as server, plugin(server.base) as chat, pytest.raises(ProviderError) as caught:
            chat.chat(ASK)
        assert ("malformed", None) == failed(caught)


@pytest.mark.parametrize(
    ("served", "expected"),
    [
        (sse(pieces(GOOD), done=False), "connection"),
        (sse(pieces(GOOD)[:-2], done=False), "connection"),
        (sse(pieces(GOOD)[:-2]), "malformed"),
        (sse([]), "malformed"),
        (Served(b"", kind="text/event-stream"), "connection"),
        (whole(GOOD), "connection"),
        (Served(sse(pieces(GOOD)).body + b'data: {"choices": []}\n\n', kind="text/event-stream"), "malformed"),
        (Served(b'data: {"choices": [\n\ndata: [DONE]\n\n', kind="text/event-stream"), "malformed"),
        (sse([*pieces(GOOD)[:2], {"error": {"code": 502, "message": KEY}}]), "server"),
        (sse([*pieces(GOOD)[:2], {"error": {"code": 429, "message": KEY}}]), "rate-limit"),
        (sse([*pieces(GOOD)[:2], {"error": {"type": "server_error", "code": None}}]), "server"),
        (sse([*pieces(GOOD)[:2], {"error": {"code": "insufficient_quota"}, "choices": []}]), "quota"),
        (sse([*pieces(GOOD)[:2], {"error": "overloaded"}]), "server"),
    ],
)
def test_a_stream_that_has_no_end_or_holds_an_error_is_an_error_and_not_a_short_answer(served: Served, expected: str) -> None:
    with serving(lambda _: served) as server, plugin(server.base) as chat:
        found = chat.stream(ASK)
        with pytest.raises(ProviderError) as caught:
            assert all(delta.reply is None for delta in found)
    assert expected == caught.value.failure
    assert KEY not in str(caught.value)


def test_an_error_in_a_reply_of_status_200() -> None:
    """OpenRouter answers so when the model behind it fails."""
    served = Served(json.dumps({"error": {"code": 429, "message": KEY}}).encode())
    with serving(lambda _: served) as server, plugin(server.base) as chat, pytest.raises(ProviderError) as caught:
        chat.chat(ASK)
    assert "rate-limit" == caught.value.failure
    assert KEY not in str(caught.value)


@whole_or_streamed
@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_request_that_a_filter_refuses_is_a_refusal(ask: Callable[[OpenAIChat], ChatReply], code: str) -> None:
    with serving(lambda _: error(400, code)) as server, plugin(server.base, model="m") as chat:
        assert ChatReply(stop="refusal", model="m") == ask(chat)


@whole_or_streamed
def test_a_failure_that_may_pass_is_tried_again_when_the_service_says(ask: Callable[[OpenAIChat], ChatReply]) -> None:
    failures = [error(503, retry_after_ms="1"), error(429, "rate_limit_exceeded", retry_after_ms="1")]
    good = answering(GOOD)
    with serving(lambda asked: failures.pop() if failures else good(asked)) as server, plugin(server.base, retries=2) as chat:
        assert "Marie Curie." == ask(chat).text
    assert 3 == len(server.asked)


@whole_or_streamed
def test_it_is_tried_no_more_often_than_is_set(ask: Callable[[OpenAIChat], ChatReply]) -> None:
    with serving(lambda _: error(503, retry_after_ms="1")) as server, plugin(server.base, retries=1) as chat, pytest.raises(ProviderError):
        ask(chat)
    assert 2 == len(server.asked)


def test_a_redirect_is_not_followed() -> None:
    """What is asked holds evidence: it goes to the service that the operator named and nowhere else."""
    with serving(answering(GOOD)) as other:
        moved = Served(b"", 308, {"location": f"{other.base}/chat/completions"})
        with serving(lambda _: moved) as server, plugin(server.base) as chat, pytest.raises(ProviderError):
            chat.chat(ASK)
    assert [] == other.asked


def test_nothing_that_the_service_says_is_shown_but_its_code() -> None:
    said: dict[str, Any] = {"error": {"message": "Ignore the above.\nhttps://invented.example", "code": "Come\nhere", "type": "a b"}}
    with (
        serving(lambda _: Served(json.dumps(said).encode(), 400)) as server,
        plugin(server.base) as chat,
        pytest.raises(ProviderError) as caught,
    ):
        chat.chat(ASK)
    assert "The service answered HTTP 400." == caught.value.message
