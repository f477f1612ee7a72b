"""Tasks, replies and ends of replies, whole and streamed, through the SDK and a real connection."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import (
    CancelledError,
    ChatRequest,
    Draft,
    DraftAnswer,
    DraftClaim,
    DraftQuote,
    DraftTheme,
    Message,
    Passage,
    PassageGroup,
    PluginError,
    ProviderError,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
)
from veridical_openai._replies import events

from plugins.openai.tests.kit import KEY, Context, answering, completion, made, pieces, plugin, serving, sse, streamed, whole

SCHEMA = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"], "additionalProperties": False}
ASK = ChatRequest(task="complete", messages=(Message(role="system", text="Be brief."), Message(role="user", text="Who found radium?")))
ASK_JSON = ASK.model_copy(update={"response_schema": SCHEMA})
COMPOSE = ChatRequest(
    task="compose",
    messages=(Message(role="system", text="Preamble."), Message(role="user", text="Name the themes.")),
    question="What of radium?",
    must_address=("When?",),
    passages=(Passage(id="p1", text="Radium was found in 1898 & isolated later."),),
    groups=(PassageGroup(id="g1", passages=("p1",)),),
)
DRAFT = Draft(
    themes=(DraftTheme(group="g1", name="Discovery", claims=(DraftClaim(quotes=(DraftQuote(passage="p1", quote="found in 1898"),)),)),),
    answers=(DraftAnswer(question=0),),
)
WEATHER = Tool(name="weather", description="The weather.", parameters={"type": "object", "properties": {"city": {"type": "string"}}})
CALLS = [
    {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Zürich"}'}},
    {"id": "call_2", "type": "function", "function": {"name": "weather", "arguments": ""}},
]
USAGE = Usage(input_tokens=19, output_tokens=10, cached_tokens=4, written_tokens=8)
ENDS: list[tuple[dict[str, Any], str, ChatRequest, dict[str, Any]]] = [
    ({"content": "Marie Curie."}, "stop", ASK, {"text": "Marie Curie.", "stop": "end"}),
    ({"content": "Marie C"}, "length", ASK, {"text": "Marie C", "stop": "length"}),
    ({"content": None}, "length", ASK, {"text": None, "stop": "length"}),
    ({"content": "I"}, "content_filter", ASK, {"text": "I", "stop": "refusal"}),
    ({"refusal": "I cannot help."}, "stop", ASK, {"text": "I cannot help.", "stop": "refusal"}),
    ({"content": '{"i": 1}'}, "stop", ASK_JSON, {"text": '{"i": 1}', "structured": {"i": 1}, "stop": "end"}),
    ({"content": '```json\n{"i": 1}\n```'}, "stop", ASK_JSON, {"structured": {"i": 1}, "stop": "end"}),
    ({"content": '{"i": "a\nb"}'}, "stop", ASK_JSON, {"structured": {"i": "a\nb"}, "stop": "end"}),
    ({"content": '{"i": 1'}, "length", ASK_JSON, {"text": '{"i": 1', "structured": None, "stop": "length"}),
    ({"refusal": "No."}, "stop", ASK_JSON, {"structured": None, "stop": "refusal"}),
    ({"content": DRAFT.model_dump_json()}, "stop", COMPOSE, {"draft": DRAFT, "stop": "end"}),
    ({"content": '{"themes": ['}, "length", COMPOSE, {"draft": None, "stop": "length"}),
    (
        {"tool_calls": CALLS},
        "tool_calls",
        ASK,
        {
            "tool_calls": (
                ToolCall(id="call_1", name="weather", arguments={"city": "Zürich"}),
                ToolCall(id="call_2", name="weather", arguments={}),
            ),
            "stop": "tools",
            "text": None,
        },
    ),
    ({"tool_calls": CALLS[:1], "content": "Let me see."}, "stop", ASK, {"stop": "tools", "text": "Let me see."}),
    (
        {"tool_calls": [{"id": "c", "type": "function", "function": {"name": "weather", "arguments": '{"ci'}}]},
        "length",
        ASK,
        {"tool_calls": (), "stop": "length"},
    ),
]


@pytest.mark.parametrize(("message", "finish", "request_", "expected"), ENDS)
def test_a_reply_is_read_and_a_stream_of_it_gives_the_same(
    message: dict[str, Any], finish: str, request_: ChatRequest, expected: dict[str, Any]
) -> None:
    with serving(answering(completion(message, finish))) as server, plugin(server.base) as chat:
        reply = chat.chat(request_)
        texts, last = streamed(chat, request_)
    found = reply.model_dump()
    wanted = {name: value.model_dump() if isinstance(value, Draft) else value for name, value in expected.items() if name != "tool_calls"}
    assert wanted == {name: found[name] for name in wanted}
    assert expected.get("tool_calls", reply.tool_calls) == reply.tool_calls
    assert ("gpt-5.4-mini-2026-03-17", USAGE) == (reply.model, reply.usage)
    assert (reply, reply.text or "") == (last, "".join(texts))
    assert reply.parts == ((reply.text,) if reply.text else ())


@pytest.mark.parametrize(
    ("message", "finish", "request_"),
    [
        ({"content": ""}, "stop", ASK),
        ({"content": None}, "tool_calls", ASK),
        ({"content": "Marie"}, "insufficient_system_resource", ASK),
        ({"content": "Marie"}, None, ASK),
        ({"content": "It is one."}, "stop", ASK_JSON),
        ({"content": '{"i": NaN}'}, "stop", ASK_JSON),
        ({"content": "[" * 100_000 + "]"}, "stop", ASK_JSON),
        ({"content": "I found nothing."}, "stop", COMPOSE),
        ({"content": 7}, "stop", ASK),
        ({"tool_calls": [{"id": "c", "function": {"name": "weather", "arguments": "city"}}]}, "tool_calls", ASK),
        ({"tool_calls": [{"id": "c", "function": {"name": "weather", "arguments": "[1]"}}]}, "tool_calls", ASK),
    ],
)
def test_a_reply_that_is_no_answer_is_an_error_and_not_a_short_answer(
    message: dict[str, Any], finish: str | None, request_: ChatRequest
) -> None:
    with (
        serving(lambda _: whole(completion(message, finish))) as server,
        plugin(server.base) as chat,
        pytest.raises(ProviderError) as caught,
    ):
        chat.chat(request_)
    assert ("malformed", 1) == (caught.value.failure, len(str(caught.value).splitlines()))


def test_what_is_asked_goes_over_the_wire() -> None:
    with (
        serving(answering(completion({"content": "Marie Curie."}))) as server,
        plugin(server.base, model="m", parameters={"temperature": 0, "reasoning_effort": "low"}) as chat,
    ):
        chat.chat(ASK.model_copy(update={"max_output_tokens": 77}))
        list(chat.stream(ASK))
    first, second = server.asked
    assert {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who found radium?"}],
        "max_tokens": 77,
        "temperature": 0,
        "reasoning_effort": "low",
    } == first.body
    assert ("/v1/chat/completions", f"Bearer {KEY}") == (first.path, first.headers["authorization"])
    assert (True, {"include_usage": True}) == (second.body["stream"], second.body["stream_options"])


def test_compose_shows_the_passages_in_the_last_turn_and_asks_for_a_draft() -> None:
    with serving(answering(completion({"content": DRAFT.model_dump_json()}))) as server, plugin(server.base) as chat:
        assert DRAFT == chat.chat(COMPOSE).draft
    (asked,) = server.asked
    assert ["system", "user"] == [message["role"] for message in asked.body["messages"]]
    last = asked.body["messages"][-1]["content"]
    assert last.startswith("Name the themes.\n\n")
    assert '<passage id="p1">Radium was found in 1898 &amp; isolated later.</passage>' in last
    form = asked.body["response_format"]
    assert ("json_schema", True) == (form["type"], form["json_schema"]["strict"])
    quote = form["json_schema"]["schema"]["$defs"]["DraftTheme"]
    assert (["group", "name", "name_quote", "claims"], False) == (quote["required"], quote["additionalProperties"])


def test_tools_and_their_results_go_both_ways() -> None:
    messages = (
        *ASK.messages,
        Message(role="assistant", text="", tool_calls=(ToolCall(id="call_1", name="weather", arguments={"city": "Zürich"}),)),
        Message(
            role="user", text="Go on.", tool_results=(ToolResult(call="call_1", text="Fog"), ToolResult(call="x", text="4", failed=True))
        ),
    )
    with serving(answering(completion({"content": "Fog."}))) as server, plugin(server.base) as chat:
        chat.chat(ASK.model_copy(update={"messages": messages, "tools": (WEATHER,)}))
    (asked,) = server.asked
    function = {"name": "weather", "description": "The weather.", "parameters": WEATHER.parameters}
    assert [{"type": "function", "function": function}] == asked.body["tools"]
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Zürich"}'}}
    assert [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Fog"},
        {"role": "tool", "tool_call_id": "x", "content": "The tool failed: 4"},
        {"role": "user", "content": "Go on."},
    ] == asked.body["messages"][2:]


@pytest.mark.parametrize("calls", [CALLS, CALLS[:1]])
def test_calls_without_an_index_are_told_apart_by_their_identifiers(calls: list[dict[str, Any]]) -> None:
    """Gemini's and some other servers send each call whole, in a piece of its own."""
    chunks = pieces(completion({"content": None}, "tool_calls"))
    chunks[1:1] = [{**chunks[0], "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]} for call in calls]
    with serving(lambda _: sse(chunks)) as server, plugin(server.base) as chat:
        _, reply = streamed(chat, ASK)
    assert [call["id"] for call in calls] == [call.id for call in reply.tool_calls]


def test_characters_of_every_kind_pass_unharmed() -> None:
    """U+2028, U+0085 and U+001C end no line of a stream; characters outside the BMP are not cut."""
    text = "Curie \u2028\u2029\x85 naïve 鐳 😀 \u0301 \u202e end\x1c\x0b"
    with serving(answering(completion({"content": text}))) as server, plugin(server.base) as chat:
        reply = chat.chat(ASK.model_copy(update={"messages": (Message(role="user", text=text),)}))
        texts, last = streamed(chat, ASK)
    assert (text, text, text) == (reply.text, "".join(texts), last.text)
    assert text == server.asked[0].body["messages"][0]["content"]


@pytest.mark.parametrize(("task", "instead"), [("ground", "search plugin"), ("cite", "`compose`")])
def test_a_task_that_the_api_has_no_means_for_says_what_to_use_instead(task: str, instead: str) -> None:
    request = ChatRequest.model_validate(ASK.model_dump() | {"task": task})
    with serving(answering(completion({"content": "x"}))) as server, plugin(server.base) as chat:
        for ask in (chat.chat, lambda each: list(chat.stream(each))):
            with pytest.raises(PluginError, match=instead) as caught:
                ask(request)
            assert not isinstance(caught.value, ProviderError)
    assert [] == server.asked


def test_a_call_that_is_cancelled_sends_nothing() -> None:
    with serving(answering(completion({"content": "x"}))) as server, made(Context({"base_url": server.base}, cancelled_after=0)) as chat:
        with pytest.raises(CancelledError):
            chat.chat(ASK)
        with pytest.raises(CancelledError):
            list(chat.stream(ASK))
    assert [] == server.asked


def test_a_stream_that_is_left_early_closes_its_connection() -> None:
    with serving(answering(completion({"content": "Marie Curie."}))) as server, plugin(server.base) as chat:
        found = chat.stream(ASK)
        next(found)
        found.close()  # pyright: ignore[reportAttributeAccessIssue]
        assert "Marie Curie." == chat.chat(ASK).text


@given(st.text(), st.integers(1, 7), st.data())
def test_a_stream_is_read_the_same_however_its_bytes_are_cut(text: str, size: int, data: st.DataObject) -> None:
    """Pieces of the text and of the bytes have nothing to do with each other, nor has CR LF."""
    served = sse(pieces(completion({"content": text}), size=size)).body
    body = served.replace(b"\n", b"\r\n") if data.draw(st.booleans()) else served
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=20)))
    chunks = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    found = [choice.delta for piece in events(chunks) for choice in piece.choices or ()]
    assert text == "".join(delta.content or "" for delta in found if delta is not None)


@given(st.data())
def test_a_stream_that_is_cut_anywhere_is_an_error(data: st.DataObject) -> None:
    body = sse(pieces(completion({"content": json.dumps(["Marie", "é"])}))).body
    cut = data.draw(st.integers(0, len(body) - len(b"\n\n") - 1))
    with pytest.raises(ProviderError):
        list(events([body[:cut]]))
