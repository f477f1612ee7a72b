"""The chat plugin: one conversation is one or more requests, each of which the host records.

    request -> parameters -> create (or its stream) -> turn -> paused: its blocks are sent back, as they came -> ... -> answer

`chat` asks for one JSON document, `stream` for events; the answers are equal, only the places differ.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import Field
from veridical_contract import (
    CancelledError,
    ChatDelta,
    ChatReply,
    ChatRequest,
    IncompatibleError,
    MissingExtraError,
    Model,
    PluginContext,
    WireMap,
    hookimpl,
)

from ._answers import answer, search_errors
from ._failures import api_call, cut, searches_failed
from ._replies import Events, Turn, whole_turn
from ._requests import parameters, schema_of

if TYPE_CHECKING:
    import anthropic

__all__ = ["AnthropicChat", "AnthropicSettings"]

CONTINUATIONS = 8
"""How often a paused turn is continued; one that pauses again is handed in as cut."""
_SDK = (2, 12)


class AnthropicSettings(Model):
    """The table `[plugin.anthropic]`.

    Attributes:
        model: name of the model.
        base_url: where the API is.
        timeout: seconds for each of connecting, sending and waiting for the next bytes.
        retries: how often a request is sent again after a failure that may pass.
        max_searches: of the API's own web search, in one request.
    """

    model: str = "claude-sonnet-5-5"
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]*[^\s?#/]$")] = "https://api.anthropic.com"
    timeout: Annotated[float, Field(gt=0)] = 120.0
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    max_searches: Annotated[int, Field(ge=1, le=50)] = 5


def _maps(base_url: str) -> dict[str, WireMap]:
    url = f"{base_url}/v1/messages"
    words = ("cited_text",)
    end = "message_stop"
    return {
        "hits": WireMap(base_url=url, item="/content/*/content/*", url="url", title="title"),
        "citations": WireMap(base_url=url, item="/content/*/citations/*", url="url", title="title", text=words),
        "stream-hits": WireMap(base_url=url, layout="sse", item="/*/content_block/content/*", url="url", title="title", end=end),
        "stream-citations": WireMap(base_url=url, layout="sse", item="/*/delta/citation", url="url", title="title", text=words, end=end),
    }


class AnthropicChat:
    """Claude, through Anthropic's SDK. Needs ANTHROPIC_API_KEY."""

    wire: Mapping[str, WireMap] = _maps("https://api.anthropic.com")

    def __init__(self, context: PluginContext) -> None:
        _check_sdk()
        self._context = context
        self._settings = context.settings(AnthropicSettings)
        self._key = context.secret("ANTHROPIC_API_KEY")
        self.model = self._settings.model
        self.wire = _maps(self._settings.base_url)

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer with one JSON document for each request that it takes.

        Raises:
            ProviderError: the API failed.
            PluginError: the request asks for what the API cannot do.
            CancelledError: the call is no longer wanted.
        """
        *_, last = self._answered(request, streamed=False)
        return cast("ChatReply", last.reply)

    @hookimpl
    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """Answer bit by bit; see `chat` for what is raised."""
        return self._answered(request, streamed=True)

    def _answered(self, request: ChatRequest, *, streamed: bool) -> Iterator[ChatDelta]:
        """Yield the text as it comes, then the whole reply."""
        turns: list[Turn] = []
        with api_call(self._context.logger):
            for each in self._turns(request, streamed=streamed):
                if isinstance(each, Turn):
                    turns.append(each)
                else:
                    yield ChatDelta(text=each)
            self._check_searches(turns)
            reply = answer(request, turns)
        yield ChatDelta(reply=reply)

    def _turns(self, request: ChatRequest, *, streamed: bool) -> Iterator[str | Turn]:
        sent = parameters(request, model=self._settings.model, max_searches=self._settings.max_searches)
        output = _output(request)
        for _ in range(1 + CONTINUATIONS):
            turn = yield from self._accepted(sent, output, streamed=streamed)
            yield turn
            if turn.reply.stop_reason != "pause_turn":
                return
            # Sent back unchanged, with no turn of a user: the provider goes on where it stopped.
            sent = sent | {"messages": [*sent["messages"], {"role": "assistant", "content": turn.content}]}

    def _accepted(self, sent: dict[str, Any], output: dict[str, Any], *, streamed: bool) -> Generator[str, None, Turn]:
        """Send with a form for the output; where the API does not take that, without: the schema also stands in the text."""
        import anthropic

        try:
            return (yield from self._sent(sent | output, streamed=streamed))
        except anthropic.BadRequestError as error:
            if not output or "credit balance" in str(error.api_message):
                raise
            self._context.logger.info("anthropic: asked again without structured output: %s", error.api_message)
        return (yield from self._sent(sent, streamed=streamed))

    def _sent(self, sent: dict[str, Any], *, streamed: bool) -> Generator[str, None, Turn]:
        self._check_cancelled()
        if streamed:
            return (yield from self._streamed(sent))
        # Parameters in a dict fit every overload of `create`, so a type checker knows none of them for its own.
        reply = cast("anthropic.APIResponse[anthropic.types.Message]", self._client.messages.with_raw_response.create(**sent))
        return whole_turn(reply.http_response.text)

    def _streamed(self, sent: dict[str, Any]) -> Generator[str, None, Turn]:
        events = Events()
        with self._client.messages.create(**sent, stream=True) as stream:
            # The SDK's own iteration leaves out events, and the host counts every one.
            for event in stream.raw_events(stream.response):
                self._check_cancelled()
                if event.data and (text := events.add(event.data)):
                    yield text
        if (turn := events.turn()) is None:
            raise cut()
        return turn

    def _check_searches(self, turns: list[Turn]) -> None:
        codes, found = search_errors(turns)
        if codes:
            self._context.logger.warning("anthropic: searches failed: %s", ", ".join(codes))
        if codes and not found:
            raise searches_failed(codes)

    def _check_cancelled(self) -> None:
        if self._context.cancelled():
            raise CancelledError("anthropic: the call was cancelled before its reply was whole.")

    @cached_property
    def _client(self) -> anthropic.Anthropic:
        import anthropic
        import httpx2

        seconds = self._settings.timeout
        return anthropic.Anthropic(
            api_key=self._key,
            base_url=self._settings.base_url,
            timeout=httpx2.Timeout(seconds, connect=min(seconds, 10.0)),
            max_retries=self._settings.retries,
            # A redirect would take the conversation elsewhere.
            http_client=anthropic.DefaultHttpxClient(transport=self._context.httpx2_transport(), follow_redirects=False),
        )


def _output(request: ChatRequest) -> dict[str, Any]:
    """Return the parameter for structured output, where the schema can be told in the API's own subset of JSON Schema."""
    import anthropic

    schema = schema_of(request)
    if not isinstance(schema, dict):
        return {}
    try:
        told = anthropic.transform_schema(cast("dict[str, Any]", schema))
    except (ValueError, TypeError, AttributeError, AssertionError):
        return {}
    return {"output_config": {"format": {"type": "json_schema", "schema": told}}}


def _check_sdk() -> None:
    """Look at the SDK's version without importing it.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is too old or too new.
    """
    install = 'Type: pip install "veridical[anthropic]"'
    try:
        version = importlib.metadata.version("anthropic")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("anthropic needs the package anthropic, which is not installed.", hint=install) from None
    if not _SDK <= tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < (_SDK[0] + 1,):
        raise IncompatibleError(f"anthropic {version} is installed; 2.12 or later, below 3, is needed.", hint=install)
