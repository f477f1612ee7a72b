"""The SDKs themselves, with the host's transports in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from veridical.wire.recording import async_transport, transport

from core.tests.wire.recording.clients import recorder
from core.tests.wire.recording.serving import Asked, chunked, reply, serving

httpx2 = pytest.importorskip("httpx2")


def _chunk(text: str) -> dict[str, Any]:
    delta = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [delta]}


def _openai(_: Asked) -> Iterator[bytes]:
    data = [f"data: {json.dumps(_chunk(text))}\n\n".encode() for text in ("Radium ", "glows.")]
    return chunked([*data, b"data: [DONE]\n\n"], kind="text/event-stream")


def test_openai_stops_at_the_last_event_and_the_reply_is_whole() -> None:
    openai = pytest.importorskip("openai")
    recording = recorder()
    with serving(_openai) as served:
        http = openai.DefaultHttpxClient(transport=transport(httpx2, recording))
        with (
            openai.OpenAI(api_key="k", base_url=f"{served.base}/v1", http_client=http, max_retries=0) as client,
            recording.call() as records,
        ):
            stream = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "What glows?"}], stream=True)
            text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    (record,) = records
    assert ("Radium glows.", True, None, True) == (text, record.whole, record.failure, record.body.endswith(b"[DONE]\n\n"))
    assert {"v1", "chat", "completions", "user", "What glows?", "m"} == {*record.asked}


EVENTS = [
    {
        "type": "message_start",
        "message": {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Radium glows."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]


def _anthropic(_: Asked) -> Iterator[bytes]:
    said = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in EVENTS]
    return chunked(said, kind="text/event-stream")


def test_anthropic_streams_to_an_asynchronous_client() -> None:
    anthropic = pytest.importorskip("anthropic")
    recording = recorder()

    async def ask(base: str) -> str:
        http = anthropic.DefaultAsyncHttpxClient(transport=async_transport(httpx2, recording))
        async with anthropic.AsyncAnthropic(api_key="k", base_url=base, http_client=http, max_retries=0) as client:
            asked = client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "What glows?"}])
            async with asked as stream:
                return "".join([text async for text in stream.text_stream])

    with serving(_anthropic) as served, recording.call() as records:
        assert "Radium glows." == asyncio.run(ask(served.base))
    assert [(True, 200, "utf-8")] == [(record.whole, record.status, record.encoding) for record in records]


@pytest.mark.parametrize("status", ["429 Slow", "529 Overloaded"])
def test_each_attempt_of_an_sdk_is_a_record(status: str) -> None:
    anthropic = pytest.importorskip("anthropic")
    recording = recorder()
    error = json.dumps({"type": "error", "error": {"type": "overloaded_error", "message": "no"}}).encode()
    with serving(lambda _: reply(error, "retry-after-ms: 1", status=status)) as served, recording.call() as records:
        http = anthropic.DefaultHttpxClient(transport=transport(httpx2, recording))
        client = anthropic.Anthropic(api_key="k", base_url=served.base, http_client=http, max_retries=2)
        with client, pytest.raises(anthropic.APIStatusError):
            client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "What glows?"}])
    failure = "rate-limit" if status.startswith("429") else "server"
    assert [(int(status[:3]), failure, 0.001)] * 3 == [(record.status, record.failure, record.retry_after) for record in records]


def test_an_sdk_outside_of_a_hook_call_sends_nothing_and_names_the_way_out() -> None:
    anthropic = pytest.importorskip("anthropic")
    with serving(lambda _: reply()) as served:
        http = anthropic.DefaultHttpxClient(transport=transport(httpx2, recorder()))
        client = anthropic.Anthropic(api_key="k", base_url=served.base, http_client=http, max_retries=0)
        with client, pytest.raises(anthropic.APIConnectionError) as caught:
            client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "What glows?"}])
        assert [] == served.asked
    assert "contextvars.copy_context().run" in f"{caught.value} {caught.value.__cause__}"


def test_an_error_in_a_stream_is_known_although_the_sdk_reads_no_further() -> None:
    openai = pytest.importorskip("openai")
    recording = recorder()
    error = b'data: {"error": {"message": "no", "type": "rate_limit_error", "code": 429}}\n\n'
    with serving(lambda _: chunked([error, b"data: more\n\n"], kind="text/event-stream")) as served, recording.call() as records:
        http = openai.DefaultHttpxClient(transport=transport(httpx2, recording))
        client = openai.OpenAI(api_key="k", base_url=served.base, http_client=http, max_retries=0)
        with client, pytest.raises(openai.APIError):
            [*client.chat.completions.create(model="m", messages=[{"role": "user", "content": "What glows?"}], stream=True)]
    assert [(200, "rate-limit")] == [(record.status, record.failure) for record in records]
