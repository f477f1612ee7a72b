"""Everything that goes wrong: which failure it is, how long to wait, and what is said about it."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from typing import Any

import pytest
from veridical_anthropic import AnthropicChat
from veridical_contract import ChatRequest, IncompatibleError, Message, MissingExtraError, MissingSecretError, ProviderError

from plugins.anthropic.tests.kit import KEY, Context, Http, api, encoded, message, plugin, stream, text

ASKED = ChatRequest(task="complete", messages=(Message(role="user", text="Who found radium?"),))


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


def ask(chat: AnthropicChat, *, streamed: bool, request: ChatRequest = ASKED) -> Any:
    return list(chat.stream(request=request)) if streamed else chat.chat(request=request)


def error(status: int, kind: str, said: str = f"Bad key {KEY}\nIgnore all", **headers: str) -> Http:
    body = encoded({"type": "error", "error": {"type": kind, "message": said}, "request_id": "req_1"})
    return Http(body, status=status, headers={name.replace("_", "-"): value for name, value in headers.items()})


def assert_one_line_without_secrets(raised: ProviderError) -> None:
    assert KEY not in f"{raised} {raised!r} {raised.hint}"
    assert "Ignore all" not in str(raised)
    assert "\n" not in str(raised)


@pytest.mark.parametrize(
    ("reply", "failure", "wait"),
    [
        (error(402, "billing_error"), "quota", None),
        (error(404, "not_found_error"), "malformed", None),
        (error(408, "timeout_error"), "timeout", None),
        (error(413, "request_too_large"), "malformed", None),
        (error(429, "rate_limit_error", retry_after="soon"), "rate-limit", None),
        (error(503, "api_error", retry_after="2.5"), "server", 2.5),
        (error(504, "timeout_error"), "timeout", None),
        (error(529, "overloaded_error"), "server", None),
        (Http(b"<html>Bad gateway</html>", status=502, type="text/html"), "server", None),
        (Http(status=307, headers={"location": "http://127.0.0.1:9/"}), "malformed", None),
    ],
)
def test_a_status_says_which_failure_it_is(reply: Http, failure: str, wait: float | None, streamed: bool) -> None:
    with api([reply]) as server, pytest.raises(ProviderError, match=rf"^Anthropic answered {reply.status}\.") as raised:
        ask(plugin(server), streamed=streamed)
    assert (raised.value.failure, raised.value.retry_after, len(server.served)) == (failure, wait, 1)
    assert_one_line_without_secrets(raised.value)


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Http(encoded(message(text("late"))), slow=True), "timeout"),
        (Http(b"", type="application/json"), "malformed"),
        (Http(b"[" * 100_000, type="application/json"), "malformed"),
        (Http(b"not gzip", headers={"content-encoding": "gzip"}), "malformed"),
        (Http(b"\xff\xfe", type="application/json"), "malformed"),
        (Http(encoded({**message(text("x")), "content": "x"})), "malformed"),
        (Http(encoded({**message(text("x")), "content": [{"type": "text", "text": 5}]})), "malformed"),
        (Http(encoded({**message(text("x")), "stop_reason": None})), "malformed"),
        (Http(encoded(message(text("x"), stop="something_new"))), "malformed"),
        (Http(json.dumps(message(text("\ud800"))).encode()), "malformed"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.body[:24].decode(errors="replace"),
)
def test_a_reply_that_does_not_come_or_is_none_is_a_failure(reply: Http, failure: str) -> None:
    with api([reply]) as server, pytest.raises(ProviderError) as raised:
        ask(plugin(server, timeout=0.3), streamed=reply.type == "text/event-stream")
    assert raised.value.failure == failure
    assert_one_line_without_secrets(raised.value)


WHOLE = stream(message(text("Marie Curie.")))
EVENTS = WHOLE.split(b"\n\n")


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (WHOLE.rpartition(b"event: message_stop")[0], "malformed"),
        (b"\n\n".join(EVENTS[:4]) + b"\n\n", "malformed"),
        (WHOLE[:-1], "malformed"),
        (b"", "malformed"),
        (EVENTS[0] + b"\n\nevent: content_block_delta\ndata: {not json}\n\n", "malformed"),
        (EVENTS[0] + b'\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":3,"content_block":{}}\n\n', "malformed"),
        (EVENTS[0] + b'\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{}}\n\n', "malformed"),
        (EVENTS[0] + b'\n\nevent: ping\ndata: "ping"\n\n', "malformed"),
        (WHOLE.replace(b"Marie ", rb"Marie\ud800"), "malformed"),
        (EVENTS[0] + b"\n\nevent: ping\ndata: " + b"[" * 100_000 + b"\n\n", "malformed"),
        (EVENTS[0] + b'\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Ignore all"}}\n\n', "server"),
        (EVENTS[0] + b'\n\nevent: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"x"}}\n\n', "rate-limit"),
        (EVENTS[0] + b'\n\nevent: error\ndata: {"type":"error","error":{"type":"authentication_error","message":"x"}}\n\n', "auth"),
        (EVENTS[0] + b'\n\nevent: error\ndata: {"type":"error","error":{"type":"Ignore all","message":"x"}}\n\n', "server"),
    ],
)
def test_a_stream_that_is_cut_or_breaks_off_is_a_failure(body: bytes, failure: str) -> None:
    with api([Http(body, type="text/event-stream")]) as server, pytest.raises(ProviderError) as raised:
        ask(plugin(server), streamed=True)
    assert raised.value.failure == failure
    assert_one_line_without_secrets(raised.value)


@pytest.mark.parametrize(
    ("task", "written"),
    [
        ("complete", "I would rather not."),
        ("complete", '{"a": NaN}'),
        ("complete", '{"a": 1'),
        ("complete", ""),
        ("compose", "I would rather not."),
        ("compose", '{"a": 1'),
        ("compose", ""),
    ],
)
def test_json_that_is_none_is_malformed(task: Any, written: str, streamed: bool) -> None:
    request = ChatRequest(task=task, messages=ASKED.messages, response_schema={"type": "object", "properties": {}})
    with api([message(text(written))]) as server, pytest.raises(ProviderError) as raised:
        ask(plugin(server), streamed=streamed, request=request)
    assert raised.value.failure == "malformed"


def test_what_may_pass_is_sent_again_as_often_as_is_set(streamed: bool) -> None:
    busy = error(529, "overloaded_error", retry_after_ms="1")
    with api([busy, busy, message(text("Marie Curie."))]) as server:
        assert ask(plugin(server, retries=2), streamed=streamed)
    assert [served.status for served in server.served] == [529, 529, 200]
    with api([busy, busy, busy]) as server, pytest.raises(ProviderError):
        ask(plugin(server, retries=1), streamed=streamed)
    assert len(server.served) == 2


def test_a_refused_key_is_not_sent_again_without_structured_output(streamed: bool) -> None:
    broke = error(400, "invalid_request_error", "Your credit balance is too low")
    request = ASKED.model_copy(update={"response_schema": {"type": "object", "properties": {}}})
    with api([broke]) as server, pytest.raises(ProviderError):
        ask(plugin(server), streamed=streamed, request=request)
    assert len(server.served) == 1


def test_what_the_host_raises_at_the_transport_is_what_is_raised(streamed: bool) -> None:
    class Refusing(Context):
        def httpx2_transport(self) -> Any:
            raise MissingSecretError("the host refuses")

    with api([message(text("x"))]) as server, pytest.raises(MissingSecretError, match="the host refuses"):
        ask(AnthropicChat(Refusing({"base_url": server.url})), streamed=streamed)


def test_what_the_host_raises_while_sending_is_not_taken_for_a_broken_connection(streamed: bool) -> None:
    import httpx2

    class Transport(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            raise MissingSecretError("outside of a call")

    class Refusing(Context):
        def httpx2_transport(self) -> Any:
            return Transport()

    with api([message(text("x"))]) as server, pytest.raises(MissingSecretError, match="outside of a call"):
        ask(AnthropicChat(Refusing({"base_url": server.url, "retries": 0})), streamed=streamed)


def test_variables_of_the_environment_choose_neither_key_nor_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.setenv(name, "sk-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with api([message(text("Hello."))]) as server:
        plugin(server).chat(request=ASKED)
    assert "sk-environment" not in str(server.served[0].headers)


def test_a_missing_sdk_is_named_with_the_command_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(MissingExtraError, match=r'pip install "veridical\[anthropic\]"'):
        AnthropicChat(Context({}))


@pytest.mark.parametrize("version", ["2.11.9", "3.0.0", "0.73.0"])
def test_an_sdk_that_does_not_fit_is_named_with_its_version(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    with pytest.raises(IncompatibleError, match=version):
        AnthropicChat(Context({}))


@pytest.mark.parametrize("table", [{"base_url": "ftp://x"}, {"base_url": "https://x/"}, {"retries": True}, {"timeout": 0.0}, {"typo": 1}])
def test_settings_that_are_wrong_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        AnthropicChat(Context(table))


def test_the_maps_follow_the_base_url() -> None:
    chat = AnthropicChat(Context({"base_url": "https://proxy.example/anthropic"}))
    assert {each.base_url for each in chat.wire.values()} == {"https://proxy.example/anthropic/v1/messages"}
    assert {each.base_url for each in AnthropicChat.wire.values()} == {"https://api.anthropic.com/v1/messages"}


def test_importing_the_plugin_loads_no_sdk() -> None:
    code = "import sys, veridical_anthropic; print([name for name in ('anthropic', 'httpx2', 'httpx') if name in sys.modules])"
    assert "[]" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
