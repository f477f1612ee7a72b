"""Every task over the real SDK, whole and streamed: what is sent, and what comes back."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import (
    CancelledError,
    ChatReply,
    ChatRequest,
    ConfigurationError,
    Draft,
    Message,
    Passage,
    PassageGroup,
    PluginError,
    ProviderError,
    SearchQuery,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
)
from veridical_google import GoogleChat
from veridical_google._calls import call_id, call_part

from plugins.google.tests.kit import KEY, Http, api, encoded, plugin, reply, text

ASK = (Message(role="system", text="Be brief."), Message(role="user", text="Who found radium?"))
DRAFT = {
    "themes": [{"group": "g1", "name": "Radium", "claims": [{"text": None, "quotes": [{"passage": "p1", "quote": "They found radium."}]}]}],
    "answers": [],
}


def complete(**more: Any) -> ChatRequest:
    return ChatRequest(task="complete", messages=ASK, **more)


def answered(chat: GoogleChat, request: ChatRequest, *, streamed: bool) -> ChatReply:
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


def test_text_comes_back_with_its_model_and_usage(streamed: bool) -> None:
    usage = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 90,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 5,
        "toolUsePromptTokenCount": 20,
        "totalTokenCount": 132,
    }
    with api([reply("Marie Curie \U0001f9ea e\u0301.", usageMetadata=usage)]) as server:
        found = answered(plugin(server), complete(max_output_tokens=99), streamed=streamed)
    assert found == ChatReply(
        text="Marie Curie \U0001f9ea e\u0301.",
        parts=("Marie Curie \U0001f9ea e\u0301.",),
        model="gemini-3.8-flash-001",
        usage=Usage(input_tokens=120, output_tokens=12, cached_tokens=90),
    )
    sent = server.served[0].body
    assert sent["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    assert sent["contents"] == [{"role": "user", "parts": [{"text": "Who found radium?"}]}]
    assert (sent["generationConfig"], "tools" in sent) == ({"maxOutputTokens": 99}, False)
    verb = "streamGenerateContent?alt=sse" if streamed else "generateContent"
    assert server.served[0].path == f"/v1beta/models/gemini-3.8-flash:{verb}"


def test_parts_keep_their_number_and_thoughts_are_no_text() -> None:
    thought = {"text": "Let me think.", "thought": True}
    code = {"executableCode": {"language": "PYTHON", "code": "1"}}
    with api([reply(thought, "Marie ", code, "Curie")]) as server:
        found = plugin(server).chat(request=complete())
    assert (found.parts, found.text) == (("", "Marie ", "", "Curie"), "Marie Curie")


def test_a_part_that_a_stream_sends_in_pieces_is_one() -> None:
    pieces = [
        {"text": "Hm", "thought": True},
        {"text": ", well", "thought": True},
        text("Marie "),
        text("Curie"),
        {"functionCall": {"name": "weather", "args": {}}},
        text("."),
    ]
    with api([Http(b"".join(b"data: " + encoded(reply(each)) + b"\r\n\r\n" for each in pieces), type="text/event-stream")]) as server:
        found = answered(plugin(server), complete(), streamed=True)
    assert (found.parts, found.stop) == (("", "Marie Curie", "", "."), "tools")


def test_a_key_goes_out_as_a_header_and_stands_in_no_repr(streamed: bool) -> None:
    with api([reply("Hello.")]) as server:
        chat = plugin(server, model="gemini-other", api_version="v1")
        found = answered(chat, complete(), streamed=streamed)
    assert KEY in str(server.served[0].headers)
    assert KEY not in repr(found) + repr(chat) + server.served[0].path + json.dumps(server.served[0].body)
    assert server.served[0].path.startswith("/v1/models/gemini-other:")
    assert chat.wire["chunks"].base_url == f"{server.url}/v1/models"


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("STOP", "end"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "refusal"),
        ("RECITATION", "refusal"),
        ("LANGUAGE", "refusal"),
        ("BLOCKLIST", "refusal"),
        ("PROHIBITED_CONTENT", "refusal"),
        ("SPII", "refusal"),
        ("OTHER", "refusal"),
        pytest.param("SOMETHING_NEW", "refusal", marks=pytest.mark.filterwarnings("ignore:SOMETHING_NEW is not a valid")),
    ],
)
def test_every_reason_to_stop_is_an_outcome(reason: str, stop: str, streamed: bool) -> None:
    with api([reply("Half a", finish=reason)]) as server:
        request = complete() if stop == "end" else complete(response_schema={"type": "object"})
        found = answered(plugin(server), request, streamed=streamed)
    assert (found.stop, found.text, found.structured, found.draft) == (stop, "Half a", None, None)


@pytest.mark.parametrize(
    "reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE"]
)
def test_what_went_wrong_between_model_and_api_is_a_failure(reason: str, streamed: bool) -> None:
    with api([reply("Half a", finish=reason)]) as server, pytest.raises(ProviderError) as raised:
        answered(plugin(server), complete(), streamed=streamed)
    assert raised.value.failure == "malformed"


def test_a_blocked_prompt_is_a_refusal(streamed: bool) -> None:
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "m", "usageMetadata": {"promptTokenCount": 3}}
    with api([blocked]) as server:
        found = answered(plugin(server), complete(), streamed=streamed)
    assert (found.stop, found.text, found.parts, found.usage.input_tokens) == ("refusal", "", (), 3)


@pytest.mark.parametrize("written", ['{"year": 1898}', '```json\n{"year": 1898}\n```', ' {"year":\n1898} '])
def test_a_schema_asks_for_json_and_its_reply_is_parsed(written: str, streamed: bool) -> None:
    schema = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}
    with api([reply(written)]) as server:
        found = answered(plugin(server), complete(response_schema=schema), streamed=streamed)
    assert (found.structured, found.stop) == ({"year": 1898}, "end")
    form = server.served[0].body["generationConfig"]
    assert (form["responseMimeType"], form["responseJsonSchema"]) == ("application/json", schema)


def test_a_schema_that_the_api_does_not_take_is_asked_for_in_words(streamed: bool) -> None:
    def script(body: dict[str, Any]) -> dict[str, Any] | Http:
        refusal = {"error": {"code": 400, "message": "schema produces too many states", "status": "INVALID_ARGUMENT"}}
        return Http(encoded(refusal), status=400) if "responseJsonSchema" in body["generationConfig"] else reply('{"year": 1898}')

    with api(script) as server:
        found = answered(plugin(server), complete(response_schema={"type": "object"}), streamed=streamed)
    assert found.structured == {"year": 1898}
    assert '{"type": "object"}' in server.served[1].body["contents"][-1]["parts"][-1]["text"]


def test_a_draft_is_composed_of_passages_that_are_shown_as_data(streamed: bool) -> None:
    request = ChatRequest(
        task="compose",
        messages=ASK,
        question="Who found radium?",
        passages=(Passage(id="p1", text="They found <radium> & more."),),
        groups=(PassageGroup(id="g1", passages=("p1",)),),
    )
    with api([reply(json.dumps(DRAFT))]) as server:
        found = answered(plugin(server), request, streamed=streamed)
    assert found.draft == Draft.model_validate_json(json.dumps(DRAFT))
    assert found.structured is None
    (asked,) = server.served[0].body["contents"][1]["parts"]
    assert '<passage id="p1">They found &lt;radium&gt; &amp; more.</passage>' in asked["text"]
    assert server.served[0].body["generationConfig"]["responseMimeType"] == "application/json"


WEATHER = Tool(name="weather", description="Says the weather.", parameters={"type": "object", "properties": {"city": {"type": "string"}}})


@pytest.mark.parametrize("named", [{"id": "call_1"}, {}], ids=["with-id", "without-id"])
def test_tools_go_round_trip_with_the_signature_of_the_thought(named: dict[str, str], streamed: bool) -> None:
    signature = base64.b64encode(b"\xff\xfe thought").decode()
    calls = [
        {"functionCall": {**named, "name": "weather", "args": {"city": "Zürich"}}, "thoughtSignature": signature},
        {"functionCall": {"name": "weather", "args": {}}},
    ]
    with api([reply("Let me look.", *calls), reply("Rain.")]) as server:
        chat = plugin(server)
        first = answered(chat, complete(tools=(WEATHER,)), streamed=streamed)
        assert first.stop == "tools"
        assert [(each.name, each.arguments) for each in first.tool_calls] == [("weather", {"city": "Zürich"}), ("weather", {})]
        results = (
            ToolResult(call=first.tool_calls[0].id, text="wet"),
            ToolResult(call=first.tool_calls[1].id, text="no service", failed=True),
        )
        turns = (
            *ASK,
            Message(role="assistant", text=first.text or "", tool_calls=first.tool_calls),
            Message(role="user", text="", tool_results=results),
        )
        assert answered(chat, ChatRequest(task="complete", messages=turns, tools=(WEATHER,)), streamed=streamed).text == "Rain."
    declared = {"name": "weather", "description": "Says the weather.", "parameters_json_schema": WEATHER.parameters}
    assert [served.body["tools"] for served in server.served] == [[{"functionDeclarations": [declared]}]] * 2
    _, called, result = server.served[1].body["contents"]
    back = calls[0]["thoughtSignature"]
    assert called["parts"][0] == {"text": "Let me look."}
    assert called["parts"][1]["functionCall"] == calls[0]["functionCall"]
    assert base64.urlsafe_b64decode(called["parts"][1]["thoughtSignature"]) == base64.b64decode(back)
    assert "thoughtSignature" not in called["parts"][2]
    assert result["parts"] == [
        {"functionResponse": {**named, "name": "weather", "response": {"result": "wet"}}},
        {"functionResponse": {"name": "weather", "response": {"error": "no service"}}},
    ]


@given(st.none() | st.text(), st.integers(0, 99), st.none() | st.binary())
def test_what_a_call_was_called_and_its_signature_come_back(given_id: str | None, number: int, signature: bytes | None) -> None:
    part = call_part(ToolCall(id=call_id(given_id, number, signature), name="t", arguments={}))
    assert (part["function_call"]["id"], part.get("thought_signature", b"")) == (given_id or None, signature or b"")


def test_a_conversation_that_began_elsewhere_keeps_its_identifiers() -> None:
    assert call_part(ToolCall(id="toolu_1", name="t", arguments={})) == {"function_call": {"id": "toolu_1", "name": "t", "args": {}}}


def test_a_result_that_answers_no_call_is_refused() -> None:
    turns = (Message(role="user", text="", tool_results=(ToolResult(call="x", text="wet"),)),)
    with api([reply("x")]) as server, pytest.raises(PluginError, match="nobody made"):
        plugin(server).chat(request=ChatRequest(task="complete", messages=turns))
    assert server.served == []


def test_a_question_that_nobody_asked_yet_is_asked() -> None:
    with api([reply("Marie Curie.")]) as server:
        plugin(server).chat(request=ChatRequest(task="ground", messages=(), question="Who found radium?"))
        plugin(server).chat(request=ChatRequest(task="ground", messages=ASK, question="Who found radium?"))
    asked = [{"role": "user", "parts": [{"text": "Who found radium?"}]}]
    assert [served.body["contents"] for served in server.served] == [asked, asked]


def test_citing_passages_is_refused_with_what_to_choose_instead(streamed: bool) -> None:
    with api([reply("x")]) as server, pytest.raises(ConfigurationError, match="anthropic"):
        answered(plugin(server), ChatRequest(task="cite", messages=ASK, passages=(Passage(id="p1", text="a"),)), streamed=streamed)
    assert server.served == []


@pytest.mark.parametrize(
    "more",
    [
        {"response_schema": {"type": "object"}},
        {"tools": (WEATHER,)},
        {"search": SearchQuery(text="q", include_domains=("a.example",))},
        {"search": SearchQuery(text="q", exclude_domains=("a.example",))},
    ],
)
def test_a_search_that_gemini_cannot_do_is_refused_before_it_is_asked_for(more: dict[str, Any]) -> None:
    with api([reply("x")]) as server, pytest.raises(PluginError):
        plugin(server).chat(request=ChatRequest(task="ground", messages=ASK, **more))
    assert server.served == []


def test_a_reply_that_is_to_be_continued_is_continued(streamed: bool) -> None:
    token = base64.b64encode(b"\x01\xffgo").decode()
    first = reply("Marie ", finish="CONTINUATION", continuationToken=token)
    with api([first, reply("Curie.")]) as server:
        found = answered(plugin(server), complete(), streamed=streamed)
    assert (found.text, found.parts, found.stop, found.usage.output_tokens) == ("Marie Curie.", ("Marie ", "Curie."), "end", 14)
    assert "continuationToken" not in server.served[0].body
    assert base64.urlsafe_b64decode(server.served[1].body["continuationToken"]) == b"\x01\xffgo"
    assert server.served[0].body["contents"] == server.served[1].body["contents"]


def test_a_reply_that_is_continued_for_ever_is_cut(streamed: bool) -> None:
    with api([reply("On.", finish="CONTINUATION", continuationToken="AQ==")]) as server:
        found = answered(plugin(server), complete(), streamed=streamed)
    assert (len(server.served), found.stop, found.text) == (9, "length", "On." * 9)


def test_a_call_that_is_not_wanted_sends_nothing(streamed: bool) -> None:
    with api([reply("x")]) as server, pytest.raises(CancelledError):
        answered(plugin(server, cancelled_after=0), complete(), streamed=streamed)
    assert server.served == []


def test_a_stream_that_nobody_reads_on_is_closed() -> None:
    with api([reply("Marie Curie.")]) as server:
        pieces = plugin(server).stream(request=complete())
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]
        assert list(pieces) == []
