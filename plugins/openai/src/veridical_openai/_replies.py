"""From a reply, whole or in pieces, to a `ChatReply`: a stream is added up by the code that reads a whole reply.

bytes --Completion--> Turn.add --> Turn.reply
bytes --events--> Completion --> Turn.add, once for each piece --> Turn.reply
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NoReturn, cast

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from veridical_contract import (
    ChatReply,
    ChatRequest,
    Draft,
    ProviderError,
    ProviderFailure,
    ToolCall,
    Usage,
    parse_draft,
    parse_json,
    status_failure,
)

from ._requests import asks_for_json

_DONE = b"[DONE]"
_STOPS: dict[str, Literal["end", "tools", "length", "refusal"]] = {
    "stop": "end",
    "tool_calls": "tools",
    "length": "length",
    "content_filter": "refusal",
}
_FAILURES: dict[str, ProviderFailure] = {
    "insufficient_quota": "quota",
    "rate_limit_exceeded": "rate-limit",
    "invalid_api_key": "auth",
}


class _Part(BaseModel):
    """Members that nobody here reads may be anything."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore")


class _Function(_Part):
    name: str | None = None
    arguments: str | dict[str, JsonValue] | None = None


class _Call(_Part):
    index: int | None = None
    id: str | None = None
    function: _Function = _Function()


class _Words(_Part):
    content: str | None = None
    refusal: str | None = None
    tool_calls: tuple[_Call, ...] | None = None


class _Choice(_Part):
    index: int = 0
    message: _Words | None = None
    delta: _Words | None = None
    finish_reason: str | None = None


class _Details(_Part):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Tokens(_Part):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class Completion(_Part):
    """A whole chat completion, or a piece of one."""

    model: str | None = None
    choices: tuple[_Choice, ...] | None = None
    usage: _Tokens | None = None
    error: JsonValue = None


@dataclass(slots=True)
class _Asked:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Turn:
    """What a model said, as far as it is known."""

    _text: list[str] = field(default_factory=list[str])
    _calls: dict[int, _Asked] = field(default_factory=dict[int, _Asked])
    _refused: bool = False
    _finish: str | None = None
    _model: str | None = None
    _usage: Usage = field(default_factory=Usage)

    def add(self, completion: Completion) -> str:
        """Take in `completion`, and return the text that it brings.

        Raises:
            ProviderError: it says that something went wrong.
        """
        if completion.error is not None:
            raise _in_band(completion.error)
        self._model = completion.model or self._model
        if completion.usage is not None:
            self._usage = _usage(completion.usage)
        return "".join(self._choice(choice) for choice in completion.choices or () if choice.index == 0)

    def reply(self, request: ChatRequest, model: str) -> ChatReply:
        """Return the reply to `request`, asked of `model`.

        Raises:
            ProviderError: there is none, it has no end that is known, or it is not what was asked for.
        """
        text, calls, stop = "".join(self._text), self._tool_calls(), self._stop()
        if not text and not calls and stop in {"end", "tools"}:
            malformed("answered with nothing")
        wanted = asks_for_json(request) and stop == "end"
        draft, structured = _read(request, text) if wanted else (None, None)
        return ChatReply(
            text=text or None,
            parts=(text,) if text else (),
            draft=draft,
            structured=structured,
            tool_calls=calls,
            stop=stop,
            model=self._model or model,
            usage=self._usage,
        )

    def _choice(self, choice: _Choice) -> str:
        self._finish = choice.finish_reason or self._finish
        words = choice.message or choice.delta or _Words()
        for position, call in enumerate(words.tool_calls or ()):
            self._add_call(call, position if choice.message is not None else None)
        self._refused = self._refused or bool(words.refusal)
        piece = (words.content or "") + (words.refusal or "")
        self._text.append(piece)
        return piece

    def _add_call(self, call: _Call, position: int | None) -> None:
        asked = self._calls.setdefault(self._place(call, position), _Asked())
        asked.id = asked.id or call.id or ""
        asked.name += call.function.name or ""
        arguments = call.function.arguments
        asked.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments is not None else ""

    def _place(self, call: _Call, position: int | None) -> int:
        """Return which call a piece belongs to; some servers leave the index out and send each call in one piece."""
        if position is not None:
            return position
        if call.index is not None:
            return call.index
        return len(self._calls) if call.id or not self._calls else max(self._calls)

    def _stop(self) -> Literal["end", "tools", "length", "refusal"]:
        if self._refused:
            return "refusal"
        stop = _STOPS.get(self._finish or "")
        if stop is None:
            malformed("ended for no reason that is known" if self._finish else "broke off before its end")
        return "tools" if stop == "end" and self._calls else stop

    def _tool_calls(self) -> tuple[ToolCall, ...]:
        """Return the calls; one that was cut at the limit of tokens is none."""
        read = ((asked, _object(asked.arguments)) for _, asked in sorted(self._calls.items()))
        calls = tuple(ToolCall(id=asked.id, name=asked.name, arguments=found) for asked, found in read if found is not None)
        if len(calls) < len(self._calls) and self._finish != "length":
            malformed("asked for a tool with arguments that are no JSON object")
        return calls


def completion(body: bytes) -> Completion:
    """Return the completion, or the piece of one, that `body` holds.

    Raises:
        ProviderError: it holds none.
    """
    try:
        found = Completion.model_validate_json(body)
    except ValidationError:
        malformed("sent a reply that is no chat completion")
    if found.choices is None and found.error is None:
        malformed("sent a reply that is no chat completion")
    return found


def events(stream: Iterable[bytes]) -> Iterator[Completion]:
    """Yield the pieces of a stream of server-sent events, up to its end.

    Raises:
        ProviderError: it breaks off before `[DONE]`, goes on after it, or a piece cannot be read.
    """
    done = False
    for data in _events(stream):
        if done:
            malformed("went on after the end of its reply")
        if data == _DONE:
            done = True
        else:
            yield completion(data)
    if not done:
        raise ProviderError("The reply broke off before its end.", failure="connection", hint="Run it again.")


def malformed(what: str) -> NoReturn:
    """Raise the error for a reply that is not what the API documents.

    Raises:
        ProviderError: always.
    """
    hint = "Check base_url and model under [plugin.openai] in the settings file, or choose another model."
    raise ProviderError(f"The service {what}.", failure="malformed", hint=hint)


def _events(stream: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the data of each event. Lines end with LF or CR LF alone: U+2028 and U+0085 stand in JSON strings as they are."""
    data: list[bytes] = []
    for line in _lines(stream):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data.clear()
    if data == [_DONE]:
        yield _DONE


def _lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in lines)
    yield rest


def _read(request: ChatRequest, text: str) -> tuple[Draft | None, JsonValue]:
    try:
        return (parse_draft(text), None) if request.task == "compose" else (None, parse_json(text))
    except ValueError:
        malformed("answered with something else than the JSON that was asked for")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _object(arguments: str) -> dict[str, JsonValue] | None:
    try:
        found = cast("JsonValue", json.loads(arguments or "{}", strict=False, parse_constant=_no_number))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _usage(tokens: _Tokens) -> Usage:
    details = tokens.prompt_tokens_details or _Details()
    counts = (tokens.prompt_tokens, tokens.completion_tokens, details.cached_tokens, details.cache_write_tokens)
    read, said, kept, written = (max(0, count or 0) for count in counts)
    return Usage(input_tokens=read, output_tokens=said, cached_tokens=kept, written_tokens=written)


def _in_band(error: JsonValue) -> ProviderError:
    """Return the error for one that comes in a reply of status 200."""
    code = error.get("code") or error.get("type") if isinstance(error, dict) else None
    failure: ProviderFailure = "server"
    if type(code) is int and 400 <= code <= 599:
        failure = status_failure(code)
    elif isinstance(code, str):
        failure = _FAILURES.get(code, "server")
    return ProviderError("The service broke its reply off with an error.", failure=failure)
