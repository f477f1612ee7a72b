"""What is deleted is gone: from every hook, from every byte of the files; a tombstone says so."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from veridical_contract import DeleteReceipt, DeleteRequest, StoredRun, StoreError, StoreFullError
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, current, digest, document, found, raw, texts


def test_a_deletion_is_not_undone_by_reading_the_same_container_since_its_fingerprint_is_still_known(store: SqliteStorage) -> None:
    store.put(batch(document("one"), document("two")))
    store.delete(DeleteRequest(documents=(document("one").id,), reason="x"))
    assert [(row.fingerprint, row.documents) for row in store.containers(origin="notes")] == [("f1", 1)]


def test_deleting_a_source_takes_what_only_it_holds_or_ever_held(store: SqliteStorage) -> None:
    everything = ("mine", "mine before", "shared", "shared before", "being read", "theirs")
    store.put(batch(document("mine before"), document("shared before")))
    store.put(batch(document("mine"), document("shared"), document("being read"), fingerprint="f2"))
    store.put(batch(document("shared before"), document("theirs"), origin="mail"))
    store.put(batch(document("shared"), document("theirs"), origin="mail", fingerprint="f2"))
    store.put(batch(document("being read"), origin="web", last=False))
    receipt = store.delete(DeleteRequest(origin="notes", reason="source removed"))
    assert receipt == DeleteReceipt(deleted=3)
    ids = [document(text).id for text in everything]
    assert texts(store, *ids) == [None, None, "shared", None, "being read", "theirs"]
    assert store.containers(origin="notes") == ()
    assert current(store) == ["shared", "theirs"]
    store.put(batch(origin="web", first=False))
    assert current(store) == ["being read", "shared", "theirs"]
    assert store.state(depth="whole").problems == ()


def test_a_source_that_is_deleted_while_it_is_read_does_not_come_back(context: Context, store: SqliteStorage) -> None:
    store.put(batch(document("one"), last=False))
    SqliteStorage(context).delete(DeleteRequest(origin="notes", reason="x"))
    with pytest.raises(StoreError, match="was dropped"):
        store.put(batch(document("two"), first=False))


def step(number: int, body: bytes) -> StoredRun:
    previous = "0" * 64 if number == 0 else digest(b"the question")
    return StoredRun(run="r", step=number, kind="report" if number else "begin", body=body, previous=previous)


def test_a_report_that_repeats_deleted_words_goes_with_them_and_its_chain_holds(store: SqliteStorage, tmp_path: Path) -> None:
    gone, other = document("secret"), document("other")
    words = random.Random(0).randbytes(100)
    store.put(batch(gone, other))
    store.put_run(step(0, b"the question"))
    store.put_run(step(1, words))
    assert words in _bytes(tmp_path)
    kept = store.delete(DeleteRequest(documents=(other.id,), reason="x", dependents={"r": (gone.id,)}))
    assert (kept, store.runs(run="r", limit=1)[1].body) == (DeleteReceipt(deleted=1), words)
    receipt = store.delete(DeleteRequest(documents=(gone.id,), reason="x", dependents={"r": (gone.id,)}))
    assert receipt == DeleteReceipt(deleted=1, withdrawn=1)
    assert [entry.body for entry in store.runs(run="r", limit=1)] == [b"the question", b""]
    assert store.runs(run=None, limit=1)[0].body == b""
    assert words not in _bytes(tmp_path)
    assert store.state(depth="whole").problems == ()


def test_nothing_else_of_a_run_can_be_changed(store: SqliteStorage, tables) -> None:
    store.put_run(step(0, b"the question"))
    for change in ("body = x'00'", "body = x'', size = 0", "body = x'', kind = 'report'", "digest = x''"):
        with pytest.raises(Exception, match="a step of a run is never changed"):
            tables(f"UPDATE runs SET {change}")


def _bytes(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_a_deletion_writes_the_file_anew_since_copies_of_moved_rows_stay_in_unused_parts_of_pages(tmp_path: Path, tables) -> None:
    """Which copies stay depends on how pages were divided: two in a thousand deletions, so that only the kill test meets one."""
    store = SqliteStorage(Context(tmp_path))
    documents = [document(f"{number} " + random.Random(number).randbytes(500).hex()) for number in range(300)]
    store.put(batch(*documents))
    store.delete(DeleteRequest(documents=tuple(one.id for one in documents[1:]), reason="x"))
    assert tables("PRAGMA freelist_count") == [(0,)]
    assert tables("SELECT count(*) FROM traces") == [(0,)]


def test_a_deletion_that_finds_no_room_to_write_the_file_anew_says_so_and_is_finished_later(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=6m", str(small_disk)], check=True)
    store = SqliteStorage(Context(small_disk))
    record = raw(random.Random(1).randbytes(2_000_000))
    store.put(batch(document("kept", raw=record), document("one"), raws=(record,)))
    store._database.truncate_log()
    (small_disk / "ballast").write_bytes(bytes(shutil.disk_usage(small_disk).free - 1_000_000))
    with pytest.raises(StoreFullError, match="1 document is deleted, and traces may be left"):
        store.delete(DeleteRequest(documents=(document("one").id,), reason="x"))
    (small_disk / "ballast").unlink()
    again = SqliteStorage(Context(small_disk))
    assert current(again) == ["kept"]
    with again._database.read("the table traces") as connection:
        assert connection.execute("SELECT count(*) FROM traces").fetchone() == (0,)


def test_what_a_killed_deletion_left_to_clear_is_cleared_at_the_next_opening(tmp_path: Path, size_of_table, tables) -> None:
    store = SqliteStorage(Context(tmp_path))
    store.put(batch(document("one"), document("two", title="zqxjkvw")))
    tables("INSERT INTO traces DEFAULT VALUES")
    assert size_of_table("traces") == 1
    SqliteStorage(Context(tmp_path)).migrate()
    assert size_of_table("traces") == 0


def test_no_byte_of_a_repaired_document_stays_although_others_were_packed_against_it(tmp_path: Path, size_of_table, tables) -> None:
    store = SqliteStorage(Context(tmp_path))
    documents = [document(f"number {number} with zqxjkvw{number:08d}") for number in range(80)]
    store.put(batch(*documents))
    tables("UPDATE documents SET body = zeroblob(9) WHERE row = 1")
    store.repair((documents[0],), ())
    store.delete(DeleteRequest(documents=(documents[0].id,), reason="x"))
    assert size_of_table("dictionaries") == 0
    assert b"zqxjkvw00000000" not in _bytes(tmp_path)
    assert store.state(depth="whole").problems == ()


@pytest.mark.parametrize("damage", ["words = zeroblob(9)", "words = zeroblob(4)", '"end" = "end" - 1'])
def test_a_damaged_document_can_be_deleted_and_the_index_is_whole_again(store: SqliteStorage, tables, damage: str) -> None:
    store.put(batch(document("healthy words"), document("damaged words")))
    tables(f"UPDATE passages SET {damage} WHERE row = 2")
    assert {problem.what for problem in store.state(depth="whole").problems} == {"index"}
    store.delete(DeleteRequest(documents=(document("damaged words").id,), reason="damaged"))
    assert store.state(depth="whole").problems == ()
    assert found(store, "words") == ["healthy words"]


def test_tombstones_cannot_be_changed_or_removed(store: SqliteStorage, tables) -> None:
    store.put(batch(document("one")))
    store.delete(DeleteRequest(documents=(document("one").id,), reason="x"))
    for statement in ("UPDATE tombstones SET reason = 'y'", "DELETE FROM tombstones", "REPLACE INTO tombstones SELECT * FROM tombstones"):
        with pytest.raises(Exception, match="a tombstone is never"):
            tables(statement)


def test_what_was_deleted_leaves_the_log_of_a_killed_process_at_the_next_opening(tmp_path: Path) -> None:
    store, reader = SqliteStorage(Context(tmp_path / "one", {"busy_seconds": 0.01})), SqliteStorage(Context(tmp_path / "one"))
    secret = raw(random.Random(0).randbytes(60))
    store.put(batch(document("secret", raw=secret), raws=(secret,)))
    with reader._database.read("the file") as connection:
        connection.execute("SELECT count(*) FROM documents").fetchone()
        store.delete(DeleteRequest(documents=(document("secret", raw=secret).id,), reason="x"))
        shutil.copytree(tmp_path / "one", tmp_path / "two")  # as it stood when both were killed
    assert secret.body in _bytes(tmp_path / "two")
    SqliteStorage(Context(tmp_path / "two")).migrate()
    assert secret.body not in _bytes(tmp_path / "two")
