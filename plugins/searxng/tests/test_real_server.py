"""SearXNG's ancestor itself, Debian's `searx`, on loopback, with one engine that asks a service of this test.

apt-get install --no-install-recommends searx python3-searx
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from veridical_contract import ProviderError, SearchQuery
from veridical_searxng import SearxngSearch

from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Asked, as_json, service

PROGRAM = shutil.which("searx-run", path="/usr/bin:/usr/local/bin")
DOCUMENTS = [
    {"url": "https://example.org/curie", "title": "Marie Curie, Café é 🏆", "summary": "She discovered radium in 1898 with Pierre."},
    {"url": "https://example.com/lab?a=1&b=2", "title": "The laboratory", "summary": "It had a leaking roof, 3 < 4 tables & no heating."},
]

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="searx-run is not installed (apt-get install searx)")


def settings(port: int, engine: str) -> dict[str, Any]:
    return {
        "general": {"debug": False, "instance_name": "test"},
        "search": {
            "formats": ["html", "json"],
            "autocomplete": "",
            "safe_search": 0,
            "default_lang": "",
            "ban_time_on_fail": 5,
            "max_ban_time_on_fail": 5,
        },
        "server": {
            "port": port,
            "bind_address": "127.0.0.1",
            "secret_key": "only-for-this-test",
            "base_url": False,
            "http_protocol_version": "1.0",
        },
        "ui": {
            "static_path": "/usr/share/python3-searx/static",
            "templates_path": "/usr/share/python3-searx/templates",
            "default_theme": "oscar",
            "default_locale": "",
        },
        "outgoing": {"request_timeout": 2.0},
        "doi_resolvers": {"oadoi.org": "https://oadoi.org/"},
        "default_doi_resolver": "oadoi.org",
        "locales": {"en": "English"},
        "engines": [
            {
                "name": "local",
                "engine": "json_engine",
                "shortcut": "lo",
                "categories": "general",
                "search_url": f"{engine}/api?q={{query}}",
                "results_query": "documents",
                "url_query": "url",
                "title_query": "title",
                "content_query": "summary",
                "enable_http": True,
                "disabled": False,
            }
        ],
    }


def engine(asked: Asked) -> Answer:
    words = asked.query["q"]
    if "broken" in words:
        return Answer(b"out of order", 500)
    return as_json({"documents": [] if "nothing" in words else DOCUMENTS})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from running(tmp_path_factory.mktemp("searx"))


def running(folder: Path) -> Iterator[str]:
    port = free_port()
    written = folder / "settings.yml"
    with service(engine) as behind:
        written.write_text(json.dumps(settings(port, behind.url)))  # JSON is YAML
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with (folder / "log").open("wb") as log:
            program = subprocess.Popen(
                [str(PROGRAM)], env={**environment, "SEARX_SETTINGS_PATH": str(written)}, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}", program, folder / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            program.terminate()
            program.wait(10)


def wait_until_it_answers(url: str, program: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        try:
            httpx.get(f"{url}/healthz", timeout=5)
        except httpx.TransportError:
            assert program.poll() is None, log.read_text()[-2000:]
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"searx did not start: {log.read_text()[-2000:]}")


def ask(tmp_path: Path, url: str, words: str, **asked: Any) -> Found:
    return search(SearxngSearch, context("searxng", tmp_path, base_url=url), SearchQuery(text=words, **asked), timeout=10.0)


def test_what_an_engine_found_is_proved_on_the_reply(instance: str, tmp_path: Path) -> None:
    found = ask(tmp_path, instance, "who discovered it https://invented.example/x")
    assert [(row["url"], row["title"], row["summary"]) for row in DOCUMENTS] == [
        (document.url, document.title, document.text) for document in found.documents
    ]
    assert {"wire"} == {document.grades.text for document in found.documents}


def test_domains_hold_over_the_real_server(instance: str, tmp_path: Path) -> None:
    found = ask(tmp_path, instance, "who discovered it", exclude_domains=("example.org",))
    assert ["https://example.com/lab?a=1&b=2"] == [document.url for document in found.documents]


def test_an_engine_that_finds_nothing_is_no_failure(instance: str, tmp_path: Path) -> None:
    assert [] == ask(tmp_path, instance, "nothing at all").items


def test_an_engine_that_fails_is_a_failure_that_names_it(instance: str, tmp_path: Path) -> None:
    """The last test: searx leaves an engine that failed alone for some seconds."""
    with pytest.raises(ProviderError, match="local") as raised:
        ask(tmp_path, instance, "broken engine")
    assert "server" == raised.value.failure
