"""Research that reads the pages which a search named: the page is the evidence then, and an excerpt that it does not have is none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from veridical import Veridical
from veridical.kernel.exit import Published

from .service import Answer, Asked, service
from .test_research import HITS, PROVIDERS, QUESTION, Hit

BRAVE = next(provider for provider in PROVIDERS if provider.name == "brave")
HEAD = "<!DOCTYPE html><html><head><title>Radium</title></head><body><nav>Home</nav>"
PAGE = HEAD + "<article><h1>How it was found</h1><p>{}</p></article></body></html>"


def research(folder: Path, texts: dict[str, str | None], most: int = 3) -> tuple[Published, int]:
    """Search for hits whose pages hold `texts`, by path; None is a page that is not there. Return the report and its bundle's verdict."""

    def answer(asked: Asked) -> Answer:
        if asked.path == "/robots.txt":
            return Answer(status=404)
        if asked.path in texts:
            text = texts[asked.path]
            page = PAGE.format(text).encode()
            return Answer(status=404) if text is None else Answer(page, headers={"Content-Type": "text/html; charset=utf-8"})
        base = f"http://{asked.headers['host']}"
        return BRAVE.reply([replace(hit, url=base + path) for hit, path in zip(HITS, texts, strict=False)], QUESTION)

    with service(answer) as running:
        host = running.url.removeprefix("http://")
        home = folder / "home"
        home.mkdir()
        (home / "settings.toml").write_text(
            f'[plugins]\nenabled = ["brave"]\n[plugins.hosts]\nbrave = ["127.0.0.1"]\nfetch = ["{host}"]\n'
            f'[plugin.brave]\nbase_url = "{running.url}"\n'
        )
        with Veridical(home=home, base=folder, environment={"BRAVE_SEARCH_API_KEY": "key"}) as veridical:
            published = veridical.research(QUESTION, search="brave", pages=most)
            return published, veridical.verify("report.zip", root=veridical.save(published, "report.zip")).code


def cited(published: Published) -> dict[str, tuple[str, str]]:
    """Witness of text and words, by the path of the page of each quote."""
    rows = {row.document: row for row in published.report.citations}
    found: dict[str, tuple[str, str]] = {}
    for theme in published.report.themes:
        for quote in (quote for claim in theme.claims for quote in claim.quotes):
            row = rows[quote.span.document]
            found["/" + str(row.url).rpartition("/")[2]] = (row.grades.text, quote.span.text)
    return found


def rules(published: Published) -> list[str]:
    return [row.rule for row in published.report.rejections]


def more(hit: Hit) -> str:
    return f"{hit.text} And there is more on the page than the search service showed of it, about radium."


def test_a_page_that_was_read_is_the_evidence_in_the_place_of_its_excerpt(tmp_path: Path) -> None:
    published, code = research(tmp_path, {f"/{number}": more(hit) for number, hit in enumerate(HITS)})
    assert {"held"} == {witness for witness, _ in cited(published).values()}
    assert code == 0
    documents = [json.loads(body) for body in published.documents.values()]
    assert {("pages", "fetch", "held")} == {(row["origin"], row["plugin"], row["grades"]["url"]) for row in documents}


def test_an_excerpt_that_is_not_on_its_page_is_no_evidence_and_the_report_says_so(tmp_path: Path) -> None:
    other = "Nothing of radium is said here but that it was discovered by somebody."
    published, code = research(tmp_path, {"/0": other, "/1": more(HITS[1])})
    assert "December 1898" not in published.report_bytes.decode()
    assert ["not-on-the-page"] == [rule for rule in rules(published) if rule == "not-on-the-page"]
    assert code == 0


def test_the_excerpt_of_a_page_that_cannot_be_read_stays_what_it_was(tmp_path: Path) -> None:
    published, code = research(tmp_path, {"/0": None, "/1": more(HITS[1])})
    found = cited(published)
    assert found["/0"][0] == "wire"
    assert found["/1"][0] == "held"
    (said,) = [row.reason.text for row in published.report.inputs if row.reason is not None]
    assert "was not read: it is not there any more (status 404)" in said
    assert code == 0


def test_no_more_pages_are_read_than_were_asked_for(tmp_path: Path) -> None:
    published, _ = research(tmp_path, {f"/{number}": more(hit) for number, hit in enumerate(HITS)}, most=1)
    read: list[Any] = [row for row in published.report.inputs if row.path.startswith("http")]
    assert len(read) == 1
    assert {"wire", "held"} == {witness for witness, _ in cited(published).values()}
