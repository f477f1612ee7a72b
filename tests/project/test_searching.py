"""The blocks of pages that ask a search service and read pages of the web: a service on loopback answers as the real one does.

how-to/search-the-web.md, how-to/ground-a-question.md, how-to/recheck-a-report.md, how-to/audit-an-outcome.md, explanation/wire-record.md
providers/brave.md, providers/duckduckgo.md, providers/exa.md, providers/searxng.md, providers/tavily.md
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import tomlkit
from veridical.cli import main

from tests.project.code_blocks import DOCS, Runner, blocks
from tests.providers.service import Answer, Asked, as_json, service
from tests.providers.test_research import HITS, PROVIDERS, Provider

BRAVE = next(provider for provider in PROVIDERS if provider.name == "brave")
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
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Runner:
    """A home with nothing in it."""
    (tmp_path / "home").mkdir()
    return Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))


def enable(runner: Runner, provider: Provider, url: str) -> None:
    """Enable a plugin whose service is at `url`, on this machine."""
    if provider.key:
        runner.patch.setenv(provider.key, "a-key-of-this-test")
    hosts = {provider.name: ["127.0.0.1"], "fetch": [urlsplit(url).netloc]}
    tables = {"plugins": {"hosts": hosts}, "plugin": {provider.name: {"base_url": url, **provider.settings}}}
    (runner.home / "settings.toml").write_text(tomlkit.dumps(tables), "utf-8")
    assert 0 == main(["plugins", "enable", provider.name])


@pytest.fixture
def runner(empty: Runner) -> Iterator[Runner]:
    """A home in which Brave is enabled, and answers on this machine."""
    with service(reply) as running:
        enable(empty, BRAVE, running.url)
        yield empty


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
def test_the_page_of_a_provider_asks_it(empty: Runner, provider: Provider) -> None:
    with service(lambda _: provider.reply(HITS, "")) as running:
        enable(empty, provider, running.url)
        assert 1 == empty.run_for(__file__, DOCS / f"providers/{provider.name}.md")
    assert HITS[0].text in " ".join(empty.output.split())


def test_the_page_about_searching_does_what_it_shows(runner: Runner) -> None:
    assert 4 == runner.run_for(__file__, DOCS / "how-to/search-the-web.md")
    said = " ".join(runner.output.split())
    assert TEXTS[0] in said
    assert "read by this program" in said
    assert (runner.folder / "radium.warc.gz").stat().st_size


def test_a_question_is_answered_as_its_page_says(runner: Runner) -> None:
    (runner.folder / "notes.md").write_text("Radium is made in the cellar, my notes say.\n", "utf-8")
    assert 4 == runner.run_for(__file__, DOCS / "how-to/ground-a-question.md")
    said = " ".join(runner.output.split())
    assert TEXTS[0] in said
    assert "my notes say" in said
    assert "read by this program" in said
    assert f"{TEXTS[0]} http://127.0.0.1" in said


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


def test_an_answer_is_audited_as_its_page_says(runner: Runner) -> None:
    assert 4 == runner.run_for(__file__, DOCS / "how-to/audit-an-outcome.md")
    assert runner.last.endswith("same []\n")
