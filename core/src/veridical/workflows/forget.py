"""Forget: documents go for good, and with them every report in the store that repeats their words.

    names, a source or an account --> documents --> which reports cite them? --> one deletion, with tombstones

A saved report or bundle lies outside the store: whoever has it has the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from veridical_contract import DeleteReceipt, DeleteRequest, ScanRequest, StoredRun

from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import parse
from veridical.kernel.counts import account_of
from veridical.kernel.policy import Policy

__all__ = ["Doomed", "by_account", "cited_in", "doomed", "forget", "of_source", "past"]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Doomed:
    """What a deletion would take.

    Attributes:
        documents: identifiers.
        dependents: run to those of the documents that its report cites.
        origin: the source that goes as a whole.
    """

    documents: tuple[str, ...]
    dependents: dict[str, tuple[str, ...]]
    origin: str | None = None


def doomed(gateway: Gateway, documents: Iterable[str], origin: str | None = None) -> Doomed:
    """Return what deleting `documents` would take."""
    names = tuple(dict.fromkeys(documents))
    wanted = set(names)
    dependents = {entry.run: tuple(sorted(wanted & cited)) for entry, cited in _reports(gateway) if wanted & cited}
    return Doomed(names, dependents, origin)


def forget(gateway: Gateway, what: Doomed, *, reason: str, returns: bool = False) -> DeleteReceipt:
    """Delete `what`, leaving tombstones.

    Args:
        gateway: to the store.
        what: to delete.
        reason: why, for the tombstones and for reports that cite it.
        returns: whether the records may come back when their source is read again.
    """
    documents = () if what.origin is not None else what.documents
    return gateway.delete(
        DeleteRequest(documents=documents, origin=what.origin, reason=reason, dependents=what.dependents, returns=returns)
    )


def of_source(gateway: Gateway, origin: str) -> tuple[str, ...]:
    """Return the documents that a source holds or held."""
    return tuple(name for state in ("current", "past") for name in _names(gateway, state, (origin,)))


def by_account(gateway: Gateway, account: str, policy: Policy) -> tuple[str, ...]:
    """Return the documents whose author is `SITE/ID`, as they are counted or as they were read; current or past."""
    found: list[str] = []
    every = [name for state in ("current", "past") for name in _names(gateway, state, ())]
    for start in range(0, len(every), _PAGE):
        for name, document in gateway.fetch(every[start : start + _PAGE]).documents.items():
            author = document.author
            if author is not None and account in (f"{author.site}/{author.id}", account_of(document, policy)[1]):
                found.append(name)
    return tuple(found)


def past(gateway: Gateway) -> tuple[str, ...]:
    """Return the documents that were current and are not any more."""
    return tuple(_names(gateway, "past", ()))


def cited_in(gateway: Gateway) -> set[str]:
    """Return every document that a report in the store cites."""
    return {name for _, cited in _reports(gateway) for name in cited}


def _reports(gateway: Gateway) -> Iterator[tuple[StoredRun, set[str]]]:
    for entry in gateway.runs():
        if entry.kind == "report" and entry.body:
            report = cast("dict[str, list[dict[str, str]]]", parse(entry.body))
            yield entry, {row["document"] for row in report["citations"]}


def _names(gateway: Gateway, state: Literal["current", "past"], origins: Sequence[str]) -> Iterator[str]:
    after = None
    while page := gateway.scan(ScanRequest(after=after, origins=tuple(origins), state=state)):
        yield from page
        after = page[-1]
