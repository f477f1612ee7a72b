"""Transports that record, for httpx and for httpx2: they have one shape, and the module is passed in, so that neither is imported here.

A transport is below redirects, retries and authentication, so that each attempt is a record of its own. The stream of the reply hands
each piece on as it comes, after it was recorded.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from .codings import acceptable
from .recorder import Exchange, Recorder
from .standins import Network, inner_transport

__all__ = ["async_transport", "transport"]


def transport(library: Any, recorder: Recorder, network: Network | None = None) -> Any:
    """Return a transport of `library`, the module httpx or httpx2, that records; proxies of the environment are not used.

    Args:
        library: whose transport it is.
        recorder: of the plugin.
        network: who answers; None is the network.
    """
    kind = type("RecordingTransport", (_Transport, library.BaseTransport), {})
    inner = library.HTTPTransport() if network is None else inner_transport(library, network)
    return kind(library, inner, recorder)


def async_transport(library: Any, recorder: Recorder, network: Network | None = None) -> Any:
    """Return the same for an asynchronous client."""
    kind = type("AsyncRecordingTransport", (_AsyncTransport, library.AsyncBaseTransport), {})
    inner = library.AsyncHTTPTransport() if network is None else inner_transport(library, network)
    return kind(library, inner, recorder)


class _Base:
    def __init__(self, library: Any, inner: Any, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder
        self._tee: Any = type("RecordedStream", (_Tee, library.SyncByteStream, library.AsyncByteStream), {})

    def _begin(self, request: Any, body: bytes) -> Exchange:
        exchange = self._recorder.begin(request.method, str(request.url), request.headers.get("content-type", ""), body)
        request.headers["accept-encoding"] = acceptable(request.headers.get("accept-encoding", ""))
        return exchange

    def _replied(self, exchange: Exchange, response: Any) -> Any:
        exchange.replied(response.status_code, response.reason_phrase, response.headers.multi_items())
        response.stream = self._tee(response.stream, exchange)
        return response


class _Transport(_Base):
    def handle_request(self, request: Any) -> Any:
        exchange = self._begin(request, request.read())
        try:
            response = self._inner.handle_request(request)
        except BaseException as error:
            exchange.fail(error)
            raise
        try:
            return self._replied(exchange, response)
        except BaseException:
            response.close()
            raise

    def close(self) -> None:
        self._inner.close()


class _AsyncTransport(_Base):
    async def handle_async_request(self, request: Any) -> Any:
        exchange = self._begin(request, await request.aread())
        try:
            response = await self._inner.handle_async_request(request)
        except BaseException as error:
            exchange.fail(error)
            raise
        try:
            return self._replied(exchange, response)
        except BaseException:
            await response.aclose()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Tee:
    """The bytes of a reply, as they come: to the record, then to the client."""

    def __init__(self, inner: Any, exchange: Exchange) -> None:
        self._inner = inner
        self._exchange = exchange

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._inner:
                self._exchange.feed(piece)
                yield piece
        except GeneratorExit:
            raise
        except BaseException as error:
            self._exchange.fail(error)
            raise
        self._exchange.end()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._inner:
                self._exchange.feed(piece)
                yield piece
        except GeneratorExit:
            raise
        except BaseException as error:
            self._exchange.fail(error)
            raise
        self._exchange.end()

    def close(self) -> None:
        self._exchange.close()
        self._inner.close()

    async def aclose(self) -> None:
        self._exchange.close()
        await self._inner.aclose()
