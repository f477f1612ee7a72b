"""From a `ChatRequest` to the members of a chat completion request."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import JsonValue
from veridical_contract import ChatRequest, Draft, Message, Tool, ToolCall, compose_prompt, unasked_question

from ._dialects import Dialect
from ._schemas import strict
from ._settings import OpenAISettings


def asks_for_json(request: ChatRequest) -> bool:
    """Whether the reply to `request` has to be JSON."""
    return request.task == "compose" or request.response_schema is not None


def request_body(request: ChatRequest, settings: OpenAISettings, dialect: Dialect, *, stream: bool) -> dict[str, JsonValue]:
    """Return the members of the request that asks `request` in `dialect`."""
    body: dict[str, JsonValue] = {"model": settings.model, "messages": list[JsonValue](_messages(request, dialect))}
    body[dialect.limit] = request.max_output_tokens
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    if asks_for_json(request) and dialect.form != "text":
        body["response_format"] = _response_format(request, dialect)
    if stream:
        body["stream"] = True
    if stream and dialect.usage:
        body["stream_options"] = {"include_usage": True}
    return body


def _messages(request: ChatRequest, dialect: Dialect) -> Iterator[JsonValue]:
    for message in _joined([*request.messages, *_added(request, dialect)]):
        for result in message.tool_results:
            # There is no member that says so.
            said = f"The tool failed: {result.text}" if result.failed else result.text
            yield {"role": "tool", "tool_call_id": result.call, "content": said}
        if message.tool_calls:
            yield {"role": "assistant", "content": message.text or None, "tool_calls": [_call(call) for call in message.tool_calls]}
        elif message.text or not message.tool_results:
            yield {"role": message.role, "content": message.text}


def _added(request: ChatRequest, dialect: Dialect) -> Iterator[Message]:
    if question := unasked_question(request):
        yield Message(role="user", text=question)
    if request.task == "compose":
        yield Message(role="user", text=compose_prompt(request))
    elif request.response_schema is not None and dialect.form != "json_schema":
        yield Message(role="user", text=f"Answer with JSON alone, of this schema:\n{json.dumps(request.response_schema)}")


def _joined(messages: list[Message]) -> list[Message]:
    """Join what one role says in a row: the templates of many open models refuse two turns of the same role."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last is not None and last.role == message.role and not (last.tool_calls or message.tool_calls or message.tool_results):
            joined[-1] = last.model_copy(update={"text": "\n\n".join(filter(None, (last.text, message.text)))})
        else:
            joined.append(message)
    return joined


def _call(call: ToolCall) -> JsonValue:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}}


def _tool(tool: Tool) -> JsonValue:
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}


def _response_format(request: ChatRequest, dialect: Dialect) -> JsonValue:
    if dialect.form == "json_object":
        return {"type": "json_object"}
    schema = request.response_schema if request.response_schema is not None else Draft.model_json_schema()
    closed = strict(schema)
    schema = schema if closed is None else closed
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": closed is not None}}
