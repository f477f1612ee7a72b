"""Replies that the API really sent, through the real SDK: what a reader finds in the file comes out, and every place is proved."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import yaml
from veridical_contract import ChatReply, ChatRequest

from plugins.google.tests.kit import CAPTURED, Http, api, assert_proved, encoded, needs, plugin

_FILE = "tests__models__cassettes__test_google__test_google_model_web_search_tool"


@dataclass(frozen=True)
class Counted:
    """What was counted by hand in a file; one page of each reply about San Francisco is Google's own, without a redirect."""

    file: str
    number: int
    streamed: bool
    pages: int
    redirects: int
    segments: int
    query: str
    tokens: tuple[int, int]


CASES = [
    Counted(f"{_FILE}.yaml", 0, False, 3, 2, 6, "weather in San Francisco today", (17 + 119, 201 + 213)),
    Counted(f"{_FILE}.yaml", 1, False, 3, 3, 2, "current weather in Mexico City", (209 + 286, 206 + 131)),
    Counted(f"{_FILE}_stream.yaml", 0, True, 5, 4, 8, "weather in San Francisco today", (17 + 102, 241 + 412)),
    Counted(f"{_FILE}_stream.yaml", 1, False, 4, 4, 7, "weather in Mexico City today", (249 + 319, 240 + 301)),
]
NAMES = ["3-pages-6-segments", "3-pages-2-segments", "streamed-5-pages-8-segments", "4-pages-7-segments"]


@pytest.mark.parametrize("counted", CASES, ids=NAMES)
def test_a_captured_google_search_gives_the_pages_and_segments_that_a_reader_finds(counted: Counted) -> None:
    interactions = yaml.safe_load(needs(CAPTURED / counted.file).read_text(encoding="utf-8"))["interactions"]
    captured = interactions[counted.number]["response"]
    body = captured["body"]["string"].encode() if counted.streamed else encoded(captured["parsed_body"])
    request = ChatRequest(task="ground", messages=(), question="What is the weather?")
    with api([Http(body, type="text/event-stream" if counted.streamed else "application/json; charset=UTF-8")]) as server:
        chat = plugin(server)
        reply = _last(chat.stream(request=request)) if counted.streamed else chat.chat(request=request)
        grounding = reply.grounding
        assert grounding is not None
        for chunk in grounding.chunks:
            assert_proved(chat, server, chunk)
    assert (len(grounding.chunks), sum(chunk.redirect for chunk in grounding.chunks)) == (counted.pages, counted.redirects)
    assert (len(grounding.spans), grounding.queries) == (counted.segments, (counted.query,))
    assert (reply.model, reply.stop, len(reply.parts)) == ("gemini-2.5-pro", "end", 1)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == counted.tokens
    for span in grounding.spans:
        assert reply.parts[span.part].encode()[span.start : span.end].decode() == span.text


def _last(pieces: object) -> ChatReply:
    *_, last = pieces  # type: ignore[misc]
    return last.reply
