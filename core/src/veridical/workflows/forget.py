"""Forget: documents go for good, and with them every report in the store that repeats their words.

    names, a source or an account --> documents --> which reports cite them? --> one deletion, with tombstones

What goes by its name goes as a record: another page of the same PDF, or the same line read for another source, is made of the same bytes.

A saved report or bundle lies outside the store: whoever has it has the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from veridical_contract import DeleteReceipt, DeleteRequest, Document, ScanRequest, StoredRun

from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import parse
from veridical.kernel.counts import account_of
from veridical.kernel.policy import Policy

__all__ = ["Doomed", "by_account", "cited_in", "doomed", "forget", "of_source", "past", "starting_with", "with_their_records"]

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
    names = what.documents if what.origin is None else of_source(gateway, what.origin)
    dependents = doomed(gateway, names).dependents  # whoever was asked may have taken an hour, in which a run ended
    documents = () if what.origin is not None else names
    return gateway.delete(DeleteRequest(documents=documents, origin=what.origin, reason=reason, dependents=dependents, returns=returns))


def of_source(gateway: Gateway, origin: str) -> tuple[str, ...]:
    """Return the documents that a source holds or held."""
    return tuple(name for state in ("current", "past") for name in _names(gateway, state, (origin,)))


def by_account(gateway: Gateway, account: str, policy: Policy) -> tuple[str, ...]:
    """Return the documents whose author is `SITE/ID`, as they are counted or as they were read; current or past."""
    return tuple(
        name
        for name, document in _documents(gateway)
        if document.author is not None and account in (f"{document.author.site}/{document.author.id}", account_of(document, policy)[1])
    )


def with_their_records(gateway: Gateway, names: Sequence[str]) -> tuple[str, ...]:
    """Return `names` and the documents, current or past, that are made of the bytes of the same records."""
    records = {document.raw.digest for document in gateway.fetch(names).documents.values() if document.raw is not None}
    if not records:
        return tuple(names)
    others = (name for name, document in _documents(gateway) if document.raw is not None and document.raw.digest in records)
    return tuple(dict.fromkeys((*names, *others)))


def starting_with(gateway: Gateway, identifier: str) -> tuple[str, ...]:
    """Return the documents, current or past, whole or damaged, whose identifiers start with `identifier`."""
    return tuple(name for name in _every(gateway) if name.startswith(identifier))


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


def _every(gateway: Gateway) -> list[str]:
    return [name for state in ("current", "past") for name in _names(gateway, state, ())]


def _documents(gateway: Gateway) -> Iterator[tuple[str, Document]]:
    every = _every(gateway)
    for start in range(0, len(every), _PAGE):
        yield from gateway.fetch(every[start : start + _PAGE]).documents.items()


def _names(gateway: Gateway, state: Literal["current", "past"], origins: Sequence[str]) -> Iterator[str]:
    after = None
    while page := gateway.scan(ScanRequest(after=after, origins=tuple(origins), state=state)):
        yield from page
        after = page[-1]
