"""Conversations: what somebody says to an assistant, what it is about, and what is let out of the assistant's reply.

Turn*  --Topic-->  workspace: model text, labelled `Untrusted`
`-->  biographical, external: an outcome, and of the model's words only what the outcome's evidence carries

agent: TopicChunk (ToolCallChunk | ToolResultChunk | ClaimChunk | TextChunk | WithheldChunk)* (DoneChunk | FailedChunk)
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ._model import ComputedText, Count, KernelText, Model, PluginName, ProseText, UserText
from ._outcome import ResearchOutcome
from ._reports import Untrusted

__all__ = [
    "AgentChunk",
    "ClaimChunk",
    "Completion",
    "DoneChunk",
    "FailedChunk",
    "TextChunk",
    "ToolCallChunk",
    "ToolResultChunk",
    "Topic",
    "TopicChunk",
    "TopicKind",
    "Turn",
    "WithheldChunk",
]

TopicKind = Literal["biographical", "external", "workspace"]


class Turn(Model):
    """Something that was said, or put beside what was said.

    Attributes:
        role: who said it.
        text: what was said.
        workspace: it is context of the user's own work (a file, a selection, earlier work): it is not sent to a model while the topic is
            biographical or external.
    """

    role: Literal["user", "assistant"]
    text: UserText
    workspace: bool = False


class Topic(Model):
    """What the newest prompt of a conversation is about.

    Attributes:
        kind: `biographical` asks about a person, `external` about anything else in the world, `workspace` about the user's own work,
            code, or the conversation itself.
        requires_grounding: it is answered from a search, not from a model's memory.
        shifted: the prompt before it was of another kind.
        why: which rule spoke.
        subject: whom or what the question is about, in the user's words, where the prompt only points at it ("she", "the company").
    """

    kind: TopicKind
    requires_grounding: bool
    shifted: bool = False
    why: KernelText
    subject: UserText | None = None


class Completion(Model):
    """The reply to a conversation.

    Attributes:
        topic: of its newest prompt.
        outcome: of a search, when the topic requires grounding.
        text: a model's words, otherwise: in pieces, each within the limit of `Untrusted`, to be read one after the other.
    """

    topic: Topic
    outcome: ResearchOutcome | None = None
    text: tuple[Untrusted, ...] = ()


class TopicChunk(Model):
    """The first chunk.

    Attributes:
        type: `topic`.
        topic: what the prompt is about.
    """

    type: Literal["topic"] = "topic"
    topic: Topic


class ToolCallChunk(Model):
    """A tool is called.

    Attributes:
        type: `tool_call`.
        id: made by the host.
        name: of the tool.
        asked_by: the model asked for it, or the host did because the topic requires it.
    """

    type: Literal["tool_call"] = "tool_call"
    id: ComputedText
    name: KernelText
    asked_by: Literal["model", "host"]


class ToolResultChunk(Model):
    """What a tool brought.

    Attributes:
        type: `tool_result`.
        id: of the call.
        name: of the tool.
        outcome: of the search.
    """

    type: Literal["tool_result"] = "tool_result"
    id: ComputedText
    name: KernelText
    outcome: ResearchOutcome


class ClaimChunk(Model):
    """A statement of the assistant's that the outcome's evidence carries.

    Attributes:
        type: `claim`.
        text: the source's own sentence.
        wording: whose words they are: the agent lets out those of a source alone.
        citation_indices: of its rows in the outcome's citations, from 0; never empty.
    """

    type: Literal["claim"] = "claim"
    text: ProseText
    wording: Literal["source", "model"]
    citation_indices: Annotated[tuple[Count, ...], Field(min_length=1)]


class TextChunk(Model):
    """Words of the model about a topic that requires no grounding.

    Attributes:
        type: `text`.
        text: the words, which follow those of the chunk before.
    """

    type: Literal["text"] = "text"
    text: Untrusted


class WithheldChunk(Model):
    """What stands in the place of words that were not released.

    Attributes:
        type: `withheld`.
        statements: how many.
        reason: for a person, shown verbatim.
    """

    type: Literal["withheld"] = "withheld"
    statements: Annotated[int, Field(ge=1)]
    reason: KernelText


class DoneChunk(Model):
    """The last chunk of a reply that came to its end.

    Attributes:
        type: `done`.
        stop: the reply is whole; was cut at a limit; or the evidence was refused.
        provider: the chat plugin that answered; None when none was asked.
    """

    type: Literal["done"] = "done"
    stop: Literal["end", "length", "refused"]
    provider: PluginName | None = None


class FailedChunk(Model):
    """The last chunk of a reply that broke off.

    Attributes:
        type: `failed`.
        code: of the error, as everywhere.
        detail: what went wrong.
    """

    type: Literal["failed"] = "failed"
    code: ComputedText
    detail: Untrusted


AgentChunk = Annotated[
    TopicChunk | ToolCallChunk | ToolResultChunk | ClaimChunk | TextChunk | WithheldChunk | DoneChunk | FailedChunk,
    Field(discriminator="type"),
]
"""One piece of an assistant's reply."""
