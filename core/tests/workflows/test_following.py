"""Sources that have no files: what is kept when, where a reading goes on, and what a full one drops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from veridical.kernel.admission import Trust
from veridical.spending import ProviderLimits
from veridical.workflows.following import Followed, follow, held
from veridical.workflows.intake import Synced
from veridical.workflows.progress import Silent
from veridical_contract import (
    ConfigurationError,
    DeleteRequest,
    Item,
    Locator,
    PluginError,
    ProviderError,
    ScanRequest,
    SourceBatch,
    SourceRequest,
)
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context
from tests.properties.world import World

Step = dict[str, Any] | Exception


class Tickets:
    """Yields the batches that a test tells it to, and keeps what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.steps: Sequence[Step] = steps
        self.asked: list[SourceRequest] = []

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        self.asked.append(request)
        for step in self.steps:
            if isinstance(step, Exception):
                raise step
            yield SourceBatch(**{"container": "tickets", **step})


class Store:
    """An installation with a real store, whose source a test changes between syncs."""

    def __init__(self, folder: Path) -> None:
        self.source = Tickets()
        self._world = World(source=self.source, storage=SqliteStorage(Context(folder)), trust={"desk": Trust(attested=True)})
        self.gateway = self._world.gateway()
        self.gateway.migrate()

    def sync(self, *steps: Step, settings: str = "", full: bool = False, forgotten: bool = False) -> Synced:
        self.source.steps = steps
        source = Followed(plugin="desk", origin="desk", settings=settings)
        return follow(self.gateway, source, Silent(), full=full, forgotten=forgotten)

    def texts(self) -> list[str]:
        names = self.gateway.scan(ScanRequest())
        return sorted(found.text for found in self.gateway.fetch(names).documents.values())

    def forget(self, text: str) -> None:
        names = self.gateway.scan(ScanRequest())
        gone = tuple(name for name, found in self.gateway.fetch(names).documents.items() if found.text == text)
        self.gateway.delete(DeleteRequest(documents=gone, reason="asked for", returns=False))

    def cursors(self) -> list[str | None]:
        return [request.cursor for request in self.source.asked]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def rows(*texts: str, **more: Any) -> dict[str, Any]:
    """A batch of rows; `7 is open` is a row with the key 7."""
    items = tuple(Item(text=text, locator=Locator(container=more.get("container", "tickets"))) for text in texts)
    return {"items": items, "keys": tuple(text.split()[0] for text in texts), **more}


def statuses(synced: Synced) -> list[tuple[str, str, int]]:
    return [(record.path, record.status, record.documents) for record in synced.inputs]


LIMITED = ProviderError("Too many requests.", failure="rate-limit")


def test_a_source_without_files_is_asked_by_its_name(store: Store) -> None:
    synced = store.sync(rows("1 is open", "2 is open", done=True))
    assert [(request.origin, request.inputs, request.cursor) for request in store.source.asked] == [("desk", (), None)]
    assert statuses(synced) == [("tickets", "read", 2)]
    assert (synced.added, synced.inputs[0].sha256, synced.failure) == (2, None, None)


def test_a_cursor_comes_back_at_the_next_sync_and_what_is_new_is_added(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    synced = store.sync(rows("3 is open", cursor="3", done=True))
    assert store.cursors() == [None, "2"]
    assert store.texts() == ["1 is open", "2 is open", "3 is open"]
    assert statuses(synced) == [("tickets", "read", 3)]


def test_nothing_new_is_unchanged(store: Store) -> None:
    store.sync(rows("1 is open", cursor="1", done=True))
    assert statuses(store.sync({"cursor": "1", "done": True})) == [("tickets", "unchanged", 1)]


def test_a_row_that_changed_takes_the_place_of_its_old_version(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    store.sync(rows("1 is closed", cursor="3", done=True))
    assert store.texts() == ["1 is closed", "2 is open"]
    store.sync(rows("1 is open", cursor="4", done=True))
    assert store.texts() == ["1 is open", "2 is open"]
    (state,) = store.gateway.containers("desk")
    assert state.documents == 2


def test_a_row_that_changed_during_the_first_reading_is_there_once(store: Store) -> None:
    store.sync(rows("1 is open", cursor="1"), rows("2 is open", cursor="2"), rows("1 is closed", cursor="3", done=True))
    assert store.texts() == ["1 is closed", "2 is open"]


def test_a_source_without_a_cursor_is_read_as_a_whole_each_time(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", done=True))
    store.sync(rows("2 is open now", done=True))
    assert store.cursors() == [None, None]
    assert store.texts() == ["2 is open now"]


def test_a_full_reading_drops_what_is_gone(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True), rows("9 is old", container="archive", done=True))
    store.sync(rows("2 is open now", cursor="5", done=True), full=True)
    assert store.cursors() == [None, None]
    assert store.texts() == ["2 is open now"]


def test_going_on_drops_nothing(store: Store) -> None:
    store.sync(rows("9 is old", container="archive", done=True), rows("1 is open", cursor="1", done=True))
    store.sync(rows("2 is open", cursor="2", done=True))
    assert store.texts() == ["1 is open", "2 is open", "9 is old"]


def test_other_settings_are_another_reading(store: Store) -> None:
    store.sync(rows("1 is open", cursor="1", done=True))
    store.sync(rows("1 is open and urgent", cursor="1", done=True), settings="with the urgency")
    assert store.cursors() == [None, None]
    assert store.texts() == ["1 is open and urgent"]


def test_what_broke_off_is_kept_up_to_the_cursor_and_gone_on_with(store: Store) -> None:
    synced = store.sync(rows("1 is open", cursor="1"), rows("2 is open", cursor="2"), LIMITED)
    assert store.texts() == ["1 is open", "2 is open"]
    assert statuses(synced) == [("tickets", "unreadable", 2)]
    assert isinstance(synced.failure, ProviderError)
    record = held(store.gateway, "desk", "desk")
    assert (record.status, record.documents, record.sha256) == ("unreadable", 2, None)
    store.sync(rows("3 is open", cursor="3", done=True))
    assert store.cursors() == [None, "2"]
    assert store.texts() == ["1 is open", "2 is open", "3 is open"]
    assert held(store.gateway, "desk", "desk").status == "unchanged"


def test_a_full_reading_that_broke_off_leaves_everything_as_it_was(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    with pytest.raises(ProviderError):
        store.sync(rows("1 is closed", cursor="7"), LIMITED, full=True)
    assert store.texts() == ["1 is open", "2 is open"]
    store.sync({"cursor": "2", "done": True})
    assert store.cursors() == [None, None, "2"]


def test_a_source_that_fails_at_once_keeps_what_was_there(store: Store) -> None:
    store.sync(rows("1 is open", cursor="1", done=True))
    with pytest.raises(PluginError):
        store.sync(LIMITED)
    assert store.texts() == ["1 is open"]


def test_a_refused_key_is_a_matter_of_the_configuration(store: Store) -> None:
    with pytest.raises(ConfigurationError):
        store.sync(ProviderError("No.", failure="auth", hint="Set HELPDESK_TOKEN."))


def test_a_plugin_that_says_nothing_drops_nothing(store: Store) -> None:
    store.sync(rows("1 is open", done=True))
    assert statuses(store.sync()) == [("desk", "omitted", 0)]
    assert store.texts() == ["1 is open"]


def test_a_container_that_never_ends_is_named_and_changes_nothing(store: Store) -> None:
    store.sync(rows("1 is open", done=True))
    assert statuses(store.sync(rows("2 is open"))) == [("tickets", "omitted", 1)]
    assert store.texts() == ["1 is open"]


def test_a_container_with_a_problem_says_it_in_the_plugins_words(store: Store) -> None:
    synced = store.sync({"problem": "the table is gone", "done": True})
    assert [record.reason.text for record in synced.inputs if record.reason is not None] == ["the table is gone"]


def test_what_follows_the_end_of_a_container_is_not_stored(store: Store) -> None:
    store.sync(rows("1 is open", done=True), rows("2 is open", done=True))
    assert store.texts() == ["1 is open"]


def test_keys_go_with_items() -> None:
    with pytest.raises(ValueError, match="1 keys for 2 items"):
        SourceBatch(**{"container": "tickets", **rows("1 is open", "2 is open"), "keys": ("1",)})


def test_a_row_that_was_forgotten_stays_out_in_every_version(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    store.forget("1 is open")
    assert store.sync(rows("1 is closed", "3 is open", cursor="3", done=True)).withheld == 1
    assert store.sync(rows("1 is closed", "2 is open", cursor="3", done=True), full=True).withheld == 1
    assert store.texts() == ["2 is open"]


def test_a_row_that_was_taken_back_changes_like_any_other(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    store.forget("1 is open")
    store.sync(rows("1 is open again", "2 is open", cursor="2", done=True), forgotten=True)
    assert store.sync(rows("1 is closed", cursor="3", done=True)).withheld == 0
    assert store.texts() == ["1 is closed", "2 is open"]


def test_each_batch_is_a_call_to_the_limits_of_its_provider_and_what_it_asks_to_wait_is_heeded(store: Store) -> None:
    time = [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        time[0] += 10.0

    limits = ProviderLimits(per_minute=2, clock=lambda: time[0], sleep=sleep)
    store.gateway._host = replace(store.gateway._host, limits={"desk": limits})
    store.sync(rows("1 is open", cursor="1"), rows("2 is open", cursor="2", done=True))
    assert time == [60.0]  # two batches and the end: the third waits for the first
    with pytest.raises(ProviderError):
        store.sync(ProviderError("Too many.", failure="rate-limit", retry_after=500.0))
    before = time[0]
    store.sync({"cursor": "2", "done": True})
    assert time[0] - before >= 500.0


def test_the_cursor_that_came_last_is_the_one_that_counts(store: Store) -> None:
    store.sync(rows("1 is open", container="b", cursor="1", done=True), rows("2 is open", container="a", cursor="2", done=True))
    store.sync(rows("3 is open", container="b", cursor="3", done=True))
    store.sync({"container": "b", "cursor": "3", "done": True})
    assert store.cursors() == [None, "2", "3"]


def test_a_cursor_is_not_kept_before_everything_up_to_it_is(store: Store) -> None:
    """Half of a container waits to take the place of what was there; a cursor of another one, which is current, comes after it."""
    store.sync(rows("1 is open", container="odd", cursor="1"), LIMITED)
    step = (rows("1 is closed", container="odd", cursor="2"), rows("2 is open", container="even", cursor="3"), LIMITED)
    with pytest.raises(ProviderError):
        store.sync(*step, full=True)
    assert store.texts() == ["1 is open"]
    store.sync({"container": "odd", "cursor": "1", "done": True})
    assert store.cursors() == [None, None, "1"]


def test_a_batch_without_a_cursor_keeps_that_of_another_container_waiting(store: Store) -> None:
    with pytest.raises(ProviderError):
        store.sync(rows("1 is open", container="odd"), rows("2 is open", container="even", cursor="2"), LIMITED)
    assert store.texts() == []
    store.sync(rows("1 is open", container="odd", done=True), rows("2 is open", container="even", cursor="2", done=True))
    assert store.cursors() == [None, None]
    assert store.texts() == ["1 is open", "2 is open"]


def test_a_container_that_ended_does_not_keep_a_cursor_for_one_that_did_not(store: Store) -> None:
    store.sync(rows("1 is open", container="odd", cursor="1", done=True), rows("2 is open", container="even", cursor="2", done=True))
    again = rows("1 is closed", container="odd", cursor="3"), rows("2 is closed", container="even", cursor="4", done=True), LIMITED
    assert store.sync(*again, full=True).failure is not None
    assert store.texts() == ["1 is open", "2 is closed"]
    store.sync(rows("1 is closed", container="odd", cursor="4", done=True))
    assert store.cursors()[-1] is None
    assert store.texts() == ["1 is closed"]
