"""What is kept of a request says everything that was asked, and no secret."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import httpx
import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st
from veridical.context import Secrets
from veridical.wire.recording.asked import origin, safe_url, strings


def _kept(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a.example/v1/search?q=x+y&n=2", "https://a.example/v1/search?q=x+y&n=2"),
        ("https://user:pass@a.example:8443/?q=x#top", "https://a.example:8443/?q=x"),
        ("https://u@[2001:db8::1]:80/", "https://[2001:db8::1]:80/"),
        ("https://a.example", "https://a.example"),
        ("https://a.example/?&&a=&=b&c", "https://a.example/?&&a=&=b&c"),
    ],
)
def test_a_url_is_kept_as_it_was_sent_without_user_info_and_fragment(url: str, safe: str) -> None:
    assert safe == safe_url(url, _kept)


def test_the_origin_of_a_url_has_no_user_info() -> None:
    assert "https://a.example:8443" == origin("https://user:pass@a.example:8443/search?q=x")


SECRETS = st.text(st.characters(min_codepoint=33, exclude_categories=["Cs", "Cc"]), min_size=6, max_size=24)


@given(SECRETS, st.sampled_from(["httpx", "requests", "quote", "quote_plus"]))
def test_no_url_keeps_a_secret_however_a_client_encodes_it(secret: str, encoder: str) -> None:
    secrets = Secrets()
    secrets.add("KEY", secret)
    match encoder:
        case "httpx":
            url = str(httpx.Request("GET", "https://a.example/s", params={"q": "x", "key": secret}).url)
        case "requests":
            url = requests.Request("GET", "https://a.example/s", params={"q": "x", "key": secret}).prepare().url or ""
        case "quote":
            url = f"https://a.example/s?q=x&key={quote(secret, safe='')}"
        case _:
            url = f"https://a.example/s?q=x&key={quote_plus(secret)}"
    assert "https://a.example/s?q=x&key=[KEY]" == safe_url(url, secrets.redact)


@given(SECRETS)
def test_no_path_keeps_a_secret(secret: str) -> None:
    secrets = Secrets()
    secrets.add("KEY", secret)
    url = f"https://a.example/bot{quote(secret, safe='')}/send"
    assert ("https://a.example/bot[KEY]/send", ("bot[KEY]", "send")) == (
        safe := safe_url(url, secrets.redact),
        strings(safe, "", b"", secrets.redact),
    )


@pytest.mark.parametrize(
    ("url", "kind", "body", "expected"),
    [
        ("https://a.example/v1/Marie%20Curie/", "", b"", ("v1", "Marie Curie")),
        ("https://a.example/?q=caf%C3%A9+au+lait&empty=&bare", "", b"", ("café au lait", "bare")),
        ("https://a.example/", "application/json", b'{"a": ["x", {"b": "y\\u00e9"}, 1, null, true], "c": "x"}', ("x", "yé")),
        ("https://a.example/", "application/json", b"{not json", ("{not json",)),
        ("https://a.example/", "", b'"a string"', ("a string",)),
        ("https://a.example/", "application/x-www-form-urlencoded; charset=utf-8", b"q=a+b&kl=wt%2Dwt", ("a b", "wt-wt")),
        ("https://a.example/", "text/plain", "naïve".encode("latin-1"), ("na�ve",)),
        ("https://a.example/", "multipart/form-data; boundary=x", b"--x\r\n\r\nwords\r\n--x--", ("--x\r\n\r\nwords\r\n--x--",)),
        ("https://a.example/?q=%20", "", b"  ", ()),
    ],
)
def test_every_string_of_a_request_is_kept_decoded(url: str, kind: str, body: bytes, expected: tuple[str, ...]) -> None:
    assert expected == strings(url, kind, body, _kept)


_JSON = st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=9)


def _leaves(value: object) -> set[str]:
    match value:
        case str():
            return {value} if value.strip() else set()
        case list():
            return {leaf for member in value for leaf in _leaves(member)}
        case dict():
            return {leaf for member in value.values() for leaf in _leaves(member)}
        case _:
            return set()


@given(_JSON)
def test_every_string_of_a_json_body_is_kept(value: object) -> None:
    body = httpx.Request("POST", "https://a.example/", json=value).read()
    assert _leaves(value) == {*strings("https://a.example/", "application/json", body, _kept)}
