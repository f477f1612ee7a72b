"""Sockets, signals, and what uvicorn does before there is a request.

A first SIGTERM or SIGINT lets nobody in any more, finishes what is under way, and ends with exit code 0; a second SIGINT ends at once.
"""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import threading
import uuid
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import ClassVar, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from veridical.cli import codes
from veridical_contract import ConfigurationError

from .edge import log_unread
from .problems import Refused, problem_response

__all__ = ["Server", "bind", "is_loopback", "serve", "url"]

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class _Protocol(H11Protocol):
    """uvicorn's: what is no request is refused with a problem, and nobody holds a connection without asking something.

    Attributes:
        head_seconds: in which the head of a request has to come, after its connection was made.
    """

    head_seconds: ClassVar[float] = 30

    def connection_made(self, transport: object) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait_for_head(self.head_seconds)

    def data_received(self, data: bytes) -> None:
        # uvicorn forgets its own time limit at the first byte of a head.
        waiting = self.timeout_keep_alive_task
        left = waiting.when() - self.loop.time() if waiting is not None else 0.0
        super().data_received(data)
        between = not self.transport.is_closing() and (not self.cycle or self.cycle.response_complete)
        if self.timeout_keep_alive_task is None and between:
            self._wait_for_head(max(left, 0.0))

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words
        name = uuid.uuid4().hex
        response = problem_response(Refused("malformed"), name)
        headers = [*response.raw_headers, (b"x-request-id", name.encode()), (b"connection", b"close")]
        log_unread(name, self.client, len(response.body))
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=bytes(response.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait_for_head(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)


class Server(uvicorn.Server):
    """uvicorn's: a signal that stopped it is not raised again, so that it ends with code 0.

    Args:
        app: the service.
        started: called once it listens.
    """

    def __init__(self, app: ASGIApp, started: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_Protocol,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=30,
            )
        )
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self._tell()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop at a signal; in another thread than the main one nobody gets any."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def bind(host: str, port: int) -> Generator[list[socket.socket]]:
    """Give a socket for each address of `host`; they are closed at the end of the block.

    Raises:
        ConfigurationError: there is no such host, or the port is taken.
    """
    with ExitStack() as opened:
        try:
            bound = [opened.enter_context(socket.socket(family, socket.SOCK_STREAM)) for family, _ in _addresses(host)]
            for listening, (family, address) in zip(bound, _addresses(host), strict=True):
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                # With port 0 the first address has the choice, and the others follow.
                listening.bind((address, port or (0 if listening is bound[0] else bound[0].getsockname()[1])))
        except OSError as error:
            raise ConfigurationError(
                f"{host} port {port} cannot be listened on: {error.strerror or error}.", hint="Choose another with --host or --port."
            ) from error
        yield bound


def _addresses(host: str) -> list[tuple[socket.AddressFamily, str]]:
    try:
        version = ipaddress.ip_address(host).version
    except ValueError:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return list(dict.fromkeys((family, str(address[0])) for family, _, _, _, address in found))
    return [(socket.AF_INET if version == 4 else socket.AF_INET6, host)]


def is_loopback(bound: list[socket.socket]) -> bool:
    """Whether only this machine can reach the sockets."""
    return all(ipaddress.ip_address(one.getsockname()[0].partition("%")[0]).is_loopback for one in bound)


def url(bound: socket.socket) -> str:
    """Return the address of the service at a socket."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: ASGIApp, bound: list[socket.socket], started: Callable[[], None]) -> None:
    """Serve until a signal comes, and then until everything that was asked before is answered."""
    server = Server(app, started)
    server.run(sockets=bound)
    if server.force_exit:
        os._exit(codes.INTERRUPTED)  # threads that work on would be waited for
    if not server.started:
        raise ConfigurationError("The service could not start.", hint="Its log says why.")
