"""What the tests of the plugin share: a loopback server that speaks the Messages API, a context, and the host's proof of a place.

A message, as the API sends it, is served as one JSON document or as the events of a stream, whichever the request asks for.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from veridical.kernel.derivation import values_at
from veridical.kernel.wire import Exchange, WireRefused, prove
from veridical_anthropic import AnthropicChat
from veridical_contract import GroundingChunk, Model, WireMap, WirePlace

_Settings = TypeVar("_Settings", bound=Model)
KEY = "sk-ant-secret-0123456789"


@dataclass
class Context:
    """A plugin context over a plain transport."""

    table: Mapping[str, Any]
    cancelled_after: int = 10**9
    asked: int = 0
    transports: list[httpx2.HTTPTransport] = field(default_factory=list)
    name: str = "anthropic"
    files: Any = None
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("test.anthropic"))

    @property
    def data_dir(self) -> Path:
        raise NotImplementedError

    cache_dir = data_dir

    def now(self) -> datetime:
        return datetime(2026, 11, 22, 6, 0, tzinfo=UTC)

    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked > self.cancelled_after

    def settings(self, model: type[_Settings]) -> _Settings:
        return model.model_validate(self.table)

    def secret(self, name: str) -> str:
        assert name == "ANTHROPIC_API_KEY"
        return KEY

    def httpx2_transport(self) -> httpx2.BaseTransport:
        self.transports.append(httpx2.HTTPTransport())
        return self.transports[-1]

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> Any:
        raise NotImplementedError

    ahttp = httpx2_async_transport = requests_session = http


@dataclass(frozen=True)
class Served:
    """A request and the reply to it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    status: int
    sent: bytes


@dataclass(frozen=True)
class Http:
    """A reply as it goes over the wire; a slow one takes a second."""

    body: bytes = b""
    status: int = 200
    type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    slow: bool = False


Script = Sequence[dict[str, Any] | Http] | Callable[[dict[str, Any]], dict[str, Any] | Http]


class Api(ThreadingHTTPServer):
    """The API on loopback. Serves the replies of its script, one after another; a function is asked for each."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._script = script
        self.served: list[Served] = []
        self.contexts: list[Context] = []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def reply(self, body: dict[str, Any]) -> Http:
        answer = self._script(body) if callable(self._script) else self._script[min(len(self.served), len(self._script) - 1)]
        if isinstance(answer, Http):
            return answer
        return Http(stream(answer), type="text/event-stream; charset=utf-8") if body.get("stream") else Http(encoded(answer))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def log_message(self, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.reply(body)
        self.server.served.append(Served(self.path, dict(self.headers), body, reply.status, reply.body))
        if reply.slow:
            time.sleep(1.0)
        self._send(reply)

    def _send(self, reply: Http) -> None:
        self.send_response(reply.status)
        self.send_header("content-type", reply.type)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        try:
            self.wfile.write(reply.body)
        except OSError:
            return


@contextmanager
def api(script: Script) -> Iterator[Api]:
    server = Api(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        for transport in (each for context in server.contexts for each in context.transports):
            transport.close()
        server.shutdown()
        server.server_close()


def plugin(server: Api, *, cancelled_after: int = 10**9, **table: Any) -> AnthropicChat:
    server.contexts.append(Context({"base_url": server.url, "retries": 0, **table}, cancelled_after=cancelled_after))
    return AnthropicChat(server.contexts[-1])


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def message(*content: dict[str, Any], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    """A message as the API sends it."""
    return {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        **more,
    }


def text(words: str, *citations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": words, **({"citations": list(citations)} if citations else {})}


def stream(whole: Mapping[str, Any]) -> bytes:
    """The events that make up a message, with pings between them, as the API sends them."""
    return b"".join(f"event: {each['type']}\ndata: ".encode() + encoded(each) + b"\n\n" for each in _events(whole))


def _events(whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    usage = {**whole["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None, "usage": usage}}
    yield {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": _empty(block)}
        yield from ({"type": "content_block_delta", "index": index, "delta": each} for each in _deltas(block))
        yield {"type": "content_block_stop", "index": index}
        yield {"type": "ping"}
    last = {name: value for name, value in whole["usage"].items() if name != "input_tokens"}
    yield {"type": "an_event_of_tomorrow"}
    yield {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}, "usage": last}
    yield {"type": "message_stop"}


def _empty(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "text":
        return {"type": "text", "text": "", **({"citations": []} if block.get("citations") else {})}
    if block["type"] == "thinking":
        return {"type": "thinking", "thinking": "", "signature": ""}
    return {**block, "input": {}} if "input" in block else block


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for citation in block.get("citations") or ():
        yield {"type": "citations_delta", "citation": citation}
    if block["type"] == "text":
        half = len(block["text"]) // 2
        yield from ({"type": "text_delta", "text": part} for part in (block["text"][:half], block["text"][half:]))
    if block["type"] == "thinking":
        half = len(block["thinking"]) // 2
        yield from ({"type": "thinking_delta", "thinking": part} for part in (block["thinking"][:half], block["thinking"][half:]))
        yield {"type": "signature_delta", "signature": block["signature"]}
        yield {"type": "a_delta_of_tomorrow"}
    if "input" in block:
        written = json.dumps(block["input"])
        yield from ({"type": "input_json_delta", "partial_json": part} for part in ("", written[:5], written[5:]))


def proved(chat: AnthropicChat, server: Api, place: WirePlace) -> list[dict[str, str]]:
    """What the host finds at `place`, in each of the replies that hold it."""
    return [found for each in server.served if (found := _found(chat.wire[place.map], place, server.url + each.path, each))]


def _found(wire: WireMap, place: WirePlace, url: str, served: Served) -> dict[str, str]:
    exchange = Exchange(url=url, asked=(), status=served.status, whole=True, body=served.sent)
    try:
        derivation = prove(wire, place, exchange)
    except (WireRefused, ValueError):
        return {}
    return dict(values_at(served.sent, derivation, derivation.pointers))


def assert_proved(chat: AnthropicChat, server: Api, chunk: GroundingChunk) -> None:
    """The URL and title of a chunk are what stands at its place."""
    found = proved(chat, server, chunk.place)
    assert (chunk.url, chunk.title) in [(each["url"], each.get("title")) for each in found]


def needs(path: Path) -> Path:
    """A captured reply, or a visible skip."""
    if not path.exists():
        pytest.skip(f"the captured reply {path.name} is not here")
    return path


CAPTURED = Path(__file__).parents[4] / "shared" / "data" / "wire"
