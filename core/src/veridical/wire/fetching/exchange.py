"""One request and its reply, over a connection to an address that was checked.

The name is never resolved again: `_Pinned` connects to the checked addresses alone, while the Host header, the name in TLS and the
certificate stay those of the URL. Time, bytes on the wire and the size of the header are bounded here; proxies, cookies and redirects do
not exist here.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpcore

from .addresses import Target
from .decoding import decoded
from .limits import Limits
from .refused import FetchRefused

__all__ = ["Deadline", "Reply", "exchange"]

_CHUNK: Final = 64 << 10


class Deadline:
    """The time that is left for a page. Waiting politely does not count."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Return seconds, negative when there are none."""
        return self._end - self._monotonic()

    def extend(self, seconds: float) -> None:
        """Add what was waited."""
        self._end += seconds


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        status: of HTTP.
        headers: name in lower case to its values.
        body: content codings undone; empty unless the caller wanted it.
        cut: the body is longer, and only its beginning was wanted.
    """

    status: int
    headers: dict[str, list[str]]
    body: bytes
    cut: bool = False

    def header(self, name: str) -> str | None:
        """Return the one value of a header; None where there is none, or where there are several that differ."""
        found = set(self.headers.get(name, ()))
        return found.pop() if len(found) == 1 else None


def exchange(
    target: Target,
    addresses: Sequence[str],
    headers: Sequence[tuple[str, str]],
    *,
    wanted: Callable[[Reply], int | None],
    cut: bool,
    limits: Limits,
    deadline: Deadline,
    backend: httpcore.NetworkBackend,
    tls: ssl.SSLContext | None,
    method: str = "GET",
) -> Reply:
    """Send one request without a body and return its reply.

    Args:
        target: what is asked for.
        addresses: to connect to, the first that answers.
        headers: besides Host.
        wanted: from the reply without its body to how many bytes of body are read; None for none.
        cut: a longer body is cut, not refused.
        limits: of the wire and the header.
        deadline: of the page.
        backend: that opens connections to addresses.
        tls: for https; None for http.
        method: GET, or HEAD.

    Raises:
        FetchRefused: there is no whole reply within the limits.
    """
    scheme, host, path = target.scheme.encode(), target.host.strip("[]").encode(), target.path.encode()
    url = httpcore.URL(scheme=scheme, host=host, port=target.port, target=path)
    sent = [("Host", target.authority), ("Connection", "close"), *headers]
    line = _Line(target, limits, deadline)
    pool = httpcore.ConnectionPool(ssl_context=tls, max_connections=1, network_backend=_Pinned(addresses, backend, line))
    with _explained(target), pool:
        response = pool.handle_request(httpcore.Request(method, url, headers=sent))
        try:
            reply = Reply(response.status, _headers(response.headers, target, limits), b"")
            size = wanted(reply)
            if size is None:
                return reply
            body, rest = decoded(response.iter_stream(), reply.headers.get("content-encoding", []), size, target.url, cut=cut)
            return Reply(reply.status, reply.headers, body, rest)
        finally:
            response.close()


def _headers(rows: Iterable[tuple[bytes, bytes]], target: Target, limits: Limits) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    size = 0
    for name, value in rows:
        size += len(name) + len(value) + 4
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").strip())
    if size > limits.header:
        raise FetchRefused("header-size", target.url, f"{size} bytes")
    return found


@contextmanager
def _explained(target: Target) -> Generator[None, None, None]:
    """Turn what the connection raises into rules."""
    try:
        yield
    except httpcore.TimeoutException:
        raise FetchRefused("timeout", target.url) from None
    except httpcore.NetworkError as error:
        # httpcore passes on what happened as an argument; the pool takes the cause away.
        rule = "tls" if any(isinstance(each, ssl.SSLError) for each in error.args) else "connection"
        raise FetchRefused(rule, target.url, _reason(error)) from None
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise FetchRefused("malformed", target.url, _reason(error)) from None


def _reason(error: Exception) -> str:
    return ascii(str(error))[1:-1][:120]


class _Line:
    """What one connection may still take."""

    def __init__(self, target: Target, limits: Limits, deadline: Deadline) -> None:
        self._target = target
        self._limits = limits
        self._deadline = deadline
        self._received = 0

    def seconds(self) -> float:
        """Return how long the next step may take."""
        left = self._deadline.left()
        if left <= 0:
            raise FetchRefused("timeout", self._target.url)
        return min(left, self._limits.idle)

    def count(self, size: int) -> None:
        """Count bytes that were received."""
        self._received += size
        if self._received > self._limits.wire:
            raise FetchRefused("wire-size", self._target.url, f"more than {self._limits.wire} bytes")


class _Pinned(httpcore.NetworkBackend):
    """Connects to checked addresses, whatever host it is asked for."""

    def __init__(self, addresses: Sequence[str], backend: httpcore.NetworkBackend, line: _Line) -> None:
        self._addresses = addresses
        self._backend = backend
        self._line = line

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - the name has been looked up, once
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        for address in self._addresses[:-1]:
            try:
                return self._connected(address, port, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._connected(self._addresses[-1], port, local_address, socket_options)

    def _connected(self, address: str, port: int, local_address: str | None, socket_options: Any) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(address, port, self._line.seconds(), local_address, socket_options)
        return _Bounded(stream, self._line)


class _Bounded(httpcore.NetworkStream):
    """A connection that ends when the page's time or size does."""

    def __init__(self, inner: httpcore.NetworkStream, line: _Line) -> None:
        self._inner = inner
        self._line = line

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline counts
        found = self._inner.read(min(max_bytes, _CHUNK), self._line.seconds())
        self._line.count(len(found))
        return found

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the deadline counts
        self._inner.write(buffer, self._line.seconds())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
    ) -> httpcore.NetworkStream:
        return _Bounded(self._inner.start_tls(ssl_context, server_hostname, self._line.seconds()), self._line)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
