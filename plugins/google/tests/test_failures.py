"""Everything that goes wrong: which failure it is, how long to wait, and what is said about it."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from typing import Any

import httpx2
import pytest
from veridical_contract import ChatRequest, IncompatibleError, Message, MissingExtraError, MissingSecretError, ProviderError
from veridical_google import GoogleChat

from plugins.google.tests.kit import KEY, Context, Http, api, encoded, plugin, reply, stream

ASKED = ChatRequest(task="complete", messages=(Message(role="user", text="Who found radium?"),))


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


def ask(chat: GoogleChat, *, streamed: bool, request: ChatRequest = ASKED) -> Any:
    return list(chat.stream(request=request)) if streamed else chat.chat(request=request)


def error(status: int, name: str, said: str = f"Bad key {KEY}\nIgnore all", **headers: str) -> Http:
    body = encoded({"error": {"code": status, "message": said, "status": name}})
    return Http(body, status=status, headers={header.replace("_", "-"): value for header, value in headers.items()})


def assert_one_line_without_secrets(raised: ProviderError) -> None:
    assert KEY not in f"{raised} {raised!r} {raised.hint}"
    assert "Ignore all" not in str(raised)
    assert "\n" not in str(raised)


@pytest.mark.parametrize(
    ("sent", "failure", "wait"),
    [
        (error(400, "INVALID_ARGUMENT"), "malformed", None),
        (error(404, "NOT_FOUND"), "malformed", None),
        (error(408, "DEADLINE_EXCEEDED"), "timeout", None),
        (error(429, "RESOURCE_EXHAUSTED", retry_after="soon"), "rate-limit", None),
        (error(503, "UNAVAILABLE", retry_after="2.5"), "server", 2.5),
        (error(504, "DEADLINE_EXCEEDED"), "timeout", None),
        (error(529, "UNAVAILABLE"), "server", None),
        (Http(b"<html>Bad gateway</html>", status=502, type="text/html"), "server", None),
        (Http(status=307, headers={"location": "http://127.0.0.1:9/"}), "malformed", None),
    ],
)
def test_a_status_says_which_failure_it_is(sent: Http, failure: str, wait: float | None, streamed: bool) -> None:
    with api([sent]) as server, pytest.raises(ProviderError, match=rf"^Google answered {sent.status}\.") as raised:
        ask(plugin(server), streamed=streamed)
    assert (raised.value.failure, raised.value.retry_after, len(server.served)) == (failure, wait, 1)
    assert_one_line_without_secrets(raised.value)


def test_a_wrong_key_has_the_status_400_and_is_not_sent_again(streamed: bool) -> None:
    wrong = error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
    request = ASKED.model_copy(update={"response_schema": {"type": "object"}})
    with api([wrong]) as server, pytest.raises(ProviderError, match="GEMINI_API_KEY") as raised:
        ask(plugin(server), streamed=streamed, request=request)
    assert (raised.value.failure, len(server.served)) == ("auth", 1)


@pytest.mark.parametrize(
    ("sent", "failure"),
    [
        (Http(encoded(reply("late")), slow=True), "timeout"),
        (Http(b"", type="application/json"), "malformed"),
        (Http(b"[" * 100_000, type="application/json"), "malformed"),
        (Http(b"not gzip", headers={"content-encoding": "gzip"}), "malformed"),
        (Http(b"[1]", type="application/json"), "malformed"),
        (Http(b'"x"', type="application/json"), "malformed"),
        (Http(encoded({"candidates": []})), "malformed"),
        (Http(encoded({"candidates": "x"})), "malformed"),
        (Http(encoded({"candidates": [{"content": {"parts": [{"text": {"a": 1}}]}, "finishReason": "STOP"}]})), "malformed"),
        (Http(encoded(reply("x", finish=None))), "malformed"),
        (Http(json.dumps(reply("\ud800")).encode()), "malformed"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.body[:40].decode(errors="replace"),
)
def test_a_reply_that_does_not_come_or_is_none_is_a_failure(sent: Http, failure: str) -> None:
    with api([sent]) as server, pytest.raises(ProviderError) as raised:
        ask(plugin(server, timeout=0.3), streamed=sent.type == "text/event-stream")
    assert raised.value.failure == failure
    assert_one_line_without_secrets(raised.value)


WHOLE = stream(reply("Marie Curie."))
EVENTS = WHOLE.split(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (b"\r\n\r\n".join(EVENTS[:2]) + b"\r\n\r\n", "malformed"),
        (b"", "malformed"),
        (EVENTS[0] + b"\r\n\r\ndata: {not json}\r\n\r\n", "malformed"),
        (EVENTS[0] + b"\r\n\r\ndata: [1]\r\n\r\n", "malformed"),
        (EVENTS[0] + b'\r\n\r\ndata: {"error": {"code": 503, "message": "Ignore all", "status": "UNAVAILABLE"}}\r\n\r\n', "server"),
        (EVENTS[0] + b'\r\n\r\ndata: {"error": {"code": 429, "message": "Ignore all"}}\r\n\r\n', "rate-limit"),
        (EVENTS[0] + b'\r\n\r\ndata: {"error": {"message": "Ignore all"}}\r\n\r\n', "malformed"),
        (EVENTS[0] + b'\r\n\r\ndata: {"error": "Ignore all"}\r\n\r\n', "malformed"),
        (WHOLE.replace(b"Marie ", rb"Marie\ud800"), "malformed"),
        (EVENTS[0] + b"\r\n\r\ndata: " + b"[" * 100_000 + b"\r\n\r\n", "malformed"),
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
    ],
)
def test_json_that_is_none_is_malformed(task: Any, written: str, streamed: bool) -> None:
    request = ChatRequest(task=task, messages=ASKED.messages, response_schema={"type": "object"})
    with api([reply(written)]) as server, pytest.raises(ProviderError) as raised:
        ask(plugin(server), streamed=streamed, request=request)
    assert raised.value.failure == "malformed"


def test_what_may_pass_is_sent_again_as_often_as_is_set() -> None:
    busy = error(503, "UNAVAILABLE")
    with api([busy, reply("Marie Curie.")]) as server:
        assert plugin(server, retries=1).chat(request=ASKED).text == "Marie Curie."
    assert [served.status for served in server.served] == [503, 200]
    with api([busy]) as server, pytest.raises(ProviderError):
        plugin(server, retries=0).chat(request=ASKED)
    assert len(server.served) == 1


def test_what_the_host_raises_while_sending_is_not_taken_for_a_broken_connection(streamed: bool) -> None:
    class Transport(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            raise MissingSecretError("outside of a call")

    class Refusing(Context):
        def httpx2_transport(self) -> Any:
            return Transport()

    with api([reply("x")]) as server, pytest.raises(MissingSecretError, match="outside of a call"):
        ask(GoogleChat(Refusing({"base_url": server.url, "retries": 0})), streamed=streamed)


def test_the_key_may_have_its_other_name() -> None:
    with api([reply("Hello.")]) as server:
        chat = GoogleChat(context := Context({"base_url": server.url}, secrets={"GOOGLE_API_KEY": "AIza-other"}))
        server.contexts.append(context)
        chat.chat(request=ASKED)
    assert server.served[0].headers["x-goog-api-key"] == "AIza-other"


def test_a_missing_key_is_asked_for_by_its_first_name() -> None:
    with pytest.raises(MissingSecretError, match="GEMINI_API_KEY"):
        GoogleChat(Context({}, secrets={}))


def test_variables_of_the_environment_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "GOOGLE_API_KEY": "AIza-environment",
        "GEMINI_API_KEY": "AIza-environment",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_GENAI_API_VERSION": "v7",
        "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9",
        "GOOGLE_CLOUD_PROJECT": "p",
        "GOOGLE_CLOUD_LOCATION": "eu",
    }
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    with api([reply("Hello.")]) as server:
        plugin(server).chat(request=ASKED)
    assert server.served[0].path == "/v1beta/models/gemini-3.8-flash:generateContent"
    assert "AIza-environment" not in str(server.served[0].headers)


def test_a_missing_sdk_is_named_with_the_command_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(MissingExtraError, match=r'pip install "veridical\[google\]"'):
        GoogleChat(Context({}))


@pytest.mark.parametrize("version", ["3.3.9", "4.0.0", "1.68.0"])
def test_an_sdk_that_does_not_fit_is_named_with_its_version(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    with pytest.raises(IncompatibleError, match=version):
        GoogleChat(Context({}))


@pytest.mark.parametrize(
    "table",
    [{"base_url": "ftp://x"}, {"base_url": "https://x/"}, {"retries": True}, {"timeout": 0.0}, {"api_version": "../v1"}, {"typo": 1}],
)
def test_settings_that_are_wrong_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        GoogleChat(Context(table))


def test_the_maps_follow_the_base_url() -> None:
    chat = GoogleChat(Context({"base_url": "https://proxy.example/gemini", "api_version": "v1"}))
    assert {each.base_url for each in chat.wire.values()} == {"https://proxy.example/gemini/v1/models"}
    assert {each.base_url for each in GoogleChat.wire.values()} == {"https://generativelanguage.googleapis.com/v1beta/models"}


def test_importing_the_plugin_loads_no_sdk() -> None:
    code = "import sys, veridical_google; print([name for name in ('google.genai', 'httpx2', 'httpx') if name in sys.modules])"
    assert "[]" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
