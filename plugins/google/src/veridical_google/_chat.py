"""The chat plugin: one conversation is one or more requests, each of which the host records.

    request -> contents, configuration -> generate_content (or its stream) -> turn -> to be continued: its token is sent -> ... -> answer

`chat` asks for one JSON document, `stream` for events; the answers are equal, only the places differ. The SDK could continue a reply by
itself; it is done here, since it merges replies whose places are then nobody's.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from veridical_contract import (
    CancelledError,
    ChatDelta,
    ChatReply,
    ChatRequest,
    PluginContext,
    WireMap,
    hookimpl,
)

from ._answers import answer
from ._client import Client, api_key, check_sdk, make_client
from ._failures import api_call, cut, is_wrong_key, sdk_call
from ._replies import Reader, Turn
from ._requests import configuration, contents, schema_of
from ._settings import GoogleSettings

if TYPE_CHECKING:
    from google.genai import types

__all__ = ["GoogleChat"]

CONTINUATIONS = 8
"""How often a reply is continued; one that is still not complete is handed in as cut."""


def _maps(settings: GoogleSettings) -> dict[str, WireMap]:
    url = f"{settings.base_url}/{settings.api_version}/models"
    page = "/candidates/*/groundingMetadata/groundingChunks/*/web"
    return {
        "chunks": WireMap(base_url=url, item=page, url="uri", title="title"),
        "stream-chunks": WireMap(base_url=url, layout="sse", item=f"/*{page}", url="uri", title="title"),
    }


class GoogleChat:
    """Gemini, through Google's SDK. Needs GEMINI_API_KEY (or GOOGLE_API_KEY)."""

    wire: Mapping[str, WireMap] = _maps(GoogleSettings())

    def __init__(self, context: PluginContext) -> None:
        check_sdk()
        self._context = context
        self._settings = context.settings(GoogleSettings)
        self._key = api_key(context)
        self.model = self._settings.model
        self.wire = _maps(self._settings)

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer with one JSON document for each request that it takes.

        Raises:
            ProviderError: the API failed.
            ConfigurationError: the task is one that Gemini does not have.
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
                elif streamed:
                    yield ChatDelta(text=each)
            reply = answer(request, turns)
        yield ChatDelta(reply=reply)

    def _turns(self, request: ChatRequest, *, streamed: bool) -> Iterator[str | Turn]:
        config = configuration(request, now=self._context.now())
        output = _output(request)
        sent = {"model": self._settings.model, "contents": contents(request)}
        for _ in range(1 + CONTINUATIONS):
            turn = yield from self._accepted(sent, config, output, streamed=streamed)
            yield turn
            if turn.finish != "CONTINUATION" or turn.token is None:
                return
            config = config | {"continuation_token": turn.token}

    def _accepted(
        self, sent: dict[str, Any], config: dict[str, Any], output: dict[str, Any], *, streamed: bool
    ) -> Generator[str, None, Turn]:
        """Send with a form for the output; where the API does not take that, without: the schema also stands in the text."""
        from google.genai import errors

        try:
            return (yield from self._sent(sent, config | output, streamed=streamed))
        except errors.ClientError as error:
            if not output or error.code != 400 or is_wrong_key(error):
                raise
            self._context.logger.info("google: asked again without structured output: %s", error.message)
        return (yield from self._sent(sent, config, streamed=streamed))

    def _sent(self, sent: dict[str, Any], config: dict[str, Any], *, streamed: bool) -> Generator[str, None, Turn]:
        self._check_cancelled()
        reader = Reader(streamed=streamed)
        for reply in self._replies(sent, config, streamed=streamed):
            self._check_cancelled()
            if text := reader.add(reply):
                yield text
        if reader.turn.finish is None and not reader.turn.blocked:
            raise cut()
        return reader.turn

    def _replies(self, sent: dict[str, Any], config: dict[str, Any], *, streamed: bool) -> Iterator[types.GenerateContentResponse]:
        """Yield the reply, or its events in the order of their numbers: the SDK leaves none out."""
        models = self._client.models
        with sdk_call():
            if streamed:
                yield from models.generate_content_stream(**sent, config=config)
            else:
                yield models.generate_content(**sent, config=config)

    def _check_cancelled(self) -> None:
        if self._context.cancelled():
            raise CancelledError("google: the call was cancelled before its reply was whole.")

    @cached_property
    def _client(self) -> Client:
        return make_client(self._context, self._settings, self._key)


def _output(request: ChatRequest) -> dict[str, Any]:
    schema = schema_of(request)
    return {} if schema is None else {"response_mime_type": "application/json", "response_json_schema": schema}
