"""How much one page may take."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one fetch may take, redirects and all.

    Attributes:
        wire: bytes received in one exchange, header included.
        body: bytes of a body once its content codings are undone.
        markup: bytes of an HTML page: its map takes fifty times as much memory at worst, and some seconds for each MiB.
        header: bytes of the header of a reply.
        seconds: from the first look-up to the last byte, without the time spent waiting politely.
        idle: seconds of silence.
        hops: redirects.
        gap: seconds between two requests to one host.
        slowest: at most this much of a gap is kept because robots.txt asks for it.
        wait: at most this much is waited because a server asks to come back later, once.
        robots: bytes of a robots.txt that are read.
        robots_seconds: that a robots.txt is remembered.
        pages: of a PDF that are read.
    """

    wire: int = 10 << 20
    body: int = 30 << 20
    markup: int = 5 << 20
    header: int = 64 << 10
    seconds: float = 30.0
    idle: float = 10.0
    hops: int = 5
    gap: float = 1.0
    slowest: float = 10.0
    wait: float = 30.0
    robots: int = 512 << 10
    robots_seconds: float = 3600.0
    pages: int = 500
