"""The chat plugin: text, JSON to a schema, drafts, and answers that rest on a web search of Claude Code's own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from html import escape

from pydantic import JsonValue
from veridical_contract import (
    ChatReply,
    ChatRequest,
    Draft,
    Grounding,
    GroundingChunk,
    GroundingSpan,
    PluginContext,
    PluginError,
    ProviderError,
    SearchQuery,
    WireMap,
    WirePlace,
    compose_prompt,
    hookimpl,
    parse_draft,
    unasked_question,
)

from ._failures import one_line
from ._replies import HITS, Block, wire_maps
from ._run import ClaudeCode, Run, Task
from ._search import allows, cited, found, limits
from ._settings import Settings

__all__ = ["ClaudeCodeChat"]

_SEARCH = "Call the tool WebSearch before you answer, and answer from what it returns."
_PROGRAM = "claude-code"
"""What is asked where the settings name no model: the program's own choice, which only its reply tells."""
_NOWHERE = WirePlace(map=HITS, item="")
"""Of a page that no recorded reply holds: the host finds nothing there, and has the plugin's word alone."""


class ClaudeCodeChat:
    """Chat through Claude Code. Needs its login, or ANTHROPIC_API_KEY."""

    wire: dict[str, WireMap] = wire_maps(Settings().base_url)

    def __init__(self, context: PluginContext) -> None:
        self.model = context.settings(Settings).model or _PROGRAM
        self._claude = ClaudeCode(context)
        self.wire = self._claude.wire

    @hookimpl
    async def chat(self, request: ChatRequest) -> ChatReply:
        """Answer `request`: `compose`, `complete` and `ground`.

        Raises:
            ProviderError: the API failed, or the reply is not laid out as asked.
            PluginError: the program failed, or cannot do what is asked: `cite`, and tools of the caller.
        """
        _check(request)
        if request.task == "compose":
            return await self._compose(request)
        if request.task == "ground":
            return await self._ground(request)
        return await self._complete(request)

    async def _compose(self, request: ChatRequest) -> ChatReply:
        asked = (_conversation(request), unasked_question(request), compose_prompt(request))
        prompt = "\n\n".join(filter(None, asked))
        schema = _object(request.response_schema or Draft.model_json_schema())
        run = await self._claude.run(Task(prompt=prompt, system=_system(request), schema=schema, tokens=request.max_output_tokens))
        if run.stop != "end":
            return _reply(run)
        text = run.text if run.structured is None else json.dumps(run.structured)
        try:
            return _reply(run).model_copy(update={"draft": parse_draft(text)})
        except ValueError:
            raise ProviderError("The model answered with no draft.", failure="malformed") from None

    async def _complete(self, request: ChatRequest) -> ChatReply:
        schema = None if request.response_schema is None else _object(request.response_schema)
        task = Task(prompt=_conversation(request), system=_system(request), schema=schema, tokens=request.max_output_tokens)
        run = await self._claude.run(task)
        if schema is not None and run.stop == "end" and run.structured is None:
            raise ProviderError("The model answered with no JSON of the schema.", failure="malformed")
        return _reply(run).model_copy(update={"structured": run.structured})

    async def _ground(self, request: ChatRequest) -> ChatReply:
        query = request.search or SearchQuery(text=request.question or "-")
        prompt = f"{_conversation(request)}\n\n<question>{escape(request.question)}</question>\n{limits(query)}"
        system = f"{_system(request)}\n\n{_SEARCH}".strip()
        run = await self._claude.run(Task(prompt=prompt, system=system, search=True, tokens=request.max_output_tokens))
        if run.searched.failed and not run.searched.hits:
            raise ProviderError(f"The web search failed: {one_line(run.searched.failed)}", failure="server")
        return _reply(run) if run.stop == "refusal" else _grounded(run, query)


def _check(request: ChatRequest) -> None:
    if request.tools or any(message.tool_calls or message.tool_results for message in request.messages):
        raise PluginError("Claude Code calls tools of its own and takes none from outside.", hint=_OTHERS)
    if request.task == "cite":
        raise PluginError("Claude Code has no means to cite passages that it is sent.", hint=_OTHERS)


_OTHERS = "Use another chat plugin for that: veridical plugins list"


def _object(schema: JsonValue) -> JsonValue:
    if isinstance(schema, dict) and schema.get("type") == "object":
        return schema
    raise PluginError("Claude Code takes no schema but that of an object.", hint='Put it into one: {"type": "object", "properties": …}')


def _system(request: ChatRequest) -> str:
    return "\n\n".join(message.text for message in request.messages if message.role == "system")


def _conversation(request: ChatRequest) -> str:
    """Return the turns as one prompt, the only form that the program takes."""
    turns = [message for message in request.messages if message.role != "system"]
    if len(turns) == 1:
        return turns[0].text
    return "\n".join(f'<turn speaker="{turn.role}">{escape(turn.text, quote=False)}</turn>' for turn in turns)


def _reply(run: Run) -> ChatReply:
    parts = (run.text,) if run.text else ()
    return ChatReply(text=run.text or None, parts=parts, stop=run.stop, model=run.identity, usage=run.usage)


def _grounded(run: Run, query: SearchQuery) -> ChatReply:
    """Return the reply of the search itself where the host recorded it: the API cites that, and nothing of what the program makes of it."""
    hits = [hit for hit in found(run) if allows(query, hit.url)]
    chunks = tuple(GroundingChunk(place=hit.place or _NOWHERE, url=hit.url, title=hit.title) for hit in hits)
    blocks = [block for reply in run.replies for block in reply.blocks if block.text]
    spans = tuple(_spans(blocks, {hit.url: at for at, hit in enumerate(hits)}, Counter(citation.place for citation in cited(run))))
    reply = _reply(run)
    if spans:
        parts = tuple(block.text for block in blocks)
        reply = reply.model_copy(update={"parts": parts, "text": "".join(parts)})
    return reply.model_copy(update={"grounding": Grounding(chunks=chunks, spans=spans, queries=run.searched.queries)})


def _spans(blocks: list[Block], chunks: dict[str, int], places: Counter[WirePlace]) -> Iterator[GroundingSpan]:
    """Yield the cited blocks. A place that the replies of two searches have in common says not which words are meant, and is no excerpt."""
    for part, block in enumerate(blocks):
        citations = [citation for citation in block.citations if citation.url in chunks]
        if citations:
            yield GroundingSpan(
                part=part,
                start=0,
                end=len(block.text),
                unit="codepoint",
                text=block.text,
                chunks=tuple(dict.fromkeys(chunks[citation.url] for citation in citations)),
                excerpts=tuple(citation.place for citation in citations if citation.place.text and places[citation.place] == 1),
            )
