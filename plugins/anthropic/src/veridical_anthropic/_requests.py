"""From a `ChatRequest` to the parameters of the Messages API.

    complete   the conversation; with a schema, structured output
    compose    the conversation, then the passages as text; structured output
    ground     the conversation, then the question; the web search of the API's own
    cite       the conversation, then each passage as a `search_result`, with citations on

A passage that is to be cited is sent in blocks that tile its text, since a block is the least that can be cited: what comes back are
numbers of blocks, which are exact positions here, whatever unit a provider counts characters in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import JsonValue
from veridical_contract import ChatRequest, Draft, Message, Passage, PluginError, SearchQuery, compose_prompt, unasked_question

__all__ = ["parameters", "schema_of", "tiles"]

WEB_SEARCH = "web_search_20250305"
"""Pinned: later versions may run searches inside of code, whose results are then missing from the reply."""
_TILE_END = re.compile(r"(?<=[.!?…])\s+(?=\S)|\n+(?=\S)|(?<=[\u3002\uff01\uff1f])(?=\S)")


def parameters(request: ChatRequest, *, model: str, max_searches: int) -> dict[str, Any]:
    """Return the parameters, without a form for the output.

    Raises:
        PluginError: the request asks for what the API cannot do.
    """
    if request.task in ("ground", "cite") and request.response_schema is not None:
        raise PluginError(
            f"anthropic: the task {request.task!r} is answered in prose, which cannot follow a schema.",
            hint="Ask for JSON in a second call, from what the first one returned.",
        )
    tools = [{"name": each.name, "description": each.description, "input_schema": each.parameters} for each in request.tools]
    found: dict[str, Any] = {"model": model, "max_tokens": request.max_output_tokens, "messages": _messages(request)}
    if system := "\n\n".join(each.text for each in request.messages if each.role == "system"):
        found["system"] = system
    if request.task == "ground":
        tools.append(_web_search(request.search, max_searches))
    return found | ({"tools": tools} if tools else {})


def schema_of(request: ChatRequest) -> JsonValue:
    """Return the JSON Schema that the reply has to follow; None when it is prose."""
    if request.response_schema is not None or request.task != "compose":
        return request.response_schema
    return Draft.model_json_schema()


def tiles(text: str) -> list[tuple[int, int]]:
    """Return the stretches, in code points, that tile `text` at the ends of its sentences and lines; each has more than white space."""
    ends = [match.end() for match in _TILE_END.finditer(text) if text[: match.end()].strip()]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def _messages(request: ChatRequest) -> list[dict[str, JsonValue]]:
    turns = [(each.role, list(_blocks(each))) for each in request.messages if each.role != "system"]
    return [{"role": role, "content": blocks} for role, blocks in [*turns, ("user", list(_asked(request)))] if blocks]


def _blocks(message: Message) -> Iterator[JsonValue]:
    for result in message.tool_results:
        yield {"type": "tool_result", "tool_use_id": result.call, "content": result.text, "is_error": result.failed}
    yield from _texts([message.text])
    for call in message.tool_calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}


def _asked(request: ChatRequest) -> Iterator[JsonValue]:
    """Yield what follows the conversation: the evidence, the question where nobody asked it yet, the form of the answer."""
    if request.task == "cite":
        yield from (_search_result(passage) for passage in request.passages if passage.text.strip())
    yield from _texts([unasked_question(request)])
    if request.task == "ground":
        yield from _texts(_limits(request.search))
    elif request.task == "compose":
        yield from _texts([compose_prompt(request)])
    elif request.response_schema is not None:
        yield from _texts([f"Answer with JSON alone, of this schema:\n{json.dumps(request.response_schema)}"])


def _texts(texts: Iterable[str]) -> Iterator[JsonValue]:
    # The API refuses a text block without a character to be seen.
    for text in texts:
        if text.strip():
            yield {"type": "text", "text": text}


def _search_result(passage: Passage) -> JsonValue:
    return {
        "type": "search_result",
        "source": passage.id,
        "title": passage.title or passage.origin or passage.id,
        "content": [{"type": "text", "text": passage.text[start:end]} for start, end in tiles(passage.text)],
        "citations": {"enabled": True},
    }


def _web_search(search: SearchQuery | None, max_searches: int) -> dict[str, JsonValue]:
    tool: dict[str, JsonValue] = {"type": WEB_SEARCH, "name": "web_search", "max_uses": max_searches}
    if search is None:
        return tool
    if search.include_domains and search.exclude_domains:
        raise PluginError("anthropic: web search takes domains to include or domains to exclude, not both.", hint="Leave one of them out.")
    return tool | _domains("allowed_domains", search.include_domains) | _domains("blocked_domains", search.exclude_domains)


def _domains(name: str, domains: Sequence[str]) -> dict[str, JsonValue]:
    return {name: list(domains)} if domains else {}


def _limits(search: SearchQuery | None) -> Iterator[str]:
    """Yield the limits that the search tool has no parameter for; the model is asked to keep them."""
    if search is None:
        return
    if search.since is not None:
        yield f"Use only pages published on {search.since} or later."
    if search.until is not None:
        yield f"Use only pages published on {search.until} or earlier."
    if search.language is not None:
        yield f"Use only pages in the language {search.language}."
