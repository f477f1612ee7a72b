"""An assistant's reply as events: ids, a lost connection, time, size, and what is kept. What the reply holds is the facade's matter."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter
from veridical import Veridical
from veridical_contract import (
    AgentChunk,
    ConfigurationError,
    DoneChunk,
    PluginError,
    TextChunk,
    Topic,
    TopicChunk,
    Turn,
    Untrusted,
    UsageError,
)
from veridical_http import streams

from plugins.http.tests.running import Running, problem, running

TOPIC = TopicChunk(topic=Topic(kind="workspace", requires_grounding=False, why="it is about code"))
DONE = DoneChunk(stop="end", provider="acme")
ASKED = {"turns": [{"role": "user", "text": "Hello"}]}
ROUTE = "/api/v1/agent/stream"


def text(words: str) -> TextChunk:
    return TextChunk(text=Untrusted(origin="acme", text=words))


class Speaker:
    """Says what facades reply: chunks, errors to raise, and gates (functions) to pass."""

    def __init__(self, home: Path, *script: AgentChunk | BaseException | Callable[[], object]) -> None:
        self.home = home
        self.script = script
        self.asked: list[tuple[Turn, ...]] = []
        self.closed = 0

    def make(self) -> Veridical:
        return _Spoken(self)


class _Spoken(Veridical):
    def __init__(self, speaker: Speaker) -> None:
        super().__init__(home=speaker.home, environment={})
        self.speaker = speaker

    def agent(self, turns: Sequence[Turn], **_: Any) -> Generator[AgentChunk]:
        self.speaker.asked.append(tuple(turns))
        try:
            for part in self.speaker.script:
                if isinstance(part, BaseException):
                    raise part
                if callable(part):
                    part()
                else:
                    yield part
        finally:
            self.speaker.closed += 1


@contextmanager
def spoken(home: Path, *script: Any, **options: Any) -> Generator[tuple[Running, Speaker]]:
    speaker = Speaker(home, *script)
    with running(speaker.make, home, **options) as service:
        yield service, speaker


def events(reply: httpx.Response, most: int | None = None) -> list[dict[str, str]]:
    """Read the events of a reply as the HTML standard says, all of them or `most`."""
    found: list[dict[str, str]] = []
    fields: dict[str, str] = {}
    for line in reply.iter_lines():
        if not line and fields:
            found.append(fields)
            fields = {}
            if len(found) == most:
                break
        elif line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
    return found


def stream(service: Running, most: int | None = None, **headers: str) -> list[dict[str, str]]:
    with service.client.stream(
        "POST", ROUTE, json=ASKED, headers={name.replace("_", "-"): value for name, value in headers.items()}
    ) as reply:
        assert (200, "text/event-stream; charset=utf-8") == (reply.status_code, reply.headers["content-type"])
        return events(reply, most)


def open_stream(service: Running) -> AbstractContextManager[httpx.Response]:
    return service.client.stream("POST", ROUTE, json=ASKED)


def chunks(found: list[dict[str, str]]) -> list[Any]:
    return [TypeAdapter[Any](AgentChunk).validate_json(event["data"]) for event in found]


def test_each_chunk_is_an_event_with_its_type_as_name_and_an_id(prepared: Path) -> None:
    hello = text("Hello,\nworld\r\n\u2028\u2029\x85\x0b\x1c \U0001f600")
    with spoken(prepared, TOPIC, hello, DONE) as (service, speaker):
        found = stream(service)
    assert [TOPIC, hello, DONE] == chunks(found)
    assert ["topic", "text", "done"] == [event["event"] for event in found]
    assert [json.loads(event["data"])["type"] for event in found] == [event["event"] for event in found]
    assert [1, 2, 3] == [int(event["id"].rpartition("-")[2]) for event in found]
    assert 1 == len({event["id"].rpartition("-")[0] for event in found})
    assert [(Turn(role="user", text="Hello"),)] == speaker.asked


def test_two_streams_have_ids_that_say_nothing_of_each_other(prepared: Path) -> None:
    with spoken(prepared, TOPIC, DONE) as (service, _):
        one, other = (stream(service)[0]["id"].partition("-")[0] for _ in range(2))
    assert one != other
    assert 32 == len(one) == len(other)


def test_an_event_comes_when_its_chunk_is_there(prepared: Path) -> None:
    go_on = threading.Event()
    with spoken(prepared, TOPIC, lambda: go_on.wait(20), DONE) as (service, _), open_stream(service) as reply:
        lines = reply.iter_lines()
        assert "event: topic" == next(lines)
        go_on.set()
        assert "event: done" in list(lines)


@pytest.mark.parametrize("seen", [1, 2, 3, 4])
def test_who_comes_back_gets_what_comes_after_the_event_that_was_seen_last(seen: int, prepared: Path) -> None:
    with spoken(prepared, TOPIC, text("a"), text("b"), DONE) as (service, speaker):
        whole = stream(service)
        assert whole[seen:] == stream(service, Last_Event_ID=whole[seen - 1]["id"])
        assert 1 == len(speaker.asked)


def test_a_reply_goes_on_while_its_client_is_away_and_no_model_is_asked_twice(prepared: Path) -> None:
    left, done = threading.Event(), threading.Event()
    with spoken(prepared, TOPIC, lambda: left.wait(20), text("a"), done.set, DONE) as (service, speaker):
        first = stream(service, most=1)
        left.set()
        assert done.wait(20)
        assert [text("a"), DONE] == chunks(stream(service, Last_Event_ID=first[0]["id"]))
        assert 1 == len(speaker.asked)


def test_who_comes_back_while_the_reply_is_made_follows_it(prepared: Path) -> None:
    go_on = threading.Event()
    with spoken(prepared, TOPIC, lambda: go_on.wait(20), text("a"), DONE) as (service, _):
        first = stream(service, most=1)
        with service.client.stream("POST", ROUTE, headers={"Last-Event-ID": first[0]["id"]}) as reply:
            go_on.set()
            assert [text("a"), DONE] == chunks(events(reply))


def test_coming_back_needs_no_body(prepared: Path) -> None:
    with spoken(prepared, TOPIC, DONE) as (service, _):
        first = stream(service)[0]["id"]
        assert 200 == service.client.post(ROUTE, headers={"Last-Event-ID": first}).status_code
        problem(service.client.post(ROUTE), 422, "invalid")


@pytest.mark.parametrize("last", ["x", "1", "0" * 32, "0" * 32 + "-0", "0" * 32 + "--1", "G" * 32 + "-1", "0" * 32 + "-1,"])
def test_what_is_no_id_of_an_event_is_refused(last: str, prepared: Path) -> None:
    with spoken(prepared, TOPIC, DONE) as (service, speaker):
        reply = service.client.post(ROUTE, json=ASKED, headers={"Last-Event-ID": last})
        assert ["header last-event-id"] == [one["place"] for one in problem(reply, 422, "invalid")["errors"]]
        assert [] == speaker.asked


def test_a_stream_that_is_not_kept_any_more_is_gone_and_nothing_begins_anew(prepared: Path) -> None:
    with spoken(prepared, TOPIC, DONE, keep_seconds=0.0) as (service, speaker):
        last = stream(service)[0]["id"]
        threading.Event().wait(0.05)
        problem(service.client.post(ROUTE, json=ASKED, headers={"Last-Event-ID": last}), 410, "stream-gone")
        assert 1 == len(speaker.asked)


def test_an_event_that_never_was_is_gone_too(prepared: Path) -> None:
    with spoken(prepared, TOPIC, DONE) as (service, _):
        name = stream(service)[0]["id"].partition("-")[0]
        problem(service.client.post(ROUTE, headers={"Last-Event-ID": f"{name}-3"}), 410, "stream-gone")


def test_only_so_many_streams_are_kept_the_newest_ones(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MOST_STREAMS", 3)
    with spoken(prepared, TOPIC, DONE) as (service, _):
        ids = [stream(service)[0]["id"] for _ in range(5)]
        assert [410, 410, 200, 200, 200] == [service.client.post(ROUTE, headers={"Last-Event-ID": one}).status_code for one in ids]


def test_only_so_many_bytes_are_kept(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MOST_BYTES", 3_000)
    with spoken(prepared, TOPIC, text("x" * 1_000), DONE) as (service, _):
        ids = [stream(service)[0]["id"] for _ in range(4)]
        assert [410, 410, 200, 200] == [service.client.post(ROUTE, headers={"Last-Event-ID": one}).status_code for one in ids]


def test_a_reply_without_end_is_ended(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_LONGEST", 3_000)
    told, went_on = threading.Event(), threading.Event()
    with spoken(prepared, TOPIC, *([text("x" * 500)] * 50), lambda: told.wait(20), text("y"), went_on.set, DONE) as (service, speaker):
        found = chunks(stream(service))
        assert "too-large" == found[-1].code
        assert sum(len(one.model_dump_json()) for one in found[:-1]) <= 3_000
        told.set()
    assert 1 == speaker.closed
    assert not went_on.is_set()


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (UsageError("turns are off"), 422, "usage"),
        (ConfigurationError("secret"), 503, "configuration"),
        (RuntimeError("secret"), 500, "error"),
    ],
    ids=["usage", "configuration", "bug"],
)
def test_a_failure_before_the_first_chunk_is_a_problem(error: Exception, status: int, code: str, prepared: Path) -> None:
    with spoken(prepared, error) as (service, _):
        reply = service.client.post(ROUTE, json=ASKED)
    problem(reply, status, code)
    assert "secret" not in reply.text


@pytest.mark.parametrize(("error", "code"), [(PluginError("secret"), "plugin"), (RuntimeError("secret"), "error")], ids=["plugin", "bug"])
def test_a_failure_after_the_first_chunk_is_the_last_event(error: Exception, code: str, prepared: Path) -> None:
    with spoken(prepared, TOPIC, error) as (service, _):
        found = stream(service)
        assert found[1:] == stream(service, Last_Event_ID=found[0]["id"])
    assert [TOPIC] == chunks(found[:-1])
    assert (code, "veridical-http") == (chunks(found)[-1].code, chunks(found)[-1].detail.origin)
    assert "secret" not in str(found)


def test_a_reply_that_ends_without_an_end_is_a_failure(prepared: Path) -> None:
    with spoken(prepared, TOPIC) as (service, _):
        assert ["topic", "failed"] == [event["event"] for event in stream(service)]
    with spoken(prepared) as (service, _):
        problem(service.client.post(ROUTE, json=ASKED), 500, "error")


def test_a_reply_that_takes_too_long_ends_with_an_event_and_before_the_first_one_with_a_problem(prepared: Path) -> None:
    stuck = threading.Event()
    with spoken(prepared, TOPIC, lambda: stuck.wait(20), DONE, seconds=0.3) as (service, _):
        found = chunks(stream(service))
        assert [TOPIC, "timeout"] == [found[0], found[-1].code]
        stuck.set()
    stuck.clear()
    with spoken(prepared, lambda: stuck.wait(20), TOPIC, DONE, seconds=0.3) as (service, _):
        problem(service.client.post(ROUTE, json=ASKED), 504, "timeout")
        stuck.set()


def test_a_stream_needs_a_place(prepared: Path) -> None:
    stuck = threading.Event()
    with spoken(prepared, TOPIC, lambda: stuck.wait(20), DONE, threads=1, queue=0) as (service, _):
        first = stream(service, most=1)
        problem(service.client.post(ROUTE, json=ASKED), 503, "busy")
        stuck.set()
        assert [DONE] == chunks(stream(service, Last_Event_ID=first[0]["id"]))


def test_a_service_that_stops_lets_a_reply_come_to_its_end(prepared: Path) -> None:
    go_on = threading.Event()
    with spoken(prepared, TOPIC, lambda: go_on.wait(20), text("a"), DONE) as (service, _), open_stream(service) as reply:
        lines = reply.iter_lines()
        assert "event: topic" == next(lines)
        service.server.should_exit = True
        threading.Event().wait(0.3)
        go_on.set()
        rest = list(lines)
    assert ["event: text", "event: done"] == [line for line in rest if line.startswith("event")]


def test_a_silent_stream_is_kept_open_with_comments(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastapi.routing._PING_INTERVAL", 0.05)
    go_on = threading.Event()
    with spoken(prepared, TOPIC, lambda: go_on.wait(20), DONE) as (service, _), open_stream(service) as reply:
        said: list[str] = []
        for line in reply.iter_lines():
            said.append(line)
            if line.startswith(":"):
                go_on.set()
    assert "event: done" in said
