"""A service on loopback: it answers as a test says, keeps what it was asked, and can hang, hang up and cut its answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

__all__ = ["Answer", "Asked", "Service", "as_json", "dropped", "service"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came in.

    Attributes:
        method: of it.
        path: without the query.
        query: each parameter with its one value.
        headers: names in lower case.
        body: of it.
    """

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        """The body, a form, each field with its one value."""
        return _single(self.body.decode())


@dataclass(frozen=True, slots=True)
class Answer:
    """What to answer.

    Attributes:
        body: of it.
        status: of it; 0 hangs up without an answer.
        headers: besides Content-Length.
        cut: bytes that are announced and never sent.
    """

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: int = 0


@dataclass(slots=True)
class Service:
    """A running service.

    Attributes:
        url: of its root, without a slash at the end.
        answer: called with each request; None hangs until the test is over.
        asked: the requests so far.
        released: set when the test is over: who hangs, waits for it.
    """

    url: str
    answer: Callable[[Asked], Answer | None]
    asked: list[Asked] = field(default_factory=list[Asked])
    released: threading.Event = field(default_factory=threading.Event)


def as_json(value: object, status: int = 200, **headers: str) -> Answer:
    """An answer of JSON; an underscore in the name of a header is a hyphen."""
    named = {name.replace("_", "-"): said for name, said in headers.items()}
    return Answer(json.dumps(value, ensure_ascii=False).encode(), status, {"Content-Type": "application/json", **named})


def dropped() -> Answer:
    """Hang up without an answer."""
    return Answer(status=0)


@contextmanager
def service(answer: Callable[[Asked], Answer | None]) -> Generator[Service]:
    """Run a service on loopback until the end of the block."""

    class _Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the standard library
            pass

        def _serve(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Asked(self.command, parts.path, _single(parts.query), headers, self.rfile.read(length))
            running.asked.append(request)
            reply = running.answer(request)
            if reply is None:
                running.released.wait(30)
            if reply is None or not reply.status:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(reply.body) + reply.cut), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    running = Service(f"http://127.0.0.1:{server.server_port}", answer)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield running
    finally:
        running.released.set()
        server.shutdown()
        server.server_close()


def _single(query: str) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(query, keep_blank_values=True).items()}
