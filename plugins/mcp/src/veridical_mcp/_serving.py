"""The two transports: stdio, for the program that started this one, and streamable HTTP."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from ._guard import Guard

__all__ = ["PATH", "http_app", "serve_http", "serve_stdio"]

PATH = "/mcp"
_SESSIONS = 1000
_GRACE = 5
"""Seconds that calls have to end in when the server is told to."""


def serve_stdio(make: Callable[[], Server[Any]]) -> None:
    """Serve the program at the other end of stdin and stdout until it hangs up. Nothing else is written to stdout meanwhile."""

    async def serve() -> None:
        server = make()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)


def http_app(server: Server[Any], security: TransportSecuritySettings, token: str | None) -> ASGIApp:
    """Return the application that answers at `PATH`."""
    return Guard(server.streamable_http_app(streamable_http_path=PATH, transport_security=security, max_sessions=_SESSIONS), token)


def serve_http(make: Callable[[], ASGIApp], listening: socket.socket) -> None:
    """Serve what comes to `listening` until Ctrl-C or SIGTERM; calls that run then have a few seconds to end."""

    async def serve() -> None:
        config = uvicorn.Config(
            make(),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=_GRACE,
        )
        await uvicorn.Server(config).serve(sockets=[listening])

    before = signal.signal(signal.SIGTERM, _interrupt)  # uvicorn raises the signal again when it has ended
    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as a handler is called
    raise KeyboardInterrupt
