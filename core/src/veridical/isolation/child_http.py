"""HTTP of a plugin in a process of its own: transports that hand each request to the host, and the reply on, piece by piece as it comes.

They stand where those that record stand in the host, below redirects, retries and authentication, so that each attempt is a record there.
What the host's client raises is raised here as the plugin's client would have raised it.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from pydantic import JsonValue, TypeAdapter
from veridical_contract import Model, PluginError

from veridical.wire.recording import BODY_LIMIT
from veridical.wire.recording.codings import Body, CodingError
from veridical.wire.recording.sessions import check_way, plain_session

from .messages import AskHttp, AskPiece, Close, Head

if TYPE_CHECKING:
    import requests

__all__ = ["Sender", "TransportFailedError", "async_transport", "piped_session", "transport"]

_ANY: TypeAdapter[object] = TypeAdapter(object)
_Headers = tuple[tuple[str, str], ...]


class TransportFailedError(Exception):
    """The host's HTTP client raised; `kind` is the name of the class in httpx."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Pipe(Protocol):
    def ask(self, make: Callable[[int], Model]) -> JsonValue: ...

    def send(self, message: Model) -> None: ...


class _Asked(NamedTuple):
    """A request, as the plugin's client made it."""

    method: str
    url: str
    headers: _Headers
    body: bytes
    seconds: float | None


class Sender:
    """Hands requests to the host.

    Args:
        pipe: to the host.
        call: number of the hook call that what runs now belongs to; 0 where there is none.
    """

    def __init__(self, pipe: _Pipe, call: ContextVar[int]) -> None:
        self._pipe = pipe
        self._call = call

    def head(self, asked: _Asked) -> Head:
        """Send a request and return the head of the reply.

        Raises:
            PluginError: it belongs to no hook call.
            TransportFailedError: the host's client raised.
        """
        call = self._call.get()
        if not call:
            raise PluginError(
                "A request was not sent: every reply is recorded for the hook call that asked for it, and here there is none."
            )
        body = base64.b64encode(asked.body).decode("ascii")
        found = self._pipe.ask(
            lambda number: AskHttp(
                ask=number, call=call, method=asked.method, url=asked.url, headers=asked.headers, body=body, seconds=asked.seconds
            )
        )
        return Head.model_validate_json(_ANY.dump_json(found))

    def piece(self, exchange: int) -> bytes | None:
        """Return the next bytes of a reply as they came; None at its end."""
        found = self._pipe.ask(lambda number: AskPiece(ask=number, exchange=exchange))
        return None if found is None else base64.b64decode(cast("str", found))

    def close(self, exchange: int) -> None:
        """Nobody wants more of a reply."""
        self._pipe.send(Close(exchange=exchange))


# httpx and httpx2, which have one shape


def transport(library: Any, sender: Sender) -> Any:
    """Return a transport of `library`, the module httpx or httpx2, that hands requests to the host."""
    return type("PipedTransport", (_Transport, library.BaseTransport), {})(library, sender)


def async_transport(library: Any, sender: Sender) -> Any:
    """Return the same for an asynchronous client."""
    return type("AsyncPipedTransport", (_AsyncTransport, library.AsyncBaseTransport), {})(library, sender)


class _Base:
    def __init__(self, library: Any, sender: Sender) -> None:
        self._library = library
        self._sender = sender
        self._stream: Any = type("PipedStream", (_Stream, library.SyncByteStream, library.AsyncByteStream), {})

    def _asked(self, request: Any, body: bytes) -> _Asked:
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw)
        waits = [one for one in request.extensions.get("timeout", {}).values() if one is not None]
        return _Asked(request.method, str(request.url), headers, body, max(waits) if waits else None)

    def _response(self, head: Head, request: Any) -> Any:
        stream = self._stream(self._library, self._sender, head.exchange, request)
        extensions = {"reason_phrase": head.reason.encode("latin-1", "replace"), "http_version": b"HTTP/1.1"}
        headers = [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in head.headers]
        return self._library.Response(head.status, headers=headers, stream=stream, extensions=extensions, request=request)


class _Transport(_Base):
    def handle_request(self, request: Any) -> Any:
        asked = self._asked(request, request.read())
        try:
            head = self._sender.head(asked)
        except TransportFailedError as error:
            raise _of(self._library, error, request) from None
        return self._response(head, request)


class _AsyncTransport(_Base):
    async def handle_async_request(self, request: Any) -> Any:
        asked = self._asked(request, await request.aread())
        try:
            head = await asyncio.to_thread(self._sender.head, asked)
        except TransportFailedError as error:
            raise _of(self._library, error, request) from None
        return self._response(head, request)


class _Stream:
    """The body of a reply, as it comes over the wire."""

    def __init__(self, library: Any, sender: Sender, exchange: int, request: Any) -> None:
        self._library = library
        self._sender = sender
        self._exchange = exchange
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self._piece()) is not None:
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await asyncio.to_thread(self._piece)) is not None:
            yield piece

    def close(self) -> None:
        self._sender.close(self._exchange)

    async def aclose(self) -> None:
        self._sender.close(self._exchange)

    def _piece(self) -> bytes | None:
        try:
            return self._sender.piece(self._exchange)
        except TransportFailedError as error:
            raise _of(self._library, error, self._request) from None


def _of(library: Any, error: TransportFailedError, request: Any) -> Exception:
    """Return the error of `library` that has the name of what the host's client raised."""
    kind: Any = getattr(library, error.kind, library.TransportError)
    try:
        return cast("Exception", kind(str(error), request=request))
    except TypeError:
        return cast("Exception", library.TransportError(str(error), request=request))


# requests


def piped_session(sender: Sender, *, timeout: float) -> requests.Session:
    """Return a session that hands requests to the host.

    Args:
        sender: hands them over.
        timeout: seconds, where a request names none.
    """
    from requests.adapters import HTTPAdapter

    class _Adapter(HTTPAdapter):
        def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
            check_way(request, *args, **options)
            waits = cast("object", options.get("timeout") or timeout)
            named = cast("tuple[object, ...]", waits) if isinstance(waits, tuple) else (waits,)
            seconds = max((float(one) for one in named if isinstance(one, int | float)), default=None)
            try:
                head = sender.head(_prepared(request, seconds))
            except TransportFailedError as error:
                raise _of_requests(error, request) from None
            return self.build_response(request, _Raw(sender, head, request).response())

    return plain_session(_Adapter())


def _prepared(request: requests.PreparedRequest, seconds: float | None) -> _Asked:
    body = cast("object", request.body)
    if not isinstance(body, str | bytes | None):
        raise PluginError("A request was not sent: its body is read while it is sent, and cannot be recorded.", hint="Pass it as bytes.")
    headers = tuple((_text(name), _text(value)) for name, value in cast("Mapping[str | bytes, str | bytes]", request.headers).items())
    return _Asked(request.method or "", request.url or "", headers, body.encode() if isinstance(body, str) else body or b"", seconds)


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")


class _Raw:
    """The body of a reply, as urllib3 reads it."""

    def __init__(self, sender: Sender, head: Head, request: requests.PreparedRequest) -> None:
        self._sender = sender
        self._head = head
        self._request = request

    def response(self) -> Any:
        """Return the response of urllib3 that an adapter builds its own from."""
        from urllib3 import HTTPHeaderDict, HTTPResponse

        head, headers = self._head, HTTPHeaderDict()
        for name, value in head.headers:
            headers.add(name, value)
        raw: Any = HTTPResponse(
            body=b"", headers=headers, status=head.status, reason=head.reason, preload_content=False, request_method=self._request.method
        )
        raw.stream = self._stream
        raw.close = lambda: self._sender.close(head.exchange)
        return raw

    def _stream(self, amt: int | None = 1 << 16, decode_content: bool | None = None) -> Iterator[bytes]:  # noqa: ARG002, FBT001 - urllib3's
        coded = ", ".join(value for name, value in self._head.headers if name.lower() == "content-encoding")
        body = Body(coded if decode_content is not False else "", limit=BODY_LIMIT)
        while (piece := self._piece()) is not None:
            if given := self._decoded(body, piece):
                yield given

    def _decoded(self, body: Body, piece: bytes) -> bytes:
        from urllib3.exceptions import DecodeError

        try:
            return body.feed(piece)
        except CodingError as error:
            raise DecodeError(str(error)) from None

    def _piece(self) -> bytes | None:
        try:
            return self._sender.piece(self._head.exchange)
        except TransportFailedError as error:
            raise _of_requests(error, self._request) from None


def _of_requests(error: TransportFailedError, request: requests.PreparedRequest) -> Exception:
    import requests

    kinds: dict[str, type[requests.RequestException]] = {
        "ConnectTimeout": requests.ConnectTimeout,
        "PoolTimeout": requests.ConnectTimeout,
        "ReadTimeout": requests.ReadTimeout,
        "WriteTimeout": requests.ReadTimeout,
        "RemoteProtocolError": requests.exceptions.ChunkedEncodingError,
        "DecodingError": requests.exceptions.ContentDecodingError,
        "InvalidURL": requests.exceptions.InvalidURL,
    }
    return kinds.get(error.kind, requests.ConnectionError)(str(error), request=request)
