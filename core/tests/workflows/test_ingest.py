"""Ingest: only what changed is read, only what was handed out is spoken of, and nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from veridical.kernel.canonical import digest
from veridical.wire.inputs import Inputs
from veridical.workflows.ingest import Synced, sync
from veridical.workflows.progress import Silent
from veridical_contract import ContainerState, InputFile, PutBatch, PutReceipt, SourceBatch, SourceRequest

from tests.properties.liars import LyingSource
from tests.properties.world import MemoryStore, RowSource, World

FILES = tuple(InputFile(path=name, sha256=digest(b"rows"), size=4) for name in ("other.jsonl", "rows.jsonl"))


class Containers(MemoryStore):
    """An honest store that knows its containers."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[str, ContainerState] = {}
        self.dropped: list[str] = []

    def put(self, batch: PutBatch) -> PutReceipt:
        if batch.last:
            count = len(batch.documents)
            self.states[batch.container] = ContainerState(
                origin=batch.origin, container=batch.container, fingerprint=batch.fingerprint, documents=count
            )
        return super().put(batch)

    def containers(self, origin: str) -> tuple[ContainerState, ...]:
        return tuple(self.states.values())

    def drop_container(self, origin: str, container: str) -> None:
        self.dropped.append(container)
        del self.states[container]


class Batches(RowSource):
    """Yields what it is told to."""

    def __init__(self, *batches: dict[str, Any]) -> None:
        super().__init__()
        self._batches = batches
        self.asked: list[tuple[str, ...]] = []

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        self.asked.append(tuple(file.path for file in request.inputs))
        items = tuple(self.item(at, row) for at, row in enumerate(self.rows))
        for batch in self._batches:
            yield SourceBatch(**({"container": "rows.jsonl", "items": items, "done": True} | batch))


def synced(world: World, *files: InputFile) -> Synced:
    inputs = Inputs(files=files, problems=(), derived=())
    return sync(world.gateway(), plugin="rows", origin="rows", inputs=inputs, field_map=None, progress=Silent())


def states(found: Synced) -> dict[str, str]:
    return {record.path: record.status for record in found.inputs}


def test_what_did_not_change_is_not_read_again_and_what_is_gone_is_dropped() -> None:
    source, store = Batches({}), Containers()
    world = World(source=source, storage=store)
    assert states(synced(world, FILES[1])) == {"rows.jsonl": "read"}
    assert states(synced(world, FILES[1])) == {"rows.jsonl": "unchanged"}
    assert source.asked == [("rows.jsonl",)]
    assert states(synced(world)) == {}
    assert store.dropped == ["rows.jsonl"]


def test_a_file_that_the_plugin_never_speaks_of_is_reported() -> None:
    world = World(source=Batches({}), storage=Containers())
    assert states(synced(world, *FILES)) == {"rows.jsonl": "read", "other.jsonl": "omitted"}


def test_a_container_that_was_not_handed_out_is_not_stored() -> None:
    store = Containers()
    found = synced(World(source=Batches({"container": "secret.jsonl"}), storage=store), FILES[1])
    assert states(found) == {"rows.jsonl": "omitted"}
    assert store.documents == {}


def test_a_file_that_cannot_be_read_is_one_line_in_the_plugins_words() -> None:
    world = World(source=Batches({"items": (), "done": False, "problem": "it is damaged"}), storage=Containers())
    (record,) = synced(world, FILES[1]).inputs
    assert (record.status, record.reason.text if record.reason else None) == ("unreadable", "it is damaged")
    assert record.reason is not None
    assert record.reason.origin == "rows"


def test_a_kind_of_file_that_nobody_reads_is_unsupported() -> None:
    world = World(source=Batches({"items": (), "done": False, "problem": "unsupported: .xyz"}), storage=Containers())
    assert states(synced(world, FILES[1])) == {"rows.jsonl": "unsupported"}


def test_what_follows_the_end_of_a_container_is_not_stored() -> None:
    store = Containers()
    found = synced(World(source=Batches({"items": ()}, {}), storage=store), FILES[1])
    assert states(found) == {"rows.jsonl": "read"}
    assert store.documents == {}


def test_refused_records_and_fields_are_counted_by_rule() -> None:
    found = synced(World(source=LyingSource([("url", 0, 0), ("date", 1, 0), ("locator", 2, 0)]), storage=Containers()), FILES[1])
    assert found.refused == {"differs-from-bytes": 2, "locator-differs": 1}
    assert found.added == 9
