"""One request after the other, each to an address that was checked for it.

    target --checked_addresses--> addresses --exchange--> reply --redirect? the next target, from the start--> last reply

Every hop is a URL like any other: admitted, looked up, checked and connected to by itself. The environment's proxies, cookies and
credentials play no part. A listed host is only reached from a listed host: a page in the open must not lead into the intranet.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Final, NamedTuple
from urllib.parse import urljoin

import httpcore

from veridical.kernel.policy import Policy

from .addresses import Resolver, Target, checked_addresses, target_of
from .decoding import ACCEPTED
from .exchange import Deadline, Reply, exchange
from .limits import Limits
from .page import Hop
from .refused import FetchRefused

__all__ = ["OK", "Client", "Walked"]

OK: Final = 200
_REDIRECTS: Final = frozenset([301, 302, 303, 307, 308])


class Walked(NamedTuple):
    """Where redirects led, what came back there, and the redirects."""

    target: Target
    reply: Reply
    hops: tuple[Hop, ...]


class Client:
    """Sends requests within limits, and follows where they lead.

    Args:
        policy: whose rules for URLs and addresses apply.
        limits: what a reply may take.
        hosts: that the operator listed.
        agent: the value of User-Agent.
        resolver: from a host and a port to addresses.
        backend: that opens connections to addresses; None takes sockets.
        tls: for https; None trusts certifi's roots.
    """

    def __init__(
        self,
        policy: Policy,
        limits: Limits,
        *,
        hosts: frozenset[str],
        agent: str,
        resolver: Resolver,
        backend: httpcore.NetworkBackend | None,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._policy = policy
        self._limits = limits
        self._hosts = hosts
        self._agent = agent
        self._resolver = resolver
        self._backend = backend or httpcore.SyncBackend()
        self._tls = tls

    def target(self, url: str, *, listed: bool) -> Target:
        """Take a URL apart; hosts that the operator listed may be named where `listed` says so.

        Raises:
            FetchRefused: it may not be read.
        """
        return target_of(url, policy=self._policy, hosts=self._hosts if listed else frozenset())

    def location(self, target: Target, deadline: Deadline) -> str | None:
        """Send one HEAD, and return the URL that it redirects to, which may be read; None when it redirects nowhere. Nothing is followed.

        Raises:
            FetchRefused: there is no reply within the limits, or it leads to what may not be read.
        """
        reply = self.send(target, deadline, {}, size=0, method="HEAD")
        return self._next(target, reply).url if reply.status in _REDIRECTS else None

    def send(
        self, target: Target, deadline: Deadline, headers: dict[str, str], *, size: int, cut: bool = False, method: str = "GET"
    ) -> Reply:
        """Send one GET, or HEAD. Only a reply of status 200 has a body, of at most `size` bytes; with `cut` no more of it is read.

        Raises:
            FetchRefused: there is no whole reply within the limits.
        """
        sent = {"User-Agent": self._agent, "Accept-Encoding": ACCEPTED, **headers}
        return exchange(
            target,
            checked_addresses(target, resolver=self._resolver, policy=self._policy),
            list(sent.items()),
            wanted=lambda reply: size if reply.status == OK and method == "GET" else None,
            cut=cut,
            limits=self._limits,
            deadline=deadline,
            backend=self._backend,
            tls=self._trust() if target.scheme == "https" else None,
            method=method,
        )

    def walk(self, first: Target, ask: Callable[[Target], Reply]) -> Walked:
        """Ask for `first`, and for whatever it redirects to.

        Raises:
            FetchRefused: a hop may not be read, or there are too many.
        """
        target, hops = first, list[Hop]()
        while (reply := ask(target)).status in _REDIRECTS:
            hops.append(Hop(target.url, reply.status))
            if len(hops) > self._limits.hops:
                raise FetchRefused("redirect-count", first.url, f"more than {self._limits.hops}")
            target = self._next(target, reply)
        return Walked(target, reply, tuple(hops))

    def _next(self, target: Target, reply: Reply) -> Target:
        location = reply.header("location")
        if location is None:
            raise FetchRefused("redirect-location", target.url, status=reply.status)
        try:
            # The bytes of a header are Latin-1 to HTTP, and UTF-8 to those who write it.
            url = urljoin(target.url, location.encode("latin-1").decode("utf-8"))
        except ValueError:
            raise FetchRefused("redirect-location", target.url, ascii(location)[1:-1][:80]) from None
        found = self.target(url, listed=target.listed)
        if (target.scheme, found.scheme) == ("https", "http"):
            raise FetchRefused("redirect-downgrade", found.url)
        return found

    def _trust(self) -> ssl.SSLContext:
        if self._tls is None:
            import httpx

            self._tls = httpx.create_ssl_context(trust_env=False)
        return self._tls
