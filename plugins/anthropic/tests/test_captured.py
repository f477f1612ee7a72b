"""Replies that the API really sent, through the real SDK: what a reader finds in the file comes out, and every place is proved."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import yaml
from veridical_contract import ChatReply, ChatRequest

from plugins.anthropic.tests.kit import CAPTURED, Http, api, assert_proved, encoded, needs, plugin, proved

_PYDANTIC = "tests__models__cassettes__test_anthropic__test_anthropic_web_search_tool"


@dataclass(frozen=True)
class Counted:
    """What was counted by hand in a file; a citation without words has no excerpt."""

    file: str
    number: int
    streamed: bool
    hits: int
    spans: int
    excerpts: int
    queries: tuple[str, ...]
    model: str
    tokens: tuple[int, int]


CASES = [
    Counted(f"{_PYDANTIC}.yaml", 0, False, 10, 9, 9, ("San Francisco weather today",), "claude-sonnet-4-20250514", (8984, 520)),
    Counted(f"{_PYDANTIC}.yaml", 1, False, 10, 8, 9, ("Mexico City weather today",), "claude-sonnet-4-20250514", (19859, 544)),
    Counted(
        f"{_PYDANTIC}_stream.yaml",
        0,
        True,
        20,
        8,
        7,
        ("top world news today", "breaking news headlines August 14 2025"),
        "claude-sonnet-4-20250514",
        (31772, 644),
    ),
    Counted("anthropic_web_search_raw.yaml", 0, True, 10, 5, 5, ("San Francisco weather today",), "claude-opus-4-1-20250805", (10423, 341)),
]


NAMES = ["10-hits-9-citations", "10-hits-9-citations-again", "streamed-20-hits-9-citations", "streamed-10-hits-5-citations"]


@pytest.mark.parametrize("counted", CASES, ids=NAMES)
def test_a_captured_web_search_gives_the_citations_that_a_reader_finds(counted: Counted) -> None:
    interactions = yaml.safe_load(needs(CAPTURED / counted.file).read_text(encoding="utf-8"))["interactions"]
    captured = interactions[counted.number]["response"]
    body = captured["body"]["string"].encode() if counted.streamed else encoded(captured["parsed_body"])
    kind = "text/event-stream; charset=utf-8" if counted.streamed else "application/json"
    request = ChatRequest(task="ground", messages=(), question="What is new?")
    with api([Http(body, type=kind)]) as server:
        chat = plugin(server)
        reply = _last(chat.stream(request=request)) if counted.streamed else chat.chat(request=request)
        grounding = reply.grounding
        assert grounding is not None
        assert [len(grounding.chunks), len(grounding.spans), sum(len(span.excerpts) for span in grounding.spans)] == [
            counted.hits,
            counted.spans,
            counted.excerpts,
        ]
        assert (grounding.queries, reply.model, reply.stop) == (counted.queries, counted.model, "end")
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == counted.tokens
        assert reply.usage.searches == len(counted.queries)
        for chunk in grounding.chunks:
            assert_proved(chat, server, chunk)
        for span in grounding.spans:
            assert reply.parts[span.part][span.start : span.end] == span.text
            pages = {grounding.chunks[number].url for number in span.chunks}
            words = [found for place in span.excerpts for found in proved(chat, server, place)]
            assert len(words) == len(span.excerpts)
            assert {each["url"] for each in words} <= pages


def _last(pieces: object) -> ChatReply:
    *_, last = pieces  # type: ignore[misc]
    return last.reply
