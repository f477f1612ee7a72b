"""What lasts: another instance, another process, a process that was killed, copies, and damage that is told and mended."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from veridical_contract import PutDocument, StoreError
from veridical_contract.testing.child import Child
from veridical_contract.testing.material import chain, container, digest, document, record, work
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.stores import Sizes, Store, opened, outcome_of, worked
from veridical_contract.testing.subject import Subject

_STORAGE = ("storage",)


@check(
    "durable",
    "Another instance over the same folder finds everything, while the first one is there and after it is gone.",
    "Keep what has to last below context.data_dir, and write it before the hook returns.",
    kinds=_STORAGE,
    needs=("container-dropped", "runs-read", "tombstone", "scan-past"),
)
def durable(subject: Subject) -> None:
    home = subject.new_home()
    raw = record(b"a record that lasts")
    kept, gone, past = document("what lasts", raw=raw), document("deleted"), document("dropped")
    with opened(subject, home) as store:
        store.put(container(kept, gone, raws=(raw,)), container(past, name="b.txt"), container(document("half"), name="c.txt", last=False))
        store.put_runs(*chain("r"))
        store.delete(gone.id)
        store.drop("b.txt")
        before = _everything(store)
        with opened(subject, home) as other:
            if _everything(other) != before:
                raise Violation("An instance that was made beside another one does not find what that one wrote.")
            other.put(container(document("from the other"), name="d.txt"))
        if len(store.scan()) != 2 or store.found("other") != {document("from the other").id}:
            raise Violation("An instance does not find what another one wrote meanwhile.")
    with opened(subject, home) as again:
        if again.migrate().before == 0:
            raise Violation("After the first instance was gone, migrate says that there was no store.")
        if not again.holds([kept]) or again.raw([raw.digest]) != (raw.body,) or len(again.scan()) != 2:
            raise Violation("After the first instance was gone, what it wrote is gone, too.")
        again.whole("In a store that was opened again")


@check(
    "several-at-once",
    "Two threads and another process write and read one store at the same time, and nothing is lost.",
    "Let who writes wait for who is writing; after a while raise StoreError, which says so: then it is tried again.",
    kinds=_STORAGE,
    needs=("durable",),
)
def several_at_once(subject: Subject) -> None:
    home, loops = subject.new_home(), Sizes.of(subject).loops
    barrier = threading.Barrier(2)

    def written(writer: str) -> None:
        with opened(subject, home, patient=True) as store:
            barrier.wait(60)
            for number in range(loops):
                begun, ended, step = work(writer, number)
                store.put(begun, ended)
                store.put_runs(step)
                store.scanned(limit=100)
                worked(store, writer, number, acknowledged=3)

    with Child(subject, home, "process", (0, loops)) as child:
        child.begin()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(written, ("thread one", "thread two")))
        said = list(child.heard())
        if failed := [line for line in said if line.startswith("failed ")]:
            raise Violation(f"In another process that wrote at the same time {failed[0].removeprefix('failed ')}")
        if f"done {loops - 1} 3" not in said:
            raise Violation(f"Another process that wrote at the same time ended early: {child.said()}")
    with opened(subject, home) as store:
        for writer in ("thread one", "thread two", "process"):
            for number in range(loops):
                worked(store, writer, number, acknowledged=3)
        if (many := store.state().documents) != 3 * 12 * loops:
            raise Violation(f"Three writers put {3 * 12 * loops} documents, and {many} are current.")
        store.whole("After several wrote at once")


@check(
    "killed",
    "A process that is killed while it writes leaves a store that opens: all that was acknowledged is there, and no batch by half.",
    "Write in transactions that are kept before the hook returns, and leave nothing that only an orderly end would clear away.",
    kinds=_STORAGE,
    needs=("durable", "put-whole"),
)
def killed(subject: Subject) -> None:
    home = subject.new_home()
    acknowledged: dict[int, int] = {}
    for kill in range(Sizes.of(subject).kills):
        begun = max(acknowledged, default=-2) + 2  # whether more was begun than was heard of nobody knows
        acknowledged |= _killed(subject, home, begun, 3 * kill + 5)
        with opened(subject, home) as store:
            store.migrate()
            store.whole("After a process was killed that wrote")
            for number in range(max(acknowledged) + 2):
                worked(store, "killed", number, acknowledged=acknowledged.get(number, 0))
            store.put(container(document(f"after {kill}"), name=f"after {kill}"))


@check(
    "backup-whole",
    "A backup is the store as it was at one moment, whatever others write meanwhile; what it says of itself is so.",
    "Copy with the means of your engine, not file by file; read the copy again before you return.",
    kinds=_STORAGE,
    needs=("durable",),
)
def backup_whole(subject: Subject) -> None:
    folder = subject.new_home()
    folder.mkdir(parents=True)
    documents = [document(f"in the copy {number}") for number in range(400)]
    home, ended = subject.new_home(), threading.Event()

    def meanwhile() -> int:
        with opened(subject, home, patient=True) as other:
            number = 0
            while not ended.is_set() or not number:
                other.put(*work("meanwhile", number)[:2])
                number += 1
            return number

    with opened(subject, home) as store, ThreadPoolExecutor(1) as pool:
        store.put(container(*documents, name="before.txt"))
        store.put_runs(*chain("r"))
        writer = pool.submit(meanwhile)
        try:
            made = store.backup(folder / "copy")
        finally:
            ended.set()
        written = writer.result()
    if not (folder / "copy").exists():
        raise Violation("There is nothing where the copy was to be written.")
    with opened(subject) as store:
        store.restore(folder / "copy")
        state = store.state("whole")
        if (made.documents, made.schema_version) != (state.documents, state.schema_version) or state.problems:
            said, has = made.documents, state.documents
            raise Violation(f"It says that the copy has {said} documents; it has {has}, with {len(state.problems)} problems.")
        if not store.holds(documents) or store.runs("r") != tuple(chain("r")):
            raise Violation("What was written before the backup is not in the copy.")
        for number in range(written):
            worked(store, "meanwhile", number, acknowledged=0)


@check(
    "backup-refuses",
    "A backup replaces nothing: where something is already it is refused with StoreError.",
    "Look first, and make the file so that it fails when there is one.",
    kinds=_STORAGE,
    needs=("backup-whole",),
)
def backup_refuses(subject: Subject) -> None:
    folder = subject.new_home()
    folder.mkdir(parents=True)
    (folder / "mine").write_bytes(b"my own notes")
    with opened(subject) as store:
        store.put(container(document("one")))
        error = store.ask("backup", path=str(folder / "mine")).error
        if (folder / "mine").read_bytes() != b"my own notes":
            raise Violation("It replaced a file that was there.")
        if not isinstance(error, StoreError):
            raise Violation(f"StoreError was expected; {outcome_of(error)}.")


@check(
    "restore-keeps",
    "A copy that is restored becomes the store, for every instance that is made then; what was the store stays beside it.",
    "Rename what is there, and give the copy its name.",
    kinds=_STORAGE,
    needs=("backup-whole",),
)
def restore_keeps(subject: Subject) -> None:
    folder, home = subject.new_home(), subject.new_home()
    folder.mkdir(parents=True)
    raw = record(random.Random(3).randbytes(400))  # noqa: S311 - no secret
    one, two = document("in the copy"), document("written later", raw=raw)
    with opened(subject, home) as store:
        store.put(container(one))
        store.backup(folder / "copy")
        store.put(container(two, name="b.txt", raws=(raw,)))
    was_seen = _seen_in_files(home, raw.body)
    with opened(subject, home) as store:
        restored = store.restore(folder / "copy")
        if restored.after != store.state().schema_version:
            raise Violation(f"restore says version {restored.after}, state {store.state().schema_version}.")
        if store.scan() != (one.id,) or store.get([two.id]) != (None,):
            raise Violation("After a copy was restored the store does not hold what the copy holds.")
    with opened(subject, home) as again:
        if again.scan() != (one.id,) or not again.holds([one]):
            raise Violation("An instance that is made after a copy was restored does not find what the copy holds.")
        again.whole("In a store that was restored")
    if was_seen and not _seen_in_files(home, raw.body):
        raise Violation("What was the store is not beside it any more.")


@check(
    "restore-refuses",
    "What is no whole copy is refused with StoreError, and the store stays as it was.",
    "Read the copy to its end before anything is renamed.",
    kinds=_STORAGE,
    needs=("backup-whole",),
)
def restore_refuses(subject: Subject) -> None:
    folder = subject.new_home()
    folder.mkdir(parents=True)
    one = document("stays", raw=(raw := record(random.Random(4).randbytes(400))))  # noqa: S311 - no secret
    with opened(subject) as store:
        store.put(container(one, raws=(raw,)))
        store.backup(folder / "whole")
        content = (folder / "whole").read_bytes() if (folder / "whole").is_file() else b""
        junk = {"nothing": None, "text": b"my own notes\n" * 1000, "half of a copy": content[: len(content) // 2], "an empty file": b""}
        if raw.body in content:
            junk["a copy with a changed byte"] = _changed(content, raw.body)
        for what, left in junk.items():
            if left is not None:
                (folder / what).write_bytes(left)
            error = store.ask("restore", path=str(folder / what)).error
            if not isinstance(error, StoreError):
                raise Violation(f"With {what} StoreError was expected; {outcome_of(error)}.")
            if not store.holds([one]) or store.scan() != (one.id,):
                raise Violation(f"After it refused {what} the store is not what it was.")


@check(
    "damage-told",
    "A byte that is changed in a file is told: state names what it was, what is left is returned, and the rest is as it was.",
    "Hash what is read against its name, or keep a checksum; let one damaged thing cost nothing but itself.",
    kinds=_STORAGE,
    needs=("durable",),
)
def damage_told(subject: Subject) -> None:
    home, damaged, healthy = _damaged(subject)
    with opened(subject, home) as store:
        problems = store.state("whole").problems
        if not problems:
            raise Violation("A byte of a record was changed in the file, and state names no problem.")
        names = {name for each in problems for name in (each.name, each.raw)}
        if not names & {damaged.raw, damaged.id}:
            raise Violation(f"A byte of the record {damaged.raw} was changed, and state names {sorted(filter(None, names))[:3]} alone.")
        found = store.raw([damaged.raw or "", healthy.raw or ""])
        if found[0] is None or digest(found[0]) == damaged.raw:
            raise Violation("Of a damaged record it does not return the bytes that are left.")
        if digest(found[1] or b"") != healthy.raw or not store.holds([healthy, damaged]):
            raise Violation("What is not damaged does not come back.")


@check(
    "repair",
    "What is damaged is put back where it was, and everything that holds it goes on holding it; what is whole is not harmed.",
    "Write the body in the row that is there, and build every index anew.",
    kinds=_STORAGE,
    needs=("damage-told", "candidates-current", "compact"),
)
def repair(subject: Subject) -> None:
    try:
        home, damaged, healthy = _damaged(subject)
    except NotApplicable:
        home, damaged, healthy = subject.new_home(), document(_DAMAGED, raw=_RAWS[0]), document(_HEALTHY, raw=_RAWS[1])
        with opened(subject, home) as store:
            store.put(container(damaged, healthy, raws=_RAWS))
    with opened(subject, home) as store:
        store.repair((damaged, healthy), _RAWS)
        while store.compact().pending:
            pass
        store.whole("After the repair")
        if store.raw(raw.digest for raw in _RAWS) != tuple(raw.body for raw in _RAWS) or not store.holds([damaged, healthy]):
            raise Violation("What was damaged is not there after the repair, or what was not is gone.")
        if store.scan() != tuple(sorted((damaged.id, healthy.id))) or store.found("damaged healthy") != {damaged.id, healthy.id}:
            raise Violation("After the repair other documents are current or found than before.")
        if store.fingerprints(_DAMAGED).documents != (damaged.id,):
            raise Violation("After the repair a quote is not found in the document that was put back.")


@check(
    "store-errors",
    "A store that cannot be read says so with StoreError, in one line.",
    "Catch what your engine raises, and say which file, and what to do about it: StoreError, StoreCorruptError, StoreFullError.",
    kinds=_STORAGE,
    needs=("durable",),
)
def store_errors(subject: Subject) -> None:
    home = subject.new_home()
    with opened(subject, home) as store:
        store.put(container(document("one")))
        folder = store.live.home.data
    files = [path for path in folder.rglob("*") if path.is_file()]
    if not files:
        raise NotApplicable("It keeps no files of its own.")
    for path in files:
        path.write_bytes(b"junk, and no store at all\n" * 1000)
    with opened(subject, home) as store:
        for hook, arguments in (("migrate", {}), ("get", {"ids": (document("one").id,)}), ("put", {"batch": container(document("two"))})):
            error = store.ask(hook, **arguments).error
            if not isinstance(error, StoreError):
                raise Violation(f"With junk in its files StoreError was expected of {hook}; {outcome_of(error)}.")
            if not str(error).strip() or "\n" in str(error):
                raise Violation(f"{hook} raised StoreError with the message {str(error)!r}, expected one line.")


_DAMAGED = "the words of the damaged one are eight or more, so that a quote of them is looked up"
_HEALTHY = "nothing is wrong with the other one, of which the words are eight or more as well: the healthy one"
_RAWS = tuple(record(random.Random(seed).randbytes(600)) for seed in (5, 6))  # noqa: S311 - no secret


def _damaged(subject: Subject) -> tuple[Path, PutDocument, PutDocument]:
    """Make a store and change a byte of a record in its files; return its home, the document of the record, and another one.

    Raises:
        NotApplicable: it keeps no files, or the bytes of records not as they are.
    """
    home = subject.new_home()
    damaged, healthy = document(_DAMAGED, raw=_RAWS[0]), document(_HEALTHY, raw=_RAWS[1])
    with opened(subject, home) as store:
        store.put(container(damaged, healthy, raws=_RAWS))
    changed = False
    for path in home.rglob("*"):
        if path.is_file() and _RAWS[0].body[:100] in (content := path.read_bytes()):
            path.write_bytes(_changed(content, _RAWS[0].body[:100]))
            changed = True
    if not changed:
        raise NotApplicable("It keeps no files, or the bytes of records not as they are.")
    return home, damaged, healthy


def _changed(content: bytes, where: bytes) -> bytes:
    other = bytes([where[50] ^ 1])
    return content.replace(where[:100], where[:50] + other + where[51:100])


def _seen_in_files(home: Path, what: bytes) -> bool:
    return any(what[:100] in path.read_bytes() for path in home.rglob("*") if path.is_file())


def _killed(subject: Subject, home: Path, first: int, steps: int) -> dict[int, int]:
    """Kill a process that writes after it said `steps` things; return number of the container to how many parts came back to it."""
    acknowledged: dict[int, int] = {}
    with Child(subject, home, "killed", (first, first + 10_000)) as child:
        child.begin()
        for place, line in enumerate(child.heard()):
            what, _, rest = line.partition(" ")
            if what == "failed":
                raise Violation(f"In a process of its own {rest}")
            number, _, part = rest.partition(" ")
            acknowledged[int(number)] = int(part or 0)
            if place == steps:
                child.kill()
        if sum(acknowledged.values()) == 0:
            raise Violation(f"In a process of its own it wrote nothing: {child.said()}")
    return acknowledged


def _everything(store: Store) -> list[object]:
    documents = [document(text) for text in ("what lasts", "deleted", "dropped")]
    documents[0] = document("what lasts", raw=record(b"a record that lasts"))
    ids = [each.id for each in documents]
    state = store.state()
    return [
        store.get(ids),
        store.raw([documents[0].raw or ""]),
        store.scan(),
        store.scan(state="past"),
        store.found("lasts"),
        store.containers(),
        store.runs("r"),
        store.tombstones(*ids),
        (state.documents, state.origins),
    ]
