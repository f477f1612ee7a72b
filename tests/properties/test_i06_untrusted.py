"""I6: on a gated topic no word of a model leaves, only claims of the outcome that it points at, however its reply is put together and cut.

true sentences, and the same with something made up, disguised, linked or cited to nothing -> a chat plugin, cut anywhere -> the runtime
-> an oracle that shares nothing with the kernel: no signature of what was made up in any chunk, every claim a sentence of the outcome
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.gateway.verified import Gateway
from veridical.workflows.agent import converse
from veridical.workflows.ground import Asked, Grounded, ground
from veridical.workflows.web import Gathered
from veridical_contract import (
    AgentChunk,
    ChatDelta,
    ChatReply,
    ChatRequest,
    ClaimChunk,
    TextChunk,
    ToolCall,
    ToolCallChunk,
    ToolResultChunk,
    Topic,
    Turn,
    WithheldChunk,
)

from tests.properties.world import QUESTION, World

MADE_UP = {
    "https://evil.example/report": "evil",
    "www.evil.example": "evil",
    "evil.example": "evil",
    "[the battery](https://evil.example/x)": "evil",
    "![chart](https://evil.example/p.png)": "evil",
    "<a href='https://evil.example'>battery</a>": "evil",
    "[1](https://evil.example)": "evil",
    "<script>evil()</script>": "evil",
    "press@evil.example": "evil",
    "\uff45\uff56\uff49\uff4c.example": "evil",
    "4242": "4242",
    "42.42 %": "42.42",
    "\uff14\uff12\uff14\uff12": "4242",
    "4\u200b242": "4242",
    "3 euros": "3 euros",
    "\u201cnever buy this printer\u201d": "never buy",
    '"never buy this printer"': "never buy",
    "Zorblax": "zorblax",
    "zorblax": "zorblax",
    "which embezzled money": "embezzled",
    "Dr. Zorblax": "zorblax",
    "Zorb\u00adlax": "zorblax",
    "\u200bZorblax\u200d": "zorblax",
    "\U0001d419orblax": "zorblax",
    "Z\u043erblax": "z\u043erblax",
}
"""What is made up, and what of it is looked for in what leaves, both without disguise."""
TRUE = (
    "The battery fails when the firmware of the printer is old.",
    "My printer stops because the battery gets too hot in summer.",
    "A new battery costs 40 euros, which is more than half of the printer.",
    "If the battery fails again I will send the printer back to the shop.",
)
GATED = Topic(kind="external", requires_grounding=True, why="a test")
FREE = Topic(kind="workspace", requires_grounding=False, why="a test")
CALL = ToolCall(id="model-1", name="grounded_research", arguments={"question": "evil"})
OTHER = ToolCall(id="model-2", name="evil_tool", arguments={})
TURNS = (Turn(role="user", text=QUESTION),)


class Model:
    """Calls what it is told to as long as there is no result, then says a text in pieces."""

    def __init__(self, pieces: Sequence[str], calls: tuple[ToolCall, ...], before: str = "") -> None:
        self.pieces, self.calls, self.before = pieces, calls, before
        self.asked: list[ChatRequest] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        return next(piece.reply for piece in self.stream(request) if piece.reply is not None)

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        self.asked.append(request)
        answered = any(message.tool_results for message in request.messages)
        pieces = self.pieces if answered or (not self.calls and not self.before) else [self.before]
        calls = () if answered else self.calls
        yield from (ChatDelta(text=piece) for piece in pieces)
        yield ChatDelta(reply=ChatReply(text="".join(pieces), tool_calls=calls, stop="tools" if calls else "end", model="m"))


@cache
def grounded() -> tuple[World, Grounded]:
    world = World()
    gateway = world.gateway()
    world.ingest(gateway)
    return world, ground(gateway, world.run(), Asked(QUESTION, ("rows",), Gathered()))


def replied(model: object, topic: Topic = GATED, turns: Sequence[Turn] = TURNS) -> list[AgentChunk]:
    world, found = grounded()
    gateway: Gateway = World(chat=model, storage=world.storage).gateway()
    return list(converse(gateway, turns, topic, lambda _: found))


def plain(text: str) -> str:
    """Without disguise."""
    seen = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return seen.casefold()


def leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from leaves(one)
    elif isinstance(value, list | tuple):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from leaves(one)


def invented(chunks: Sequence[AgentChunk]) -> list[str]:
    """Signatures of what was made up that stand in what left."""
    said = plain("\n".join(text for chunk in chunks for text in leaves(chunk.model_dump(mode="json"))))
    return [signature for signature in MADE_UP.values() if signature in said]


def unfounded(chunks: Sequence[AgentChunk]) -> list[str]:
    """Claims that are no claim of the outcome with its citation, or stand in no snippet that they cite, or are said twice."""
    (outcome,) = [chunk.outcome for chunk in chunks if isinstance(chunk, ToolResultChunk)]
    there = {(claim.text, (claim.citation_index,)) for section in outcome.sections for claim in section.claims}
    wrong: list[str] = []
    for chunk in chunks:
        if isinstance(chunk, ClaimChunk):
            stands = (chunk.text, chunk.citation_indices) in there and chunk.text in outcome.citations[chunk.citation_indices[0]].snippet
            there.discard((chunk.text, chunk.citation_indices))
            wrong += [] if stands and chunk.wording == "source" else [chunk.text]
    return wrong


def reworded(sentence: str, made_up: str, at: int) -> str:
    words = sentence.split()
    return " ".join([*words[: at % (len(words) + 1)], made_up, *words[at % (len(words) + 1) :]])


def changed(sentence: str) -> str:
    return sentence.replace("40", "4242").replace("old", "4242").replace("battery", "Zorblax")


def shuffled(sentence: str, order: random.Random, left: int) -> str:
    """Words of a sentence in another order, without some of them: what it says is no longer what the source says."""
    words = sentence.rstrip(".").split()
    return " ".join(order.sample(words, max(1, len(words) - left))) + "."


INVENTIONS = st.sampled_from(list(MADE_UP))
LIES: st.SearchStrategy[str] = st.one_of(
    st.builds(reworded, st.sampled_from(TRUE), INVENTIONS, st.integers(0, 30)),
    INVENTIONS.map(lambda made_up: f"The battery fails, says {made_up}."),
    INVENTIONS,
    st.sampled_from(TRUE).map(changed),
    st.builds(shuffled, st.sampled_from(TRUE), st.randoms(use_true_random=False), st.integers(0, 4)),
)
MARKS = st.sampled_from(["", " [1]", " [4]", " [99]", " [0]", " [1, 2]", "[^1]", " [1][evil]", " (https://evil.example)"])
BREAKS = st.sampled_from([" ", "\n", "\n\n", "\n- ", "\n> ", "\n## ", "\n1. ", ""])
REPLIES = st.lists(st.tuples(st.one_of(LIES, st.sampled_from(TRUE)), MARKS, BREAKS), min_size=1, max_size=6).map(
    lambda parts: "".join("".join(part) for part in parts)
)
CALLS = st.sampled_from([(), (CALL,), (OTHER,), (OTHER, CALL), (CALL, CALL)])


def cut(text: str, places: Sequence[int]) -> list[str]:
    cuts = sorted(place % (len(text) + 1) for place in places)
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


PLACES = st.lists(st.integers(0, 2000), max_size=12)


@settings(max_examples=150)
@given(REPLIES, PLACES, CALLS, st.sampled_from(["", "Zorblax says 4242.", "See https://evil.example"]))
def test_nothing_that_a_model_made_up_is_in_a_gated_stream(text: str, places: list[int], calls: tuple[ToolCall, ...], before: str) -> None:
    chunks = replied(Model(cut(text, places), calls, before))
    assert [] == invented(chunks)
    assert [] == unfounded(chunks)
    assert not any(isinstance(chunk, TextChunk) for chunk in chunks)
    assert {"grounded_research"} == {chunk.name for chunk in chunks if isinstance(chunk, ToolCallChunk)}


@settings(max_examples=40)
@given(st.lists(st.sampled_from(TRUE), min_size=1, max_size=4), PLACES, BREAKS, st.sampled_from([(CALL,), (OTHER, CALL), (CALL, CALL)]))
def test_true_sentences_leave_once_and_in_their_order_wherever_they_are_cut(
    said: list[str], places: list[int], between: str, calls: tuple[ToolCall, ...]
) -> None:
    text = (between if between.strip() not in ("", ">") else " \n").join(said)
    chunks = replied(Model(cut(text, places), calls))
    assert list(dict.fromkeys(said)) == [chunk.text for chunk in chunks if isinstance(chunk, ClaimChunk)]
    assert not any(isinstance(chunk, WithheldChunk) for chunk in chunks)


@settings(max_examples=40)
@given(REPLIES, PLACES, PLACES)
def test_where_a_reply_is_cut_makes_no_difference_to_what_leaves(text: str, one: list[int], other: list[int]) -> None:
    assert replied(Model(cut(text, one), (CALL,))) == replied(Model(cut(text, other), (CALL,)))
