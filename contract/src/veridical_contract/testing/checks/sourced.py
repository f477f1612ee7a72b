"""What a source plugin reads: every record once, as it stands there, and from a cursor on only what is new."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from veridical_contract import CancelledError, Item, SourceBatch, SourceRequest, VeridicalError
from veridical_contract.testing.judging import Judge
from veridical_contract.testing.registry import NoReplyError, NotApplicable, Violation, check
from veridical_contract.testing.subject import Outcome, Subject

from .calls import sample_files, source_request

_SOURCE = ("source",)
_MOST = 2000
_LINES = 5000


def _batches(outcome: Outcome) -> list[SourceBatch]:
    found = outcome.result()
    if type(found) is not list:
        raise Violation(f"It returned {type(found).__name__}, expected an iterator of SourceBatch.")
    for batch in found:  # pyright: ignore[reportUnknownVariableType]
        if type(batch) is not SourceBatch:  # pyright: ignore[reportUnknownArgumentType]
            raise Violation(f"It yielded {type(batch).__name__}, expected SourceBatch.")  # pyright: ignore[reportUnknownArgumentType]
    return found  # pyright: ignore[reportUnknownVariableType]


def _read(subject: Subject) -> tuple[SourceRequest, list[SourceBatch]]:
    request = source_request(subject)
    with subject.live() as live:
        return request, _batches(live.call("read", "ordinary", request=request))


def _keys(batches: list[SourceBatch]) -> list[tuple[object, ...]]:
    """Return what each record is known by: its key, its bytes, its URL, or the place where a person finds it."""
    return [_key(batch, number, item) for batch in batches for number, item in enumerate(batch.items)]


def _key(batch: SourceBatch, number: int, item: Item) -> tuple[object, ...]:
    if item.raw is not None:
        pointers = tuple(sorted(item.derivation.pointers.items())) if item.derivation is not None else ()
        return (batch.container, item.raw.container, item.raw.offset, item.raw.size, pointers)
    if item.place is not None:
        return (batch.container, batch.keys[number] if batch.keys else "", item.place)
    return (batch.container, batch.keys[number] if batch.keys else (item.url, item.locator, item.text))


@check(
    "batch-shape",
    "It yields SourceBatch, and nothing else.",
    "Write the hook as a generator that yields SourceBatch.",
    kinds=_SOURCE,
    needs=("answers",),
)
def batch_shape(subject: Subject) -> None:
    _, batches = _read(subject)
    if not batches and not subject.options.locations:
        raise NoReplyError("It reads no files. Tell the kit what to ask it for: contract_suite(..., locations=(...)).")
    if not any(batch.items for batch in batches):
        said = next((batch.problem for batch in batches if batch.problem), "it says nothing of it")
        raise Violation(f"It read nothing: {said}.")


@check(
    "batch-done",
    "Everything that it was asked for ends with a batch that says so.",
    "End each input with SourceBatch(container=..., done=True), also one that is empty or cannot be read.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def batch_done(subject: Subject) -> None:
    request, batches = _read(subject)
    done = {batch.container for batch in batches if batch.done}
    if missing := sorted(({file.path for file in request.inputs} or {batch.container for batch in batches}) - done):
        raise Violation(f"{Path(missing[0]).name} never ends.")


@check(
    "batch-size",
    "It hands in a few hundred records at a time.",
    "Yield a batch of a few hundred records before you read on.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def batch_size(subject: Subject) -> None:
    for batch in _long(subject):
        if len(batch.items) > _MOST:
            raise Violation(f"One batch has {len(batch.items)} records.")


@check(
    "locator",
    "A record is said to stand in the container that it is handed in with.",
    "locator=record.locator, of the record that the item is made of.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def locator(subject: Subject) -> None:
    _, batches = _read(subject)
    for batch in batches:
        for item in batch.items:
            if item.locator.container != batch.container:
                raise Violation(f"A record of {Path(batch.container).name} is said to stand in {Path(item.locator.container).name}.")


@check(
    "record-held",
    "Records of files are the host's: an item says which bytes it is, and how its fields follow from them.",
    "Read with context.files.records(), and give each item raw=record.raw and a derivation.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def record_held(subject: Subject) -> None:
    request, batches = _read(subject)
    if not request.inputs:
        raise NotApplicable("It reads no files.")
    if loose := [item for batch in batches for item in batch.items if item.raw is None or item.derivation is None]:
        raise Violation(f"A record of {Path(loose[0].locator.container).name} brings a text of its own, and no bytes.")


@check(
    "records-dropped",
    "It hands in every record that it was given of a file.",
    "Make an item of each record of context.files.records(); where a record is left out on purpose, waive this and say which.",
    kinds=_SOURCE,
    needs=("record-held",),
)
def records_dropped(subject: Subject) -> None:
    with subject.live() as live:
        batches = _batches(live.call("read", "ordinary", request=source_request(subject)))
        given = list(dict.fromkeys((record.raw.container, record.raw.offset, record.raw.digest) for record in live.context.read))
    made = {(item.raw.container, item.raw.offset, item.raw.digest) for batch in batches for item in batch.items if item.raw is not None}
    if missing := [number for number, each in enumerate(given) if each not in made]:
        raise Violation(f"It was given {len(given)} records, and left out number {missing[0] + 1}.")


@check(
    "record-bytes",
    "Size, place and digest of a record are those of its bytes.",
    "raw=record.raw, as the host gave it.",
    kinds=_SOURCE,
    needs=("record-held",),
)
def record_bytes(subject: Subject) -> None:
    request, batches = _read(subject)
    files = {file.path: Path(file.path).read_bytes() for file in request.inputs}
    for batch in batches:
        content = files.get(batch.container)
        for item in batch.items:
            if item.raw is None or content is None or item.raw.container != hashlib.sha256(content).hexdigest():
                continue
            there = content[item.raw.offset : item.raw.offset + item.raw.size]
            if len(there) != item.raw.size or hashlib.sha256(there).hexdigest() != item.raw.digest:
                raise Violation(
                    f"A record of {Path(batch.container).name} is said to be {item.raw.size} bytes from {item.raw.offset} on: it is not."
                )


@check(
    "record-admitted",
    "What it says of a record is what stands there: the host admits all of it.",
    "Leave text, URL, title, author and date out of the item where the derivation or the wire map names them: the host takes them.",
    kinds=_SOURCE,
    needs=("locator", "record-bytes"),
)
def record_admitted(subject: Subject) -> None:
    request = source_request(subject)
    with subject.live() as live:
        outcome = live.call("read", "ordinary", request=request)
        _batches(outcome)
        judge = Judge(live, attested=True)
        try:
            judge.batches(outcome, request)
        except VeridicalError as error:
            raise Violation(error.message) from None
    if told := [(rule, said) for rule, said in judge.refused if rule != "no-text"]:
        raise Violation(f"The host refuses {len(told)} of its records or fields, the first for {told[0][0]}: {told[0][1][:120]!r}.")


@check(
    "record-once",
    "No record is read twice.",
    "Keep what is told apart apart: a page of a service may begin with the last record of the one before.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def record_once(subject: Subject) -> None:
    _, batches = _read(subject)
    keys = _keys(batches)
    if len(set(keys)) < len(keys):
        raise Violation(f"It read {len(keys)} records, of which {len(keys) - len(set(keys))} are there twice.")


@check(
    "file-unreadable",
    "A file that cannot be read costs that file alone, and the batch says why.",
    "Catch UnreadableError for each file, and yield SourceBatch(container=file.path, done=True, problem=str(error)).",
    kinds=_SOURCE,
    needs=("batch-done",),
)
def file_unreadable(subject: Subject) -> None:
    request = source_request(subject)
    if not request.inputs:
        raise NotApplicable("It reads no files.")
    gone = sample_files(subject, {f"gone-{Path(request.inputs[0].path).name}": b"x"})
    Path(gone[0].path).unlink()
    asked = SourceRequest(origin=request.origin, inputs=(*gone, *request.inputs))
    with subject.live() as live:
        batches = _batches(live.call("read", "ordinary", request=asked))
    if not any(batch.container == gone[0].path and batch.problem for batch in batches):
        raise Violation("A file is gone, and no batch says so.")
    if not any(batch.items for batch in batches):
        raise Violation("A file is gone, and it reads none of the others.")


@check(
    "cursor",
    "From a cursor on it reads what is new, and does not begin again.",
    "Put what request.cursor says into the request to the service, or skip what comes before it.",
    kinds=_SOURCE,
    needs=("record-once",),
)
def cursor(subject: Subject) -> None:
    _, batches = _read(subject)
    cursors = [batch.cursor for batch in batches if batch.cursor is not None]
    if not cursors:
        raise NotApplicable("It gives no cursor.")
    before = set(_keys(batches))
    with subject.live() as live:
        again = _batches(live.call("read", "again", request=source_request(subject, cursor=cursors[-1])))
    if len(before) > 1 and before <= set(_keys(again)):
        raise Violation(f"It was given its last cursor, and read all {len(before)} records again.")


@check(
    "cursor-kept",
    "Whoever stops after a batch and goes on from its cursor misses nothing.",
    "A cursor stands for everything up to its batch, and for nothing after it.",
    kinds=_SOURCE,
    needs=("cursor",),
)
def cursor_kept(subject: Subject) -> None:
    _, batches = _read(subject)
    first = next((number for number, batch in enumerate(batches) if batch.cursor is not None and batch.items), None)
    if first is None or first == len(batches) - 1:
        raise NotApplicable("What it reads here is one batch.")
    with subject.live() as live:
        rest = _batches(live.call("read", "rest", request=source_request(subject, cursor=batches[first].cursor)))
    found = set(_known(batches[: first + 1])) | set(_known(rest))
    if missing := set(_known(batches)) - found:
        raise Violation(f"It was stopped after its first batch and went on from the cursor: {len(missing)} records are missing.")


@check(
    "cancelled",
    "It stops when it is told that nobody waits any more.",
    "Look at context.cancelled() before each batch and each request.",
    kinds=_SOURCE,
    needs=("batch-shape",),
)
def cancelled(subject: Subject) -> None:
    request = _long_request(subject)
    with subject.live() as live:

        def told(_: object) -> None:
            live.cancelled = True

        outcome = live.call("read", "ordinary", request=request, each=told)
        stopped = 1 if isinstance(outcome.error, CancelledError) else len(_batches(outcome))
    with subject.live() as live:
        whole = len(_batches(live.call("read", "ordinary", request=request)))
    if whole < 4:
        raise NotApplicable("What it reads here is a few batches.")
    if stopped > 2:
        raise Violation(f"It was told after its first batch, and went on for {stopped - 1} more.")


def _known(batches: list[SourceBatch]) -> Iterator[object]:
    """Yield what each record is known by across calls: replies of another call are other bytes."""
    for batch in batches:
        for number, item in enumerate(batch.items):
            yield (batch.container, batch.keys[number]) if batch.keys else _key(batch, number, item)


def _long_request(subject: Subject) -> SourceRequest:
    """Return a request for one long file, where the plugin reads files."""
    request = source_request(subject)
    lines = [file for file in request.inputs if file.path.endswith((".jsonl", ".txt", ".csv"))]
    if not lines:
        return request
    content = Path(lines[0].path).read_bytes().splitlines(keepends=True)
    last = content[-1]
    made = sample_files(subject, {f"long{Path(lines[0].path).suffix}": b"".join([*content, *[last] * _LINES])})
    return SourceRequest(origin=request.origin, inputs=made)


def _long(subject: Subject) -> list[SourceBatch]:
    with subject.live() as live:
        return _batches(live.call("read", "ordinary", request=_long_request(subject)))
