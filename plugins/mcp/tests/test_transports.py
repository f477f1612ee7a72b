"""The same server over stdio, as a real program that a client started, and over streamable HTTP, through a loopback socket."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client, MCPError
from mcp.types import ResourceLink, TextContent, TextResourceContents
from veridical_contract import Report, ResearchOutcome

from tests.providers.service import Answer, Asked, dropped
from tests.providers.test_research import PROVIDERS

from .house import CURIE, QUESTION, House, answered, house, refused, run, said

(BRAVE,) = (provider for provider in PROVIDERS if provider.name == "brave")
HANGING = "report on Marie Curie and the hanging service"
TOGETHER = "report on Marie Curie and radium together"


@dataclass
class Search:
    """A search service that hangs, waits until two have asked, or answers, as the question says.

    Attributes:
        hung: how many were left hanging.
        over: set when the test is over: who hangs, waits for it.
        both: where two that ask together wait for each other.
    """

    hung: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    over: threading.Event = field(default_factory=threading.Event)
    both: threading.Barrier = field(default_factory=lambda: threading.Barrier(2))

    def answer(self, asked: Asked) -> Answer:
        question = asked.query["q"]
        if "hanging" in question:
            self.hung.release()
            self.over.wait(100)
            return dropped()
        if "together" in question:
            self.both.wait(30)
        return BRAVE.reply(CURIE, question)


@asynccontextmanager
async def connected(home: House, transport: str, **options: Any) -> AsyncGenerator[Client]:
    if transport == "stdio":
        async with home.stdio("--threads", "2", **options) as client:
            yield client
    else:
        with home.serving("--threads", "2") as serving:
            async with serving.connected(**options) as client:
                yield client
        assert ("", "", 0) == (serving.out, serving.err, serving.process.returncode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_client_works_with_a_server(tmp_path: Path, transport: str, mode: str) -> None:
    """In the protocol's newer form and in that before it."""
    search = Search()

    async def session(home: House) -> None:
        async with connected(home, transport, mode=mode) as client:
            assert ("2025-11-25" if mode == "legacy" else "2026-07-28") == client.session.protocol_version
            assert "refusal" in (client.instructions or "")
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert ("add_source" in names) == (transport == "stdio")
            await asks(client)
            await is_told_what_to_do(client)
            await cancels(client, search)
            await asks_twice_at_once(client)
            if transport == "stdio":
                await names_files(client, home)

    with house(tmp_path, search.answer, seconds=300) as home:
        try:
            run(lambda: session(home))
        finally:
            search.over.set()


async def asks(client: Client) -> None:
    """An outcome, with progress; its report and its evidence can be read."""
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    result = await client.call_tool("ground", {"question": QUESTION}, progress_callback=hear)
    outcome = ResearchOutcome.model_validate_json(json.dumps(answered(result)))
    assert ResearchOutcome.model_validate_json(said(result)) == outcome
    assert [hit.text for hit in CURIE] == [claim.text for section in outcome.sections for claim in section.claims]
    assert heard
    assert [(number, None) for number in range(1, len(heard) + 1)] == [(progress, total) for progress, total, _ in heard]
    assert any("searching" in (message or "") for _, _, message in heard)

    (link,) = [block for block in result.content if isinstance(block, ResourceLink)]
    report = Report.model_validate_json(await text_of(client, link.uri))
    assert QUESTION == report.query
    assert [(link.uri, QUESTION)] == [(resource.uri, resource.title) for resource in (await client.list_resources()).resources]

    found = answered(await client.call_tool("search_evidence", {"words": "Warsaw"}))["passages"]
    document = json.loads(await text_of(client, f"veridical://evidence/{found[0]['id']}"))["document"]
    assert CURIE[1].text == document["text"]


async def text_of(client: Client, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    assert "application/json" == contents.mime_type
    return contents.text


async def is_told_what_to_do(client: Client) -> None:
    """Errors of tools, of resources and of prompts; and a prompt."""
    unknown = refused(await client.call_tool("research", {"question": "Why?", "sources": ["nowhere"]}))
    assert "There is no source called 'nowhere'." in unknown
    assert "(here: call list_sources)" in unknown
    with pytest.raises(MCPError, match="There is no document called"):
        await client.read_resource("veridical://evidence/0123456789")
    with pytest.raises(MCPError, match="There is no such tool"):
        await client.call_tool("answer", {})
    content = (await client.get_prompt("find-quote", {"quote": "the frame is bent"})).messages[0].content
    assert isinstance(content, TextContent)
    assert "the frame is bent" in content.text


async def cancels(client: Client, search: Search) -> None:
    """All facades hang in a search: what is asked next is only answered when they were let go."""
    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(client.call_tool, "ground", {"question": HANGING})
        for _ in range(2):
            assert await anyio.to_thread.run_sync(lambda: search.hung.acquire(timeout=30))
        group.cancel_scope.cancel()


async def asks_twice_at_once(client: Client) -> None:
    """The service answers nobody until both have asked it."""
    outcomes: list[bool] = []

    async def ask() -> None:
        outcomes.append(answered(await client.call_tool("ground", {"question": TOGETHER}))["ok"])

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        group.start_soon(ask)
    assert [True, True] == outcomes


async def names_files(client: Client, home: House) -> None:
    """Over stdio the caller is the user; a path is below the folder in which the client started the server."""
    added = answered(await client.call_tool("add_source", {"name": "notes", "paths": ["notes"]}))
    assert (1, None) == (added["added"], added["stopped"])
    (home.several.base / "draft.md").write_text('They wrote: "The door of the shop does not close since the frame is new."\n', "utf-8")
    checked = answered(await client.call_tool("check", {"path": "draft.md", "sources": ["notes"]}))
    assert ["altered"] == [finding["verdict"] for finding in checked["findings"]]
    found = answered(await client.call_tool("find_quote", {"quote": "since the frame is bent", "sources": ["notes"]}))
    assert (1, "since the frame is bent") == (found["total"], found["places"][0]["text"])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_runs_when_the_server_is_told_to_end_is_answered(tmp_path: Path, mode: str) -> None:
    asked, over = threading.Event(), threading.Event()

    def answer(request: Asked) -> Answer:
        asked.set()
        over.wait(30)
        return BRAVE.reply(CURIE, request.query["q"])

    async def session(home: House) -> None:
        with home.serving() as serving:
            async with serving.connected(mode=mode) as client, anyio.create_task_group() as group:

                async def end() -> None:
                    assert await anyio.to_thread.run_sync(asked.wait, 30)
                    serving.process.terminate()
                    await anyio.sleep(1)  # longer than a stream lives on when it is closed at a signal
                    over.set()

                await client.list_tools()  # or the client asks for them once it has the answer, of a server that may be gone by then
                group.start_soon(end)
                assert answered(await client.call_tool("ground", {"question": QUESTION}))["ok"]
            assert 0 == await anyio.to_thread.run_sync(serving.process.wait, 20)

    with house(tmp_path, answer) as home:
        try:
            run(lambda: session(home))
        finally:
            over.set()
