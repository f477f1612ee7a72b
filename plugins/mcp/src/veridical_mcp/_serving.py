"""The two transports: stdio, for the program that started this one, and streamable HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterable, Awaitable, Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, cast

import anyio
import anyio.to_thread
import uvicorn
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError
from veridical.cli import codes

from ._guard import Guard

__all__ = ["PATH", "http_app", "serve_http", "serve_stdio"]

PATH = "/mcp"
_SESSIONS = 1000
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_NO_MESSAGE = (
    "This is no message: expected one line of JSON-RPC 2.0, without half of a surrogate pair, numbers beyond 64 bits, or deep nesting."
)
_GRACE = 8
"""Seconds that calls have to end in when the server is told to."""
_STREAMS = 2
"""Seconds that streams have to end in after that. Together it is what container engines wait before they kill: 10."""
_QUIET = 0.5
"""Seconds without a call after which none is under way: a client that got an answer may ask for what it needs to read it."""
_TICK = 0.05


def serve_stdio(make: Callable[[], Server[Any]], leave: Callable[[], object]) -> None:
    """Serve the program at the other end of stdin and stdout until it hangs up. Nothing else is written to stdout meanwhile.

    Args:
        make: makes the server.
        leave: called when Ctrl-C or SIGTERM ends it. This does not return then but ends the process, with code 0: a thread waits for the
            next line, and nothing wakes it.
    """

    async def serve() -> None:
        server = make()
        async with stdio_server() as (read, write):
            with anyio.CancelScope() as scope, _ended_by_signals(scope.cancel):
                async with anyio.create_task_group() as group:
                    forward, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
                    group.start_soon(_relay, read, forward, write.send)
                    await server.run(messages, write, server.create_initialization_options())
                    group.cancel_scope.cancel()
            if scope.cancel_called:
                await anyio.to_thread.run_sync(leave)
                os._exit(codes.DONE)

    try:
        anyio.run(serve)
    except* BrokenPipeError:
        pass  # whoever started this is gone


async def _relay(
    read: AsyncIterable[SessionMessage | Exception],
    forward: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Forward what is a message; what is none is answered here, since the SDK would leave whoever wrote it waiting."""
    async with forward:
        async for item in read:
            if not isinstance(item, ValidationError):
                await forward.send(item)
            elif (given := item.errors(include_url=False, include_context=False)[0]["input"]) != "\n":
                await answer(_unreadable(given))


def _unreadable(given: object) -> SessionMessage:
    """Return what JSON-RPC 2.0, 5.1, has for a line that is no message; with the id that stands in it, where there is one."""
    try:
        found = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        found = None  # nobody can say which call it was
    name = cast("dict[str, object]", found).get("id") if isinstance(found, dict) else None
    known = name if type(name) is int or (type(name) is str and name.isprintable()) else None
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=PARSE_ERROR, message=_NO_MESSAGE)))


@contextmanager
def _ended_by_signals(end: Callable[[], None]) -> Generator[None]:
    """Call `end` in the event loop at Ctrl-C or SIGTERM; the next one ends the process at once."""
    loop = asyncio.get_running_loop()

    def heard(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as a handler is called
        for one in _SIGNALS:
            signal.signal(one, signal.SIG_DFL)
        loop.call_soon_threadsafe(end)

    before = {one: signal.signal(one, heard) for one in _SIGNALS}
    try:
        yield
    finally:
        for one, handler in before.items():
            if signal.getsignal(one) is heard:
                signal.signal(one, handler)


def http_app(server: Server[Any], security: TransportSecuritySettings, token: str | None) -> Guard:
    """Return the application that answers at `PATH`."""
    return Guard(server.streamable_http_app(streamable_http_path=PATH, transport_security=security, max_sessions=_SESSIONS), token)


class _Server(uvicorn.Server):
    """uvicorn's: a first signal lets calls end before it closes their streams.

    Args:
        app: the application.
    """

    def __init__(self, app: Guard) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=_STREAMS,
            )
        )
        self._guard = app
        self._ending: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, once nothing is under way any more; at a second signal at once."""
        if self._ending is not None:
            super().handle_exit(sig, frame)
        else:
            self._ending = asyncio.get_running_loop().create_task(self._end(sig, frame))

    async def _end(self, sig: int, frame: FrameType | None) -> None:
        with anyio.move_on_after(_GRACE):
            quiet = 0.0
            while quiet < _QUIET:
                await anyio.sleep(_TICK)
                quiet = 0.0 if self._guard.at_work else quiet + _TICK
        super().handle_exit(sig, frame)


def serve_http(make: Callable[[], Guard], listening: socket.socket) -> None:
    """Serve what comes to `listening` until Ctrl-C or SIGTERM; calls that run then have a few seconds to end."""

    async def serve() -> None:
        await _Server(make()).serve(sockets=[listening])

    before = signal.signal(signal.SIGTERM, _interrupt)  # uvicorn raises the signal again when it has ended
    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as a handler is called
    raise KeyboardInterrupt
