"""What the messages of a run say. Hits come from one place alone: the lists that the tool WebSearch returned to the program.

    tool_use_result = {"query": echo, "results": [prose, {"tool_use_id": ..., "content": [{"title", "url"}, ...]}, prose], ...}

The text of a tool result, in which the program writes "Links: [...]" between sentences of a model, is never read.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from veridical_contract import Usage

from ._replies import Hit

if TYPE_CHECKING:
    from claude_agent_sdk import Message, ResultMessage

__all__ = ["Searched", "ended", "error_kind", "model_name", "searched", "text_of", "usage_of", "version_of"]

_SYNTHETIC = "<synthetic>"
"""The model of messages that the program wrote itself, to say what went wrong."""
_TOOL_ERROR = "Web search error:"
_COUNTED = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "webSearchRequests")

_Table = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Searched:
    """What WebSearch was asked and returned.

    Attributes:
        queries: in the model's words.
        hits: each URL once, in the order of the search engine.
        failed: what the program says of a search that failed; empty when none did.
    """

    queries: tuple[str, ...]
    hits: tuple[Hit, ...]
    failed: str


def searched(messages: Sequence[Message]) -> Searched:
    """Return what the tool WebSearch was asked and returned."""
    calls = dict(_calls(messages))
    hits: dict[str, Hit] = {}
    failed = ""
    for result, said in _results(messages, calls.keys()):
        found = list(_hits(result))
        failed = failed or said or _tool_error(result)
        for hit in found:
            hits.setdefault(hit.url, hit)
    return Searched(tuple(calls.values()), tuple(hits.values()), failed)


def text_of(messages: Sequence[Message]) -> str:
    """Return what the model wrote after the last tool result, all pieces of it: the program continues a reply that was cut."""
    from claude_agent_sdk import AssistantMessage, TextBlock, ToolResultBlock, UserMessage

    pieces: list[str] = []
    for message in messages:
        if isinstance(message, AssistantMessage) and message.model != _SYNTHETIC:
            pieces += (block.text for block in message.content if isinstance(block, TextBlock))
        elif isinstance(message, UserMessage) and any(isinstance(block, ToolResultBlock) for block in message.content):
            pieces.clear()
    return "".join(pieces)


def ended(messages: Sequence[Message]) -> ResultMessage | None:
    """Return the message that ends a run; None when it did not come."""
    from claude_agent_sdk import ResultMessage

    return next((message for message in reversed(messages) if isinstance(message, ResultMessage)), None)


def error_kind(messages: Sequence[Message]) -> str:
    """Return what the program calls the failure it ended with (`rate_limit`, `max_output_tokens`, ...); empty when it names none."""
    from claude_agent_sdk import AssistantMessage

    last = next((message for message in reversed(messages) if isinstance(message, AssistantMessage)), None)
    return str(last.error) if last and last.error else ""


def model_name(messages: Sequence[Message]) -> str:
    """Return the model that wrote the last message of a model."""
    from claude_agent_sdk import AssistantMessage

    models = [message.model for message in messages if isinstance(message, AssistantMessage) and message.model != _SYNTHETIC]
    return models[-1] if models else "unknown"


def version_of(messages: Sequence[Message]) -> str | None:
    """Return the version that the program gave at the start of the run."""
    from claude_agent_sdk import SystemMessage

    starts = (message for message in messages if isinstance(message, SystemMessage) and message.subtype == "init")
    return next((str(found) for start in starts if (found := start.data.get("claude_code_version"))), None)


def usage_of(result: ResultMessage) -> Usage:
    """Return what a run cost, the calls within WebSearch too: only the counts by model have those."""
    totals = dict.fromkeys(_COUNTED, 0)
    for counts in cast("Mapping[str, _Table]", result.model_usage or {}).values():
        for name in _COUNTED:
            count = counts.get(name)
            totals[name] += count if type(count) is int and count > 0 else 0
    asked, written, cached, kept, searches = totals.values()
    return Usage(input_tokens=asked + cached + kept, output_tokens=written, cached_tokens=cached, searches=searches)


def _calls(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Yield identifier and query of each call of WebSearch."""
    from claude_agent_sdk import AssistantMessage, ToolUseBlock

    for message in messages:
        if isinstance(message, AssistantMessage):
            for block in message.content:
                if isinstance(block, ToolUseBlock) and block.name == "WebSearch":
                    yield block.id, str(block.input.get("query", ""))


def _results(messages: Sequence[Message], calls: Container[str]) -> Iterator[tuple[_Table, str]]:
    """Yield what each of `calls` returned, and what the program says of it when it failed."""
    from claude_agent_sdk import ToolResultBlock, UserMessage

    for message in messages:
        if not isinstance(message, UserMessage):
            continue
        blocks = [block for block in message.content if isinstance(block, ToolResultBlock) and block.tool_use_id in calls]
        if blocks:
            said = next((str(block.content) for block in blocks if block.is_error), "")
            yield ({} if said else _table(message.tool_use_result)), said


def _hits(result: _Table) -> Iterator[Hit]:
    for group in _list(result.get("results")):
        for found in map(_table, _list(_table(group).get("content"))):
            url, title = found.get("url"), found.get("title")
            if isinstance(url, str) and url.startswith(("http://", "https://")):
                yield Hit(url, title if isinstance(title, str) and title else None)


def _tool_error(result: _Table) -> str:
    """Return the program's own words for a search that the API refused: they stand where prose does, so they say nothing but that."""
    return next((said for said in _list(result.get("results")) if isinstance(said, str) and said.startswith(_TOOL_ERROR)), "")


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _table(value: object) -> _Table:
    return cast("_Table", value) if isinstance(value, dict) else {}
