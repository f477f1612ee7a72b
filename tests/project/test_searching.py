"""The blocks of search-the-web.md, recheck-a-report.md and wire-record.md that ask Brave and read pages: a service on loopback answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from veridical.cli import main

from tests.distributions.installing import on_path
from tests.project.code_blocks import DOCS, Runner, blocks
from tests.providers.service import Answer, Asked, as_json, service

TEXTS = (
    "Radium is made by boiling tons of pitchblende in acid for months.",
    "A gram of radium was made in a shed, and it glowed at night.",
)


def reply(asked: Asked) -> Answer:
    """Brave's reply to a search, and the pages that it names."""
    if asked.path == "/robots.txt":
        return Answer(status=404)
    if asked.path.startswith("/page/"):
        page = f"<title>A page</title><main><p>{TEXTS[int(asked.path[-1])]}</p></main>"
        return Answer(page.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
    rows: list[dict[str, Any]] = [
        {"title": f"Page {number}", "url": f"http://{asked.headers['host']}/page/{number}", "description": text}
        for number, text in enumerate(TEXTS)
    ]
    return as_json({"query": {"original": asked.query.get("q", "")}, "web": {"results": rows}})


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Runner]:
    """A home in which Brave is enabled, and answers on this machine."""
    with service(reply) as running, on_path(tmp_path / "page" / "src"):
        runner = Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))
        monkeypatch.setenv("BRAVE_SEARCH_API_KEY", "a-key-of-this-test")
        (tmp_path / "home").mkdir()
        host = urlsplit(running.url).netloc
        settings = f'[plugins.hosts]\nbrave = ["127.0.0.1"]\nfetch = ["{host}"]\n\n[plugin.brave]\nbase_url = "{running.url}"\n'
        (tmp_path / "home/settings.toml").write_text(settings, "utf-8")
        assert 0 == main(["plugins", "enable", "brave"])
        yield runner


def test_the_page_about_searching_does_what_it_shows(runner: Runner) -> None:
    assert 4 == runner.run_for(__file__, DOCS / "how-to/search-the-web.md")
    said = " ".join(runner.output.split())
    assert TEXTS[0] in said
    assert "read by this program" in said
    assert (runner.folder / "radium.warc.gz").stat().st_size


def test_a_pointer_is_looked_up_as_the_page_about_the_record_says(runner: Runner, capfd: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["research", "How is radium made?", "--search", "brave", "--json"])
    run = json.loads(capfd.readouterr().out)["run"]["id"]
    assert 0 == main(["runs", "wire", run, "--json"])
    (reply,) = json.loads(capfd.readouterr().out)
    assert 0 == main(["runs", "wire", run, "-o", "RUN.warc.gz"])
    (block,) = [block for block in blocks(DOCS / "explanation/wire-record.md") if "run by" in block.marks]
    capfd.readouterr()
    exec(compile(block.text, str(block.page), "exec"), {"digest": reply["sha256"]})
    assert capfd.readouterr().out.endswith("/page/1\n")


def test_the_pages_of_a_report_are_read_again_as_its_page_says(runner: Runner) -> None:
    assert 0 == main(["research", "How is radium made?", "--web", "--pages", "2", "-o", "report.zip"])
    assert 2 == runner.run_for(__file__, DOCS / "how-to/recheck-a-report.md")
    assert ["same"] * 4 == re.findall(r"^same", runner.output, re.MULTILINE)
