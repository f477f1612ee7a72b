"""Repair: what the store lost or altered is made again and put back, each piece proved by its own name.

    problems --> source file, read again -----> the same words at the same place --.
             `-> record's bytes in the store --> admitted again, as a neighbour was --> named as before? --> put back

A document is named by the SHA-256 of all its fields, so one that is made again either is that document to the last byte, or is not used.
What a store still holds of the record is enough only where the admission tag beside the document is whole: it says that this installation
admitted a document of that name. The time of reading is a field too; documents that were put around the same time say what it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import product

from veridical_contract import Derivation, Document, Item, Locator, Projection, PutDocument, PutRaw, Raw, StoreProblem

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.locate.passages import passages

__all__ = ["Lost", "Repaired", "repair"]

_MOST_SECONDS = 900
_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252")
_PROJECTIONS: tuple[Projection, ...] = ("plain", "markdown", "html")
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_Places = tuple[tuple[str, str], ...]
Reread = Callable[[str, Sequence[str]], Iterable[ReadBatch]]
"""Reads containers of a source again; yields nothing for what is not there any more."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Something that could not be made again.

    Attributes:
        what: `document` or `raw`.
        name: identifier or digest.
        containers: (source, container) pairs that held it.
    """

    what: str
    name: str
    containers: _Places


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did.

    Attributes:
        documents: identifiers of those that were put back.
        raws: digests of the records' bytes that were put back.
        lost: what could not be made again.
        problems: what is still wrong with the store.
    """

    documents: tuple[str, ...]
    raws: tuple[str, ...]
    lost: tuple[Lost, ...]
    problems: tuple[StoreProblem, ...]


def repair(gateway: Gateway, reread: Reread) -> Repaired:
    """Repair what can be repaired, and say what cannot.

    Raises:
        StoreError: the store cannot be read or written at all.
    """
    problems = gateway.state(check=True).problems
    if not problems:
        return Repaired((), (), (), ())
    work = _Repair(gateway, problems)
    work.from_files(reread)
    work.from_records()
    gateway.repair(tuple(work.documents.values()), tuple(work.raws.values()))
    return Repaired(tuple(work.documents), tuple(work.raws), work.lost(), gateway.state(check=True).problems)


@dataclass(slots=True)
class _Wanted:
    raw: str | None
    near: tuple[str, ...]
    containers: _Places
    known: dict[str, Document] = field(default_factory=dict[str, Document])


class _Repair:
    def __init__(self, gateway: Gateway, problems: Sequence[StoreProblem]) -> None:
        self._gateway = gateway
        self._wanted: dict[str, _Wanted] = {}
        self._records: dict[str, _Places] = {}
        self.documents: dict[str, PutDocument] = {}
        self.raws: dict[str, PutRaw] = {}
        for problem in problems:
            if problem.what == "document":
                self._wanted[problem.name] = _Wanted(problem.raw, problem.near, problem.containers)
            elif problem.what == "raw":
                self._want_records(problem)
            elif problem.what == "index" and len(problem.name) == len(digest(b"")):
                self._index_again(problem.name)

    def lost(self) -> tuple[Lost, ...]:
        """What was wanted and not found."""
        documents = [Lost("document", name, wanted.containers) for name, wanted in self._wanted.items() if name not in self.documents]
        records = [Lost("raw", name, places) for name, places in self._records.items() if name not in self.raws]
        return (*documents, *records)

    def from_files(self, reread: Reread) -> None:
        """Look for what is wanted in the files that it was read from."""
        containers: dict[str, set[str]] = {}
        for places in (*(wanted.containers for wanted in self._wanted.values()), *self._records.values()):
            for origin, container in places:
                containers.setdefault(origin, set()).add(container)
        for origin, names in containers.items():
            for batch in reread(origin, sorted(names)):
                for found in batch.documents:
                    self._compare(found.document, batch)

    def from_records(self) -> None:
        """Make documents again from their records' bytes, as their neighbours were made; one that is found is a neighbour too."""
        before = -1
        while before != len(self.documents):
            before = len(self.documents)
            for name in self._tagged():
                found = next(self._made_again(name, self._wanted[name]), None)
                if found is not None:
                    self._put(name, found)

    def _want_records(self, problem: StoreProblem) -> None:
        for document in self._gateway.fetch(problem.near).documents.values():
            if document.raw is not None:
                self._records[document.raw.digest] = ((document.origin, document.locator.container),)

    def _index_again(self, name: str) -> None:
        document = self._gateway.fetch([name]).documents.get(name)
        if document is not None:
            self._put(name, document)

    def _compare(self, found: Document, batch: ReadBatch) -> None:
        record = found.raw.digest if found.raw is not None else None
        if record in self._records and record in batch.raws:
            self.raws[record] = PutRaw(digest=record, body=batch.raws[record])
        for name, wanted in self._wanted.items():
            if name in self.documents or (found.origin, found.locator.container) not in wanted.containers:
                continue
            if wanted.raw is not None and wanted.raw != record:
                continue
            for moment in _moments(self._neighbours(wanted)):
                again = found.model_copy(update={"retrieved": moment})
                if digest(canonical_bytes(again.model_dump(mode="json"))) == name:
                    self._put(name, again)
                    if record is not None and record in batch.raws:
                        self.raws[record] = PutRaw(digest=record, body=batch.raws[record])
                    break

    def _tagged(self) -> list[str]:
        wanted = [name for name in self._wanted if name not in self.documents]
        return self._gateway.tagged(wanted)

    def _made_again(self, name: str, wanted: _Wanted) -> Iterator[Document]:
        raw = self._bytes(wanted.raw)
        if raw is None:
            return
        near = self._neighbours(wanted)
        moments = [datetime.strptime(moment, _TIME).replace(tzinfo=UTC) for moment in _moments(near)]
        for like in near:
            for item in _guesses(like, raw, wanted.containers):
                for moment in moments:
                    again = self._gateway.readmitted(name, item, raw, like=like, retrieved=moment)
                    if again is not None:
                        yield again.document

    def _bytes(self, name: str | None) -> bytes | None:
        if name is None:
            return None
        return self.raws[name].body if name in self.raws else self._gateway.record(name)

    def _neighbours(self, wanted: _Wanted) -> list[Document]:
        missing = [name for name in wanted.near if name not in wanted.known and name not in self._wanted]
        wanted.known |= self._gateway.fetch(missing).documents
        for name in wanted.near:
            if name in self.documents:
                wanted.known[name] = Document.model_validate_json(self.documents[name].body)
        return [wanted.known[name] for name in wanted.near if name in wanted.known]

    def _put(self, name: str, document: Document) -> None:
        self.documents[name] = PutDocument(
            id=name,
            body=canonical_bytes(document.model_dump(mode="json")),
            tag=self._gateway.tag(name),
            text=document.text,
            title=document.title,
            passages=passages(document.text),
            raw=document.raw.digest if document.raw is not None else None,
        )


def _moments(near: Sequence[Document]) -> list[str]:
    """Return the times at which a document between these can have been read: theirs first, then every second between."""
    said = sorted({document.retrieved for document in near})
    if len(said) < 2:
        return said
    first, last = (datetime.strptime(moment, _TIME).replace(tzinfo=UTC) for moment in (said[0], said[-1]))
    seconds = min(int((last - first).total_seconds()), _MOST_SECONDS)
    between = [(first + timedelta(seconds=number)).strftime(_TIME) for number in range(1, seconds)]
    return [*said, *(moment for moment in between if moment not in said)]


def _guesses(like: Document, raw: bytes, containers: _Places) -> Iterator[Item]:
    """Yield what the plugin can have handed in: a whole text, the record after a neighbour, the one before, another page."""
    if like.raw is None or like.derivation is None:
        return
    for _, container in containers:
        whole = Raw(digest=digest(raw), size=len(raw), container=digest(raw), offset=0)
        for encoding, projection in product(dict.fromkeys((like.derivation.encoding, *_ENCODINGS)), _PROJECTIONS):
            layout = Derivation(format="text", encoding=encoding, projection=projection, pointers={"text": ""})
            yield Item(locator=Locator(container=container), raw=whole, derivation=layout)
    for place, offset, container in _places(like, like.raw, raw, containers):
        pointers = like.derivation.pointers if place.page is None else {"text": str(place.page)}
        yield Item(
            locator=place,
            raw=Raw(digest=digest(raw), size=len(raw), container=container, offset=offset),
            derivation=like.derivation.model_copy(update={"pointers": pointers}),
        )


def _places(like: Document, its: Raw, raw: bytes, containers: _Places) -> Iterator[tuple[Locator, int, str]]:
    where = like.locator
    if (like.origin, where.container) not in containers:
        for _, container in containers:
            yield where.model_copy(update={"container": container}), its.offset, digest(raw)
        return
    if where.page is not None:
        for page in range(1, where.page + 20):
            yield where.model_copy(update={"page": page}), its.offset, its.container
        return
    for gap in (1, 2, 3):
        for line in (1, 2, 3):
            yield _moved(where, line, 1), its.offset + its.size + gap, its.container
            yield _moved(where, -line - raw.count(b"\n"), -1), its.offset - len(raw) - gap, its.container


def _moved(where: Locator, lines: int, rows: int) -> Locator:
    line = max(where.line + lines, 1) if where.line is not None else None
    row = max(where.row + rows, 1) if where.row is not None else None
    return where.model_copy(update={"line": line, "row": row})
