"""What holds for every request, before and after the application.

    request id -> query -> who may ask (token, or host and origin) -> HEAD, OPTIONS -> body within its limits -> application
    reply      <- headers that every reply has; one line in the log; what was raised becomes a problem

It is an ASGI application around another one, so that nothing passes beside it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import math
import re
import time
import traceback
import uuid
from contextlib import suppress
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .options import Options
from .problems import Refused, of_error, problem_response

__all__ = ["AUTHORIZED", "OPEN_PATHS", "REQUEST_ID", "VERIFY_PATH", "Edge", "log_unread"]

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz", "/openapi.json"})
"""Answered without a token: whether it is alive, whether it is ready, and what it is; nothing of what it holds."""
_OPEN_BELOW: Final = "/problems/"
VERIFY_PATH: Final = "/api/v1/verify"
REQUEST_ID: Final = "veridical_request_id"
AUTHORIZED: Final = "veridical_authorized"
"""Keys of a scope's `state`."""

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_QUERY: Final = re.compile(rb"(root=[0-9a-fA-F]{64})?")
_ORIGIN: Final = re.compile(r"https?://([^/?#]*)", re.IGNORECASE)
_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([^ ]+) *")
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
_DISCARDED: Final = 1 << 20
_DISCARD_SECONDS: Final = 1.0
_LINE: Final = "id=%s client=%s method=%s route=%s status=%d bytes=%d ms=%.0f"
_ACCESS = logging.getLogger("veridical_http.access")
_LOGGER = logging.getLogger("veridical_http")


class Edge:
    """See the module.

    Args:
        app: the application.
        options: of the service.
    """

    def __init__(self, app: ASGIApp, options: Options) -> None:
        self._app = app
        self._options = options
        self._digest = hashlib.sha256(options.token.encode()).digest() if options.token is not None else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; what is no request goes to the application as it is."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        try:
            await self._serve(exchange)
        except Exception as error:  # noqa: BLE001 - the application sent a problem, or is to send one now: nothing of it reaches the server
            await exchange.fail(error)
        finally:
            exchange.log()

    async def _serve(self, exchange: _Exchange) -> None:
        scope = exchange.scope
        try:
            _check_query(scope["query_string"])
            scope["state"][AUTHORIZED] = self._authorize(Headers(scope=scope), scope["path"])
            exchange.body.limit(exchange.headers, self._limit(scope["path"]), self._options.body_seconds)
        except Refused as refused:
            await problem_response(refused, exchange.id)(scope, _nothing, exchange.send)
            return
        await self._app(scope, exchange.body.receive, exchange.send)

    def _limit(self, path: str) -> int:
        return self._options.max_bundle if path == VERIFY_PATH else self._options.max_body

    def _authorize(self, headers: Headers, path: str) -> bool:
        """Return whether the request brought the token, where there is one.

        Raises:
            Refused: the path is not open to everybody, and it did not; or it comes from where nobody may ask without one.
        """
        if self._digest is None:
            self._check_local(headers)
            return True
        given = headers.getlist("authorization")
        found = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
        # Digests are of one length, so that the time says nothing about the token's.
        if found is not None and hmac.compare_digest(hashlib.sha256(found[1].encode("latin-1")).digest(), self._digest):
            return True
        if path in OPEN_PATHS or path.startswith(_OPEN_BELOW):
            return False
        said = ', error="invalid_token"' if given else ""  # RFC 6750, 3
        raise Refused("unauthorized", headers={"WWW-Authenticate": f'Bearer realm="veridical"{said}'})

    def _check_local(self, headers: Headers) -> None:
        """Refuse what a web page of another site may have sent: under a name that leads here (DNS rebinding), or across origins."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _host(hosts[0]) not in self._options.hosts:
            raise Refused("misdirected")
        origins = [_ORIGIN.fullmatch(origin) for origin in headers.getlist("origin")]
        if (
            any(found is None or _host(found[1]) not in self._options.hosts for found in origins)
            or headers.get("sec-fetch-site") == "cross-site"
        ):
            raise Refused("foreign-origin")


def log_unread(name: str, client: tuple[str, int] | None, sent: int) -> None:
    """Write the line of what was no request, and was refused as such.

    Args:
        name: its id.
        client: who sent it.
        sent: bytes of the reply.
    """
    _ACCESS.info(_LINE, name, client[0] if client else "-", "-", "-", 400, sent, 0)


def _check_query(query: bytes) -> None:
    if not _QUERY.fullmatch(query):
        raise Refused("malformed", "The query is not known here.")


def _host(authority: str) -> str:
    """Return the host of `HOST:PORT`, in lower case; an IPv6 address keeps its brackets."""
    return re.sub(r":[0-9]*$", "", authority).lower()


class _Exchange:
    """A request and its reply.

    Attributes:
        scope: of the request, for the application.
        headers: of the request.
        id: of the request.
        body: of the request.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._began = time.perf_counter()
        self._send = send
        self._method = scope["method"]
        self._status = 0
        self._sent = 0
        self.headers = Headers(scope=scope)
        self.body = _Body(receive, self.headers)
        given = self.headers.getlist("x-request-id")
        self.id = given[0] if len(given) == 1 and _ID.fullmatch(given[0]) else uuid.uuid4().hex
        # RFC 9110, 9.3.2: HEAD is GET without its body, which the server leaves out.
        method = "GET" if self._method == "HEAD" else self._method
        self.scope: Scope = {**scope, "method": method, "state": {**scope.get("state", {}), REQUEST_ID: self.id}}

    async def send(self, message: Message) -> None:
        """Send a part of the reply, with the headers that every reply has."""
        if message["type"] == "http.response.start":
            # A connection that is closed with bytes unread is reset, and the reply may be lost with it.
            await self.body.discard()
            self._finish_head(message)
        elif self._status == 204:
            message = {**message, "body": b""}
        self._sent += len(message.get("body", b"")) if self._method != "HEAD" else 0
        await self._send(message)

    async def fail(self, error: Exception) -> None:
        """Log what was raised, without words that it may have from a request, and send a problem unless a reply began."""
        where = "".join(traceback.format_tb(error.__traceback__)[-5:])
        _LOGGER.error("id=%s %s\n%s", self.id, type(error).__name__, where.rstrip())
        if not self._status:
            await problem_response(of_error(error), self.id)(self.scope, _nothing, self.send)

    def log(self) -> None:
        """Write the line of this request: its route, and not its path, its query or its headers, which are the client's."""
        client, route = self.scope.get("client"), getattr(self.scope.get("route"), "path", "-")
        milliseconds = (time.perf_counter() - self._began) * 1000
        who = client[0] if client else "-"
        method = self._method if self._method.isalpha() else "-"
        _ACCESS.info(_LINE, self.id, who, method, route, self._status, self._sent, milliseconds)

    def _finish_head(self, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in {**_HEADERS, "X-Request-ID": self.id}.items():
            headers[name] = value
        headers.setdefault("Cache-Control", "no-store")
        if "allow" in headers:
            names = {name.strip() for name in headers["allow"].split(",")}
            headers["Allow"] = ", ".join(sorted({*names, "OPTIONS", *({"HEAD"} if "GET" in names else ())}))
            if self._method == "OPTIONS":
                message["status"] = 204
                del headers["content-type"], headers["content-length"]
        self._status = message["status"]
        if not self.body.whole:  # nobody waits for the rest of it
            headers["Connection"] = "close"


class _Body:
    """The body of a request as it comes in, within its limits.

    Args:
        receive: gives the next part.
        headers: of the request.

    Attributes:
        whole: whether all of it came.
    """

    def __init__(self, receive: Receive, headers: Headers) -> None:
        self.whole = "transfer-encoding" not in headers and headers.get("content-length", "0") == "0"
        self._asks_first = "expect" in headers  # RFC 9110, 10.1.1: the client sends nothing before it is told to
        self._receive = receive
        self._most = 0
        self._read = 0
        self._deadline = math.inf

    def limit(self, headers: Headers, most: int, seconds: float) -> None:
        """Take `most` bytes within `seconds` from now.

        Raises:
            Refused: the headers announce more.
        """
        self._most, self._deadline = most, asyncio.get_running_loop().time() + seconds
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced[:20]) > most:
            raise self._too_large()

    async def receive(self) -> Message:
        """Return the next part; after the last one, wait for the client to go.

        Raises:
            Refused: it is too much, or too late.
        """
        if self.whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._next()
        except TimeoutError:
            raise Refused("slow-body") from None
        if self._read > self._most:
            raise self._too_large()
        return message

    async def discard(self) -> None:
        """Read what is left of it, if that is little and comes soon."""
        if self._asks_first and not self._read:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout_at(min(self._deadline, asyncio.get_running_loop().time() + _DISCARD_SECONDS)):
                while not self.whole and self._read < self._most + _DISCARDED:
                    await self._next()

    async def _next(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        self.whole = not message.get("more_body", False)
        return message

    def _too_large(self) -> Refused:
        return Refused("too-large", f"The service takes {self._most} bytes at a time here.")


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
