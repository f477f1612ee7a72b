"""Exa's SDK over a loopback server that speaks its JSON: what is asked, what is found, how it fails. The kernel proves every place."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
import requests
import veridical_exa._client as module
from veridical_contract import (
    ConfigurationError,
    IncompatibleError,
    MissingExtraError,
    MissingSecretError,
    ProviderError,
    ProviderFailure,
    SearchQuery,
    UsageError,
)
from veridical_exa import ExaSearch

from tests.providers.failures import FAILURES
from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Asked, Service, as_json, service

KEY = "exa-secret-key-123"
QUERY = SearchQuery(text="who won the cup")


def hit(url: str = "https://example.org/cup", **members: Any) -> dict[str, Any]:
    """A result with the members that Exa gives it."""
    words = {"title": "World Cup final", "text": "Spain won the final by two goals. It rained.", "author": "A. Reporter"}
    scores = {"score": 0.4600165784358978, "image": "https://example.org/i.png", "favicon": "https://example.org/favicon.ico"}
    return {"id": url, "url": url, **words, **scores, "publishedDate": "2024-11-16T01:36:32.547Z", **members}


def reply(*hits: object, **members: Any) -> dict[str, Any]:
    how = {"requestId": "b5947044c4b78efa9552a7c89b306d95", "resolvedSearchType": "neural", "searchType": "auto", "autoDate": None}
    return {**how, "results": list(hits), "searchTime": 812.4, "costDollars": {"total": 0.005, "search": {"neural": 0.005}}, **members}


def ask(tmp_path: Path, server: Service, query: SearchQuery = QUERY, **settings: object) -> Found:
    given = context("exa", tmp_path, environment={"EXA_API_KEY": KEY}, **{"base_url": server.url, "timeout": 0.5, **settings})
    return search(ExaSearch, given, query)


def answer_to(tmp_path: Path, answered: object, query: SearchQuery = QUERY, **settings: object) -> Found:
    with service(lambda _: as_json(answered)) as server:
        return ask(tmp_path, server, query, **settings)


def failure(tmp_path: Path, answered: Answer | None) -> ProviderError:
    with service(lambda _: answered) as server, pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    assert KEY not in str(raised.value)
    return raised.value


def sent(tmp_path: Path, *, settings: dict[str, object] | None = None, **asked: Any) -> dict[str, Any]:
    with service(lambda _: as_json(reply())) as server:
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}), **(settings or {}))
    return cast("dict[str, Any]", server.asked[0].json)


def urls(found: Found) -> list[str | None]:
    return [document.url for document in found.documents]


def test_an_extra_header_that_is_none_is_skipped_and_takes_no_other_away() -> None:
    with service(lambda _: as_json(reply())) as server, requests.Session() as session:
        asked = module.client(KEY, server.url, session, timeout=0.5)
        asked.request("/search", {}, extra_headers={"x-api-key": None, "x-trace": "1"})
    headers = server.asked[0].headers
    assert (KEY, "1") == (headers["x-api-key"], headers["x-trace"])


def test_the_text_of_a_result_is_a_document(tmp_path: Path) -> None:
    (document,) = answer_to(tmp_path, reply(hit())).documents
    assert ("https://example.org/cup", "World Cup final") == (document.url, document.title)
    assert "Spain won the final by two goals. It rained." == document.text
    assert ("wire", "2024-11-16T01:36:32.547Z") == (document.grades.text, document.published.value if document.published else None)


def test_each_highlight_is_a_document_of_its_own(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply(hit(highlights=["Spain won the final", "", "It rained"], highlightScores=[0.9, 0.1, 0.5])))
    assert ["Spain won the final by two goals. It rained.", "Spain won the final", "It rained"] == [each.text for each in found.documents]
    assert ["text", "highlights/0", "highlights/2"] == [item.place.text for item in found.items if item.place]


def test_what_a_model_wrote_and_what_was_asked_is_no_evidence(tmp_path: Path) -> None:
    made_up = "See https://invented.example/x."
    answered = reply(
        hit(text=None, summary=made_up),
        statuses=[{"id": "https://invented.example/x", "status": "success", "source": "cached"}],
        output={
            "content": made_up,
            "grounding": [{"field": "content", "citations": [{"url": "https://invented.example/x", "title": "X"}]}],
        },
        context=made_up,
    )
    found = answer_to(tmp_path, answered)
    assert ([], ["https://example.org/cup"]) == (found.documents, found.links)
    assert "invented" not in str(found.items)


@pytest.mark.parametrize(
    "shift",
    [
        lambda hits: hits[::-1],
        lambda hits: [{**each, "text": hits[number - 1]["text"]} for number, each in enumerate(hits)],
        lambda hits: [{**each, "url": f"{each['url']}x"} for each in hits],
        lambda hits: [{**each, "title": each["title"].upper()} for each in hits],
        lambda hits: [{**each, "text": each["text"].replace("not ", "")} for each in hits],
    ],
    ids=["swapped", "shifted", "url", "title", "words"],
)
def test_an_sdk_that_changes_something_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shift: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> None:
    import exa_py.api

    honest = exa_py.api.to_snake_case
    hits = [hit("https://one.example/", text="It was not Spain.", title="One"), hit("https://two.example/", text="It was not Peru.")]
    lies = {each["url"]: lie for each, lie in zip(hits, shift(hits), strict=True)}
    monkeypatch.setattr(exa_py.api, "to_snake_case", lambda data: honest(lies.get(data.get("url"), data)))
    found = answer_to(tmp_path, reply(*hits))
    assert ([], {"differs-from-bytes"}) == (found.documents, set(found.refused))


def test_other_scripts_come_through(tmp_path: Path) -> None:
    said = "スペインが優勝した。🏆 Café &amp; <b>naïve</b>"
    (document,) = answer_to(tmp_path, reply(hit("https://例え.jp/優勝?q=🏆", title="優勝🏆", text=said))).documents
    assert ("優勝🏆", said) == (document.title, document.text)


def test_a_result_with_nothing_but_its_url_is_a_link(tmp_path: Path) -> None:
    bare = {"id": "https://example.org/2", "url": "https://example.org/2", "title": None, "publishedDate": None, "author": None}
    found = answer_to(tmp_path, reply(bare))
    assert ([], ["https://example.org/2"]) == (found.documents, found.links)


@pytest.mark.parametrize("highlights", [None, [], "x", [None, 3], {}])
def test_highlights_of_another_shape_are_none(tmp_path: Path, highlights: object) -> None:
    assert ["text"] == [item.place.text for item in answer_to(tmp_path, reply(hit(highlights=highlights))).items if item.place]


@pytest.mark.parametrize("url", [None, "", 3, "no address", "http://[::1"])
def test_a_result_without_a_url_is_left_out(tmp_path: Path, url: object) -> None:
    assert ["https://two.example/"] == urls(answer_to(tmp_path, reply({**hit(), "url": url}, hit("https://two.example/"))))


def test_no_results_are_an_empty_answer(tmp_path: Path) -> None:
    assert [] == answer_to(tmp_path, reply()).items


def test_what_repeats_the_question_is_refused(tmp_path: Path) -> None:
    assert ["wire-echo"] == answer_to(tmp_path, reply(hit(text=QUERY.text))).refused


def test_a_plain_query_asks_for_text_and_highlights_and_no_words_of_a_model(tmp_path: Path) -> None:
    contents = {"text": {"maxCharacters": 3000}, "highlights": True}
    assert {"query": "who won the cup", "numResults": 10, "contents": contents} == sent(tmp_path)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"limit": 5}, {"numResults": 5}),
        ({"limit": 100}, {"numResults": 100}),
        ({"limit": 5, "page": 3}, {"numResults": 15}),
        ({"limit": 60, "page": 2}, {"numResults": 100}),
        ({"since": "2024-01-02"}, {"startPublishedDate": "2024-01-02T00:00:00.000Z", "endPublishedDate": None}),
        ({"until": "2024-02-03"}, {"endPublishedDate": "2024-02-03T23:59:59.999Z", "startPublishedDate": None}),
        ({"include_domains": ("a.example", "b.example")}, {"includeDomains": ["a.example", "b.example"], "excludeDomains": None}),
        ({"exclude_domains": ("a.example",)}, {"excludeDomains": ["a.example"], "includeDomains": None}),
    ],
)
def test_each_filter_is_asked_for_in_exas_own_words(tmp_path: Path, asked: dict[str, Any], expected: dict[str, Any]) -> None:
    body = sent(tmp_path, **asked)
    assert expected == {name: body.get(name) for name in expected}


@pytest.mark.parametrize(
    ("settings", "contents"),
    [
        ({"characters": 100}, {"text": {"maxCharacters": 100}, "highlights": True}),
        ({"characters": 0}, {"highlights": True}),
        ({"highlights": False}, {"text": {"maxCharacters": 3000}}),
        ({"characters": 0, "highlights": False}, None),
    ],
)
def test_how_much_of_a_page_is_asked_for_is_a_setting(tmp_path: Path, settings: dict[str, object], contents: object) -> None:
    assert contents == sent(tmp_path, settings=settings).get("contents")


@pytest.mark.parametrize("settings", [{"characters": -1}, {"timeout": 0}, {"highlights": 1}])
def test_a_setting_that_is_off_is_named(tmp_path: Path, settings: dict[str, object]) -> None:
    with service(lambda _: as_json(reply())) as server, pytest.raises(ConfigurationError, match=next(iter(settings))):
        ask(tmp_path, server, **settings)


def test_domains_hold_whatever_the_service_answers(tmp_path: Path) -> None:
    hits = [hit(url) for url in ("https://a.example/1", "https://old.a.example/2", "https://nota.example/", "https://b.example/")]
    query = SearchQuery(text=QUERY.text, include_domains=("a.example", "b.example"), exclude_domains=("old.a.example",))
    assert ["https://a.example/1", "https://b.example/"] == urls(answer_to(tmp_path, reply(*hits), query))


def test_a_later_page_is_the_rest_of_a_longer_answer(tmp_path: Path) -> None:
    hits = [hit(f"https://example.org/{number}", text=f"The words of number {number}.") for number in range(8)]
    found = answer_to(tmp_path, reply(*hits), SearchQuery(text=QUERY.text, limit=3, page=2))
    assert [f"https://example.org/{number}" for number in (3, 4, 5)] == urls(found)
    assert ["The words of number 3.", "The words of number 4.", "The words of number 5."] == [document.text for document in found.documents]


@pytest.mark.parametrize(("asked", "said"), [({"page": 11}, "results 101 and on"), ({"language": "de"}, "'de'")])
def test_what_exa_cannot_do_is_refused_before_anything_is_sent(tmp_path: Path, asked: dict[str, Any], said: str) -> None:
    with service(lambda _: as_json(reply())) as server, pytest.raises(UsageError, match=said):
        ask(tmp_path, server, SearchQuery(text=QUERY.text, **asked))
    assert [] == server.asked


def test_the_key_goes_in_a_header_and_nowhere_else(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply(hit()))) as server:
        found = ask(tmp_path, server)
    (asked,) = server.asked
    assert ("POST", "/search", KEY) == (asked.method, asked.path, asked.headers["x-api-key"])
    assert KEY not in asked.body.decode() + str(found.items) + found.records[0].url
    assert 1 == len(found.records)


def test_searches_at_one_time_keep_to_themselves(tmp_path: Path) -> None:
    """The SDK asks through a session of each plugin's own, and nothing of it is shared between threads."""
    together = threading.Barrier(4, timeout=10)

    def answer(asked: Asked) -> Answer:
        together.wait()
        return as_json(reply(hit(f"https://{asked.json['query'][-1]}.example/", text=f"Words about {asked.json['query'][-1]} alone.")))

    with service(answer) as server, ThreadPoolExecutor(4) as pool:
        queries = [SearchQuery(text=f"tell me of {name}") for name in "abcd"]
        found = list(pool.map(lambda query: ask(tmp_path, server, query, timeout=10.0), queries))
    assert [[f"https://{name}.example/"] for name in "abcd"] == [urls(each) for each in found]


@pytest.mark.parametrize(("answered", "expected", "wait"), FAILURES)
def test_a_failure_is_of_its_kind(tmp_path: Path, answered: Answer | None, expected: ProviderFailure, wait: float | None) -> None:
    error = failure(tmp_path, answered)
    assert (expected, wait) == (error.failure, error.retry_after)


def test_a_failure_says_what_to_do(tmp_path: Path) -> None:
    assert "EXA_API_KEY" in failure(tmp_path, as_json({"error": "Invalid API key", "tag": "INVALID_API_KEY"}, 401)).hint
    assert "dashboard.exa.ai" in failure(tmp_path, as_json({"error": "No more credits", "tag": "NO_MORE_CREDITS"}, 402)).hint


@pytest.mark.parametrize("status", [204, 302])
def test_another_status_is_malformed_and_leads_nowhere(tmp_path: Path, status: int) -> None:
    with service(lambda _: as_json(reply(hit()))) as elsewhere:
        error = failure(tmp_path, Answer(status=status, headers={"Location": f"{elsewhere.url}/search"}))
    assert ("malformed", []) == (error.failure, elsewhere.asked)


@pytest.mark.parametrize("answered", [{}, [], None, "x", {"results": None}, {"results": {"0": hit()}}, {"results": [3]}])
def test_a_reply_that_is_none_of_exas_is_malformed(tmp_path: Path, answered: object) -> None:
    assert "malformed" == failure(tmp_path, as_json(answered)).failure


def test_a_service_that_is_not_there_is_a_connection_that_failed(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply())) as server:
        pass
    with pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    assert "connection" == raised.value.failure


def test_without_a_key_the_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingSecretError, match="EXA_API_KEY"):
        search(ExaSearch, context("exa", tmp_path), QUERY)


def test_without_the_sdk_the_command_that_installs_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise module.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(module.importlib.metadata, "version", missing)
    with pytest.raises(MissingExtraError, match=r'pip install "veridical\[exa\]"'):
        search(ExaSearch, context("exa", tmp_path), QUERY)


@pytest.mark.parametrize("version", ["1.9.9", "2.26.9", "3.0.0"])
def test_an_sdk_of_another_version_is_named_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(module.importlib.metadata, "version", lambda _: version)
    with pytest.raises(IncompatibleError, match=version):
        search(ExaSearch, context("exa", tmp_path), QUERY)


def test_the_place_that_is_approved_is_exas_own() -> None:
    wire = ExaSearch.wire
    assert ("https://api.exa.ai/search", "/results/*", "url") == (wire.base_url, wire.item, wire.url)
    assert ("text", "highlights/*") == wire.text
