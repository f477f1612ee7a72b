"""The chat plugin: any service that speaks OpenAI's chat completions.

    ChatRequest --_requests--> body --SDK, recorded--> reply --_replies--> ChatReply
                     ^                    |
                     `--- weaker dialect <-' refused

It searches nothing and cites nothing of its own: a chat completion holds the model's words and no place in a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any, TypeVar, cast

from veridical_contract import CancelledError, ChatDelta, ChatReply, ChatRequest, PluginContext, PluginError, hookimpl

from ._client import extra_headers, make_client
from ._dialects import Dialect, first_dialect, weaker
from ._failures import code_of, translated
from ._replies import Turn, completion, events
from ._requests import asks_for_json, request_body
from ._settings import OpenAISettings

if TYPE_CHECKING:
    import openai
    from openai import APIResponse

__all__ = ["OpenAIChat"]

_T = TypeVar("_T")
_FILTERED = {"content_filter", "content_policy_violation"}


class OpenAIChat:
    """Chat over OpenAI's API, or one that speaks like it: Ollama, vLLM, llama.cpp, OpenRouter. Needs OPENAI_API_KEY."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._settings = context.settings(OpenAISettings)
        self.model = self._settings.model
        self._client = make_client(context, self._settings)
        self._dialect = first_dialect(self._settings)

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        """Answer `compose` with a draft, `complete` with text, JSON or calls of tools.

        Raises:
            ProviderError: the service failed, or sent something that is no answer.
            PluginError: the task is one that this API has no means for.
            CancelledError: the call is no longer wanted.
        """
        self._check(request)
        with translated(self._context.now):
            turn = Turn()
            sent = self._send(request, self._whole, stream=False)
            if sent is None:
                return self._filtered()
            turn.add(completion(sent))
            return turn.reply(request, self.model)

    @hookimpl
    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """Answer as `chat` does, bit by bit."""
        self._check(request)
        with translated(self._context.now), ExitStack() as stack:
            turn = Turn()
            response = self._send(request, lambda body: self._open(body, stack), stream=True)
            if response is None:
                yield ChatDelta(reply=self._filtered())
                return
            for piece in events(response.iter_bytes()):
                self._refuse_when_cancelled()
                if text := turn.add(piece):
                    yield ChatDelta(text=text)
            yield ChatDelta(reply=turn.reply(request, self.model))

    def _whole(self, body: dict[str, Any]) -> bytes:
        create = cast("Callable[..., Any]", self._client.chat.completions.with_raw_response.create)
        return cast("bytes", create(**body).content)

    def _open(self, body: dict[str, Any], stack: ExitStack) -> APIResponse[Any]:
        # Read as bytes: the SDK's own stream takes a reply that was cut for one that ended.
        create = cast(
            "Callable[..., AbstractContextManager[APIResponse[Any]]]", self._client.chat.completions.with_streaming_response.create
        )
        return stack.enter_context(create(**body))

    def _send(self, request: ChatRequest, create: Callable[[dict[str, Any]], _T], *, stream: bool) -> _T | None:
        """Return what `create` returns in the first dialect that the service takes; None when it refuses for what the request holds."""
        import openai

        dialect = self._dialect
        while True:
            self._refuse_when_cancelled()
            body = request_body(request, self._settings, dialect, stream=stream)
            try:
                sent = create({**body, "extra_body": self._settings.parameters, "extra_headers": extra_headers(self._settings)})
            except openai.APIStatusError as error:
                if error.status_code == 400 and code_of(error) in _FILTERED:
                    return None
                dialect = self._weaker(dialect, error, request, stream=stream)
            else:
                self._dialect = dialect
                return sent

    def _weaker(self, dialect: Dialect, error: openai.APIStatusError, request: ChatRequest, *, stream: bool) -> Dialect:
        found = weaker(
            dialect,
            status=error.status_code,
            code=code_of(error),
            said=str(error.body),
            structured=asks_for_json(request),
            streamed=stream,
        )
        if found is None:
            raise error
        self._context.logger.debug("refused with status %s; trying %s", error.status_code, found)
        return found

    def _filtered(self) -> ChatReply:
        """Azure's filter refuses a request with a status where OpenAI's ends the reply."""
        return ChatReply(stop="refusal", model=self.model)

    def _refuse_when_cancelled(self) -> None:
        if self._context.cancelled():
            raise CancelledError("The call was cancelled.")

    def _check(self, request: ChatRequest) -> None:
        if request.task == "ground":
            hint = "Choose a search plugin (brave, tavily, exa, searxng), or a chat plugin that searches: anthropic, google."
            raise PluginError("Chat completions cannot search the web.", hint=hint)
        if request.task == "cite":
            hint = "Ask for `compose`, which cites by identifier, or choose a chat plugin that cites: anthropic."
            raise PluginError("Chat completions have no citations of their own.", hint=hint)
