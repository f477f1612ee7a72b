"""The gateway's verified half: places of records, scope, models of embeddings, bytes that are read again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from veridical.kernel.canonical import digest
from veridical_contract import (
    EmbeddingReply,
    EmbeddingRequest,
    InputFile,
    Item,
    PluginError,
    ScanRequest,
    SourceBatch,
    SourceRequest,
    StoredRun,
    StoreState,
    Tombstone,
)

from tests.properties.liars import Junk
from tests.properties.world import KEY, NOW, ROWS, MemoryStore, RowSource, World

FILE = InputFile(path="rows.jsonl", sha256=digest(b"rows"), size=4)


class Changed(RowSource):
    """Hands in the first row, changed."""

    def __init__(self, **changes: object) -> None:
        super().__init__(ROWS)
        self._changes = changes

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        item: Item = self.item(0, ROWS[0])
        yield SourceBatch(container="rows.jsonl", items=(item.model_copy(update=self._changes),), done=True)


def rules(source: object, *inputs: InputFile) -> list[str]:
    (batch,) = World(source=source).gateway().read("rows", SourceRequest(origin="rows", inputs=inputs))
    return list(batch.refused)


def test_a_record_stands_in_the_container_that_it_was_handed_in_with() -> None:
    item = RowSource().item(0, ROWS[0])
    elsewhere = item.locator.model_copy(update={"container": "https://evil.example/"})
    assert rules(Changed(), FILE) == []
    assert rules(Changed(locator=elsewhere)) == ["locator-differs"]
    assert item.raw is not None
    assert rules(Changed(raw=item.raw.model_copy(update={"container": digest(b"other")})), FILE) == ["container-differs"]


def test_bytes_that_the_host_did_not_read_are_no_evidence() -> None:
    item = RowSource().item(0, ROWS[0])
    assert item.raw is not None
    assert rules(Changed(raw=item.raw.model_copy(update={"digest": digest(b"x")}))) == ["bytes-differ"]


def filled() -> tuple[World, list[str]]:
    world = World()
    world.ingest(world.gateway())
    assert isinstance(world.storage, MemoryStore)
    return world, list(world.storage.documents)


def test_what_is_of_another_source_is_named_and_left_out() -> None:
    world, names = filled()
    gateway = world.gateway()
    assert list(gateway.fetch(names, ("rows",)).documents) == names
    found = gateway.fetch(names, ("public",))
    assert found.documents == {}
    assert {row.rule for row in found.rejections} == {"out-of-scope"}


def test_bytes_that_were_altered_are_not_read_again() -> None:
    world, names = filled()
    gateway = world.gateway()
    document = gateway.fetch(names).documents[names[0]]
    assert gateway.reread(document) is not None
    assert isinstance(world.storage, MemoryStore)
    world.storage.raws = {name: body + b" " for name, body in world.storage.raws.items()}
    assert gateway.reread(document) is None
    assert gateway.reread(document.model_copy(update={"raw": None})) is None


class Models:
    """Another model, or another width, for each purpose."""

    def __init__(self, identity: str, width: int) -> None:
        self._identity = identity
        self._width = width

    def embed(self, request: EmbeddingRequest) -> EmbeddingReply:
        other = request.purpose == "query"
        row = (1.0,) * (self._width if other else 4)
        return EmbeddingReply(vectors=(row,) * len(request.texts), identity=self._identity if other else "m/1")


@pytest.mark.parametrize(("identity", "width"), [("m/2", 4), ("m/1", 5)])
def test_vectors_of_two_models_or_widths_are_never_compared(identity: str, width: int) -> None:
    gateway = World(embedding=Models(identity, width)).gateway()
    gateway.embed(["a", "b"], "document")
    with pytest.raises(PluginError, match="another model or width"):
        gateway.embed(["c"], "query")


def test_vectors_of_one_model_are_compared() -> None:
    gateway = World(embedding=Models("m/1", 4)).gateway()
    assert gateway.embed(["a"], "document") == gateway.embed(["c"], "query") == ((0.5, 0.5, 0.5, 0.5),)


def test_a_negative_number_of_documents_is_junk() -> None:
    state = StoreState(location="x", schema_version=1, documents=1, origins={"rows": -1})
    with pytest.raises(PluginError, match="negative"):
        World(storage=Junk(state)).gateway().in_scope(())


def test_a_page_of_identifiers_is_a_tuple_of_strings() -> None:
    pages = Junk(("a", "b"))
    pages.scan = pages.chat  # type: ignore[attr-defined]
    assert World(storage=pages).gateway().scan(ScanRequest()) == ("a", "b")
    junk = Junk(("a", 1))
    junk.scan = junk.chat  # type: ignore[attr-defined]
    with pytest.raises(PluginError, match="tuple of identifiers"):
        World(storage=junk).gateway().scan(ScanRequest())


def test_the_tag_is_this_installations() -> None:
    gateway = World().gateway()
    assert len(gateway.tag("0" * 64)) == 16
    assert gateway.tag("0" * 64) != gateway.tag("1" * 64)
    assert gateway.store().key == KEY


# Looking after the store


class Steps(MemoryStore):
    """Gives back what it was told to in the place of the steps of runs and of tombstones."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self._answer = answer

    def runs(self, run: str | None, limit: int) -> object:
        return self._answer

    def tombstones(self, names: tuple[str, ...]) -> object:
        return self._answer


STEP = StoredRun(run="r", step=0, kind="begin", body=b"{}", previous="0" * 64)


class Lying(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [STEP],
        ("step",),
        (StoredRun.model_construct(run=Lying("r"), step=0, kind="begin", body=b"{}", previous="0" * 64),),
        (StoredRun.model_construct(run="r", step=True, kind="begin", body=b"{}", previous="0" * 64),),
        (StoredRun.model_construct(run="r", step=0, kind="begin", body="{}", previous="0" * 64),),
    ],
)
def test_a_step_of_a_run_has_exact_fields_or_is_junk(answer: object) -> None:
    assert World(storage=Steps((STEP,))).gateway().runs("r") == (STEP,)
    with pytest.raises(PluginError, match="runs returned what it may not"):
        World(storage=Steps(answer)).gateway().runs("r")


TOMBSTONE = Tombstone(document="0" * 64, reason="asked", deleted="2026-01-01T00:00:00Z", returns=False)


@pytest.mark.parametrize("answer", [None, [TOMBSTONE], (), (TOMBSTONE, TOMBSTONE), ("gone",), (TOMBSTONE.model_construct(),)])
def test_a_tombstone_is_one_or_is_junk(answer: object) -> None:
    assert World(storage=Steps((TOMBSTONE,))).gateway().tombstones(["0" * 64]) == (TOMBSTONE,)
    with pytest.raises(PluginError, match="tombstones returned what it may not"):
        World(storage=Steps(answer)).gateway().tombstones(["0" * 64])


def test_a_document_is_made_again_as_it_was_or_not_at_all() -> None:
    world, names = filled()
    gateway = world.gateway()
    document = gateway.fetch(names).documents[names[0]]
    item = RowSource().item(0, ROWS[0])
    raw = ROWS[0].data()
    again = gateway.readmitted(names[0], item, raw, like=document, retrieved=NOW)
    assert again is not None
    assert again.document == document
    for other in (
        gateway.readmitted(names[1], item, raw, like=document, retrieved=NOW),
        gateway.readmitted(names[0], item, raw, like=document, retrieved=NOW + timedelta(seconds=1)),
        gateway.readmitted(names[0], item, raw + b" ", like=document, retrieved=NOW),
        gateway.readmitted(names[0], item.model_copy(update={"derivation": None}), raw, like=document, retrieved=NOW),
        gateway.readmitted(names[0], item, raw, like=document.model_copy(update={"origin": "other"}), retrieved=NOW),
    ):
        assert other is None


def test_a_tag_says_that_a_document_was_admitted_whatever_became_of_its_bytes() -> None:
    world, names = filled()
    assert isinstance(world.storage, MemoryStore)
    held = world.storage.documents
    held[names[0]] = held[names[0]].model_copy(update={"body": b"damaged"})
    held[names[1]] = held[names[1]].model_copy(update={"tag": held[names[2]].tag})
    assert world.gateway().tagged([*names[:3], "0" * 64]) == [names[0], names[2]]
