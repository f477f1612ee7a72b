"""Whatever is put, dropped, deleted and left half done, the store holds what a few sets in memory hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from veridical_contract import ContainerState, DeleteRequest, PutDocument, PutReceipt, ScanRequest, StoreError, TextQuery
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, document, raw

# Words that English endings leave alone, so that a set is a model of what a query finds.
WORDS = ("bcd", "fgh", "jkl", "mnp")
RECORDS = [raw(b"record %d" % n) for n in range(3)]
POOL = [
    document(
        f"{WORDS[n % 4]} {WORDS[n % 3]} {n}",
        passages=((0, 3), (4, 7)) if n % 2 else ((0, 3),),
        title=WORDS[n % 2] if n % 5 == 0 else None,
        raw=RECORDS[n % 3] if n % 4 else None,
    )
    for n in range(12)
]
ORIGINS = ("mail", "notes")
Key = tuple[str, str]
KEYS: list[Key] = [(origin, container) for origin in ORIGINS for container in ("a", "b")]

documents = st.lists(st.sampled_from(POOL), max_size=6)
keys = st.sampled_from(KEYS)


@dataclass(eq=False)
class Generation:
    key: Key
    replaces: bool
    touched: int
    state: str = "open"
    documents: set[str] = field(default_factory=set)


class Model:
    """The store as sets."""

    def __init__(self) -> None:
        self.day = 0
        self.stored: set[str] = set()
        self.generations: list[Generation] = []
        self.fingerprints: dict[Key, str] = {}
        self.writing: dict[Key, Generation] = {}

    def holders(self, id_: str) -> list[Generation]:
        return [generation for generation in self.generations if id_ in generation.documents]

    def current(self, origins: Iterable[str] = ORIGINS) -> set[str]:
        return {id_ for g in self.generations if g.state == "current" and g.key[0] in origins for id_ in g.documents}

    def abandon(self, generation: Generation) -> None:
        if generation in self.generations:
            self.stored -= {id_ for id_ in generation.documents if self.holders(id_) == [generation]}
            self.generations.remove(generation)

    def begin(self, key: Key, *, first: bool) -> Generation | None:
        known = self.writing.get(key)
        if known is not None and not first:
            return known if known in self.generations else None
        if known is not None:
            self.abandon(known)
        self.writing[key] = Generation(key, first, self.day)
        self.generations.append(self.writing[key])
        return self.writing[key]

    def complete(self, key: Key, fingerprint: str) -> None:
        generation = self.writing.pop(key)
        for other in self.generations:
            if generation.replaces and other.key == key and other.state == "current":
                other.state = "past"
        generation.state = "current"
        self.fingerprints[key] = fingerprint

    def drop(self, key: Key) -> None:
        self.fingerprints.pop(key, None)
        for generation in [g for g in self.generations if g.key == key]:
            if generation.state == "open":
                self.abandon(generation)
            generation.state = "past"

    def only_of(self, origin: str) -> set[str]:
        mine = {id_ for g in self.generations if g.key[0] == origin for id_ in g.documents}
        return {id_ for id_ in mine if all(g.key[0] == origin or g.state == "past" for g in self.holders(id_))}

    def delete(self, ids: set[str]) -> None:
        self.stored -= ids
        for generation in self.generations:
            generation.documents -= ids


class StoreMachine(RuleBasedStateMachine):
    def __init__(self, factory: pytest.TempPathFactory) -> None:
        super().__init__()
        self.context = Context(factory.mktemp("store"))
        self.store = SqliteStorage(self.context)
        self.model = Model()
        self.reads = 0

    @rule(key=keys, documents=documents, first=st.booleans(), last=st.booleans())
    def put(self, key: Key, documents: list[PutDocument], first: bool, last: bool) -> None:
        self.reads += 1
        fingerprint = f"f{self.reads}"
        put = batch(*documents, origin=key[0], container=key[1], fingerprint=fingerprint, raws=tuple(RECORDS), first=first, last=last)
        generation = self.model.begin(key, first=first)
        if generation is None:
            with pytest.raises(StoreError, match="was dropped"):
                self.store.put(put)
            return
        ids = {d.id for d in documents}
        added = len(ids - self.model.stored)
        generation.touched = self.model.day
        generation.documents |= ids
        self.model.stored |= ids
        if last:
            self.model.complete(key, fingerprint)
        assert self.store.put(put) == PutReceipt(added=added, known=len(documents) - added)

    @rule(key=keys)
    def drop(self, key: Key) -> None:
        self.store.drop_container(origin=key[0], container=key[1])
        self.model.drop(key)

    @rule(documents=documents)
    def delete_documents(self, documents: list[PutDocument]) -> None:
        ids = {d.id for d in documents}
        receipt = self.store.delete(DeleteRequest(documents=tuple(d.id for d in documents), reason="asked"))
        assert receipt.deleted == len(ids & self.model.stored)
        self.model.delete(ids)

    @rule(origin=st.sampled_from(ORIGINS))
    def delete_origin(self, origin: str) -> None:
        ids = self.model.only_of(origin)
        assert self.store.delete(DeleteRequest(origin=origin, reason="removed")).deleted == len(ids)
        self.model.delete(ids)
        self.model.generations = [g for g in self.model.generations if g.key[0] != origin]
        self.model.fingerprints = {key: value for key, value in self.model.fingerprints.items() if key[0] != origin}

    @rule()
    def open_again(self) -> None:
        self.store = SqliteStorage(self.context)
        self.model.writing = {}

    @rule(days=st.integers(0, 3))
    def let_time_pass(self, days: int) -> None:
        self.context.moment += timedelta(days=days)
        self.model.day += days
        self.store.migrate()
        for generation in [g for g in self.model.generations if g.state == "open" and g.touched < self.model.day - 1]:
            self.model.abandon(generation)

    @invariant()
    def documents_are_there_or_not(self) -> None:
        found = self.store.get(tuple(d.id for d in POOL))
        assert [f and f.body for f in found] == [d.body if d.id in self.model.stored else None for d in POOL]

    @invariant()
    def current_documents_are_scanned(self) -> None:
        for origins in ((), *((origin,) for origin in ORIGINS)):
            assert self.store.scan(ScanRequest(origins=origins)) == tuple(sorted(self.model.current(origins or ORIGINS)))

    @invariant()
    def current_passages_are_found(self) -> None:
        for origins in ((), ("mail",)):
            current = self.model.current(origins or ORIGINS)
            expected = {
                (d.id, start, end)
                for d in POOL
                if d.id in current
                for start, end in d.passages
                if {"bcd", "jkl"} & set(f"{d.title} {d.text[start:end]}".split())
            }
            found = self.store.candidates(TextQuery(text="jkl, bcd?", origins=origins))
            assert {(c.document, c.start, c.end) for c in found} == expected
            assert len(found) == len(expected)
            assert list(found) == sorted(found, key=lambda c: (-c.score, c.document, c.start))

    @invariant()
    def containers_are_those_read_to_their_end(self) -> None:
        for origin in ORIGINS:
            expected = tuple(
                ContainerState(
                    origin=origin,
                    container=container,
                    fingerprint=fingerprint,
                    documents=len(
                        {id_ for g in self.model.generations if (g.key, g.state) == ((origin, container), "current") for id_ in g.documents}
                    ),
                )
                for (its, container), fingerprint in sorted(self.model.fingerprints.items())
                if its == origin
            )
            assert self.store.containers(origin=origin) == expected

    @invariant()
    def records_are_kept_as_long_as_a_document_names_them(self) -> None:
        named = {d.raw for d in POOL if d.id in self.model.stored}
        for record, body in zip(RECORDS, self.store.raw(tuple(r.digest for r in RECORDS)), strict=True):
            assert body == record.body or (body is None and record.digest not in named)

    @precondition(lambda self: self.reads % 5 == 0)
    @invariant()
    def nothing_is_wrong(self) -> None:
        state = self.store.state(depth="whole")
        assert state.problems == ()
        assert state.documents == len(self.model.current())
        assert state.origins == {origin: len(self.model.current((origin,))) for origin, _ in self.model.fingerprints}


def test_the_store_is_what_sets_in_memory_are(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical_sqlite.documents._MANY", 3)  # documents are packed against each other from three on
    run_state_machine_as_test(lambda: StoreMachine(tmp_path_factory))
