"""A stream is handed on as it comes, and it is whole when it ends as its provider ends streams."""

from __future__ import annotations

import asyncio
import gzip
import threading
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.wire.recording import async_transport, recording_session, transport
from veridical.wire.recording.events import Event, ends, events
from veridical.wire.recording.record import Recorded

from core.tests.wire.recording.clients import CLIENTS, NOW, Ask, recorder
from core.tests.wire.recording.serving import Asked, chunked, reply, serving

STREAM = "text/event-stream"
FIRST = b'data: {"text": "one"}\n\n'


@pytest.mark.parametrize(
    ("body", "end", "expected"),
    [
        (FIRST, None, None),
        (FIRST + b"data: [DONE]\n\n", None, True),
        (FIRST + b"data:[DONE]\r\n\r\n", None, True),
        (FIRST + b"data: [DONE]\n\n: a comment\n\n:again", None, True),
        (FIRST + b"data: [DONE]", None, None),
        (FIRST + b"data: [DONE]\n\n" + FIRST, None, False),
        (FIRST + b"data: [DONE]\n\ndata: half an ev", None, False),
        (FIRST + b"data: [DONE]\n\ndata: [DONE]\n\n", None, False),
        (b'event: message_stop\ndata: {"type": "message_stop"}\n\n', None, True),
        (b'event: message_stop\r\ndata: {"type": "message_stop"}\r\n\r\n', None, True),
        (b'data: {"type": "message_stop"}\n\n', None, True),
        (b'data: {"type": "text", "text": "message_stop"}\n\n', None, None),
        (b"event: message_stop\ndata: {}\n\nevent: ping\ndata: {}\n\n", None, False),
        (b'event: done\ndata: {"x": 1}\n\n', "done", True),
        (b'data: {"type": "response.completed"}\n\n', "response.completed", True),
        (b'data: {"type": "response.completed"}\n\n', None, None),
        (b"data: end of stream\n\n", "end of stream", True),
        (b'data: {"type": "text", "text": "done"}\n\n', "done", None),
        (b"\xef\xbb\xbfdata: [DONE]\n\n", None, True),
        (b"data: [DONE]\ndata: more\n\n", None, None),
        (b"", None, None),
    ],
)
def test_a_stream_ends_with_its_terminal_event(body: bytes, end: str | None, expected: bool | None) -> None:
    assert expected is ends(body, end)


@given(
    st.lists(st.tuples(st.sampled_from(["", "a", "b c"]), st.text(st.characters(exclude_characters="\r\n"), max_size=8)), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_events_are_read_whatever_ends_their_lines(given_events: list[tuple[str, str]], end: str) -> None:
    text = "".join(f"{f'event: {name}{end}' if name else ''}data: {data}{end}{end}" for name, data in given_events)
    assert [Event(name, data) for name, data in given_events] == [*events(text)]


def test_data_of_several_lines_is_one_event() -> None:
    assert [Event("", "a\nb")] == [*events("data: a\r\ndata: b\r\n\r\n")]


@pytest.mark.parametrize(
    ("ended", "error", "kind", "body", "whole"),
    [
        (True, "", STREAM, FIRST, True),
        (False, "", STREAM, FIRST, False),
        (False, "", f"{STREAM}; charset=utf-8", FIRST + b"data: [DONE]\n\n", True),
        (False, "ReadError", STREAM, FIRST + b"data: [DONE]\n\n", False),
        (True, "", STREAM, b"data: [DONE]\n\n" + FIRST, False),
        (False, "", "text/plain", FIRST + b"data: [DONE]\n\n", False),
        (True, "", "text/plain", b"data: [DONE]\n\n" + FIRST, True),
    ],
)
def test_whole_is_read_to_the_end_or_to_the_terminal_event(ended: bool, error: str, kind: str, body: bytes, whole: bool) -> None:
    record = Recorded(
        method="GET", url="", asked=(), begun=NOW, status=200, headers=(("content-type", kind),), body=body, ended=ended, error=error
    )
    assert (whole, whole) == (record.whole, record.exchange().whole)


# On the wire


class Conversation:
    """A server that says the second piece only after the client has seen the first."""

    def __init__(self, *pieces: bytes, coding: str = "identity") -> None:
        self.seen = threading.Event()
        self._pieces = pieces
        self._coding = coding

    def __call__(self, _: Asked) -> Iterable[bytes]:
        return chunked(self._said(), f"Content-Encoding: {self._coding}", kind=STREAM)

    def _said(self) -> Iterator[bytes]:
        for number, piece in enumerate(self._pieces):
            if number == 1:
                assert self.seen.wait(5)
            yield piece


def _gzipped(*pieces: bytes) -> list[bytes]:
    press = zlib.compressobj(wbits=31)
    flushed = [press.compress(piece) + press.flush(zlib.Z_SYNC_FLUSH) for piece in pieces]
    return [*flushed[:-1], flushed[-1] + press.flush()]


@pytest.mark.parametrize("library", [httpx, httpx2])
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_events_are_handed_on_before_the_stream_ends(library: Any, coding: str) -> None:
    pieces = [FIRST, b"data: [DONE]\n\n"]
    said, recording = Conversation(*(_gzipped(*pieces) if coding == "gzip" else pieces), coding=coding), recorder()
    client = library.Client(transport=transport(library, recording))
    with serving(said) as served, client, recording.call() as records, client.stream("GET", served.base) as response:
        given = list[bytes]()
        for piece in response.iter_bytes():
            given.append(piece)
            said.seen.set()
    assert (pieces, [(b"".join(pieces), True)]) == (given, [(record.body, record.whole) for record in records])


def test_events_are_handed_on_to_asynchronous_clients_as_well() -> None:
    said, recording = Conversation(FIRST, b"data: [DONE]\n\n"), recorder()

    async def read(url: str) -> list[bytes]:
        given = list[bytes]()
        async with httpx.AsyncClient(transport=async_transport(httpx, recording)) as client, client.stream("GET", url) as response:
            async for piece in response.aiter_bytes():
                given.append(piece)
                said.seen.set()
        return given

    with serving(said) as served, recording.call() as records:
        assert [FIRST, b"data: [DONE]\n\n"] == asyncio.run(read(served.base))
    assert [True] == [record.whole for record in records]


def test_events_are_handed_on_through_requests() -> None:
    said, recording = Conversation(FIRST, b"data: [DONE]\n\n"), recorder()
    with serving(said) as served, recording_session(recording, timeout=5) as session, recording.call() as records:
        given = list[bytes]()
        for piece in session.get(served.base, stream=True).iter_content(None):
            given.append(piece)
            said.seen.set()
    assert ([FIRST, b"data: [DONE]\n\n"], [True]) == (given, [record.whole for record in records])


@pytest.mark.parametrize(
    ("last", "whole"),
    [(b"data: [DONE]\n\n", True), (FIRST, False), (b"data: [DONE]\n\ndata: more\n\n", False)],
    ids=["done", "cut", "more"],
)
@pytest.mark.parametrize("client", ["httpx", "requests"])
def test_a_client_that_stops_at_the_last_event_has_the_whole(last: bytes, whole: bool, client: str) -> None:
    """The server would say more, but nobody listens."""
    said, recording = Conversation(FIRST + last, b"never"), recorder()
    with serving(said) as served, recording.call() as records:
        if client == "httpx":
            with httpx.Client(transport=transport(httpx, recording)) as plain, plain.stream("GET", served.base) as response:
                next(response.iter_bytes())
        else:
            with recording_session(recording, timeout=5) as session, session.get(served.base, stream=True) as answer:
                next(answer.iter_content(None))
        said.seen.set()
    assert [(FIRST + last, whole, None)] == [(record.body, record.whole, record.failure) for record in records]


@pytest.mark.parametrize("ask", CLIENTS.values(), ids=CLIENTS)
def test_data_after_the_last_event_voids_the_reply(ask: Ask) -> None:
    with serving(lambda _: reply(b"data: [DONE]\n\n" + FIRST, kind=STREAM)) as served:
        (record,) = ask(served.base).records
    assert (False, True) == (record.whole, record.ended)


def test_a_stream_that_is_dropped_is_not_whole() -> None:
    with serving(lambda _: chunked([FIRST], kind=STREAM, end=False)) as served:
        (record,) = CLIENTS["httpx"](served.base).records
    assert (False, "malformed", FIRST) == (record.whole, record.failure, record.body)


def test_a_coded_stream_that_is_left_at_its_last_event_is_whole() -> None:
    recording, data = recorder(), gzip.compress(FIRST + b"data: [DONE]\n\n")[:-8]
    client = httpx.Client(transport=transport(httpx, recording))
    with serving(lambda _: chunked([data, b"."], "Content-Encoding: gzip", kind=STREAM)) as served, client, recording.call() as records:
        with client.stream("GET", served.base) as response:
            next(response.iter_bytes())
        assert [True] == [record.whole for record in records]
