"""A service that fails: a plugin says so, and of which kind the failure was can be told. Nothing found is another thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from veridical.gateway.failures import classified, translate
from veridical.wire.recording import Network

from veridical_contract import ProviderError, SourceBatch
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.subject import Live, Outcome, Subject
from veridical_contract.testing.wires import FAILURES, STATUSES, Failure, failing

from .calls import HOOKS, asking, ordinary

_HINTS = {
    "auth": "Let the client raise (raise_for_status), or raise ProviderError(failure='auth').",
    "forbidden": "Let the client raise (raise_for_status), or raise ProviderError(failure='auth').",
    "rate-limit": "Raise ProviderError(failure='rate-limit', retry_after=...), or let the client raise; do not ask again yourself.",
    "server": "Let the client raise (raise_for_status), or raise ProviderError(failure='server').",
    "timeout": "Let the client's error pass, or raise ProviderError(failure='timeout').",
    "connection": "Let the client's error pass, or raise ProviderError(failure='connection').",
    "malformed": "Parse strictly, and let the error pass: what cannot be read is no empty result.",
    "truncated": "Let the client's error pass: half of a reply is no reply.",
}


def _about(name: str, failure: Failure) -> Callable[[Subject], None]:
    def fails(subject: Subject) -> None:
        if subject.options.record:
            raise NotApplicable("A recording is of a service that works.")
        with subject.live() as live:
            for outcome in _answered(live, failure.network):
                _judge(live, outcome, failure)

    fails.__name__ = f"fails_{name.replace('-', '_')}"
    return fails


def _judge(live: Live, outcome: Outcome, failure: Failure) -> None:
    _expect_raised(live, outcome, failure.said)
    listing = live.subject.listing
    if outcome.error is None or listing is None:
        return
    hook = HOOKS[live.subject.kind]
    told = classified(translate(outcome.error, listing, hook, redact=live.redact, logger=live.context.logger), outcome.records)
    if not isinstance(told, ProviderError):
        raise Violation(f"The service answered with {failure.said}, and it raised {type(outcome.error).__name__}: {told.message}")
    if told.failure not in failure.kinds:
        raise Violation(f"The service answered with {failure.said}, which it said to be of the kind {told.failure}.")
    if failure.retry_after is not None and told.retry_after != failure.retry_after:
        raise Violation(f"The service asked to wait {failure.retry_after:g} s, and it said {told.retry_after}.")


def _expect_raised(live: Live, outcome: Outcome, answer: str) -> None:
    if outcome.error is None and not (live.subject.kind == "source" and _said_so(outcome.value)):
        raise Violation(f"The service answered with {answer}, and it returned {_short(outcome.value)} as if nothing had happened.")


def _said_so(value: Any) -> bool:
    batches = cast("list[object]", value) if isinstance(value, list) else []
    return any(isinstance(batch, SourceBatch) and batch.problem for batch in batches)


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) < 80 else f"{said[:77]}..."


for _name, _failure in FAILURES.items():
    check(
        f"fails-{_name}",
        f"When the service answers with {_failure.said}, it raises, and the failure is {' or '.join(_failure.kinds)}.",
        _HINTS[_name],
        kinds=("chat", "search", "embedding", "source"),
        needs=("answers",),
    )(_about(_name, _failure))


@check(
    "fails-any-status",
    f"When the service answers with any other status that is no success, it raises: {', '.join(map(str, STATUSES))}.",
    "Let the client raise (raise_for_status) before you read the reply; a list of the statuses that are failures leaves some out.",
    kinds=("chat", "search", "embedding", "source"),
    needs=tuple(f"fails-{name}" for name in ("auth", "forbidden", "rate-limit", "server")),
)
def fails_any_status(subject: Subject) -> None:
    if subject.options.record:
        raise NotApplicable("A recording is of a service that works.")
    with subject.live() as live:
        for status in STATUSES:
            for outcome in _answered(live, failing(status)):
                _expect_raised(live, outcome, str(status))


def _answered(live: Live, network: Network) -> Iterator[Outcome]:
    """Yield what comes of the ordinary call, whole and, where it can, streamed.

    Raises:
        NotApplicable: it asks no service.
    """
    outcome = ordinary(live, network)
    if not outcome.asked:
        raise NotApplicable("It asks no service.")
    yield outcome
    if live.has("stream"):
        _, arguments = asking(live.subject)
        yield live.call("stream", network, **arguments)
