"""The file: private, its own, and every way in which it cannot be used is one line with the next step."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import (
    CancelledError,
    ScanRequest,
    StoreCorruptError,
    StoredDocument,
    StoreError,
    StoreFullError,
    TextQuery,
)
from veridical_sqlite import SqliteStorage, failures

from plugins.sqlite.tests.kit import Context, batch, current, digest, document, found, raw

ELSEWHERE = "Choose another folder with `--home DIR` or the VERIDICAL_HOME variable."


def modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(file.stat().st_mode & 0o777) for file in folder.iterdir()}


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_the_file_its_log_and_its_shared_memory_are_born_private_whatever_the_umask(store: SqliteStorage, tmp_path: Path) -> None:
    store.put(batch(document("one")))
    assert modes(tmp_path) == dict.fromkeys(("store.sqlite3", "store.sqlite3-wal", "store.sqlite3-shm"), "0o600")


def test_a_file_that_others_could_read_is_made_private(context: Context, store: SqliteStorage, tmp_path: Path) -> None:
    store.put(batch(document("one")))
    for file in tmp_path.iterdir():
        file.chmod(0o644)
    assert current(SqliteStorage(context)) == ["one"]
    assert set(modes(tmp_path).values()) == {"0o600"}


def test_the_file_says_whose_it_is_and_how_it_is_kept(store: SqliteStorage, tables) -> None:
    store.migrate()
    assert tables("PRAGMA application_id") == [(0x76726463,)]
    assert tables("PRAGMA journal_mode") == [("wal",)]
    with store._database.read("the file") as connection:
        assert [connection.execute(f"PRAGMA {name}").fetchone() for name in ("secure_delete", "foreign_keys")] == [(1,), (1,)]


def test_the_steps_of_a_run_are_on_the_disk_before_the_call_returns(store: SqliteStorage) -> None:
    """In SQLite's words: synchronous is 2, FULL; elsewhere 1, NORMAL, which in a WAL keeps transactions whole."""
    with store._database.write_through() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    with store._database.write() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (1,)


def refusal(store: SqliteStorage) -> StoreError:
    with pytest.raises(StoreError) as refused:
        store.migrate()
    assert "\n" not in str(refused.value)
    return refused.value


def test_the_file_of_another_program_is_refused_and_left_alone(store: SqliteStorage, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = file.read_bytes()
    error = refusal(store)
    assert (error.message, error.hint) == (f"{file} is an SQLite file of another program, not a veridical store.", ELSEWHERE)
    assert file.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(store: SqliteStorage, file: Path) -> None:
    file.write_text("my own notes, which are long enough to be a header of a hundred bytes " * 10)
    error = refusal(store)
    assert isinstance(error, StoreCorruptError)
    assert "the file: it is not an SQLite file, or its first bytes were changed" in error.message


def test_an_empty_file_is_a_store_that_was_cut(store: SqliteStorage, file: Path) -> None:
    file.touch()
    error = refusal(store)
    assert isinstance(error, StoreCorruptError)
    assert "the file: it is empty" in error.message


def test_a_folder_at_the_path_of_the_store_is_refused(store: SqliteStorage, file: Path) -> None:
    file.mkdir()
    assert "cannot be used" in refusal(store).message


def test_a_dangling_link_is_refused_and_not_followed(store: SqliteStorage, file: Path, tmp_path: Path) -> None:
    file.symlink_to(tmp_path / "elsewhere")
    refusal(store)
    assert not (tmp_path / "elsewhere").exists()


def test_a_store_behind_a_link_is_used(tmp_path: Path) -> None:
    SqliteStorage(Context(tmp_path / "real")).put(batch(document("one")))
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "store.sqlite3").symlink_to(tmp_path / "real" / "store.sqlite3")
    assert current(SqliteStorage(Context(tmp_path / "linked"))) == ["one"]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = refusal(SqliteStorage(Context(tmp_path / "file" / "below")))
    assert error.hint == ELSEWHERE


def test_a_data_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    class ReadOnlyHome(Context):
        @property
        def data_dir(self) -> Path:
            raise PermissionError(errno.EACCES, "Permission denied", "/home/someone")

        @data_dir.setter
        def data_dir(self, value: Path) -> None: ...

    assert str(refusal(SqliteStorage(ReadOnlyHome(tmp_path)))) == (
        f"The store /home/someone cannot be used: Permission denied. {ELSEWHERE}"
    )


@pytest.mark.parametrize("made", [False, True])
def test_a_read_only_place_is_one_line_with_the_way_out(small_disk: Path, made: bool) -> None:
    if made:
        SqliteStorage(Context(small_disk)).put(batch(document("one")))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    error = refusal(SqliteStorage(Context(small_disk)))
    assert error.hint == ELSEWHERE
    assert ("cannot be written: the file is read-only" if made else "Read-only file system") in error.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("target", ["store.sqlite3", "."])
def test_a_store_without_the_right_to_write_is_one_line_with_the_way_out(store: SqliteStorage, tmp_path: Path, target: str) -> None:
    store.put(batch(document("one")))
    (tmp_path / target).chmod(0o500)
    error = refusal(SqliteStorage(Context(tmp_path)))
    (tmp_path / target).chmod(0o700)
    assert (error.hint, "cannot be written" in error.message) == (ELSEWHERE, True)


def test_a_full_disk_costs_only_what_did_not_fit(small_disk: Path) -> None:
    store = SqliteStorage(Context(small_disk))
    kept: list[str] = []

    def fill() -> None:
        for number in range(100):
            record = raw(os.urandom(100_000))
            store.put(batch(document(f"text {number}", raw=record), raws=(record,), container=str(number)))
            kept.append(f"text {number}")

    with pytest.raises(StoreFullError, match=r"no room left .* Make room\."):
        fill()
    assert kept
    assert current(store) == sorted(kept)
    for again in (store, SqliteStorage(Context(small_disk))):
        assert current(again) == sorted(kept)
        assert sorted(found(again, "text")) == sorted(kept)


def test_a_disk_that_is_full_from_the_start_is_the_same_error(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(1 << 20))
    assert isinstance(refusal(SqliteStorage(Context(small_disk))), StoreFullError)
    assert [file.name for file in small_disk.iterdir()] == ["ballast"]


def test_a_disk_that_was_filled_since_is_the_same_error_and_nothing_is_lost(small_disk: Path) -> None:
    SqliteStorage(Context(small_disk)).put(batch(document("one")))
    ballast = small_disk / "ballast"
    with suppress(OSError):
        ballast.write_bytes(bytes(1 << 20))
    assert isinstance(refusal(SqliteStorage(Context(small_disk))), StoreFullError)
    ballast.unlink()
    assert current(SqliteStorage(Context(small_disk))) == ["one"]


def test_a_full_disk_is_told_from_other_errors_of_the_file_system(file: Path) -> None:
    for number in (errno.ENOSPC, errno.EDQUOT):
        assert isinstance(failures.of_system(OSError(number, os.strerror(number)), file), StoreFullError)
    assert str(failures.of_system(OSError(errno.EACCES, "Permission denied"), file)) == (
        f"The store {file} cannot be used: Permission denied. {ELSEWHERE}"
    )


def test_a_store_that_may_not_grow_is_full_and_what_was_written_is_whole(store: SqliteStorage) -> None:
    store.put(batch(document("one")))
    with store._database.read("the file") as connection:
        connection.execute("PRAGMA max_page_count = 60").fetchall()
    big = raw(os.urandom(1_000_000))
    with pytest.raises(StoreFullError):
        store.put(batch(document("two", raw=big), raws=(big,), container="b.txt"))
    assert current(store) == ["one"]
    assert store.state(depth="whole").problems == ()


def test_a_call_that_is_no_longer_wanted_stops_and_leaves_nothing(context: Context, store: SqliteStorage) -> None:
    store.put(batch(*(document(f"some common words {n}") for n in range(3000))))
    context.unwanted = True
    with pytest.raises(CancelledError):
        store.candidates(TextQuery(text="common", limit=10_000))
    for other in ([document("other words")], [document(f"other words {n}") for n in range(3000)]):
        with pytest.raises(CancelledError):
            store.put(batch(*other))
    context.unwanted = False
    assert len(store.candidates(TextQuery(text="common", limit=10_000))) == 3000
    assert found(store, "other") == []


def test_a_store_that_is_removed_or_replaced_while_it_is_open_is_an_error(context: Context, store: SqliteStorage, file: Path) -> None:
    store.put(batch(document("one")))
    file.rename(file.with_name("away"))
    with pytest.raises(StoreError, match="was removed or replaced while it was open"):
        store.scan(ScanRequest())
    SqliteStorage(context).migrate()
    with pytest.raises(StoreError, match="was removed or replaced while it was open"):
        store.put(batch(document("two")))


# Damage


def close(store: SqliteStorage) -> None:
    """Put all that is in the log into the file."""
    store._database.truncate_log()


def flip(file: Path, where: bytes) -> None:
    content = bytearray(file.read_bytes())
    assert content.count(where) == 1
    content[content.index(where) + len(where) // 2] ^= 1
    file.write_bytes(content)


def test_a_flipped_byte_of_a_document_is_found_at_the_next_read_and_named(context: Context, store: SqliteStorage, file: Path) -> None:
    body = os.urandom(500)
    damaged, healthy = document("damaged", body=body), document("healthy")
    store.put(batch(damaged, healthy))
    close(store)
    flip(file, body)
    again = SqliteStorage(context)
    one, other = again.get((healthy.id, damaged.id))
    assert one is not None
    assert one.body == healthy.body
    assert other is not None
    assert digest(other.body) != damaged.id
    (problem,) = (found for found in again.state(depth="whole").problems if found.what == "document")
    assert (problem.name, problem.detail) == (damaged.id, "its bytes do not hash to its name")
    assert (problem.raw, problem.near, problem.containers) == (None, (healthy.id,), (("notes", "a.txt"),))


def test_a_flipped_byte_of_a_record_is_found_at_the_next_read_and_named(context: Context, store: SqliteStorage, file: Path) -> None:
    record = raw(os.urandom(500))
    store.put(batch(document("one", raw=record), raws=(record,)))
    close(store)
    flip(file, record.body)
    again = SqliteStorage(context)
    (left,) = again.raw((record.digest,))
    assert left is not None
    assert digest(left) != record.digest
    (problem,) = again.state(depth="whole").problems
    assert (problem.what, problem.name, problem.detail) == ("raw", record.digest, "its bytes do not hash to its name")
    assert problem.near == (document("one", raw=record).id,)


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("DELETE FROM raws", ("raw", "the raw bytes of this document are missing")),
        ("UPDATE documents SET size = size + 1", ("document", "its bytes do not hash to its name")),
        ("DELETE FROM dictionaries", ("document", "its bytes do not hash to its name")),
        ("DELETE FROM passages WHERE row = 1", ("index", "passage_index cannot be read: database disk image is malformed")),
        ("DELETE FROM passage_index_docsize WHERE id = 2", ("index", "passage_index cannot be read: database disk image is malformed")),
        ("UPDATE passage_index_data SET block = zeroblob(20) WHERE id > 10", ("index", "passage_index cannot be read")),
        ("DELETE FROM passage_index_data", ("index", "passage_index cannot be read")),
        ("DELETE FROM generations", ("file", "names a row of generations that is not there")),
        ("DROP TABLE raws", ("raw", "cannot be read: no such table")),
        ("DROP TABLE passage_index", ("index", "no such table")),
        ("DROP TABLE holdings", ("file", "no such table")),
    ],
)
def test_a_check_finds_what_is_missing_or_out_of_step(store: SqliteStorage, tables, damage: str, problem: tuple[str, str]) -> None:
    record = raw(b"record")
    store.put(batch(document("one two", raw=record), *(document(f"text number {n}") for n in range(60)), raws=(record,)))
    assert store.state(depth="whole").problems == ()
    tables(damage)
    problems = [(found.what, f"{found.name} {found.detail}") for found in store.state(depth="whole").problems]
    assert [what for what, text in problems if what == problem[0] and problem[1] in text] != []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            "CREATE TRIGGER mine AFTER INSERT ON runs BEGIN DELETE FROM traces; END",
            ("trigger mine", "is not, or not in this form, a part of a store"),
        ),
        ("CREATE TABLE mine (x)", ("table mine", "is not, or not in this form, a part of a store")),
        ("DROP TRIGGER tombstones_stay", ("trigger tombstones_stay", "is missing")),
        ("DROP INDEX documents_raw", ("index documents_raw", "is missing")),
    ],
)
def test_a_check_finds_what_was_added_to_the_schema_or_taken_away(
    store: SqliteStorage, tables, change: str, problem: tuple[str, str]
) -> None:
    store.put(batch(document("one")))
    tables(change)
    assert [problem] == [(found.name, found.detail) for found in store.state(depth="whole").problems]


def test_an_index_that_was_changed_behind_its_back_is_found(store: SqliteStorage, tables) -> None:
    store.put(batch(document("one two")))
    tables("INSERT INTO passage_index (passage_index, rowid, words) VALUES ('delete', 1, 'one')")
    assert [problem.what for problem in store.state(depth="whole").problems] == ["index"]


def test_a_check_that_is_no_longer_wanted_finds_nothing_wrong(context: Context, store: SqliteStorage) -> None:
    store.put(batch(*(document(f"text number {n}") for n in range(2000))))
    context.unwanted = True
    with pytest.raises(CancelledError):
        store.state(depth="whole")


def test_what_the_file_no_longer_gives_is_damaged_and_not_missing(store: SqliteStorage, tables) -> None:
    one = document("one")
    store.put(batch(one))
    tables("DROP TABLE dictionaries")
    assert store.get((one.id,)) == (StoredDocument(body=b"", tag=b""),)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_a_truncated_file_is_found_and_named(context: Context, file: Path, share: float) -> None:
    documents = [document(f"text {n} {os.urandom(200).hex()}") for n in range(300)]
    SqliteStorage(context).put(batch(*documents))
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    again = SqliteStorage(context)
    with suppress(StoreCorruptError):  # not even its head is there
        bodies = [found and found.body for found in again.get(tuple(d.id for d in documents))]
        assert bodies != [d.body for d in documents]
        assert [] == [d.id for body, d in zip(bodies, documents, strict=True) if body not in (None, d.body) and digest(body) == d.id]
        assert again.state(depth="whole").problems != ()


def test_a_check_of_a_truncated_file_names_what_is_gone(context: Context, store: SqliteStorage, file: Path) -> None:
    store.put(batch(*(document(f"text {n} {os.urandom(200).hex()}") for n in range(300))))
    close(store)
    with file.open("r+b") as cut:  # under the open connection, which still knows how long it was
        cut.truncate(file.stat().st_size * 9 // 10)
    problems = SqliteStorage(context).state(depth="whole").problems
    assert {problem.what for problem in problems} >= {"file", "index"}


def test_a_store_whose_log_was_lost_holds_what_was_in_the_file(context: Context, store: SqliteStorage, file: Path, tmp_path: Path) -> None:
    store.put(batch(document("one")))
    close(store)
    store.put(batch(document("two"), container="b.txt"))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / file.name).write_bytes(file.read_bytes())
    lost = SqliteStorage(Context(copy))
    assert current(lost) == ["one"]
    assert lost.state(depth="whole").problems == ()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, bytes], dict[str, bytes]]:
    """The bytes of a store with a bit of everything, its documents and its records."""
    folder = tmp_path_factory.mktemp("filled")
    store = SqliteStorage(Context(folder))
    records = [raw(f"record {n}".encode() * (n + 1)) for n in range(8)]
    documents = [document(f"word{n} of many words in a text", raw=records[n % 8], title="Title") for n in range(70)]
    store.put(batch(*documents, raws=tuple(records)))
    store.put(batch(document("small and alone"), container="b.txt"))
    close(store)
    content = (folder / "store.sqlite3").read_bytes()
    return content, {d.id: d.body for d in [*documents, document("small and alone")]}, {r.digest: r.body for r in records}


@given(data=st.data())
def test_whatever_byte_is_changed_nothing_is_served_that_was_not_put(
    filled: tuple[bytes, dict[str, bytes], dict[str, bytes]], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Every hook answers with what was put, with less of it, or with a `StoreError`; it raises nothing else."""
    content, documents, records = filled
    place = data.draw(st.integers(0, len(content) - 1))
    value = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "store.sqlite3").write_bytes(content[:place] + bytes([value]) + content[place + 1 :])
    store = SqliteStorage(Context(folder))
    for names, put, read in ((documents, documents, store.get), (records, records, store.raw)):
        for name in list(names)[::9]:
            try:
                (answer,) = read((name,))
            except StoreError:
                continue
            body = answer if isinstance(answer, bytes) else answer and answer.body
            assert body is None or body == put[name] or digest(body) != name
    for hook in (
        lambda: store.candidates(TextQuery(text="word1 words small")),
        lambda: store.scan(ScanRequest()),
        lambda: store.containers(origin="notes"),
        lambda: store.runs(run=None, limit=5),
        lambda: store.state(depth="whole"),
        lambda: store.put(batch(document("one more"), container="c.txt")),
    ):
        with suppress(StoreError):
            hook()


def test_what_a_killed_maker_left_is_removed_and_what_one_at_work_makes_is_not(context: Context, store: SqliteStorage, file: Path) -> None:
    store.put(batch(document("one")))
    old, copied, new, linked, other = (
        file.with_name(f"{file.name}.{name}") for name in ("a.new", "restored", "b.new-wal", "c.new", "before-20260101000000")
    )
    for made in (old, copied, new, other):
        made.write_bytes(b"half made")
    for made in (old, copied, other):
        os.utime(made, (0, 0))
    os.link(file, linked)
    assert current(SqliteStorage(context)) == ["one"]
    assert [place.exists() for place in (old, copied, new, linked, other)] == [False, False, True, False, True]


@pytest.mark.parametrize(("settings", "megabytes"), [({}, 64), ({"cache_megabytes": 2}, 2)], ids=["default", "set"])
def test_only_so_much_of_the_file_is_kept_in_memory(settings: dict[str, object], megabytes: int, tmp_path: Path) -> None:
    store = SqliteStorage(Context(tmp_path, settings))
    store.put(batch(document("one")))
    with store._database.read("the cache") as connection:
        assert (-megabytes * 1024,) == connection.execute("PRAGMA cache_size").fetchone()
