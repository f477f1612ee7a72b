"""Somebody answers in the place of the network: every client asks, records and fails as it does over a socket."""

from __future__ import annotations

import gzip

import pytest
from veridical.wire.recording import Reply, Request

from .clients import CLIENTS, TIMEOUTS, Ask

URL = "https://api.acme.example/v1/search?q=copper"
JSON = ("Content-Type", "application/json")


@pytest.fixture(params=CLIENTS)
def ask(request: pytest.FixtureRequest) -> Ask:
    return CLIENTS[request.param]


def test_the_request_comes_as_it_would_go_out_and_the_reply_is_recorded(ask: Ask) -> None:
    asked: list[Request] = []

    def network(request: Request) -> Reply:
        asked.append(request)
        return Reply(201, (JSON, ("X-Kept", "a"), ("X-Kept", "b")), (b'{"rows":', b" []}"))

    found = ask(URL, method="POST", content=b"body", headers={"X-Key": "k"}, network=network)
    assert b'{"rows": []}' == found.content
    assert [("POST", URL, b"body", "k", 30)] == [(one.method, one.url, one.body, one.headers["x-key"], one.timeout) for one in asked]
    (record,) = found.records
    assert (201, True, b'{"rows": []}', None) == (record.status, record.ended, record.body, record.failure)
    assert ["a", "b"] == [value for part in (value for name, value in record.headers if name == "x-kept") for value in part.split(", ")]


def test_a_body_that_breaks_off_is_no_whole_reply(ask: Ask) -> None:
    found = ask(URL, network=lambda _: Reply(headers=(JSON,), pieces=(b'{"rows": [',), cut=True))
    assert found.error is not None
    assert (False, "malformed") == (found.records[0].whole, found.records[0].failure)


def test_nobody_answers_in_time(ask: Ask) -> None:
    def network(_: Request) -> Reply:
        raise TimeoutError("nothing came")

    found = ask(URL, network=network)
    assert isinstance(found.error, TIMEOUTS)
    assert ["timeout"] == [record.failure for record in found.records]


def test_nobody_is_reached(ask: Ask) -> None:
    def network(_: Request) -> Reply:
        raise ConnectionError("refused")

    found = ask(URL, network=network)
    assert found.error is not None
    assert ["connection"] == [record.failure for record in found.records]


def test_content_codings_are_undone(ask: Ask) -> None:
    packed = gzip.compress(b"[]", mtime=0)
    found = ask(URL, network=lambda _: Reply(headers=(JSON, ("Content-Encoding", "gzip")), pieces=(packed[:9], packed[9:])))
    assert (b"[]", b"[]") == (found.content, found.records[0].body)
