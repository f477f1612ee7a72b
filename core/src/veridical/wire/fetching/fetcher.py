"""Fetches a cited page: the host's own client, which no plugin can reach into.

URL --robots.txt, pace--> client, redirects and all --asked to come back later? once--> page.py --> Page | NotModified
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from veridical.kernel.policy import Policy, load_policy
from veridical.kernel.urls import UrlTable

from .addresses import Resolver, Target, system_resolver
from .limits import Limits
from .page import ACCEPTED, NotModified, Page, read_page
from .refused import FetchRefused

if TYPE_CHECKING:
    import httpcore

    from .exchange import Deadline, Reply

__all__ = ["AGENT", "Fetcher"]

AGENT: Final = "veridical"
"""The name that robots.txt knows this client by."""

_OK, _NOT_MODIFIED = 200, 304
_GONE: Final = frozenset([404, 410])
_LATER: Final = frozenset([429, 503])


class Fetcher:
    """Reads pages, politely and within limits. Threads may share one.

    Args:
        policy: whose rules for URLs and addresses apply; None takes the latest.
        limits: what one page may take.
        hosts: that the operator listed, `host` or `host:port`: they may be private, and have other ports than 80 and 443.
        agent: the value of User-Agent; what stands before a slash is the name that robots.txt knows.
        now: the time, aware.
        monotonic: seconds that only grow.
        sleep: waits for seconds.
        resolver: from a host and a port to addresses. It has no time limit but its own.
        backend: that opens connections to addresses; None takes sockets.
        tls: for https; None trusts certifi's roots, as httpx does.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        limits: Limits | None = None,
        *,
        hosts: Iterable[str] = (),
        agent: str = AGENT,
        now: Callable[[], datetime] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        resolver: Resolver = system_resolver,
        backend: httpcore.NetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        from .client import Client  # httpcore takes 60 ms to load, and most runs fetch nothing
        from .pace import Pace, Robots

        self.policy = policy or load_policy()
        self.hosts = frozenset(host.lower() for host in hosts)
        self._limits = limits or Limits()
        self._now = now or _utc_now
        self._monotonic = monotonic
        self._sleep = sleep
        self._pace = Pace(monotonic, sleep)
        self._robots = Robots(agent.partition("/")[0], self._limits, monotonic)
        self._client = Client(self.policy, self._limits, hosts=self.hosts, agent=agent, resolver=resolver, backend=backend, tls=tls)

    def resolve(self, url: str) -> str | None:
        """Return where a short-lived redirect of a provider leads, with one HEAD to its host alone; None when it leads nowhere.

        Args:
            url: of one of the hosts that the policy names as such, or that the operator listed; no other host is asked.

        Raises:
            FetchRefused: it was not asked (`redirect-host`), did not answer, or leads to what may not be read.
        """
        from .exchange import Deadline

        target = self._client.target(url, listed=True)
        path = self.policy.table("urls", UrlTable).redirects.get(target.host)
        if not target.listed and (path is None or not target.path.startswith(path)):
            raise FetchRefused("redirect-host", url)
        return self._client.location(target, Deadline(self._limits.seconds, self._monotonic))

    def fetch(self, url: str, *, etag: str | None = None, modified: str | None = None) -> Page | NotModified:
        """Read the page at `url`, wherever it redirects to.

        Args:
            url: http or https; a fragment is not sent.
            etag: of a copy that is at hand; what no header can hold is not sent.
            modified: the Last-Modified of that copy.

        Returns:
            The page; `NotModified` when the server says that the copy is still the page.

        Raises:
            FetchRefused: it was not read, for the reason in `rule`.
        """
        from .exchange import Deadline

        deadline = Deadline(self._limits.seconds, self._monotonic)
        validators = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {"Accept": ACCEPTED, **{name: value for name, value in validators.items() if value is not None and _is_plain(value)}}
        held = False

        def ask(target: Target) -> Reply:
            nonlocal held
            self._turn(target, deadline)
            reply = self._client.send(target, deadline, headers, size=self._limits.body)
            seconds = self._later(reply)
            if seconds is None or held:
                return reply
            held = True
            self._sleep(seconds)
            deadline.extend(seconds)
            return ask(target)

        target, reply, hops = self._client.walk(self._client.target(url, listed=True), ask)
        if reply.status == _NOT_MODIFIED and len(headers) > 1:
            return NotModified(url, target.url, hops, self._now())
        if reply.status != _OK:
            raise self._refusal(target, reply)
        return read_page(url, hops, target.url, reply, retrieved=self._now(), limits=self._limits)

    def _turn(self, target: Target, deadline: Deadline) -> None:
        """Ask the origin's robots.txt, and wait until the host may be asked."""
        gap = self._robots.check(target, lambda url: self._robots_reply(url, target, deadline))
        deadline.extend(self._pace.wait(target.host, gap))

    def _robots_reply(self, url: str, of: Target, deadline: Deadline) -> Reply:
        def ask(target: Target) -> Reply:
            deadline.extend(self._pace.wait(target.host, self._limits.gap))
            return self._client.send(target, deadline, {}, size=self._limits.robots, cut=True)

        return self._client.walk(self._client.target(url, listed=of.listed), ask).reply

    def _later(self, reply: Reply) -> float | None:
        """Return the seconds that a server asks to wait, when it does, and for no longer than is waited for."""
        seconds = self._seconds(reply.header("retry-after")) if reply.status in _LATER else None
        return seconds if seconds is not None and seconds <= self._limits.wait else None

    def _refusal(self, target: Target, reply: Reply) -> FetchRefused:
        rule = "gone" if reply.status in _GONE else "retry-later" if reply.status in _LATER else "status"
        return FetchRefused(rule, target.url, status=reply.status, retry_after=self._seconds(reply.header("retry-after")))

    def _seconds(self, value: str | None) -> float | None:
        """Return what Retry-After says (RFC 9110 10.2.3): seconds, or a date."""
        if value is None:
            return None
        if value.isascii() and value.isdigit() and len(value) < 10:
            return float(value)
        try:
            at = parsedate_to_datetime(value)
        except ValueError:
            return None
        return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - self._now()).total_seconds())


def _is_plain(value: str) -> bool:
    """Whether a header can hold it: a server may have named its copy in any bytes, and then the whole page is asked for."""
    return value.isascii() and value.isprintable()


def _utc_now() -> datetime:
    return datetime.now(UTC)
