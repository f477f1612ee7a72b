"""One attempt at a request and what came of it, as the host saw it at the transport."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message

from veridical_contract import ProviderFailure

from veridical.kernel.wire import Exchange

from .events import ends

__all__ = ["Recorded", "encoding_of"]

# What the web means by these names (Encoding Standard, 4.2).
_MEANT = {"ascii": "cp1252", "iso8859-1": "cp1252"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One attempt. The request's headers are never kept, nor are cookies.

    Attributes:
        method: of the request.
        url: of the request, without user info, fragment and secrets.
        asked: every string of the request, decoded.
        sent_type: content type of the request; empty when it had no body.
        sent: body of the request; None when it holds a secret.
        begun: when it was sent, aware.
        status: of the reply; None when none came.
        reason: of the reply.
        headers: of the reply, names in lower case.
        body: of the reply, content codings undone: as far as it came, and empty when it was refused.
        ended: the client read it to its end, and nothing is missing.
        encoding: Python name of the body's character encoding.
        failure: what kind of failure it was, if any.
        retry_after: seconds that the reply asks to wait.
        error: what the transport said, or why the reply was refused, in one line without secrets.
    """

    method: str
    url: str
    asked: tuple[str, ...]
    sent_type: str = ""
    sent: bytes | None = field(default=b"", repr=False)
    begun: datetime
    status: int | None = None
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    ended: bool = False
    encoding: str = "utf-8"
    failure: ProviderFailure | None = None
    retry_after: float | None = None
    error: str = ""

    @property
    def whole(self) -> bool:
        """Whether the reply is known to be whole, from its end or from what ends a stream with every provider."""
        return self.whole_after(None)

    def whole_after(self, end: str | None) -> bool:
        """Whether it was read to its end, or to the terminal event of a stream; `end` is `WireMap.end`. Data after that event voids it."""
        last = ends(self.body, end) if self.is_stream() else None
        if last is None:
            return self.ended
        return last and (self.ended or not self.error)

    def exchange(self, end: str | None = None) -> Exchange:
        """Return what the kernel proves places in."""
        return Exchange(self.url, self.asked, self.status, self.whole_after(end), self.body, self.encoding)

    def header(self, name: str) -> str:
        """Return the value of the first header called `name`, in lower case; empty when there is none."""
        return next((value for key, value in self.headers if key == name), "")

    def is_stream(self) -> bool:
        """Whether it is a stream of events."""
        return self.header("content-type").partition(";")[0].strip().lower() == "text/event-stream"


def encoding_of(content_type: str) -> str:
    """Return the Python name of the character encoding that a content type says: JSON (RFC 8259 8.1) and streams of events are UTF-8."""
    message = Message()
    message["content-type"] = content_type
    kind, charset = message.get_content_type(), message.get_content_charset()
    if charset is None or kind in ("application/json", "text/event-stream") or kind.endswith("+json"):
        return "utf-8"
    try:
        name = codecs.lookup(charset).name
        "x".encode(name)  # some codecs make bytes of bytes
    except LookupError:
        return "utf-8"
    return _MEANT.get(name, name)
