"""What the tests of the plugin share: a loopback server that speaks chat completions, and a context over a plain transport.

A completion is written once, as the API sends it, and is served as one JSON document or as the pieces of a stream.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import httpx2
from veridical_contract import ChatDelta, ChatReply, ChatRequest, MissingSecretError, Model
from veridical_openai import OpenAIChat

_Settings = TypeVar("_Settings", bound=Model)
KEY = "sk-proj-Secret0123456789abcdefSecret"
NOW = datetime(2026, 11, 22, 6, 0, tzinfo=UTC)


@dataclass
class Context:
    """A plugin context over a plain transport."""

    table: Mapping[str, Any]
    secrets: Mapping[str, str] = field(default_factory=lambda: {"OPENAI_API_KEY": KEY})
    cancelled_after: int = 10**9
    asked: int = 0
    transports: list[httpx2.HTTPTransport] = field(default_factory=list)
    name: str = "openai"
    files: Any = None
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("test.openai"))

    @property
    def data_dir(self) -> Path:
        raise NotImplementedError

    cache_dir = data_dir

    def now(self) -> datetime:
        return NOW

    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked > self.cancelled_after

    def settings(self, model: type[_Settings]) -> _Settings:
        return model.model_validate_json(json.dumps(dict(self.table)))

    def secret(self, name: str) -> str:
        if name not in self.secrets:
            raise MissingSecretError(f"openai needs {name}, which is not set.")
        return self.secrets[name]

    def httpx2_transport(self) -> httpx2.BaseTransport:
        self.transports.append(httpx2.HTTPTransport())
        return self.transports[-1]

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> Any:
        raise NotImplementedError

    ahttp = httpx2_async_transport = requests_session = http


@dataclass(frozen=True)
class Asked:
    """A request as the server got it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Served:
    """A reply.

    Attributes:
        body: of the reply.
        status: of the reply.
        headers: besides its type and length.
        kind: media type.
        sized: whether the length is announced; otherwise the end of the connection is the end of the reply.
        wait: held back until it is set.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    sized: bool = True
    wait: threading.Event | None = None


@dataclass
class Server:
    """A server on loopback, and what it was asked."""

    base: str
    asked: list[Asked]


Answer = Callable[[Asked], Served]


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """Serve what `answer` says until the block is left."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append(Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            served = answer(asked[-1])
            if served.wait is not None:
                served.wait.wait(30)
            self.send_response(served.status)
            self.send_header("content-type", served.kind)
            self.send_header("connection", "close")
            if served.sized:
                self.send_header("content-length", str(len(served.body)))
            for name, value in served.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(served.body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_address[1]}/v1", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(message: Mapping[str, Any], finish: str | None = "stop", **usage: Any) -> dict[str, Any]:
    """Return a chat completion as the API sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1768703486,
        "model": "gpt-5.4-mini-2026-03-17",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, "refusal": None, "annotations": [], **message},
                "logprobs": None,
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": 19,
            "completion_tokens": 10,
            "total_tokens": 29,
            "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 8, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
            **usage,
        },
        "service_tier": "default",
        "system_fingerprint": None,
    }


def whole(reply: Mapping[str, Any]) -> Served:
    """Serve a completion as one document."""
    return Served(json.dumps(reply, ensure_ascii=False).encode())


def pieces(reply: Mapping[str, Any], *, usage: bool = True, size: int = 3) -> list[dict[str, Any]]:
    """Return a completion as the pieces of a stream: a few characters each, calls of tools by their index, the usage last."""
    (choice,) = reply["choices"]
    message = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "" if message["content"] is not None else None}]
    deltas += [{"content": piece} for piece in _cut(message["content"] or "", size)]
    deltas += [{"refusal": piece} for piece in _cut(message["refusal"] or "", size)]
    for index, call in enumerate(message.get("tool_calls") or ()):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        deltas.append({"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": {"name": name, "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in _cut(arguments, size)]
    base = {"id": reply["id"], "object": "chat.completion.chunk", "created": 1, "model": reply["model"]}
    chunks = [base | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}]} for delta in deltas]
    chunks.append(base | {"choices": [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": choice["finish_reason"]}]})
    return [*chunks, base | {"choices": [], "usage": reply["usage"]}] if usage else chunks


def sse(chunks: Iterable[Mapping[str, Any]], *, done: bool = True, **served: Any) -> Served:
    """Serve `chunks` as server-sent events, with a comment first, as OpenRouter sends one."""
    data = [json.dumps(chunk, ensure_ascii=False).encode() for chunk in chunks] + ([b"[DONE]"] if done else [])
    body = b": PROCESSING\n\n" + b"".join(b"data: " + each + b"\n\n" for each in data)
    return Served(body, **{"kind": "text/event-stream", "sized": False, **served})


def answering(reply: Mapping[str, Any]) -> Answer:
    """Serve a completion whole, or in pieces to whoever asks for a stream."""

    def answer(asked: Asked) -> Served:
        if not asked.body.get("stream"):
            return whole(reply)
        return sse(pieces(reply, usage=(asked.body.get("stream_options") or {}).get("include_usage", False)))

    return answer


def error(status: int, code: str | None = None, *, kind: str = "invalid_request_error", param: str | None = None, **headers: str) -> Served:
    """Serve an error as the API does, its words with a part of a key, which OpenAI's have."""
    body = {"error": {"message": f"Incorrect API key provided: {KEY}. {param or ''}", "type": kind, "param": param, "code": code}}
    return Served(json.dumps(body).encode(), status, {name.replace("_", "-"): value for name, value in headers.items()})


@contextmanager
def plugin(base: str, **table: Any) -> Iterator[OpenAIChat]:
    """Make the plugin over the server at `base`, without retries unless the table says so."""
    with made(Context({"base_url": base, "retries": 0, "timeout": 20.0, **table})) as chat:
        yield chat


@contextmanager
def made(context: Context) -> Iterator[OpenAIChat]:
    """Make the plugin with `context`, and close its transports."""
    try:
        yield OpenAIChat(context)
    finally:
        for transport in context.transports:
            transport.close()


def streamed(chat: OpenAIChat, request: ChatRequest) -> tuple[list[str], ChatReply]:
    """Return the texts and the reply of a stream, whose last piece alone has a reply."""
    *deltas, last = list(chat.stream(request))
    assert [ChatDelta(text=delta.text) for delta in deltas] == deltas
    assert last.text == ""
    assert last.reply is not None
    return [delta.text for delta in deltas], last.reply


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
