"""SearXNG over a loopback server that speaks its JSON: what is asked, what is found, how it fails. Every place is proved by the kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from veridical_contract import ConfigurationError, ProviderError, ProviderFailure, SearchQuery
from veridical_searxng import SearxngSearch

from tests.providers.failures import FAILURES
from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Service, as_json, service

QUERY = SearchQuery(text="who won the cup")


def hit(url: str = "https://example.org/cup", **members: Any) -> dict[str, Any]:
    """A result with the members that SearXNG gives it."""
    shape = {"template": "default.html", "parsed_url": ["https", "example.org", "/cup", "", "", ""], "img_src": "", "thumbnail": ""}
    ranks = {"engine": "acme", "engines": ["acme", "other"], "positions": [1, 3], "score": 2.7, "category": "general", "priority": ""}
    words = {"title": "World Cup final", "content": "Spain won the final by two goals.", "publishedDate": None}
    return {"url": url, **words, **shape, **ranks, **members}


def reply(*hits: object, unresponsive: object = (), **members: Any) -> dict[str, Any]:
    lists = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": ["cup winners"], "unresponsive_engines": unresponsive}
    return {"query": QUERY.text, "results": list(hits), **lists, **members}


def ask(tmp_path: Path, server: Service, query: SearchQuery = QUERY, **settings: object) -> Found:
    return search(SearxngSearch, context("searxng", tmp_path, **{"base_url": server.url, **settings}), query)


def answer_to(tmp_path: Path, answered: object, query: SearchQuery = QUERY) -> Found:
    with service(lambda _: as_json(answered)) as server:
        return ask(tmp_path, server, query)


def failure(tmp_path: Path, answered: Answer | None) -> ProviderError:
    with service(lambda _: answered) as server, pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    return raised.value


def urls(found: Found) -> list[str | None]:
    return [document.url for document in found.documents]


def test_the_content_of_a_result_is_a_document(tmp_path: Path) -> None:
    found = answer_to(tmp_path, reply(hit(publishedDate="2024-11-07T10:00:00")))
    (document,) = found.documents
    assert ("https://example.org/cup", "World Cup final", "Spain won the final by two goals.") == (
        document.url,
        document.title,
        document.text,
    )
    assert ("wire", "2024-11-07T10:00:00") == (document.grades.text, document.published.value if document.published else None)


def test_tags_and_signs_in_the_content_are_kept_as_they_are(tmp_path: Path) -> None:
    """The content is text: what an engine leaves of its markup is shown, since reading `1 < 2` as markup would lose words."""
    said = "It is known that 1<2 and 3>2 for <b>all</b> cups & 🏆 Café, 優勝"
    (document,) = answer_to(tmp_path, reply(hit(content=said))).documents
    assert said == document.text


@pytest.mark.parametrize("content", ["", None])
def test_a_result_without_content_is_a_link(tmp_path: Path, content: str | None) -> None:
    found = answer_to(tmp_path, reply(hit(content=content)))
    assert ([], ["https://example.org/cup"]) == (found.documents, found.links)


def test_answers_infoboxes_and_the_echo_of_the_query_are_no_results(tmp_path: Path) -> None:
    query = SearchQuery(text="see https://invented.example/x")
    boxes = [{"infobox": "Cup", "id": "https://invented.example/x", "content": "Made up.", "urls": [{"url": "https://invented.example/x"}]}]
    found = answer_to(tmp_path, reply(query=query.text, answers=[{"answer": "Made up."}], infoboxes=boxes), query)
    assert [] == found.items


def test_what_repeats_the_question_is_refused(tmp_path: Path) -> None:
    assert ["wire-echo"] == answer_to(tmp_path, reply(hit(content=QUERY.text))).refused


def test_no_results_and_no_silent_engine_is_an_empty_answer(tmp_path: Path) -> None:
    assert [] == answer_to(tmp_path, reply()).items


@pytest.mark.parametrize(
    ("unresponsive", "said"),
    [
        ([["google", "timeout"]], "google (timeout)"),
        ([["google", "timeout"], ["bing", "access denied"]], "google (timeout), bing (access denied)"),
        ([["google"]], "google"),
        ([[f"engine {number}", "timeout"] for number in range(7)], "engine 4 (timeout) and 2 more"),
        ([["line\nbreak", "a\x00b"]], "line break"),
        ([["long" * 100, "x"]], "longlong"),
    ],
)
def test_no_results_since_engines_were_silent_is_a_failure_that_names_them(tmp_path: Path, unresponsive: object, said: str) -> None:
    error = failure(tmp_path, as_json(reply(unresponsive=unresponsive)))
    assert ("server", True) == (error.failure, said in error.message)
    assert "\n" not in error.message
    assert len(error.message) < 500


def test_results_count_although_an_engine_was_silent(tmp_path: Path) -> None:
    assert ["https://example.org/cup"] == urls(answer_to(tmp_path, reply(hit(), unresponsive=[["google", "timeout"]])))


@pytest.mark.parametrize("unresponsive", [[], None, "x", [[]], [3]])
def test_a_list_of_silent_engines_of_another_shape_names_nobody(tmp_path: Path, unresponsive: object) -> None:
    assert [] == answer_to(tmp_path, reply(unresponsive=unresponsive)).items


def sent(tmp_path: Path, **asked: Any) -> dict[str, str]:
    with service(lambda _: as_json(reply())) as server:
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}))
    return server.asked[0].query


def test_a_plain_query_asks_for_json_of_the_general_category(tmp_path: Path) -> None:
    assert {"q": "who won the cup", "format": "json", "pageno": "1", "categories": "general"} == sent(tmp_path)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"page": 3}, {"pageno": "3"}),
        ({"language": "de-AT"}, {"language": "de-AT"}),
        ({"since": "2026-11-21"}, {"time_range": "day"}),
        ({"since": "2026-11-20"}, {"time_range": "week"}),
        ({"since": "2026-11-15"}, {"time_range": "week"}),
        ({"since": "2026-11-14"}, {"time_range": "month"}),
        ({"since": "2026-10-22"}, {"time_range": "year"}),
        ({"since": "2025-11-22"}, {"time_range": "year"}),
        ({"since": "2025-11-21"}, {"time_range": None}),
        ({"since": "2027-01-01"}, {"time_range": "day"}),
        ({"until": "2026-11-21"}, {"time_range": None}),
        ({"include_domains": ("a.example",)}, {"q": "who won the cup site:a.example"}),
        ({"include_domains": ("a.example", "b.example")}, {"q": "who won the cup"}),
        ({"exclude_domains": ("a.example",)}, {"q": "who won the cup"}),
    ],
)
def test_each_filter_is_asked_for_in_searxngs_own_words(tmp_path: Path, asked: dict[str, Any], expected: dict[str, str | None]) -> None:
    parameters = sent(tmp_path, **asked)
    assert expected == {name: parameters.get(name) for name in expected}


def test_days_hold_whatever_the_instance_answers(tmp_path: Path) -> None:
    dates = ["2024-01-01", "2024-01-02T00:00:00", "2024-01-31T23:59:59+00:00", "2024-02-01", None, "yesterday", 3]
    hits = [hit(f"https://example.org/{number}", publishedDate=date) for number, date in enumerate(dates)]
    both = SearchQuery(text=QUERY.text, since="2024-01-02", until="2024-01-31")
    assert ["https://example.org/1", "https://example.org/2"] == urls(answer_to(tmp_path, reply(*hits, "no hit"), both))
    after = SearchQuery(text=QUERY.text, since="2024-01-31")
    assert ["https://example.org/2", "https://example.org/3"] == urls(answer_to(tmp_path, reply(*hits), after))
    before = SearchQuery(text=QUERY.text, until="2024-01-01")
    assert ["https://example.org/0"] == urls(answer_to(tmp_path, reply(*hits), before))


def test_domains_hold_whatever_the_instance_answers(tmp_path: Path) -> None:
    hits = [hit(url) for url in ("https://a.example/1", "https://old.a.example/2", "https://nota.example/", "https://b.example/")]
    query = SearchQuery(text=QUERY.text, include_domains=("a.example", "b.example"), exclude_domains=("old.a.example",))
    assert ["https://a.example/1", "https://b.example/"] == urls(answer_to(tmp_path, reply(*hits), query))


@pytest.mark.parametrize(("answered", "expected", "wait"), FAILURES)
def test_a_failure_is_of_its_kind(tmp_path: Path, answered: Answer | None, expected: ProviderFailure, wait: float | None) -> None:
    error = failure(tmp_path, answered)
    assert (expected, wait) == (error.failure, error.retry_after)


def test_an_instance_that_does_not_give_json_says_how_to_allow_it(tmp_path: Path) -> None:
    assert "formats: [html, json]" in failure(tmp_path, Answer(b"Forbidden", 403)).hint


@pytest.mark.parametrize("answered", [{}, [], None, "x", {"results": None}, {"results": {"0": hit()}}])
def test_a_reply_that_is_no_searxngs_is_malformed(tmp_path: Path, answered: object) -> None:
    assert "malformed" == failure(tmp_path, as_json(answered)).failure


def test_an_instance_that_is_not_there_is_a_connection_that_failed(tmp_path: Path) -> None:
    with service(lambda _: None) as server:
        pass
    with pytest.raises(ProviderError, match="SEARXNG_INSTANCE_URL") as raised:
        ask(tmp_path, server)
    assert "connection" == raised.value.failure


def test_the_variable_names_the_instance_and_the_settings_go_before_it(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply(hit()))) as server:
        variables = {"SEARXNG_INSTANCE_URL": f"{server.url}/"}
        assert ["https://example.org/cup"] == urls(search(SearxngSearch, context("searxng", tmp_path, environment=variables), QUERY))
        given = context("searxng", tmp_path, environment={"SEARXNG_INSTANCE_URL": "http://127.0.0.1:9"}, base_url=f"{server.url}/searx")
        search(SearxngSearch, given, QUERY)
    assert ["/search", "/searx/search"] == [asked.path for asked in server.asked]


def test_other_categories_are_a_setting(tmp_path: Path) -> None:
    with service(lambda _: as_json(reply())) as server:
        ask(tmp_path, server, categories="science,it")
    assert "science,it" == server.asked[0].query["categories"]


def test_without_an_instance_both_ways_to_name_one_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"SEARXNG_INSTANCE_URL.*base_url in \[plugin.searxng\]"):
        search(SearxngSearch, context("searxng", tmp_path), QUERY)


@pytest.mark.parametrize(
    "address", ["searx.example", "ftp://searx.example", "https://user:word@searx.example", "https://searx.example/?q=x"]
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        search(SearxngSearch, context("searxng", tmp_path, base_url=address), QUERY)
