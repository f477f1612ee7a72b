"""One page: what is sent, what is followed, what is waited for, and every reason for which it is not read."""

from __future__ import annotations

import gzip
import ssl
import threading
import zlib
from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.wire.fetching import FetchRefused, Hop, Limits, NotModified, Page
from veridical.wire.fetching.decoding import decoded

from .certificates import make_certificate
from .kit import OTHER, PUBLIC, START, Answer, Clock, Server, Site, Wires, fetcher, redirect, robots_free, site

HTML = {"Content-Type": "text/html"}
A = "http://a.example.com/"


def read(server: Server, url: str = A, **more: object) -> Page:
    page = fetcher({PUBLIC: server}, **more).fetch(url)  # pyright: ignore[reportArgumentType]
    assert isinstance(page, Page)
    return page


def rule(server: Server, url: str = A, **more: object) -> FetchRefused:
    with pytest.raises(FetchRefused) as caught:
        fetcher({PUBLIC: server}, **more).fetch(url)  # pyright: ignore[reportArgumentType]
    assert caught.value.code == "fetch-refused"
    return caught.value


Serve = Callable[..., Server]


# What is sent


def test_a_request_carries_nothing_of_the_house(serve: Serve) -> None:
    server = serve()
    read(server, "http://a.example.com/path?q=1#part", agent="tester/1")
    path, headers = server.asked[-1]
    assert "/path?q=1" == path
    assert {"host", "connection", "user-agent", "accept", "accept-encoding"} == set(headers)
    assert ("a.example.com", "tester/1", "gzip, deflate") == (headers["host"], headers["user-agent"], headers["accept-encoding"])


def test_a_cookie_is_not_kept(serve: Serve) -> None:
    server = serve(site({"/": Answer(b"", 302, {"Location": "/2", "Set-Cookie": "a=b"}), "/2": Answer()}))
    read(server)
    assert all("cookie" not in headers for _, headers in server.asked)


def test_validators_are_sent_and_kept(serve: Serve) -> None:
    def answer(path: str, headers: dict[str, str]) -> Answer:
        if headers.get("if-none-match") == '"1"':
            return Answer(b"", 304, {"ETag": '"1"'})
        return robots_free(path, headers) if path != "/" else Answer(headers={**HTML, "ETag": '"1"', "Last-Modified": "then"})

    server = serve(answer)
    page = read(server)
    assert ('"1"', "then") == (page.etag, page.last_modified)
    again = fetcher({PUBLIC: server}).fetch(A, etag=page.etag, modified=page.last_modified)
    assert isinstance(again, NotModified)
    assert (A, A, ()) == (again.asked, again.url, again.hops)
    assert "then" == server.asked[-1][1]["if-modified-since"]


@pytest.mark.parametrize("etag", ['"\u00fc"', '"1"\r\nX: y', "\0"])
def test_a_validator_that_no_header_can_hold_is_not_sent(etag: str, serve: Serve) -> None:
    server = serve()
    assert isinstance(fetcher({PUBLIC: server}).fetch(A, etag=etag), Page)
    assert "if-none-match" not in server.asked[-1][1]


def test_not_modified_without_a_copy_is_an_error(serve: Serve) -> None:
    assert ("status", 304) == ((found := rule(serve(site({"/": Answer(b"", 304, {})})))).rule, found.status)


# Redirects


def test_redirects_are_followed_and_recorded(serve: Serve) -> None:
    pages = {"/": redirect("2?x=1#part", 301), "/2?x=1": redirect("http://b.example.com/3#end", 308)}
    other = serve(site({"/3": Answer()}))
    page = fetcher({PUBLIC: serve(site(pages)), OTHER: other}).fetch(A)
    assert isinstance(page, Page)
    assert (A, "http://b.example.com/3") == (page.asked, page.url)
    assert (Hop(A, 301), Hop("http://a.example.com/2?x=1", 308)) == page.hops


def test_five_redirects_are_followed_and_no_more(serve: Serve) -> None:
    pages = {f"/{at}": redirect(f"/{at + 1}") for at in range(6)} | {"/6": Answer()}
    server = serve(site(pages))
    assert 5 == len(read(server, f"{A}1").hops)
    assert "redirect-count" == rule(server, f"{A}0").rule
    assert "redirect-count" == rule(serve(site({"/": redirect("/")}))).rule


@pytest.mark.parametrize(
    "raw",
    [b"", b"Location: /1\r\nLocation: /2\r\n", b"Location: /\xff\r\n", b"Location: http://[1\r\n"],
)
def test_a_redirect_to_no_url_is_not_followed(raw: bytes, serve: Serve) -> None:
    assert "redirect-location" == rule(serve(site({"/": Answer(raw=b"HTTP/1.1 302 x\r\n" + raw + b"\r\n")}))).rule


def test_a_redirect_may_name_a_page_in_other_letters(serve: Serve) -> None:
    pages = {"/": Answer(raw="HTTP/1.1 302 x\r\nLocation: /ü\r\n\r\n".encode()), "/%C3%BC": Answer()}
    assert "http://a.example.com/ü" == read(serve(site(pages))).url


# Patience


def test_requests_to_one_host_are_kept_apart(serve: Serve) -> None:
    clock, server = Clock(), serve()
    reading = fetcher({PUBLIC: server, OTHER: serve()}, clock=clock)
    for url in (A, f"{A}2", "http://b.example.com/"):
        reading.fetch(url)
    # robots.txt, page, page at the first host; robots.txt, page at the second
    assert [1.0, 1.0, 1.0] == clock.waits


def test_threads_wait_for_each_other(serve: Serve) -> None:
    clock = Clock()
    reading = fetcher({PUBLIC: serve()}, clock=clock)
    reading.fetch(A)
    threads = [threading.Thread(target=reading.fetch, args=(A,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 4 == len(clock.waits)
    assert clock.at >= 1004.0


@pytest.mark.parametrize("value", ["7", format_datetime(START + timedelta(seconds=8), usegmt=True)])
def test_a_server_that_asks_for_patience_gets_it_once(value: str, serve: Serve) -> None:
    def answers(times: int) -> Site:
        left = [times]

        def answer(path: str, headers: dict[str, str]) -> Answer:
            if path == "/robots.txt":
                return robots_free(path, headers)
            left[0] -= 1
            return Answer() if left[0] < 0 else Answer(b"", 429, {"Retry-After": value})

        return answer

    clock = Clock()
    read(serve(answers(1)), clock=clock)
    assert 7.0 in clock.waits
    assert "retry-later" == rule(serve(answers(2))).rule


@pytest.mark.parametrize(("value", "seconds"), [("31", 31.0), ("soon", None), ("9" * 12, None), (None, None)])
def test_longer_than_it_is_worth_is_not_waited(value: str | None, seconds: float | None, serve: Serve) -> None:
    clock = Clock()
    server = serve(site({"/": Answer(b"", 503, {"Retry-After": value} if value else {})}))
    found = rule(server, clock=clock)
    assert ("retry-later", 503, seconds, ["/"]) == (found.rule, found.status, found.retry_after, server.paths)


def test_waiting_politely_costs_none_of_the_time_of_a_page(serve: Serve) -> None:
    pages = {f"/{at}": redirect(f"/{at + 1}") for at in range(4)} | {"/4": Answer()}
    assert 4 == len(read(serve(site(pages)), f"{A}0", limits=Limits(gap=20.0, seconds=30.0)).hops)


# robots.txt


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: *\nDisallow: /private", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: veridical\nDisallow: /page\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: veridical\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("\ufeffUser-agent: *\nDisallow: /page", False),
        ("<html>not a robots.txt</html>", True),
        ("", True),
    ],
)
def test_robots_txt_is_obeyed(rules: str, allowed: bool, serve: Serve) -> None:
    server = serve(site({"/robots.txt": Answer(rules.encode()), "/page": Answer()}))
    if allowed:
        read(server, f"{A}page")
    else:
        assert ("robots", []) == (rule(server, f"{A}page").rule, server.paths)


@pytest.mark.parametrize("status", [401, 403, 404, 410, 429])
def test_a_site_without_a_robots_txt_allows_everything(status: int, serve: Serve) -> None:
    read(serve(site({"/robots.txt": Answer(b"User-agent: *\nDisallow: /", status), "/": Answer()})))


@pytest.mark.parametrize("status", [500, 503, 304, 204])
def test_a_site_that_cannot_say_allows_nothing(status: int, serve: Serve) -> None:
    server = serve(site({"/robots.txt": Answer(b"", status, {}), "/": Answer()}))
    assert ("robots-unreachable", []) == (rule(server).rule, server.paths)


def test_robots_txt_is_read_once_and_only_its_beginning(serve: Serve) -> None:
    rules = b"User-agent: *\nDisallow: /no\n" + b"#" * 3000 + b"\nDisallow: /\n"
    server = serve(site({"/robots.txt": Answer(rules), "/": Answer()}))
    reading = fetcher({PUBLIC: server}, limits=Limits(robots=2000, robots_seconds=10.0, gap=4.0))
    for _ in range(2):
        reading.fetch(A)
    assert ["/robots.txt", "/", "/"] == [path for path, _ in server.asked]
    for _ in range(2):
        reading.fetch(A)
    assert 2 == [path for path, _ in server.asked].count("/robots.txt")


@pytest.mark.parametrize(("asked", "kept"), [("3", 3.0), ("0.1", 1.0), ("86400", 10.0), ("soon", 1.0)])
def test_a_site_may_ask_for_a_slower_pace_within_reason(asked: str, kept: float, serve: Serve) -> None:
    clock = Clock()
    server = serve(site({"/robots.txt": Answer(f"User-agent: *\nCrawl-delay: {asked}\nDisallow: /no".encode()), "/": Answer()}))
    reading = fetcher({PUBLIC: server}, clock=clock)
    reading.fetch(A)
    reading.fetch(A)
    assert [1.0, kept] == clock.waits


def test_each_site_on_the_way_is_asked_for_its_rules(serve: Serve) -> None:
    other = serve(site({"/robots.txt": Answer(b"User-agent: *\nDisallow: /"), "/": Answer()}))
    first = serve(site({"/": redirect("http://b.example.com/")}))
    with pytest.raises(FetchRefused, match="does not allow it"):
        fetcher({PUBLIC: first, OTHER: other}).fetch(A)
    assert [] == other.paths


# Limits


def test_a_bomb_does_not_go_off(serve: Serve) -> None:
    bomb = gzip.compress(bytes(8 << 20), mtime=0)
    assert len(bomb) < 10_000
    server = serve(site({"/": Answer(bomb, headers={**HTML, "Content-Encoding": "gzip"})}))
    assert "body-size" == rule(server, limits=Limits(body=1 << 20)).rule


@pytest.mark.parametrize("size", [99_999, 100_000])
def test_a_body_may_be_as_large_as_the_limit(size: int, serve: Serve) -> None:
    server = serve(site({"/": Answer(b"x" * 100_000, headers={"Content-Type": "text/plain"})}))
    if size < 100_000:
        assert "body-size" == rule(server, limits=Limits(body=size)).rule
    else:
        assert 100_000 == len(read(server, limits=Limits(body=size)).body)


def test_bytes_on_the_wire_are_counted_before_they_are_anything(serve: Serve) -> None:
    server = serve(site({"/": Answer(b"x" * 200_000)}))
    assert "wire-size" == rule(server, limits=Limits(wire=100_000)).rule
    endless = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 5_000
    assert "wire-size" == rule(serve(site({"/": Answer(raw=endless)})), limits=Limits(wire=100_000)).rule


def test_a_header_may_not_be_larger_than_its_limit(serve: Serve) -> None:
    server = serve(site({"/": Answer(headers={**HTML, "X-Filler": "x" * 3_000})}))
    assert "header-size" == rule(server, limits=Limits(header=2_000)).rule
    read(server)
    huge = b"HTTP/1.1 200 OK\r\nX-Filler: " + b"x" * 300_000
    assert "malformed" == rule(serve(site({"/": Answer(raw=huge)}))).rule


def test_a_page_that_trickles_in_runs_out_of_time(serve: Serve) -> None:
    class Slow(Clock):
        def monotonic(self) -> float:
            self.at += 1.0
            return self.at

    server = serve(site({"/": Answer(b"x" * 3_000_000)}))
    assert "timeout" == rule(server, clock=Slow(), limits=Limits(gap=0.0, seconds=20.0)).rule


def test_a_silent_server_is_given_up(serve: Serve) -> None:
    over = threading.Event()

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/":
            over.wait(20)
        return robots_free(path, headers)

    assert "timeout" == rule(serve(answer), limits=Limits(idle=0.2)).rule
    over.set()


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\ntoo short",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    ],
)
def test_what_is_no_whole_reply_is_not_read(raw: bytes, serve: Serve) -> None:
    assert "malformed" == rule(serve(site({"/": Answer(raw=raw)}))).rule


@pytest.mark.parametrize(
    ("status", "name"), [(404, "gone"), (410, "gone"), (401, "status"), (500, "status"), (204, "status"), (206, "status")]
)
def test_a_reply_that_is_no_page_says_why(status: int, name: str, serve: Serve) -> None:
    found = rule(serve(site({"/": Answer(b"", status, {})})))
    assert (name, status) == (found.rule, found.status)


# Content codings


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", lambda data: gzip.compress(data[:9], mtime=0) + gzip.compress(data[9:], mtime=0)),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("identity", bytes),
        ("", bytes),
    ],
)
def test_codings_are_undone(coding: str, pack: Callable[[bytes], bytes], serve: Serve) -> None:
    said = b"<p>The battery died after a week of use.</p>" * 999
    server = serve(site({"/": Answer(pack(said), headers={**HTML, "Content-Encoding": coding})}))
    assert said == read(server).body


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("br", b"x"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"x", mtime=0), mtime=0)),
        ("gzip", b"not gzip"),
        ("gzip", gzip.compress(b"hello" * 99, mtime=0)[:-9]),
        ("gzip", gzip.compress(b"hello", mtime=0) + b"junk"),
        ("deflate", zlib.compress(b"hello" * 99)[:-5]),
    ],
)
def test_a_coding_that_cannot_be_undone_to_its_end_is_refused(coding: str, body: bytes, serve: Serve) -> None:
    assert "content-coding" == rule(serve(site({"/": Answer(body, headers={**HTML, "Content-Encoding": coding})}))).rule


@given(
    st.binary(max_size=300_000).map(lambda data: data * 3),
    st.integers(1, 70_000),
    st.sampled_from([("gzip", gzip.compress), ("deflate", zlib.compress), ("deflate", raw_deflate)]),
)
def test_a_coding_is_undone_however_it_comes_in(data: bytes, step: int, coding: tuple[str, Callable[[bytes], bytes]]) -> None:
    packed = coding[1](data)
    chunks = [packed[at : at + step] for at in range(0, len(packed), step)]
    assert (data, False) == decoded(chunks, [coding[0]], len(data), A)


def test_what_is_left_inside_of_the_decompressor_comes_out() -> None:
    """It may have taken all that came in, and not have given all that comes out."""
    for size in range(65_537, 65_797):
        packed = raw_deflate(bytes(size))
        assert (bytes(size), False) == decoded([packed], ["deflate"], size, A)


@given(st.binary(min_size=1, max_size=300_000), st.data())
def test_no_more_is_unpacked_than_is_wanted(data: bytes, draw: st.DataObject) -> None:
    size = draw.draw(st.integers(0, len(data) - 1))
    assert (data[:size], True) == decoded([gzip.compress(data, mtime=0)], ["gzip"], size, A, cut=True)
    with pytest.raises(FetchRefused):
        decoded([gzip.compress(data, mtime=0)], ["gzip"], size, A)


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls") / "a.pem", "a.example.com")


def test_a_pinned_connection_still_proves_the_name(certificate: Path, serve: Serve) -> None:
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(certificate)
    outside = ssl.create_default_context(cafile=str(certificate))
    server = serve(tls=inside)
    names = {"a.example.com": [[PUBLIC]], "b.example.com": [[PUBLIC]]}
    wires = Wires({f"{PUBLIC}:443": server})
    page = fetcher(names=names, backend=wires, tls=outside).fetch("https://a.example.com/")
    assert isinstance(page, Page)
    assert {(PUBLIC, 443)} == set(wires.connected)
    for url, trust in (("https://b.example.com/", outside), ("https://a.example.com/", None)):
        with pytest.raises(FetchRefused) as caught:
            fetcher(names=names, backend=wires, tls=trust).fetch(url)
        assert "tls" == caught.value.rule


def test_a_redirect_does_not_lead_from_https_to_http(certificate: Path, serve: Serve) -> None:
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(certificate)
    plain, secret = serve(), serve(site({"/": redirect("http://a.example.com/plain")}), tls=inside)
    wires = Wires({f"{PUBLIC}:443": secret, f"{PUBLIC}:80": plain})
    trust = ssl.create_default_context(cafile=str(certificate))
    with pytest.raises(FetchRefused) as caught:
        fetcher(backend=wires, tls=trust).fetch("https://a.example.com/")
    assert ("redirect-downgrade", 0) == (caught.value.rule, plain.connections)
