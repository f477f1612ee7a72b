"""A search plugin may name any place and any words: what is admitted stands in one hit of a whole reply, and repeats no request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.admission import Trust
from veridical.wire.recording import Recorded
from veridical_contract import Item, Locator, PluginError, SearchQuery, WireMap, WirePlace

from .world import NOW, World

BASE = "https://api.acme.example/v1"
MAP = WireMap(base_url=BASE, item="/rows/*", url="link", title="title", text=("text", "more/*"))
QUERY = SearchQuery(text="how often does the printer jam in the cold room of the library")
TEXT = "The printer jammed twice on Monday, and once on Tuesday."
MORE = "Nobody cleans the rollers before the winter."
ROWS: list[dict[str, Any]] = [
    {"link": "https://a.example/1", "title": "One", "text": TEXT, "more": [MORE], "summary": "A model wrote this sentence here."},
    {"link": "https://b.example/2", "title": "Two", "text": "The room is cold because its door does not close."},
    {"link": "https://c.example/3", "title": "Only a link"},
    {"link": "https://d.example/4", "title": "Echo", "text": QUERY.text},
]
REPLY: dict[str, Any] = {"query": QUERY.text, "answer": "A model's answer to it all.", "rows": ROWS, "copies": {"rows": ROWS}}


def recorded(body: bytes, **changes: Any) -> Recorded:
    headers = (("content-type", "application/json"),)
    fields: dict[str, Any] = {"method": "GET", "url": f"{BASE}/search?q=x", "asked": (QUERY.text,), "begun": NOW, "headers": headers}
    return Recorded(**(fields | {"status": 200, "body": body, "ended": True} | changes))


WHOLE = recorded(json.dumps(REPLY).encode())


@dataclass
class Search:
    """Hands in what it is told, after the replies that it is told were recorded."""

    items: Sequence[Item]
    replies: Sequence[Recorded] = (WHOLE,)
    wire: dict[str, WireMap] = field(default_factory=lambda: {"": MAP})

    def search(self, query: SearchQuery) -> list[Item]:
        return list(self.items)


def item(place: str, field: str | None = None, /, **values: Any) -> Item:
    return Item(locator=Locator(container=BASE), place=WirePlace(item=place, text=field), **values)


def found(search: Search, trust: Trust | None = None) -> tuple[list[tuple[str | None, str]], list[str], list[str]]:
    """Admitted (URL, text), admitted links, rules of the refused."""
    batch = World(search=search, trust={"acme": trust} if trust else {}).gateway().search("acme", QUERY)
    return [(one.document.url, one.document.text) for one in batch.documents], [link.url for link in batch.links], list(batch.refused)


def test_each_text_of_each_hit_is_a_document_and_a_hit_without_one_a_link() -> None:
    documents, links, refused = found(Search(MAP.items(REPLY)))
    assert documents == [("https://a.example/1", TEXT), ("https://a.example/1", MORE), ("https://b.example/2", ROWS[1]["text"])]
    assert (links, refused) == (["https://c.example/3"], ["wire-echo"])


def test_a_document_says_which_reply_it_follows_from() -> None:
    (admission,) = World(search=Search([item("/rows/0", "more/0")])).gateway().search("acme", QUERY).documents
    document = admission.document
    assert (document.locator.container, document.grades.text, document.grades.url) == (WHOLE.url, "wire", "wire")
    assert document.derivation is not None
    assert document.derivation.pointers == {"url": "/rows/0/link", "title": "/rows/0/title", "text": "/rows/0/more/0"}


@pytest.mark.parametrize(
    ("claimed", "rule"),
    [
        (item("/rows/0", "text", text=TEXT.replace("twice", "never")), "differs-from-bytes"),
        (item("/rows/0", "text", url="https://b.example/2"), "differs-from-bytes"),
        (item("/rows/0", "text", title="Two"), "differs-from-bytes"),
        (item("/rows/0", "summary"), "wire-place"),
        (item("/rows/9", "text"), "wire-url"),
        (item("/copies/rows/0", "text"), "wire-place"),
        (item("", "answer"), "wire-place"),
        (item("/rows/0", "text").model_copy(update={"place": WirePlace(map="other", item="/rows/0", text="text")}), "wire-map-unknown"),
        (Item(locator=Locator(container=BASE), url="https://a.example/1", text=TEXT), "attested-not-allowed"),
    ],
)
def test_what_the_reply_does_not_say_there_is_refused(claimed: Item, rule: str) -> None:
    assert found(Search([claimed])) == ([], [], [rule])


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"ended": False}, "wire-cut"),
        ({"status": 500}, "wire-status"),
        ({"status": None}, "wire-status"),
        ({"url": "https://api.acme.example.evil.example/v1/search"}, "wire-origin"),
        ({"url": "http://api.acme.example/v1/search"}, "wire-origin"),
        ({"body": b"{"}, "json-form"),
    ],
)
def test_a_reply_that_is_not_whole_not_good_or_not_of_the_provider_holds_nothing(changes: dict[str, Any], rule: str) -> None:
    assert found(Search([item("/rows/0", "text")], [replace(WHOLE, **changes)])) == ([], [], [rule])


def test_of_two_replies_the_one_is_taken_that_says_what_the_plugin_read() -> None:
    other = recorded(json.dumps({"rows": [{"link": "https://z.example/", "text": "Something else stands here now."}]}).encode())
    for replies in ([WHOLE, other], [other, WHOLE]):
        assert found(Search([item("/rows/0", "text", text=TEXT)], replies)) == ([("https://a.example/1", TEXT)], [], [])


def test_a_plugin_that_asks_with_a_client_of_its_own_is_told_how_to_ask() -> None:
    with pytest.raises(PluginError, match=r"none of its 2 results stands in a reply that was recorded\. .*context\.http\(\)"):
        found(Search([item("/rows/0", "text"), item("/rows/1", "text")], []))


def test_a_provider_without_tls_is_believed_only_on_a_host_that_the_operator_listed() -> None:
    plain = MAP.model_copy(update={"base_url": "http://localhost:9"})
    search = Search([item("/rows/0", "text")], [replace(WHOLE, url="http://localhost:9/search")], {"": plain})
    assert found(search) == ([], [], ["wire-no-tls"])
    assert found(search, Trust(hosts=frozenset({"localhost"}))) == ([("https://a.example/1", TEXT)], [], [])


def test_a_link_to_a_private_address_is_no_place_to_look() -> None:
    private = "http://169.254.169.254/latest"
    search = Search([item("/rows/0")], [recorded(json.dumps({"rows": [{"link": private}]}).encode())])
    assert found(search) == ([], [], ["private-host"])
    told = Search([Item(locator=Locator(container=BASE), url=private)], [])
    assert found(told, Trust(attested=True)) == ([], [], ["private-host"])


def test_a_link_on_the_word_of_a_plugin_is_one_where_the_operator_named_it() -> None:
    told = Search([Item(locator=Locator(container=BASE), url="https://a.example/1")], [])
    assert found(told) == ([], [], ["attested-not-allowed"])
    assert found(told, Trust(attested=True)) == ([], ["https://a.example/1"], [])


def test_as_many_hits_are_taken_as_were_asked_for_whatever_the_number_of_their_texts() -> None:
    gateway = World(search=Search(MAP.items(REPLY))).gateway()
    batch = gateway.search("acme", QUERY.model_copy(update={"limit": 1}))
    assert [one.document.text for one in batch.documents] == [TEXT, MORE]


def test_what_went_over_the_wire_is_handed_over_once() -> None:
    gateway = World(search=Search([])).gateway()
    gateway.search("acme", QUERY)
    assert gateway.take_wire() == (("acme", WHOLE),)
    assert gateway.take_wire() == ()


WORDS = st.sampled_from([TEXT, MORE, QUERY.text, "The room is cold because its door does not close.", "Words of nobody at all, made up."])
URLS = st.sampled_from(["https://a.example/1", "https://a.example/", "https://b.example/2", "https://invented.example/x"])
ROW = st.fixed_dictionaries(
    {}, optional={"link": URLS, "text": WORDS, "more": st.lists(WORDS, max_size=2), "summary": WORDS, "title": WORDS}
)
REPLIES = st.fixed_dictionaries(
    {"rows": st.lists(ROW, max_size=4)}, optional={"query": WORDS, "url": URLS, "copies": st.lists(ROW, max_size=2)}
)
PLACES = st.sampled_from(["/rows/0", "/rows/1", "/rows/2", "/copies/0", "/rows", "", "/rows/-1", "/rows/0/more", "/rows/00"])
TEXTS = st.sampled_from([None, "text", "more/0", "more/1", "summary", "link", "", "../1/text", "title"])


@given(
    reply=REPLIES,
    claims=st.lists(st.tuples(PLACES, TEXTS, st.none() | URLS, st.none() | WORDS), min_size=1, max_size=6),
    cut=st.booleans(),
    status=st.sampled_from([200, 200, 200, 404]),
)
def test_whatever_a_plugin_claims_only_what_one_hit_says_is_admitted(reply: Any, claims: Any, cut: bool, status: int) -> None:
    body = json.dumps(reply).encode()
    items = [item(place, text, url=url, text=words) for place, text, url, words in claims]
    documents, links, _ = found(Search(items, [recorded(body, ended=not cut, status=status)]))
    true = {(row.get("link"), words) for row in reply["rows"] for words in [row.get("text"), *row.get("more", [])]}
    assert {(url, text) for url, text in documents} <= true
    assert all(text != QUERY.text for _, text in documents)
    assert set(links) <= {row.get("link") for row in reply["rows"]}
    assert not ((cut or status != 200) and (documents or links))
