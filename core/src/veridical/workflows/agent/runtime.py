"""The agent: a conversation with a chat plugin that has one tool, and what is let out of its reply.

    TopicChunk -> ask the model -> does it call grounded_research? --yes, or the topic requires it: search--> ToolCallChunk, ToolResultChunk
                     ^                                             `-no: its words, labelled                        |
                     `---------------------------------- asked again with the outcome <-----------------------------'
                                                        its words: ClaimChunk for what they point at, WithheldChunk for the rest

From the topic's verdict, or from the model's own call of the tool, the reply is gated to its end: of the model's words none leaves it, only
the claims that they point at. Everything else in it is made by the host: constants, numbers, names of plugins, the outcome.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Literal

from veridical_contract import (
    AgentChunk,
    ChatReply,
    ChatRequest,
    DoneChunk,
    FailedChunk,
    Message,
    PluginError,
    ResearchOutcome,
    TextChunk,
    ToolCall,
    ToolCallChunk,
    ToolResult,
    ToolResultChunk,
    Topic,
    TopicChunk,
    Turn,
    Untrusted,
    VeridicalError,
    WithheldChunk,
)

from veridical.gateway.verified import Gateway
from veridical.kernel.policy import load_policy
from veridical.workflows.ground import Grounded

from .claims import Claims
from .messages import TOOL, messages, question, result, untrusted
from .statements import Statements

__all__ = ["WITHHELD", "converse"]

WITHHELD = (
    "Something was said here that the evidence does not carry, so it is not shown. What the evidence says stands in the result of the "
    "search, with its citations. To learn more, ask for it: each question is searched for."
)
"""What stands in the place of words that are not released."""

_FAILED = "It failed, and what it said is left out here. To see what is wrong, type: veridical doctor --ping"
_ROUNDS = 4
"""How often a model may call tools in one reply."""
_UNKNOWN_TOOL = "There is no tool of that name. The one tool that there is: grounded_research."
_HOST = "veridical"
_CALL = "search001"
"""Identifier of the search, of which there is one in a reply: nine letters and digits, as every provider takes it."""
_OWN_CALL = ToolCall(id=_CALL, name=TOOL.name, arguments={})
_NOTHING = ChatReply(model="")

_log = logging.getLogger(__name__)


def converse(gateway: Gateway | None, turns: Sequence[Turn], topic: Topic, ground: Callable[[str], Grounded]) -> Generator[AgentChunk]:
    """Yield the reply to a conversation; whatever fails is the last chunk.

    Args:
        gateway: to the chat plugin; None where there is no model to talk to: then the outcome is the whole reply.
        turns: of the conversation.
        topic: of its newest prompt.
        ground: searches for a question.
    """
    yield TopicChunk(topic=topic)
    reply = _Reply(gateway, turns, topic, ground)
    try:
        yield from reply.chunks()
    except VeridicalError as error:
        yield from reply.withheld()
        yield reply.failed(error)
    except Exception:  # noqa: BLE001 - whoever reads a stream has to be told that it broke off
        _log.exception("a reply broke off")
        yield from reply.withheld()
        yield FailedChunk(code="internal", detail=Untrusted(origin=_HOST, text="The reply broke off; the log says why."))


class _Reply:
    def __init__(self, gateway: Gateway | None, turns: Sequence[Turn], topic: Topic, ground: Callable[[str], Grounded]) -> None:
        self._gateway = gateway
        self._topic = topic
        self._question = question(turns, topic)
        self._ground = ground
        self._messages = list(messages(turns, topic))
        self._outcome: ResearchOutcome | None = None
        self._claims: Claims | None = None
        self._provider: str | None = None
        self._withheld = 0

    @property
    def _gated(self) -> bool:
        """Whether words of the model leave only as claims."""
        return self._topic.requires_grounding or self._outcome is not None

    def chunks(self) -> Iterator[AgentChunk]:
        """Yield all but the first chunk."""
        if self._gateway is None:
            outcome = yield from self._search("host")
            yield DoneChunk(stop="end" if outcome.ok else "refused")
            return
        for _ in range(1 + _ROUNDS):
            reply = yield from self._ask(self._gateway)
            yield from self.withheld()
            calls = self._calls(reply)
            if not calls:
                yield DoneChunk(stop="length" if reply.stop == "length" else "end", provider=self._provider)
                return
            yield from self._answer(reply, calls)
            if self._outcome is not None and not self._outcome.ok:
                yield DoneChunk(stop="refused", provider=self._provider)
                return
        yield DoneChunk(stop="length", provider=self._provider)

    def withheld(self) -> Iterator[AgentChunk]:
        """Yield what stands in the place of words that were not released since the last call of this."""
        if self._withheld:
            yield WithheldChunk(statements=self._withheld, reason=WITHHELD)
            self._withheld = 0

    def failed(self, error: VeridicalError) -> FailedChunk:
        """Return the last chunk of a reply that broke off; on a gated topic without words that may be a model's."""
        of_plugin = isinstance(error, PluginError)
        plugin = error.plugin if of_plugin and error.plugin else _HOST
        said = _FAILED if self._gated and of_plugin else str(error)
        return FailedChunk(code=error.code, detail=next(untrusted(plugin, said or error.code)))

    # Words of the model

    def _ask(self, gateway: Gateway) -> Generator[AgentChunk, None, ChatReply]:
        request = ChatRequest(task="complete", messages=tuple(self._messages), tools=(TOOL,))
        if self._claims is not None:
            reply = yield from self._judged(gateway, request, self._claims)
        elif self._gated:
            reply = self._unheard(gateway, request)
        else:
            reply = yield from self._labelled(gateway, request)
        return reply

    def _labelled(self, gateway: Gateway, request: ChatRequest) -> Generator[AgentChunk, None, ChatReply]:
        reply = _NOTHING
        with closing(gateway.stream(request)) as pieces:
            for piece in pieces:
                self._provider, reply = gateway.composer, piece.reply or reply
                yield from (TextChunk(text=text) for text in untrusted(gateway.composer, piece.text))
        return reply

    def _unheard(self, gateway: Gateway, request: ChatRequest) -> ChatReply:
        """Ask before there is evidence: nothing of what is said can be released. Who fails here is asked once more, with the outcome."""
        try:
            reply = gateway.chat(request)
        except PluginError:
            return _NOTHING  # its row says why
        self._provider = gateway.composer
        said = Statements(load_policy())
        for statement in (*said.add(reply.text or ""), *said.end()):
            gateway.rejected("not-shown", statement.text)
            self._withheld += 1
        return reply

    def _judged(self, gateway: Gateway, request: ChatRequest, claims: Claims) -> Generator[AgentChunk, None, ChatReply]:
        reply, said = _NOTHING, Statements(load_policy())
        with closing(gateway.stream(request)) as pieces:
            for piece in pieces:
                self._provider, reply = gateway.composer, piece.reply or reply
                for statement in said.add(piece.text) if piece.reply is None else said.end():
                    released = claims.released(statement)
                    if released is None:
                        self._withheld += 1
                    elif released:
                        yield from self.withheld()
                        yield from released
        return reply

    # Tools

    def _calls(self, reply: ChatReply) -> tuple[ToolCall, ...]:
        """Return what is called: what the model asks for, and the search where the topic requires it and the model does not."""
        missing = self._gated and self._outcome is None and all(call.name != TOOL.name for call in reply.tool_calls)
        return (*reply.tool_calls, _OWN_CALL) if missing else reply.tool_calls

    def _answer(self, reply: ChatReply, calls: Sequence[ToolCall]) -> Iterator[AgentChunk]:
        # Words from before the evidence are not sent back: the model would only build on them.
        said = "" if self._gated else reply.text or ""
        results: list[ToolResult] = []
        for call in calls:
            if call.name != TOOL.name:
                results.append(ToolResult(call=call.id, text=_UNKNOWN_TOOL, failed=True))
                continue
            outcome = self._outcome or (yield from self._search("host" if call is _OWN_CALL else "model"))
            results.append(ToolResult(call=call.id, text=result(outcome)))
        self._messages.append(Message(role="assistant", text=said, tool_calls=tuple(calls)))
        self._messages.append(Message(role="user", text="", tool_results=tuple(results)))

    def _search(self, asked_by: Literal["model", "host"]) -> Generator[AgentChunk, None, ResearchOutcome]:
        """Search once in a reply: the question is the user's, so that it would be answered the same again."""
        yield ToolCallChunk(id=_CALL, name=TOOL.name, asked_by=asked_by)
        grounded = self._ground(self._question)
        self._outcome = grounded.outcome
        if grounded.outcome.ok and self._gateway is not None:
            self._claims = Claims(self._gateway, grounded)
        yield ToolResultChunk(id=_CALL, name=TOOL.name, outcome=grounded.outcome)
        return grounded.outcome
