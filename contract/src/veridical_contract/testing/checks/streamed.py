"""What a chat plugin does that answers bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from veridical.gateway.failures import classified, translate
from veridical.wire.recording import Network, Reply, Request

from veridical_contract import CancelledError, ChatDelta, ProviderError
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.subject import Live, Outcome, Subject

from .conversations import REQUESTS, ordinary_scenario, replies, reply_of

_CHAT = ("chat",)


@check(
    "stream-shape",
    "A stream is of ChatDelta; the last one alone has the reply.",
    "yield ChatDelta(text=...) for each piece, and ChatDelta(reply=...) once, at the end.",
    kinds=_CHAT,
    needs=("answers",),
)
def stream_shape(subject: Subject) -> None:
    with subject.live() as live:
        pieces = _pieces(_streamed(live))
    if wrong := [type(piece).__name__ for piece in pieces if type(piece) is not ChatDelta]:
        raise Violation(f"Its stream has {wrong[0]} in it, expected ChatDelta.")
    replied = [number for number, piece in enumerate(pieces) if piece.reply is not None]
    if replied != [len(pieces) - 1] or pieces[-1].text:
        raise Violation(f"{len(replied)} of its {len(pieces)} pieces have a reply; expected the last one, which has no text.")


@check(
    "stream-joined",
    "The pieces of a stream are the text of its reply, one after the other.",
    "yield each piece of text once, as it comes, and nothing else.",
    kinds=_CHAT,
    needs=("stream-shape",),
)
def stream_joined(subject: Subject) -> None:
    with subject.live() as live:
        outcome = _streamed(live)
    said, text = "".join(piece.text for piece in _pieces(outcome)), reply_of(outcome).text or ""
    if said != text:
        raise Violation(f"Its pieces are {said[:100]!r}, and its reply is {text[:100]!r}.")


@check(
    "stream-pieces",
    "It makes no difference in which pieces the bytes of a stream come, also where one ends within a character.",
    "Join bytes to whole lines before you decode them, or use the iterators of the client.",
    kinds=_CHAT,
    needs=("stream-joined",),
)
def stream_pieces(subject: Subject) -> None:
    with subject.live() as live:
        whole = reply_of(_streamed(live, _reshaped(subject, live, lambda body: Reply(pieces=(body,)))))
        outcome = _streamed(live, _reshaped(subject, live, lambda body: Reply(pieces=tuple(bytes((each,)) for each in body))))
        if reply_of(outcome) != whole or "".join(piece.text for piece in _pieces(outcome)) != (whole.text or ""):
            raise Violation("A stream that came byte by byte gave another reply than the same one that came at once.")


@check(
    "stream-broken",
    "A stream that ends before its end is an error, and no short answer.",
    "Raise ProviderError when the event, or the member, that ends a reply did not come.",
    kinds=_CHAT,
    needs=("stream-shape",),
)
def stream_broken(subject: Subject) -> None:
    with subject.live() as live:
        for cut in (False, True):
            outcome = _streamed(live, _reshaped(subject, live, lambda body, cut=cut: Reply(pieces=(_half(body),), cut=cut)))
            said = f"A stream that {'was cut' if cut else 'ended'} in its middle"
            if outcome.error is None:
                raise Violation(f"{said} gave a reply.")
            listing = live.subject.listing
            if listing is not None:
                raised = translate(outcome.error, listing, "stream", redact=live.redact, logger=live.context.logger)
                told = classified(raised, outcome.records)
                if not isinstance(told, ProviderError):
                    raise Violation(f"{said} raised {type(outcome.error).__name__}, which is no failure of a service.")


@check(
    "stream-cancelled",
    "A stream ends when its caller no longer wants it.",
    "Look at context.cancelled() between two pieces, and raise CancelledError.",
    kinds=_CHAT,
    needs=("stream-shape",),
)
def stream_cancelled(subject: Subject) -> None:
    with subject.live() as live:
        outcome = _streamed(live, each=lambda _: setattr(live, "cancelled", True))
        if not outcome.asked:
            raise NotApplicable("It asks no service.")
        _check_left(outcome)


@check(
    "turns-cancelled",
    "A reply that takes several requests is given up when its caller no longer wants it.",
    "Look at context.cancelled() before each request, and raise CancelledError.",
    kinds=_CHAT,
    needs=("answers",),
)
def turns_cancelled(subject: Subject) -> None:
    for found in replies(subject, "continued"):
        if len(found.outcome.asked) < 2:
            raise NotApplicable("It answers with one request.")
        if subject.options.record:
            continue
        live = found.live
        scenario = "continued" if found.hook == "chat" else "continued-streamed"
        try:
            outcome = live.call(found.hook, _telling(subject.network(live, scenario), live), request=found.request)
        finally:
            live.cancelled = False
        _check_left(outcome)
        if len(outcome.asked) > 1:
            raise Violation(f"It was told during the first request that nobody waits, and sent {len(outcome.asked) - 1} more.")


def _check_left(outcome: Outcome) -> None:
    if not isinstance(outcome.error, CancelledError):
        did = f"raised {type(outcome.error).__name__}" if outcome.error is not None else "went on to its end"
        raise Violation(f"It was told that nobody waits for it, and {did}; expected CancelledError.")


def _streamed(live: Live, network: Network | None = None, *, each: Callable[[object], None] | None = None) -> Outcome:
    if not live.has("stream"):
        raise NotApplicable("It does not implement stream.")
    scenario = ordinary_scenario(live.subject)
    return live.call("stream", network or f"{scenario}-streamed", each=each, request=REQUESTS[scenario])


def _pieces(outcome: Outcome) -> list[ChatDelta]:
    found = cast("object", outcome.result())
    if not isinstance(found, list) or not found:
        raise Violation(f"stream returned {type(outcome.value).__name__}, expected an iterator of ChatDelta with one in it at least.")
    return cast("list[ChatDelta]", found)


def _reshaped(subject: Subject, live: Live, shape: Callable[[bytes], Reply]) -> Network:
    """Return who answers as the recording does, its bodies in another shape."""
    if subject.options.record:
        raise NotApplicable("A recording is of a service that works.")
    kept = subject.network(live, f"{ordinary_scenario(subject)}-streamed")

    def network(request: Request) -> Reply:
        reply = kept(request)
        other = shape(b"".join(reply.pieces))
        return Reply(reply.status, reply.headers, other.pieces, other.cut)

    return network


def _half(body: bytes) -> bytes:
    """Return the events of the first half."""
    return body[: body.rfind(b"\n", 0, len(body) // 2) + 1] if b"\n" in body[: len(body) // 2] else body[: len(body) // 2]


def _telling(network: Network, live: Live) -> Network:
    def told(request: Request) -> Reply:
        live.cancelled = True
        return network(request)

    return told
