"""Brave over a loopback server that speaks its JSON: what is asked, what is found, how it fails. Every place is proved by the kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from veridical_brave import BraveSearch
from veridical_contract import MissingSecretError, ProviderError, ProviderFailure, SearchQuery, UsageError

from tests.providers.failures import FAILURES
from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Service, as_json, service

KEY = "brave-secret-key-123"
QUERY = SearchQuery(text="who won the cup")


def hit(url: str = "https://example.org/cup", **members: Any) -> dict[str, Any]:
    return {"type": "search_result", "title": "World Cup final", "url": url, "description": "Spain won the final by two goals.", **members}


def reply(web: list[Any] | None = None, news: list[Any] | None = None, **members: Any) -> dict[str, Any]:
    """A reply in Brave's shape; what has no results is not in it at all."""
    found = {"web": web, "news": news}
    kinds = {kind: {"type": "search", "results": hits} for kind, hits in found.items() if hits is not None}
    return {"type": "search", "query": {"original": QUERY.text, "more_results_available": True}, **kinds, **members}


def ask(tmp_path: Path, server: Service, query: SearchQuery = QUERY) -> Found:
    given = context("brave", tmp_path, environment={"BRAVE_SEARCH_API_KEY": KEY}, base_url=server.url)
    return search(BraveSearch, given, query)


def answer_to(tmp_path: Path, answered: object, query: SearchQuery = QUERY) -> Found:
    with service(lambda _: as_json(answered)) as server:
        return ask(tmp_path, server, query)


def parameters(tmp_path: Path, query: SearchQuery) -> dict[str, str]:
    with service(lambda _: as_json(reply())) as server:
        ask(tmp_path, server, query)
    return server.asked[0].query


def failure(tmp_path: Path, answered: Answer | None) -> ProviderError:
    with service(lambda _: answered) as server, pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    assert KEY not in str(raised.value)
    return raised.value


def test_a_description_and_each_snippet_is_a_document_of_its_page(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply([hit(page_age="2024-11-07T10:00:00", extra_snippets=["It rained.", "They <strong>sang</strong>."])]))
    assert ["Spain won the final by two goals.", "It rained.", "They sang."] == [document.text for document in found.documents]
    assert {("https://example.org/cup", "World Cup final", "2024-11-07T10:00:00")} == {
        (document.url, document.title, document.published.value if document.published else None) for document in found.documents
    }
    assert {"wire"} == {grade for document in found.documents for grade in (document.grades.text, document.grades.url)}


def test_markup_and_entities_of_a_decorated_reply_are_not_in_the_words(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply([hit(description="A &amp; <strong>B</strong> won 2&nbsp;:&nbsp;1 &#x27;at home&#x27; &lt;b&gt;")]))
    assert ["A & B won 2\u00a0:\u00a01 'at home' <b>"] == [document.text for document in found.documents]


def test_other_scripts_and_astral_characters_come_through(tmp_path: Path) -> None:
    said = "スペインが優勝した。🏆 Café, naïve"
    found = answer_to(tmp_path, reply([hit("https://例え.jp/優勝?q=🏆", title="優勝🏆", description=said)]))
    (document,) = found.documents
    assert ("優勝🏆", said) == (document.title, document.text)
    assert document.url is not None


def test_news_are_found_besides_web_results(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply([hit()], [hit("https://news.example/1", description="The final is over.")]))
    assert ["https://example.org/cup", "https://news.example/1"] == [document.url for document in found.documents]
    assert ["web", "news"] == [item.place.map for item in found.items if item.place]


def test_results_come_in_the_order_of_the_page(tmp_path: Path) -> None:
    rows = [{"type": "web", "index": 1, "all": False}, {"type": "news", "all": True}, {"type": "videos", "all": True}, "x"]
    web = [hit(f"https://example.org/{number}") for number in range(3)]
    found = answer_to(tmp_path, reply(web, [hit("https://news.example/1")], mixed={"type": "mixed", "main": rows}))
    urls = ["https://example.org/1", "https://news.example/1", "https://example.org/0", "https://example.org/2"]
    assert urls == [document.url for document in found.documents]


@pytest.mark.parametrize("mixed", [None, {}, {"main": None}, {"main": [3]}, [], "x"])
def test_without_an_order_web_results_come_before_news(tmp_path: Path, mixed: object) -> None:
    found = answer_to(tmp_path, reply([hit()], [hit("https://news.example/1")], mixed=mixed))
    assert ["https://example.org/cup", "https://news.example/1"] == [document.url for document in found.documents]


def test_a_result_without_words_is_a_link(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply([hit(description="", extra_snippets=[])]))
    assert ([], ["https://example.org/cup"]) == (found.documents, found.links)


@pytest.mark.parametrize("answered", [reply(), reply([]), {}, [], None, {"web": {"results": None}}, {"web": {"results": [3]}}])
def test_a_reply_without_results_is_empty(tmp_path: Path, answered: object) -> None:
    assert [] == answer_to(tmp_path, answered).items


def test_what_repeats_the_question_is_refused(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply([hit(description=QUERY.text)]))
    assert ([], ["wire-echo"]) == (found.documents, found.refused)


def test_a_url_in_the_echo_of_the_query_is_nobodys_result(tmp_path: Path) -> None:
    query = SearchQuery(text="see https://invented.example/x")
    found = answer_to(tmp_path, {"query": {"original": query.text}, "web": {"results": []}}, query)
    assert [] == found.items


def test_a_plain_query_asks_for_undecorated_web_and_news_results(tmp_path: Path) -> None:
    expected = {
        "q": "who won the cup",
        "count": "10",
        "offset": "0",
        "result_filter": "web,news",
        "extra_snippets": "true",
        "text_decorations": "false",
        "spellcheck": "false",
    }
    assert expected == parameters(tmp_path, QUERY)


def test_the_key_goes_in_a_header_and_nowhere_else(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply([hit()]))) as server:
        found = ask(tmp_path, server)
    (asked,) = server.asked
    assert ("GET", "/res/v1/web/search", KEY) == (asked.method, asked.path, asked.headers["x-subscription-token"])
    assert KEY not in str(asked.query) + str(found.items) + str(found.documents) + found.records[0].url


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"limit": 5}, {"count": "5"}),
        ({"limit": 100}, {"count": "20"}),
        ({"page": 3}, {"offset": "2"}),
        ({"page": 10}, {"offset": "9"}),
        ({"since": "2024-01-02", "until": "2024-02-03"}, {"freshness": "2024-01-02to2024-02-03"}),
        ({"since": "2024-01-02"}, {"freshness": "2024-01-02to2026-11-21"}),
        ({"until": "2024-02-03"}, {"freshness": "1970-01-01to2024-02-03"}),
        ({"language": "de"}, {"search_lang": "de"}),
        ({"language": "de-AT"}, {"search_lang": "de"}),
        ({"language": "en-GB"}, {"search_lang": "en-gb"}),
        ({"language": "en-US"}, {"search_lang": "en"}),
        ({"language": "ja"}, {"search_lang": "jp"}),
        ({"language": "pt"}, {"search_lang": "pt-pt"}),
        ({"language": "pt-BR"}, {"search_lang": "pt-br"}),
        ({"language": "zh"}, {"search_lang": "zh-hans"}),
        ({"language": "zh-TW"}, {"search_lang": "zh-hant"}),
        ({"language": "zh-Hant-HK"}, {"search_lang": "zh-hant"}),
        ({"include_domains": ("a.example",)}, {"q": "who won the cup site:a.example"}),
        ({"include_domains": ("a.example", "b.example")}, {"q": "who won the cup (site:a.example OR site:b.example)"}),
        ({"exclude_domains": ("a.example", "b.example")}, {"q": "who won the cup -site:a.example -site:b.example"}),
    ],
)
def test_each_filter_is_asked_for_in_braves_own_words(tmp_path: Path, asked: dict[str, Any], expected: dict[str, str]) -> None:
    sent = parameters(tmp_path, SearchQuery(text=QUERY.text, **asked))
    assert expected == {name: sent[name] for name in expected}


def test_domains_hold_whatever_the_service_answers(tmp_path: Path) -> None:
    urls = (
        "https://a.example/1",
        "https://old.a.example/2",
        "https://evil.example/?a.example",
        "https://nota.example/",
        "https://b.example/",
    )
    query = SearchQuery(text=QUERY.text, include_domains=("a.example", "b.example"), exclude_domains=("old.a.example",))
    found = answer_to(tmp_path, reply([hit(url) for url in urls]), query)
    assert ["https://a.example/1", "https://b.example/"] == [document.url for document in found.documents]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"page": 11}, "page 11"),
        ({"text": "x" * 401}, "401 characters"),
        ({"text": "x " * 51}, "51 words"),
        ({"include_domains": tuple(f"site{number}.example" for number in range(40))}, "characters"),
        ({"language": "tlh"}, "'tlh'"),
        ({"language": ""}, "''"),
    ],
)
def test_what_brave_cannot_do_is_refused_before_anything_is_sent(tmp_path: Path, asked: dict[str, Any], said: str) -> None:
    with service(lambda _: as_json(reply([hit()]))) as server, pytest.raises(UsageError, match=said):
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}))
    assert [] == server.asked


@pytest.mark.parametrize(("answered", "expected", "wait"), FAILURES)
def test_a_failure_is_of_its_kind(tmp_path: Path, answered: Answer | None, expected: ProviderFailure, wait: float | None) -> None:
    error = failure(tmp_path, answered)
    assert (expected, wait) == (error.failure, error.retry_after)


def test_a_key_that_brave_does_not_know_comes_as_422(tmp_path: Path) -> None:
    body = {"type": "ErrorResponse", "error": {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The token is invalid."}}
    error = failure(tmp_path, as_json(body, 422))
    assert "auth" == error.failure
    assert "BRAVE_SEARCH_API_KEY" in error.hint


@pytest.mark.parametrize(
    ("remaining", "reset", "kind", "wait"),
    [
        ("0, 12", "1, 86400", "rate-limit", 1.0),
        ("1, 0", "1, 86400", "quota", 86400.0),
        ("0, 0", "1, 86400", "quota", 86400.0),
        ("1, 1", "1, 86400", "rate-limit", None),
        ("x", "y", "rate-limit", None),
        ("0", "soon", "rate-limit", None),
    ],
)
def test_the_limit_that_was_reached_says_how_long_to_wait(
    tmp_path: Path, remaining: str, reset: str, kind: ProviderFailure, wait: float | None
) -> None:
    error = failure(tmp_path, as_json({}, 429, X_RateLimit_Remaining=remaining, X_RateLimit_Reset=reset))
    assert (kind, wait) == (error.failure, error.retry_after)


def test_a_redirect_is_not_followed_with_the_key(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply([hit()]))) as elsewhere:
        error = failure(tmp_path, Answer(status=302, headers={"Location": f"{elsewhere.url}/res/v1/web/search"}))
    assert ("malformed", []) == (error.failure, elsewhere.asked)


def test_a_service_that_is_not_there_is_a_connection_that_failed(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply())) as server:
        pass
    with pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    assert "connection" == raised.value.failure


def test_without_a_key_the_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingSecretError, match="BRAVE_SEARCH_API_KEY"):
        search(BraveSearch, context("brave", tmp_path), QUERY)


def test_the_places_that_are_approved_are_braves_own() -> None:
    assert {"https://api.search.brave.com/res/v1/web/search"} == {wire.base_url for wire in BraveSearch.wire.values()}
    assert {"web": "/web/results/*", "news": "/news/results/*"} == {name: wire.item for name, wire in BraveSearch.wire.items()}
