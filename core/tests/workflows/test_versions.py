"""Versions of a record: what says the same stays the same document, and what is forgotten goes in every version."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from veridical.gateway.failures import MissingHookError
from veridical.gateway.shapes import Plugins
from veridical.gateway.verified import Gateway
from veridical.kernel.policy import load_policy
from veridical.workflows import forget
from veridical.workflows.following import Followed, follow
from veridical.workflows.intake import Synced
from veridical.workflows.progress import Silent
from veridical.workflows.versions import unchanged
from veridical_contract import Item, Locator, ScanRequest

from core.tests.workflows.test_following import Store, rows
from tests.properties import world


class Later(Store):
    """The same; each reading is a minute after the one before."""

    def sync(self, *steps: Any, **options: Any) -> Synced:
        world.NOW += timedelta(minutes=1)
        return super().sync(*steps, **options)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr(world, "NOW", world.NOW)
    return Later(tmp_path)


def current(store: Store) -> tuple[str, ...]:
    return store.gateway.scan(ScanRequest())


def past(store: Store) -> tuple[str, ...]:
    return store.gateway.scan(ScanRequest(state="past"))


def test_what_says_the_same_in_a_full_reading_stays_the_same_document(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", cursor="2", done=True))
    before = current(store)
    synced = store.sync(rows("1 is open", "2 is open", "3 is open", cursor="3", done=True), full=True)
    assert 1 == synced.added
    assert set(before) < set(current(store))
    assert () == past(store)


def test_so_does_a_record_without_a_key(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", done=True) | {"keys": ()})
    before = current(store)
    assert 1 == store.sync(rows("1 is open", "2 is closed", done=True) | {"keys": ()}).added
    assert 1 == len(set(before) & set(current(store)))
    assert 1 == len(past(store))


def test_a_record_that_is_again_as_it_was_is_that_version_again(store: Store) -> None:
    store.sync(rows("1 is open", done=True))
    before = current(store)
    store.sync(rows("1 is closed", done=True))
    assert 0 == store.sync(rows("1 is open", done=True)).added
    assert before == current(store)


def test_a_field_that_differs_makes_another_version(store: Store) -> None:
    store.sync(rows("1 is open", done=True))
    batch = rows("1 is open", done=True)
    batch["items"] = (Item(text="1 is open", title="Door", locator=Locator(container="tickets")),)
    assert 1 == store.sync(batch).added


def test_the_same_words_of_another_source_are_another_document(store: Store) -> None:
    store.sync(rows("1 is open", done=True))
    assert [] == unchanged(store.gateway, "another", [])
    assert () == store.gateway.versions(["0" * 64])


def test_every_version_of_a_forgotten_record_goes_and_no_byte_of_it_stays(store: Store, tmp_path: Path) -> None:
    store.sync(rows("1 qzfirstvw", "2 is open", done=True))
    store.sync(rows("1 qzsecondvw", "2 is open", done=True))
    (name,) = (name for name, found in store.gateway.fetch(current(store)).documents.items() if "qzsecondvw" in found.text)
    doomed = forget.records(store.gateway, [name])
    assert (2, ()) == (len(doomed.documents), doomed.beside)
    forget.forget(store.gateway, doomed, reason="asked for")
    assert ["2 is open"] == store.texts()
    assert 1 == store.sync(rows("1 qzthirdvw", "2 is open", done=True)).withheld
    assert not any(b"vw" in file.read_bytes() for file in tmp_path.rglob("*.sqlite3*"))


def linked(text: str, url: str | None = "https://desk.example/1") -> dict[str, Any]:
    return {"items": (Item(text=text, url=url, locator=Locator(container="tickets")),), "done": True}


def test_what_says_the_same_under_the_same_url_goes_with_it_wherever_it_was_read(store: Store) -> None:
    store.sync(linked("1 is open"))
    store.source.steps = [linked("1 is open")]
    follow(store.gateway, Followed(plugin="desk", origin="again"), Silent())
    store.source.steps = [linked("1 is open", url=None)]
    follow(store.gateway, Followed(plugin="desk", origin="without"), Silent())
    first, *_ = (name for name, found in store.gateway.fetch(current(store)).documents.items() if found.origin == "desk")
    assert 2 == len(forget.records(store.gateway, [first]).documents)


def test_a_record_without_a_key_stays_out_as_long_as_it_says_the_same(store: Store) -> None:
    keyless = {"keys": ()}
    store.sync(rows("1 is open", "2 is open", done=True) | keyless)
    store.forget("1 is open")
    assert 1 == store.sync(rows("1 is open", "2 is open", done=True) | keyless, full=True).withheld
    assert ["2 is open"] == store.texts()
    store.sync(rows("1 is open", "2 is open", done=True) | keyless, forgotten=True)
    assert 0 == store.sync(rows("1 is open", "2 is open", done=True) | keyless, full=True).withheld
    assert ["1 is open", "2 is open"] == store.texts()


class Older:
    """A gateway's way to plugins, of which the store was made for the contract before this hook."""

    def __init__(self, plugins: Any) -> None:
        self._plugins = plugins

    def call(self, kind: str, name: str, hook: str, **arguments: object) -> object:
        if hook == "versions":
            raise MissingHookError(f"{name} does not implement {hook}.")
        return self._plugins.call(kind, name, hook, **arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plugins, name)


def test_a_store_that_knows_nothing_of_versions_deletes_what_was_named_and_no_more(store: Store) -> None:
    store.sync(rows("1 is open", "2 is open", done=True))
    names = current(store)
    host = store.gateway._host  # pyright: ignore[reportPrivateUsage]
    older = Gateway(replace(host, plugins=cast("Plugins", Older(host.plugins))), load_policy())
    assert () == older.versions(names)
    assert names[:1] == forget.records(older, names[:1]).documents
