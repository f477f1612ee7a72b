"""From a `ChatRequest` to contents and configuration of `generateContent`.

complete   the conversation; with a schema, JSON
compose    the conversation, then the passages as text; JSON
ground     the conversation, then the question; Google Search
cite       refused: Gemini has no way to cite what it is sent
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import JsonValue
from veridical_contract import ChatRequest, ConfigurationError, Draft, Message, PluginError, SearchQuery, compose_prompt, unasked_question

from ._calls import call_part, result_part

__all__ = ["configuration", "contents", "schema_of"]

_FIRST_DAY = "1970-01-01"


def schema_of(request: ChatRequest) -> JsonValue:
    """Return the JSON Schema that the reply has to follow; None when it is prose."""
    if request.response_schema is not None or request.task != "compose":
        return request.response_schema
    return Draft.model_json_schema()


def configuration(request: ChatRequest, *, now: datetime) -> dict[str, Any]:
    """Return the configuration, without a form for the output.

    Raises:
        ConfigurationError: the task is `cite`.
        PluginError: the request asks for what the API cannot do.
    """
    _check(request)
    found: dict[str, Any] = {
        "max_output_tokens": request.max_output_tokens,
        # The host answers calls, and each reply has to be a record whose places are its own.
        "automatic_function_calling": {"disable": True},
        "automatic_continuation": False,
    }
    if system := "\n\n".join(each.text for each in request.messages if each.role == "system"):
        found["system_instruction"] = system
    if request.task == "ground":
        found["tools"] = [{"google_search": _google_search(request.search, now)}]
    elif request.tools:
        declared = [
            {"name": each.name, "description": each.description, "parameters_json_schema": each.parameters} for each in request.tools
        ]
        found["tools"] = [{"function_declarations": declared}]
    return found


def contents(request: ChatRequest) -> list[dict[str, Any]]:
    """Return the conversation and what is asked.

    Raises:
        PluginError: a tool's result answers no call.
    """
    names = {call.id: call.name for message in request.messages for call in message.tool_calls}
    for result in (each for message in request.messages for each in message.tool_results):
        if result.call not in names:
            raise PluginError("google: a tool's result answers a call that nobody made.", hint="Send the turn that made the call, too.")
    turns = [(each.role, list(_parts(each, names))) for each in request.messages if each.role != "system"]
    asked = [{"text": text} for text in _asked(request) if text]
    return [{"role": _ROLES[role], "parts": parts} for role, parts in [*turns, ("user", asked)] if parts]


_ROLES = {"user": "user", "assistant": "model"}


def _check(request: ChatRequest) -> None:
    if request.task == "cite":
        raise ConfigurationError(
            "google cannot cite passages that it is sent.",
            hint="Choose another chat plugin for it: anthropic, or compose a draft with google.",
        )
    if request.task == "ground" and (request.response_schema is not None or request.tools):
        raise PluginError(
            "google: a search is answered in prose, without a schema and without other tools.",
            hint="Ask for JSON in a second call, from what the first one returned.",
        )


def _parts(message: Message, names: dict[str, str]) -> Iterator[dict[str, Any]]:
    yield from (result_part(each, names) for each in message.tool_results)
    if message.text:
        yield {"text": message.text}
    yield from (call_part(each) for each in message.tool_calls)


def _asked(request: ChatRequest) -> Iterator[str]:
    """Yield what follows the conversation: the question where nobody asked it yet, the evidence, the form of the answer."""
    yield unasked_question(request)
    if request.task == "ground" and request.search is not None and request.search.language is not None:
        yield f"Use only pages in the language {request.search.language}."
    if request.task == "compose":
        yield compose_prompt(request)
    elif request.response_schema is not None:
        yield f"Answer with JSON alone, of this schema:\n{json.dumps(request.response_schema)}"


def _google_search(search: SearchQuery | None, now: datetime) -> dict[str, Any]:
    if search is None:
        return {}
    if search.include_domains or search.exclude_domains:
        raise PluginError("google: Google Search in Gemini cannot be limited to domains.", hint="Leave them out, or use a search plugin.")
    if search.since is None and search.until is None:
        return {}
    # The API wants both ends, and the second is exclusive.
    end = now if search.until is None else _day(search.until) + timedelta(days=1)
    return {"time_range_filter": {"start_time": _day(search.since or _FIRST_DAY), "end_time": end}}


def _day(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)
