"""A server on this machine that writes what it is told, byte for byte, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Script = Callable[[Asked], bytes | Iterable[bytes]]


@dataclass
class Served:
    base: str = ""
    asked: list[Asked] = field(default_factory=list)


def reply(body: bytes = b"", *headers: str, status: str = "200 OK", kind: str = "application/json", length: int | None = None) -> bytes:
    """A whole HTTP message; `length` says another length than the body has, and -1 none at all."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *headers]
    if length != -1:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunked(
    pieces: Iterable[bytes], *headers: str, status: str = "200 OK", kind: str = "application/json", end: bool = True
) -> Iterator[bytes]:
    """A message whose body comes in chunks, each when it is there."""
    yield reply(b"", "Transfer-Encoding: chunked", *headers, status=status, kind=kind, length=-1)
    for piece in pieces:
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    if end:
        yield b"0\r\n\r\n"


@contextmanager
def serving(script: Script) -> Iterator[Served]:
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline(65537)
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = Asked(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            served.asked.append(asked)
            said = script(asked)
            try:
                for piece in [said] if isinstance(said, bytes) else said:
                    self.wfile.write(piece)
                    self.wfile.flush()
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client had enough
            self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served.base = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
