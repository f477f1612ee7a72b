"""What a service is told."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Options"]

_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a service is told.

    Attributes:
        token: that every request has to bring; None where only this machine can ask.
        hosts: names that a request may call the service by while there is no token, in lower case, without a port.
        threads: requests that are worked on at a time; each has a facade of its own.
        queue: requests that may wait for that, at most.
        seconds: that a request may take, waiting included.
        max_body: bytes of a body, at most.
        max_bundle: bytes of a bundle that is to be verified, at most.
        body_seconds: in which a body has to arrive.
        keep_seconds: for which the events of a stream are kept after its end.
    """

    token: str | None = field(default=None, repr=False)
    hosts: frozenset[str] = frozenset({"localhost", "127.0.0.1", "[::1]"})
    threads: int = 4
    queue: int = 200
    seconds: float = 120.0
    max_body: int = _MEBIBYTE
    max_bundle: int = 64 * _MEBIBYTE
    body_seconds: float = 30.0
    keep_seconds: float = 300.0
