"""Every client that is recorded, with one way to ask for something."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import httpx2
import requests
from veridical.wire.recording import Recorded, Recorder, async_transport, recording_session, transport

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECRET = "s3cr3t/v+lue=="


def recorder(**options: Any) -> Recorder:
    return Recorder(lambda text: text.replace(SECRET, "[KEY]"), lambda: NOW, **options)


@dataclass(frozen=True)
class Outcome:
    """What the client was given, or what it raised, and what the host recorded."""

    content: bytes | None
    error: Exception | None
    records: list[Recorded]


Ask = Callable[..., Outcome]


def _asked(recording: Recorder, ask: Callable[[], bytes]) -> Outcome:
    with recording.call() as records:
        try:
            return Outcome(ask(), None, records)
        except Exception as error:  # noqa: BLE001 - whatever the client raises is what is looked at
            return Outcome(None, error, records)


def _sync(library: Any) -> Ask:
    def ask(url: str, *, method: str = "GET", recording: Recorder | None = None, timeout: float = 30, **options: Any) -> Outcome:
        recording = recording or recorder()
        follow, network = options.pop("follow", False), options.pop("network", None)
        with library.Client(transport=transport(library, recording, network), timeout=timeout, follow_redirects=follow) as client:
            return _asked(recording, lambda: client.request(method, url, **options).content)

    return ask


def _async(library: Any) -> Ask:
    def ask(url: str, *, method: str = "GET", recording: Recorder | None = None, timeout: float = 30, **options: Any) -> Outcome:
        recording = recording or recorder()
        follow, network = options.pop("follow", False), options.pop("network", None)

        async def fetch() -> bytes:
            inner = async_transport(library, recording, network)
            client = library.AsyncClient(transport=inner, timeout=timeout, follow_redirects=follow)
            async with client:
                return (await client.request(method, url, **options)).content

        return _asked(recording, lambda: asyncio.run(fetch()))

    return ask


def _session(url: str, *, method: str = "GET", recording: Recorder | None = None, timeout: float = 30, **options: Any) -> Outcome:
    recording = recording or recorder()
    if "content" in options:
        options["data"] = options.pop("content")
    options["allow_redirects"] = options.pop("follow", False)
    with contextlib.closing(recording_session(recording, timeout=timeout, network=options.pop("network", None))) as session:
        return _asked(recording, lambda: session.request(method, url, **options).content)


CLIENTS: dict[str, Ask] = {
    "httpx": _sync(httpx),
    "httpx async": _async(httpx),
    "httpx2": _sync(httpx2),
    "httpx2 async": _async(httpx2),
    "requests": _session,
}
TIMEOUTS = (httpx.TimeoutException, httpx2.TimeoutException, requests.Timeout, requests.ConnectionError)


async def gathered(*tasks: Awaitable[Any]) -> list[Any]:
    return [*await asyncio.gather(*tasks)]
