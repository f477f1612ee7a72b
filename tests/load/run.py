"""The service as a process, clients at a time, and what came of it."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from veridical import Veridical

from .mix import NOTE, Known, asked
from .provider import searching

__all__ = ["GROWTH", "Result", "run"]

WARM_UP = 0.5
"""The part of the requests after which memory is looked at for the first time: caches are full by then."""
GROWTH = 8 << 20
"""Bytes by which memory may differ between then and the end: what the allocator keeps varies by less."""
_KEY = "key-of-this-test"


@dataclass
class Result:
    """What came of it.

    Attributes:
        seconds: of each reply, by route.
        failures: how often what went wrong.
        memory: bytes in use before the first request, after the warm-up, at each tenth after that, and at the end.
        took: seconds, all in all.
        code: exit code of the service.
        said: what the service said at its end.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: Counter[str] = field(default_factory=Counter[str])
    memory: list[int] = field(default_factory=list[int])
    took: float = 0.0
    code: int | None = None
    said: str = ""

    @property
    def growth(self) -> int:
        """Bytes by which memory grew after the warm-up."""
        return self.memory[-1] - self.memory[1]

    def problems(self) -> list[str]:
        """What a service has to be better at, one line each."""
        found = [f"{count} x {what}" for what, count in self.failures.most_common()]
        if self.growth > GROWTH:
            found.append(f"memory grew by {self.growth >> 20} MiB after the warm-up; at most {GROWTH >> 20} MiB are allowed")
        if self.code != 0:
            found.append(f"the service ended with code {self.code}: {self.said}")
        return found


def run(folder: Path, *, requests: int, clients: int, threads: int) -> Result:
    """Ask `requests` times, `clients` at a time.

    Args:
        folder: empty; the service's home is made in it.
        requests: how many.
        clients: how many at a time; each asks again as soon as it has its reply.
        threads: of the service.
    """
    return asyncio.run(_run(folder, requests, clients, threads))


async def _run(folder: Path, requests: int, clients: int, threads: int) -> Result:
    result = Result()
    async with searching() as provider:
        known = _prepare(folder, provider)
        async with _serving(folder, threads, result) as (url, pid):
            limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
            async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits, trust_env=False) as client:
                await client.get("/readyz")
                result.memory.append(_memory(pid))
                began = time.perf_counter()
                await _load(client, known, requests, clients, result, pid)
                result.took = time.perf_counter() - began
    return result


async def _load(client: httpx.AsyncClient, known: Known, requests: int, clients: int, result: Result, pid: int) -> None:
    numbers = iter(range(requests))
    looks = {int(requests * (WARM_UP + (1 - WARM_UP) * tenth / 10)) for tenth in range(10)}

    async def one() -> None:
        for number in numbers:
            await _ask(client, known, number, result)
            if number in looks:
                result.memory.append(_memory(pid))

    await asyncio.gather(*(one() for _ in range(clients)))
    result.memory.append(_memory(pid))


async def _ask(client: httpx.AsyncClient, known: Known, number: int, result: Result) -> None:
    wanted = asked(number, known)
    began = time.perf_counter()
    try:
        reply = await client.request(wanted.method, wanted.path, **wanted.options)
    except httpx.HTTPError as error:
        result.failures[f"{wanted.route}: {type(error).__name__}"] += 1
        return
    result.seconds[wanted.route].append(time.perf_counter() - began)
    if reply.status_code != 200:
        result.failures[f"{wanted.route}: status {reply.status_code}"] += 1
    elif not wanted.right(reply):
        result.failures[f"{wanted.route}: another reply than it should be"] += 1


def _prepare(folder: Path, provider: str) -> Known:
    (folder / "notes.txt").write_text(NOTE, "utf-8")
    home = folder / "home"
    home.mkdir()
    (home / "settings.toml").write_text(
        f'[plugins]\nenabled = ["brave"]\n[plugins.hosts]\nbrave = ["127.0.0.1"]\n[plugin.brave]\nbase_url = "{provider}"\n',
        "utf-8",
    )
    with Veridical(home=home, base=folder, environment={}) as veridical:
        veridical.add_source("notes", ["notes.txt"])
        published = veridical.research("Why does the battery fail?", sources=["notes"])
        veridical.save(published, "report.zip")
    return Known(published.report.run.id, published.report.citations[0].document, (folder / "report.zip").read_bytes())


@asynccontextmanager
async def _serving(folder: Path, threads: int, result: Result) -> AsyncGenerator[tuple[str, int]]:
    """Run the service until the end of the block, and then stop it; give its address and its process."""
    words = [sys.executable, "-m", "veridical.cli", "--home", str(folder / "home"), "serve", "--port", "0", "--threads", str(threads)]
    log = folder / "log.txt"
    with log.open("w") as errors:
        process = await asyncio.create_subprocess_exec(*words, stderr=errors, env={**os.environ, "BRAVE_SEARCH_API_KEY": _KEY})
    try:
        while not (found := re.search(r"^Serving on (\S+) ", log.read_text("utf-8"), re.MULTILINE)):
            if process.returncode is not None:
                raise RuntimeError(log.read_text("utf-8"))
            await asyncio.sleep(0.05)
        yield found[1], process.pid
        process.terminate()
        result.code = await asyncio.wait_for(process.wait(), 60)
        result.said = log.read_text("utf-8").strip().splitlines()[-1]
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _memory(pid: int) -> int:
    """Return the bytes of memory that a process has in use."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout) * 1024
