"""The agent's runtime and its claims: what a statement has to be to leave, what is recorded of the others, and how a reply breaks off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

import pytest
from veridical.kernel.canonical import digest
from veridical.workflows.agent import WITHHELD, converse
from veridical.workflows.ground import Asked, Grounded, ground
from veridical.workflows.web import Gathered
from veridical_contract import (
    AgentChunk,
    ChatDelta,
    ChatReply,
    ChatRequest,
    ClaimChunk,
    FailedChunk,
    ProviderError,
    ToolCall,
    ToolResultChunk,
    Topic,
    Turn,
)

from tests.properties.world import QUESTION, ROWS, MemoryStore, Row, World

GATED = Topic(kind="external", requires_grounding=True, why="a test")
FREE = Topic(kind="workspace", requires_grounding=False, why="a test")
CALL = ToolCall(id="c1", name="grounded_research", arguments={})
FIRMWARE = "The battery fails when the firmware of the printer is old."
SUMMER = "My printer stops because the battery gets too hot in summer."


class Model:
    """Calls the tool, then says a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def chat(self, request: ChatRequest) -> ChatReply:
        return ChatReply(tool_calls=(CALL,), stop="tools", model="m")

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        yield ChatDelta(text=self.text)
        yield ChatDelta(reply=ChatReply(text=self.text, model="m"))


class Talk:
    """A reply of `Model` to the rows."""

    def __init__(self, text: str, rows: Sequence[Row] = ROWS, question: str = QUESTION) -> None:
        self.question = question
        self.world = World(chat=Model(text), rows=rows)
        self.world.source.rows = rows  # type: ignore[attr-defined]
        self.found: Grounded | None = None

    def chunks(self) -> list[AgentChunk]:
        gateway = self.world.gateway()
        self.world.ingest(gateway)
        self.found = ground(gateway, self.world.run(), Asked(self.question, ("rows",), Gathered()))
        found = self.found
        return list(converse(gateway, [Turn(role="user", text=self.question)], GATED, lambda _: found))

    def number(self, text: str) -> int:
        """Of a claim, from 1."""
        assert self.found is not None
        claims = [claim.text for section in self.found.outcome.sections for claim in section.claims]
        return claims.index(text) + 1

    def row(self, text: str) -> int:
        """The citation of a claim."""
        assert self.found is not None
        claims = [claim for section in self.found.outcome.sections for claim in section.claims]
        return claims[self.number(text) - 1].citation_index


def numbered(text: str) -> Talk:
    """A reply in which `{firmware}` and `{summer}` are the numbers of these claims."""
    probe = Talk("")
    probe.chunks()
    return Talk(text.format(firmware=probe.number(FIRMWARE), summer=probe.number(SUMMER)))


def claims(chunks: Sequence[AgentChunk]) -> list[tuple[str, str]]:
    return [(chunk.wording, chunk.text) for chunk in chunks if isinstance(chunk, ClaimChunk)]


SAID = [
    (FIRMWARE, [("source", FIRMWARE)]),
    (f"{FIRMWARE} [{{firmware}}]", [("source", FIRMWARE)]),
    ("**The battery fails when the  firmware of the printer is old** [{firmware}].", [("source", FIRMWARE)]),
    (f"\u201c{FIRMWARE}\u201d [{{firmware}}]", [("source", FIRMWARE)]),
    ("The battery fails when the firmware is old. [{firmware}]", [("source", FIRMWARE)]),
    ("The battery fails when the firmware is old.", [("source", FIRMWARE)]),
    (f"{FIRMWARE} [{{summer}}]", []),
    ("The battery fails when the firmware is old. [{summer}]", []),
    (f"{FIRMWARE} [99]", []),
    (f"{FIRMWARE} [0]", []),
    (f"{FIRMWARE} [{{firmware}}, 99]", []),
    ("The battery fails when the firmware of the printer is stolen. [{firmware}]", []),
    ("The battery fails when the firmware is not old. [{firmware}]", []),
    ("The battery gets too hot when the firmware is old. [{firmware}, {summer}]", []),
    ("See https://a.example/3: the battery fails when the firmware is old. [{firmware}]", []),
    ("Die Batterie des Druckers versagt. [{firmware}]", []),
    ("battery", []),
    ("The battery fails when the firmware of the printer", [("source", FIRMWARE)]),
    ("It fails when the firmware of the printer is old. [{firmware}]", [("source", FIRMWARE)]),
]


@pytest.mark.parametrize(("text", "due"), SAID, ids=[str(number) for number in range(len(SAID))])
def test_a_claim_leaves_in_the_words_of_its_source_for_a_statement_that_it_carries(text: str, due: list[tuple[str, str]]) -> None:
    assert due == claims(numbered(text).chunks())


PEOPLE = tuple(
    Row(text, f"https://{name}.example/1", name)
    for name, text in {
        "court": "Anna Berg sued Carl Dahl for fraud in Vienna in 2019.",
        "radio": "Carl Dahl said Anna Berg stole money from the bank of Oslo.",
        "paper": "Anna Berg, whose brother Carl Dahl was convicted of rape, is a painter.",
        "pay": "Anna Berg earned 40 euros and Carl Dahl earned 900 euros.",
        "police": "Police cleared Anna Berg of killing Carl Dahl.",
        "road": "Anna Berg almost killed Carl Dahl with a car.",
        "jury": "Anna Berg was acquitted of the murder of Carl Dahl in 2020.",
    }.items()
)
TWISTED = {
    "swapped": ("Carl Dahl sued Anna Berg for fraud in Vienna in 2019.", "court"),
    "swapped and short": ("Carl Dahl stole money from Anna Berg.", "radio"),
    "who says so is left out": ("Anna Berg stole money from the bank of Oslo.", "radio"),
    "of another": ("Anna Berg was convicted of rape.", "paper"),
    "the pay of another": ("Carl Dahl and Anna Berg earned 900 euros.", "pay"),
    "turned around": ("The police killed Anna Berg.", "police"),
    "almost": ("Anna Berg killed Carl Dahl with a car.", "road"),
    "what she was acquitted of": ("Anna Berg was murdered by Carl Dahl.", "jury"),
    "with a tail": ("Anna Berg: murdered!", "jury"),
}


@pytest.mark.parametrize(("text", "source"), TWISTED.values(), ids=TWISTED)
def test_of_a_statement_that_twists_the_words_of_its_source_only_the_source_leaves(text: str, source: str) -> None:
    chunks = Talk(text, PEOPLE, "What is known about Anna Berg and Carl Dahl?").chunks()
    assert [("source", next(row.text for row in PEOPLE if row.user == source))] == claims(chunks)


def test_a_claim_leaves_once_however_often_it_is_pointed_at() -> None:
    chunks = Talk(f"{FIRMWARE} The battery fails when the firmware is old.\n\n{SUMMER} {FIRMWARE}").chunks()
    assert [FIRMWARE, SUMMER] == [text for _, text in claims(chunks)]
    assert [] == [chunk for chunk in chunks if chunk.type == "withheld"]


SELLS = "Anna Zorblax sells the battery of the printer."
HEATED = "The battery of the printer gets hot in the car."
SHE = "She was convicted of fraud with the battery of the printer."


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Marie Curie wurde am 7. November 1867 in Warschau geboren.", "Marie Curie wurde am 7. November 1867 in Warschau geboren. [{}]"),
        ("Marie Curie was born in Warsaw[12] in 1867.[13]", "Marie Curie was born in Warsaw in 1867. [{}]"),
        ("Marie Curie was born in Warsaw in 1867.", "> *Marie Curie* was born in Warsaw in 1867.[^{}]"),
    ],
    ids=["a stop within", "footnotes", "marks"],
)
def test_a_sentence_that_is_said_again_is_known_again(sentence: str, said: str) -> None:
    others = ("Marie Curie hat Radium entdeckt.", "Marie Curie discovered radium in 1898.")
    rows = [Row(text, f"https://s{number}.example/1", str(number)) for number, text in enumerate((*others, sentence))]
    probe = Talk("", rows, "Marie Curie")
    probe.chunks()
    chunks = Talk(said.format(probe.number(sentence)), rows, "Marie Curie").chunks()
    assert [("source", sentence)] == claims(chunks)
    assert not [chunk for chunk in chunks if chunk.type == "withheld"]


HOT = Row(HEATED, "https://f.example/1", "18")
LED_UP_TO = [
    (SHE, [SELLS, SHE]),
    (f"{HEATED} {SHE}", [HEATED, SELLS, SHE]),
    (f"Anna Zorblax sells the battery. {SHE}", [SELLS, SHE]),
    (f"{SHE} Anna Zorblax sells the battery.", [SELLS, SHE]),
    (
        f"Anna Zorblax sells the battery. {HEATED} {SHE}",
        [SELLS, HEATED, SELLS, SHE],
    ),
]


@pytest.mark.parametrize(("text", "due"), LED_UP_TO, ids=[str(number) for number in range(len(LED_UP_TO))])
def test_a_sentence_that_follows_another_in_its_source_follows_it_here(text: str, due: list[str]) -> None:
    rows = (Row(f"{SELLS} {SHE}", "https://e.example/1", "17"), HOT, *ROWS)
    assert due == [said for _, said in claims(Talk(text, rows).chunks())]


def test_a_sentence_about_somebody_whom_it_does_not_name_does_not_leave() -> None:
    rows = (Row(SHE, "https://e.example/1", "17"), HOT, *ROWS)
    talk = Talk(f"{HEATED} {SHE}", rows)
    assert [HEATED] == [said for _, said in claims(talk.chunks())]
    assert talk.number(SHE) > 0


def test_a_claim_cites_the_row_of_the_claim_that_carries_it() -> None:
    talk = numbered(f"{SUMMER} The battery fails when the firmware is old. [{{firmware}}]")
    found = [chunk.citation_indices for chunk in talk.chunks() if isinstance(chunk, ClaimChunk)]
    assert [(talk.row(SUMMER),), (talk.row(FIRMWARE),)] == found


def test_what_is_withheld_is_counted_between_what_is_not() -> None:
    chunks = Talk(f"It exploded. It burned. {FIRMWARE} It was recalled.").chunks()
    assert [2, FIRMWARE, 1] == [
        chunk.statements if chunk.type == "withheld" else chunk.text for chunk in chunks if chunk.type in ("withheld", "claim")
    ]
    assert {WITHHELD} == {chunk.reason for chunk in chunks if chunk.type == "withheld"}


def test_what_is_withheld_is_recorded_without_its_words_and_logged_with_them() -> None:
    talk = Talk("It exploded on May 1, 1999.")
    talk.chunks()
    assert talk.found is not None
    assert talk.found.evidence is not None
    last = talk.found.evidence.run.rejections[-1]
    words = "It exploded on May 1, 1999."
    assert ("chat", "chat", len(words), digest(words.encode())) == (last.plugin, last.hook, last.length, last.digest)
    assert ("chat", last.rule, words) == talk.world.log[-1]


def test_a_document_that_the_store_alters_after_the_search_is_not_said_again() -> None:
    talk = Talk(FIRMWARE)
    gateway = talk.world.gateway()
    talk.world.ingest(gateway)
    found = ground(gateway, talk.world.run(), Asked(QUESTION, ("rows",), Gathered()))
    assert isinstance(talk.world.storage, MemoryStore)
    documents = talk.world.storage.documents
    documents.update({name: one.model_copy(update={"body": one.body.replace(b"old", b"new")}) for name, one in documents.items()})
    chunks = list(converse(gateway, [Turn(role="user", text=QUESTION)], GATED, lambda _: found))
    assert [] == claims(chunks)
    assert isinstance(chunks[-1], FailedChunk)
    assert "not-publishable" == chunks[-1].code


@pytest.mark.parametrize("topic", [GATED, FREE], ids=["by its topic", "by the model's own search"])
def test_words_of_an_error_do_not_leave_a_gated_reply(topic: Topic) -> None:
    class Failing(Model):
        def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
            if not any(message.tool_results for message in request.messages):
                yield ChatDelta(reply=self.chat(request))
                return
            raise ProviderError("See https://evil.example/4242.", failure="server", plugin="chat")

    talk = Talk("")
    talk.chunks()
    found = talk.found
    assert found is not None
    gateway = World(chat=Failing(""), storage=talk.world.storage).gateway()
    *_, last = converse(gateway, [Turn(role="user", text=QUESTION)], topic, lambda _: found)
    assert isinstance(last, FailedChunk)
    assert ("provider", "chat", False) == (last.code, last.detail.origin, "evil" in last.detail.text)


@pytest.mark.parametrize("name", ["veridical", None])
def test_a_plugin_that_calls_itself_the_host_gets_no_words_out_either(name: str | None) -> None:
    def broken(_question: str) -> NoReturn:
        raise ProviderError("See https://evil.example/4242.", failure="server", plugin=name)

    *_, last = converse(World(chat=Model("")).gateway(), [Turn(role="user", text=QUESTION)], GATED, broken)
    assert isinstance(last, FailedChunk)
    assert ("provider", False) == (last.code, "evil" in last.detail.text)


@pytest.mark.parametrize("topic", [GATED, FREE], ids=["gated", "free"])
def test_an_error_that_nobody_expected_is_the_last_chunk_and_is_logged(topic: Topic, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_question: str) -> NoReturn:
        raise ZeroDivisionError("secret words")

    class Calling(Model):
        def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
            yield ChatDelta(reply=self.chat(request))

    gateway = World(chat=Calling("")).gateway()
    chunks = list(converse(gateway, [Turn(role="user", text=QUESTION)], topic, broken))
    assert isinstance(chunks[-1], FailedChunk)
    assert ("internal", "veridical") == (chunks[-1].code, chunks[-1].detail.origin)
    assert "secret words" not in chunks[-1].detail.text
    assert "a reply broke off" in caplog.text


def test_without_a_gateway_the_outcome_is_the_whole_reply() -> None:
    talk = Talk("")
    talk.chunks()
    found = talk.found
    assert found is not None
    chunks = list(converse(None, [Turn(role="user", text=QUESTION)], GATED, lambda _: found))
    assert ["topic", "tool_call", "tool_result", "done"] == [chunk.type for chunk in chunks]
    assert [found.outcome] == [chunk.outcome for chunk in chunks if isinstance(chunk, ToolResultChunk)]
