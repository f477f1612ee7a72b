"""What holds for every request: who may ask, what a body may be, what a reply looks like, what the log says."""

from __future__ import annotations

import json
import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import veridical_contract
from hypothesis import given
from hypothesis import strategies as st
from veridical import Veridical
from veridical_contract import ProviderError, VeridicalError
from veridical_http import server
from veridical_http.problems import KINDS, of_error
from veridical_http.strict import parse

from plugins.http.tests.running import Running, problem, running

TOKEN = "a-token-of-this-test_0123456789"
ROUTES = [
    ("POST", "/api/v1/autonomy/research/complete"),
    ("POST", "/api/v1/agent/stream"),
    ("POST", "/api/v1/complete"),
    ("POST", "/api/v1/research"),
    ("POST", "/api/v1/check"),
    ("POST", "/api/v1/verify"),
    ("GET", "/api/v1/reports/" + "0" * 32),
    ("GET", "/api/v1/evidence/" + "0" * 64),
]
GROUND = "/api/v1/autonomy/research/complete"


@pytest.fixture(scope="module")
def guarded(prepared: Path) -> Iterator[Running]:
    """A service with a token, and small limits."""
    options = {"token": TOKEN, "max_body": 2_000, "max_bundle": 3_000, "body_seconds": 0.3}
    with running(lambda: Veridical(home=prepared, environment={}), prepared, **options) as one:
        yield one


def raw(url: str, data: bytes, *, seconds: float = 20) -> bytes:
    """Send bytes as they are, and return what comes until the connection ends, or as long as it takes for a head and its body."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=seconds) as connection:
        connection.sendall(data)
        got = b""
        while part := connection.recv(65_536):
            got += part
            head, _, body = got.partition(b"\r\n\r\n")
            if (length := re.search(rb"content-length: (\d+)", head)) and len(body) >= int(length[1]):
                break
        return got


# Who may ask


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong-token-of-this-test_01234"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer"},
        {"Cookie": f"token={TOKEN}"},
    ],
    ids=["none", "wrong", "longer", "shorter", "no-scheme", "basic", "empty", "cookie"],
)
def test_without_the_token_nothing_is_answered(method: str, path: str, headers: dict[str, str], guarded: Running) -> None:
    reply = guarded.client.request(method, path, headers=headers)
    problem(reply, 401, "unauthorized")
    assert reply.headers["www-authenticate"].startswith('Bearer realm="veridical"')
    assert ("invalid_token" in reply.headers["www-authenticate"]) == ("Authorization" in headers)


def test_a_token_in_two_headers_is_none(guarded: Running) -> None:
    bearer = ("Authorization", f"Bearer {TOKEN}")
    assert 401 == guarded.client.get(ROUTES[-1][1], headers=[bearer, bearer]).status_code
    assert 404 == guarded.client.get(ROUTES[-1][1], headers=[bearer]).status_code


def test_the_word_bearer_has_no_case(guarded: Running) -> None:
    assert 404 == guarded.client.get(ROUTES[-1][1], headers={"Authorization": f"bearer  {TOKEN}"}).status_code


def test_a_token_in_the_query_is_refused_and_not_logged(guarded: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "veridical_http"):
        problem(guarded.client.get(f"{ROUTES[-1][1]}?access_token={TOKEN}"), 400, "malformed")
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json", "/problems/busy"])
def test_what_says_nothing_of_the_store_needs_no_token(path: str, guarded: Running) -> None:
    assert 200 == guarded.client.get(path).status_code


def test_whom_it_would_ask_is_said_to_who_has_the_token(guarded: Running) -> None:
    assert {"status": "ready", "choices": [], "documents": None} == guarded.client.get("/readyz").json()
    assert guarded.client.get("/readyz", headers={"Authorization": f"Bearer {TOKEN}"}).json()["choices"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::2]", "10.0.0.1"]
)
def test_without_a_token_a_name_that_was_bent_to_this_machine_is_refused(host: str, served: Running) -> None:
    """DNS rebinding: the page of evil.example asks evil.example, which leads to 127.0.0.1 by now."""
    port = urlsplit(served.url).port
    for path in ("/healthz", GROUND):
        problem(served.client.get(path, headers={"Host": host.format(port=port)}), 421, "misdirected")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_without_a_token_the_names_of_this_machine_are_answered(host: str, served: Running) -> None:
    assert 200 == served.client.get("/healthz", headers={"Host": host.format(port=urlsplit(served.url).port)}).status_code


def test_two_hosts_are_none(served: Running) -> None:
    assert b" 400 " in raw(served.url, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n").partition(b"\r\n")[0]


@pytest.mark.parametrize(
    "headers",
    [
        *({"Origin": origin} for origin in ("https://evil.example", "null", "", "localhost", "http://[::1", "moz-extension://localhost")),
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_without_a_token_the_page_of_another_site_is_refused(headers: dict[str, str], served: Running) -> None:
    problem(served.client.post(GROUND, json={"query": "x"}, headers=headers), 403, "foreign-origin")


@pytest.mark.parametrize("origin", ["http://localhost", "https://LOCALHOST:3000", "http://[::1]:80"])
def test_without_a_token_the_pages_of_this_machine_are_answered(origin: str, served: Running) -> None:
    assert 200 == served.client.get("/healthz", headers={"Origin": origin}).status_code


def test_no_origin_is_allowed_to_read_replies(served: Running, guarded: Running) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    for service, origin in ((served, "http://localhost:3000"), (guarded, "https://evil.example")):
        reply = service.client.options(GROUND, headers={**asked, "Origin": origin})
        assert [] == [name for name in reply.headers if name.startswith("access-control")]


# Bodies


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"hello",
        b'{"query": "a", "query": "b"}',
        b'{"query": "a", "sources": [{"a": 1, "a": 2}]}',
        b'{"query": "a", "pages": NaN}',
        b'{"query": "a", "pages": Infinity}',
        b'{"query": "a", "pages": 1e999}',
        b'{"query": "a", "pages": ' + b"9" * 1_500 + b"}",
        rb'{"query": "\ud800"}',
        rb'{"\udfff": "a"}',
        b'{"query": "\xff"}',
        b'\xef\xbb\xbf{"query": "a"}',
        '{"query": "a"}'.encode("utf-16"),
        b"[" * 1_900,
        b'{"query": "a"} x',
    ],
    ids=range(16),
)
def test_json_that_could_be_read_in_two_ways_is_refused(body: bytes, guarded: Running) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    reply = guarded.client.post(GROUND, content=body, headers=headers)
    problem(reply, 422, "invalid") if not body else problem(reply, 400, "malformed")


def test_a_whole_number_is_one_however_it_is_spelled(served: Running) -> None:
    for digits in ("1", "1.0", "10e-1"):
        body = f'{{"query": "x", "pages": {digits}}}'.encode()
        assert 200 == served.client.post(GROUND, content=body, headers={"Content-Type": "application/json"}).status_code


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_that_says_one_thing_is_read_as_it_stands(value: Any) -> None:
    assert value == parse(json.dumps(value).encode())
    assert value == parse(json.dumps(value, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({}, ["#/query"]),
        ([], ["#"]),
        (None, ["#"]),
        ({"query": 1}, ["#/query"]),
        ({"query": ""}, ["#/query"]),
        ({"query": "x" * 2_001}, ["#/query"]),
        ({"query": "x", "pages": True}, ["#/pages"]),
        ({"query": "x", "pages": 1.5}, ["#/pages"]),
        ({"query": "x", "pages": "1"}, ["#/pages"]),
        ({"query": "x", "pages": -1, "limit": 0}, ["#/limit", "#/pages"]),
        ({"query": "x", "sources": "notes"}, ["#/sources"]),
        ({"query": "x", "sources": [1, "notes", ""]}, ["#/sources/0", "#/sources/2"]),
        ({"query": "x", "a/b~c": 1}, ["#/a~1b~0c"]),
    ],
    ids=range(13),
)
def test_each_place_that_does_not_fit_is_named_and_nothing_of_it_is_repeated(body: Any, places: list[str], served: Running) -> None:
    said = problem(served.client.post(GROUND, json=body), 422, "invalid")
    assert places == sorted(one["place"] for one in said["errors"])
    assert "xxx" not in json.dumps(said)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "application/xml", ""]
)
def test_a_body_of_another_type_is_refused(kind: str, served: Running) -> None:
    """A form or plain text can be sent by any web page without asking first."""
    headers = {"Content-Type": kind} if kind else {}
    problem(served.client.post(GROUND, content=b'{"query": "x"}', headers=headers), 415, "media-type")
    problem(served.client.post("/api/v1/verify", content=b"x", headers=headers), 415, "media-type")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'])
def test_json_goes_by_its_name_however_it_is_spelled(kind: str, served: Running) -> None:
    assert 200 == served.client.post(GROUND, content=b'{"query": "x"}', headers={"Content-Type": kind}).status_code


def chunks(count: int, size: int) -> Iterator[bytes]:
    for _ in range(count):
        yield b" " * size


@pytest.mark.parametrize(("path", "kind", "limit"), [(GROUND, "application/json", 2_000), ("/api/v1/verify", "application/zip", 3_000)])
def test_a_body_has_a_largest_size_however_it_is_sent(path: str, kind: str, limit: int, guarded: Running) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind}
    fits = guarded.client.post(path, content=b" " * limit, headers=headers)
    assert 413 != fits.status_code
    problem(guarded.client.post(path, content=b" " * (limit + 1), headers=headers), 413, "too-large")
    problem(guarded.client.post(path, content=chunks(5, limit // 4), headers=headers), 413, "too-large")
    assert 413 != guarded.client.post(path, content=chunks(4, limit // 4), headers=headers).status_code


def test_a_body_that_is_announced_too_large_is_refused_before_it_comes(guarded: Running) -> None:
    head = f"POST {GROUND} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: "
    got = raw(guarded.url, head.encode() + b"99999999999999999999\r\nExpect: 100-continue\r\n\r\n")
    assert got.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in got


def test_a_body_that_does_not_come_is_not_waited_for(guarded: Running) -> None:
    head = f"POST {GROUND} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    got = raw(guarded.url, head.encode() + b'Content-Length: 10\r\n\r\n{"q')
    assert got.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"slow-body"' in got


def test_who_is_refused_cannot_make_the_service_read_on(guarded: Running) -> None:
    got = raw(guarded.url, f"POST {GROUND} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n".encode())
    assert got.startswith(b"HTTP/1.1 401 ")
    assert b"connection: close" in got


def test_a_body_that_was_refused_and_still_comes_is_read_so_that_the_reply_arrives(served: Running) -> None:
    """A connection that is closed with bytes unread is reset, and whoever sent them may never see why."""
    parts = urlsplit(served.url)
    head = f"POST {GROUND} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 60000\r\n\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(head.encode())
        threading.Event().wait(0.1)
        connection.sendall(b" " * 60_000)
        got = connection.recv(65_536)
    assert got.startswith(b"HTTP/1.1 415 ")
    assert b"connection: close" not in got.lower()


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HT"], ids=["nothing", "half"])
def test_who_connects_and_asks_nothing_is_let_go(begun: bytes, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._Protocol, "head_seconds", 0.2)
    with running(lambda: Veridical(home=prepared, environment={}), prepared) as service:
        assert b"" == raw(service.url, begun, seconds=10)


# Replies


def test_what_is_no_http_is_refused_with_a_problem_that_is_in_the_log(served: Running, caplog: pytest.LogCaptureFixture) -> None:
    for junk in (b"hello\r\n\r\n", b"GET / HTTP/x\r\n\r\n", b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        with caplog.at_level(logging.INFO, "veridical_http"):
            head, _, body = raw(served.url, junk).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert b"application/problem+json" in head
        said = json.loads(body)
        assert "malformed" == said["code"]
        assert f"x-request-id: {said['request_id']}".encode() in head
        assert f"id={said['request_id']} client=127.0.0.1 method=- route=- status=400" in caplog.text


@pytest.mark.parametrize(
    ("method", "path"), [("GET", GROUND), ("DELETE", GROUND), ("POST", "/healthz"), ("PUT", "/api/v1/reports/0"), ("TRACE", GROUND)]
)
def test_another_method_is_refused_and_the_right_ones_are_named(method: str, path: str, served: Running) -> None:
    reply = served.client.request(method, path)
    problem(reply, 405, "method-not-allowed")
    assert ("POST" in reply.headers["allow"]) == (path == GROUND)
    assert "OPTIONS" in reply.headers["allow"]


@pytest.mark.parametrize("path", ["/", "/docs", "/redoc", "/api/v1", "/api/v1/research/", "//healthz", "/healthz/"])
def test_another_path_is_not_found(path: str, served: Running) -> None:
    problem(served.client.get(path), 404, "not-found")


def test_head_is_get_without_its_body(served: Running) -> None:
    for path, status in (("/healthz", 200), ("/openapi.json", 200), ("/nothing", 404), (GROUND, 405)):
        got, head = served.client.get(path), served.client.head(path)
        assert (status, status, b"") == (got.status_code, head.status_code, head.content)
        assert got.headers["content-type"] == head.headers["content-type"]
        assert got.headers["content-length"] == head.headers["content-length"]


def test_options_names_the_methods(served: Running) -> None:
    for path, allowed in (("/healthz", "GET, HEAD, OPTIONS"), (GROUND, "OPTIONS, POST"), ("/api/v1/reports/0", "GET, HEAD, OPTIONS")):
        reply = served.client.options(path)
        assert (204, allowed, b"") == (reply.status_code, reply.headers["allow"], reply.content)
    problem(served.client.options("/nothing"), 404, "not-found")


def test_every_reply_has_the_headers_that_keep_browsers_from_guessing(served: Running, guarded: Running) -> None:
    replies = [served.client.get(path) for path in ("/healthz", "/nothing", "/openapi.json", "/problems/busy")]
    for reply in (*replies, guarded.client.get("/api/v1/reports/0"), served.client.get("/healthz", headers={"Host": "x"})):
        assert ("nosniff", "no-store") == (reply.headers["x-content-type-options"], reply.headers["cache-control"])
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "server" not in reply.headers


@pytest.mark.parametrize("name", ["a", "7f3c-4.B_x:9", "A" * 128])
def test_the_id_of_a_request_comes_back(name: str, served: Running) -> None:
    for path in ("/healthz", "/nothing"):
        assert name == served.client.get(path, headers={"X-Request-ID": name}).headers["x-request-id"]


@pytest.mark.parametrize("name", ["", "a b", "-a", "A" * 129, "a\tb", "é".encode("latin-1"), "a,b", "<script>"], ids=range(8))
def test_what_is_no_id_is_replaced_by_one(name: str | bytes, served: Running) -> None:
    given = served.client.get("/healthz", headers=[(b"X-Request-ID", name if isinstance(name, bytes) else name.encode())])
    assert re.fullmatch("[0-9a-f]{32}", given.headers["x-request-id"])


def test_two_ids_are_none(served: Running) -> None:
    headers = [("X-Request-ID", "a"), ("X-Request-ID", "b")]
    assert served.client.get("/healthz", headers=headers).headers["x-request-id"] not in "ab"


def test_the_log_has_one_line_for_each_request_and_none_of_its_words(guarded: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "veridical_http"):
        headers = {"Authorization": f"Bearer {TOKEN}", "X-Request-ID": "of-this-test"}
        guarded.post("autonomy/research/complete", {"query": "Who is Marie Curie?"}, headers=headers)
        guarded.post("check", {"drafts": "Marie Curie"}, headers=headers)
        guarded.client.get("/a/path/of/Marie?name=Curie", headers=headers)
        guarded.client.request("CURIE", "/healthz", headers=headers)
        lines = _lines(caplog, 4)
    said = [re.sub(r"bytes=\d+ ms=\d+", "", line) for line in lines]
    assert [
        "id=of-this-test client=127.0.0.1 method=POST route=/api/v1/autonomy/research/complete status=200 ",
        "id=of-this-test client=127.0.0.1 method=POST route=/api/v1/check status=422 ",
        "id=of-this-test client=127.0.0.1 method=GET route=- status=400 ",
        "id=of-this-test client=127.0.0.1 method=CURIE route=/healthz status=405 ",
    ] == said
    assert not re.search(f"Marie|name=|{TOKEN}", caplog.text)


def _lines(caplog: pytest.LogCaptureFixture, count: int) -> list[str]:
    """The lines of the access log; a line is written after its reply was sent."""
    until = time.monotonic() + 10
    lines: list[str] = []
    while len(lines) < count and time.monotonic() < until:
        threading.Event().wait(0.01)
        lines = [record.getMessage() for record in caplog.records if record.name == "veridical_http.access"]
    return lines


# Failures


class Broken(Veridical):
    """A facade whose verb raises."""

    def __init__(self, home: Path, error: BaseException) -> None:
        super().__init__(home=home, environment={})
        self.error = error

    def ground(self, question: str, **_: Any) -> Any:
        raise self.error


ERRORS = [getattr(veridical_contract, name) for name in veridical_contract.__all__ if name.endswith("Error")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_of_the_contract_has_a_problem_of_its_own(error: type[VeridicalError]) -> None:
    raised = error("words of an error", failure="server") if error is ProviderError else error("words of an error")
    refused = of_error(raised)
    assert error.code == refused.code
    assert ("words" in refused.detail) == (refused.status_code < 500)


@pytest.mark.parametrize(
    "error",
    [RuntimeError("secret-words"), KeyError("secret-words"), veridical_contract.StoreError("secret-words")],
    ids=lambda error: type(error).__name__,
)
def test_a_failure_in_here_is_named_by_the_requests_id_and_nothing_else(
    error: Exception, prepared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(lambda: Broken(prepared, error), prepared) as service, caplog.at_level(logging.INFO, "veridical_http"):
        reply = service.post("autonomy/research/complete", {"query": "x"}, headers={"X-Request-ID": "broken"})
        again = service.client.get("/healthz")
    code = error.code if isinstance(error, VeridicalError) else "error"
    problem(reply, KINDS[code].status, code)
    assert not re.search("secret-words|Traceback|File ", reply.text)
    assert any("id=broken" in record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING)
    assert ("secret-words" in caplog.text) == isinstance(error, VeridicalError)
    assert 200 == again.status_code


def test_a_provider_that_allows_no_more_says_when_to_ask_again(prepared: Path) -> None:
    error = ProviderError("x", failure="rate-limit", retry_after=17.2)
    with running(lambda: Broken(prepared, error), prepared) as service:
        reply = service.post("autonomy/research/complete", {"query": "x"})
    problem(reply, 503, "provider-busy")
    assert "18" == reply.headers["retry-after"]


def test_a_service_that_could_not_work_is_not_ready_and_says_why_to_who_has_the_token(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[search]\nname = 'no-such-plugin'\n")
    with running(lambda: Veridical(home=tmp_path, environment={}), tmp_path, token=TOKEN) as service:
        unknown, known = service.client.get("/readyz"), service.client.get("/readyz", headers={"Authorization": f"Bearer {TOKEN}"})
        alive = service.client.get("/healthz")
    assert "problems" not in problem(unknown, 503, "not-ready")
    assert "no-such-plugin" in " ".join(problem(known, 503, "not-ready")["problems"])
    assert "retry-after" in known.headers
    assert 200 == alive.status_code


def test_a_store_that_cannot_be_opened_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite3").write_bytes(b"this is no database" * 100)
    for file in tmp_path.iterdir():
        assert file.name == "store.sqlite3"
    with running(lambda: Veridical(home=tmp_path, environment={}), tmp_path) as service:
        problem(service.client.get("/readyz"), 503, "not-ready")
