"""`veridical recheck`: the pages of a bundle are read again, over the command line and a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from veridical.wire.fetching import Fetcher

from core.tests.wire.fetching.kit import START, Answer, Server
from core.tests.workflows.published_pages import write_pages

from .conftest import Ran

SENTENCE = "The battery of the printer died after a week of use."
PAGE = f"<h1>Notes</h1><p>{SENTENCE} Nobody knows why.</p>".encode()


@pytest.fixture
def pages() -> dict[str, Answer]:
    return {"/page": Answer(PAGE)}


@pytest.fixture
def server(pages: dict[str, Answer]) -> Iterator[Server]:
    with Server(lambda path, _: pages.get(path, Answer(b"", 404))) as server:
        yield server


@pytest.fixture
def listed(server: Server, tmp_path: Path) -> str:
    """Write report.zip, and return the host that has to be listed to read its page again."""
    host = f"127.0.0.1:{server.port}"
    reading = Fetcher(hosts=[host], now=lambda: START, sleep=lambda _: None)
    write_pages(tmp_path / "report.zip", reading, [(f"http://{host}/page", SENTENCE)], now=START)
    return host


def test_a_report_that_stands_is_said_so(veridical: Callable[..., Ran], listed: str) -> None:
    ran = veridical("recheck", "report.zip", "--allow-host", listed)
    assert (0, "") == (ran.code, ran.err)
    assert [["state", "cited", "url"], ["same", "[1]", f"http://{listed}/page"]] == [line.split() for line in ran.out.splitlines()]


def test_a_page_that_changed_is_shown_with_what_is_missing(veridical: Callable[..., Ran], listed: str, pages: dict[str, Answer]) -> None:
    pages["/page"] = Answer(PAGE.replace(b"died", b"never died"))
    ran = veridical("recheck", "report.zip", "--allow-host", listed)
    assert 4 == ran.code
    assert "changed" in ran.out
    assert f"not there: {SENTENCE}" in ran.err


def test_the_result_is_json_when_asked_for(veridical: Callable[..., Ran], listed: str, pages: dict[str, Answer]) -> None:
    del pages["/page"]
    ran = veridical("recheck", "report.zip", "--json", "--allow-host", listed)
    found = json.loads(ran.out)
    assert (4, "veridical.recheck/1", "differs", {"gone": 1}) == (ran.code, found["format"], found["outcome"], found["counts"])
    assert [("gone", f"http://{listed}/page", [])] == [(page["state"], page["url"], page["quotes"]) for page in found["pages"]]


def test_a_private_host_is_not_read_because_a_bundle_names_it(veridical: Callable[..., Ran], listed: str, server: Server) -> None:
    before = server.connections
    ran = veridical("recheck", "report.zip")
    assert (5, before) == (ran.code, server.connections)
    assert "private" in ran.err
    assert "unknown" in ran.out


@pytest.mark.usefixtures("listed")
def test_a_bundle_that_does_not_verify_is_not_rechecked(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "report.zip").write_bytes((tmp_path / "report.zip").read_bytes().replace(b"battery", b"bottery"))
    ran = veridical("recheck", "report.zip")
    assert (4, "") == (ran.code, ran.out)
    assert "Type: veridical verify report.zip" in ran.line()


def test_a_bundle_that_is_not_there_is_said_so(veridical: Callable[..., Ran]) -> None:
    ran = veridical("recheck", "none.zip")
    assert 2 == ran.code
    assert "There is no file none.zip" in ran.line()
