"""What the tests of the plugin share: a loopback server that speaks the Gemini API, a context, and the host's proof of a place.

A reply, as the API sends it, is served as one JSON document or as the events of a stream, whichever the request asks for.
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
from veridical_contract import GroundingChunk, MissingSecretError, Model, WireMap, WirePlace
from veridical_google import GoogleChat

_Settings = TypeVar("_Settings", bound=Model)
KEY = "AIza-secret-0123456789"


@dataclass
class Context:
    """A plugin context over a plain transport."""

    table: Mapping[str, Any]
    cancelled_after: int = 10**9
    asked: int = 0
    transports: list[httpx2.HTTPTransport] = field(default_factory=list)
    secrets: Mapping[str, str] = field(default_factory=lambda: {"GEMINI_API_KEY": KEY})
    name: str = "google"
    files: Any = None
    logger: logging.Logger = field(default_factory=lambda: logging.getLogger("test.google"))

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
        if name not in self.secrets:
            raise MissingSecretError(f"google needs {name}, which is not set.")
        return self.secrets[name]

    def httpx2_transport(self) -> httpx2.BaseTransport:
        self.transports.append(httpx2.HTTPTransport())
        return self.transports[-1]

    def httpx2_async_transport(self) -> httpx2.AsyncBaseTransport:
        return httpx2.AsyncHTTPTransport()

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> Any:
        raise NotImplementedError

    ahttp = requests_session = http


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

    def reply(self, body: dict[str, Any], *, streamed: bool) -> Http:
        answer = self._script(body) if callable(self._script) else self._script[min(len(self.served), len(self._script) - 1)]
        if isinstance(answer, Http):
            return answer
        return Http(stream(answer), type="text/event-stream") if streamed else Http(encoded(answer))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def log_message(self, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.reply(body, streamed=":streamGenerateContent" in self.path)
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


def plugin(server: Api, *, cancelled_after: int = 10**9, **table: Any) -> GoogleChat:
    server.contexts.append(Context({"base_url": server.url, "retries": 0, **table}, cancelled_after=cancelled_after))
    return GoogleChat(server.contexts[-1])


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def reply(
    *parts: dict[str, Any] | str, finish: str | None = "STOP", grounding: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """A reply as the API sends it."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": [text(each) if isinstance(each, str) else each for each in parts]}}
    candidate |= {"index": 0, "finishReason": finish, "groundingMetadata": grounding}
    candidate |= {name: more.pop(name) for name in ("continuationToken",) if name in more}
    return {
        "candidates": [{name: value for name, value in candidate.items() if value is not None}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
        "modelVersion": "gemini-3.8-flash-001",
        "responseId": "resp_1",
        **more,
    }


def text(words: str) -> dict[str, Any]:
    return {"text": words}


def stream(whole: Mapping[str, Any]) -> bytes:
    """The events that make up a reply: text in halves, what it rests on and why it ended in the last."""
    return b"".join(b"data: " + encoded(each) + b"\r\n\r\n" for each in _events(whole))


def _events(whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    rest = {name: value for name, value in whole.items() if name != "candidates"}
    if not whole.get("candidates"):
        yield dict(whole)
        return
    (candidate,) = whole["candidates"]
    for part in candidate.get("content", {}).get("parts", []):
        for piece in _halves(part):
            yield {"candidates": [{"content": {"role": "model", "parts": [piece]}, "index": 0, "groundingMetadata": {}}], **rest}
    last = {name: value for name, value in candidate.items() if name != "content"}
    yield {"candidates": [last], **rest}


def _halves(part: dict[str, Any]) -> list[dict[str, Any]]:
    words = part.get("text", "")
    return [{**part, "text": words[: len(words) // 2]}, {**part, "text": words[len(words) // 2 :]}] if words else [part]


def proved(chat: GoogleChat, server: Api, place: WirePlace) -> list[dict[str, str]]:
    """What the host finds at `place`, in each of the replies that hold it."""
    return [found for each in server.served if (found := _found(chat.wire[place.map], place, server.url + each.path, each))]


def _found(wire: WireMap, place: WirePlace, url: str, served: Served) -> dict[str, str]:
    exchange = Exchange(url=url, asked=(), status=served.status, whole=True, body=served.sent)
    try:
        derivation = prove(wire, place, exchange)
    except (WireRefused, ValueError):
        return {}
    return dict(values_at(served.sent, derivation, derivation.pointers))


def assert_proved(chat: GoogleChat, server: Api, chunk: GroundingChunk) -> None:
    """The URL and title of a chunk are what stands at its place."""
    found = proved(chat, server, chunk.place)
    assert (chunk.url, chunk.title) in [(each["url"], each.get("title")) for each in found]


def needs(path: Path) -> Path:
    """A captured reply, or a visible skip."""
    if not path.exists():
        pytest.skip(f"the captured reply {path.name} is not here")
    return path


CAPTURED = Path(__file__).parents[4] / "shared" / "data" / "wire"
