"""What a reply of the API says of a web search: hits and native citations, each with its place in the stream of events.

A place counts events that have data, from 0, as the host does (`WireMap.layout` of `sse`). The program hands on neither the citations nor
the places: they are read from what went through the proxy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue
from veridical_contract import WireMap, WirePlace

__all__ = ["CITATIONS", "HITS", "Block", "Citation", "Hit", "SearchReply", "search_reply", "wire_maps"]

HITS = "hits"
CITATIONS = "citations"
_LINE = re.compile(r"\r\n|\n|\r")

_Object = dict[str, JsonValue]


def wire_maps(base_url: str) -> dict[str, WireMap]:
    """Return where the replies of the API at `base_url` hold what a search found."""
    url, end = f"{base_url}/v1/messages", "message_stop"
    return {
        HITS: WireMap(base_url=url, layout="sse", item="/*/content_block/content/*", url="url", title="title", end=end),
        CITATIONS: WireMap(base_url=url, layout="sse", item="/*/delta/citation", url="url", title="title", text=("cited_text",), end=end),
    }


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that the search engine returned.

    Attributes:
        url: of the page.
        title: of the page.
        place: in the recorded reply; None when nothing was recorded.
    """

    url: str
    title: str | None
    place: WirePlace | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A page, and words of it, that the API says a block of text rests on.

    Attributes:
        url: of the page.
        title: of the page.
        place: in the recorded reply.
    """

    url: str
    title: str | None
    place: WirePlace


@dataclass(slots=True)
class Block:
    """A block of text, in the model's words."""

    text: str = ""
    citations: list[Citation] = field(default_factory=list["Citation"])


@dataclass(frozen=True, slots=True)
class SearchReply:
    """What a reply that holds a web search says.

    Attributes:
        hits: in the order of the search engine.
        blocks: of the model's text, in order.
    """

    hits: tuple[Hit, ...]
    blocks: tuple[Block, ...]


def search_reply(body: bytes) -> SearchReply | None:
    """Return what the reply `body` says; None when it is not that of a web search."""
    try:
        events = [cast("JsonValue", json.loads(data)) for data in _event_data(body.decode("utf-8"))]
    except ValueError:
        return None
    pairs = [(at, event) for at, event in enumerate(events) if isinstance(event, dict)]
    if not any(_member(event, "content_block").get("type") == "web_search_tool_result" for _, event in pairs):
        return None
    return SearchReply(tuple(_hits(pairs)), tuple(_blocks(pairs)))


def _event_data(text: str) -> Iterator[str]:
    """Yield the data of each event (HTML Living Standard 9.2.6); an event that no blank line ends is none."""
    data: list[str] = []
    for line in _LINE.split(text.removeprefix("\ufeff"))[:-1]:
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif not line:
            if data and data != ["[DONE]"]:
                yield "\n".join(data)
            data.clear()


def _hits(events: list[tuple[int, _Object]]) -> Iterator[Hit]:
    for at, event in events:
        block = _member(event, "content_block")
        content = block.get("content")
        if block.get("type") == "web_search_tool_result" and isinstance(content, list):  # an object is an error
            for index, found in enumerate(content):
                if isinstance(found, dict) and (url := _string(found, "url")):
                    yield Hit(url, _string(found, "title"), WirePlace(map=HITS, item=f"/{at}/content_block/content/{index}"))


def _blocks(events: list[tuple[int, _Object]]) -> Iterator[Block]:
    """Yield the blocks of text: each is opened, filled piece by piece, and never closed by the next one's opening."""
    found: dict[int, Block] = {}
    for at, event in events:
        index = event.get("index")
        if not isinstance(index, int):
            continue
        if _member(event, "content_block").get("type") == "text":
            found[index] = Block(_string(_member(event, "content_block"), "text") or "")
        if (block := found.get(index)) is not None:
            _extend(block, _member(event, "delta"), at)
    yield from found.values()


def _extend(block: Block, delta: _Object, at: int) -> None:
    citation = _member(delta, "citation")
    if delta.get("type") == "text_delta":
        block.text += _string(delta, "text") or ""
    elif citation.get("type") == "web_search_result_location" and (url := _string(citation, "url")):
        text = "cited_text" if _string(citation, "cited_text") else None
        block.citations.append(Citation(url, _string(citation, "title"), WirePlace(map=CITATIONS, item=f"/{at}/delta/citation", text=text)))


def _member(value: _Object, name: str) -> _Object:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _string(value: _Object, name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) and found else None
