"""A store moves forward to this version, all of it or nothing, and never back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from veridical_contract import Migration, StoreError
from veridical_sqlite import SqliteStorage
from veridical_sqlite.connection import Database
from veridical_sqlite.schema import MIGRATIONS

from plugins.sqlite.tests.kit import Context, batch, current, document

NOW = len(MIGRATIONS)


def add_note(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE containers ADD COLUMN note TEXT NOT NULL DEFAULT 'none yet'")


def fill_note(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE containers SET note = 'about ' || name")


def broken(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (row INTEGER PRIMARY KEY)")
    raise RuntimeError("the migration does not work")


def database(file: Path, *more: object) -> Database:
    return Database(lambda: file, busy_seconds=5, cancelled=bool, migrations=(*MIGRATIONS, *more))  # type: ignore[arg-type]


def test_migrate_says_what_it_did(tmp_path: Path) -> None:
    assert SqliteStorage(Context(tmp_path)).migrate() == Migration(before=0, after=NOW)
    assert SqliteStorage(Context(tmp_path)).migrate() == Migration(before=NOW, after=NOW)
    used = SqliteStorage(Context(tmp_path))
    used.put(batch(document("one")))
    assert used.migrate() == Migration(before=NOW, after=NOW)


def test_what_is_missing_is_run_in_order_and_nothing_twice(store: SqliteStorage, file: Path, tables) -> None:
    store.put(batch(document("one")))
    assert database(file, add_note).open() == (NOW, NOW + 1)
    assert database(file, add_note, fill_note).open() == (NOW + 1, NOW + 2)
    assert database(file, add_note, fill_note).open() == (NOW + 2, NOW + 2)
    assert tables("SELECT name, note FROM containers") == [("a.txt", "about a.txt")]
    assert tables("PRAGMA user_version") == [(NOW + 2,)]


def test_a_migration_that_fails_leaves_the_store_as_it_was(store: SqliteStorage, file: Path, tables) -> None:
    store.put(batch(document("one")))
    with pytest.raises(RuntimeError, match="does not work"):
        database(file, add_note, broken).open()
    assert tables("PRAGMA user_version") == [(NOW,)]
    assert tables("SELECT name FROM pragma_table_info('containers') WHERE name = 'note'") == []
    assert tables("SELECT name FROM sqlite_schema WHERE name = 'half'") == []
    assert current(store) == ["one"]


def test_a_store_that_cannot_be_made_leaves_nothing_behind(file: Path) -> None:
    with pytest.raises(RuntimeError):
        database(file, broken).open()
    assert list(file.parent.iterdir()) == []


def test_a_store_of_a_newer_version_is_refused_with_the_fix(store: SqliteStorage, context: Context, file: Path) -> None:
    store.put(batch(document("one")))
    database(file, add_note, fill_note).open()
    with pytest.raises(StoreError, match=f"has schema version {NOW + 2}; this veridical-sqlite knows versions up to {NOW}") as refused:
        SqliteStorage(context).migrate()
    assert refused.value.hint == "Update it: pip install --upgrade veridical-sqlite"
