"""What is read of a reply, whole or event by event, and where each page stands in the recorded bytes.

    one JSON document     /candidates/0/groundingMetadata/groundingChunks/j/web
    a stream of events    /n/candidates/0/groundingMetadata/groundingChunks/j/web

Offsets are kept as they come: bytes of the UTF-8 form of one part. So parts keep their number, also those that are no text, and a part that
a stream sends in pieces is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from veridical_contract import GroundingChunk, GroundingSpan, ToolCall, Usage, WirePlace

from ._calls import call_id

if TYPE_CHECKING:
    from google.genai import types

__all__ = ["Reader", "Turn"]

_REDIRECTS = ("vertexaisearch.cloud.google.com", "/grounding-api-redirect/")


@dataclass(slots=True)
class Turn:
    """One reply.

    Attributes:
        parts: text of each part; empty for what is no text for a reader.
        chunks: pages.
        spans: stretches of the parts.
        queries: what was searched for.
        calls: what the model asks for.
        usage: what it cost.
        model: that answered.
        finish: why it ended; None while it did not.
        blocked: the prompt was refused.
        token: with which the reply can be continued.
    """

    parts: list[str] = field(default_factory=list[str])
    chunks: list[GroundingChunk] = field(default_factory=list[GroundingChunk])
    spans: list[GroundingSpan] = field(default_factory=list[GroundingSpan])
    queries: list[str] = field(default_factory=list[str])
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    finish: str | None = None
    blocked: bool = False
    token: bytes | None = None


@dataclass(slots=True)
class Reader:
    """Puts a turn together from one document, or from the events of a stream."""

    streamed: bool
    turn: Turn = field(default_factory=Turn)
    _events: int = 0
    _kind: str = ""

    def add(self, reply: types.GenerateContentResponse) -> str:
        """Take a document or an event; return the text that it adds.

        Raises:
            ValueError: a field has a value that it cannot have.
        """
        prefix = f"/{self._events}" if self.streamed else ""
        self._events += 1
        turn = self.turn
        turn.model = reply.model_version or turn.model
        turn.blocked |= reply.prompt_feedback is not None and reply.prompt_feedback.block_reason is not None
        if reply.usage_metadata is not None:
            turn.usage = _usage(reply.usage_metadata)  # of a stream the total so far
        if not reply.candidates:
            return ""
        candidate = reply.candidates[0]
        turn.finish = candidate.finish_reason.value if candidate.finish_reason is not None else turn.finish
        turn.token = candidate.continuation_token or turn.token
        if candidate.grounding_metadata is not None:
            self._ground(f"{prefix}/candidates/0/groundingMetadata/groundingChunks", candidate.grounding_metadata)
        parts = (candidate.content.parts or []) if candidate.content is not None else []
        return "".join(self._part(part, first=number == 0) for number, part in enumerate(parts))

    def _part(self, part: types.Part, *, first: bool) -> str:
        kind = "other" if part.text is None else "thought" if part.thought else "text"
        text = part.text or "" if kind == "text" else ""
        text.encode()  # what offsets count; half of a surrogate pair has no such form
        if first and kind == self._kind != "other":
            self.turn.parts[-1] += text
        else:
            self.turn.parts.append(text)
        self._kind = kind
        if (call := part.function_call) is not None:
            identifier = call_id(call.id, len(self.turn.calls), part.thought_signature)
            self.turn.calls.append(ToolCall(id=identifier, name=call.name or "", arguments=call.args or {}))
        return text

    def _ground(self, pointer: str, found: types.GroundingMetadata) -> None:
        numbers: dict[int, int] = {}
        for number, chunk in enumerate(found.grounding_chunks or []):
            if chunk.web is not None and chunk.web.uri:
                numbers[number] = len(self.turn.chunks)
                place = WirePlace(map="stream-chunks" if self.streamed else "chunks", item=f"{pointer}/{number}/web")
                url = chunk.web.uri
                self.turn.chunks.append(GroundingChunk(place=place, url=url, title=chunk.web.title, redirect=_is_redirect(url)))
        self.turn.queries += found.web_search_queries or []
        for support in found.grounding_supports or []:
            # A page of another kind (a map, an image) is no chunk here; what rests on no page is no span.
            chunks = [numbers[each] for each in support.grounding_chunk_indices or [] if each in numbers]
            if support.segment is not None and chunks:
                self.turn.spans.append(_span(support.segment, chunks))


def _span(segment: types.Segment, chunks: Sequence[int]) -> GroundingSpan:
    # The JSON form leaves out what is 0.
    return GroundingSpan(
        part=segment.part_index or 0,
        start=segment.start_index or 0,
        end=segment.end_index or 0,
        unit="utf8",
        text=segment.text or "",
        chunks=tuple(dict.fromkeys(chunks)),
    )


def _is_redirect(url: str) -> bool:
    try:
        split = urlsplit(url)
    except ValueError:
        return False
    return split.hostname == _REDIRECTS[0] and split.path.startswith(_REDIRECTS[1])


def _usage(counted: types.GenerateContentResponseUsageMetadata) -> Usage:
    return Usage(
        input_tokens=(counted.prompt_token_count or 0) + (counted.tool_use_prompt_token_count or 0),
        output_tokens=(counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0),
        cached_tokens=counted.cached_content_token_count or 0,
    )
