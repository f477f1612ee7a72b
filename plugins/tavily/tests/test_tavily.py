"""Tavily's SDK over a loopback server that speaks its JSON: what is asked, what is found, how it fails. The kernel proves every place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import veridical_tavily._search as module
import yaml
from veridical_contract import (
    ConfigurationError,
    IncompatibleError,
    MissingExtraError,
    ProviderError,
    ProviderFailure,
    SearchQuery,
    UsageError,
)
from veridical_tavily import TavilySearch

from tests.providers.failures import FAILURES
from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Service, as_json, service

KEY = "tvly-secret-key-123"
QUERY = SearchQuery(text="who won the cup")
KEYLESS = {"X-Tavily-Access-Mode": "keyless"}


def hit(url: str = "https://example.org/cup", **members: Any) -> dict[str, Any]:
    words = {"title": "World Cup final", "content": "Spain won the final by two goals.", "raw_content": None}
    return {"url": url, **words, "score": 0.81025416, "published_date": None, "favicon": None, **members}


def reply(*hits: object, **members: Any) -> dict[str, Any]:
    written = {"query": QUERY.text, "follow_up_questions": None, "answer": None, "images": []}
    return {**written, "results": list(hits), "response_time": 1.67, "usage": {"credits": 1}, "request_id": "123e4567", **members}


def ask(tmp_path: Path, server: Service, query: SearchQuery = QUERY, *, key: str = KEY, **settings: object) -> Found:
    environment = {"TAVILY_API_KEY": key} if key else {}
    given = context("tavily", tmp_path, environment=environment, **{"base_url": server.url, "timeout": 0.5, **settings})
    return search(TavilySearch, given, query)


def answer_to(tmp_path: Path, answered: object, query: SearchQuery = QUERY, **settings: object) -> Found:
    with service(lambda _: as_json(answered)) as server:
        return ask(tmp_path, server, query, **settings)


def failure(tmp_path: Path, answered: Answer | None, *, key: str = KEY) -> ProviderError:
    with service(lambda _: answered) as server, pytest.raises(ProviderError) as raised:
        ask(tmp_path, server, key=key)
    assert KEY not in str(raised.value)
    return raised.value


def sent(tmp_path: Path, *, settings: dict[str, object] | None = None, **asked: Any) -> dict[str, Any]:
    with service(lambda _: as_json(reply())) as server:
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}), **(settings or {}))
    return cast("dict[str, Any]", server.asked[0].json)


def urls(found: Found) -> list[str | None]:
    return [document.url for document in found.documents]


def test_the_content_of_a_result_is_a_document(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply(hit(published_date="Mon, 03 Jun 2024 10:00:00 GMT")))
    (document,) = found.documents
    assert ("https://example.org/cup", "World Cup final") == (document.url, document.title)
    assert "Spain won the final by two goals." == document.text
    assert ("wire", "2024-06-03T10:00:00Z") == (document.grades.text, document.published.value if document.published else None)


def test_the_full_text_is_a_document_of_its_own(tmp_path: Path) -> None:
    full = "World Cup final. Spain won the final by two goals. It rained."
    found = answer_to(tmp_path, reply(hit(raw_content=full)), full_text=True)
    assert ["Spain won the final by two goals.", full] == [document.text for document in found.documents]


def test_what_a_model_wrote_is_no_evidence(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply(answer="See https://invented.example/x.", follow_up_questions=["https://invented.example/y"]))
    assert [] == found.items


def test_the_sdks_own_values_come_along_so_that_the_host_compares_them(tmp_path: Path) -> None:
    (item,) = answer_to(tmp_path, reply(hit())).items
    assert ("https://example.org/cup", "World Cup final", "Spain won the final by two goals.") == (item.url, item.title, item.text)
    assert item.place is not None
    assert ("/results/0", "content") == (item.place.item, item.place.text)


@pytest.mark.parametrize(
    "shift",
    [
        lambda hits: hits[::-1],
        lambda hits: [{**each, "content": hits[number - 1]["content"]} for number, each in enumerate(hits)],
        lambda hits: [{**each, "url": f"{each['url']}x"} for each in hits],
        lambda hits: [{**each, "title": each["title"].upper()} for each in hits],
        lambda hits: [{**each, "content": each["content"].replace("not ", "")} for each in hits],
    ],
    ids=["swapped", "shifted", "url", "title", "words"],
)
def test_an_sdk_that_changes_something_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shift: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> None:
    import tavily

    honest = tavily.TavilyClient.search

    def lying(*args: Any, **options: Any) -> dict[str, Any]:
        answered = cast("dict[str, Any]", honest(*args, **options))
        return {**answered, "results": shift(answered["results"])}

    monkeypatch.setattr(tavily.TavilyClient, "search", lying)
    hits = [hit("https://one.example/", content="It was not Spain.", title="One"), hit("https://two.example/", content="It was not Peru.")]
    found = answer_to(tmp_path, reply(*hits))
    assert ([], {"differs-from-bytes"}) == (found.documents, set(found.refused))


def test_other_scripts_come_through(tmp_path: Path) -> None:
    said = "スペインが優勝した。🏆 Café &amp; <b>naïve</b>"
    (document,) = answer_to(tmp_path, reply(hit("https://例え.jp/優勝?q=🏆", title="優勝🏆", content=said))).documents
    assert ("優勝🏆", said) == (document.title, document.text)


@pytest.mark.parametrize("members", [{"content": ""}, {"content": None}, {"content": 3}])
def test_a_result_without_words_is_a_link(tmp_path: Path, members: dict[str, Any]) -> None:
    found = answer_to(tmp_path, reply(hit(**members)))
    assert ([], ["https://example.org/cup"]) == (found.documents, found.links)


@pytest.mark.parametrize("url", [None, "", 3, "no address", "http://[::1"])
def test_a_result_without_a_url_is_left_out(tmp_path: Path, url: object) -> None:
    assert ["https://two.example/"] == urls(answer_to(tmp_path, reply({**hit(), "url": url}, hit("https://two.example/"))))


def test_a_result_without_a_title_has_none(tmp_path: Path) -> None:
    (document,) = answer_to(tmp_path, reply(hit(title=None))).documents
    assert None is document.title


def test_no_results_are_an_empty_answer(tmp_path: Path) -> None:
    assert [] == answer_to(tmp_path, reply()).items


def test_what_repeats_the_question_is_refused(tmp_path: Path) -> None:
    assert ["wire-echo"] == answer_to(tmp_path, reply(hit(content=QUERY.text))).refused


def test_a_plain_query_asks_for_no_words_of_a_model(tmp_path: Path) -> None:
    expected = {
        "query": "who won the cup",
        "max_results": 10,
        "search_depth": "basic",
        "topic": "general",
        "include_answer": False,
        "include_raw_content": False,
    }
    assert expected == sent(tmp_path)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"limit": 5}, {"max_results": 5}),
        ({"limit": 100}, {"max_results": 20}),
        ({"limit": 5, "page": 3}, {"max_results": 15}),
        ({"limit": 15, "page": 2}, {"max_results": 20}),
        ({"since": "2024-01-02"}, {"start_date": "2024-01-02", "end_date": None}),
        ({"until": "2024-02-03"}, {"end_date": "2024-02-03", "start_date": None}),
        ({"language": "de-AT"}, {"language": "de", "filter_by_language": True}),
        ({"include_domains": ("a.example", "b.example")}, {"include_domains": ["a.example", "b.example"], "exclude_domains": None}),
        ({"exclude_domains": ("a.example",)}, {"exclude_domains": ["a.example"], "include_domains": None}),
    ],
)
def test_each_filter_is_asked_for_in_tavilys_own_words(tmp_path: Path, asked: dict[str, Any], expected: dict[str, Any]) -> None:
    body = sent(tmp_path, **asked)
    assert expected == {name: body.get(name) for name in expected}


def test_depth_topic_and_full_text_are_settings(tmp_path: Path) -> None:
    body = sent(tmp_path, settings={"depth": "advanced", "topic": "news", "full_text": True})
    assert ("advanced", "news", "text") == (body["search_depth"], body["topic"], body["include_raw_content"])


@pytest.mark.parametrize("settings", [{"depth": "deep"}, {"timeout": 0}, {"timeout": 121}, {"topic": ""}])
def test_a_setting_that_is_off_is_named(tmp_path: Path, settings: dict[str, object]) -> None:
    with service(lambda _: as_json(reply())) as server, pytest.raises(ConfigurationError, match=next(iter(settings))):
        ask(tmp_path, server, **settings)


def test_domains_hold_whatever_the_service_answers(tmp_path: Path) -> None:
    hits = [hit(url) for url in ("https://a.example/1", "https://old.a.example/2", "https://nota.example/", "https://b.example/")]
    query = SearchQuery(text=QUERY.text, include_domains=("a.example", "b.example"), exclude_domains=("old.a.example",))
    assert ["https://a.example/1", "https://b.example/"] == urls(answer_to(tmp_path, reply(*hits), query))


def test_a_later_page_is_the_rest_of_a_longer_answer(tmp_path: Path) -> None:
    hits = [hit(f"https://example.org/{number}", content=f"The words of number {number}.") for number in range(8)]
    found = answer_to(tmp_path, reply(*hits), SearchQuery(text=QUERY.text, limit=3, page=2))
    assert [f"https://example.org/{number}" for number in (3, 4, 5)] == urls(found)
    assert ["The words of number 3.", "The words of number 4.", "The words of number 5."] == [document.text for document in found.documents]


def test_what_tavily_cannot_do_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply())) as server, pytest.raises(UsageError, match="results 21 and on"):
        ask(tmp_path, server, SearchQuery(text=QUERY.text, page=3))
    assert [] == server.asked


def test_the_key_goes_in_a_header_and_nowhere_else(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply(hit()))) as server:
        found = ask(tmp_path, server)
    (asked,) = server.asked
    assert ("POST", "/search", f"Bearer {KEY}") == (asked.method, asked.path, asked.headers["authorization"])
    assert "x-tavily-access-mode" not in asked.headers
    assert KEY not in asked.body.decode() + str(found.items) + found.records[0].url


def test_without_a_key_it_is_the_keyless_mode(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply(hit()))) as server:
        assert ["https://example.org/cup"] == urls(ask(tmp_path, server, key=""))
    (asked,) = server.asked
    assert ("keyless", "tavily-python-keyless") == (asked.headers["x-tavily-access-mode"], asked.headers["x-client-source"])
    assert "authorization" not in asked.headers


@pytest.mark.parametrize("key", [KEY, ""])
def test_the_sdk_takes_nothing_from_the_environment_behind_the_hosts_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    for name in ("TAVILY_PROJECT", "TAVILY_ORG_ID", "TAVILY_API_KEY"):
        monkeypatch.setenv(name, "from-the-environment")
    for name in ("TAVILY_HTTP_PROXY", "TAVILY_HTTPS_PROXY", "HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with service(lambda _: as_json(reply(hit()))) as server:
        assert ["https://example.org/cup"] == urls(ask(tmp_path, server, key=key))
    assert "from-the-environment" not in str(server.asked[0].headers)


@pytest.mark.parametrize("key", [KEY, ""])
@pytest.mark.parametrize(("answered", "expected", "wait"), FAILURES)
def test_a_failure_is_of_its_kind(tmp_path: Path, answered: Answer | None, expected: ProviderFailure, wait: float | None, key: str) -> None:
    error = failure(tmp_path, answered, key=key)
    assert (expected, wait) == (error.failure, error.retry_after)


@pytest.mark.parametrize("status", [432, 433])
def test_the_limit_of_the_plan_is_a_quota(tmp_path: Path, status: int) -> None:
    error = failure(tmp_path, as_json({"detail": {"error": "This request exceeds your plan's set usage limit."}}, status))
    assert ("quota", True) == (error.failure, "app.tavily.com" in error.hint)


@pytest.mark.parametrize(("asked", "kind", "wait"), [(30, "rate-limit", 30.0), (86_400, "quota", 86_400.0), ("soon", "rate-limit", None)])
def test_the_limit_of_the_keyless_mode_says_how_long_to_wait_and_how_to_get_more(
    tmp_path: Path, asked: object, kind: ProviderFailure, wait: float | None
) -> None:
    limit = {"code": "keyless_limit", "message": "Limit reached.", "window": "day", "retry_after_seconds": asked, "next_actions": []}
    error = failure(tmp_path, as_json({"error": limit}, 429), key="")
    assert (kind, wait, True) == (error.failure, error.retry_after, "TAVILY_API_KEY" in error.hint)


@pytest.mark.parametrize("status", [204, 302])
def test_another_status_is_malformed_and_leads_nowhere(tmp_path: Path, status: int) -> None:
    with service(lambda _: as_json(reply(hit()))) as elsewhere:
        error = failure(tmp_path, Answer(status=status, headers={"Location": f"{elsewhere.url}/search"}))
    assert ("malformed", []) == (error.failure, elsewhere.asked)


@pytest.mark.parametrize("answered", [{}, [], None, "x", {"results": None}, {"results": {"0": hit()}}, {"results": [3]}])
def test_a_reply_that_is_none_of_tavilys_is_malformed(tmp_path: Path, answered: object) -> None:
    assert "malformed" == failure(tmp_path, as_json(answered)).failure


def test_a_service_that_is_not_there_is_a_connection_that_failed(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply())) as server:
        pass
    with pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    assert "connection" == raised.value.failure


def test_without_the_sdk_the_command_that_installs_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise module.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(module.importlib.metadata, "version", missing)
    with pytest.raises(MissingExtraError, match=r'pip install "veridical\[tavily\]"'):
        search(TavilySearch, context("tavily", tmp_path), QUERY)


@pytest.mark.parametrize("version", ["0.7.9", "0.9.0", "1.0"])
def test_an_sdk_of_another_version_is_named_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(module.importlib.metadata, "version", lambda _: version)
    with pytest.raises(IncompatibleError, match=version):
        search(TavilySearch, context("tavily", tmp_path), QUERY)


def test_the_place_that_is_approved_is_tavilys_own() -> None:
    wire = TavilySearch.wire
    assert ("https://api.tavily.com/search", "/results/*", "url") == (wire.base_url, wire.item, wire.url)
    assert ("content", "raw_content") == wire.text


def test_a_reply_that_was_captured_gives_what_a_reader_finds_in_it(tmp_path: Path, shared_data: Callable[[str], Path]) -> None:
    captured = yaml.safe_load(shared_data("wire/tests__cassettes__test_tavily__test_basic_search.yaml").read_text("utf-8"))
    (exchange,) = captured["interactions"]
    answered = exchange["response"]["parsed_body"]
    found = answer_to(tmp_path, answered, SearchQuery(text=exchange["request"]["parsed_body"]["query"]))
    expected = [(row["url"], row["content"]) for row in answered["results"]]
    assert 5 == len(expected)
    assert expected == [(document.url, document.text) for document in found.documents]
