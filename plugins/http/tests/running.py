"""A real service on a real socket, in a thread of the test's process; the facade behind it is a real one, over a home of the test's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from veridical import Veridical
from veridical_http.app import service
from veridical_http.options import Options
from veridical_http.server import Server, bind, url

NOTE = "The battery fails after two hours of use. The screen is fine and bright. The hinge has a crack near the left screw.\n"


@dataclass
class Running:
    """A service that runs.

    Attributes:
        url: of it.
        client: that asks it.
        server: of it.
        home: of its facades.
    """

    url: str
    client: httpx.Client
    server: Server
    home: Path

    def post(self, path: str, body: Any, **options: Any) -> httpx.Response:
        return self.client.post(f"/api/v1/{path}", json=body, **options)


@contextmanager
def running(make: Callable[[], Veridical], home: Path, **options: Any) -> Generator[Running]:
    """Run a service until the end of the block, and then stop it as a signal would."""
    started = threading.Event()
    server = Server(service(make, Options(**options)), started.set)
    with bind("127.0.0.1", 0) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": bound})
        thread.start()
        assert started.wait(30)
        try:
            with httpx.Client(base_url=url(bound[0]), timeout=60, trust_env=False) as client:
                yield Running(url(bound[0]), client, server, home)
        finally:
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive()


def problem(reply: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the problem that a reply holds, when it is one of this kind, in every way in which it has to be one."""
    assert (status, "application/problem+json") == (reply.status_code, reply.headers["content-type"]), reply.text
    said = reply.json()
    assert {"type", "title", "status", "detail", "code", "request_id"} <= said.keys()
    assert (status, code, f"/problems/{code}") == (said["status"], said["code"], said["type"])
    assert said["request_id"] == reply.headers["x-request-id"]
    return said
