"""From the turns of a reply to a `ChatReply`. Turns that continue each other follow each other: the numbers of parts and chunks go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal

from pydantic import JsonValue
from veridical_contract import ChatReply, ChatRequest, Draft, Grounding, GroundingSpan, Usage, parse_draft, parse_json

from ._replies import Turn
from ._requests import schema_of

__all__ = ["answer"]

_Stop = Literal["end", "tools", "length", "refusal"]
_STOPS: Mapping[str, _Stop] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",  # of the last turn: it was continued as often as may be
}
_BROKEN = frozenset(
    [
        "FINISH_REASON_UNSPECIFIED",
        "MALFORMED_FUNCTION_CALL",
        "MALFORMED_RESPONSE",
        "MISSING_THOUGHT_SIGNATURE",
        "TOO_MANY_TOOL_CALLS",
        "UNEXPECTED_TOOL_CALL",
    ]
)
"""What went wrong between model and API. Every other reason is one of a policy: safety, recitation, language, a list of words."""


def answer(request: ChatRequest, turns: Sequence[Turn]) -> ChatReply:
    """Return what `turns` say.

    Raises:
        ValueError: a reply is broken, or should be JSON and is not.
    """
    stop = _stop(turns)
    parts = tuple(part for turn in turns for part in turn.parts)
    structured = _structured(request, "".join(parts)) if stop == "end" else None
    return ChatReply(
        text="".join(parts),
        parts=parts,
        draft=structured if isinstance(structured, Draft) else None,
        structured=None if isinstance(structured, Draft) else structured,
        tool_calls=tuple(call for turn in turns for call in turn.calls),
        grounding=_grounding(turns) if request.task == "ground" else None,
        stop=stop,
        model=turns[-1].model,
        usage=_usage(turns),
    )


def _stop(turns: Sequence[Turn]) -> _Stop:
    finish = turns[-1].finish or ""
    if turns[-1].blocked:
        return "refusal"
    if finish in _BROKEN:
        raise ValueError(f"the reply ended with {finish}")
    if finish == "STOP" and any(turn.calls for turn in turns):
        return "tools"
    return _STOPS.get(finish, "refusal")


def _structured(request: ChatRequest, text: str) -> JsonValue | Draft:
    if request.task == "compose":
        return parse_draft(text)
    return None if schema_of(request) is None else parse_json(text)


def _grounding(turns: Sequence[Turn]) -> Grounding:
    return Grounding(
        chunks=tuple(chunk for turn in turns for chunk in turn.chunks),
        spans=tuple(_spans(turns)),
        queries=tuple(query for turn in turns for query in turn.queries),
    )


def _spans(turns: Sequence[Turn]) -> Iterator[GroundingSpan]:
    parts = accumulate((len(turn.parts) for turn in turns), initial=0)
    chunks = accumulate((len(turn.chunks) for turn in turns), initial=0)
    for turn, part, chunk in zip(turns, parts, chunks, strict=False):
        for span in turn.spans:
            yield span.model_copy(update={"part": span.part + part, "chunks": tuple(each + chunk for each in span.chunks)})


def _usage(turns: Sequence[Turn]) -> Usage:
    return Usage(
        input_tokens=sum(turn.usage.input_tokens for turn in turns),
        output_tokens=sum(turn.usage.output_tokens for turn in turns),
        cached_tokens=sum(turn.usage.cached_tokens for turn in turns),
        searches=sum(len(turn.queries) for turn in turns),
    )
