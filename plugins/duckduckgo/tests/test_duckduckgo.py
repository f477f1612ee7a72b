"""DuckDuckGo over a loopback server that serves its HTML: what is asked, what is found, how it fails. The kernel proves every place."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from veridical_contract import ConfigurationError, ProviderError, ProviderFailure, SearchQuery, UsageError
from veridical_duckduckgo import DuckduckgoSearch

from tests.providers.failures import FAILURES
from tests.providers.host import Found, context, search
from tests.providers.service import Answer, Asked, Service, service

QUERY = SearchQuery(text="who won the cup")
SPAIN = "<b>Spain</b> won the final by two goals &amp; a penalty."


def wrapped(url: str) -> str:
    return f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut=0123abcd"


def hit(href: str, snippet: str | None = SPAIN, *, title: str = "World Cup final", classes: str = "web-result") -> str:
    words = "" if snippet is None else f'<a class="result__snippet" href="{href}">{snippet}</a>'
    return (
        f'<div class="result results_links results_links_deep {classes} "><div class="links_main links_deep result__body">'
        f'<h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{title}</a></h2>'
        f'<div class="result__extras"><a class="result__url" href="{href}"> example.org </a></div>{words}</div></div>'
    )


def following(start: int, label: str = "Next") -> str:
    fields = {"q": QUERY.text, "s": str(start), "nextParams": "", "v": "l", "o": "json", "dc": str(start + 1), "vqd": "4-1234"}
    inputs = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in fields.items())
    return f'<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="{label}">{inputs}</form></div>'


def page(*hits: str, forms: str = "") -> str:
    box = f'<form id="search_form_homepage" action="/html/" method="post"><input type="text" name="q" value="{QUERY.text}"></form>'
    return f'<!DOCTYPE html><html><body>{box}<div id="links" class="results">{"".join(hits)}{forms}</div></body></html>'


def as_html(source: str, status: int = 200) -> Answer:
    return Answer(source.encode(), status, {"Content-Type": "text/html; charset=UTF-8"})


def ask(tmp_path: Path, server: Service, query: SearchQuery = QUERY) -> Found:
    return search(DuckduckgoSearch, context("duckduckgo", tmp_path, allowed=True, base_url=server.url), query)


def answer_to(tmp_path: Path, source: str, query: SearchQuery = QUERY) -> Found:
    with service(lambda _: as_html(source)) as server:
        return ask(tmp_path, server, query)


def failure(tmp_path: Path, answered: Answer | None) -> ProviderError:
    with service(lambda _: answered) as server, pytest.raises(ProviderError) as raised:
        ask(tmp_path, server)
    return raised.value


def urls(found: Found) -> list[str | None]:
    return [document.url for document in found.documents]


def test_a_link_through_duckduckgo_is_taken_apart_and_its_snippet_is_a_document(tmp_path: Path) -> None:
    found = answer_to(tmp_path, page(hit(wrapped("https://example.org/cup?a=1&b=2"))))
    (document,) = found.documents
    assert ("https://example.org/cup?a=1&b=2", "Spain won the final by two goals & a penalty.") == (document.url, document.text)
    assert ("World Cup final", "wire", "wire") == (document.title, document.grades.text, document.grades.url)


def test_a_direct_link_is_taken_as_it_is(tmp_path: Path) -> None:
    found = answer_to(tmp_path, page(hit("https://plain.example/page?x=1&amp;y=2")))
    assert ["https://plain.example/page?x=1&y=2"] == urls(found)
    assert ["direct"] == [item.place.map for item in found.items if item.place]


def test_both_kinds_of_link_are_found_on_one_page_and_keep_their_words(tmp_path: Path) -> None:
    hits = [
        hit(wrapped("https://one.example/"), "Spain won."),
        hit("https://two.example/", "It rained."),
        hit(wrapped("https://3.example/"), "The end."),
    ]
    found = answer_to(tmp_path, page(*hits))
    expected = [("https://one.example/", "Spain won."), ("https://two.example/", "It rained."), ("https://3.example/", "The end.")]
    assert expected == [(document.url, document.text) for document in found.documents]


def test_other_scripts_come_through(tmp_path: Path) -> None:
    found = answer_to(tmp_path, page(hit(wrapped("https://例え.jp/優勝?q=🏆"), "スペインが<b>優勝</b>した。🏆 Café")))
    (document,) = found.documents
    assert "スペインが優勝した。🏆 Café" == document.text
    assert document.url is not None


def test_ads_are_left_out_and_do_not_shift_the_numbers_of_the_results(tmp_path: Path) -> None:
    ad = "https://duckduckgo.com/y.js?ad_domain=ads.example&amp;ad_provider=bing"
    hits = [
        hit(ad, "Buy cups.", classes="result--ad"),
        hit(wrapped("https://one.example/")),
        hit(ad, "Buy more.", classes="web-result result--ad"),
        hit(wrapped("https://two.example/")),
    ]
    assert ["https://one.example/", "https://two.example/"] == urls(answer_to(tmp_path, page(*hits)))


def test_a_result_without_a_snippet_is_a_link(tmp_path: Path) -> None:
    found = answer_to(tmp_path, page(hit(wrapped("https://one.example/"), None)))
    assert ([], ["https://one.example/"]) == (found.documents, found.links)


@pytest.mark.parametrize(
    "href", ["", "//duckduckgo.com/l/?rut=1", "//duckduckgo.com/l/?uddg=%FF", "//duckduckgo.com/l/?uddg=", "/settings", "http://[::1"]
)
def test_a_result_that_leads_nowhere_is_left_out(tmp_path: Path, href: str) -> None:
    assert ["https://one.example/"] == urls(answer_to(tmp_path, page(hit(href), hit(wrapped("https://one.example/")))))


@pytest.mark.parametrize(
    "start", ["//evil.example/l/?uddg=", "https://duckduckgo.com.evil.example/l/?uddg=", "https://evil.example/?uddg="]
)
def test_a_parameter_of_another_host_is_no_redirect_of_duckduckgo(tmp_path: Path, start: str) -> None:
    found = answer_to(tmp_path, page(hit(f"{start}https%3A%2F%2Fone.example%2F")))
    assert ["direct"] == [item.place.map for item in found.items if item.place]
    assert all("one.example" not in str(url) or "evil.example" in str(url) for url in urls(found))


def test_a_url_in_the_search_box_is_nobodys_result(tmp_path: Path) -> None:
    query = SearchQuery(text="see https://invented.example/x")
    assert [] == answer_to(tmp_path, page().replace(QUERY.text, query.text), query).items


def test_what_repeats_the_question_is_refused(tmp_path: Path) -> None:
    assert ["wire-echo"] == answer_to(tmp_path, page(hit(wrapped("https://one.example/"), QUERY.text))).refused


def test_a_page_of_results_without_any_is_empty(tmp_path: Path) -> None:
    assert [] == answer_to(tmp_path, page('<div class="no-results">No results.</div>')).items


def sent(tmp_path: Path, **asked: Any) -> Asked:
    with service(lambda _: as_html(page())) as server:
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}))
    return server.asked[0]


def test_a_plain_query_is_posted_as_the_pages_own_form_does(tmp_path: Path) -> None:
    asked = sent(tmp_path)
    assert ("POST", "/html/", {"q": "who won the cup", "b": "", "kl": "wt-wt"}) == (asked.method, asked.path, asked.form)
    assert "veridical" in asked.headers["user-agent"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"since": "2024-01-02", "until": "2024-02-03"}, {"df": "2024-01-02..2024-02-03"}),
        ({"since": "2024-01-02"}, {"df": "2024-01-02..2026-11-21"}),
        ({"until": "2024-02-03"}, {"df": "1970-01-01..2024-02-03"}),
        ({"language": "de-AT"}, {"kl": "at-de"}),
        ({"language": "en-GB"}, {"kl": "uk-en"}),
        ({"include_domains": ("a.example",)}, {"q": "who won the cup site:a.example"}),
        ({"include_domains": ("a.example", "b.example")}, {"q": "who won the cup"}),
        ({"exclude_domains": ("a.example", "b.example")}, {"q": "who won the cup -site:a.example -site:b.example"}),
    ],
)
def test_each_filter_is_asked_for_in_the_pages_own_words(tmp_path: Path, asked: dict[str, Any], expected: dict[str, str]) -> None:
    form = sent(tmp_path, **asked).form
    assert expected == {name: form[name] for name in expected}


def test_domains_hold_whatever_the_page_has(tmp_path: Path) -> None:
    hrefs = [wrapped("https://a.example/1"), wrapped("https://old.a.example/2"), "https://nota.example/", "https://b.example/"]
    query = SearchQuery(text=QUERY.text, include_domains=("a.example", "b.example"), exclude_domains=("old.a.example",))
    assert ["https://a.example/1", "https://b.example/"] == urls(answer_to(tmp_path, page(*map(hit, hrefs)), query))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"page": 6}, "page 6"),
        ({"text": "x" * 500}, "500 characters"),
        ({"language": "de"}, "'de'"),
        ({"language": "zh-Hant"}, "'zh-Hant'"),
    ],
)
def test_what_the_page_cannot_do_is_refused_before_anything_is_sent(tmp_path: Path, asked: dict[str, Any], said: str) -> None:
    with service(lambda _: as_html(page())) as server, pytest.raises(UsageError, match=said):
        ask(tmp_path, server, SearchQuery(**{"text": QUERY.text, **asked}))
    assert [] == server.asked


def pages(asked: Asked) -> Answer:
    """Three pages of one result each; each leads on, and back."""
    start = int(asked.form.get("s", "0"))
    back = following(start - 10, "Previous") if start else ""
    onward = following(start + 10) if start < 20 else ""
    return as_html(page(hit(wrapped(f"https://page{start // 10 + 1}.example/"), f"Words of page {start}."), forms=back + onward))


@pytest.mark.parametrize(
    ("number", "expected"), [(1, ["https://page1.example/"]), (2, ["https://page2.example/"]), (3, ["https://page3.example/"]), (4, [])]
)
def test_a_later_page_is_reached_by_the_forms_of_those_before_it(tmp_path: Path, number: int, expected: list[str]) -> None:
    with service(pages) as server:
        found = ask(tmp_path, server, SearchQuery(text=QUERY.text, page=number))
    assert expected == urls(found)
    assert [asked.form.get("vqd") for asked in server.asked] == [None, "4-1234", "4-1234"][: min(number, 3)]


@pytest.mark.parametrize("status", [200, 202])
def test_a_page_that_asks_for_a_human_is_a_rate_limit_and_not_an_empty_answer(tmp_path: Path, status: int) -> None:
    challenge = '<form id="challenge-form" action="//duckduckgo.com/anomaly.js"><div class="anomaly-modal__title">Bots, too.</div></form>'
    error = failure(tmp_path, as_html(f"<html><body>{challenge}</body></html>", status))
    assert ("rate-limit", True) == (error.failure, "BRAVE_SEARCH_API_KEY" in error.hint)


def test_status_202_is_a_rate_limit_whatever_the_page_says(tmp_path: Path) -> None:
    assert "rate-limit" == failure(tmp_path, as_html(page(hit(wrapped("https://one.example/"))), 202)).failure


@pytest.mark.parametrize("source", ["", "<html><body><h1>DuckDuckGo</h1></body></html>", "{}", '<div class="result web-result"></div>'])
def test_a_page_without_the_list_of_results_is_malformed_and_not_empty(tmp_path: Path, source: str) -> None:
    assert "malformed" == failure(tmp_path, as_html(source)).failure


# What is no JSON is no failure of its own here: it is a page that is none.
@pytest.mark.parametrize(("answered", "expected", "wait"), FAILURES)
def test_a_failure_is_of_its_kind(tmp_path: Path, answered: Answer | None, expected: ProviderFailure, wait: float | None) -> None:
    error = failure(tmp_path, answered)
    assert (expected, wait) == (error.failure, error.retry_after)


def test_a_page_that_breaks_off_between_its_hits_gives_none_of_them(tmp_path: Path) -> None:
    whole = page(hit(wrapped("https://one.example/")), hit(wrapped("https://two.example/"))).encode()
    assert "connection" == failure(tmp_path, Answer(whole[:-400], headers={"Content-Type": "text/html"}, cut=400)).failure


@pytest.mark.parametrize("settings", [{}, {"allowed": False}])
def test_unless_it_is_allowed_it_asks_nobody_and_names_the_setting(tmp_path: Path, settings: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match=r"allowed = true in \[plugin.duckduckgo\]"):
        search(DuckduckgoSearch, context("duckduckgo", tmp_path, **settings), QUERY)


def test_the_page_of_the_demonstration_is_read_as_a_person_reads_it(tmp_path: Path) -> None:
    sample = Path(__file__).resolve().parents[4] / "shared" / "wire" / "payloads" / "ddg_html.html"
    if not sample.exists():
        pytest.skip("shared/wire/payloads/ddg_html.html is not beside the project")
    found = answer_to(tmp_path, sample.read_text("utf-8"))
    expected = [
        ("https://example.org/radium?a=1&b=2", "Radium is a chemical element & a metal."),
        ("https://plain.example/page", "Direct link variant."),
    ]
    assert expected == [(document.url, document.text) for document in found.documents]
