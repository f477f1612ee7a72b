"""Short-lived redirects of providers: one HEAD to that host alone, nothing followed, both addresses noted."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from veridical.gateway.shapes import Link
from veridical.kernel.policy import load_policy
from veridical.wire.fetching import Fetcher, FetchRefused
from veridical.workflows.pages import resolve_links
from veridical.workflows.web import Gathered

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIx"
LEADS = "https://one.example/page?a=1"


@pytest.fixture
def service() -> Iterator[tuple[str, list[tuple[str, str]], dict[str, str]]]:
    """A service on loopback: its address, what it was asked, and where each path leads."""
    asked: list[tuple[str, str]] = []
    leads: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append((self.command, self.path))
            self.send_response(302 if self.path in leads else 200)
            if self.path in leads:
                self.send_header("Location", leads[self.path])
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the standard library
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", asked, leads
    server.shutdown()
    server.server_close()


def test_one_head_says_where_a_redirect_leads_and_nothing_is_followed(service: tuple[str, list[tuple[str, str]], dict[str, str]]) -> None:
    host, asked, leads = service
    leads |= {"/r": f"http://{host}/again", "/again": LEADS, "/x": "http://169.254.169.254/latest"}
    fetcher = Fetcher(hosts=[host])
    assert fetcher.resolve(f"http://{host}/r") == f"http://{host}/again"
    assert asked == [("HEAD", "/r")]
    assert fetcher.resolve(f"http://{host}/again") == LEADS
    assert fetcher.resolve(f"http://{host}/no-redirect") is None
    with pytest.raises(FetchRefused, match="private"):
        fetcher.resolve(f"http://{host}/x")


@pytest.mark.parametrize("url", ["https://one.example/page", "https://vertexaisearch.cloud.google.com/other/AUZIx", "http://127.0.0.1/r"])
def test_no_other_host_or_path_is_asked(url: str) -> None:
    with pytest.raises(FetchRefused) as caught:
        Fetcher(resolver=lambda _host, _port: pytest.fail("it was looked up")).resolve(url)
    assert caught.value.rule in ("redirect-host", "private-host")


class Known(Fetcher):
    """Knows where redirects lead without asking."""

    def __init__(self, leads: dict[str, str | None]) -> None:
        super().__init__()
        self.leads = leads

    def resolve(self, url: str) -> str | None:
        if url not in self.leads:
            raise FetchRefused("connection", url)
        return self.leads[url]


def test_a_link_becomes_the_page_and_both_addresses_are_noted() -> None:
    other = Link("https://two.example/", "Two")
    found = Gathered(links=[Link(REDIRECT, "one.example"), other])
    resolve_links(found, Known({REDIRECT: LEADS}), load_policy())
    assert found.links == [Link(LEADS, "one.example"), other]
    ((path, said),) = [(row.path, row.reason.text if row.reason else "") for row in found.inputs]
    assert (path, said) == (REDIRECT, f"it leads to {LEADS}")


@pytest.mark.parametrize("leads", [{REDIRECT: None}, {}], ids=["nowhere", "no answer"])
def test_a_redirect_that_cannot_be_resolved_stays_what_it_was(leads: dict[str, str | None]) -> None:
    found = Gathered(links=[Link(REDIRECT, "one.example")])
    resolve_links(found, Known(leads), load_policy())
    assert found.links == [Link(REDIRECT, "one.example")]
    assert len(found.inputs) == (0 if leads else 1)
