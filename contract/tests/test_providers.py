from __future__ import annotations

import json

import httpx
import httpx2
import pytest
import requests
from veridical_contract import ProviderError, ProviderFailure, SearchQuery, VeridicalError, provider_call, status_failure


def failure_of(error: Exception) -> ProviderError:
    with pytest.raises(ProviderError) as raised, provider_call("Acme", hints={"auth": "Set ACME_API_KEY."}):
        raise error
    return raised.value


def answered(status: int, **headers: str) -> Exception:
    reply = requests.Response()
    reply.status_code = status
    reply.headers.update(headers)
    return requests.HTTPError("refused", response=reply)


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (302, "malformed"),
        (400, "malformed"),
        (401, "auth"),
        (402, "quota"),
        (403, "auth"),
        (404, "malformed"),
        (408, "timeout"),
        (422, "malformed"),
        (429, "rate-limit"),
        (500, "server"),
        (503, "server"),
        (504, "timeout"),
        (529, "server"),
    ],
)
def test_a_status_stands_for_one_kind_of_failure(status: int, failure: ProviderFailure) -> None:
    assert failure == status_failure(status)
    assert (failure, f"Acme answered {status}.") == (failure_of(answered(status)).failure, failure_of(answered(status)).message)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (httpx.ReadTimeout("slow"), "timeout"),
        (httpx.ConnectTimeout("slow"), "timeout"),
        (httpx.ConnectError("refused"), "connection"),
        (httpx.RemoteProtocolError("cut"), "connection"),
        (httpx.DecodingError("not gzip"), "malformed"),
        (httpx2.ReadTimeout("slow"), "timeout"),
        (httpx2.ConnectError("refused"), "connection"),
        (requests.ReadTimeout("slow"), "timeout"),
        (requests.ConnectTimeout("slow"), "timeout"),
        (requests.ConnectionError("refused"), "connection"),
        (requests.exceptions.ChunkedEncodingError("cut"), "connection"),
        (requests.exceptions.ContentDecodingError("not gzip"), "malformed"),
        (requests.JSONDecodeError("no JSON", "<", 0), "malformed"),
        (json.JSONDecodeError("no JSON", "<", 0), "malformed"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no UTF-8"), "malformed"),
        (RecursionError("too deep"), "malformed"),
    ],
)
def test_what_a_client_raises_is_told_apart_without_its_words(error: Exception, failure: ProviderFailure) -> None:
    found = failure_of(error)
    assert failure == found.failure
    assert error is found.__cause__
    assert str(error) not in found.message


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("1.5", 1.5), ("0", 0.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-1", None), ("1e9", None)]
)
def test_the_seconds_that_a_service_asks_to_wait_are_kept(header: str, seconds: float | None) -> None:
    assert seconds == failure_of(answered(429, **{"Retry-After": header})).retry_after


def test_a_reply_of_httpx_is_read_like_one_of_requests() -> None:
    reply = httpx.Response(429, headers={"retry-after": "3"}, request=httpx.Request("GET", "https://acme.example"))
    with pytest.raises(ProviderError) as raised, provider_call("Acme"):
        reply.raise_for_status()
    assert ("rate-limit", 3.0) == (raised.value.failure, raised.value.retry_after)


def test_the_hint_of_the_failure_comes_along() -> None:
    assert ("Set ACME_API_KEY.", "") == (failure_of(answered(401)).hint, failure_of(answered(500)).hint)


class SdkError(Exception):
    """What an SDK raises for what its client raised."""


def as_sdks_do(*, hidden: bool) -> None:
    try:
        raise requests.ReadTimeout("slow")
    except requests.Timeout:
        if hidden:
            raise SdkError("a rule of its own") from None
        raise SdkError("too slow")  # noqa: B904 - as SDKs do


def test_what_an_sdk_raises_is_told_by_what_its_client_raised() -> None:
    with pytest.raises(ProviderError) as raised, provider_call("Acme"):
        as_sdks_do(hidden=False)
    assert "timeout" == raised.value.failure


def test_an_error_that_hides_where_it_came_from_is_its_own() -> None:
    with pytest.raises(SdkError), provider_call("Acme"):
        as_sdks_do(hidden=True)


@pytest.mark.parametrize("error", [ValueError("mine"), VeridicalError("said"), ProviderError("said", failure="quota"), KeyError("x")])
def test_what_is_no_failure_of_the_service_passes_through(error: Exception) -> None:
    with pytest.raises(type(error)) as raised, provider_call("Acme"):
        raise error
    assert error is raised.value


@pytest.mark.parametrize(
    ("url", "covered"),
    [
        ("https://example.org/a", True),
        ("https://WWW.Example.ORG.:8443/", True),
        ("https://notexample.org/", False),
        ("https://example.org.evil.example/", False),
        ("https://user@evil.example/?example.org", False),
        ("https://old.example.org/", False),
        ("https://deep.old.example.org/", False),
        ("https://www.xn--mnchen-3ya.de/", True),
        ("https://www.münchen.de/", True),
        ("//example.org/", True),
        ("http://[::1", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_a_query_covers_its_domains_and_what_is_below_them(url: str, covered: bool) -> None:
    query = SearchQuery(text="x", include_domains=("Example.org", "münchen.de"), exclude_domains=("old.example.org.",))
    assert covered == query.covers(url)


def test_a_query_without_domains_covers_every_host_but_those_excluded() -> None:
    query = SearchQuery(text="x", exclude_domains=("example.org",))
    assert [True, False, False] == [query.covers(url) for url in ("https://a.example/", "https://example.org", "https:///path")]


@pytest.mark.parametrize("day", ["2024-02-30", "20240101", "2024-1-1", "2024-01-01T00:00:00", "yesterday", "2024-W01-1"])
def test_a_day_that_is_none_is_refused(day: str) -> None:
    with pytest.raises(ValueError, match="since"):
        SearchQuery(text="x", since=day)
    assert "2024-02-29" == SearchQuery(text="x", until="2024-02-29").until
