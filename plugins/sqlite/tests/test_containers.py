"""A container is current as a whole: what it held before, or what it holds now, and nothing between."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from veridical_contract import ContainerState, PutDocument, StoreError
from veridical_sqlite import SqliteStorage
from veridical_sqlite.schema import MIGRATIONS

from plugins.sqlite.tests.kit import Context, batch, current, digest, document, texts


def state(fingerprint: str, documents: int, *, origin: str = "notes", container: str = "a.txt") -> ContainerState:
    return ContainerState(origin=origin, container=container, fingerprint=fingerprint, documents=documents)


def test_an_aborted_reading_changes_nothing_and_the_next_one_starts_anew(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("old")))
    store.put(batch(document("half"), fingerprint="f2", last=False))
    again = SqliteStorage(context)
    assert (current(again), again.containers(origin="notes")) == (["old"], (state("f1", 1),))
    again.put(batch(document("new"), fingerprint="f2"))
    assert current(again) == ["new"]
    assert again.containers(origin="notes") == (state("f2", 1),)


def test_beginning_again_in_the_same_process_drops_what_was_begun(store: SqliteStorage) -> None:
    store.put(batch(document("half"), last=False))
    store.put(batch(document("whole")))
    assert current(store) == ["whole"]
    assert texts(store, document("half").id) == [None]


def test_what_an_abandoned_reading_left_behind_goes_after_a_day_unless_it_was_ever_current(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("was current")))
    store.put(batch(document("other"), fingerprint="f2"))
    store.put(batch(document("half"), document("was current"), document("other"), fingerprint="f3", last=False))
    ids = tuple(document(text).id for text in ("half", "was current", "other"))
    context.moment += timedelta(hours=23)
    again = SqliteStorage(context)
    again.migrate()
    assert texts(again, *ids) == ["half", "was current", "other"]
    context.moment += timedelta(hours=2)
    again.migrate()
    assert texts(again, *ids) == [None, "was current", "other"]
    assert current(again) == ["other"]
    assert again.state(depth="whole").problems == ()


def test_a_reading_that_was_taken_for_abandoned_is_refused_until_it_begins_anew(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("one"), last=False))
    context.moment += timedelta(days=2)
    store.migrate()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"a\.txt was dropped from notes while it was being read"):
            store.put(batch(document("two"), first=False))
    store.put(batch(document("three")))
    assert current(store) == ["three"]


def test_a_reading_that_goes_on_for_days_is_not_abandoned(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("one"), last=False))
    for text in ("two", "three"):
        context.moment += timedelta(hours=20)
        store.put(batch(document(text), first=False, last=False))
        SqliteStorage(context).migrate()
    store.put(batch(first=False))
    assert current(store) == ["one", "three", "two"]


def test_a_container_that_is_dropped_while_it_is_read_does_not_come_back_by_its_last_batch(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("one"), last=False))
    SqliteStorage(context).drop_container(origin="notes", container="a.txt")
    with pytest.raises(StoreError, match="was dropped"):
        store.put(batch(document("two"), first=False))
    assert (current(store), texts(store, document("one").id)) == ([], [None])


def test_of_two_readings_at_once_the_one_that_ends_last_stays_and_each_is_whole(context: Context, store: SqliteStorage) -> None:
    other = SqliteStorage(context)
    store.put(batch(document("1 first"), fingerprint="v1", last=False))
    other.put(batch(document("2 first"), fingerprint="v2", last=False))
    store.put(batch(document("1 second"), fingerprint="v1", first=False))
    assert current(store) == ["1 first", "1 second"]
    other.put(batch(document("2 second"), fingerprint="v2", first=False))
    assert current(store) == ["2 first", "2 second"]
    assert store.containers(origin="notes") == (state("v2", 2),)


def test_containers_are_listed_by_origin_in_the_order_of_their_names(store: SqliteStorage) -> None:
    for name in ("b", "a", "c"):
        store.put(batch(document(name), container=name))
    store.put(batch(origin="mail", container="empty"))
    assert [row.container for row in store.containers(origin="notes")] == ["a", "b", "c"]
    assert store.containers(origin="mail") == (state("f1", 0, origin="mail", container="empty"),)
    assert store.state(depth="counts").origins == {"mail": 0, "notes": 3}


def test_reading_a_container_again_and_again_does_not_let_the_store_grow(store: SqliteStorage, size_of_table) -> None:
    for number in range(5):
        store.put(batch(document("one"), document("two"), fingerprint=f"f{number}"))
    assert size_of_table("holdings") == 2


def test_a_state_counts_documents_once_and_by_origin(store: SqliteStorage, tmp_path: Path) -> None:
    store.put(batch(document("shared"), document("mine")))
    store.put(batch(document("shared"), container="b.txt"))
    store.put(batch(document("shared"), origin="mail"))
    found = store.state(depth="counts")
    assert (found.location, found.schema_version) == (str(tmp_path / "store.sqlite3"), len(MIGRATIONS))
    assert (found.documents, found.origins, found.problems) == (2, {"mail": 1, "notes": 2}, ())


def keyed(text: str) -> PutDocument:
    """A document whose key is its first word."""
    return document(text).model_copy(update={"key": digest(text.split()[0].encode())})


def grow(store: SqliteStorage, *texts: str, **more: Any) -> None:
    store.put(batch(*map(keyed, texts), first=False, **more))


def test_a_version_may_come_back(store: SqliteStorage) -> None:
    store.put(batch(keyed("7 is open")))
    grow(store, "7 is closed")
    grow(store, "7 is open")
    grow(store, "7 is open")
    assert current(store) == ["7 is open"]
    grow(store, "7 is closed")
    assert current(store) == ["7 is closed"]


def test_several_documents_of_one_batch_may_have_one_key(store: SqliteStorage) -> None:
    store.put(batch(keyed("7 asks"), keyed("7 answers")))
    assert current(store) == ["7 answers", "7 asks"]
    grow(store, "7 asks", "7 thanks")
    assert current(store) == ["7 asks", "7 thanks"]
