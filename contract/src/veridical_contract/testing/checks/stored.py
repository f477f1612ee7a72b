"""What a store gives back: what was put, under its name, byte for byte; and what of it is current."""

from __future__ import annotations

import random
from collections.abc import Sequence

from veridical_contract import PutDocument, StoredDocument
from veridical_contract.testing.material import container, digest, document, odd_documents, parts, record
from veridical_contract.testing.registry import Violation, check
from veridical_contract.testing.stores import Sizes, Store, opened
from veridical_contract.testing.subject import Subject

_STORAGE = ("storage",)
_NOBODY = digest(b"nobody put this")


@check(
    "store-opens",
    "migrate opens a store that is not there yet, and does nothing the second time.",
    "Migration(before=0, after=VERSION) for a new store, then before and after are the same.",
    kinds=_STORAGE,
)
def store_opens(subject: Subject) -> None:
    with opened(subject) as store:
        made, again = store.migrate(), store.migrate()
        if made.before != 0 or made.after < 1:
            raise Violation(f"Of a new store migrate says {made.before} before and {made.after} after, expected 0 before.")
        if again.before != made.after or again.after != made.after:
            raise Violation(f"The second time migrate says {again.before} before and {again.after} after, expected {made.after} twice.")
        if (version := store.state().schema_version) != made.after:
            raise Violation(f"state says version {version}, migrate said {made.after}.")


@check(
    "document-kept",
    "get returns each document as it was put, in the order in which they are asked for, and None for what is not there.",
    "One result for each identifier that was asked for, its body and its tag as they were.",
    kinds=_STORAGE,
    needs=("store-opens",),
)
def document_kept(subject: Subject) -> None:
    documents = [document(f"number {number}", tag=bytes([number])) for number in range(5)]
    with opened(subject) as store:
        store.put(container(*documents))
        asked = [documents[4], None, documents[0], documents[2], None, documents[0]]
        found = store.get(_NOBODY if one is None else one.id for one in asked)
        expected = tuple(None if one is None else StoredDocument(body=one.body, tag=one.tag) for one in asked)
        if found != expected:
            raise Violation(f"It returned {_differing(expected, found)}.")
        if store.get(()) != ():
            raise Violation("It returned something where nothing was asked for.")


@check(
    "put-counts",
    "The receipt says how many documents were new, and how many were there already.",
    "PutReceipt(added=..., known=...): a document is known when the store has its identifier.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def put_counts(subject: Subject) -> None:
    one, two, three = (document(text) for text in ("one", "two", "three"))
    with opened(subject) as store:
        receipts = [store.put(container(one, two)), store.put(container(two, three, name="b.txt")), store.put(container(name="c.txt"))]
    if (found := [(each.added, each.known) for each in receipts]) != [(2, 0), (1, 1), (0, 0)]:
        raise Violation(f"The receipts say {found} added and known, expected [(2, 0), (1, 1), (0, 0)].")


@check(
    "raw-kept",
    "raw returns the bytes of each record as they were put, in order, and None where there are none.",
    "Keep bytes as bytes. A document may name bytes that an earlier batch brought.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def raw_kept(subject: Subject) -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    bodies = [b"", b"\n", b" a record \r\n", b"\x00\xff", "Umlaute: äöü".encode("latin-1"), chance.randbytes(100_000), b"0" * (1 << 20)]
    raws = tuple(record(body) for body in bodies)
    documents = [document(f"of record {number}", raw=raw) for number, raw in enumerate(raws)]
    later = document("of the same record", raw=raws[2])
    with opened(subject) as store:
        store.put(container(*documents, raws=(*raws, raws[0])), container(later, name="b.txt"))
        asked = [raws[3].digest, _NOBODY, *(raw.digest for raw in raws)]
        if store.raw(asked) != (bodies[3], None, *bodies):
            wrong = [len(body) for raw, body in zip(raws, bodies, strict=True) if store.raw([raw.digest]) != (body,)]
            raise Violation(f"Bytes of records do not come back as they were put, in order (records of {wrong} bytes).")
        if not store.holds([*documents, later]):
            raise Violation("Documents with bytes of records do not come back.")


@check(
    "odd-documents",
    "Every document comes back byte for byte, whatever its text: empty, long, with any character of Unicode, the same as another's.",
    "Keep `body` and `tag` as bytes, never as text: no decoding, folding, trimming or re-encoding. Only `id` names a document.",
    kinds=_STORAGE,
    needs=("raw-kept",),
)
def odd_documents_kept(subject: Subject) -> None:
    with opened(subject) as store:
        put = list(odd_documents(Sizes.of(subject).odd))
        for number, part in enumerate(parts(put, 500)):
            raws = {raw.digest: raw for _, raw in part if raw is not None}
            store.put(container(*(each for each, _ in part), name=f"{number}", raws=tuple(raws.values())))
        for part in parts(put, 1000):
            found = store.get(each.id for each, _ in part)
            for (each, _), came in zip(part, found, strict=False):
                if came != StoredDocument(body=each.body, tag=each.tag):
                    raise Violation(
                        f"The document with the text {each.text[:40]!r} comes back as {_shown(came)}, not as {each.body[:200]!r}."
                    )
            if len(found) != len(part) or store.raw(raw.digest for _, raw in part if raw) != tuple(raw.body for _, raw in part if raw):
                raise Violation("Documents or bytes of records are missing.")
        store.whole(f"With {len(put)} odd documents")


@check(
    "put-whole",
    "A batch is written whole or not at all: of one that is refused nothing is kept.",
    "Write a batch in one transaction, and roll it back when anything of it cannot be written.",
    kinds=_STORAGE,
    needs=("document-kept", "raw-kept"),
)
def put_whole(subject: Subject) -> None:
    good = [document(f"good {number}") for number in range(6)]
    bad = document("bad")
    hostile = {
        "a body that does not hash to its name": bad.model_copy(update={"body": b"other"}),
        "a passage outside of its text": bad.model_copy(update={"passages": ((0, 99),)}),
        "a passage that ends before it begins": bad.model_copy(update={"passages": ((2, 1),)}),
        "bytes of a record that nobody put": bad.model_copy(update={"raw": _NOBODY}),
        "a text that cannot be written": bad.model_copy(update={"text": "\ud800"}),
    }
    raw = record(b"the record of a batch that may be refused")
    with opened(subject) as store:
        for number, (what, one) in enumerate(hostile.items()):
            batch = container(one, *good, name=f"{number}", origin=f"{number}", raws=(raw,))
            outcome = store.ask("put", batch=batch)
            there = [each is not None for each in store.get(each.id for each in (one, *good))]
            listed = bool(store.containers(f"{number}"))
            if outcome.error is not None and (any(there) or listed or store.raw([raw.digest]) != (None,)):
                raise Violation(f"It refused a batch with {what}, and kept {sum(there)} of its {len(there)} documents.")
            if outcome.error is None and not (all(there) and listed):
                raise Violation(f"It took a batch with {what}, and has {sum(there)} of its {len(there)} documents.")
            if outcome.error is None:
                store.delete(*(each.id for each in (one, *good)))


@check(
    "put-cancelled",
    "A batch for which nobody waits any more is written whole or not at all, too.",
    "Look at context.cancelled() before the transaction is kept, and leave it by raising.",
    kinds=_STORAGE,
    needs=("put-whole",),
)
def put_cancelled(subject: Subject) -> None:
    documents = [document(f"nobody waits for {number}") for number in range(100)]
    with opened(subject) as store:
        store.migrate()
        store.live.cancelled = True
        outcome = store.ask("put", batch=container(*documents))
        store.live.cancelled = False
        there = [each is not None for each in store.get(each.id for each in documents)]
        if any(there) and not all(there):
            raise Violation(f"Of a batch that was cancelled it has {sum(there)} of {len(there)} documents.")
        if outcome.error is None and not all(there):
            raise Violation("It returned a receipt for a batch of which it has nothing.")
        store.put(container(*documents))
        if not store.holds(documents):
            raise Violation("After a call that was cancelled it writes no more.")


# What is current


@check(
    "container-at-once",
    "Nothing of a container is current before its last batch is written, and then all of it is.",
    "Keep the batches of a container apart until the one with last=True; readers see what was there before.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def container_at_once(subject: Subject) -> None:
    one, two, three = (document(f"part {word}") for word in ("one", "two", "three"))
    with opened(subject) as store:
        for part in (container(one, last=False), container(two, first=False, last=False)):
            store.put(part)
            _expect(store, [], "Before the last batch")
            if store.containers() or store.state().documents:
                raise Violation("Before the last batch the container is listed, or its documents are counted.")
        store.put(container(three, first=False))
        _expect(store, [one, two, three], "After the last batch")


@check(
    "container-replaced",
    "A container that is read anew is replaced: what it held before is not current any more, and can still be got.",
    "A batch with first=True begins anew; with the last one the new reading takes the place of the old one.",
    kinds=_STORAGE,
    needs=("container-at-once",),
)
def container_replaced(subject: Subject) -> None:
    gone, stays, new = (document(f"reading {word}") for word in ("gone", "stays", "new"))
    with opened(subject) as store:
        store.put(container(gone, stays), container(stays, fingerprint="f2", last=False))
        _expect(store, [gone, stays], "Before the last batch of a new reading")
        store.put(container(new, fingerprint="f2", first=False))
        _expect(store, [stays, new], "After a new reading")
        if not store.holds([gone]):
            raise Violation("A document that is not current any more cannot be got: a report that cites it has lost its evidence.")


@check(
    "reading-begun-anew",
    "A reading that was broken off is forgotten when its container is begun anew.",
    "A batch with first=True drops what was put of its container since the last batch of the reading before.",
    kinds=_STORAGE,
    needs=("container-replaced",),
)
def reading_begun_anew(subject: Subject) -> None:
    old, half, new = (document(f"reading {word}") for word in ("old", "half", "new"))
    with opened(subject) as store:
        store.put(container(old), container(half, fingerprint="f2", last=False), container(new, fingerprint="f2"))
        _expect(store, [new], "After a reading that was broken off, and another one")


@check(
    "container-grows",
    "Without a first batch, what comes is added to what the container holds.",
    "Only a batch with first=True replaces; the others add, once the one with last=True is written.",
    kinds=_STORAGE,
    needs=("container-at-once",),
)
def container_grows(subject: Subject) -> None:
    one, two, three = (document(f"part {word}") for word in ("one", "two", "three"))
    with opened(subject) as store:
        store.put(container(one), container(two, first=False, last=False, fingerprint="f2"))
        _expect(store, [one], "Before the last of the batches that are added")
        store.put(container(three, first=False, fingerprint="f2"))
        _expect(store, [one, two, three], "After batches that are added")


@check(
    "version-replaced",
    "Where a container grows, a document takes the place of those of its key; without a key it takes nobody's.",
    "With the last batch, retire current documents of the same container and key that earlier readings brought.",
    kinds=_STORAGE,
    needs=("container-grows",),
)
def version_replaced(subject: Subject) -> None:
    opened_, closed_, other = document("seven open", key="7"), document("seven closed", key="7"), document("eight open", key="8")
    elsewhere, without = document("seven elsewhere", key="7"), document("seven without")
    with opened(subject) as store:
        store.put(container(opened_, other, without), container(elsewhere, name="b.txt"))
        store.put(container(closed_, first=False, last=False, fingerprint="f2"))
        _expect(store, [opened_, other, without, elsewhere], "Before the last batch")
        store.put(container(first=False, fingerprint="f2"))
        _expect(store, [closed_, other, without, elsewhere], "After a new version of a record")
        store.put(container(opened_, first=False, fingerprint="f3"))
        _expect(store, [opened_, other, without, elsewhere], "After a version that came back")


@check(
    "versions-named",
    "versions returns every version of a record, current or past, by its key or by one of them.",
    "Look the key up of what is named by a document, and return all that have it, ascending.",
    kinds=_STORAGE,
    needs=("version-replaced",),
)
def versions_named(subject: Subject) -> None:
    versions = [document(f"seven {word}", key="7") for word in ("open", "waits", "closed")]
    other = document("eight", key="8")
    with opened(subject) as store:
        store.put(container(versions[0], other), *(container(each, first=False, fingerprint=each.id) for each in versions[1:]))
        expected = tuple(sorted(each.id for each in versions))
        for name in (digest(b"7"), versions[0].id, versions[2].id):
            if (found := store.versions(name)) != expected:
                raise Violation(f"Of three versions of a record it returns {len(found)}.")
        if store.versions(digest(b"8"), versions[0].id) != tuple(sorted((*expected, other.id))) or store.versions(_NOBODY):
            raise Violation("Of several records, or of one that is not there, it returns the wrong documents.")


@check(
    "container-listed",
    "containers returns those of the source that were read to their end, with the fingerprint and the number of documents.",
    "The fingerprint is that of the last batch; documents counts what the container holds now, each once.",
    kinds=_STORAGE,
    needs=("container-replaced", "container-grows"),
)
def container_listed(subject: Subject) -> None:
    one, two, three = (document(word) for word in ("one", "two", "three"))
    with opened(subject) as store:
        store.put(container(one, two), container(name="empty"), container(one, name="half", last=False))
        store.put(container(two, three, origin="mail", name="box", fingerprint="m1"))
        store.put(container(three, fingerprint="f2", first=False))
        found = {
            origin: sorted((each.origin, each.container, each.fingerprint, each.documents) for each in store.containers(origin))
            for origin in ("notes", "mail", "web")
        }
    expected = {"notes": [("notes", "a.txt", "f2", 3), ("notes", "empty", "f1", 0)], "mail": [("mail", "box", "m1", 2)], "web": []}
    for origin, rows in expected.items():
        if found[origin] != rows:
            raise Violation(f"Of the source {origin!r} it lists {found[origin]}, expected {rows}.")


@check(
    "container-dropped",
    "Documents of a container that is dropped stop being current, unless something else holds them.",
    "drop_container forgets the container and its fingerprint; its documents can still be got. One that is not there is no error.",
    kinds=_STORAGE,
    needs=("container-listed",),
)
def container_dropped(subject: Subject) -> None:
    mine, shared = document("held alone"), document("held by two")
    with opened(subject) as store:
        store.put(container(mine, shared), container(shared, origin="mail", name="a.txt"))
        store.drop("a.txt")
        store.drop("never there")
        _expect(store, [shared], "After the container was dropped")
        if store.containers() or not store.containers("mail"):
            raise Violation("The container that was dropped is still listed, or another one is not.")
        if not store.holds([mine, shared]):
            raise Violation("Documents of a container that was dropped cannot be got.")
        store.put(container(mine, shared))
        _expect(store, [mine, shared], "After the container came back")


@check(
    "state-counts",
    "state counts current documents, each once, and those of each source.",
    "A document that two containers hold is one document, and one of each of their sources.",
    kinds=_STORAGE,
    needs=("container-dropped", "container-replaced"),
)
def state_counts(subject: Subject) -> None:
    with opened(subject) as store:
        store.put(container(*(document(f"number {number}") for number in range(4))))
        store.put(container(document("number 0"), document("mail"), origin="mail"))
        store.put(container(document("web"), origin="web"), container(document("half"), name="half", last=False))
        store.put(container(*(document(f"number {number}") for number in range(3)), fingerprint="f2"))
        store.drop("a.txt", "web")
        for found in (store.state(), store.state("whole")):
            origins = {name: many for name, many in found.origins.items() if many}
            if (found.documents, origins) != (4, {"notes": 3, "mail": 2}):
                raise Violation(f"It counts {found.documents} documents, of its sources {origins}; expected 4, notes 3 and mail 2.")
            if not found.location.strip():
                raise Violation("It does not say where the store is.")
        store.whole("Of a store with which nothing is wrong")


def _expect(store: Store, documents: Sequence[PutDocument], when: str) -> None:
    """Have exactly `documents` be current; what is found of them is another check's.

    Raises:
        Violation: others are, or some of them are not.
    """
    expected, found = {each.id for each in documents}, set(store.scan())
    if found != expected:
        more, less = len(found - expected), len(expected - found)
        raise Violation(f"{when}, scan returns {more} documents that are not current, and leaves out {less} that are.")


def _differing(expected: Sequence[StoredDocument | None], found: Sequence[StoredDocument | None]) -> str:
    if len(found) != len(expected):
        return f"{len(found)} results for {len(expected)} identifiers"
    place = next(number for number, pair in enumerate(zip(expected, found, strict=True)) if pair[0] != pair[1])
    return f"{_shown(found[place])} in place {place}, expected {_shown(expected[place])}"


def _shown(found: StoredDocument | None) -> str:
    return "nothing" if found is None else f"{found.body[:200]!r} with the tag {found.tag[:20]!r}"
