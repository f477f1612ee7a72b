"""A store under test: its hooks with their types, documents to put, and what is looked at again and again.

Store          an instance, called as the host does; what a hook returns is of exactly its type
document(), odd_documents(), container()      what is put
Sizes          how much of everything; smaller where the checks themselves are tried out
work()         what several writers put at the same time, and what each of them must find again
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from veridical.kernel.canonical import canonical_bytes

from veridical_contract import (
    Backup,
    Candidate,
    Compaction,
    ContainerState,
    DeleteReceipt,
    DeleteRequest,
    FingerprintCandidates,
    FingerprintQuery,
    Migration,
    PutBatch,
    PutDocument,
    PutRaw,
    PutReceipt,
    ScanRequest,
    StateDepth,
    StoredDocument,
    StoredRun,
    StoreError,
    StoreState,
    TextQuery,
    Tombstone,
)

from .registry import Violation
from .subject import Live, Outcome, Subject

__all__ = [
    "Sizes",
    "Store",
    "chain",
    "container",
    "digest",
    "document",
    "odd_documents",
    "opened",
    "outcome_of",
    "parts",
    "record",
    "work",
    "worked",
]

_T = TypeVar("_T")
_SECONDS = 120.0
_PATIENCE, _PAUSE = 40, 0.05


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything.

    Attributes:
        odd: documents with odd texts.
        rows: documents that are paged through.
        kills: how often a process is killed.
        loops: containers that each of several writers puts.
    """

    odd: int
    rows: int
    kills: int
    loops: int

    @classmethod
    def of(cls, subject: Subject) -> Sizes:
        """Return the sizes for `subject`."""
        many = subject.options.documents
        return cls(odd=many, rows=max(1_100, many // 5), kills=max(1, many // 2_000), loops=max(4, many // 500))


class Store:
    """An instance of a storage plugin.

    Args:
        live: the instance.

    Attributes:
        live: the instance.
    """

    def __init__(self, live: Live) -> None:
        self.live = live

    def ask(self, hook: str, **arguments: Any) -> Outcome:
        """Call a hook, and say what came of it."""
        return self.live.call(hook, "ordinary", seconds=_SECONDS, **arguments)

    def patiently(self, hook: str, **arguments: Any) -> object:
        """Call a hook again and again while it says that the store is in use.

        Raises:
            Violation: it says so for too long, or something else is wrong.
        """
        for _ in range(_PATIENCE):
            outcome = self.ask(hook, **arguments)
            if not isinstance(outcome.error, StoreError):
                return outcome.result()
            time.sleep(_PAUSE)
        return self.ask(hook, **arguments).result()

    def put(self, *batches: PutBatch) -> PutReceipt:
        """Call `put` for each batch, and return the last receipt."""
        found = [self._one("put", PutReceipt, batch=batch) for batch in batches]
        return found[-1]

    def get(self, ids: Iterable[str]) -> tuple[StoredDocument | None, ...]:
        """Call `get`."""
        return self._row("get", StoredDocument, optional=True, ids=tuple(ids))

    def raw(self, digests: Iterable[str]) -> tuple[bytes | None, ...]:
        """Call `raw`."""
        return self._row("raw", bytes, optional=True, digests=tuple(digests))

    def candidates(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
        """Call `candidates`."""
        return cast("tuple[Candidate, ...]", self._row("candidates", Candidate, query=TextQuery(text=text, limit=limit, origins=origins)))

    def found(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> set[str]:
        """Return the documents of the candidates."""
        return {one.document for one in self.candidates(text, limit=limit, origins=origins)}

    def fingerprints(
        self, text: str, *, limit: int = 100, after: str | None = None, origins: tuple[str, ...] = ()
    ) -> FingerprintCandidates:
        """Call `candidates_by_fingerprint`."""
        query = FingerprintQuery(text=text, limit=limit, after=after, origins=origins)
        return self._one("candidates_by_fingerprint", FingerprintCandidates, query=query)

    def fingerprint_pages(self, text: str, *, limit: int = 100, origins: tuple[str, ...] = ()) -> list[FingerprintCandidates]:
        """Return all pages."""
        pages = [self.fingerprints(text, limit=limit, origins=origins)]
        while pages[-1].more:
            if not pages[-1].documents:
                raise Violation("candidates_by_fingerprint returned an empty page and says that there is another one.")
            pages.append(self.fingerprints(text, limit=limit, after=pages[-1].documents[-1], origins=origins))
        return pages

    def compact(self) -> Compaction:
        """Call `compact`."""
        return self._one("compact", Compaction)

    def scan(
        self,
        *,
        after: str | None = None,
        limit: int = 1000,
        origins: tuple[str, ...] = (),
        state: Literal["current", "past"] = "current",
    ) -> tuple[str, ...]:
        """Call `scan`."""
        request = ScanRequest(after=after, limit=limit, origins=origins, state=state)
        return cast("tuple[str, ...]", self._row("scan", str, request=request))

    def scanned(self, *, limit: int = 1000, origins: tuple[str, ...] = (), state: Literal["current", "past"] = "current") -> list[str]:
        """Return all pages of a scan, read until one is empty."""
        found: list[str] = []
        while page := self.scan(after=found[-1] if found else None, limit=limit, origins=origins, state=state):
            if found and page[0] <= found[-1]:
                raise Violation("scan returned a page that does not come after the one before.")
            found += page
        return found

    def versions(self, *names: str) -> tuple[str, ...]:
        """Call `versions`."""
        return cast("tuple[str, ...]", self._row("versions", str, names=names))

    def containers(self, origin: str = "notes") -> tuple[ContainerState, ...]:
        """Call `containers`."""
        return cast("tuple[ContainerState, ...]", self._row("containers", ContainerState, origin=origin))

    def drop(self, container: str, origin: str = "notes") -> None:
        """Call `drop_container`."""
        self.ask("drop_container", origin=origin, container=container).result()

    def delete(
        self,
        *documents: str,
        origin: str | None = None,
        reason: str = "asked for",
        dependents: dict[str, tuple[str, ...]] | None = None,
        returns: bool = True,
    ) -> DeleteReceipt:
        """Call `delete`."""
        request = DeleteRequest(documents=documents, origin=origin, reason=reason, dependents=dependents or {}, returns=returns)
        return self._one("delete", DeleteReceipt, request=request)

    def tombstones(self, *names: str) -> tuple[Tombstone | None, ...]:
        """Call `tombstones`."""
        return self._row("tombstones", Tombstone, optional=True, names=names)

    def repair(self, documents: tuple[PutDocument, ...], raws: tuple[PutRaw, ...]) -> None:
        """Call `repair`."""
        self.ask("repair", documents=documents, raws=raws).result()

    def backup(self, path: Path) -> Backup:
        """Call `backup`."""
        return self._one("backup", Backup, path=str(path))

    def restore(self, path: Path) -> Migration:
        """Call `restore`."""
        return self._one("restore", Migration, path=str(path))

    def put_runs(self, *entries: StoredRun) -> None:
        """Call `put_run` for each."""
        for entry in entries:
            self.ask("put_run", entry=entry).result()

    def runs(self, run: str | None, limit: int = 10) -> tuple[StoredRun, ...]:
        """Call `runs`."""
        return cast("tuple[StoredRun, ...]", self._row("runs", StoredRun, run=run, limit=limit))

    def state(self, depth: StateDepth = "counts") -> StoreState:
        """Call `state`, in the way in which a plugin asks to be called."""
        return self._one("state", StoreState, depth=depth, check=depth == "whole")

    def migrate(self) -> Migration:
        """Call `migrate`."""
        return self._one("migrate", Migration)

    def whole(self, when: str) -> None:
        """Have the store look at all that it holds.

        Raises:
            Violation: it finds a problem.
        """
        if problems := self.state("whole").problems:
            raise Violation(f"{when}, state names {len(problems)} problems: {problems[0].what} {problems[0].name}: {problems[0].detail}.")

    def holds(self, documents: Sequence[PutDocument]) -> bool:
        """Whether every one of `documents` comes back as it was put."""
        return self.get(each.id for each in documents) == tuple(StoredDocument(body=each.body, tag=each.tag) for each in documents)

    def _one(self, hook: str, expected: type[_T], **arguments: Any) -> _T:
        found = self.ask(hook, **arguments).result()
        if type(found) is not expected:
            raise Violation(f"{hook} returned {type(found).__name__}, expected {expected.__name__}.")
        return found

    def _row(self, hook: str, expected: type[_T], *, optional: bool = False, **arguments: Any) -> tuple[_T | None, ...]:
        found = self.ask(hook, **arguments).result()
        if type(found) is not tuple:
            raise Violation(f"{hook} returned {type(found).__name__}, expected a tuple.")
        for one in cast("tuple[object, ...]", found):
            if type(one) is not expected and not (optional and one is None):
                raise Violation(f"{hook} returned {type(one).__name__} in its tuple, expected {expected.__name__}.")
        return cast("tuple[_T | None, ...]", found)


@contextmanager
def opened(subject: Subject, home: Path | None = None) -> Generator[Store]:
    """Make an instance over `home`, a new folder when there is none, and let go of it at the end of the block."""
    try:
        with subject.live(home=home) as live:
            yield Store(live)
    finally:
        if home is not None:
            gc.collect()  # there is no hook that closes a store: its files are closed when nobody holds it any more


def outcome_of(error: BaseException | None) -> str:
    """Say what came of a call that was to be refused."""
    return "it returned" if error is None else f"it raised {type(error).__name__}"


def parts(things: Sequence[_T], many: int) -> Iterator[Sequence[_T]]:
    """Yield `things`, `many` at a time."""
    return (things[start : start + many] for start in range(0, len(things), many))


# What is put


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data`."""
    return sha256(data).hexdigest()


def record(body: bytes) -> PutRaw:
    """Return bytes of a record."""
    return PutRaw(digest=digest(body), body=body)


def document(
    text: str,
    *,
    title: str | None = None,
    raw: PutRaw | None = None,
    key: str | None = None,
    tag: bytes = b"\x00tag\xff",
    passages: tuple[tuple[int, int], ...] | None = None,
    author: str | None = None,
    ascii_only: bool = True,
) -> PutDocument:
    """Return a document as the host puts one; its one passage is its whole text unless said otherwise."""
    fields: dict[str, Any] = {
        "text": text,
        "title": title,
        "author": None if author is None else {"id": author, "name": None, "site": "kit.example"},
        "published": None,
        "retrieved": "2026-03-01T12:00:00Z",
        "origin": "notes",
        "plugin": "kit",
        "extractor": "plugin",
        "url": None,
        "raw": None,
        "derivation": None,
        "grades": {"author": None, "published": None, "text": "attested", "title": None, "url": None},
        "locator": {"container": "a.txt", "line": None, "message": None, "page": None, "row": None},
    }
    body = canonical_bytes(fields) if ascii_only else json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return PutDocument(
        id=digest(body),
        body=body,
        tag=tag,
        text=text,
        title=title,
        passages=(((0, len(text)),) if text else ()) if passages is None else passages,
        raw=None if raw is None else raw.digest,
        key=None if key is None else digest(key.encode()),
    )


def container(
    *documents: PutDocument,
    name: str = "a.txt",
    origin: str = "notes",
    fingerprint: str = "f1",
    raws: tuple[PutRaw, ...] = (),
    first: bool = True,
    last: bool = True,
) -> PutBatch:
    """Return a whole container in one batch, unless said otherwise."""
    return PutBatch(origin=origin, container=name, fingerprint=fingerprint, documents=documents, raws=raws, first=first, last=last)


def chain(run: str, length: int = 3) -> list[StoredRun]:
    """Return the steps of a run, each of which names the one before."""
    kinds: tuple[Literal["begin", "seal", "report"], ...] = ("begin", "seal", "report")
    steps: list[StoredRun] = []
    previous = "0" * 64
    for step in range(length):
        body = canonical_bytes({"run": run, "step": step})
        steps.append(StoredRun(run=run, step=step, kind=kinds[min(step, 2)], body=body, previous=previous))
        previous = digest(body)
    return steps


_ODD = (
    *("", " ", "\n", "\t", "\r\n", "\x00", "a\x00b", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff"),
    *("\U0010ffff", "\ue000", "\U000f0000", "\u0600", "\u3000", "\u00a0", "...", "…", "-\n", "-1e309", "0x00", "NULL", "../../etc/passwd"),
    *(
        "é",
        "e\u0301",
        "\u00c5",
        "\u212b",
        "A\u030a",
        "\ufb01",
        "\ufb00",
        "\uff46\uff55\uff4c\uff4c",
        "½",
        "ß",
        "ẞ",
        "İ",
        "\u0131",
        "ǆ",
        "Σας",
    ),
    *(
        "a\u0323\u0307",
        "a\u0307\u0323",
        "Z\u0351\u036b\u0343\u032a\u0302\u0353A",
        "שָׁלוֹם",
        "\u202eabc\u202c",
        "\u2066x\u2069",
        "مرحبا",
        "اَلْعَرَبِيَّةُ",
    ),
    *(
        "\u0640\u0640",
        "a\u200bb",
        "a\u00adb",
        "a\u200db",
        "👩\u200d👩\u200d👧\u200d👦",
        "🏳\ufe0f\u200d🌈",
        "🇩🇪",
        "👍🏽",
        "\U0001d518\U0001d52b\U0001d526",
    ),
    *(
        "\U00020000\U0002a736",
        "銅の屋根",
        "\uff76\uff9e",
        "한글",
        "\u1112\u1161\u11ab\u1100\u1173\u11af",
        "ภาษาไทย",
        "हिन्दी",
        "क्ष",
        "မြန်မာ",
        "བོད་ཡིག",
    ),
    *("'; DROP TABLE documents; --", '"quoted" \\ back\\slash', "%s %d {0} ${x}", "<b>&amp;</b>", "* NEAR( OR )", "col:umn^2"),
)


def odd_documents(many: int) -> Iterator[tuple[PutDocument, PutRaw | None]]:
    """Yield documents with odd texts, titles, tags and records, the same ones in every run."""
    chance = random.Random(20260301)  # noqa: S311 - no secret
    for number in range(many):
        text = "".join(chance.choices(_ODD, k=chance.randrange(9)))
        if number in (900, 901):
            text = ("a" if number == 900 else "x\u0301\U0001d518 ") * (1 << 18 + 2 * (number == 900))
        raw = record(_ENDS[number % len(_ENDS)] + chance.randbytes(chance.randrange(40)) + _ENDS[number % 7]) if number % 3 == 0 else None
        yield (
            document(
                text,
                title=chance.choice((None, *_ODD)),
                raw=raw,
                tag=chance.randbytes(number % 48),
                author=str(number),  # so that equal texts have several names
                ascii_only=number % 2 == 0,
            ),
            raw,
        )


_ENDS = (b"", b"\n", b"\x00", b" ", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf")


# What several writers do


def work(writer: str, number: int) -> tuple[PutBatch, PutBatch, StoredRun]:
    """Return what `writer` puts as its container `number`, in two batches, and the step of a run after it."""
    name = f"{writer}-{number}"
    raw = record(f"the record of {name}\n".encode() * 8)
    documents = [document(f"{name} part {part} of the words that all writers share", raw=raw) for part in range(12)]
    begun = container(*documents[:8], name=name, fingerprint=name, raws=(raw,), last=False)
    ended = container(*documents[8:], name=name, fingerprint=name, first=False)
    return begun, ended, chain(name, 1)[0]


def worked(store: Store, writer: str, number: int, *, acknowledged: int) -> None:
    """Look for what `writer` put as its container `number`.

    Args:
        store: where.
        writer: whose.
        number: of the container.
        acknowledged: how many of its three parts came back to the writer; of the others each is there whole, or not at all.

    Raises:
        Violation: something is lost, or half there.
    """
    begun, ended, step = work(writer, number)
    name = begun.container
    for place, batch in enumerate((begun, ended)):
        there = [one is not None for one in store.get(each.id for each in batch.documents)]
        if place < acknowledged and not store.holds(batch.documents):
            raise Violation(f"A batch that was acknowledged is not there: {name}, batch {place}.")
        if any(there) and not all(there):
            raise Violation(f"A batch is half there: {name}, {sum(there)} of {len(there)} documents of batch {place}.")
    if acknowledged > 1 and store.raw([begun.raws[0].digest]) != (begun.raws[0].body,):
        raise Violation(f"The bytes of a record that was acknowledged are not there: {name}.")
    listed = [each for each in store.containers() if each.container == name]
    if listed and listed[0].documents != 12:
        raise Violation(f"A container is half current: {name}, {listed[0].documents} of 12 documents.")
    if acknowledged > 1 and not listed:
        raise Violation(f"A container whose last batch was acknowledged is not known: {name}.")
    if acknowledged > 2 and store.runs(name) != (step,):
        raise Violation(f"A step of a run that was acknowledged is not there: {name}.")
