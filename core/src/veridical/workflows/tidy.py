"""Tidy: what the retention rule no longer keeps goes, and the index is put in order.

A document goes when it is no longer current, no report in the store cites it, and it was read longer ago than the rule says. It may come
back when its source holds it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from veridical_contract import DeleteRequest

from veridical.gateway.verified import Gateway

from .forget import cited_in, past
from .ingest import compact
from .progress import Progress

__all__ = ["Tidied", "tidy"]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was done.

    Attributes:
        deleted: documents that the rule no longer keeps.
        kept: documents that are no longer current and stay.
    """

    deleted: int
    kept: int


def tidy(gateway: Gateway, *, past_days: int | None, now: datetime, progress: Progress) -> Tidied:
    """Delete what the rule no longer keeps, and put the index in order.

    Args:
        gateway: to the store.
        past_days: how long to keep documents that are no longer current and cited by no report; None: for ever.
        now: the time, aware.
        progress: who watches.
    """
    every = past(gateway)
    doomed = _doomed(gateway, every, now - timedelta(days=past_days)) if past_days is not None else ()
    for start in range(0, len(doomed), _PAGE):
        some = doomed[start : start + _PAGE]
        gateway.delete(DeleteRequest(documents=some, reason=f"kept for {past_days} days", returns=True))
    compact(gateway, progress)
    return Tidied(len(doomed), len(every) - len(doomed))


def _doomed(gateway: Gateway, every: tuple[str, ...], before: datetime) -> tuple[str, ...]:
    cited = cited_in(gateway)
    names = [name for name in every if name not in cited]
    limit = before.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return tuple(
        name
        for start in range(0, len(names), _PAGE)
        for name, document in gateway.fetch(names[start : start + _PAGE]).documents.items()
        if document.retrieved < limit
    )
