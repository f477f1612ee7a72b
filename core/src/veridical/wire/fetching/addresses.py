"""Where a URL leads: host, port and the addresses that may be connected to.

    URL --kernel's admit_url--> host, port --resolve once--> every address checked --> the addresses to connect to

A name is as good as its worst address: one that is not public refuses them all. Hosts that the operator listed may be private, but never
link-local, multicast or a cloud's metadata service.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import quote, urldefrag, urlsplit

from veridical.kernel.policy import Policy
from veridical.kernel.urls import UrlRefused, admit_url, url_host

from .refused import FetchRefused

__all__ = ["Resolver", "Target", "checked_addresses", "system_resolver", "target_of"]

Resolver = Callable[[str, int], Sequence[str]]
"""From a host name and a port to its addresses; raises OSError when there are none."""

_PORTS: Final = {"http": 80, "https": 443}
# Azure, Alibaba, Oracle; Amazon's and everybody else's are link-local, or the last one.
_METADATA: Final = frozenset(map(ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")))
# Compatible with version 4 (RFC 4291 2.5.5.1), translated (RFC 6052, RFC 8215): the last bits are an address.
_LAST_BITS: Final = tuple(map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96")))
_WRITTEN: Final = "/%:@!$&'()*+,;=~"


@dataclass(frozen=True, slots=True)
class Target:
    """One admitted URL, taken apart as it will be asked for.

    Attributes:
        url: without its fragment.
        scheme: http or https.
        host: in lower-case ASCII; an IPv6 address in brackets.
        port: of the connection.
        path: path and query as they are sent.
        listed: whether the operator listed the host at this port.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str
    listed: bool

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        return self.host if self.port == _PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: whose robots.txt counts."""
        return f"{self.scheme}://{self.authority}"


def target_of(url: str, *, policy: Policy, hosts: frozenset[str]) -> Target:
    """Take an URL apart.

    Args:
        url: as it was cited, or as a redirect gave it.
        policy: whose rules for URLs apply.
        hosts: that the operator listed, `host` or `host:port`, in lower case.

    Raises:
        FetchRefused: the kernel does not admit it, or its port.
    """
    if type(url) is not str:
        raise FetchRefused("url-type", "")
    try:
        host = url_host(url, policy)
        parts = urlsplit(urldefrag(url).url)
        scheme = parts.scheme.lower()
        port = parts.port or _PORTS[scheme]
        listed = f"{host}:{port}" in hosts or (host in hosts and port in _PORTS.values())
        admit_url(url, policy=policy, allowed_hosts=frozenset([host]) if listed else frozenset())
    except UrlRefused as error:
        raise FetchRefused(error.rule, str(url)) from None
    if not listed and port not in _PORTS.values():
        raise FetchRefused("port", url, str(port))
    path = quote(parts.path or "/", safe=_WRITTEN) + (f"?{quote(parts.query, safe=_WRITTEN + '?')}" if parts.query else "")
    return Target(parts.geturl(), scheme, host, port, path, listed)


def checked_addresses(target: Target, *, resolver: Resolver, policy: Policy) -> list[str]:
    """Return the addresses of a target, every one of which may be connected to.

    Raises:
        FetchRefused: there are none, or one of them is not public.
    """
    try:
        found = [str(ip_address(target.host.strip("[]")))]
    except ValueError:
        found = _resolved(target, resolver)
    for address in found:
        if not _may_be_read(address, policy, listed=target.listed):
            raise FetchRefused("private-address", target.url, address)
    return found


def system_resolver(host: str, port: int) -> list[str]:
    """Return the addresses of a host as the system knows them."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def _resolved(target: Target, resolver: Resolver) -> list[str]:
    try:
        found = list(resolver(target.host, target.port))
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise FetchRefused("unresolved", target.url, target.host)
    return found


def _may_be_read(text: str, policy: Policy, *, listed: bool) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if any(each.is_link_local or each.is_multicast or each.is_unspecified or each in _METADATA for each in _meant(address)):
        return False
    return listed or (address.is_global and _is_admitted(address, policy))


def _meant(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return an address and those of version 4 that it stands for."""
    if isinstance(address, IPv4Address):
        return [address]
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    inner += [IPv4Address(int(address) & 0xFFFFFFFF)] if any(address in network for network in _LAST_BITS) else []
    return [address, *(each for each in inner if each is not None)]


def _is_admitted(address: IPv4Address | IPv6Address, policy: Policy) -> bool:
    """Whether the policy's table of networks, which also knows translating and embedding ones, lets it be named in a URL."""
    try:
        admit_url(f"http://[{address}]/" if isinstance(address, IPv6Address) else f"http://{address}/", policy=policy)
    except UrlRefused:
        return False
    return True
