"""Every task over the real SDK, whole and streamed: what is sent, and what comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_anthropic import AnthropicChat
from veridical_anthropic._requests import tiles
from veridical_contract import (
    CancelledError,
    ChatReply,
    ChatRequest,
    Draft,
    Message,
    Passage,
    PassageCitation,
    PassageGroup,
    PluginError,
    SearchQuery,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
)

from plugins.anthropic.tests.kit import KEY, Http, api, message, plugin, text

ASK = (Message(role="system", text="Be brief."), Message(role="user", text="Who found radium?"))
DRAFT = {
    "themes": [{"group": "g1", "name": "Radium", "claims": [{"text": None, "quotes": [{"passage": "p1", "quote": "They found radium."}]}]}],
    "answers": [],
}


def complete(**more: Any) -> ChatRequest:
    return ChatRequest(task="complete", messages=ASK, **more)


def answered(chat: AnthropicChat, request: ChatRequest, *, streamed: bool) -> ChatReply:
    """The reply; of a stream also that its pieces make up its text, and that the last alone carries the reply."""
    if not streamed:
        return chat.chat(request=request)
    *pieces, last = chat.stream(request=request)
    assert last.reply is not None
    assert last.text == ""
    assert all(piece.reply is None for piece in pieces)
    assert "".join(piece.text for piece in pieces) == last.reply.text
    return last.reply


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


def test_text_comes_back_with_its_parts_model_and_usage(streamed: bool) -> None:
    usage = {
        "input_tokens": 5,
        "output_tokens": 7,
        "cache_read_input_tokens": 90,
        "cache_creation_input_tokens": 10,
        "server_tool_use": {"web_search_requests": 2},
    }
    with api([message(text("Marie "), text("Curie \U0001f9ea e\u0301."), usage=usage)]) as server:
        reply = answered(plugin(server), complete(max_output_tokens=99), streamed=streamed)
    assert reply == ChatReply(
        text="Marie Curie \U0001f9ea e\u0301.",
        parts=("Marie ", "Curie \U0001f9ea e\u0301."),
        model="claude-sonnet-5-5",
        usage=Usage(input_tokens=105, output_tokens=7, cached_tokens=90, written_tokens=10, searches=2),
    )
    sent = server.served[0].body
    assert sent["system"] == "Be brief."
    assert sent["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Who found radium?"}]}]
    assert (sent["model"], sent["max_tokens"], "tools" in sent, "output_config" in sent) == ("claude-sonnet-5-5", 99, False, False)


def test_another_model_may_be_asked(streamed: bool) -> None:
    with api([message(text("Hello."))]) as server:
        answered(plugin(server, model="claude-other"), complete(), streamed=streamed)
    assert KEY in str(server.served[0].headers)
    assert server.served[0].body["model"] == "claude-other"


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("tool_use", "tools"),
    ],
)
def test_every_reason_to_stop_is_an_outcome(reason: str, stop: str, streamed: bool) -> None:
    with api([message(text("Half a"), stop=reason)]) as server:
        schema = {"type": "object", "properties": {}}
        reply = answered(plugin(server), complete() if stop == "end" else complete(response_schema=schema), streamed=streamed)
    assert (reply.stop, reply.text, reply.structured, reply.draft) == (stop, "Half a", None, None)


def test_a_refusal_without_a_word_is_no_error(streamed: bool) -> None:
    with api([message(stop="refusal", stop_details={"type": "refusal", "category": "bio"})]) as server:
        reply = answered(plugin(server), complete(), streamed=streamed)
    assert (reply.stop, reply.text, reply.parts) == ("refusal", "", ())


@pytest.mark.parametrize("written", ['{"year": 1898}', '```json\n{"year": 1898}\n```', ' {"year":\n1898} '])
def test_a_schema_asks_for_structured_output_and_its_reply_is_parsed(written: str, streamed: bool) -> None:
    schema = {"type": "object", "properties": {"year": {"type": "integer", "minimum": 1}}, "required": ["year"]}
    with api([message(text(written))]) as server:
        reply = answered(plugin(server), complete(response_schema=schema), streamed=streamed)
    assert (reply.structured, reply.stop) == ({"year": 1898}, "end")
    form = server.served[0].body["output_config"]["format"]
    assert (form["type"], form["schema"]["additionalProperties"]) == ("json_schema", False)


def test_a_schema_that_the_api_does_not_take_is_asked_for_in_words(streamed: bool) -> None:
    def script(body: dict[str, Any]) -> dict[str, Any] | Http:
        refusal = {"type": "error", "error": {"type": "invalid_request_error", "message": "output_config: schema too complex"}}
        return Http(json.dumps(refusal).encode(), status=400) if "output_config" in body else message(text('{"year": 1898}'))

    with api(script) as server:
        reply = answered(plugin(server), complete(response_schema={"type": "object", "properties": {}}), streamed=streamed)
    assert reply.structured == {"year": 1898}
    assert '{"type": "object", "properties": {}}' in server.served[1].body["messages"][-1]["content"][-1]["text"]


@pytest.mark.parametrize("schema", [True, {"title": "anything"}, {"type": ["string", "null"]}])
def test_a_schema_outside_of_the_apis_subset_is_asked_for_in_words_at_once(schema: Any) -> None:
    with api([message(text('"yes"'))]) as server:
        reply = plugin(server).chat(request=complete(response_schema=schema))
    assert (reply.structured, len(server.served), "output_config" in server.served[0].body) == ("yes", 1, False)


def compose(**more: Any) -> ChatRequest:
    return ChatRequest(
        task="compose",
        messages=ASK,
        question="Who found radium?",
        passages=(Passage(id="p1", text="They found <radium> & more."),),
        groups=(PassageGroup(id="g1", passages=("p1",)),),
        **more,
    )


def test_a_draft_is_composed_of_passages_that_are_shown_as_data(streamed: bool) -> None:
    with api([message(text(json.dumps(DRAFT)))]) as server:
        reply = answered(plugin(server), compose(), streamed=streamed)
    assert reply.draft == Draft.model_validate_json(json.dumps(DRAFT))
    assert reply.structured is None
    (asked,) = server.served[0].body["messages"][1]["content"]
    assert '<passage id="p1">They found &lt;radium&gt; &amp; more.</passage>' in asked["text"]
    assert server.served[0].body["output_config"]["format"]["type"] == "json_schema"


def test_a_question_that_nobody_asked_yet_is_asked(streamed: bool) -> None:
    with api([message(text("Marie Curie."))]) as server:
        answered(plugin(server), ChatRequest(task="ground", messages=(), question="Who found radium?"), streamed=streamed)
        answered(plugin(server), ChatRequest(task="ground", messages=ASK, question="Who found radium?"), streamed=streamed)
    first, second = ([each["content"] for each in served.body["messages"]] for served in server.served)
    assert first == second == [[{"type": "text", "text": "Who found radium?"}]]


WEATHER = Tool(name="weather", description="Says the weather.", parameters={"type": "object", "properties": {"city": {"type": "string"}}})


def test_tools_go_round_trip(streamed: bool) -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Zürich"}}
    with api([message(text("Let me look."), use, stop="tool_use"), message(text("Rain."))]) as server:
        chat = plugin(server)
        first = answered(chat, complete(tools=(WEATHER,)), streamed=streamed)
        assert (first.stop, first.tool_calls) == ("tools", (ToolCall(id="toolu_1", name="weather", arguments={"city": "Zürich"}),))
        turns = (
            *ASK,
            Message(role="assistant", text=first.text or "", tool_calls=first.tool_calls),
            Message(role="user", text="", tool_results=(ToolResult(call="toolu_1", text="no service", failed=True),)),
        )
        assert answered(chat, ChatRequest(task="complete", messages=turns, tools=(WEATHER,)), streamed=streamed).text == "Rain."
    tool = {"name": "weather", "description": "Says the weather.", "input_schema": WEATHER.parameters}
    assert [served.body["tools"] for served in server.served] == [[tool], [tool]]
    _, called, result = server.served[1].body["messages"]
    assert called == {"role": "assistant", "content": [text("Let me look."), use]}
    back = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no service", "is_error": True}
    assert result == {"role": "user", "content": [back]}


def test_a_tool_without_arguments_is_called_with_an_empty_object(streamed: bool) -> None:
    with api([message({"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}, stop="tool_use")]) as server:
        reply = answered(plugin(server), complete(tools=(WEATHER,)), streamed=streamed)
    assert reply.tool_calls == (ToolCall(id="toolu_1", name="weather", arguments={}),)


PASSAGES = (
    Passage(id="p1", text="\n Grass \U0001f33f is green. E\u0301t\u00e9 is hot!\nThe sky is 3.5 times blue", title="Colours"),
    Passage(id="p2", text=" \n"),
    Passage(id="p3", text="\u8349\u306f\u7dd1\u3002\u7a7a\u306f\u9752\u3002", origin="notes.txt"),
)


def located(source: str, start: int, end: int, words: str) -> dict[str, Any]:
    return {
        "type": "search_result_location",
        "source": source,
        "title": "t",
        "search_result_index": 0,
        "start_block_index": start,
        "end_block_index": end,
        "cited_text": words,
    }


def test_own_passages_are_cited_with_exact_positions(streamed: bool) -> None:
    words = [PASSAGES[0].text[start:end] for start, end in tiles(PASSAGES[0].text)]
    assert words == ["\n Grass \U0001f33f is green. ", "E\u0301t\u00e9 is hot!\n", "The sky is 3.5 times blue"]
    content = (
        text("Plain, "),
        text("green and hot", located("p1", 0, 2, "".join(words[:2])), located("p3", 1, 2, "\u7a7a\u306f\u9752\u3002")),
        text("blue", located("p1", 2, 3, words[2])),
    )
    with api([message(*content)]) as server:
        reply = answered(plugin(server), ChatRequest(task="cite", messages=ASK, passages=PASSAGES), streamed=streamed)
    assert reply.citations == (
        PassageCitation(passage="p1", start=0, end=len(words[0] + words[1]), text=words[0] + words[1], part=1),
        PassageCitation(passage="p3", start=4, end=8, text="\u7a7a\u306f\u9752\u3002", part=1),
        PassageCitation(passage="p1", start=len(words[0] + words[1]), end=len(PASSAGES[0].text), text=words[2], part=2),
    )
    sent = {passage.id: passage.text for passage in PASSAGES}
    assert all(sent[each.passage][each.start : each.end] == each.text for each in reply.citations)
    first, third = server.served[0].body["messages"][1]["content"]
    assert [block["text"] for block in first["content"]] == words
    assert (first["source"], first["title"], third["source"], third["title"]) == ("p1", "Colours", "p3", "notes.txt")
    assert [each["citations"] for each in (first, third)] == [{"enabled": True}] * 2


@pytest.mark.parametrize(
    "citation",
    [
        located("p1", 0, 9, "Grass is red."),
        located("p1", 2, 2, "Grass is red."),
        located("p1", -1, 1, "Grass is red."),
        located("elsewhere", 0, 1, "Grass is red."),
        {"type": "char_location", "cited_text": "Grass is red.", "document_index": 0, "start_char_index": 0, "end_char_index": 5},
    ],
)
def test_what_points_beyond_what_was_sent_has_no_position_and_keeps_its_words(citation: dict[str, Any]) -> None:
    with api([message(text("Red", citation))]) as server:
        (found,) = plugin(server).chat(request=ChatRequest(task="cite", messages=ASK, passages=PASSAGES)).citations
    assert found == PassageCitation(passage=citation.get("source", ""), text="Grass is red.")


@given(st.text(alphabet=st.sampled_from("ab.!? \n\u3002\u2026\U0001f33f\u0301"), max_size=40).filter(str.strip))
def test_tiles_cover_a_text_and_each_can_be_seen(words: str) -> None:
    pieces = tiles(words)
    assert "".join(words[start:end] for start, end in pieces) == words
    assert all(words[start:end].strip() for start, end in pieces)
    assert [end for _, end in pieces[:-1]] == [start for start, _ in pieces[1:]]


@pytest.mark.parametrize("task", ["ground", "cite"])
def test_prose_that_should_follow_a_schema_is_refused_before_it_is_asked_for(task: Any, streamed: bool) -> None:
    with api([message(text("x"))]) as server, pytest.raises(PluginError, match="prose"):
        answered(plugin(server), ChatRequest(task=task, messages=ASK, response_schema={"type": "object"}), streamed=streamed)
    assert server.served == []


def test_domains_to_include_and_to_exclude_are_refused_together() -> None:
    search = SearchQuery(text="q", include_domains=("a.example",), exclude_domains=("b.example",))
    with api([message(text("x"))]) as server, pytest.raises(PluginError, match="not both"):
        plugin(server).chat(request=ChatRequest(task="ground", messages=ASK, search=search))
    assert server.served == []


def test_a_call_that_is_not_wanted_sends_nothing(streamed: bool) -> None:
    with api([message(text("x"))]) as server, pytest.raises(CancelledError):
        answered(plugin(server, cancelled_after=0), complete(), streamed=streamed)
    assert server.served == []


def test_a_stream_that_nobody_reads_on_is_closed() -> None:
    with api([message(text("Marie Curie."))]) as server:
        pieces = plugin(server).stream(request=complete())
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]
        assert list(pieces) == []
