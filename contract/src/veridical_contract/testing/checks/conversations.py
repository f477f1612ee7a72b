"""What chat plugins are asked, and which of it a plugin does: found out by asking.

    REQUESTS      by scenario; a scenario that ends in `-streamed` is the same request to the hook `stream`
    does          whether a plugin does a task: one that does not says so before it asks anything
    replies       what a plugin makes of a scenario, whole and streamed

What is asked for has letters of several lengths in UTF-8 and UTF-16, so that offsets in one unit are none in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import JsonValue
from veridical.wire.recording import Network

from veridical_contract import (
    CancelledError,
    ChatDelta,
    ChatReply,
    ChatRequest,
    Message,
    Passage,
    PassageGroup,
    ProviderError,
    SearchQuery,
    Tool,
    VeridicalError,
)
from veridical_contract.testing.cassettes import load_cassette
from veridical_contract.testing.registry import NoReplyError, NotApplicable, Violation
from veridical_contract.testing.subject import Live, Outcome, Subject

__all__ = [
    "ASKED",
    "PASSAGES",
    "REQUESTS",
    "SCHEMA",
    "Answered",
    "Task",
    "declined",
    "does",
    "ends",
    "is_kept",
    "ordinary_scenario",
    "replies",
    "reply_of",
]

Task = Literal["complete", "compose", "ground", "cite"]

_SYSTEM = Message(role="system", text="Answer in one short sentence.")
_QUESTION = "When did the copper roof of the chapel turn green, and who says so?"
_EXACT = "Begin every sentence with 🟩 and put the name Köln into it."
SCHEMA: JsonValue = {
    "type": "object",
    "properties": {"colour": {"type": "string"}, "years": {"type": "integer"}},
    "required": ["colour", "years"],
    "additionalProperties": False,
}
"""Of the structured reply."""
PASSAGES = (
    Passage(id="p-4c1", text="The chapel's copper roof, laid in 1911, turned green & dull within <20> years 🟩. Nobody had expected that."),
    Passage(id="p-9e7", text="Die Kapelle in Köln bekam 1911 ein Dach aus Kupfer 🛠️. Es kostete 4200 Mark und hielt achtzig Jahre."),
    Passage(id="p-2a5", text="礼拝堂の銅の屋根は数年で緑色になった。雨の多い年だった。"),
)
_GROUPS = (PassageGroup(id="g-71", passages=("p-4c1", "p-2a5")), PassageGroup(id="g-08", passages=("p-9e7",)))
_TOOL = Tool(
    name="weather",
    description="Says the weather of a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
_SEARCH = SearchQuery(text="chapel copper roof green patina", limit=5)


def _told(*texts: str, task: Task = "complete", system: str = _SYSTEM.text, **more: object) -> ChatRequest:
    turns = (Message(role="user" if number % 2 == 0 else "assistant", text=text) for number, text in enumerate(texts))
    return ChatRequest.model_validate(
        {"task": task, "messages": (Message(role="system", text=system), *turns), "max_output_tokens": 800, **more}
    )


ASKED = _told("What is the patina of copper called, in a word? Grünspan? 🟩", max_output_tokens=200)
"""The ordinary call."""

REQUESTS: Mapping[str, ChatRequest] = {
    "ordinary": ASKED,
    "conversation": _told(
        "I write about roofs: naïve «façade», 銅の屋根, a+b & c=d, <b>.",
        'Go on \\ and ask "what" you want to know 🛠️',
        "In which year was the Kölner Dom\tfinished?\nAnswer with the year.",
    ),
    "cut-short": _told("Tell the history of copper roofs in a thousand words.", system="Answer at length.", max_output_tokens=16),
    "refused": _told("The provider refuses to answer this."),
    "continued": _told("The provider stops in the middle of this answer, and goes on when it is asked again."),
    "structured": _told(
        "Which colour does a copper roof take on, and after how many years? Name the colour in German.",
        system="Answer with JSON.",
        response_schema=SCHEMA,
    ),
    "tools": _told(
        "What is the weather in Zürich, and what is it in 東京? Look it up.", system="Use the tool, once for each city.", tools=(_TOOL,)
    ),
    "compose": _told(
        "Name each group and quote what says when the roof changed.",
        task="compose",
        system="Quote exactly.",
        question=_QUESTION,
        must_address=("What did the roof cost?",),
        passages=PASSAGES,
        groups=_GROUPS,
    ),
    "ground": _told(_QUESTION, task="ground", system=_EXACT, question=_QUESTION, search=_SEARCH),
    "cite": _told(_QUESTION, task="cite", system=_EXACT, question=_QUESTION, passages=PASSAGES),
}
"""By scenario."""

_OF_TASK: Mapping[Task, str] = {"complete": "ordinary", "compose": "compose", "ground": "ground", "cite": "cite"}
_OPTIONAL = ("refused", "continued")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a plugin made of a request.

    Attributes:
        live: the plugin.
        hook: that was called.
        request: what it was asked.
        outcome: of the call.
        reply: that it gave.
    """

    live: Live
    hook: str
    request: ChatRequest
    outcome: Outcome
    reply: ChatReply


def declined(outcome: Outcome) -> bool:
    """Whether it said, before it asked anything, that it does not do what was asked."""
    if outcome.asked:
        return False
    if isinstance(outcome.error, VeridicalError):
        return not isinstance(outcome.error, ProviderError | CancelledError)
    return type(outcome.value) is ChatReply and outcome.value.stop == "refusal" and not outcome.value.text


def does(subject: Subject, task: Task) -> bool:
    """Whether the plugin does `task`; a plugin without wire maps is never asked to `ground`."""
    known = cast("dict[str, bool]", subject.notes.setdefault("does", {}))
    if task not in known:
        with subject.live() as live:
            try:
                scenario = _OF_TASK[task]
                able = task != "ground" or bool(live.wire)
                known[task] = able and not declined(live.call("chat", scenario, request=REQUESTS[scenario]))
            except NoReplyError:  # it asked
                known[task] = True
    return known[task]


def ordinary_scenario(subject: Subject) -> str:
    """Return what every chat plugin is called with by checks that are about all kinds: what it does first of completing and composing."""
    return "compose" if not does(subject, "complete") and does(subject, "compose") else "ordinary"


def replies(subject: Subject, scenario: str, request: ChatRequest | None = None) -> Iterator[Answered]:
    """Yield what the plugin answers, whole and, where it can, streamed.

    Raises:
        NotApplicable: it does not do this, or nobody plays the scenario.
        Violation: it raised something else.
    """
    asked = request or REQUESTS[scenario]
    if not does(subject, asked.task):
        raise NotApplicable(f"It does not do the task {asked.task}.")
    if scenario in _OPTIONAL and not is_kept(subject, scenario):
        raise NotApplicable(f"No cassette holds the scenario {scenario!r}, which no service plays when it is asked to.")
    with subject.live() as live:
        for hook in ("chat", "stream"):
            if live.has(hook):
                outcome = live.call(hook, scenario if hook == "chat" else f"{scenario}-streamed", request=asked)
                if declined(outcome):
                    raise NotApplicable(f"It does not do this: {outcome.error or 'it refuses'}")
                yield Answered(live, hook, asked, outcome, reply_of(outcome))


def reply_of(outcome: Outcome) -> ChatReply:
    """Return the reply of a call, also of a stream.

    Raises:
        Violation: it raised, or there is none.
    """
    found = outcome.result()
    pieces = cast("list[object]", found) if isinstance(found, list) else [found]
    replied = [piece.reply if isinstance(piece, ChatDelta) else piece for piece in pieces]
    last = replied[-1] if replied else None
    if not isinstance(last, ChatReply):
        raise Violation(f"It returned {type(last).__name__}, expected ChatReply.")
    return last


def is_kept(subject: Subject, scenario: str) -> bool:
    """Whether somebody plays `scenario`: the cassette, or a server that is recorded and made for it."""
    if subject.options.record:
        return subject.options.server is not None
    cassette = load_cassette(subject.cassette)
    return cassette is not None and scenario in cassette.scenarios


def ends(subject: Subject, live: Live, scenario: str) -> Network:
    """Return who answers `scenario` from a recording.

    Raises:
        NotApplicable: it is being recorded.
    """
    if subject.options.record:
        raise NotApplicable("A recording is of a service that works.")
    return subject.network(live, scenario)
