"""The exit: the only way out. Whoever calls it, it reads everything again and serialises what it read.

    report --rebuild--> exact copy --fetch--> documents as the store holds them now --recheck--> bytes --parse--> Published

An object that was edited, forged, unpickled or built by hand is compared with the run and the store like any other, and does not pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical_contract import Document, NotPublishableError, Quote, Report

from .admission import AdmissionRefused, admit_stored
from .canonical import canonical_bytes, digest
from .derivation import DerivationRefused, atoms, confirm_projection
from .derivation import Run as TextRun
from .exact import NotExactError, rebuild
from .recheck import recheck
from .report import Evidence
from .run import Run

__all__ = ["Published", "Reread", "Store", "publish"]


@dataclass(frozen=True, slots=True)
class Reread:
    """What the host's reader makes of a record's bytes now: untrusted, confirmed here.

    Attributes:
        text: the visible text.
        runs: where each stretch of it stands in the text atom.
        line: the line in the file of a code point of the text, from 1; None when it is not known.
        headings: the half-open spans of the headings above a code point of the text, outermost first.
    """

    text: str
    runs: Sequence[TextRun]
    line: Callable[[int], int | None]
    headings: Callable[[int], tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Store:
    """The store as it is now, read through untrusted hands.

    Attributes:
        documents: (body, admission tag) for each identifier, in order.
        raws: the bytes for each digest, in order; None where they are not kept.
        reread: the host's reader.
        key: of this installation's admission tags.
    """

    documents: Callable[[Sequence[str]], Sequence[tuple[object, object]]]
    raws: Callable[[Sequence[str]], Sequence[object]]
    reread: Callable[[Document, bytes], Reread]
    key: bytes


@dataclass(frozen=True, slots=True)
class Published:
    """What left. Only `publish` makes one; a surface or a bundle serialises nothing else.

    Attributes:
        report: parsed from `report_bytes`.
        report_bytes: canonical JSON.
        chain_bytes: canonical JSON of the sealed chain.
        documents: canonical bytes of every cited or counted document, by identifier.
        raws: bytes of their records, by digest.
        maps: canonical JSON of the projection map of each document whose text is projected, by identifier.
    """

    report: Report
    report_bytes: bytes
    chain_bytes: bytes
    documents: Mapping[str, bytes]
    raws: Mapping[str, bytes]
    maps: Mapping[str, bytes]


def publish(report: Report, run: Run, store: Store) -> Published:
    """Return the bytes that stand for `report`, when it follows from the run and the store.

    Raises:
        NotPublishableError: naming the first thing that does not hold.
    """
    try:
        exact = rebuild(report, Report)
    except NotExactError as error:
        raise NotPublishableError(f"the report is not one: {error}.") from None
    names = [row.document for row in exact.citations]
    bodies, documents = _documents(names, store)
    raws, maps, rereads = _raws(documents, store)
    for quote in _quotes(exact):
        _place(quote, rereads)
    recheck(exact, Evidence(run, documents))
    if not run.released(exact):
        raise NotPublishableError("the report is not as it was released in this run: it was edited, or made by hand.")
    data = canonical_bytes(exact.model_dump(mode="json"))
    return Published(Report.model_validate_json(data), data, run.chain_bytes(), bodies, raws, maps)


def _documents(names: Sequence[str], store: Store) -> tuple[dict[str, bytes], dict[str, Document]]:
    bodies: dict[str, bytes] = {}
    documents: dict[str, Document] = {}
    for name, (body, tag) in zip(names, store.documents(names), strict=True):
        try:
            documents[name] = admit_stored(name, body, tag, store.key)
        except AdmissionRefused as error:
            raise NotPublishableError(f"the store no longer gives document {name} as it was admitted: {error.rule}.") from None
        bodies[name] = body if type(body) is bytes else b""
    return bodies, documents


def _raws(documents: Mapping[str, Document], store: Store) -> tuple[dict[str, bytes], dict[str, bytes], dict[str, Reread]]:
    wanted = {name: document for name, document in documents.items() if document.raw is not None}
    digests = list(dict.fromkeys(document.raw.digest for document in wanted.values() if document.raw is not None))
    raws: dict[str, bytes] = {}
    for name, body in zip(digests, store.raws(digests), strict=True):
        if type(body) is not bytes or digest(body) != name:
            raise NotPublishableError(f"the store no longer gives the bytes {name} as they were read.")
        raws[name] = body
    maps: dict[str, bytes] = {}
    rereads: dict[str, Reread] = {}
    for name, document in wanted.items():
        reread = _again(name, document, raws, store)
        rereads[name] = reread
        if document.derivation is not None and document.derivation.projection != "plain":
            maps[name] = canonical_bytes([list(run) for run in reread.runs])
    return raws, maps, rereads


def _again(name: str, document: Document, raws: Mapping[str, bytes], store: Store) -> Reread:
    if document.raw is None or document.derivation is None:
        raise NotPublishableError(f"document {name} names bytes and not how it follows from them.")
    raw = raws[document.raw.digest]
    reread = store.reread(document, raw)
    if reread.text != document.text:
        raise NotPublishableError(f"document {name} no longer follows from its bytes: differs-from-bytes.")
    try:
        if document.derivation.format != "pdf":
            atom = atoms(raw, document.derivation).get("text", "")
            confirm_projection(atom, document.text, reread.runs, document.derivation.projection)
    except DerivationRefused as error:
        raise NotPublishableError(f"document {name} no longer follows from its bytes: {error.rule}.") from None
    return reread


def _quotes(report: Report) -> Iterable[Quote]:
    for part in (*report.themes, *report.answers):
        for claim in part.claims:
            yield from claim.quotes


def _place(quote: Quote, rereads: Mapping[str, Reread]) -> None:
    name, start = quote.span.document, quote.span.start
    reread = rereads.get(name) if quote.span.field == "text" else None
    line, headings = (reread.line(start), reread.headings(start)) if reread is not None else (None, ())
    if quote.line != line:
        raise NotPublishableError(f"a quote of document {name} is said to stand in line {quote.line}; it stands in {line}.")
    if tuple((heading.start, heading.end) for heading in quote.headings) != tuple(headings):
        raise NotPublishableError(f"a quote of document {name} is said to stand under other headings than it does.")
