"""What a chat plugin is asked, and the draft that it proposes.

Whatever comes back is data from outside: it points at passages by their per-run identifiers, quotes words, and phrases. The
kernel confirms, copies, counts, or drops.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from ._model import Count, Model


class Message(Model):
    """One turn of a conversation.

    Attributes:
        role: who speaks.
        text: what is said.
    """

    role: Literal["system", "user", "assistant"]
    text: str


class Passage(Model):
    """A stretch of evidence that a chat plugin may point at.

    Attributes:
        id: opaque, made for this run.
        text: visible text of the passage.
        title: of its document.
        origin: where it stands, for a person.
    """

    id: str
    text: str
    title: str | None = None
    origin: str = ""


class PassageGroup(Model):
    """Passages that were found to belong together; a theme is named and quoted from one group.

    Attributes:
        id: opaque, made for this run.
        passages: identifiers of its passages.
    """

    id: str
    passages: tuple[str, ...]


class ChatRequest(Model):
    """A request to a chat plugin.

    Attributes:
        task: `compose` asks for a `Draft` about `question` from `passages`; `complete` asks for text.
        messages: the conversation; the gateway puts its own preamble before it.
        question: what the operator asked.
        must_address: questions that the draft has to answer, by index.
        passages: the evidence that may be pointed at; empty with `complete`.
        groups: the themes to name and quote, each a set of passage identifiers.
        response_schema: JSON Schema of the structured reply.
        max_quotes: per theme.
        max_output_tokens: upper bound of the reply.
    """

    task: Literal["compose", "complete"]
    messages: tuple[Message, ...]
    question: str = ""
    must_address: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    groups: tuple[PassageGroup, ...] = ()
    response_schema: JsonValue = None
    max_quotes: Annotated[int, Field(ge=1, le=20)] = 3
    max_output_tokens: Annotated[int, Field(ge=1)] = 4096


class Usage(Model):
    """What a call cost, as the provider counted it.

    Attributes:
        input_tokens: of the request.
        output_tokens: of the reply.
    """

    input_tokens: Count = 0
    output_tokens: Count = 0


class DraftQuote(Model):
    """Words that are said to stand in a passage.

    Attributes:
        passage: identifier of the passage.
        quote: the words, as the composer copied them.
    """

    passage: str
    quote: str


class DraftClaim(Model):
    """A statement and the words it rests on.

    Attributes:
        text: the statement in the model's words; None lets the first quote speak for itself.
        quotes: what it rests on.
    """

    text: str | None = None
    quotes: tuple[DraftQuote, ...]


class DraftTheme(Model):
    """A proposal for one group of passages.

    Attributes:
        group: identifier of the group.
        name: the theme's name in the model's words; None when `name_quote` names it.
        name_quote: words of a passage that name the theme.
        claims: what is said under it.
    """

    group: str
    name: str | None = None
    name_quote: DraftQuote | None = None
    claims: tuple[DraftClaim, ...]


class DraftAnswer(Model):
    """A proposal for one question that must be addressed.

    Attributes:
        question: its index in `must_address`.
        claims: what answers it; empty when nothing does.
    """

    question: int
    claims: tuple[DraftClaim, ...] = ()


class Draft(Model):
    """What a chat plugin proposes: data from outside, whoever made it.

    Attributes:
        themes: one per group that the composer could name, in any order.
        answers: one per question that it could answer.
    """

    themes: tuple[DraftTheme, ...] = ()
    answers: tuple[DraftAnswer, ...] = ()


class ChatReply(Model):
    """The reply of a chat plugin.

    Attributes:
        text: free text; travels only as untrusted.
        draft: the structured reply to `compose`.
        stop: why it ended.
        model: name and version of the model.
        usage: what it cost.
    """

    text: str | None = None
    draft: Draft | None = None
    stop: Literal["end", "length", "refusal"] = "end"
    model: str
    usage: Usage = Usage()
