"""Who answers a plugin under test, and how a service fails.

Switch          what the plugin's clients are connected to; the kit says before each call who answers
|-- replies     recorded, or made up from the wire map
|-- FAILURES    every way in which a service fails; `failing` with any status
`-- silence     nobody is there: a plugin that needs no service does not notice
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from veridical.wire.recording import Network, Reply, Request

from .registry import NoReplyError

__all__ = ["FAILURES", "STATUSES", "Failure", "Switch", "answering", "failing"]

_JSON = ("content-type", "application/json")


class Switch:
    """A network that may be told who answers; it keeps what it was asked, and what it could not answer.

    Attributes:
        asked: the requests since it was last told.
        unanswered: why nobody could answer; None when somebody could.
    """

    def __init__(self) -> None:
        self._network: Network = _nobody
        self.asked: list[Request] = []
        self.unanswered: NoReplyError | None = None

    def to(self, network: Network) -> None:
        """Let `network` answer from now on."""
        self._network, self.asked, self.unanswered = network, [], None

    def __call__(self, request: Request) -> Reply:
        """Have `request` answered, and keep it."""
        self.asked.append(request)
        try:
            return self._network(request)
        except NoReplyError as error:
            self.unanswered = error
            raise ConnectionError(str(error)) from error


def answering(body: bytes, status: int = 200, *, kind: str = "application/json") -> Network:
    """Return a network that always answers `body`."""
    pieces = tuple(body[start : start + 700] for start in range(0, len(body), 700))
    return lambda _: Reply(status, (("content-type", kind),), pieces)


@dataclass(frozen=True, slots=True)
class Failure:
    """A way in which a service fails.

    Attributes:
        said: in words.
        network: that fails so.
        kinds: of failure that the host may come to; the first is the one that it should.
        retry_after: seconds that the reply asks to wait.
    """

    said: str
    network: Network
    kinds: tuple[str, ...]
    retry_after: float | None = None


def failing(status: int, *headers: tuple[str, str]) -> Network:
    """Return a network that always answers with `status` and a body that says so."""
    body = json.dumps({"error": {"message": "no", "type": "error"}}).encode()
    return lambda _: Reply(status, (_JSON, *headers), (body,))


def _raises(error: Callable[[], Exception]) -> Network:
    def network(_: Request) -> Reply:
        raise error()

    return network


def _nobody(request: Request) -> Reply:
    raise NoReplyError(f"{request.method} {request.url.partition('?')[0]} was asked, and nobody is there.")


STATUSES = (400, 402, 404, 409, 410, 422, 501, 502, 503, 504, 529)
"""What else a service answers where it does not do what it was asked."""

FAILURES: dict[str, Failure] = {
    "auth": Failure("401", failing(401), ("auth",)),
    "forbidden": Failure("403", failing(403), ("auth",)),
    "rate-limit": Failure("429 with Retry-After: 7", failing(429, ("retry-after", "7")), ("rate-limit",), 7.0),
    "server": Failure("500", failing(500), ("server",)),
    "timeout": Failure("nothing in time", _raises(lambda: TimeoutError("the read operation timed out")), ("timeout",)),
    "connection": Failure("no connection", _raises(lambda: ConnectionError("connection refused")), ("connection",)),
    "malformed": Failure("a page of HTML that calls itself JSON", answering(b"<html>sign in</html>"), ("malformed",)),
    "truncated": Failure(
        "half of a reply", lambda _: Reply(200, (_JSON,), (b'{"results": [{"url": "https:',), cut=True), ("connection", "malformed")
    ),
}
"""By name."""
