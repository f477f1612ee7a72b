"""From the turns of a reply to a `ChatReply`.

A text block is a part. The provider cites for whole blocks: a block with citations is a span of the grounding, from its first character
to its last, and each citation a place of words that are said to stand on a page. A turn that was paused and continued has several replies,
each of which is a record of its own; their blocks follow each other. A place is relative to one of them: the values beside a chunk tell
the host which, and an excerpt whose place two replies hold differently is left out. So is a citation of a page that no search found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue
from veridical_contract import (
    ChatReply,
    ChatRequest,
    Draft,
    Grounding,
    GroundingChunk,
    GroundingSpan,
    Passage,
    PassageCitation,
    ToolCall,
    Usage,
    WirePlace,
    parse_draft,
    parse_json,
)

from ._replies import Block, Citation, Hit, SearchError, Turn, hits_of
from ._requests import schema_of, tiles

__all__ = ["answer", "search_errors"]

_STOPS: Mapping[str, Literal["end", "tools", "length", "refusal"]] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",  # of the last turn: it was continued as often as may be
    "refusal": "refusal",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A block, the turn that it stands in, and its number there."""

    turn: Turn
    number: int
    block: Block


def answer(request: ChatRequest, turns: Sequence[Turn]) -> ChatReply:
    """Return what `turns` say.

    Raises:
        ValueError: a reply ended for an unknown reason, or should be JSON and is not.
    """
    last = turns[-1].reply
    if last.stop_reason not in _STOPS:
        raise ValueError("unknown stop_reason")
    stop = _STOPS[last.stop_reason]
    blocks = list(_blocks(turns))
    texts = [each for each in blocks if each.block.type == "text"]
    parts = tuple(each.block.text for each in texts)
    structured = _structured(request, "".join(parts)) if stop == "end" else None
    return ChatReply(
        text="".join(parts),
        parts=parts,
        draft=structured if isinstance(structured, Draft) else None,
        structured=None if isinstance(structured, Draft) else structured,
        tool_calls=tuple(_tool_call(each.block) for each in blocks if each.block.type == "tool_use"),
        grounding=_grounding(blocks, texts) if request.task == "ground" else None,
        citations=tuple(_citations(request.passages, texts)) if request.task == "cite" else (),
        stop=stop,
        model=last.model,
        usage=_usage(turns),
    )


def search_errors(turns: Sequence[Turn]) -> tuple[list[str], bool]:
    """Return the codes of the searches that failed, and whether any search found something.

    Raises:
        ValueError: a result is neither a list of hits nor an error.
    """
    results = [hits_of(each.block) for each in _blocks(turns) if each.block.type == "web_search_tool_result"]
    return [each.error_code for each in results if isinstance(each, SearchError)], any(isinstance(each, tuple) and each for each in results)


def _blocks(turns: Sequence[Turn]) -> Iterator[_Place]:
    return (_Place(turn, number, block) for turn in turns for number, block in enumerate(turn.reply.content))


def _structured(request: ChatRequest, text: str) -> JsonValue | Draft:
    if request.task == "compose":
        return parse_draft(text)
    return None if schema_of(request) is None else parse_json(text)


def _tool_call(block: Block) -> ToolCall:
    return ToolCall(id=block.id, name=block.name, arguments=block.input)


def _grounding(blocks: Sequence[_Place], texts: Sequence[_Place]) -> Grounding:
    chunks = list(_hits(blocks))
    first: dict[str, int] = {}
    for number, chunk in enumerate(chunks):
        first.setdefault(chunk.url, number)
    plain = _plain(texts)
    found = ((part, text, [each for each in _cited(text) if each[1].url in first]) for part, text in enumerate(texts))
    spans = tuple(_span(part, text, cited, first, plain) for part, text, cited in found if cited)
    return Grounding(chunks=tuple(chunks), spans=spans, queries=tuple(_queries(blocks)))


def _hits(blocks: Sequence[_Place]) -> Iterator[GroundingChunk]:
    for each in blocks:
        hits = hits_of(each.block) if each.block.type == "web_search_tool_result" else ()
        if not isinstance(hits, SearchError):
            yield from (_chunk(each, number, hit) for number, hit in enumerate(hits))


def _chunk(place: _Place, number: int, hit: Hit) -> GroundingChunk:
    return GroundingChunk(place=place.turn.hit(place.number, number), url=hit.url, title=hit.title)


def _cited(text: _Place) -> list[tuple[int, Citation]]:
    return list(enumerate(text.block.citations or ()))


def _plain(texts: Sequence[_Place]) -> Collection[WirePlace]:
    """Return the places that hold the same in every reply of a continued turn: an excerpt has no value that would tell which."""
    said: dict[WirePlace, set[tuple[str | None, str]]] = {}
    for text in texts:
        for number, citation in _cited(text):
            said.setdefault(text.turn.citation(text.number, number), set()).add((citation.url, citation.cited_text))
    return frozenset(place for place, values in said.items() if len(values) == 1)


def _span(
    part: int, text: _Place, cited: Sequence[tuple[int, Citation]], first: Mapping[str, int], plain: Collection[WirePlace]
) -> GroundingSpan:
    places = (text.turn.citation(text.number, number) for number, citation in cited if citation.cited_text)
    return GroundingSpan(
        part=part,
        start=0,
        end=len(text.block.text),
        unit="codepoint",
        text=text.block.text,
        chunks=tuple(dict.fromkeys(first[citation.url or ""] for _, citation in cited)),
        excerpts=tuple(place for place in places if place in plain),
    )


def _queries(blocks: Sequence[_Place]) -> Iterator[str]:
    for each in blocks:
        if each.block.type == "server_tool_use" and isinstance(each.block.input, dict):
            query = each.block.input.get("query")
            if isinstance(query, str):
                yield query


def _citations(passages: Sequence[Passage], texts: Sequence[_Place]) -> Iterator[PassageCitation]:
    sent = {passage.id: tiles(passage.text) for passage in passages}
    for part, text in enumerate(texts):
        for _, citation in _cited(text):
            blocks = sent.get(citation.source, [])
            known = 0 <= citation.start_block_index < citation.end_block_index <= len(blocks)
            # What points beyond what was sent has no position, and the host finds that the words are not the whole passage.
            yield PassageCitation(
                passage=citation.source,
                start=blocks[citation.start_block_index][0] if known else None,
                end=blocks[citation.end_block_index - 1][1] if known else None,
                text=citation.cited_text,
                part=part,
            )


def _usage(turns: Sequence[Turn]) -> Usage:
    counts = [turn.reply.usage for turn in turns]
    # The API counts apart what it read from its cache and what it put there.
    read = sum(each.cache_read_input_tokens or 0 for each in counts)
    written = sum(each.cache_creation_input_tokens or 0 for each in counts)
    return Usage(
        input_tokens=sum(each.input_tokens for each in counts) + read + written,
        output_tokens=sum(each.output_tokens for each in counts),
        cached_tokens=read,
        written_tokens=written,
        searches=sum(each.server_tool_use.web_search_requests for each in counts if each.server_tool_use is not None),
    )
