"""Keep this process off the network: only loopback can be reached. For tests alone.

The root conftest.py imports it, and puts its folder on PYTHONPATH, so that Python child processes import it at their start. A child that
ignores PYTHONPATH (`python -I`, `-E`) or is not Python is out of its reach.

An audit hook sees every connection whoever makes it and however it is spelled, and cannot be taken away again by a plugin under test.
"""

from __future__ import annotations

import sys
from typing import cast

_NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_PEERS = {"socket.connect", "socket.sendto", "socket.sendmsg"}


class NetworkBlockedError(RuntimeError):
    """A test tried to leave the machine. Not an OSError: code that handles a failed connection must not swallow it."""


def is_loopback(host: str) -> bool:
    """Tell whether `host` names this machine by the loopback interface; the empty host does."""
    first, *rest = host.split(".")
    return host in {"", "localhost", "::1"} or (first == "127" and len(rest) == 3 and all(part.isdecimal() for part in rest))


def _host(event: str, args: tuple[object, ...]) -> str | None:
    """Return the host that an audit event is about, None when it is about none (a Unix socket, a bound wildcard)."""
    if event in _NAMES:
        host = args[0]
    elif event in _PEERS and type(args[1]) is tuple:
        host = cast("tuple[object, ...]", args[1])[0]
    else:
        return None
    return host.decode("ascii", "replace") if isinstance(host, bytes) else host if isinstance(host, str) else None


def _refuse(event: str, args: tuple[object, ...]) -> None:
    if event in _NAMES or event in _PEERS:
        host = _host(event, args)
        if host is not None and not is_loopback(host):
            raise NetworkBlockedError(f"tests stay off the network: {event} to {host!r} refused; serve it from 127.0.0.1 instead")


sys.addaudithook(_refuse)
