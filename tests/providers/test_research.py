"""Research over each search provider, through the real plugin and a service on loopback that speaks its real replies.

What is released can be looked up by hand in the WARC record of the run; of a reply that was changed, cut or swapped, nothing else is
released than what it says, and the report says what was left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from veridical import Veridical
from veridical.kernel.exit import Published
from veridical_contract import ProviderError

from .service import Answer, Asked, Service, as_json, service

QUESTION = "how was radium discovered"


@dataclass(frozen=True)
class Hit:
    url: str
    title: str
    text: str


HITS = (
    Hit("https://one.example/radium?a=1&b=2", "On radium", "Marie and Pierre Curie discovered radium in December 1898, in a shed."),
    Hit("https://two.example/shed", "The shed", "Radium was found by boiling tons of pitchblende, and Marie Curie did the boiling."),
    Hit("https://three.example/lamp", "The lamp", "The radium that they discovered glowed in the dark of their shed at night."),
)
ALTERED = "Marie and Pierre Curie discovered radium in January 1906, in a palace."


@dataclass(frozen=True)
class Provider:
    """A provider: how it is set up, and how its service answers hits."""

    name: str
    reply: Callable[[Sequence[Hit], str], Answer]
    key: str = ""
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    """The member of a hit that is its text; empty where a reply is no JSON."""


def _brave(hits: Sequence[Hit], asked: str) -> Answer:
    rows = [{"title": hit.title, "url": hit.url, "description": escape(hit.text)} for hit in hits]
    return as_json({"type": "search", "query": {"original": asked}, "web": {"type": "search", "results": rows}})


def _tavily(hits: Sequence[Hit], asked: str) -> Answer:
    rows = [{"title": hit.title, "url": hit.url, "content": hit.text, "score": 0.9, "raw_content": None} for hit in hits]
    answer = "A model's answer: https://invented.example/a"
    return as_json({"query": asked, "answer": answer, "images": [], "results": rows, "response_time": 0.1, "request_id": "r"})


def _exa(hits: Sequence[Hit], asked: str) -> Answer:
    rows = [{"id": hit.url, "title": hit.title, "url": hit.url, "text": hit.text, "summary": "A model's summary."} for hit in hits]
    return as_json({"requestId": "r", "resolvedSearchType": "neural", "results": rows, "costDollars": {"total": 0.005}})


def _searxng(hits: Sequence[Hit], asked: str) -> Answer:
    rows = [{"title": hit.title, "url": hit.url, "content": hit.text, "engine": "json", "template": "default.html"} for hit in hits]
    return as_json({"query": asked, "results": rows, "answers": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []})


def _duckduckgo(hits: Sequence[Hit], asked: str) -> Answer:
    rows = "".join(
        f'<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" '
        f'href="//duckduckgo.com/l/?uddg={quote(hit.url, safe="")}&amp;rut=1">{escape(hit.title)}</a></h2>'
        f'<a class="result__snippet" href="x">{escape(hit.text)}</a></div>'
        for hit in hits
    )
    form = f'<form action="/html/"><input name="q" value="{escape(asked)}"></form>'
    page = f'<!DOCTYPE html><html><body>{form}<div id="links" class="results">{rows}</div></body></html>'
    return Answer(page.encode(), headers={"Content-Type": "text/html; charset=UTF-8"})


PROVIDERS = [
    Provider("brave", _brave, "BRAVE_SEARCH_API_KEY", text="description"),
    Provider("tavily", _tavily, "TAVILY_API_KEY", text="content"),
    Provider("exa", _exa, "EXA_API_KEY", text="text"),
    Provider("searxng", _searxng, text="content"),
    Provider("duckduckgo", _duckduckgo, settings={"allowed": True}),
]


@pytest.fixture(params=PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    return request.param


@contextmanager
def asking(
    provider: Provider, folder: Path, hits: Sequence[Hit], change: Callable[[Answer], Answer]
) -> Generator[tuple[Veridical, Service]]:
    with service(lambda asked: change(provider.reply(hits, _words(asked)))) as running:
        home = folder / "home"
        home.mkdir()
        table = {"base_url": running.url, **provider.settings}
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
        hosts = f'[plugins]\nenabled = ["{provider.name}"]\n[plugins.hosts]\n{provider.name} = ["127.0.0.1"]\n'
        (home / "settings.toml").write_text(f"{hosts}[plugin.{provider.name}]\n{lines}", "utf-8")
        environment = {provider.key: "key-of-this-test"} if provider.key else {}
        with Veridical(home=home, base=folder, environment=environment) as veridical:
            yield veridical, running


def research(
    provider: Provider, folder: Path, hits: Sequence[Hit] = HITS, change: Callable[[Answer], Answer] = lambda answer: answer
) -> Published:
    with asking(provider, folder, hits, change) as (veridical, _):
        return veridical.research(QUESTION, search=provider.name)


def released(published: Published) -> set[tuple[str | None, str]]:
    """(URL, words) of every quote."""
    urls = {row.document: row.url for row in published.report.citations}
    parts = (*published.report.themes, *published.report.answers)
    return {(urls[quote.span.document], quote.span.text) for part in parts for claim in part.claims for quote in claim.quotes}


def says(published: Published, hits: Sequence[Hit]) -> bool:
    """Whether something was released, and each quote stands in the text of a hit of its URL."""
    quotes = released(published)
    return bool(quotes) and all(any(url == hit.url and words in hit.text for hit in hits) for url, words in quotes)


def test_every_quote_can_be_looked_up_by_hand_in_the_record_of_the_run(provider: Provider, tmp_path: Path) -> None:
    with asking(provider, tmp_path, HITS, lambda answer: answer) as (veridical, running):
        published = veridical.research(QUESTION, search=provider.name)
        bodies = {reply.digest: reply.body for reply in veridical.store.wire(published.report.run.id)}
        asked = " ".join([*running.asked[0].query.values(), running.asked[0].body.decode()])
    assert says(published, HITS)
    assert "radium" in asked
    for body in published.documents.values():
        document = json.loads(body)
        assert document["grades"]["text"] == document["grades"]["url"] == "wire"
        reply = bodies[document["raw"]["digest"]]
        if provider.text:
            hit = _at(json.loads(reply), document["derivation"]["pointers"]["text"].rpartition("/")[0])
            assert (hit["url"], hit["title"]) == (document["url"], document["title"])
            assert document["text"] in (hit[provider.text], hit[provider.text].replace("&#x27;", "'"))


def test_a_bundle_of_it_verifies(provider: Provider, tmp_path: Path) -> None:
    with asking(provider, tmp_path, HITS, lambda answer: answer) as (veridical, _):
        published = veridical.research(QUESTION, search=provider.name)
        root = veridical.save(published, "report.zip")
        assert veridical.verify("report.zip", root=root).code == 0


def test_the_key_is_in_nothing_that_is_kept(provider: Provider, tmp_path: Path) -> None:
    published = research(provider, tmp_path)
    assert b"key-of-this-test" not in published.report_bytes
    for path in (tmp_path / "home").rglob("*"):
        assert path.is_dir() or b"key-of-this-test" not in path.read_bytes()


def test_of_a_reply_without_a_hit_that_hit_is_not_released(provider: Provider, tmp_path: Path) -> None:
    published = research(provider, tmp_path, HITS[1:])
    assert says(published, HITS[1:])


def test_swapped_urls_are_what_the_provider_says_and_nothing_else(provider: Provider, tmp_path: Path) -> None:
    swapped = (replace(HITS[0], url=HITS[1].url), replace(HITS[1], url=HITS[0].url), HITS[2])
    published = research(provider, tmp_path, swapped)
    assert says(published, swapped)
    assert not says(published, HITS)


def test_an_altered_text_is_released_as_it_came_and_never_as_it_was(provider: Provider, tmp_path: Path) -> None:
    altered = (replace(HITS[0], text=ALTERED), *HITS[1:])
    published = research(provider, tmp_path, altered)
    assert says(published, altered)
    assert "December 1898" not in published.report_bytes.decode()


@pytest.mark.parametrize("provider", [one for one in PROVIDERS if one.name in ("brave", "duckduckgo")], ids=lambda one: one.name)
def test_a_title_with_markup_in_it_is_left_out_and_the_text_is_kept(provider: Provider, tmp_path: Path) -> None:
    marked = tuple(replace(hit, title="Radium & <b>more</b>") for hit in HITS)
    published = research(provider, tmp_path, marked)
    assert says(published, marked)
    assert {None} == {row.title for row in published.report.citations}
    assert "title-markup" in {row.rule for row in published.report.rejections}


def test_an_echo_of_the_question_is_left_out_and_counted(provider: Provider, tmp_path: Path) -> None:
    echo = replace(HITS[0], text=QUESTION.capitalize())
    published = research(provider, tmp_path, (echo, *HITS[1:]))
    assert says(published, HITS[1:])
    assert ["wire-echo"] == [row.rule for row in published.report.rejections if row.plugin == provider.name]


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: replace(answer, cut=10),
        lambda answer: replace(answer, body=answer.body[: len(answer.body) // 2], cut=len(answer.body) // 2),
        lambda answer: replace(answer, status=503),
    ],
    ids=["announced longer", "cut in the middle", "an error with the hits in it"],
)
def test_of_a_reply_that_is_cut_or_an_error_nothing_is_released(
    provider: Provider, tmp_path: Path, change: Callable[[Answer], Answer]
) -> None:
    with pytest.raises(ProviderError, match=provider.name) as caught:
        research(provider, tmp_path, change=change)
    assert caught.value.hint


def _words(asked: Asked) -> str:
    """The question in a request, for the echo in its reply."""
    if asked.body.startswith(b"{"):
        return str(asked.json.get("query"))
    return (asked.query | (asked.form if asked.body else {})).get("q", "")


def _at(value: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value
