"""A hit is on the wire where a whole reply holds it at the place that the map names, and nowhere else."""

from __future__ import annotations

import json

import pytest
from veridical.kernel.derivation import values_at
from veridical.kernel.wire import WireRefused, map_fingerprint, prove
from veridical_contract import Derivation, WireMap, WirePlace

from core.tests.kernel.wired import ANTHROPIC, BRAVE, DDG, EXA, HN, PAYLOADS, TAVILY, admitted, exchange, outcome, proved, refusal, reply

CURIE = "https://example.org/curie?a=1&b=2"
HIT = {"id": "x", "url": CURIE, "title": "Radium", "text": "Radium was isolated in 1910.", "summary": "See https://invented.example/s"}
FIRST = WirePlace(item="/results/0", text="text")
BODY = reply(results=[HIT], statuses=[{"id": "https://invented.example/x", "url": "https://invented.example/x", "text": "Invented."}])
GENUINE = {"url": CURIE, "title": "Radium", "text": "Radium was isolated in 1910."}
PAGE = """<!DOCTYPE html><form><input name="q" value="radium"></form>
<div class="result result--ad"><a class="result__a" href="https://ads.example/">Ad</a><a class="result__snippet">Buy radium</a></div>
<div class="result web-result "><h2><a class="result__a" href="//d.example/l/?uddg=https%3A%2F%2Fexample.org%2Fr%3Fa%3D1%26b%3D2&amp;r=a">
Radium &amp; <b>Curie</b></a></h2><a class="result__snippet">A <b>metal</b> &amp; an element.</a></div>
<div class="result web-result"><a class="result__a" href="https://plain.example/page">Plain</a><a class="result__snippet">Direct.</a></div>
"""
PAGES = "https://html.duckduckgo.com/html/"


def place(item: str, text: str | None = "text") -> WirePlace:
    return WirePlace(item=item, text=text)


# The twelve cases that "the URL occurs in the bytes" gets wrong, or right by chance.


def test_a_genuine_hit_is_proved_field_by_field() -> None:
    assert proved(EXA, FIRST, exchange(BODY)) == GENUINE


def test_a_prefix_of_a_url_is_no_url_of_the_reply() -> None:
    assert outcome(EXA, FIRST, exchange(BODY), url="https://example.org/cur") == "differs-from-bytes"


def test_escapes_of_json_are_resolved_before_anything_is_compared() -> None:
    escaped = BODY.replace(b"https://example.org/", rb"https:\/\/example.org\/").replace(b"&", rb"\u0026")
    assert CURIE.encode() not in escaped
    assert proved(EXA, FIRST, exchange(escaped)) == GENUINE
    assert outcome(EXA, FIRST, exchange(escaped), url=CURIE) == "admitted"


def test_an_echo_of_the_requested_identifier_is_at_no_place_of_the_map() -> None:
    for wrong in (place("/statuses/0"), place("/statuses/0", None), place("/results/0", "../../statuses/0/id")):
        assert refusal(EXA, wrong, exchange(BODY)) == "wire-place"


def test_a_field_that_a_model_wrote_is_at_no_place_of_the_map() -> None:
    assert refusal(EXA, place("/results/0", "summary"), exchange(BODY)) == "wire-place"


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/search", "https://api.exa.ai.evil.example/search", "https://exa.ai/search"])
def test_another_origin_proves_nothing(url: str) -> None:
    assert refusal(EXA, FIRST, exchange(BODY, url)) == "wire-origin"


@pytest.mark.parametrize("status", [None, 100, 199, 300, 301, 304, 401, 404, 429, 500, 529])
def test_a_reply_that_is_no_success_proves_nothing(status: int | None) -> None:
    assert refusal(EXA, FIRST, exchange(BODY, status=status)) == "wire-status"


@pytest.mark.parametrize("status", [200, 201, 202, 203, 299])
def test_any_success_with_a_whole_body_will_do(status: int) -> None:
    assert proved(EXA, FIRST, exchange(BODY, status=status)) == GENUINE


def test_a_reply_that_was_cut_proves_nothing() -> None:
    assert refusal(EXA, FIRST, exchange(BODY, whole=False)) == "wire-cut"
    assert refusal(EXA, FIRST, exchange(BODY[:-1])) == "json-form"


MESSAGES = "https://api.anthropic.com/v1/messages"
CITED = "Marie and Pierre Curie discovered radium in December 1898..."
MESSAGE = reply(
    content=[
        {"type": "web_search_tool_result", "content": [{"type": "web_search_result", "url": CURIE, "title": "Radium"}]},
        {"type": "text", "text": "See https://invented.example/x", "citations": [{"url": CURIE, "title": "R", "cited_text": CITED}]},
    ]
)
HITS = WireMap(base_url="https://api.anthropic.com/v1", item="/content/*/content/*", url="url", title="title")


def test_prose_of_a_model_is_at_no_place_of_the_map() -> None:
    for wrong in (place("/content/1"), place("/content/1", None), place("/content/1/citations/0", "text")):
        assert refusal(ANTHROPIC, wrong, exchange(MESSAGE, MESSAGES)) == "wire-place"
    assert outcome(ANTHROPIC, place("/content/1/citations/0", "cited_text"), exchange(MESSAGE, MESSAGES)) == "admitted"


def test_a_native_hit_without_text_is_a_link_and_no_evidence() -> None:
    link = place("/content/0/content/0", None)
    assert proved(HITS, link, exchange(MESSAGE, MESSAGES)) == {"url": CURIE, "title": "Radium"}
    assert outcome(HITS, link, exchange(MESSAGE, MESSAGES)) == "no-text"


def test_an_echo_of_the_query_is_at_no_place_of_the_map() -> None:
    body = reply(query="https://invented.example/q", answer="https://invented.example/q", results=[])
    for wrong in ("/query", "/answer", "", "/results"):
        assert refusal(TAVILY, place(wrong, None), exchange(body, "https://api.tavily.com/search")) == "wire-place"
    assert refusal(TAVILY, place("/results/0", None), exchange(body, "https://api.tavily.com/search")) == "wire-url"


def test_a_link_in_a_page_is_unwrapped_as_the_map_says() -> None:
    found = proved(DDG, place("/0", "a.result__snippet"), exchange(PAGE.encode(), PAGES))
    assert found["url"] == "https://example.org/r?a=1&b=2"
    assert b"https://example.org/r?a=1&b=2" not in PAGE.encode()
    assert admitted(DDG, place("/0", "a.result__snippet"), exchange(PAGE.encode(), PAGES)).document.text == "A metal & an element."


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="../shared/wire is not here: the providers' payloads are not tested")
class TestPayloads:
    """The same with replies whose keys are the providers' own."""

    @staticmethod
    def read(name: str) -> bytes:
        return (PAYLOADS / name).read_bytes()

    def test_exa(self) -> None:
        made = exchange(self.read("exa_search.json"), asked=("llm survey",))
        found = [admitted(EXA, place("/results/0", text), made).document for text in ("text", "highlights/0")]
        assert [document.url for document in found] == ["https://example.org/llm"] * 2
        assert found[1].text == "LLMs have recently demonstrated remarkable capabilities"
        assert refusal(EXA, place("/results/0", "summary"), made) == "wire-place"
        assert outcome(EXA, place("/results/1"), made) == "no-text"

    def test_exa_contents_repeat_the_url_that_was_asked_for(self) -> None:
        body = self.read("exa_contents.json")
        url = json.loads(body)["results"][0]["url"]
        assert outcome(EXA, FIRST, exchange(body, "https://api.exa.ai/contents")) == "admitted"
        assert outcome(EXA, FIRST, exchange(body, "https://api.exa.ai/contents", asked=(url,))) == "wire-echo"

    def test_tavily(self) -> None:
        made = exchange(self.read("tavily_search.json"), "https://api.tavily.com/search", asked=("who is leo messi",))
        assert admitted(TAVILY, place("/results/0", "content"), made).document.url == "https://example.org/messi"
        assert outcome(TAVILY, place("/results/0", "raw_content"), made) == "no-text"
        for wrong in (place("/query", None), place("/answer", None), place("/results/0", "answer")):
            assert refusal(TAVILY, wrong, made) == "wire-place"

    def test_brave(self) -> None:
        made = exchange(self.read("brave_web.json"), "https://api.search.brave.com/res/v1/web/search?q=x", asked=("x",))
        assert admitted(BRAVE, place("/web/results/0", "description"), made).document.text == "Marie Curie discovered radium in 1898."
        assert admitted(BRAVE, place("/web/results/0", "extra_snippets/1"), made).document.text == "She won two Nobel prizes."
        for wrong in (place("/query", None), place("/web/results/0", "profile/url"), place("/web/results/0", "extra_snippets")):
            assert refusal(BRAVE, wrong, made) == "wire-place"

    def test_anthropic(self) -> None:
        made = exchange(self.read("anthropic_web_search.json"), MESSAGES, asked=("who discovered radium",))
        found = admitted(ANTHROPIC, place("/content/4/citations/0", "cited_text"), made).document
        assert (found.url, found.text) == ("https://example.org/curie", CITED)
        assert proved(HITS, place("/content/2/content/1", None), made)["url"] == "https://example.org/radium?a=1&b=2"
        assert refusal(HITS, place("/content/5", None), made) == "wire-place"

    def test_duckduckgo(self) -> None:
        made = exchange(self.read("ddg_html.html"), PAGES, asked=("radium https://invented.example/x",))
        found = admitted(DDG, place("/0", "a.result__snippet"), made).document
        assert (found.url, found.text) == ("https://example.org/radium?a=1&b=2", "Radium is a chemical element & a metal.")
        assert refusal(DDG, place("/1", "a.result__snippet"), made) == "wire-url"
        assert refusal(DDG, place("/2", "a.result__snippet"), made) == "wire-place"


# Where the reply came from


@pytest.mark.parametrize(
    "url",
    [
        "https://api.search.brave.com/res/v1",
        "https://api.search.brave.com/res/v1/",
        "https://api.search.brave.com/res/v1/web/search?q=%2e%2e/x",
        "https://API.search.brave.com/res/v1/web",
        "HTTPS://api.search.brave.com/res/v1/web",
    ],
)
def test_a_request_below_the_base_url_may_prove(url: str) -> None:
    body = reply(web={"results": [{"url": CURIE, "description": "Words."}]})
    assert proved(BRAVE, place("/web/results/0", "description"), exchange(body, url))["text"] == "Words."


@pytest.mark.parametrize(
    "url",
    [
        "https://api.search.brave.com/res/v10/web",
        "https://api.search.brave.com/res/v1x",
        "https://api.search.brave.com/res",
        "https://api.search.brave.com/",
        "https://api.search.brave.com/res/v1/../v2/web",
        "https://api.search.brave.com/res/v1/%2e%2e/v2/web",
        "https://api.search.brave.com/res/v1/..%2Fv2/web",
        "https://api.search.brave.com/res/v1/..\\v2/web",
        "https://api.search.brave.com/RES/v1/web",
        "http://api.search.brave.com/res/v1/web",
        "https://api.search.brave.com:8443/res/v1/web",
        "https://api.search.brave.com@evil.example/res/v1/web",
        "https://user@api.search.brave.com/res/v1/web",
        "https://user:word@api.search.brave.com/res/v1/web",
        "https://evil.example/res/v1/web?https://api.search.brave.com/res/v1/web",
        "https://evil.example#https://api.search.brave.com/res/v1/web",
        "https://api.search.brave.com./res/v1/web",
        "https://api.search.brave.com:port/res/v1/web",
        "https://[api.search.brave.com/res/v1/web",
        "//api.search.brave.com/res/v1/web",
        "",
    ],
)
def test_a_request_that_only_looks_like_the_base_url_proves_nothing(url: str) -> None:
    body = reply(web={"results": [{"url": CURIE, "description": "Words."}]})
    assert refusal(BRAVE, place("/web/results/0", "description"), exchange(body, url)) == "wire-origin"


def test_a_base_url_with_user_info_is_the_origin_of_nothing() -> None:
    disguised = EXA.model_copy(update={"base_url": "https://api.exa.ai@evil.example"})
    for url in ("https://evil.example/search", "https://api.exa.ai@evil.example/search"):
        assert refusal(disguised, FIRST, exchange(BODY, url)) == "wire-origin"


def test_a_part_that_the_asker_chose_is_not_the_reply() -> None:
    echoed = reply(query='{"results": []}').replace(rb"\"", b'"')
    assert refusal(EXA, FIRST, exchange(echoed[11:-2], status=206)) == "wire-cut"


def test_a_reply_without_content_holds_nothing() -> None:
    for status in (200, 204, 205):
        assert refusal(EXA, FIRST, exchange(b"", status=status)) == "json-form"


# Which place may be named


@pytest.mark.parametrize(
    "item",
    [
        "",
        "/",
        "results/0",
        "/results",
        "/results/",
        "/results/0/",
        "/results/0/text",
        "/results/0/nested/0",
        "//results/0",
        "/Results/0",
        "/x/results/0",
        "/results/../results/0",
        "/*/0",
        "#/results/0",
        "/results~1 0",
    ],
)
def test_an_item_that_the_pattern_does_not_allow_is_no_hit(item: str) -> None:
    nested = reply(results=[HIT | {"nested": [HIT]}], Results=[HIT], x={"results": [HIT]})
    assert refusal(EXA, place(item), exchange(nested)) in ("wire-place", "wire-url")


@pytest.mark.parametrize(
    "item", ["/results/-1", "/results/1", "/results/00", "/results/-", "/results/1e0", "/results/9999999999999", "/results/\u0660"]
)
def test_an_index_that_the_list_does_not_have_leads_nowhere(item: str) -> None:
    assert refusal(EXA, place(item), exchange(BODY)) == "wire-url"


def test_a_star_is_one_token_and_never_two() -> None:
    body = reply(results={"a": {"b": HIT}, "a/b": HIT})
    assert refusal(EXA, place("/results/a/b"), exchange(body)) == "wire-place"
    assert proved(EXA, place("/results/a~1b"), exchange(body)) == GENUINE


def test_a_star_in_a_place_is_a_member_of_that_name() -> None:
    assert refusal(EXA, place("/results/*"), exchange(BODY)) == "wire-url"
    assert refusal(EXA, place("/results/0", "highlights/*"), exchange(reply(results=[{"highlights": ["x"]}]))) == "wire-url"
    assert proved(EXA, place("/results/*"), exchange(reply(results={"*": HIT}))) == GENUINE


@pytest.mark.parametrize("item", ["/results/~2", "/results/~", "/results/0~"])
def test_an_escape_that_is_none_is_refused(item: str) -> None:
    assert refusal(EXA, place(item), exchange(BODY)) == "pointer-form"


def test_escaped_names_are_not_confused_with_paths() -> None:
    body = reply(**{"results/0": HIT, "results": [{"url/x": "https://evil.example/"}]})
    assert refusal(EXA, place("/results~10"), exchange(body)) == "wire-place"
    assert refusal(EXA, FIRST, exchange(body)) == "wire-url"


@pytest.mark.parametrize("text", ["", "text/0", "highlights", "highlights/0/x", "/text", "Text", "text ", "url", "title", "*"])
def test_a_text_that_no_pattern_allows_is_no_text(text: str) -> None:
    assert refusal(EXA, place("/results/0", text), exchange(BODY)) == "wire-place"


def test_the_text_of_another_hit_has_the_url_of_that_hit() -> None:
    body = reply(results=[{"url": "https://a.example/", "text": "One."}, {"url": "https://b.example/", "text": "Two."}])
    assert outcome(EXA, place("/results/0"), exchange(body), text="Two.") == "differs-from-bytes"
    assert outcome(EXA, place("/results/0"), exchange(body), url="https://b.example/") == "differs-from-bytes"
    assert proved(EXA, place("/results/1"), exchange(body)) == {"url": "https://b.example/", "text": "Two."}


def test_a_copy_of_the_reply_within_a_hit_is_no_reply() -> None:
    body = reply(results=[{"url": CURIE, "text": BODY.decode(), "results": [{"url": "https://evil.example/", "text": "Forged."}]}])
    assert refusal(EXA, place("/results/0/results/0"), exchange(body)) == "wire-place"
    assert proved(EXA, FIRST, exchange(body))["text"] == BODY.decode()


def test_a_member_that_looks_like_another_in_unicode_is_another() -> None:
    body = reply(results=[{"url": CURIE, "t\u0435xt": "Cyrillic.", "te\u0301xt": "Accent."}])
    assert "text" not in proved(EXA, FIRST, exchange(body))
    assert outcome(EXA, FIRST, exchange(body)) == "no-text"


# What stands there


@pytest.mark.parametrize("body", ['{"results": [{"url": "a", "url": "b", "text": "x"}]}', '{"results": [], "results": [{"url": "a"}]}'])
def test_a_reply_with_one_key_twice_has_two_meanings_and_none(body: str) -> None:
    assert refusal(EXA, FIRST, exchange(body.encode())) == "json-duplicate-key"


@pytest.mark.parametrize("url", [None, "", [], {}, ["https://a.example/"], True, 1.5])
def test_a_hit_without_a_url_at_its_place_is_no_hit(url: object) -> None:
    assert refusal(EXA, FIRST, exchange(reply(results=[HIT | {"url": url}]))) in ("wire-url", "json-not-a-value")


@pytest.mark.parametrize(
    ("text", "rule"), [(None, "no-text"), ("", "no-text"), (" \n", "no-text"), (["x"], "json-not-a-value"), (False, "json-not-a-value")]
)
def test_a_text_that_is_none_is_no_evidence(text: object, rule: str) -> None:
    assert outcome(EXA, FIRST, exchange(reply(results=[HIT | {"text": text}]))) == rule


def test_a_number_is_its_digits_and_nothing_that_was_made_of_them() -> None:
    made = exchange(reply(results=[HIT | {"text": 1910}]))
    assert proved(EXA, FIRST, made)["text"] == "1910"
    for said in ("1910.0", "01910", "1,910", "1.91e3"):
        assert outcome(EXA, FIRST, made, text=said) == "differs-from-bytes"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "/relative", "http://127.0.0.1/", 7])
def test_a_url_on_the_wire_that_may_not_be_evidence_goes_alone(url: object) -> None:
    admission = admitted(EXA, FIRST, exchange(reply(results=[HIT | {"url": url}])))
    assert (admission.document.url, admission.document.text) == (None, HIT["text"])
    assert [words for _, words in admission.dropped] == [str(url)]


def test_every_field_of_a_hit_is_on_the_wire_and_says_so() -> None:
    body = reply(hits=[{"objectID": "42", "author": "ann", "comment_text": "It is <i>slow</i> &amp; loud."}])
    document = admitted(HN, place("/hits/0", "comment_text"), exchange(body, "https://hn.algolia.com/api/v1/search")).document
    assert (document.url, document.text) == ("https://news.ycombinator.com/item?id=42", "It is slow & loud.")
    assert document.author is not None
    assert (document.author.site, document.author.id) == ("news.ycombinator.com", "ann")
    assert {document.grades.text, document.grades.url, document.grades.author} == {"wire"}


@pytest.mark.parametrize("layout", ["json", "sse"])
def test_a_reply_that_is_not_laid_out_as_the_map_says_is_none(layout: str) -> None:
    wire = EXA.model_copy(update={"layout": layout})
    for body in (b"data: {\n\n", b"\xff\xfe", b"[", b"nonsense"):
        assert refusal(wire, FIRST, exchange(body)) in (f"{layout}-form", "wire-url")


@pytest.mark.parametrize("encoding", ["utf-7", "no-such-encoding", "hex", "idna", "punycode", "ascii"])
def test_an_encoding_that_does_not_fit_proves_nothing(encoding: str) -> None:
    body = reply(results=[HIT]).replace(b"Radium", "R\u00e4dium".encode())
    assert refusal(EXA, FIRST, exchange(body, encoding=encoding)) in ("json-form", "encoding-escapes")
    page = f"{PAGE}\u00e4".encode()
    rule = refusal(DDG, place("/0", None), exchange(page, PAGES, encoding=encoding))
    assert rule in ("html-form", "wire-url")


# Events


STREAM = 'event: hit\ndata: {"results": [{"url": "https://a.example/", "text": "One."}]}\n\ndata: {"results": []}\n\ndata: [DONE]\n\n'
EVENTS = EXA.model_copy(update={"layout": "sse", "item": "/*/results/*"})


def test_a_hit_in_a_stream_is_named_by_its_event() -> None:
    assert proved(EVENTS, place("/0/results/0"), exchange(STREAM.encode())) == {"url": "https://a.example/", "text": "One."}
    assert refusal(EVENTS, place("/1/results/0"), exchange(STREAM.encode())) == "wire-url"
    assert refusal(EVENTS, place("/results/0"), exchange(STREAM.encode())) == "wire-place"


def test_an_event_that_never_ended_is_none() -> None:
    assert refusal(EVENTS, place("/0/results/0"), exchange(STREAM[:40].encode())) == "wire-url"
    assert refusal(EVENTS, place("/0/results/0"), exchange(STREAM.encode(), whole=False)) == "wire-cut"


# Composed URLs


@pytest.mark.parametrize("value", ["../../evil", "1?x", "1#x", "1&x=2", "%2e%2e", "a b", "", "a\n", "@evil.example", "1.2", "é", "x" * 129])
def test_a_slot_takes_nothing_that_could_lead_elsewhere(value: str) -> None:
    body = reply(hits=[{"objectID": value, "comment_text": "Words."}])
    assert refusal(HN, place("/hits/0", "comment_text"), exchange(body, "https://hn.algolia.com/api/v1/search")) == "wire-url"


@pytest.mark.parametrize("value", [None, [], {}, 1.5, True, ["1"]])
def test_a_slot_takes_a_string_or_a_whole_number(value: object) -> None:
    body = reply(hits=[{"objectID": value, "comment_text": "Words."}])
    assert refusal(HN, place("/hits/0", "comment_text"), exchange(body, "https://hn.algolia.com/api/v1/search")) == "wire-url"


def test_a_slot_is_bound_by_the_pattern_of_the_map() -> None:
    bound = HN.model_copy(update={"slots": {"objectID": "[0-9]+"}})
    for value, expected in ((42, "https://news.ycombinator.com/item?id=42"), ("42", "https://news.ycombinator.com/item?id=42")):
        body = reply(hits=[{"objectID": value, "comment_text": "Words."}])
        assert proved(bound, place("/hits/0", None), exchange(body, "https://hn.algolia.com/api/v1/x"))["url"] == expected
    for value in ("abc", "42a", "a42", "42\n"):
        body = reply(hits=[{"objectID": value, "comment_text": "Words."}])
        assert refusal(bound, place("/hits/0", None), exchange(body, "https://hn.algolia.com/api/v1/x")) == "wire-url"


def test_the_slots_of_a_template_are_values_of_one_hit() -> None:
    wire = HN.model_copy(update={"url": "https://r.example/{sub}/c/{id}/", "slots": {}})
    body = reply(hits=[{"sub": "coffee", "id": "a1"}, {"sub": "tea"}, {"id": "b2"}])
    made = exchange(body, "https://hn.algolia.com/api/v1/x")
    assert proved(wire, place("/hits/0", None), made)["url"] == "https://r.example/coffee/c/a1/"
    for item in ("/hits/1", "/hits/2"):
        assert refusal(wire, place(item, None), made) == "wire-url"


@pytest.mark.parametrize("item", ["/hits/a}/evil{", "/hits/a}b", "/hits/{x}", "/hits/a}b{/hits"])
def test_the_name_of_a_member_does_not_become_part_of_a_url(item: str) -> None:
    body = reply(hits={"a": "1", "a}b": {"objectID": "7", "comment_text": "Words."}, "{x}": {"objectID": "8"}})
    assert refusal(HN, place(item, None), exchange(body, "https://hn.algolia.com/api/v1/x")) == "wire-place"


# Pages


def test_a_page_has_as_many_hits_as_elements_that_the_map_selects() -> None:
    made = exchange(PAGE.encode(), PAGES)
    plain = DDG.model_copy(update={"url": "a.result__a@href"})
    assert proved(plain, place("/1", "a.result__snippet"), made)["url"] == "https://plain.example/page"
    for item in ("/2", "/-1", "1", "", "/01", "/*", "/1/0", "/\u0660"):
        assert refusal(plain, place(item, "a.result__snippet"), made) == "wire-place"


def test_a_text_of_a_page_is_an_element_that_the_map_names() -> None:
    for text in ("a.result__a", "a", "input@value", "", "a.result__snippet.x"):
        assert refusal(DDG, place("/0", text), exchange(PAGE.encode(), PAGES)) == "wire-place"


def test_a_hit_of_a_page_that_holds_another_hit_is_none() -> None:
    inner = '<div class="web-result"><a class="result__a" href="?uddg=https://b.example/">B</a><a class="result__snippet">Two.</a></div>'
    outer = f'<div class="web-result"><a class="result__a" href="?uddg=https://a.example/">A</a>{inner}</div>'
    made = exchange(outer.encode(), PAGES)
    assert refusal(DDG, place("/0", "a.result__snippet"), made) == "wire-place"
    assert proved(DDG, place("/1", "a.result__snippet"), made)["url"] == "https://b.example/"


def test_elements_that_are_not_closed_lend_one_hit_nothing_of_the_next() -> None:
    page = '<div class="web-result"><a class="result__a" href="?uddg=https://a.example/">A</a>' * 2
    made = exchange(f'{page}<a class="result__snippet">Two.</a>'.encode(), PAGES)
    assert refusal(DDG, place("/0", "a.result__snippet"), made) == "wire-place"


def test_what_a_hit_of_a_page_lacks_is_not_taken_from_elsewhere() -> None:
    page = '<a class="result__a" href="?uddg=https://evil.example/">E</a>'
    page += '<div class="web-result"><p>x</p></div><a class="result__snippet">S</a>'
    assert refusal(DDG, place("/0", "a.result__snippet"), exchange(page.encode(), PAGES)) == "wire-url"
    relative = DDG.model_copy(update={"url": "a.result__a@href"})
    assert refusal(relative, place("/0", None), exchange(page.encode(), PAGES)) in ("wire-url", "html-form")
    linked = page.replace("<p>x</p>", '<a class="result__a" href="?uddg=https://a.example/">A</a>')
    assert proved(DDG, place("/0", "a.result__snippet"), exchange(linked.encode(), PAGES)) == {"url": "https://a.example/", "title": "A"}


def test_markup_in_a_comment_an_attribute_or_a_script_is_no_hit() -> None:
    hit = '<div class="web-result"><a class="result__a" href="?uddg=https://evil.example/">E</a></div>'
    for page in (f"<!-- {hit} -->", f"<input value='{hit}'>", f"<script>{hit}</script>", f"<style>{hit}</style>", hit.replace("<", "&lt;")):
        assert refusal(DDG, place("/0", None), exchange(page.encode(), PAGES)) == "wire-place"


def test_a_snippet_ends_where_its_element_ends_whatever_stands_in_it() -> None:
    """A `&#` that is no reference once ended the reading, and the words of the next hit were cited at the URL of this one."""
    links = [f'<a class="result__a" href="?uddg=https://{name}.example/">{name}</a>' for name in "ab"]
    hits = [f'<div class="web-result">{link}<a class="result__snippet">Of &# {number};</a></div>' for number, link in enumerate(links)]
    made = exchange("".join(hits).encode(), PAGES)
    for number, name in enumerate("ab"):
        expected = {"url": f"https://{name}.example/", "title": name, "text": f"Of &# {number};"}
        assert proved(DDG, place(f"/{number}", "a.result__snippet"), made) == expected


def test_a_page_with_a_reference_of_too_many_digits_to_read_proves_nothing() -> None:
    page = f'<div class="web-result" title="&#{"1" * 5000};"></div>'
    assert refusal(DDG, place("/0", None), exchange(page.encode(), PAGES)) == "html-form"


def test_a_number_that_no_hit_has_is_no_hit_where_the_page_begins_with_one() -> None:
    page = '<div class="web-result"><a class="result__a" href="?uddg=https://a.example/">A</a></div>'
    assert proved(DDG, place("/0", None), exchange(page.encode(), PAGES))["url"] == "https://a.example/"
    for item in ("/1", "/-1", ""):
        assert refusal(DDG, place(item, None), exchange(page.encode(), PAGES)) == "wire-place"


@pytest.mark.parametrize("tag", ["article", "di", "divs", "section"])
def test_an_element_of_another_name_is_no_hit_whatever_its_class(tag: str) -> None:
    page = f'<{tag} class="web-result"><a class="result__a" href="?uddg=https://a.example/">A</a></{tag}>'
    assert refusal(DDG, place("/0", None), exchange(page.encode(), PAGES)) == "wire-place"


def test_a_selector_that_is_none_selects_no_element_of_the_smallest_page() -> None:
    wire = DDG.model_copy(update={"item": "div > a", "url": "a.result__a@href"})
    page = '<a class="result__a" href="https://a.example/">A</a>'
    assert refusal(wire, place("/0", None), exchange(page.encode(), PAGES)) == "wire-place"


def test_a_selector_that_is_none_selects_nothing() -> None:
    for item in ("div > a", "div.", ".web-result", "DIV.web-result", ""):
        wire = DDG.model_copy(update={"item": item})
        assert refusal(wire, place("/0", None), exchange(PAGE.encode(), PAGES)) == "wire-place"


def test_a_template_may_be_filled_from_a_page() -> None:
    wire = DDG.model_copy(update={"url": "https://h.example/i?id={div.web-result@data-id}"})
    found = proved(wire, place("/0", None), exchange(b'<div class="web-result" data-id="a-1"></div>', PAGES))
    assert found == {"url": "https://h.example/i?id=a-1"}
    for page in ('<div class="web-result" data-id="../x"></div>', '<div class="web-result"></div>'):
        assert refusal(wire, place("/0", None), exchange(page.encode(), PAGES)) == "wire-url"


# What the operator approves, and what the log is told


def test_any_change_of_a_map_is_another_fingerprint() -> None:
    before = map_fingerprint({"": EXA})
    changes = (
        {"base_url": "https://api.exa.example"},
        {"item": "/*/*"},
        {"url": "id"},
        {"text": ("summary",)},
        {"title": None},
        {"end": "x"},
    )
    others = {map_fingerprint({"": EXA.model_copy(update=change)}) for change in changes}
    assert len(others | {before, map_fingerprint({"news": EXA}), map_fingerprint({"": EXA, "news": EXA})}) == len(changes) + 3
    assert before == map_fingerprint({"": EXA.model_copy()})


def test_a_refusal_names_what_was_refused_for_the_operators_log() -> None:
    with pytest.raises(WireRefused) as caught:
        prove(EXA, place("/results/0", "summary"), exchange(BODY))
    assert (str(caught.value), caught.value.text) == ("wire-place", "/results/0 summary")
    with pytest.raises(WireRefused) as caught:
        prove(EXA, FIRST, exchange(BODY, status=500))
    assert caught.value.text == "500"


def test_what_stands_in_no_element_is_not_in_the_page() -> None:
    assert values_at(b"<p>x</p>", Derivation(format="html", pointers={}), {"text": "0", "beyond": "1", "attribute": "0@id"}) == {
        "text": "x"
    }


def test_end_tags_and_void_elements_end_what_html_says_they_end() -> None:
    page = b'</i><div class="web-result"><br/><img src="x"><b>bold<i>both</b></div>after'
    values = values_at(page, Derivation(format="html", pointers={}), {name: name for name in "01234"})
    assert values == {"0": '<br/><img src="x"><b>bold<i>both</b>', "1": "", "2": "", "3": "bold<i>both", "4": "both"}
