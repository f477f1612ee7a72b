"""A backup is a whole store at one moment, and nothing that is not whole becomes the store."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from veridical_contract import Backup, StoreCorruptError, StoreError
from veridical_sqlite import SqliteStorage
from veridical_sqlite.schema import MIGRATIONS

from plugins.sqlite.tests.kit import Context, batch, current, document, found, raw

NOW = len(MIGRATIONS)


def test_a_backup_holds_what_the_store_held_and_is_private(store: SqliteStorage, tmp_path: Path) -> None:
    store.put(batch(document("one")))
    copy = tmp_path / "copy"
    assert store.backup(str(copy)) == Backup(documents=1, schema_version=NOW)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    store.put(batch(document("two"), container="b.txt"))
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy"]
    restored = SqliteStorage(Context(tmp_path / "other"))
    assert restored.restore(str(copy)).after == NOW
    assert (current(restored), found(restored, "one")) == (["one"], ["one"])


def test_a_damaged_store_makes_no_backup(store: SqliteStorage, tables, tmp_path: Path) -> None:
    store.put(batch(document("one")))
    tables("UPDATE documents SET body = zeroblob(9)")
    with pytest.raises(StoreCorruptError, match="its bytes do not hash to its name"):
        store.backup(str(tmp_path / "copy"))
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == []


def test_restoring_keeps_what_was_the_store_beside_it(store: SqliteStorage, tmp_path: Path, file: Path) -> None:
    store.put(batch(document("one")))
    store.backup(str(tmp_path / "copy"))
    store.put(batch(document("two"), container="b.txt"))
    store.restore(str(tmp_path / "copy"))
    assert current(store) == current(SqliteStorage(Context(tmp_path))) == ["one"]
    (before,) = (name for name in tmp_path.iterdir() if ".before-" in name.name)
    assert before.name == "store.sqlite3.before-20260101000000"
    (tmp_path / "old").mkdir()
    before.rename(tmp_path / "old" / "store.sqlite3")
    assert current(SqliteStorage(Context(tmp_path / "old"))) == ["one", "two"]


def test_a_store_that_cannot_be_opened_is_restored(store: SqliteStorage, context: Context, tmp_path: Path, file: Path) -> None:
    store.put(batch(document("one")))
    store.backup(str(tmp_path / "copy"))
    file.write_bytes(b"junk " * 1000)
    again = SqliteStorage(context)
    again.restore(str(tmp_path / "copy"))
    assert current(again) == ["one"]


@pytest.mark.parametrize("junk", ["nothing", "text", "cut", "changed"])
def test_what_is_not_a_whole_backup_is_refused_and_the_store_stays(store: SqliteStorage, tmp_path: Path, junk: str) -> None:
    record = raw(bytes(range(256)) * 2)
    store.put(batch(document("one", raw=record), raws=(record,)))
    copy = tmp_path / "copy"
    store.backup(str(copy))
    content = copy.read_bytes()
    if junk == "nothing":
        copy.unlink()
    elif junk == "text":
        copy.write_text("my own notes " * 1000)
    elif junk == "cut":
        copy.write_bytes(content[: len(content) // 2])
    else:
        at = content.rindex(b"one")
        copy.write_bytes(content[:at] + b"two" + content[at + 3 :])
    with pytest.raises(StoreError, match=r"/(copy|store.sqlite3.restored) "):
        store.restore(str(copy))
    assert current(store) == ["one"]
    assert not [file.name for file in tmp_path.iterdir() if "restored" in file.name or "before" in file.name]


def test_two_restores_in_one_second_keep_both_stores_that_were_there(store: SqliteStorage, tmp_path: Path, file: Path) -> None:
    store.put(batch(document("one")))
    store.backup(str(tmp_path / "copy"))
    store.put(batch(document("two"), container="b.txt"))
    store.restore(str(tmp_path / "copy"))
    store.restore(str(tmp_path / "copy"))
    kept = [place for place in file.parent.glob(f"{file.name}.before-*") if not place.name.endswith(("-wal", "-shm"))]
    assert len(kept) == 2
