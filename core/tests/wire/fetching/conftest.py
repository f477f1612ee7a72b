"""Servers that end with their test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .kit import Server, Site


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Return a function from a site to a server that is closed after the test."""
    servers: list[Server] = []

    def start(site: Site | None = None, **more: object) -> Server:
        servers.append(Server(site, **more))  # pyright: ignore[reportArgumentType]
        return servers[-1]

    yield start
    for server in servers:
        server.close()
