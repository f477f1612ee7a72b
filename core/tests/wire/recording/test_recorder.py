"""Whichever client asks, the host has what was asked and what came."""

from __future__ import annotations

import asyncio
import gzip
import threading
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, cast

import brotli
import httpx
import httpx2
import pytest
import requests
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.kernel.wire import Exchange
from veridical.wire.recording import Recorded, async_transport, recording_session, transport
from veridical_contract import PluginError, ProviderError

from core.tests.wire.recording.clients import CLIENTS, NOW, SECRET, Ask, recorder
from core.tests.wire.recording.serving import Asked, chunked, reply, serving

BODY = b'{"results": [{"url": "https://a.example/"}]}'


@pytest.fixture(params=CLIENTS)
def ask(request: pytest.FixtureRequest) -> Ask:
    return CLIENTS[request.param]


def _only(records: list[Recorded]) -> Recorded:
    (record,) = records
    return record


def test_a_record_has_the_request_and_the_reply(ask: Ask) -> None:
    """... without user info, fragment, cookies and the headers of the request."""
    with serving(lambda _: reply(BODY, "Set-Cookie: session=1", "X-Id: 7", status="200 Fine")) as served:
        url = served.base.replace("//", "//user:pass@") + "/v1/search?q=marie+curie&n=2#top"
        outcome = ask(url, method="POST", headers={"X-Key": "mine"}, json={"query": {"text": "two\nwords"}, "list": ["b", 1], "q": "b"})
    record = _only(outcome.records)
    assert BODY == outcome.content == record.body
    assert ("POST", f"{served.base}/v1/search?q=marie+curie&n=2", NOW) == (record.method, record.url, record.begun)
    assert ("v1", "search", "marie curie", "2", "two\nwords", "b") == record.asked
    assert (200, "Fine", True, "utf-8", None, None, "") == (
        record.status,
        record.reason,
        record.whole,
        record.encoding,
        record.failure,
        record.retry_after,
        record.error,
    )
    assert (("content-type", "application/json"), ("x-id", "7")) == tuple(
        pair for pair in record.headers if pair[0] not in ("connection", "content-length")
    )
    assert ("application/json", b"two" in (record.sent or b""), "mine" in repr(record)) == (record.sent_type, True, False)


def test_the_kernel_is_given_an_exchange(ask: Ask) -> None:
    with serving(lambda _: reply("é".encode("latin-1"), kind="text/html; charset=ISO-8859-1")) as served:
        record = _only(ask(f"{served.base}/a").records)
    assert Exchange(f"{served.base}/a", ("a",), 200, True, b"\xe9", "cp1252") == record.exchange()


@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("gzip", gzip.compress),
        ("gzip", lambda body: gzip.compress(body[:9]) + gzip.compress(body[9:])),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("br", brotli.compress),
        ("identity", bytes),
        ("deflate, gzip", lambda body: gzip.compress(zlib.compress(body))),
    ],
    ids=["gzip", "gzip of two members", "zlib", "bare deflate", "br", "identity", "twice"],
)
@pytest.mark.parametrize("in_chunks", [False, True], ids=["length", "chunks"])
def test_content_codings_are_undone(ask: Ask, coding: str, encode: Callable[[bytes], bytes], in_chunks: bool) -> None:
    data, header = encode(BODY), f"Content-Encoding: {coding}"
    pieces = [data[:2], data[2:7], data[7:]]  # httpx does not know bare deflate by one byte
    with serving(lambda _: chunked(pieces, header) if in_chunks else reply(data, header)) as served:
        record = _only(ask(served.base).records)
    assert (BODY, True, "") == (record.body, record.whole, record.error)


_COMPRESS = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "identity": bytes}


@settings(max_examples=40, deadline=None)
@given(
    st.binary(max_size=3000),
    st.lists(st.integers(0, 3000), max_size=6),
    st.sampled_from(sorted(_COMPRESS)),
    st.sampled_from(sorted(CLIENTS)),
)
def test_what_is_recorded_is_what_the_server_sent(body: bytes, cuts: list[int], coding: str, client: str) -> None:
    """... however it is cut and coded, and it is what the client was given."""
    data = _COMPRESS[coding](body)
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pieces = [data[one:other] for one, other in pairwise(edges)]
    with serving(lambda _: chunked(pieces, f"Content-Encoding: {coding}", kind="application/octet-stream")) as served:
        outcome = CLIENTS[client](served.base)
    record = _only(outcome.records)
    assert (body, body, True) == (outcome.content, record.body, record.whole)


def test_only_codings_that_can_be_undone_are_asked_for(ask: Ask) -> None:
    with serving(lambda _: reply()) as served:
        ask(served.base, headers={"Accept-Encoding": "gzip, zstd;q=1.0, br, *"})
    assert ["gzip, br"] == [asked.headers["accept-encoding"] for asked in served.asked]


@pytest.mark.parametrize("coding", ["zstd", "gzip"])
def test_a_body_in_no_coding_that_is_known_is_malformed(ask: Ask, coding: str) -> None:
    with serving(lambda _: reply(b"no such coding", f"Content-Encoding: {coding}")) as served:
        record = _only(ask(served.base).records)
    assert ("malformed", False, True) == (record.failure, record.whole, record.error != "")


def test_a_coding_that_is_cut_is_no_whole_body(ask: Ask) -> None:
    with serving(lambda _: reply(gzip.compress(BODY)[:-9], "Content-Encoding: gzip")) as served:
        record = _only(ask(served.base).records)
    assert ("malformed", False, "the body ends before its coding does") == (record.failure, record.whole, record.error)


# Cut


@pytest.mark.parametrize(
    "script",
    [lambda _: reply(BODY, length=len(BODY) + 1), lambda _: chunked([BODY], end=False)],
    ids=["less than its length", "no last chunk"],
)
def test_a_reply_that_is_cut_is_not_whole(ask: Ask, script: Callable[[Asked], Any]) -> None:
    with serving(script) as served:
        outcome = ask(served.base)
    record = _only(outcome.records)
    assert (BODY, 200, False, "malformed") == (record.body, record.status, record.whole, record.failure)
    assert (True, True) == (outcome.error is not None, record.error != "")


def test_a_connection_that_is_dropped_is_recorded(ask: Ask) -> None:
    with serving(lambda _: b"") as served:
        record = _only(ask(f"{served.base}/a").records)
    assert (None, "connection", False, ("a",)) == (record.status, record.failure, record.whole, record.asked)


def test_a_server_that_is_not_there_is_recorded(ask: Ask) -> None:
    with serving(lambda _: b"") as served:
        pass
    record = _only(ask(served.base).records)
    assert (None, "connection", 1) == (record.status, record.failure, len(record.error.splitlines()))


@pytest.mark.parametrize("begins", [b"", reply(b"{", length=2)], ids=["no reply", "half a reply"])
def test_a_server_that_is_slow_is_recorded_as_such(ask: Ask, begins: bytes) -> None:
    enough = threading.Event()

    def script(_: Asked) -> Iterator[bytes]:
        yield begins
        enough.wait(5)

    with serving(script) as served:
        record = _only(ask(served.base, timeout=0.2).records)
        enough.set()
    assert ("timeout", False) == (record.failure, record.whole)


def test_a_reply_that_nobody_reads_is_not_whole() -> None:
    recording = recorder()
    client = httpx.Client(transport=transport(httpx, recording))
    with serving(lambda _: reply(BODY)) as served, client, recording.call() as records, client.stream("GET", served.base):
        pass
    assert [(False, None)] == [(record.whole, record.failure) for record in records]


def test_an_attempt_that_goes_on_when_its_call_ends_is_cut() -> None:
    recording = recorder()
    with serving(lambda _: reply(BODY)) as served, httpx.Client(transport=transport(httpx, recording)) as client:
        with recording.call() as records:
            response = client.send(client.build_request("GET", served.base), stream=True)
        assert [(200, False)] == [(record.status, record.whole) for record in records]
        response.read()
    assert [(200, False)] == [(record.status, record.whole) for record in records]


def test_a_task_that_is_cancelled_is_no_failure_of_the_provider() -> None:
    recording, enough = recorder(), threading.Event()

    def script(_: Asked) -> Iterator[bytes]:
        enough.wait(5)
        yield b""

    async def fetch(url: str) -> list[Recorded]:
        async with httpx.AsyncClient(transport=async_transport(httpx, recording)) as client:
            with recording.call() as records:
                task = asyncio.create_task(client.get(url))
                await asyncio.sleep(0.1)
                task.cancel()
                await asyncio.wait([task])
        return records

    with serving(script) as served:
        records = asyncio.run(fetch(served.base))
        enough.set()
    assert [(None, None, "CancelledError")] == [(record.status, record.failure, record.error[:14]) for record in records]


# Several attempts


def test_each_retry_is_a_record(ask: Ask) -> None:
    """... in the order in which they were made."""
    replies = iter([reply(status="500 No"), reply(b'"slow"', "Retry-After: 0", status="429 Slow"), reply(BODY)])
    recording = recorder()
    with serving(lambda _: next(replies)) as served:
        statuses = [_only(ask(served.base, recording=recording).records).status for _ in range(3)]
    assert [500, 429, 200] == statuses


def test_records_stand_in_the_order_in_which_they_were_begun() -> None:
    recording = recorder()
    client = httpx.Client(transport=transport(httpx, recording))
    with (
        serving(lambda _: reply(BODY)) as served,
        client,
        recording.call() as records,
        client.stream("GET", f"{served.base}/first") as first,
    ):
        client.get(f"{served.base}/second")
        assert [f"{served.base}/second"] == [record.url for record in records]
        first.read()
    assert [f"{served.base}/first", f"{served.base}/second"] == [record.url for record in records]


def test_a_redirect_that_is_followed_is_a_record_of_its_own(ask: Ask) -> None:
    with serving(lambda asked: reply(BODY) if asked.path == "/b" else reply(b"", "Location: /b", status="302 Found")) as served:
        records = ask(f"{served.base}/a", follow=True).records
    assert [(f"{served.base}/a", 302), (f"{served.base}/b", 200)] == [(record.url, record.status) for record in records]


@pytest.mark.parametrize("method", ["get", "post", "options", "head"])
def test_a_session_follows_no_redirect_unless_it_is_told_to(method: str) -> None:
    recording = recorder()
    with serving(lambda _: reply(b"", "Location: /b", status="302 Found")) as served, recording_session(recording, timeout=5) as session:
        with recording.call() as records:
            getattr(session, method)(f"{served.base}/a")
        with recording.call() as followed, pytest.raises(requests.TooManyRedirects):
            session.get(f"{served.base}/a", allow_redirects=True)
    assert (1, 31) == (len(records), len(followed))


# Secrets and size


@pytest.mark.parametrize(
    "body",
    [
        b'{"you_sent": "s3cr3t/v+lue=="}',
        gzip.compress(b"x" * 100_000 + SECRET.encode() + b"y" * 100_000),
        f'"{SECRET}"'.encode("utf-16"),
    ],
    ids=["plain", "coded, in the middle", "in another encoding"],
)
def test_a_reply_that_holds_a_secret_is_refused(ask: Ask, body: bytes) -> None:
    coding = "Content-Encoding: gzip" if body.startswith(b"\x1f") else "X: -"
    kind = "text/plain; charset=utf-16" if body.startswith(b"\xff") else "text/plain"
    with serving(lambda _: reply(body, coding, kind=kind)) as served:
        outcome = ask(f"{served.base}/a")
    record = _only(outcome.records)
    said = f"{served.base} sent a secret back, and the reply was refused: it may not be stored, and is never rewritten."
    assert (ProviderError, said) == (type(outcome.error), str(outcome.error))
    assert (b"", False, "malformed", said) == (record.body, record.whole, record.failure, record.error)


def test_a_secret_that_comes_in_pieces_is_found(ask: Ask) -> None:
    pieces = [bytes([byte]) for byte in b"..." + SECRET.encode()]
    with serving(lambda _: chunked(pieces)) as served:
        outcome = ask(served.base)
    assert (ProviderError, b"") == (type(outcome.error), _only(outcome.records).body)


def test_a_header_that_holds_a_secret_refuses_the_reply(ask: Ask) -> None:
    with serving(lambda _: reply(BODY, f"Location: /?key={SECRET}", status="302 Found")) as served:
        outcome = ask(served.base)
    assert (ProviderError, False) == (type(outcome.error), SECRET in repr(outcome.records))


def test_an_error_that_holds_a_secret_is_still_what_its_status_says(ask: Ask) -> None:
    with serving(lambda _: reply(f"wrong key: {SECRET}".encode(), status="401 No")) as served:
        outcome = ask(served.base)
    assert ("auth", "auth") == (cast("ProviderError", outcome.error).failure, _only(outcome.records).failure)


def test_no_secret_of_the_request_is_kept(ask: Ask) -> None:
    with serving(lambda _: reply(BODY)) as served:
        outcome = ask(
            f"{served.base}/{SECRET}", method="POST", params={"key": SECRET, "q": "words"}, json={"api_key": SECRET, "q": ["more"]}
        )
    record = _only(outcome.records)
    assert (True, None, "[KEY]" in record.url) == ("[KEY]" in record.asked, record.sent, True)
    assert [] == [field for field in (repr(record), *record.asked) if SECRET in field or "s3cr3t" in field]


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_a_body_over_the_limit_fails_the_request(ask: Ask, coding: str) -> None:
    """A few coded bytes may be many."""
    body = b"0" * 3_000_000
    data = gzip.compress(body) if coding == "gzip" else body
    with serving(lambda _: reply(data, f"Content-Encoding: {coding}")) as served:
        outcome = ask(served.base, recording=recorder(limit=2_000_000))
    record, said = _only(outcome.records), f"{served.base} answered with more than 2,000,000 bytes, which is not kept."
    assert (said, b"", False, said) == (str(outcome.error), record.body, record.whole, record.error)


def test_a_body_of_the_limit_is_kept(ask: Ask) -> None:
    with serving(lambda _: reply(b"0" * 2000, kind="text/plain")) as served:
        assert (2000, True) == (len((record := _only(ask(served.base, recording=recorder(limit=2000)).records)).body), record.whole)


# Bodies of requests


def test_a_form_is_read(ask: Ask) -> None:
    with serving(lambda _: reply(BODY)) as served:
        record = _only(ask(f"{served.base}/html/", method="POST", data={"q": "marie curie", "b": ""}).records)
    assert ("html", "marie curie") == record.asked


def test_a_body_of_any_other_kind_is_one_string(ask: Ask) -> None:
    with serving(lambda _: reply(BODY)) as served:
        record = _only(ask(f"{served.base}/a", method="POST", content=b"what is radium?").records)
    assert ("a", "what is radium?") == record.asked


def test_a_session_does_not_send_what_cannot_be_recorded() -> None:
    recording = recorder()
    session = recording_session(recording, timeout=5)
    with serving(lambda _: reply(BODY)) as served, session, recording.call():
        with pytest.raises(PluginError, match="Pass it as bytes"):
            session.post(served.base, data=iter([b"x"]))
        assert [] == served.asked


# Streaming through requests


@pytest.mark.parametrize("decode", [True, False])
def test_what_is_read_of_a_session_in_pieces_is_recorded(decode: bool) -> None:
    recording, data = recorder(), gzip.compress(BODY)
    session = recording_session(recording, timeout=5)
    with serving(lambda _: reply(data, "Content-Encoding: gzip")) as served, session, recording.call() as records:
        given = b"".join(session.get(served.base, stream=True).raw.stream(5, decode_content=decode))
    assert (BODY if decode else data, BODY, True) == (given, records[0].body, records[0].whole)


def test_what_is_read_behind_the_recorder_is_not_whole() -> None:
    recording = recorder()
    session = recording_session(recording, timeout=5)
    with serving(lambda _: reply(BODY)) as served, session, recording.call() as records:
        assert BODY == session.get(served.base, stream=True).raw.read()
    assert [(b"", False)] == [(record.body, record.whole) for record in records]


def test_a_session_waits_no_longer_than_the_host_allows() -> None:
    recording, enough = recorder(), threading.Event()

    def script(_: Asked) -> Iterator[bytes]:
        enough.wait(5)
        yield b""

    with serving(script) as served, recording_session(recording, timeout=0.2) as session:
        with recording.call() as records, pytest.raises(requests.Timeout):
            session.get(served.base)
        enough.set()
    assert ["timeout"] == [record.failure for record in records]


def test_a_head_without_a_body_is_whole(ask: Ask) -> None:
    with serving(lambda _: reply(b"", "Content-Encoding: gzip", length=40)) as served:
        record = _only(ask(served.base, method="HEAD").records)
    assert (b"", True, None) == (record.body, record.whole, record.failure)


def test_both_libraries_have_transports_of_their_own() -> None:
    recording = recorder()
    assert [True, True] == [isinstance(transport(library, recording), library.BaseTransport) for library in (httpx, httpx2)]
