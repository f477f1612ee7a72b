"""What is deleted is gone, from every hook and from every file; a tombstone is left of it."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

from veridical_contract import DeleteRequest, PutDocument, PutRaw, Tombstone
from veridical_contract.testing.material import chain, container, digest, document, record
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.stores import Sizes, Store, opened
from veridical_contract.testing.subject import Subject

_STORAGE = ("storage",)


@check(
    "delete-gone",
    "A document that was deleted is gone for every hook, with the bytes of its record unless another document names them.",
    "Delete the document, its passages, its fingerprints and its record in one transaction; keep nothing of it in memory.",
    kinds=_STORAGE,
    needs=("raw-kept", "candidates-current", "fingerprint-pages", "scan-past", "container-listed"),
)
def delete_gone(subject: Subject) -> None:
    words = "words of a document that somebody wants to be gone, and of the others"
    own, shared = record(b"the record of one"), record(b"the record of two")
    gone, also, stays = document(f"one: {words}", raw=own), document(f"two: {words}", raw=shared), document(f"three: {words}", raw=shared)
    past = document(f"four: {words}")
    with opened(subject) as store:
        store.put(container(past, name="b.txt"), container(name="b.txt", fingerprint="f2"))
        store.put(container(gone, also, stays, raws=(own, shared)))
        if not store.holds([gone, also, stays]) or store.raw([own.digest, shared.digest]) != (own.body, shared.body):
            raise Violation("What is to be deleted is not there before.")
        store.delete(gone.id, also.id, past.id)
        found = {
            "get": [one is not None for one in store.get(each.id for each in (gone, also, past, stays))] != [False, False, False, True],
            "raw": store.raw([own.digest, shared.digest]) != (None, shared.body),
            "candidates": store.found(words) != {stays.id},
            "candidates_by_fingerprint": store.fingerprints(words).documents != (stays.id,),
            "scan": store.scanned() != [stays.id] or store.scanned(state="past") != [],
            "containers": [each.documents for each in store.containers() if each.container == "a.txt"] != [1],
            "state": store.state().documents != 1,
        }
        if wrong := [hook for hook, is_wrong in found.items() if is_wrong]:
            raise Violation(f"After documents were deleted, {', '.join(wrong)} returns something of them, or less than is left.")
        store.whole("After documents were deleted")


@check(
    "delete-again",
    "A document that was deleted may be put again, and is there then; to delete what is not there is no error.",
    "A tombstone keeps nobody from putting: the host decides what comes back.",
    kinds=_STORAGE,
    needs=("delete-gone",),
)
def delete_again(subject: Subject) -> None:
    one = document("comes back", raw=(raw := record(b"its record")))
    with opened(subject) as store:
        for turn in range(2):
            receipt = store.put(container(one, raws=(raw,), fingerprint=f"f{turn}"))
            if receipt.added != 1 or not store.holds([one]) or store.raw([raw.digest]) != (raw.body,) or store.found("comes") != {one.id}:
                raise Violation("A document that was put again after it was deleted is not there, or was never away.")
            store.delete(one.id)
        if store.ask("delete", request=DeleteRequest(documents=(one.id, digest(b"nobody")), reason="x")).error is not None:
            raise Violation("It raises when what is to be deleted is not there.")


@check(
    "delete-counts",
    "The receipt says how many documents were there and now are not.",
    "Count what was deleted, not what was asked for.",
    kinds=_STORAGE,
    needs=("delete-gone",),
)
def delete_counts(subject: Subject) -> None:
    one, two = document("one"), document("two")
    with opened(subject) as store:
        store.put(container(one, two))
        counts = [
            store.delete(one.id, one.id, digest(b"nobody")).deleted,
            store.delete(one.id).deleted,
            store.delete(origin="notes").deleted,
        ]
    if counts != [1, 0, 1]:
        raise Violation(f"It counts {counts} documents, expected [1, 0, 1].")


@check(
    "delete-origin",
    "A source that is deleted takes all documents along that no other source holds, current or past, and its containers.",
    "Keep what a container of another source holds now.",
    kinds=_STORAGE,
    needs=("delete-gone", "scan-origins"),
)
def delete_origin(subject: Subject) -> None:
    mine, before, shared, theirs = (document(f"of the source: {word}") for word in ("mine", "before", "shared", "theirs"))
    with opened(subject) as store:
        store.put(container(before, shared), container(mine, shared, fingerprint="f2"), container(shared, theirs, origin="mail"))
        store.delete(origin="notes", reason="the source was removed")
        there = [one is not None for one in store.get(each.id for each in (mine, before, shared, theirs))]
        if there != [False, False, True, True]:
            raise Violation(f"Of mine, mine before, shared, theirs it has {there} left, expected False, False, True, True.")
        if store.containers() or store.scanned(origins=("notes",)) or set(store.scan()) != {shared.id, theirs.id}:
            raise Violation("Something of the source is still listed, or something of another one is not.")
        if [one is None for one in store.tombstones(mine.id, before.id, shared.id)] != [False, False, True]:
            raise Violation("What was deleted with its source has no tombstone, or what was not has one.")


@check(
    "tombstone",
    "Each document that was deleted leaves a tombstone: its identifier, why, when, and whether its record may come back.",
    "Tombstone(document=..., reason=..., deleted=context.now() in ISO 8601, returns=...), and None for what was never deleted.",
    kinds=_STORAGE,
    needs=("delete-again",),
)
def tombstone(subject: Subject) -> None:
    one, two, stays = (document(word) for word in ("one", "two", "three"))
    with opened(subject) as store:
        store.put(container(one, two, stays))
        store.delete(one.id, reason="asked by the author: “gone”", returns=False)
        store.delete(two.id, reason="x")
        now = store.live.context.now()
        _left(store, one.id, one.id, "asked by the author: “gone”", returns=False, now=now)
        _left(store, two.id, two.id, "x", returns=True, now=now)
        found = store.tombstones(stays.id, two.id, digest(b"nobody"), one.id)
        if [each and each.document for each in found] != [None, two.id, None, one.id]:
            raise Violation("tombstones does not return one for each name, in order, and None where nothing was deleted.")
        store.put(container(one, fingerprint="f2"))
        store.delete(one.id, reason="again")
        _left(store, one.id, one.id, "again", returns=True, now=now)


@check(
    "tombstone-named",
    "A tombstone is found by the digest of the record's bytes and by the key, too; by a key until a current document has it.",
    "Keep with the tombstone what the document named as its record and what key it was put with.",
    kinds=_STORAGE,
    needs=("tombstone", "version-replaced"),
)
def tombstone_named(subject: Subject) -> None:
    raw = record(b"the record of it")
    one, other = document("seven is open", raw=raw, key="7"), document("eight", key="8")
    with opened(subject) as store:
        store.put(container(one, other, raws=(raw,)))
        store.delete(one.id)
        for name, what in ((raw.digest, "the digest of its record"), (digest(b"7"), "its key")):
            if (found := store.tombstones(name)[0]) is None or found.document != one.id:
                raise Violation(f"It does not find the tombstone of a document by {what}.")
        if store.tombstones(digest(b"8")) != (None,):
            raise Violation("It finds a tombstone by the key of a document that was not deleted.")
        store.put(container(document("seven is closed", key="7"), first=False, fingerprint="f2"))
        if store.tombstones(digest(b"7")) != (None,):
            raise Violation("It finds a tombstone by a key that a current document has: the record was taken back.")


@check(
    "delete-withdraws",
    "With a document go the bytes of the reports that repeat its words, and of no other ones.",
    "For each run of `dependents` that names a deleted document: keep the step and its place in the chain, and empty its body.",
    kinds=_STORAGE,
    needs=("delete-gone", "runs-read"),
)
def delete_withdraws(subject: Subject) -> None:
    one, two = document("one"), document("two")
    with opened(subject) as store:
        store.put(container(one, two))
        steps, others = chain("r1"), chain("r2")
        store.put_runs(*steps, *others)
        if store.delete(digest(b"nobody"), dependents={"r1": (one.id,)}).withdrawn or store.runs("r1") != tuple(steps):
            raise Violation("It withdrew a report although no document whose words it repeats was deleted.")
        receipt = store.delete(one.id, dependents={"r1": (two.id, one.id), "r2": (two.id,)})
        found = store.runs("r1")
        if receipt.withdrawn != 1:
            raise Violation(f"It counts {receipt.withdrawn} reports that were withdrawn, expected 1.")
        if [each.body for each in found] != [*(each.body for each in steps[:2]), b""] or store.runs("r2") != tuple(others):
            raise Violation("The bytes of the report that repeats words of what was deleted are still there, or those of others are not.")
        if store.runs(None, 1)[0].body and store.runs(None, 2)[1].body:
            raise Violation("The newest steps still have the bytes of the report.")
        store.whole("After a report was withdrawn")


@check(
    "delete-bytes",
    "Of a document that was deleted no byte is left in any file: neither of its text, nor of its title, nor of its record.",
    "For SQLite: secure_delete, VACUUM, and a checkpoint that empties the log; and write the text to no log or cache.",
    kinds=_STORAGE,
    needs=("delete-gone",),
)
def delete_bytes(subject: Subject) -> None:
    home = subject.new_home()
    chance = random.Random(20260302)  # noqa: S311 - no secret
    with opened(subject, home) as store:
        documents: list[PutDocument] = []
        raws: list[PutRaw] = []
        marks: list[tuple[bytes, bytes, bytes]] = []
        for number in range(70):
            word, title = (f"zq{chance.getrandbits(63):019d}" for _ in range(2))
            raws.append(record(chance.randbytes(300)))
            documents.append(document(f"before {word} after {number}", title=f"The title {title}", raw=raws[-1]))
            marks.append((word[-9:].encode(), title[-9:].encode(), raws[-1].body[100:130]))
        store.put(container(*documents, raws=tuple(raws)))
        if not any(path.is_file() for path in home.rglob("*")):
            raise NotApplicable("It keeps no files of its own.")
        for number in (0, 35, 69):
            store.delete(documents[number].id)
            _no_trace(home, marks[number], "After a document was deleted")
        store.whole("After documents were deleted")
    for number in (0, 35, 69):
        _no_trace(home, marks[number], "After the store was closed")


@check(
    "many-names",
    "However many names a call brings and however many rows there are to return, each is answered.",
    "Ask your engine for some at a time, where it takes no more at once; there are no pages but those of scan and of fingerprints.",
    kinds=_STORAGE,
    needs=("delete-gone", "tombstone-named", "versions-named"),
)
def many_names(subject: Subject) -> None:
    sizes = Sizes.of(subject)
    raws = tuple(record(f"record {number}".encode()) for number in range(sizes.rows))
    documents = [document(f"row {number}", raw=raw, key=f"{number}") for number, raw in enumerate(raws)]
    ids, keys = [each.id for each in documents], [digest(f"{number}".encode()) for number in range(sizes.rows)]
    with opened(subject) as store:
        store.put(container(*documents, raws=raws))
        if not store.holds(documents) or store.raw(raw.digest for raw in raws) != tuple(raw.body for raw in raws):
            raise Violation(f"Asked for {len(ids)} documents, or the bytes of as many records, it does not return all of them.")
        if store.versions(*keys) != tuple(sorted(ids)):
            raise Violation(f"Asked for the versions of {len(keys)} records it does not return all of them.")
        gone = ids[::2]
        if (deleted := store.delete(*gone).deleted) != len(gone):
            raise Violation(f"Of {len(gone)} documents it deleted {deleted}.")
        if [each is not None for each in store.tombstones(*ids)] != [number % 2 == 0 for number in range(len(ids))]:
            raise Violation(f"Asked for {len(ids)} tombstones it does not say of each whether there is one.")
        for number in range(sizes.containers):
            store.put(container(name=f"{number}", origin="mail"))
        if (listed := len(store.containers("mail"))) != sizes.containers:
            raise Violation(f"Of {sizes.containers} containers it lists {listed}.")


def _no_trace(home: Path, marks: tuple[bytes, bytes, bytes], when: str) -> None:
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        content = path.read_bytes()
        for what, mark in zip(("text", "title", "record"), marks, strict=True):
            forms = (mark, mark.decode().encode("utf-16-le")) if what != "record" else (mark, mark.hex().encode())
            if any(form in content for form in forms):
                raise Violation(f"{when}, {path.relative_to(home)} still has bytes of its {what}.")


def _left(store: Store, name: str, document: str, reason: str, *, returns: bool, now: datetime) -> None:
    found = store.tombstones(name)[0]
    if found is None:
        raise Violation("A document that was deleted has no tombstone.")
    expected = Tombstone(document=document, reason=reason, deleted=found.deleted, returns=returns)
    if found != expected:
        raise Violation(f"The tombstone is {found!r}, expected {expected!r}.")
    try:
        moment = datetime.fromisoformat(found.deleted)
    except ValueError:
        raise Violation(f"The tombstone says {found.deleted!r}, expected the time in ISO 8601.") from None
    if moment.utcoffset() != timedelta(0) or abs(moment - now) >= timedelta(seconds=1):
        raise Violation(f"The tombstone says {found.deleted!r}, expected the time that the context gave, in UTC: {now.isoformat()}.")
