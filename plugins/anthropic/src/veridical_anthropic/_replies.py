"""What is read of a reply: its blocks as they were sent, and where each stands in the recorded bytes.

    one JSON document     /content/i/content/j     a hit          /content/i/citations/k     a citation
    a stream of events    /n/content_block/content/j              /m/delta/citation

The events of a stream are numbered as the host numbers them: those that have data, from 0. Nothing of a reply is repaired: what has not
the form it must have is a `ValueError`, and what is not known is passed over, since providers add blocks and fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, cast

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter
from veridical_contract import WirePlace

__all__ = ["Block", "Citation", "EventError", "Events", "Hit", "Reply", "SearchError", "Turn", "hits_of", "whole_turn"]

Place = Callable[[int, int], WirePlace]


class _Part(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(strict=True, frozen=True, extra="ignore")


class Citation(_Part):
    """A citation: of a page of the web search (`url`), or of a `search_result` that was sent (`source` and its blocks)."""

    type: str
    url: str | None = None
    title: str | None = None
    cited_text: str = ""
    source: str = ""
    start_block_index: int = -1
    end_block_index: int = -1


class Block(_Part):
    """A block of any type."""

    type: str
    text: str = ""
    citations: tuple[Citation, ...] | None = None
    id: str = ""
    name: str = ""
    input: JsonValue = None
    content: JsonValue = None


class Hit(_Part):
    """A page that the web search found."""

    type: str
    url: str
    title: str | None = None


class SearchError(_Part):
    """A web search that failed; it comes in a successful reply."""

    type: str
    error_code: str


class _Searches(_Part):
    web_search_requests: int = 0


class _Usage(_Part):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    server_tool_use: _Searches | None = None


class Reply(_Part):
    """One reply."""

    content: tuple[Block, ...]
    model: str
    stop_reason: str
    usage: _Usage = _Usage()


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply and its places.

    Attributes:
        reply: what is read of it.
        content: its blocks as they were sent, to send back.
        hit: place of hit j of block i.
        citation: place of citation k of block i, and of its words.
    """

    reply: Reply
    content: JsonValue
    hit: Place
    citation: Place


_HITS = TypeAdapter(tuple[Hit, ...])


def hits_of(block: Block) -> tuple[Hit, ...] | SearchError:
    """Return what a `web_search_tool_result` holds.

    Raises:
        ValueError: it is neither a list of hits nor an error.
    """
    text = json.dumps(block.content)
    return _HITS.validate_json(text) if isinstance(block.content, list) else SearchError.model_validate_json(text)


def whole_turn(text: str) -> Turn:
    """Return the turn of a reply that is one JSON document.

    Raises:
        ValueError: it is none.
    """
    return Turn(
        reply=Reply.model_validate_json(text),
        content=json.loads(text)["content"],
        hit=lambda block, hit: WirePlace(map="hits", item=f"/content/{block}/content/{hit}"),
        citation=lambda block, number: WirePlace(map="citations", item=f"/content/{block}/citations/{number}", text="cited_text"),
    )


class EventError(Exception):
    """The provider ended a stream with an error. `type` says which."""

    def __init__(self, type: str) -> None:  # noqa: A002 - the field's name
        super().__init__(type)
        self.type = type


@dataclass(slots=True)
class Events:
    """Puts a reply together from its events."""

    _count: int = 0
    _message: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    _blocks: list[dict[str, JsonValue]] = field(default_factory=list[dict[str, JsonValue]])
    _json: dict[int, str] = field(default_factory=dict[int, str])
    _starts: list[int] = field(default_factory=list[int])
    _cited: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    _ended: bool = False

    def add(self, data: str) -> str:
        """Take the data of the next event; return the text that it adds.

        Raises:
            EventError: the event says that the provider failed.
            ValueError: it is no event of a reply.
        """
        number, self._count = self._count, self._count + 1
        try:
            return self._take(number, cast("dict[str, JsonValue]", json.loads(data)))
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError(f"event {number} is none of a reply") from error

    def turn(self) -> Turn | None:
        """Return the turn, or None when the stream did not come to its end.

        Raises:
            ValueError: the events make no reply.
        """
        if not self._ended:
            return None
        for index, text in self._json.items():
            self._blocks[index]["input"] = json.loads(text or "{}")
        message = {**self._message, "content": cast("JsonValue", self._blocks)}
        return Turn(
            reply=Reply.model_validate_json(json.dumps(message)),
            content=message["content"],
            hit=lambda block, hit: WirePlace(map="stream-hits", item=f"/{self._starts[block]}/content_block/content/{hit}"),
            citation=lambda block, each: WirePlace(map="stream-citations", item=self._cited[block, each], text="cited_text"),
        )

    def _take(self, number: int, event: dict[str, JsonValue]) -> str:
        match event["type"]:
            case "message_start":
                self._message = _object(event["message"])
            case "content_block_start":
                self._start(number, event)
            case "content_block_delta":
                return self._delta(number, cast("int", event["index"]), _object(event["delta"]))
            case "message_delta":
                self._message |= _object(event["delta"])
                self._message["usage"] = _object(self._message["usage"]) | _given(_object(event.get("usage", {})))
            case "message_stop":
                self._ended = True
            case "error":
                raise EventError(str(_object(event["error"])["type"]))
            case _:
                pass
        return ""

    def _start(self, number: int, event: dict[str, JsonValue]) -> None:
        if event["index"] != len(self._blocks):
            raise ValueError("a block is missing")
        block = _object(event["content_block"])
        for each in range(len(cast("list[JsonValue]", block.get("citations") or []))):
            self._cited[len(self._blocks), each] = f"/{number}/content_block/citations/{each}"
        self._blocks.append(block)
        self._starts.append(number)

    def _delta(self, number: int, index: int, delta: dict[str, JsonValue]) -> str:
        block = self._blocks[index]
        match delta["type"]:
            case "text_delta":
                block["text"] = cast("str", block["text"]) + cast("str", delta["text"])
                return cast("str", delta["text"])
            case "citations_delta":
                citations = [*cast("list[JsonValue]", block.get("citations") or []), delta["citation"]]
                self._cited[index, len(citations) - 1] = f"/{number}/delta/citation"
                block["citations"] = citations
            case "input_json_delta":
                self._json[index] = self._json.get(index, "") + cast("str", delta["partial_json"])
            case "thinking_delta" | "signature_delta":
                name = "thinking" if delta["type"] == "thinking_delta" else "signature"
                block[name] = cast("str", block.get(name) or "") + cast("str", delta[name])
            case _:
                pass
        return ""


def _object(value: JsonValue) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def _given(usage: dict[str, JsonValue]) -> dict[str, JsonValue]:
    # The counts of the last event are totals; one that is null or missing leaves that of the first.
    return {name: value for name, value in usage.items() if value is not None}
