"""One question through the facade, the command line, HTTP and MCP: the same outcome, field by field."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters
from veridical_contract import ResearchOutcome

from tests.providers.service import as_json
from tests.providers.several import Behaviour, Several, several
from tests.surfaces.test_ground import CURIE, JANES, QUESTION

CASES: dict[str, tuple[str, dict[str, Behaviour]]] = {
    "answered": (QUESTION, {"brave": CURIE}),
    "the second provider": (QUESTION, {"brave": lambda _: as_json({"error": "later"}, 503), "tavily": CURIE}),
    "two people of one name": ("who is Jane Smith", {"brave": JANES}),
    "thin": ("who is Zebulon Quartermaine-Oduya", {"brave": CURIE}),
    "every provider failed": (QUESTION, {"brave": lambda _: as_json({"error": "later"}, 503)}),
    "no backend": (QUESTION, {}),
}
NOW = "2026-11-22T12:00:00Z"


def normal(outcome: dict[str, Any]) -> dict[str, Any]:
    """The outcome with one time of retrieval: the runs follow each other."""
    for row in outcome["citations"]:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["retrieved_at"])
        row["retrieved_at"] = NOW
    return outcome


def environment(home: Several) -> dict[str, str]:
    return {**os.environ, **home.environment, "VERIDICAL_HOME": str(home.home)}


def by_facade(home: Several, question: str) -> dict[str, Any]:
    with home.open() as opened:
        return json.loads(opened.ground(question).model_dump_json())


def by_command(home: Several, question: str) -> dict[str, Any]:
    typed = [sys.executable, "-m", "veridical.cli", "ground", question, "--json"]
    done = subprocess.run(typed, env=environment(home), capture_output=True, text=True, timeout=120, check=False)
    outcome = json.loads(done.stdout)
    assert done.returncode == (0 if outcome["ok"] else 3)
    return outcome


@contextmanager
def serving(home: Several) -> Generator[str]:
    typed = [sys.executable, "-m", "veridical.cli", "serve", "--port", "0"]
    with subprocess.Popen(typed, env=environment(home), stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            for line in server.stderr:
                if found := re.search(r"Serving on (http://\S+?)[,\s]", line):
                    yield found[1]
                    break
        finally:
            server.send_signal(signal.SIGTERM)
            rest = server.stderr.read()
    assert server.returncode == 0, rest


def by_http(home: Several, question: str) -> dict[str, Any]:
    with serving(home) as url:
        reply = httpx.post(f"{url}/api/v1/autonomy/research/complete", json={"query": question}, timeout=60)
    assert reply.status_code == 200, reply.text
    return reply.json()


def by_mcp(home: Several, question: str) -> dict[str, Any]:
    async def session() -> Any:
        started = StdioServerParameters(command=sys.executable, args=["-m", "veridical.cli", "mcp"], env=environment(home))
        async with Client(started) as client:
            return (await client.call_tool("ground", {"question": question})).structured_content

    return anyio.run(session)


@pytest.mark.parametrize("case", CASES)
def test_every_surface_gives_the_same_outcome(case: str, tmp_path: Path) -> None:
    question, behaviours = CASES[case]
    ways: tuple[Callable[[Several, str], dict[str, Any]], ...] = (by_facade, by_command, by_http, by_mcp)
    with several(tmp_path, behaviours) as home:
        first, *others = [normal(way(home, question)) for way in ways]
    assert (case in ("answered", "the second provider")) == first["ok"]
    for way, other in zip(ways[1:], others, strict=True):
        assert sorted(ResearchOutcome.model_fields) == sorted(other)
        for field in ResearchOutcome.model_fields:
            assert first[field] == other[field], f"{way.__name__}: {field}"
