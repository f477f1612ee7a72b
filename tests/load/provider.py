"""A search service on loopback that speaks Brave's replies; one event loop, connections kept, an answer of its own for every question."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

__all__ = ["question", "searching"]

_STONES = (
    "amber", "basalt", "cobalt", "dolomite", "feldspar", "garnet", "hematite", "jasper", "limonite", "malachite", "olivine",
    "pyrite", "quartz",
)  # fmt: skip


def question(number: int) -> str:
    """The question of this number: no two are alike."""
    return f"Which expedition found sample {number} of {_STONES[number % len(_STONES)]} in Norway?"


def _hits(asked: str) -> list[dict[str, str]]:
    """Three hits of three domains that speak of the question, and of nothing that another question's hits say."""
    found = re.search(r"sample (\d+) of (\w+)", asked)
    number, stone = (found[1], found[2]) if found else ("0", "stone")
    mark = hashlib.sha256(asked.encode()).hexdigest()
    return [
        {
            "title": f"On sample {number}",
            "url": f"https://{name}.example/{mark[:12]}",
            "description": f"{opening} sample {number} of {stone} was found near marker {mark[at : at + 8]}, and {ending}.",
        }
        for at, (name, opening, ending) in enumerate(
            [
                ("quarry", "In the old quarry", "the workers kept it in a wooden box"),
                ("museum", "According to the museum", "it has been on show ever since"),
                ("survey", "A survey of the valley says that", "two more were seen beside it"),
            ]
        )
    ]


@asynccontextmanager
async def searching() -> AsyncGenerator[str]:
    """Run the service until the end of the block; give its address."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        yield f"http://{host}:{port}"
    finally:
        server.close()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            query = parse_qs(urlsplit(head.split(b" ", 2)[1].decode("ascii")).query)
            asked = query.get("q", [""])[0]
            body = json.dumps({"type": "search", "query": {"original": asked}, "web": {"type": "search", "results": _hits(asked)}}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the client went
    finally:
        writer.close()
