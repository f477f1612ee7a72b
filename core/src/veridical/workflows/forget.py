"""Forget: documents go for good, and with them every report in the store that repeats their words.

    names, a source or an account --> documents --> which reports cite them? --> a deletion, with tombstones

the same line read for another source. The others of a recorded reply, whose bytes hold the words, go with it; they may come back.
the same line read for another source. The others of a recorded reply go with it, whose bytes hold the words; they may come back.

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

__all__ = ["Doomed", "by_account", "cited_in", "doomed", "forget", "of_source", "past", "records", "starting_with"]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Doomed:
    """What a deletion would take.

    Attributes:
        documents: identifiers.
        dependents: run to those of the documents that its report cites.
        origin: the source that goes as a whole.
        beside: those of the documents that go for the sake of the recorded replies they stand in, and may come back in another reply.
    """

    documents: tuple[str, ...]
    dependents: dict[str, tuple[str, ...]]
    origin: str | None = None
    beside: tuple[str, ...] = ()


def doomed(gateway: Gateway, documents: Iterable[str], origin: str | None = None, beside: Iterable[str] = ()) -> Doomed:
    """Return what deleting `documents` would take, and with them those of `beside`."""
    others = tuple(dict.fromkeys(beside))
    names = tuple(dict.fromkeys((*documents, *others)))
    wanted = set(names)
    dependents = {entry.run: tuple(sorted(wanted & cited)) for entry, cited in _reports(gateway) if wanted & cited}
    return Doomed(names, dependents, origin, others)


def records(gateway: Gateway, names: Sequence[str]) -> Doomed:
    """Return what deleting the records of `names` would take.

    That is every version of each, what says the same under the same URL wherever it was read, and what is made of the same bytes.
    """
    own = dict.fromkeys((*names, *gateway.versions(names)))
    if said := {_said(document) for document in gateway.fetch(tuple(own)).documents.values() if document.url is not None}:
        own |= dict.fromkeys(name for name, document in _documents(gateway) if document.url is not None and _said(document) in said)
    found = gateway.fetch(tuple(own)).documents.values()
    beside: list[str] = []
    if bytes_of := {document.raw.digest for document in found if document.raw is not None}:
        for name, document in _documents(gateway):
            if name not in own and document.raw is not None and document.raw.digest in bytes_of:
                (beside.append if document.grades.text == "wire" else own.setdefault)(name)
    return doomed(gateway, own, beside=beside)


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
    # Those beside first: who is interrupted after them finds the record still there, and types the command again.
    beside = DeleteRequest(documents=what.beside, reason=reason, dependents=dependents) if what.beside else None
    first = gateway.delete(beside) if beside is not None else DeleteReceipt(deleted=0)
    documents = () if what.origin is not None else tuple(name for name in names if name not in what.beside)
    rest = gateway.delete(DeleteRequest(documents=documents, origin=what.origin, reason=reason, dependents=dependents, returns=returns))
    return DeleteReceipt(deleted=first.deleted + rest.deleted, withdrawn=first.withdrawn + rest.withdrawn)


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


def _said(document: Document) -> tuple[str | None, str]:
    return document.url, document.text
