"""What a recorded reply of the web search says, and that the host finds each place of it: proved with the host's own kernel."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.derivation import values_at
from veridical.kernel.wire import Exchange, WireRefused, prove
from veridical_claude_code._replies import search_reply, wire_maps
from veridical_contract import WirePlace

API = "https://api.example"
MAPS = wire_maps(API)
URLS = st.sampled_from(["https://a.example/", "https://a.example/b", "https://b.example/?q=1&r=2", "http://c.example/é"])
WORDS = st.text(st.characters(codec="utf-8"), max_size=12)


def read(body, place):
    """Return what the host reads at `place` in a reply."""
    exchange = Exchange(f"{API}/v1/messages?beta=true", (), 200, True, body)
    derivation = prove(MAPS[place.map], place, exchange)
    return values_at(body, derivation, derivation.pointers)


def block(index, **content):
    return {"type": "content_block_start", "index": index, "content_block": content}


def delta(index, **content):
    return {"type": "content_block_delta", "index": index, "delta": content}


HIT = st.fixed_dictionaries({"type": st.just("web_search_result"), "url": URLS, "title": WORDS, "page_age": st.none()})
CITATION = st.fixed_dictionaries({"type": st.just("web_search_result_location"), "url": URLS, "title": WORDS, "cited_text": WORDS})
INDEX = st.integers(0, 3)
EVENT = st.one_of(
    st.builds(lambda at, hits: block(at, type="web_search_tool_result", content=hits), INDEX, st.lists(HIT, max_size=3)),
    st.builds(
        lambda at: block(at, type="web_search_tool_result", content={"type": "web_search_tool_result_error", "error_code": "x"}), INDEX
    ),
    st.builds(lambda at, text: block(at, type="text", text=text), INDEX, WORDS),
    st.builds(lambda at, text: delta(at, type="text_delta", text=text), INDEX, WORDS),
    st.builds(lambda at, found: delta(at, type="citations_delta", citation=found), INDEX, CITATION),
    st.builds(lambda at, url: block(at, type="server_tool_use", input={"query": url}, url=url), INDEX, URLS),
    st.builds(lambda at, url: delta(at, type="text_delta", text=url, url=url), INDEX, URLS),
    st.builds(lambda url: {"type": "message_start", "message": {"content": [{"url": url}]}}, URLS),
    st.just({"type": "ping"}),
    st.just([]),
)
# What may stand between two events with data, and counts as none.
NOISE = st.sampled_from(["", ": comment\n\n", "event: ping\n\n", "data: [DONE]\n\n", "id: 5\n\n", "\n\n"])


@st.composite
def streams(draw):
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = draw(st.sampled_from(["", "\ufeff"])) if draw(st.booleans()) else ""
    events = draw(st.lists(EVENT, max_size=12))
    for event in [*events, {"type": "message_stop"}]:
        text += draw(NOISE) + f"event: x\ndata: {json.dumps(event, ensure_ascii=draw(st.booleans()))}\n\n"
    return events, text.replace("\n", end).encode()


@given(streams())
def test_every_hit_and_citation_is_read_by_the_host_at_its_place_and_none_is_missed(made):
    events, body = made
    reply = search_reply(body)
    hits = [hit for each in events if isinstance(each, dict) for hit in content(each)]
    if not any(isinstance(each, dict) and each.get("content_block", {}).get("type") == "web_search_tool_result" for each in events):
        assert reply is None
        return
    assert [hit["url"] for hit in hits] == [hit.url for hit in reply.hits]
    cited = [citation for part in reply.blocks for citation in part.citations]
    for found in [*reply.hits, *cited]:
        assert (found.url, found.title or "") == ((values := read(body, found.place))["url"], values["title"])
        assert found.place.text is None or values["text"]


def content(event):
    found = event.get("content_block", {}).get("content")
    return found if isinstance(found, list) else []


@given(streams(), st.data())
def test_text_is_put_together_block_by_block(made, data):
    events, body = made
    if (reply := search_reply(body)) is None:
        return
    expected = {}
    for event in (each for each in events if isinstance(each, dict)):
        if event.get("content_block", {}).get("type") == "text":
            expected[event["index"]] = event["content_block"]["text"]
        elif event.get("delta", {}).get("type") == "text_delta" and event["index"] in expected:
            expected[event["index"]] += event["delta"]["text"]
    assert sorted(expected.values()) == sorted(part.text for part in reply.blocks)


@pytest.mark.parametrize("body", [b"", b"data: {}\n\n", b"data: {broken\n\n", b"\xff", b'{"type": "error"}', b"data: [1]\n\n"])
def test_what_is_no_reply_of_a_search_is_none(body):
    assert search_reply(body) is None


def test_an_event_that_no_blank_line_ends_is_none():
    event = json.dumps(block(0, type="web_search_tool_result", content=[{"url": "https://a.example/", "title": "x"}]))
    assert search_reply(f"data: {event}\n".encode()) is None


@pytest.mark.parametrize("item", ["/0/content_block/input", "/0/content_block", "/0/delta/text", "/0"])
def test_the_host_reads_no_hit_where_a_model_wrote(item):
    event = json.dumps(
        {"content_block": {"input": {"url": "https://a.example/"}, "url": "https://a.example/"}, "url": "https://a.example/"}
    )
    for name in MAPS:
        with pytest.raises(WireRefused, match="wire-place"):
            read(f"data: {event}\n\n".encode(), WirePlace(map=name, item=item))
