"""Somebody who answers in the place of the network: the same requests through the same clients and records, and no socket.

    httpx, httpx2, requests --Request--> `Network`, a function --Reply, TimeoutError, ConnectionError--> what the client makes of it

For a conformance kit that replays what a provider once answered, and for a host that sends what another process asks.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import requests

__all__ = ["Network", "Reply", "Request", "inner_transport", "prepared_reply"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a client asks.

    Attributes:
        method: in capitals.
        url: whole.
        headers: names in lower case.
        body: of it.
        timeout: seconds that the client waits for the next bytes; None when it waits for ever.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered.

    Attributes:
        status: of it.
        headers: in order; nothing is added to them.
        pieces: of the body, as it comes over the wire.
        cut: the connection breaks off after the pieces.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    pieces: tuple[bytes, ...] = ()
    cut: bool = False


Network = Callable[[Request], Reply]
"""Raises TimeoutError where nothing is answered in time, and ConnectionError where nobody is reached."""


def inner_transport(library: Any, network: Network) -> Any:
    """Return a transport of `library`, the module httpx or httpx2, sync and async, that asks `network`."""

    class _Standin(library.BaseTransport, library.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            return _answered(library, network, request, request.read())

        async def handle_async_request(self, request: Any) -> Any:
            return _answered(library, network, request, await request.aread())

    return _Standin()


def prepared_reply(network: Network, request: requests.PreparedRequest, timeout: Any = None) -> Any:
    """Return what `network` answers as the urllib3 response that an adapter of requests builds its own from.

    Raises:
        requests.ConnectionError, requests.ReadTimeout: as the session would.
    """
    import requests
    from urllib3 import HTTPHeaderDict, HTTPResponse

    body: Any = request.body or b""
    headers = {name.lower(): str(value) for name, value in request.headers.items()}
    wait = cast("Any", timeout)[-1] if isinstance(timeout, tuple) else timeout  # requests: (connect, read), or one for both
    seconds = float(wait) if isinstance(wait, int | float) else None
    asked = Request(request.method or "GET", request.url or "", headers, body.encode() if isinstance(body, str) else body, seconds)
    try:
        reply = network(asked)
    except TimeoutError as error:
        raise requests.ReadTimeout(str(error), request=request) from error
    except ConnectionError as error:
        raise requests.ConnectionError(str(error), request=request) from error
    given = HTTPHeaderDict(reply.headers)
    return HTTPResponse(
        body=cast("Any", _Body(reply)), headers=given, status=reply.status, reason="", preload_content=False, request_method=asked.method
    )


def _answered(library: Any, network: Network, request: Any, body: bytes) -> Any:
    headers = {name.lower(): value for name, value in request.headers.items()}
    asked = Request(request.method, str(request.url), headers, body, request.extensions.get("timeout", {}).get("read"))
    try:
        reply = network(asked)
    except TimeoutError as error:
        raise library.ReadTimeout(str(error), request=request) from error
    except ConnectionError as error:
        raise library.ConnectError(str(error), request=request) from error
    return library.Response(reply.status, headers=list(reply.headers), stream=_stream(library, reply, request), request=request)


def _stream(library: Any, reply: Reply, request: Any) -> Any:
    class _Stream(library.SyncByteStream, library.AsyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield from reply.pieces
            if reply.cut:
                raise library.RemoteProtocolError(_CUT, request=request)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for piece in self:
                yield piece

    return _Stream()


_CUT = "the peer closed the connection before the whole body was sent"


class _Body:
    """A file of the pieces, as urllib3 reads one."""

    def __init__(self, reply: Reply) -> None:
        self.closed = False
        self._rest = b"".join(reply.pieces)
        self._cut = reply.cut

    def read(self, amount: int | None = None) -> bytes:
        amount = len(self._rest) if amount is None or amount < 0 else amount
        given, self._rest = self._rest[:amount], self._rest[amount:]
        if not given and self._cut:
            from urllib3.exceptions import ProtocolError

            raise ProtocolError(_CUT)
        return given

    def close(self) -> None:
        self.closed = True
