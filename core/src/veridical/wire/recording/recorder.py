"""The recorder of one plugin: which hook call a request belongs to, and its exchange as it goes on.

The call is in a ContextVar, so that calls of several plugins, threads and tasks never mix, whichever client they share. A request that
belongs to no call of this plugin is refused before anything is sent.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import Context, ContextVar
from dataclasses import replace
from datetime import datetime
from typing import NoReturn

from veridical_contract import PluginError, ProviderError, ProviderFailure

from . import asked
from .codings import Body, CodingError, TooLongError
from .failures import failure_of_error, failure_of_reply, failure_of_status, retry_after
from .record import Recorded, encoding_of

__all__ = ["BODY_LIMIT", "Call", "Exchange", "Recorder"]

BODY_LIMIT = 16 << 20
"""Bytes of one body, content codings undone."""

_LONGEST_SECRET = 8 << 10
"""Bytes of what came before that are looked at again with each piece, since a secret may lie across two."""
_LINE = 300
_WAY_OUT = "Make the request in a hook call: in its thread, in an asyncio task, or in a thread started with contextvars.copy_context().run."


class Recorder:
    """Records what one plugin's clients ask and are answered.

    Args:
        redact: puts the names of secrets in the place of their values.
        now: the time, aware.
        limit: bytes of one body that are kept; a longer one fails the request.
    """

    def __init__(self, redact: Callable[[str], str], now: Callable[[], datetime], *, limit: int = BODY_LIMIT) -> None:
        self.redact = redact
        self.now = now
        self.limit = limit

    @contextmanager
    def call(self) -> Generator[list[Recorded]]:
        """Record into the list that is given, until the end of the block; an attempt stands in it as soon as it is over.

        At the end the attempts stand in the order in which they were begun, and those that are not over are cut.
        """
        call = Call(self)
        token = _CALL.set(call)
        try:
            yield call.records
        finally:
            _CALL.reset(token)
            call.close()

    def begin(self, method: str, url: str, content_type: str, body: bytes) -> Exchange:
        """Return the record of an attempt that is about to be sent.

        Raises:
            PluginError: it belongs to no hook call of this plugin.
        """
        call = _CALL.get()
        if call is None or call.recorder is not self:
            raise _refusal(url, _NO_CALL if call is None else _ANOTHERS)
        text, safe_url = body.decode("utf-8", "replace"), asked.safe_url(url, self.redact)
        record = Recorded(
            method=method,
            url=safe_url,
            asked=asked.strings(safe_url, content_type, body, self.redact),
            sent_type=content_type,
            sent=body if self.redact(text) == text else None,
            begun=self.now(),
        )
        exchange = Exchange(self, call, record)
        if not call.add(exchange):
            raise _refusal(url, _OVER)
        return exchange


class Call:
    """One hook call: the attempts that go on, by their number, and those that are over."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.records: list[Recorded] = []
        self._lock = threading.Lock()
        self._is_over = False
        self._begun: list[Exchange] = []
        self._over: dict[int, Recorded] = {}

    def enter(self, context: Context) -> None:
        """Make what runs in `context` a part of this call: its steps may run one after the other, with others between them."""
        context.run(_CALL.set, self)

    def add(self, exchange: Exchange) -> bool:
        """Whether the call goes on, so that an attempt may be made."""
        with self._lock:
            if not self._is_over:
                self._begun.append(exchange)
            return not self._is_over

    def finish(self, exchange: Exchange, record: Recorded) -> None:
        """Keep what came of an attempt; only the first word on it counts."""
        with self._lock:
            if exchange not in self._begun:
                return  # it was over, and taken
            number = self._begun.index(exchange)
            if number not in self._over:
                self._over[number] = record
                self.records.append(record)

    def take(self) -> list[Recorded]:
        """Return the records of the attempts that are over, in the order in which they were begun, and forget these."""
        with self._lock:
            taken = [self._over[number] for number in sorted(self._over)]
            self._begun = [exchange for number, exchange in enumerate(self._begun) if number not in self._over]
            self._over.clear()
            self.records.clear()
        return taken

    def close(self) -> None:
        """Cut what goes on, and put the records in the order in which they were begun."""
        with self._lock:
            self._is_over = True
        for exchange in self._begun:
            exchange.close()
        with self._lock:
            self.records[:] = [self._over[number] for number in sorted(self._over)]


_CALL: ContextVar[Call | None] = ContextVar("veridical_hook_call", default=None)
_NO_CALL = "every reply is recorded for the hook call that asked for it, and here there is none"
_ANOTHERS = "the client belongs to another plugin than the hook call"
_OVER = "the hook call that it belongs to is over"


def _refusal(url: str, why: str) -> PluginError:
    return PluginError(f"A request to {asked.origin(url)} was not sent: {why}.", hint=_WAY_OUT)


class Exchange:
    """One attempt while it goes on. A transport says what happens, in this order: `replied`, `feed`..., `end` or `close` or `fail`."""

    def __init__(self, recorder: Recorder, call: Call, record: Recorded) -> None:
        self._recorder = recorder
        self._call = call
        self._record = record
        self._body: Body | None = None
        self._undecodable = ""
        self._refused: ProviderError | None = None

    def replied(self, status: int, reason: str, headers: Iterable[tuple[str, str]]) -> None:
        """The head of the reply came.

        Raises:
            ProviderError: it holds a secret.
        """
        kept = tuple((name.lower(), value) for name, value in headers if name.lower() not in ("set-cookie", "set-cookie2"))
        self._record = replace(self._record, status=status, reason=self._recorder.redact(reason), headers=kept)
        self._record = replace(self._record, encoding=encoding_of(self._record.header("content-type")))
        if self._has_secret("\n".join(value for _, value in kept)):
            self._record = replace(self._record, headers=())
            self._refuse_secret()
        try:
            self._body = Body(", ".join(value for name, value in kept if name == "content-encoding"), limit=self._recorder.limit)
        except CodingError as error:
            self._undecodable, self._body = str(error), Body("", limit=self._recorder.limit)

    def feed(self, data: bytes) -> bytes:
        """The next bytes of the body came; return what they decode to, before the client is given them.

        Raises:
            ProviderError: with them the body holds a secret, or is too long; what is kept of it is forgotten.
        """
        if self._body is None or self._undecodable:
            return b""
        try:
            decoded = self._body.feed(data)
        except CodingError as error:
            self._undecodable = str(error)
            return b""
        except TooLongError:
            self._refuse(f"answered with more than {self._recorder.limit:,} bytes, which is not kept")
        if self._has_secret(self._body.tail(len(decoded) + _LONGEST_SECRET).decode("utf-8", "replace")):
            self._refuse_secret()
        return decoded

    def end(self) -> None:
        """The body was read to its end.

        Raises:
            ProviderError: it holds a secret.
        """
        body = self._body.kept() if self._body else b""
        if any(self._has_secret(body.decode(encoding, "replace")) for encoding in {"utf-8", self._record.encoding}):
            self._refuse_secret()
        if self._undecodable or (self._body and not self._body.is_whole()):
            self._finish(error=self._undecodable or "the body ends before its coding does", failure="malformed")
        else:
            self._finish(ended=True)
        self._body = None

    def close(self) -> None:
        """The client wants no more."""
        self._finish(error=self._undecodable, failure="malformed" if self._undecodable else None)

    def fail(self, error: BaseException) -> None:
        """The transport failed: no reply, or not all of it."""
        said = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
        self._finish(error=self._recorder.redact(said)[:_LINE], failure=failure_of_error(error, self._record.status))
        self._body = None

    @property
    def undecodable(self) -> str:
        """Why the content coding could not be undone; empty when it could."""
        return self._undecodable

    def _has_secret(self, text: str) -> bool:
        return self._recorder.redact(text) != text

    def _refuse_secret(self) -> NoReturn:
        self._refuse("sent a secret back, and the reply was refused: it may not be stored, and is never rewritten")

    def _refuse(self, why: str) -> NoReturn:
        failure = failure_of_status(self._record.status or 0, "", None) or "malformed"
        self._refused = ProviderError(f"{asked.origin(self._record.url)} {why}.", failure=failure)
        self._body = None
        self._finish(error=self._refused.message, failure=failure)
        raise self._refused

    def _finish(self, *, ended: bool = False, error: str = "", failure: ProviderFailure | None = None) -> None:
        """Put the record where the call looks; only the first time counts."""
        body = self._body.kept() if self._body else b""
        record = replace(self._record, body=body, ended=ended, error=error, failure=failure)
        self._call.finish(self, self._classified(record))

    def _classified(self, record: Recorded) -> Recorded:
        if record.status is None or self._refused:
            return record
        wait = retry_after(dict(record.headers), record.body, self._recorder.now()) if record.status >= 400 else None
        if record.failure is None and (record.whole or record.status >= 400 or record.is_stream()):
            kind = record.header("content-type") if record.method != "HEAD" else ""
            failure = failure_of_reply(record.status, kind, record.body, encoding=record.encoding, wait=wait)
            record = replace(record, failure=failure)
        return replace(record, retry_after=wait)
