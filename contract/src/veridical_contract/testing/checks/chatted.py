"""What a chat plugin hands in: the words that its provider sent, the values that stand there, and nothing of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from html import unescape
from typing import cast

from pydantic import JsonValue
from veridical.kernel.exact import NotExactError, rebuild
from veridical.wire.recording import Network, Reply, Request

from veridical_contract import ChatReply, ChatRequest, Draft, DraftClaim, Message, ToolCall, ToolResult, parse_draft, parse_json
from veridical_contract.testing.leaves import Leaf, canonical, leaves, replaced, request_leaves, standing, stretch, strings, values
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.subject import Outcome, Subject

from .conversations import REQUESTS, SCHEMA, Answered, does, is_kept, ordinary_scenario, replies

_CHAT = ("chat",)
_SHORTEST = 8
"""Characters of a string that is a text, and no name or number."""
_PROSE = "I would rather say it in words: grün, after 20 years."
_RESULTS = ("Nebel, 4 °C 🌫️", "no service for 東京")


@check(
    "reply-shape",
    "It answers with a ChatReply of plain values that names the model.",
    "return ChatReply(text=..., parts=..., model=...), with str, int, tuple and the classes of the contract, not classes of an SDK.",
    kinds=_CHAT,
    needs=("answers",),
)
def reply_shape(subject: Subject) -> None:
    for found in replies(subject, ordinary_scenario(subject)):
        try:
            rebuild(found.reply, ChatReply)
        except NotExactError as error:
            raise Violation(f"The host does not take its reply: {error}") from None
        if not found.reply.model.strip():
            raise Violation("Its reply does not say which model answered.")


@check(
    "text-joined",
    "The text of a reply is its parts, one after the other.",
    'Keep the parts as the provider sent them, and join them with nothing between: text="".join(parts).',
    kinds=_CHAT,
    needs=("reply-shape",),
)
def text_joined(subject: Subject) -> None:
    for found in _texts(subject):
        if (found.reply.text or "") != "".join(found.reply.parts):
            raise Violation(f"Its text {_short(found.reply.text)} is not its parts {_short(found.reply.parts)}.")


@check(
    "text-invented",
    "Every part of a reply stands in what the provider sent, to the last character.",
    "Hand in the provider's strings as they are: nothing added, stripped, cut, or put into other words.",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def text_invented(subject: Subject) -> None:
    for found in _texts(subject):
        _used(found.reply.parts, leaves(found.outcome.records))


@check(
    "text-dropped",
    "It hands in all of the text that the provider sent.",
    "Hand in every part of the reply, in its order.",
    kinds=_CHAT,
    needs=("text-invented",),
)
def text_dropped(subject: Subject) -> None:
    for found in _texts(subject):
        there = leaves(found.outcome.records)
        used = [there[number] for number in _used(found.reply.parts, there)]
        forms = {leaf.form for leaf in used if len(leaf.text) >= _SHORTEST}
        text = "".join(found.reply.parts)
        if lost := [leaf.text for leaf in there if leaf.form in forms and leaf.text not in text]:
            raise Violation(f"The provider also sent {_short(lost[0])}, which it leaves out.")


@check(
    "messages",
    "Every turn of the conversation reaches the service, whole and in order, in any script.",
    "Send message.text as it is, and let the client encode it; turns of a system may stand apart from the others.",
    kinds=_CHAT,
    needs=("answers",),
)
def messages(subject: Subject) -> None:
    for found in replies(subject, "conversation"):
        sent = _sent(found.outcome)
        if not sent:
            raise NotApplicable("It asks no service.")
        turns = [message.text for message in found.request.messages if message.role != "system"]
        system = [message.text for message in found.request.messages if message.role == "system"]
        if standing(turns, sent) is not None:  # turns between tags
            sent = [unescape(text) for text in sent]
        if (missing := standing(turns, sent)) is not None:
            raise Violation(f"The turn {_short(turns[missing])} did not reach the service, or not after those before it.")
        if standing(system, sent) is not None:
            raise Violation(f"The instruction {_short(system[0])} did not reach the service.")


@check(
    "stop-length",
    "A reply that was cut at the limit of tokens says so.",
    'Send request.max_output_tokens, and return stop="length" when the provider says that it was reached.',
    kinds=_CHAT,
    needs=("reply-shape",),
)
def stop_length(subject: Subject) -> None:
    _stops(subject, "cut-short", "length")


@check(
    "stop-refusal",
    "A reply in which the model, or the provider, refuses says so.",
    'Return stop="refusal", with the words of the refusal, where there are some, as the text.',
    kinds=_CHAT,
    needs=("reply-shape",),
)
def stop_refusal(subject: Subject) -> None:
    _stops(subject, "refused", "refusal")


@check(
    "structured",
    "A reply to a schema is the JSON that the provider sent, parsed.",
    "Send request.response_schema, and return structured=parse_json(text): nothing put right, and nothing filled in.",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def structured(subject: Subject) -> None:
    for found in replies(subject, "structured"):
        value = found.reply.structured
        if value is None:
            raise Violation(f"A reply to a schema has no structured value; its stop is {found.reply.stop}.")
        said = [canonical(each) for each in _values(found)]
        if said and canonical(value) not in said:
            raise Violation(f"The reply does not hold {_short(canonical(value))}.")
        _check_schema(value)
        if found.outcome.asked and standing(["colour", "years"], _keys(found.outcome)) is not None:
            raise Violation("The schema did not reach the service.")


@check(
    "structured-none",
    "An answer in words where JSON was asked for is an error, and no value.",
    "Let the error of parse_json become a ProviderError(failure='malformed'): provider_call does that.",
    kinds=_CHAT,
    needs=("structured",),
)
def structured_none(subject: Subject) -> None:
    if subject.options.record:
        raise NotApplicable("A recording is of a service that works.")
    for found in replies(subject, "structured"):
        if found.hook != "chat":
            continue
        text = found.reply.text or ""
        if not any(replaced(record.body, text, _PROSE) for record in found.outcome.records):
            raise NotApplicable("The JSON of its replies is no text.")
        network = _in_words(subject.network(found.live, "structured"), text)
        outcome = found.live.call("chat", network, request=found.request)
        if outcome.error is None and outcome.value.structured is not None:
            raise Violation(f"The model answered {_PROSE!r}, and it returned the value {_short(canonical(outcome.value.structured))}.")
        if outcome.error is None and outcome.value.stop == "end":
            raise Violation(f"The model answered {_PROSE!r}, and it returned that as if nothing had been asked for.")


@check(
    "tool-calls",
    "What the model asks of tools is handed in as the provider sent it: name, arguments, order.",
    "Send request.tools, and return a ToolCall for each call, its arguments parsed to an object; stop='tools'.",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def tool_calls(subject: Subject) -> None:
    for found in replies(subject, "tools"):
        _check_calls(found)


@check(
    "tool-results",
    "What the caller did for the model reaches the service: which call it answers, and whether it failed.",
    "Send the turn with the calls as they came, and every ToolResult with the identifier of its call and `failed`.",
    kinds=_CHAT,
    needs=("tool-calls",),
)
def tool_results(subject: Subject) -> None:
    for found in replies(subject, "tools"):
        calls = found.reply.tool_calls
        request = _answering(found.request, calls, calls)
        outcome = found.live.call(found.hook, _scenario(found, "tool-results"), request=request)
        outcome.result()
        bodies = _bodies(outcome)
        said = [text for call, text in zip(calls, _RESULTS, strict=False) for text in (call.name, text)]
        if not bodies:
            raise NotApplicable("It asks no service.")
        if standing(_RESULTS[: len(calls)], _sent(outcome)) is not None or standing(said[:1], _sent(outcome)) is not None:
            raise Violation("A result, or the call that it answers, did not reach the service.")
        if subject.options.record:
            continue
        for other, what in (
            (_answering(found.request, calls, calls, failed=False), "that a tool failed"),
            (_answering(found.request, calls, calls[::-1]), "which call a result answers"),
        ):
            if len(calls) > 1 and _bodies(found.live.call(found.hook, _scenario(found, "tool-results"), request=other)) == bodies:
                raise Violation(f"Nothing tells the service {what}.")


@check(
    "passages-sent",
    "A model that composes is shown every passage and every group by its identifier, and every question.",
    "Send compose_prompt(request) after the messages.",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def passages_sent(subject: Subject) -> None:
    for found in replies(subject, "compose"):
        if not found.outcome.asked:
            raise NotApplicable("It asks no service.")
        sent = [unescape(text) for text in _sent(found.outcome)]
        request = found.request
        shown = [(each.id, each.text) for each in request.passages]
        for words in (*shown, *((group.id,) for group in request.groups), *((each,) for each in (*request.must_address, request.question))):
            if standing(words, sent) is not None:
                raise Violation(f"{_short(words[-1])} did not reach the service.")


@check(
    "draft",
    "The draft is the one that the model wrote: what names no passage, or quotes wrong words, is the host's to drop.",
    "return ChatReply(draft=parse_draft(text), ...).",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def draft(subject: Subject) -> None:
    for found in replies(subject, "compose"):
        proposed = found.reply.draft
        if proposed is None or not (proposed.themes or proposed.answers):
            raise Violation(f"Asked to compose, it proposes nothing; its stop is {found.reply.stop}.")
        if not found.outcome.asked:
            _check_own(proposed, found.request)
            continue
        said = list(_values(found))
        written = [each for each in said if isinstance(each, dict) and "themes" in each]
        if written and all(proposed != parse_draft(canonical(each)) for each in written):
            raise Violation("The draft is not the one in the reply.")
        there = {text for each in said for text in strings(each)}
        if strange := [text for text in _words(proposed) if text not in there]:
            raise Violation(f"The reply does not hold {_short(strange[0])}.")


def _in_words(kept: Network, text: str) -> Network:
    """Return who answers as `kept` does, with prose where that has `text`."""

    def network(request: Request) -> Reply:
        reply = kept(request)
        body = b"".join(reply.pieces)
        return Reply(reply.status, reply.headers, (replaced(body, text, _PROSE) or body,))

    return network


def _texts(subject: Subject) -> Iterator[Answered]:
    """Yield the replies in words that rest on a recorded reply."""
    wanted = ("ordinary", "conversation", *(("continued",) if is_kept(subject, "continued") else ()), "ground", "cite")
    scenarios = [name for name in wanted if does(subject, REQUESTS[name].task)]
    found = [each for name in scenarios for each in replies(subject, name) if each.outcome.records and each.reply.parts]
    if not found:
        raise NotApplicable("No reply of it has words that the host recorded.")
    yield from found


def _used(parts: Sequence[str], there: Sequence[Leaf]) -> list[int]:
    numbers: list[int] = []
    for part in parts:
        found = stretch(part, there, numbers[-1] + 1 if numbers else 0)
        if found is None:
            raise Violation(f"The provider did not send {_short(part)}, or not at this place.")
        numbers += found
    return numbers


def _stops(subject: Subject, scenario: str, stop: str) -> None:
    for found in replies(subject, scenario):
        if not found.outcome.asked:
            raise NotApplicable("It asks no service.")
        if found.reply.stop != stop:
            raise Violation(f"The reply ended with {stop}, and it says {found.reply.stop}.")


def _values(found: Answered) -> Iterator[JsonValue]:
    """Yield what the reply holds, also as JSON between other words of a text."""
    yield from values(found.outcome.records)
    there = leaves(found.outcome.records)
    if found.reply.text and stretch(found.reply.text, there) is not None:
        with contextlib.suppress(ValueError):
            yield parse_json(found.reply.text)


def _check_schema(value: JsonValue) -> None:
    expected = {name: {"string": str, "integer": int}[kind] for name, kind in (("colour", "string"), ("years", "integer"))}
    if not isinstance(value, dict) or {name: type(each) for name, each in value.items()} != expected:
        raise Violation(f"{_short(canonical(value))} is not of the schema {canonical(SCHEMA)}.")


def _check_calls(found: Answered) -> None:
    calls = found.reply.tool_calls
    if not calls or found.reply.stop != "tools":
        raise Violation(f"The model asked for tools, and it returned {len(calls)} calls, and said that it ended with {found.reply.stop}.")
    if len({call.id for call in calls}) < len(calls) or not all(call.id for call in calls):
        raise Violation("Its calls cannot be told apart by their identifiers.")
    tool = found.request.tools[0]
    if found.outcome.asked and standing([tool.name, tool.description], _sent(found.outcome)) is not None:
        raise Violation("The tool did not reach the service.")
    there = list(values(found.outcome.records))
    said = [canonical(each) for each in there if isinstance(each, dict)]
    names = {text for each in there for text in strings(each)}
    for call in calls:
        if not isinstance(call.arguments, dict):
            raise Violation(f"The arguments of a call are {_short(call.arguments)}, expected an object.")
        if found.outcome.records and (call.name not in names or canonical(call.arguments) not in said):
            raise Violation(f"The reply does not hold the call {call.name}({_short(call.arguments)}).")
    asked = [said.index(canonical(call.arguments)) for call in calls] if found.outcome.records else []
    if asked != sorted(asked):
        raise Violation("The calls are in another order than in the reply.")
    named = {canonical(each) for each in there if isinstance(each, dict) and set(each) == {"city"}}
    if lost := named - {canonical(call.arguments) for call in calls}:
        raise Violation(f"The reply holds a call with {_short(min(lost))}, which it leaves out.")


def _answering(request: ChatRequest, calls: Sequence[ToolCall], order: Sequence[ToolCall], *, failed: bool = True) -> ChatRequest:
    results = tuple(
        ToolResult(call=call.id, text=text, failed=failed and number == 1)
        for number, (call, text) in enumerate(zip(order, _RESULTS, strict=False))
    )
    turns = (Message(role="assistant", text="", tool_calls=tuple(calls)), Message(role="user", text="", tool_results=results))
    return request.model_copy(update={"messages": (*request.messages, *turns)})


def _scenario(found: Answered, name: str) -> str:
    return name if found.hook == "chat" else f"{name}-streamed"


def _check_own(proposed: Draft, request: ChatRequest) -> None:
    """Who asks no service has no words of a model: it names what it was sent, and copies."""
    texts = {passage.id: passage.text for passage in request.passages}
    quotes = [quote for claims in _claims(proposed) for claim in claims for quote in claim.quotes]
    quotes += [theme.name_quote for theme in proposed.themes if theme.name_quote is not None]
    if wrong := [quote for quote in quotes if quote.quote not in texts.get(quote.passage, "")]:
        raise Violation(f"{_short(wrong[0].quote)} does not stand in the passage {wrong[0].passage}.")
    groups = {group.id for group in request.groups}
    if strange := [theme.group for theme in proposed.themes if theme.group not in groups]:
        raise Violation(f"There is no group {strange[0]}.")
    if strange := [answer.question for answer in proposed.answers if answer.question not in range(len(request.must_address))]:
        raise Violation(f"There is no question {strange[0]}.")


def _claims(proposed: Draft) -> Iterator[Sequence[DraftClaim]]:
    yield from (theme.claims for theme in proposed.themes)
    yield from (answer.claims for answer in proposed.answers)


def _words(proposed: Draft) -> Iterator[str]:
    return strings(cast("JsonValue", proposed.model_dump(mode="json")))


def _sent(outcome: Outcome) -> list[str]:
    return [text for request in outcome.asked for text in request_leaves(request.body)]


def _bodies(outcome: Outcome) -> list[bytes]:
    return [request.body for request in outcome.asked]


def _keys(outcome: Outcome) -> list[str]:
    return [request.body.decode("utf-8", "replace") for request in outcome.asked]


def _short(value: object) -> str:
    said = value if isinstance(value, str) else repr(value)
    return repr(said if len(said) < 100 else f"{said[:97]}...")
