"""Web search of the API's own: every place that is handed in is proved on the bytes that were served, as the host does it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from veridical_anthropic import AnthropicChat
from veridical_anthropic._replies import Events
from veridical_contract import ChatReply, ChatRequest, Message, ProviderError, SearchQuery, WirePlace

from plugins.anthropic.tests.kit import Api, api, assert_proved, message, plugin, proved, text

CURIE, RADIUM = "https://example.org/curie", "https://example.org/radium?a=1&b=2"


def search(query: str = "who found radium", call: str = "srvtoolu_1") -> dict[str, Any]:
    return {"type": "server_tool_use", "id": call, "name": "web_search", "input": {"query": query}}


def found(*urls: str, call: str = "srvtoolu_1") -> dict[str, Any]:
    hits = [
        {"type": "web_search_result", "url": url, "title": f"Café \u2013 {number}", "encrypted_content": "Eq==", "page_age": None}
        for number, url in enumerate(urls)
    ]
    return {"type": "web_search_tool_result", "tool_use_id": call, "content": hits}


def lost(code: str, call: str = "srvtoolu_1") -> dict[str, Any]:
    error = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": call, "content": error}


def cited(url: str, words: str, title: str | None = "Café \u2013 0") -> dict[str, Any]:
    return {"type": "web_search_result_location", "url": url, "title": title, "encrypted_index": "Eo==", "cited_text": words}


ANSWER = (
    text("Let me search."),
    search(),
    found(CURIE, RADIUM),
    text("Based on that, "),
    text(
        "Marie \U0001f9ea Curie, Étienne",
        cited(CURIE, "Marie and Pierre Curie \u2026 in 1898..."),
        cited(RADIUM, "Radium, by the Curies"),
    ),
    text(". See also https://invented.example/x"),
    text(" in 1898", cited(CURIE, "")),
)
ASKED = ChatRequest(task="ground", messages=(Message(role="user", text="Who found radium?"),), question="Who found radium?")


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


def grounded(chat: AnthropicChat, *, streamed: bool, request: ChatRequest = ASKED) -> ChatReply:
    if not streamed:
        return chat.chat(request=request)
    *_, last = chat.stream(request=request)
    assert last.reply is not None
    return last.reply


def assert_all_proved(chat: AnthropicChat, server: Api, reply: ChatReply) -> None:
    assert reply.grounding is not None
    for chunk in reply.grounding.chunks:
        assert_proved(chat, server, chunk)
    for span in reply.grounding.spans:
        assert reply.parts[span.part][span.start : span.end] == span.text
        assert all(0 <= number < len(reply.grounding.chunks) for number in span.chunks)


def test_hits_are_chunks_and_blocks_with_citations_are_spans(streamed: bool) -> None:
    with api([message(*ANSWER)]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert_all_proved(chat, server, reply)
        grounding = reply.grounding
        assert grounding is not None
        assert [(each.url, each.title, each.redirect) for each in grounding.chunks] == [
            (CURIE, "Café \u2013 0", False),
            (RADIUM, "Café \u2013 1", False),
        ]
        assert grounding.queries == ("who found radium",)
        assert [(span.part, span.start, span.end, span.unit, span.chunks) for span in grounding.spans] == [
            (2, 0, 22, "codepoint", (0, 1)),
            (4, 0, 8, "codepoint", (0,)),
        ]
        words = [[each["text"] for each in proved(chat, server, place)] for span in grounding.spans for place in span.excerpts]
        assert words == [["Marie and Pierre Curie \u2026 in 1898..."], ["Radium, by the Curies"]]
        assert reply.text == "Let me search.Based on that, Marie \U0001f9ea Curie, Étienne. See also https://invented.example/x in 1898"


def test_a_stream_says_the_same_as_a_document_at_other_places(streamed: bool) -> None:
    with api([message(*ANSWER)]) as server:
        chat = plugin(server)
        whole, pieces = grounded(chat, streamed=False), grounded(chat, streamed=True)
    assert _without_places(whole) == _without_places(pieces)
    assert whole.grounding is not None
    assert pieces.grounding is not None
    assert whole.grounding.chunks[1].place == WirePlace(map="hits", item="/content/2/content/1")
    assert pieces.grounding.chunks[1].place == WirePlace(map="stream-hits", item="/13/content_block/content/1")


def _without_places(reply: ChatReply) -> dict[str, Any]:
    dumped = reply.model_dump()
    for chunk in dumped["grounding"]["chunks"]:
        del chunk["place"]
    for span in dumped["grounding"]["spans"]:
        span["excerpts"] = len(span["excerpts"])
    return dumped


def test_an_invented_url_has_no_place(streamed: bool) -> None:
    with api([message(*ANSWER)]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert reply.grounding is not None
        assert "invented.example" not in str(reply.grounding)
        assert proved(chat, server, WirePlace(map="hits", item="/content/5")) == []
        assert proved(chat, server, WirePlace(map="hits", item="/content/1/input")) == []


def test_a_citation_of_a_page_that_no_search_found_is_left_out(streamed: bool) -> None:
    invented = cited("https://invented.example/p", "It was so")
    answer = message(search(), found(CURIE), text("Yes", invented), text("No", cited(CURIE, "no"), invented))
    with api([answer]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert_all_proved(chat, server, reply)
        assert reply.grounding is not None
        assert [each.url for each in reply.grounding.chunks] == [CURIE]
        (span,) = reply.grounding.spans
        assert (span.part, span.chunks) == (1, (0,))
        assert [each["url"] for place in span.excerpts for each in proved(chat, server, place)] == [CURIE]


def test_a_citation_that_is_there_when_a_block_begins_is_counted_and_has_no_place_in_the_maps() -> None:
    events = Events()
    block = {"type": "text", "text": "", "citations": [cited(CURIE, "a")]}
    for event in (
        {"type": "message_start", "message": message()},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": cited(RADIUM, "b")}},
        {"type": "message_stop"},
    ):
        assert events.add(json.dumps(event)) == ""
    turn = events.turn()
    assert turn is not None
    assert [each.cited_text for each in turn.reply.content[0].citations or ()] == ["a", "b"]
    assert [turn.citation(0, 0).item, turn.citation(0, 1).item] == ["/1/content_block/citations/0", "/2/delta/citation"]


def test_the_tool_is_pinned_and_carries_the_limits_of_the_search(streamed: bool) -> None:
    query = SearchQuery(text="radium", include_domains=("example.org",), since="2024-01-01", until="2024-12-31", language="fr")
    without = SearchQuery(text="radium", exclude_domains=("spam.example",))
    with api([message(*ANSWER)]) as server:
        chat = plugin(server, max_searches=3)
        grounded(chat, streamed=streamed, request=ASKED.model_copy(update={"search": query}))
        grounded(chat, streamed=streamed, request=ASKED.model_copy(update={"search": without}))
    first, second = (served.body["tools"] for served in server.served)
    pinned = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
    assert first == [{**pinned, "allowed_domains": ["example.org"]}]
    assert second == [{**pinned, "blocked_domains": ["spam.example"]}]
    told = str(server.served[0].body["messages"])
    assert all(each in told for each in ("2024-01-01 or later", "2024-12-31 or earlier", "language fr"))


def test_a_paused_turn_goes_on_from_its_own_blocks_and_both_replies_hold_places(streamed: bool) -> None:
    thought = {"type": "thinking", "thinking": "Let me think.", "signature": "EqQB=="}
    first = message(thought, text("Searching."), search(), found(CURIE), {"type": "a_block_of_tomorrow"}, stop="pause_turn")
    more = (search("radium", call="srvtoolu_2"), found(RADIUM, call="srvtoolu_2"))
    second = message(*more, text("Found", cited(RADIUM, "found")), text(" it", cited(CURIE, "it")))
    with api([first, second]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert reply.grounding is not None
        assert [each.url for each in reply.grounding.chunks] == [CURIE, RADIUM]
        # Pointers are relative to one reply: the host tries each, and the values tell which one is meant.
        for chunk in reply.grounding.chunks:
            assert (chunk.url, chunk.title) in [(each["url"], each["title"]) for each in proved(chat, server, chunk.place)]
    assert reply.grounding.queries == ("who found radium", "radium")
    assert [(span.part, span.chunks) for span in reply.grounding.spans] == [(1, (1,)), (2, (0,))]
    assert (reply.text, reply.stop, reply.usage.input_tokens, reply.usage.output_tokens) == ("Searching.Found it", "end", 22, 14)
    *_, user, paused = server.served[1].body["messages"]
    assert (user["role"], paused) == ("user", {"role": "assistant", "content": first["content"]})


def test_an_excerpt_whose_place_two_replies_hold_differently_is_left_out(streamed: bool) -> None:
    same = text("One", cited(CURIE, "the same"))
    first = message(search(), found(CURIE), same, text("Two", cited(CURIE, "of the first")), stop="pause_turn")
    second = message(search(), found(CURIE), same, text("Two", cited(CURIE, "of the second")))
    with api([first, second]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert reply.grounding is not None
        words = [{each["text"] for place in span.excerpts for each in proved(chat, server, place)} for span in reply.grounding.spans]
    assert words == [{"the same"}, set(), {"the same"}, set()]


def test_a_turn_that_pauses_for_ever_is_cut(streamed: bool) -> None:
    with api([message(search(), found(CURIE), text("On."), stop="pause_turn")]) as server:
        reply = grounded(plugin(server), streamed=streamed)
    assert (len(server.served), reply.stop, reply.text) == (9, "length", "On." * 9)
    assert [each["role"] for each in server.served[-1].body["messages"]] == ["user", *["assistant"] * 8]


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("too_many_requests", "rate-limit"),
        ("unavailable", "server"),
        ("max_uses_exceeded", "quota"),
        ("query_too_long", "malformed"),
        ("invalid_tool_input", "malformed"),
        ("request_too_large", "malformed"),
        ("something_new", "server"),
    ],
)
def test_a_search_that_failed_in_a_successful_reply_is_a_failure(code: str, failure: str, streamed: bool) -> None:
    with api([message(search(), lost(code), text("I could not search."))]) as server, pytest.raises(ProviderError, match=code) as error:
        grounded(plugin(server), streamed=streamed)
    assert error.value.failure == failure


def test_an_error_code_that_is_no_name_is_not_repeated() -> None:
    with api([message(search(), lost("<b>\nIgnore"), text("x"))]) as server, pytest.raises(ProviderError, match="unknown error"):
        grounded(plugin(server), streamed=False)


def test_what_was_found_before_a_search_failed_is_kept(streamed: bool) -> None:
    again = search("more", call="srvtoolu_2")
    with api(
        [message(search(), found(CURIE), again, lost("max_uses_exceeded", call="srvtoolu_2"), text("Yes", cited(CURIE, "yes")))]
    ) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=streamed)
        assert_all_proved(chat, server, reply)
    assert reply.grounding is not None
    assert ([each.url for each in reply.grounding.chunks], len(reply.grounding.spans)) == ([CURIE], 1)


def test_no_search_and_no_hit_is_an_empty_grounding(streamed: bool) -> None:
    with api([message(search(), found(), text("Nothing."))]) as server:
        reply = grounded(plugin(server), streamed=streamed)
    assert reply.grounding is not None
    assert (reply.grounding.chunks, reply.grounding.spans) == ((), ())


def test_a_hit_that_is_taken_out_or_changed_is_not_proved() -> None:
    with api([message(*ANSWER)]) as server:
        chat = plugin(server)
        reply = grounded(chat, streamed=False)
        assert reply.grounding is not None
        chunk = reply.grounding.chunks[0]
        with pytest.raises(AssertionError):
            assert_proved(chat, server, chunk.model_copy(update={"url": "https://example.org/cur"}))
        with pytest.raises(AssertionError):
            assert_proved(chat, server, chunk.model_copy(update={"place": WirePlace(map="hits", item="/content/2/content/7")}))
