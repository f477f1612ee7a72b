"""Politeness: how often a host is asked, and what its robots.txt allows (RFC 9309)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final
from urllib.robotparser import RobotFileParser

from .addresses import Target
from .exchange import Reply
from .limits import Limits
from .refused import FetchRefused

__all__ = ["Pace", "Robots"]

_OK: Final = 200
_UNREACHABLE: Final = frozenset({"unresolved", "private-address", "connection", "tls", "timeout"})
_CLIENT_ERROR: Final = range(400, 500)


class Pace:
    """Keeps requests to one host apart. Safe to share between threads."""

    def __init__(self, monotonic: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._free: dict[str, float] = {}
        self._lock = Lock()

    def wait(self, host: str, gap: float) -> float:
        """Wait until `host` may be asked again, and return for how many seconds."""
        with self._lock:
            now = self._monotonic()
            at = max(now, self._free.get(host, now))
            self._free[host] = at + gap
        if at > now:
            self._sleep(at - now)
        return at - now


@dataclass(frozen=True, slots=True)
class _Rules:
    parser: RobotFileParser
    until: float


class Robots:
    """What each origin's robots.txt allows this agent.

    Args:
        agent: name of the crawler.
        limits: how long a file is remembered, and how slow it may make things.
        monotonic: seconds.
    """

    def __init__(self, agent: str, limits: Limits, monotonic: Callable[[], float]) -> None:
        self._agent = agent
        self._limits = limits
        self._monotonic = monotonic
        self._known: dict[str, _Rules] = {}

    def check(self, target: Target, ask: Callable[[str], Reply]) -> float:
        """Return the seconds that requests to the host are to be apart.

        Args:
            target: that is to be read.
            ask: from the URL of a robots.txt to the reply; raises FetchRefused.

        Raises:
            FetchRefused: `robots`, or `robots-unreachable` where nobody can say.
        """
        rules = self._known.get(target.origin)
        if rules is None or rules.until <= self._monotonic():
            rules = self._known[target.origin] = _Rules(_read(target, ask), self._monotonic() + self._limits.robots_seconds)
        if not rules.parser.can_fetch(self._agent, target.origin + target.path):
            raise FetchRefused("robots", target.url)
        delay = rules.parser.crawl_delay(self._agent)
        return max(self._limits.gap, min(float(delay or 0), self._limits.slowest))


def _read(target: Target, ask: Callable[[str], Reply]) -> RobotFileParser:
    url = f"{target.origin}/robots.txt"
    try:
        reply = ask(url)
    except FetchRefused as error:
        if error.url == url and error.rule in _UNREACHABLE:  # so is the page
            raise FetchRefused(error.rule, target.url, error.detail) from None
        raise FetchRefused("robots-unreachable", target.url, error.rule) from None
    parser = RobotFileParser()
    if reply.status in _CLIENT_ERROR:  # there is none: everything is allowed (2.3.1.3)
        parser.parse([])
    elif reply.status == _OK:
        parser.parse(reply.body.decode("utf-8", "replace").removeprefix("\ufeff").splitlines())
    else:
        raise FetchRefused("robots-unreachable", target.url, status=reply.status)
    return parser
