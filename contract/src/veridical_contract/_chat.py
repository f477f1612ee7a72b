"""What a chat plugin is asked, and the draft that it proposes.

Whatever comes back is data from outside: it points at passages by their per-run identifiers, quotes words, and phrases. The
kernel confirms, copies, counts, or drops.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from ._documents import Unit, WirePlace
from ._model import Count, Model
from ._search import SearchQuery


class Tool(Model):
    """Something that a model may ask the caller to do.

    Attributes:
        name: of the tool.
        description: what it does, for the model.
        parameters: JSON Schema of its arguments, an object.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    description: str
    parameters: JsonValue


class ToolCall(Model):
    """A model asks for a tool.

    Attributes:
        id: of the call, as the provider gave it.
        name: of the tool.
        arguments: an object, as the model wrote it.
    """

    id: str
    name: str
    arguments: JsonValue


class ToolResult(Model):
    """What the caller did for a model.

    Attributes:
        call: identifier of the call.
        text: the result.
        failed: whether it is an error.
    """

    call: str
    text: str
    failed: bool = False


class Message(Model):
    """One turn of a conversation.

    Attributes:
        role: who speaks.
        text: what is said.
        tool_calls: what an assistant's turn asks for.
        tool_results: what a user's turn answers it with, one for each call of the turn before.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()


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
        task: `compose` asks for a `Draft` about `question` from `passages`; `complete` asks for text, for JSON when there is a
            `response_schema`; `ground` asks for text about `question` that rests on a web search of the provider's own, and `cite` for
            text that rests on `passages`, cited by the provider's own means.
        messages: the conversation; the gateway puts its own preamble before it.
        question: what the operator asked.
        must_address: questions that the draft has to answer, by index.
        passages: the evidence that may be pointed at; empty with `complete`.
        groups: the themes to name and quote, each a set of passage identifiers.
        search: what limits the search of `ground`.
        tools: what the model may ask for.
        response_schema: JSON Schema of the structured reply.
        max_quotes: per theme.
        max_output_tokens: upper bound of the reply.
    """

    task: Literal["compose", "complete", "ground", "cite"]
    messages: tuple[Message, ...]
    question: str = ""
    must_address: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    groups: tuple[PassageGroup, ...] = ()
    search: SearchQuery | None = None
    tools: tuple[Tool, ...] = ()
    response_schema: JsonValue = None
    max_quotes: Annotated[int, Field(ge=1, le=20)] = 3
    max_output_tokens: Annotated[int, Field(ge=1)] = 4096


class Usage(Model):
    """What a call cost, as the provider counted it.

    Attributes:
        input_tokens: of the request; of several requests (a turn that was continued) their sum.
        output_tokens: of the reply.
        cached_tokens: of the request, those that the provider had kept from before and that cost less.
        written_tokens: of the request, those that the provider now keeps for later and that cost more.
        searches: of the provider's own.
    """

    input_tokens: Count = 0
    output_tokens: Count = 0
    cached_tokens: Count = 0
    written_tokens: Count = 0
    searches: Count = 0


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


class GroundingChunk(Model):
    """A page that the provider says its reply rests on. The provider saw it, nobody else did.

    Attributes:
        place: where in the recorded reply its URL and title stand; None where the host could not record it: then it is the plugin's word.
        url: as it stands there; compared by the host.
        title: the same.
        redirect: the URL is a short-lived redirect of the provider's own.
    """

    place: WirePlace | None = None
    url: str
    title: str | None = None
    redirect: bool = False


class GroundingSpan(Model):
    """A stretch of the reply, in the model's words, and the chunks that the provider says it rests on.

    Attributes:
        part: which of the reply's parts it stands in, from 0.
        start: first, in `unit`, from the start of that part.
        end: one past the last.
        unit: of `start` and `end`.
        text: what the provider says stands there; compared by the host, exactly.
        chunks: indices into the chunks.
        excerpts: where in the recorded reply words stand that the provider says it took from a page; often cut.
    """

    part: Count
    start: int
    end: int
    unit: Unit
    text: str | None = None
    chunks: tuple[int, ...]
    excerpts: tuple[WirePlace, ...] = ()


class Grounding(Model):
    """What a provider says its reply rests on.

    Attributes:
        chunks: pages.
        spans: stretches of the reply.
        queries: what the provider searched for, in the model's words.
    """

    chunks: tuple[GroundingChunk, ...] = ()
    spans: tuple[GroundingSpan, ...] = ()
    queries: tuple[str, ...] = ()


class PassageCitation(Model):
    """A stretch of the reply that the provider says rests on a passage that it was sent.

    Attributes:
        passage: identifier of the passage.
        start: first character in the passage's text, in code points; None with `end` when the whole passage is cited.
        end: one past the last.
        text: what the provider says stands there; compared by the host.
        part: which of the reply's parts rests on it, from 0.
    """

    passage: str
    start: int | None = None
    end: int | None = None
    text: str | None = None
    part: Count = 0


class ChatReply(Model):
    """The reply of a chat plugin.

    Attributes:
        text: free text, all parts joined; travels only as untrusted.
        parts: the parts of the text as the provider sent them, which spans are relative to.
        draft: the structured reply to `compose`.
        structured: the reply to a `response_schema`, parsed.
        tool_calls: what the model asks for.
        grounding: of a reply to `ground`.
        citations: of a reply to `cite`.
        stop: why it ended: it came to its end, it asks for tools, it was cut at the limit of tokens, or the model or provider refused.
        model: name and version of the model, as the provider names it.
        usage: what it cost.
    """

    text: str | None = None
    parts: tuple[str, ...] = ()
    draft: Draft | None = None
    structured: JsonValue = None
    tool_calls: tuple[ToolCall, ...] = ()
    grounding: Grounding | None = None
    citations: tuple[PassageCitation, ...] = ()
    stop: Literal["end", "tools", "length", "refusal"] = "end"
    model: str
    usage: Usage = Usage()


class ChatDelta(Model):
    """A piece of a reply that comes bit by bit.

    Attributes:
        text: what follows the text so far; empty in the last piece.
        reply: the whole reply, in the last piece alone.
    """

    text: str = ""
    reply: ChatReply | None = None
