"""Claude Code and its API for tests: a stand-in for the program, a server on loopback that speaks the API's events, a context."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import httpx
import pytest
from veridical_contract import MissingSecretError

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CURIE = "https://example.org/curie"
RADIUM = "https://example.org/radium?a=1&b=2"
WORDS = "Marie and Pierre Curie discovered radium in December 1898..."
_SCOPE: ContextVar[list[bytes]] = ContextVar("scope")


class Program:
    """A stand-in for the program `claude` that plays one scenario."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.path = folder / "claude"
        self.path.write_text(f"#!{sys.executable} -IS\n" + Path(__file__).with_name("fake_claude.py").read_text())
        self.path.chmod(0o755)
        self.play("ok")

    def play(self, scenario: str, **plan: object) -> None:
        self.path.with_name("scenario.json").write_text(json.dumps({"scenario": scenario, **plan}))

    @property
    def given(self) -> dict[str, object]:
        return json.loads(self.path.with_name("given.json").read_text())

    def option(self, name: str) -> str:
        arguments = self.given["arguments"]
        return arguments[arguments.index(name) + 1]


class Context:
    """What the host gives to a plugin; a client of it sends nothing outside of the scope of a call."""

    def __init__(self, folder: Path, table: dict[str, object], secrets: dict[str, str]) -> None:
        self.name = "claude-code"
        self.cache_dir = self.data_dir = folder
        self.logger = logging.getLogger("veridical.plugins.claude-code")
        self._table = table
        self._secrets = secrets
        self._clients: list[httpx.AsyncClient] = []
        self.bodies: list[bytes] = []

    def now(self) -> datetime:
        return NOW

    def cancelled(self) -> bool:
        return False

    def settings(self, model):
        return model.model_validate(self._table)

    def secret(self, name: str) -> str:
        if name not in self._secrets:
            raise MissingSecretError(name)
        return self._secrets[name]

    def ahttp(self, **_: object) -> httpx.AsyncClient:
        async def record(reply: httpx.Response) -> None:
            scope = _SCOPE.get()
            await reply.aread()
            scope.append(reply.content)

        client = httpx.AsyncClient(event_hooks={"response": [record]}, trust_env=False)
        self._clients.append(client)
        return client

    def call(self, hook: Callable[..., Awaitable[object]], **arguments: object) -> object:
        """Call a hook as the host does."""

        async def within() -> object:
            _SCOPE.set(self.bodies)
            try:
                return await hook(**arguments)
            finally:
                for client in self._clients:
                    await client.aclose()

        return asyncio.run(within())


class Api:
    """An API on loopback; `answer` is called with the decoded request, and returns a status and a body."""

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, object]], tuple[int, bytes] | None] = lambda request: (200, stream(nested_events()))
        self.requests: list[tuple[str, dict[str, str], dict[str, object]]] = []
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments: object) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"] or 0))
                request = json.loads(body or b"{}")
                api.requests.append((self.path, dict(self.headers), request))
                answer = api.answer(request)
                if answer is None:
                    self.close_connection = True
                    return
                self.send_response(answer[0])
                self.send_header("content-type", "text/event-stream" if answer[1].startswith(b"event") else "application/json")
                self.send_header("content-length", str(len(answer[1])))
                self.end_headers()
                self.wfile.write(answer[1])

            do_GET = do_HEAD = do_POST  # noqa: N815 - the names in the standard library

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # a client that is ended goes away

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def stream(events: list[dict[str, object]]) -> bytes:
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode() for event in events)


def message_events(content: list[dict[str, object]], stop: str = "end_turn") -> list[dict[str, object]]:
    """Return the events of a message with these blocks, as the API sends them."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], "stop_reason": None}
    events: list[dict[str, object]] = [{"type": "message_start", "message": {**message, "usage": {"input_tokens": 10, "output_tokens": 1}}}]
    for index, block in enumerate(content):
        events += [*_block_events(block, index), {"type": "content_block_stop", "index": index}]
    searches = sum(block["type"] == "web_search_tool_result" for block in content)
    usage = {"output_tokens": 10, "server_tool_use": {"web_search_requests": searches}}
    return [*events, {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage}, {"type": "message_stop"}]


def _block_events(block: dict[str, object], index: int) -> Iterator[dict[str, object]]:
    delta = {"type": "content_block_delta", "index": index}
    if block["type"] == "text":
        yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
        for citation in block.get("citations", []):
            yield {**delta, "delta": {"type": "citations_delta", "citation": citation}}
        text = block["text"]
        yield from ({**delta, "delta": {"type": "text_delta", "text": part}} for part in (text[: len(text) // 2], text[len(text) // 2 :]))
    elif block["type"].endswith("tool_use"):
        yield {"type": "content_block_start", "index": index, "content_block": {**block, "input": {}}}
        yield {**delta, "delta": {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}}
    else:
        yield {"type": "content_block_start", "index": index, "content_block": block}


def nested_events() -> list[dict[str, object]]:
    """Return the reply to the web search: hits, a citation, and prose that mentions and forges what was never found."""
    citation = {"type": "web_search_result_location", "url": CURIE, "title": "Marie Curie", "encrypted_index": "x", "cited_text": WORDS}
    found = {"type": "web_search_result", "encrypted_content": "x", "page_age": None}
    return message_events(
        [
            {"type": "text", "text": "I'll search for that."},
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "radium https://echo.example/q"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srvtoolu_1",
                "content": [{**found, "url": CURIE, "title": "Marie Curie"}, {**found, "url": RADIUM, "title": "Radium"}],
            },
            {"type": "text", "text": "Radium was discovered in 1898 — «rádium»", "citations": [citation]},
            {"type": "text", "text": '. See https://invented.example/x\n\nLinks: [{"title":"Forged","url":"https://invented.example/x"}]'},
        ]
    )


@pytest.fixture
def program(tmp_path, monkeypatch) -> Program:
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return Program(tmp_path / "bin")


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        yield server


@pytest.fixture
def context(tmp_path, program) -> Callable[..., Context]:
    """Return a maker of contexts; without `base_url` nothing is recorded."""

    def make(secrets: dict[str, str] | None = None, **table: object) -> Context:
        if "base_url" not in table:
            table = {"proxy": False, **table}
        return Context(tmp_path, {"cli_path": str(program.path), **table}, secrets or {})

    return make
