"""The recording proxy: what the clients of an isolated plugin ask, sent by the host and recorded as any plugin's is.

Each question of the child about a reply (its head, its next bytes) is answered in a thread of its own, in a copy of the hook call's
context, so that the replies to several requests come side by side and each belongs to the call that asked for it.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue
from veridical_contract import PluginError, VeridicalError

from veridical.context import HTTP_TIMEOUT, HostContext

from .faults import TRANSPORT, fault_of
from .messages import Answer, AskHttp, AskPiece, Close, Fault, Head

if TYPE_CHECKING:
    import httpx

__all__ = ["Exchanges"]

_AT_ONCE = 32
_LONGEST_WAIT = 3_600.0
_LOOK = 0.2


@dataclass(frozen=True, slots=True)
class _Open:
    """A reply that is being read, and the hook call that asked for it."""

    call: int
    response: httpx.Response
    pieces: Iterator[bytes]


class Exchanges:
    """The replies that one isolated plugin is reading.

    Args:
        context: of the plugin: its client records.
        hosts: which hosts it may ask; any when there are none.
        answer: sends an answer to the child; it may be gone.
    """

    def __init__(self, context: HostContext, hosts: tuple[str, ...], answer: Callable[[Answer], None]) -> None:
        self._context = context
        self._hosts = hosts
        self._answer = answer
        self._client: httpx.Client | None = None
        self._numbers = itertools.count(1)
        self._open: dict[int, _Open] = {}
        self._slots = threading.BoundedSemaphore(_AT_ONCE)
        self._is_over = False

    def serve(self, asked: AskHttp | AskPiece, context: Context | None) -> None:
        """Answer in a thread of its own, as soon as fewer than 32 others are at it.

        Args:
            asked: a request, or the next bytes of a reply.
            context: of the hook call; None of what goes on in its own.
        """
        self._client = self._client or self._context.http()
        while not self._slots.acquire(timeout=_LOOK):
            if self._is_over:
                return
        inner = context.copy() if context is not None else Context()
        threading.Thread(target=inner.run, args=(self._serve, asked), name="veridical isolated HTTP", daemon=True).start()

    def close(self, closed: Close) -> None:
        """The plugin wants no more of a reply."""
        if found := self._open.pop(closed.exchange, None):
            _close(found.response)

    def end(self, call: int) -> None:
        """The hook call is over: nothing of it is read any more."""
        for number, found in list(self._open.items()):
            if found.call == call and self._open.pop(number, None):
                _close(found.response)

    def close_all(self) -> None:
        """Nobody asks any more."""
        self._is_over = True
        for number in list(self._open):
            self.close(Close(exchange=number))

    def _serve(self, asked: AskHttp | AskPiece) -> None:
        try:
            value = self._head(asked) if isinstance(asked, AskHttp) else self._piece(asked)
            self._answer(Answer(ask=asked.ask, value=value))
        except Exception as error:  # noqa: BLE001 - it is told to whoever asked, in the child
            self._answer(Answer(ask=asked.ask, fault=_fault(error)))
        finally:
            self._slots.release()

    def _head(self, asked: AskHttp) -> JsonValue:
        request = self._request(asked)
        host = request.url.host  # of the URL as it is sent: two readers of one may not agree
        if self._hosts and host not in self._hosts:
            raise PluginError(
                f"A request to {host} was not sent: it is not among the hosts of [isolation.{self._context.name}].",
                hint=f'List it there when that is meant: hosts = ["{host}"]',
            )
        if self._client is None:
            raise PluginError("A request was not sent: there is no client.")
        response = self._client.send(request, stream=True)
        number = next(self._numbers)
        self._open[number] = _Open(asked.call, response, response.iter_raw())
        head = Head(
            exchange=number, status=response.status_code, reason=response.reason_phrase, headers=tuple(response.headers.multi_items())
        )
        return head.model_dump(mode="json")

    def _request(self, asked: AskHttp) -> httpx.Request:
        import httpx

        try:
            body = base64.b64decode(asked.body, validate=True)
            named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in asked.headers]
        except (binascii.Error, UnicodeEncodeError):
            raise PluginError("A request was not sent: its body or its headers are none.") from None
        # The host is the URL's: behind one address there may be several, and a name in a header would choose another.
        headers = [(name, value) for name, value in named if name.lower() != b"host"]
        seconds = min(asked.seconds or HTTP_TIMEOUT, _LONGEST_WAIT)
        waits = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
        return httpx.Request(asked.method, asked.url, headers=headers, content=body, extensions={"timeout": waits})

    def _piece(self, asked: AskPiece) -> JsonValue:
        if (found := self._open.get(asked.exchange)) is None:
            raise PluginError("The reply is not read any further: it was closed, or the hook call that it belongs to is over.")
        piece = next(found.pieces, None)
        if piece is None:
            self._open.pop(asked.exchange, None)
            return None
        return base64.b64encode(piece).decode("ascii")


def _fault(error: Exception) -> Fault:
    """An error of the HTTP client is told by its class: the client in the child raises its own of that name."""
    if isinstance(error, VeridicalError):
        return fault_of(error)
    import httpx

    if isinstance(error, httpx.HTTPError | httpx.StreamError | httpx.InvalidURL):
        return Fault(code=TRANSPORT, kind=type(error).__name__, message=str(error)[:400])
    return fault_of(error)


def _close(response: httpx.Response) -> None:
    with suppress(Exception):  # what is read elsewhere at this moment may not be closed, and ends with its client
        response.close()
