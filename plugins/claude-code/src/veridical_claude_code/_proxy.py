"""A reverse proxy on loopback for the API calls of one run: every call leaves through a client that the host records.

    Claude Code --ANTHROPIC_BASE_URL, with a path nobody else knows--> proxy --recorded client--> API
                                                                       `-- replies: what came back, for places

One request for each connection. What is not below that path, or not for `/v1/`, is refused: other programs on the machine could otherwise
put replies of their own choice into the record.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

import h11

if TYPE_CHECKING:
    import httpx

__all__ = ["RecordingProxy"]

_PIECE = 65_536
_READ_TIMEOUT = 300.0
"""Seconds between two pieces of a reply: the model may think for long before its first word."""
_CONNECT_TIMEOUT = 10.0
# Of one connection alone (RFC 9110 7.6.1), or about codings that the client has undone.
_OWN = frozenset(
    [
        b"accept-encoding", b"connection", b"content-encoding", b"content-length", b"host", b"keep-alive", b"proxy-connection", b"te",
        b"trailer", b"transfer-encoding", b"upgrade",
    ]
)  # fmt: skip
_Headers = list[tuple[bytes, bytes]]


class RecordingProxy:
    """The proxy of one run; an async context manager.

    Args:
        client: that the host records; in the scope of the hook call that enters this.
        upstream: URL of the API, without a slash at its end.

    Attributes:
        url: for the program.
        replies: bodies of successful replies that came to their end, in that order.
        error: the first that the client raised.
    """

    def __init__(self, client: httpx.AsyncClient, upstream: str) -> None:
        self._client = client
        self._upstream = upstream
        self._path = f"/{secrets.token_urlsafe(24)}"
        self._calls: dict[asyncio.Task[object], asyncio.StreamWriter] = {}
        self.url = ""
        self.replies: list[bytes] = []
        self.error: Exception | None = None

    async def __aenter__(self) -> Self:
        # Connections inherit the context of this call, and with it the record that the host keeps of it.
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}{self._path}"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.close()
        calls = dict(self._calls)
        for task, writer in calls.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.sleep(0)  # transports let go of their sockets in the next turn of the loop, which may be closed after this

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            self._calls[task] = writer
            task.add_done_callback(self._calls.pop)
        try:
            await self._answer(reader, writer)
        except (OSError, EOFError, h11.ProtocolError):
            pass  # the program went away, or was no HTTP client: it says so itself
        except Exception as error:  # noqa: BLE001 - whatever the client or the host raised; a cut connection tells the program
            self.error = self.error or error
        finally:
            writer.close()  # before the end of the reply, it is cut for the program as it was for us

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        request, body = await _received(connection, reader)
        target = request.target.decode("ascii")
        path = target.removeprefix(self._path)
        if path == target or not path.startswith("/v1/"):
            await _send(connection, writer, [h11.Response(status_code=404, headers=_closing([])), h11.EndOfMessage()])
            return
        await self._forward(connection, writer, request, path, body)

    async def _forward(
        self, connection: h11.Connection, writer: asyncio.StreamWriter, request: h11.Request, path: str, body: bytes
    ) -> None:
        import httpx

        timeout = httpx.Timeout(_READ_TIMEOUT, connect=_CONNECT_TIMEOUT)
        headers = [(name, value) for name, value in request.headers if name not in _OWN]
        url, method = self._upstream + path, request.method.decode("ascii")
        async with self._client.stream(method, url, headers=headers, content=body, timeout=timeout) as reply:
            back = [(name.lower(), value) for name, value in reply.headers.raw if name.lower() not in _OWN]
            await _send(connection, writer, [h11.Response(status_code=reply.status_code, headers=_closing(back))])
            pieces: list[bytes] = []
            async for piece in reply.aiter_bytes():
                pieces.append(piece)
                await _send(connection, writer, [h11.Data(data=piece)])
        # Kept before the program can know that it has all of it, and can come to its end.
        if reply.is_success:
            self.replies.append(b"".join(pieces))
        await _send(connection, writer, [h11.EndOfMessage()])


async def _received(connection: h11.Connection, reader: asyncio.StreamReader) -> tuple[h11.Request, bytes]:
    request: h11.Request | None = None
    pieces: list[bytes] = []
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_PIECE))
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.Data):
            pieces.append(bytes(event.data))
        else:
            raise EOFError
    if request is None:
        raise EOFError
    return request, b"".join(pieces)


async def _send(connection: h11.Connection, writer: asyncio.StreamWriter, events: Iterable[h11.Event]) -> None:
    for event in events:
        writer.write(connection.send(event) or b"")
    await writer.drain()


def _closing(headers: _Headers) -> _Headers:
    return [*headers, (b"connection", b"close")]
