"""A small web on loopback: servers, names, addresses that lead to them, and a clock that only moves when somebody waits."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpcore
from veridical.wire.fetching import Fetcher, Limits

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
PUBLIC = "93.184.216.34"
OTHER = "93.184.216.35"


@dataclass
class Answer:
    """What a server says to one request. `raw` bytes go out as they are, without a header of ours."""

    body: bytes = b"<p>The battery died after a week of use.</p>"
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    raw: bytes | None = None


Site = Callable[[str, dict[str, str]], Answer]


class Server:
    """A server on loopback that answers as `site` says and remembers what it was asked."""

    def __init__(self, site: Site | None = None, *, tls: Any = None, family: socket.AddressFamily = socket.AF_INET) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.connections = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                answer = (site or robots_free)(self.path, server.asked[-1][1])
                if answer.raw is not None:
                    self.wfile.write(answer.raw)
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if "Transfer-Encoding" not in answer.headers and "Content-Length" not in answer.headers:
                    self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
                pass

        class Listening(ThreadingHTTPServer):
            address_family = family
            daemon_threads = True

            def get_request(self) -> tuple[Any, Any]:
                taken = super().get_request()
                server.connections += 1
                return taken

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # whoever stops reading early is right to

        self._server = Listening(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.01), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [path for path, _ in self.asked if path != "/robots.txt"]


def robots_free(path: str, _headers: dict[str, str]) -> Answer:
    return Answer(b"", 404) if path == "/robots.txt" else Answer()


def site(pages: dict[str, Answer]) -> Site:
    """Answer by path; robots.txt is not there unless it is given."""
    return lambda path, _headers: pages.get(path, Answer(b"", 404))


def redirect(to: str, status: int = 302) -> Answer:
    return Answer(b"", status, {"Location": to})


class Clock:
    """Seconds that pass only by waiting."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += seconds

    def now(self) -> datetime:
        return START + timedelta(seconds=self.at - 1000.0)


class Wires(httpcore.NetworkBackend):
    """Leads each address to a server on loopback, and what is not named to `rest`."""

    def __init__(self, leads: dict[str, Server], rest: Server | None = None) -> None:
        self._leads = leads
        self._rest = rest
        self.connected: list[tuple[str, int]] = []

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None, socket_options: Any = None
    ) -> httpcore.NetworkStream:
        self.connected.append((host, port))
        server = self._leads.get(f"{host}:{port}") or self._leads.get(host) or self._rest
        if server is None:
            raise httpcore.ConnectError(f"nobody listens at {host}")
        return httpcore.SyncBackend().connect_tcp("127.0.0.1", server.port, timeout)


@dataclass
class Names:
    """A resolver: what each name leads to, one list after the other when it is asked again."""

    table: dict[str, Sequence[Sequence[str]]]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        rows = self.table.get(host)
        if rows is None:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return list(rows[min(self.asked.count(host), len(rows)) - 1])


def fetcher(
    leads: dict[str, Server] | None = None,
    names: dict[str, Sequence[Sequence[str]]] | None = None,
    *,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    clock: Clock | None = None,
    backend: httpcore.NetworkBackend | None = None,
    **more: Any,
) -> Fetcher:
    """A fetcher on this small web; `leads` are the servers behind addresses."""
    clock = clock or Clock()
    return Fetcher(
        limits=limits,
        hosts=hosts,
        now=clock.now,
        monotonic=clock.monotonic,
        sleep=clock.sleep,
        resolver=Names(names if names is not None else {"a.example.com": [[PUBLIC]], "b.example.com": [[OTHER]]}),
        backend=backend or Wires(leads or {}),
        **more,
    )
