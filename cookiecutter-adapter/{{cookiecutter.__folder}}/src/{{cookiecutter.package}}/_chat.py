"""Chat: a conversation goes out, text, JSON or calls of tools come back. What a model says is a proposal, never evidence.

    ChatRequest --> POST /v1/chat --> {"model", "text", "tool_calls", "stop", "usage"} --> ChatReply

`compose` asks for a draft that points at passages; `complete` for text, for JSON where there is a schema. A provider that searches
by itself, or that cites passages, has more to do: see `ground` and `cite` in the reference of the hooks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, JsonValue
from veridical_contract import (
    CancelledError,
    ChatReply,
    ChatRequest,
    Draft,
    Message,
    PluginContext,
    PluginError,
    ToolCall,
    Usage,
    compose_prompt,
    hookimpl,
    parse_draft,
    parse_json,
    unasked_question,
)

from ._client import NAME, Client, Part, malformed, read


class _Call(Part):
    id: str
    name: str
    arguments: dict[str, JsonValue]


class _Usage(Part):
    input: int = 0
    output: int = 0


class _Answer(Part):
    model: str
    text: str = ""
    tool_calls: list[_Call] = Field(default_factory=list[_Call])
    stop: Literal["end", "tools", "length", "refusal"]
    usage: _Usage = _Usage()


class Chat:
    """The provider's chat model. Needs a key."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._client = Client(context)
        self.model = self._client.settings.model

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer `compose` with a draft, `complete` with text, JSON or calls of tools.

        Raises:
            ProviderError: the provider failed, or answered with something else than what was asked for.
            PluginError: the task is one that this provider has no means for.
            CancelledError: the call is no longer wanted.
        """
        if request.task not in ("compose", "complete"):
            raise PluginError(f"{NAME} has no means for the task {request.task}.", hint="Choose another chat plugin.")
        if self._context.cancelled():
            raise CancelledError(f"{NAME}: the call was cancelled.")
        return _reply(request, read(_Answer, self._client.post("/v1/chat", _body(request, self.model))))


def _body(request: ChatRequest, model: str) -> dict[str, JsonValue]:
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": list(_messages(request)),
        "max_tokens": request.max_output_tokens,
    }
    if schema := _schema(request):
        body["schema"] = schema
    if request.tools:
        body["tools"] = [tool.model_dump() for tool in request.tools]
    return body


def _schema(request: ChatRequest) -> JsonValue:
    return request.response_schema or (Draft.model_json_schema() if request.task == "compose" else None)


def _messages(request: ChatRequest) -> Iterator[JsonValue]:
    for message in request.messages:
        yield {"role": message.role, "content": message.text, **_tools(message)}
    if request.task == "compose":
        yield {"role": "user", "content": f"{unasked_question(request)}\n{compose_prompt(request)}"}


def _tools(message: Message) -> dict[str, JsonValue]:
    """Return what an assistant asked for and a user answered; nothing where there is neither."""
    calls = [call.model_dump() for call in message.tool_calls]
    results = [result.model_dump() for result in message.tool_results]
    return {name: list[JsonValue](rows) for name, rows in (("tool_calls", calls), ("tool_results", results)) if rows}


def _reply(request: ChatRequest, answer: _Answer) -> ChatReply:
    calls = tuple(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in answer.tool_calls)
    if not answer.text and not calls and answer.stop in ("end", "tools"):
        raise malformed("an answer with nothing in it")
    draft, structured = _parsed(request, answer.text) if answer.stop == "end" else (None, None)
    return ChatReply(
        text=answer.text or None,
        parts=(answer.text,) if answer.text else (),
        draft=draft,
        structured=structured,
        tool_calls=calls,
        stop=answer.stop,
        model=answer.model,
        usage=Usage(input_tokens=max(0, answer.usage.input), output_tokens=max(0, answer.usage.output)),
    )


def _parsed(request: ChatRequest, text: str) -> tuple[Draft | None, JsonValue]:
    """Return the draft or the JSON that was asked for; an answer that was cut or refused has neither."""
    try:
        if request.task == "compose":
            return parse_draft(text), None
        return None, parse_json(text) if request.response_schema else None
    except ValueError:
        raise malformed("something else than the JSON that was asked for") from None
