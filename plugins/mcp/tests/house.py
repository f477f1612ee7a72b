"""A home with a search service on loopback and some notes, and a client of the SDK that speaks to its server over each transport."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from veridical.client import Pool, Veridical
from veridical_mcp._calls import Calls, Watcher
from veridical_mcp._server import make_server

from tests.providers.several import Behaviour, Several, several
from tests.providers.test_research import Hit

__all__ = ["CURIE", "NOTE", "QUESTION", "House", "Serving", "answered", "house", "refused", "run", "said"]

_T = TypeVar("_T")
QUESTION = "report on Marie Curie"
CURIE = (
    Hit(
        "https://en.encyclopedia.example/wiki/Marie_Curie",
        "Marie Curie",
        "Marie Curie was a Polish and naturalised-French physicist and chemist who conducted pioneering research on radioactivity.",
    ),
    Hit("https://www.prize.example/curie", "Facts", "Marie Curie was born in Warsaw on November 7, 1867, the daughter of a teacher."),
    Hit("https://museum.example/curie", "Radium", "In 1911 Marie Curie received a second prize, for the discovery of radium and polonium."),
)
NOTE = "The door of the shop does not close since the frame is bent. We called the carpenter twice.\n"


@dataclass(frozen=True)
class House:
    """A home, and how to serve it."""

    several: Several

    @property
    def notes(self) -> Path:
        return self.several.base / "notes"

    def open(self) -> Veridical:
        return self.several.open()

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ}
        return {**kept, **self.several.environment, "VERIDICAL_HOME": str(self.several.home)}

    @asynccontextmanager
    async def here(self, *, local: bool = True, at_once: int = 2, **options: Any) -> AsyncGenerator[Client]:
        """A client of a server in this process: no transport between them."""
        watcher = Watcher()
        with Pool(lambda: self.several.open(progress=watcher), size=at_once) as pool:
            async with Client(make_server(Calls(pool, watcher, size=at_once), local=local), **options) as client:
                yield client

    @asynccontextmanager
    async def stdio(self, *arguments: str, **options: Any) -> AsyncGenerator[Client]:
        """A client of `veridical mcp`, which it started."""
        program = StdioServerParameters(
            command=str(Path(sys.executable).with_name("veridical")),
            args=["mcp", *arguments],
            env=self.environment,
            cwd=self.several.base,
        )
        async with Client(program, **options) as client:
            yield client

    @contextmanager
    def serving(self, *arguments: str, environment: Mapping[str, str] | None = None) -> Generator[Serving]:
        """Run `veridical mcp --http` until the end of the block, which ends it with SIGTERM."""
        command = [str(Path(sys.executable).with_name("veridical")), "mcp", "--http", "--port", "0", *arguments]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, **(environment or {})},
            cwd=self.several.base,
        ) as process:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.fullmatch(r"Serving MCP at (http://\S+/mcp); Ctrl-C ends it\.\n", line)
            serving = Serving(found[1] if found else "", process)
            try:
                assert found is not None, line + process.stderr.read()
                yield serving
            finally:
                process.terminate()
                serving.out, serving.err = process.communicate(timeout=20)


@dataclass
class Serving:
    """A running server.

    Attributes:
        url: of its endpoint.
        process: that serves it.
        out: what it wrote to stdout, once it has ended.
        err: what it wrote to stderr after its first line, once it has ended.
    """

    url: str
    process: subprocess.Popen[str]
    out: str = ""
    err: str = ""

    @asynccontextmanager
    async def connected(self, headers: Mapping[str, str] | None = None, **options: Any) -> AsyncGenerator[Client]:
        async with (
            httpx2.AsyncClient(headers=dict(headers or {}), timeout=30) as http,
            Client(streamable_http_client(self.url, http_client=http), **options) as client,
        ):
            yield client


@contextmanager
def house(folder: Path, behaviour: Behaviour = CURIE, *, seconds: float = 20.0) -> Generator[House]:
    """A home in `folder` whose one search provider does as `behaviour` says."""
    (folder / "notes").mkdir()
    (folder / "notes" / "door.txt").write_text(NOTE, "utf-8")
    with several(folder, {"brave": behaviour}, seconds=seconds) as made:
        yield House(made)


def run(function: Callable[[], Awaitable[_T]]) -> _T:
    """Run a coroutine function; whatever hangs fails."""

    async def limited() -> _T:
        with anyio.fail_after(60):
            return await function()

    return anyio.run(limited)


def said(result: CallToolResult) -> str:
    """The text of a result, for people and models."""
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def answered(result: CallToolResult) -> dict[str, Any]:
    """The data of a result that is no error."""
    assert not result.is_error, said(result)
    return result.structured_content


def refused(result: CallToolResult) -> str:
    """The line of a result that is an error."""
    assert result.is_error
    assert result.structured_content is None
    line = said(result)
    assert "\n" not in line
    assert "Traceback" not in line
    return line
