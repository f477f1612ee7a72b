"""Attacks on bytes: every byte of a bundle, and the file of the real store under the real plugin."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from veridical.bundle.checker import Bundle, DoesNotVerify, main
from veridical.kernel.canonical import digest
from veridical.workflows.progress import Silent
from veridical.workflows.research import Brief, research
from veridical_contract import VeridicalError
from veridical_sqlite import SqliteStorage
from veridical_sqlite.plugin import SqliteSettings

from tests.properties.liars import forged
from tests.properties.world import NOW, QUESTION, ROWS, MemoryStore, RowSource, World, assert_true, bundled

SMALL = ROWS[:3]


def small() -> bytes:
    world = World(rows=SMALL, source=RowSource(SMALL))
    return bundled(world.research())


def test_every_byte_of_a_bundle_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(small())
    Bundle(bytes(data), None)
    for at in range(len(data)):
        data[at] ^= 1 << at % 8
        try:
            Bundle(bytes(data), None)
        except DoesNotVerify as error:
            where, why = error.args
            assert where
            assert why
        else:
            raise AssertionError(f"byte {at} of {len(data)} can be changed")
        data[at] ^= 1 << at % 8
    print(f"\nbytes of a bundle, each changed: {len(data)}")
    path = tmp_path / "report.zip"
    for at in (0, len(data) // 2, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        path.write_bytes(changed)
        with capsys.disabled():
            pass
        assert main([str(path)]) == 4
        assert ":" in capsys.readouterr().out


@pytest.mark.parametrize("change", ["cut", "longer", "empty", "twice", "before"])
def test_a_bundle_of_another_length_does_not_verify(change: str) -> None:
    data = small()
    made = {"cut": data[:-1], "longer": data + b"\0", "empty": b"", "twice": data + data, "before": b"\0" + data}[change]
    with pytest.raises(DoesNotVerify):
        Bundle(made, None)


def test_a_bundle_does_not_verify_against_another_root() -> None:
    data = small()
    root = Bundle(data, None).root
    Bundle(data, root)
    with pytest.raises(DoesNotVerify):
        Bundle(data, digest(b"another"))


# The store's file


def storage(path: Path) -> SqliteStorage:
    context = SimpleNamespace(cancelled=lambda: False, settings=lambda _: SqliteSettings(path=str(path)), now=lambda: NOW, data=path.parent)
    return SqliteStorage(cast("Any", context))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A store file with every row in it, closed and with no log beside it."""
    path = tmp_path / "store.sqlite3"
    world = World(storage=storage(path))
    gateway = world.gateway()
    gateway.migrate()
    world.ingest(gateway)
    del world, gateway
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def asked(path: Path) -> str:
    """What a research on the store comes to: `true`, `refused` or the error's class; a false report fails the test."""
    world = World(storage=storage(path))
    try:
        published = research(world.gateway(), world.run(), Brief(QUESTION), Silent())
    except VeridicalError as error:
        return type(error).__name__
    assert_true(published)
    return "refused" if published.report.refusal is not None else "true"


def test_an_untouched_store_answers(store: Path) -> None:
    assert asked(store) == "true"


def test_flipped_bits_in_the_store_never_make_a_false_report(store: Path) -> None:
    whole = store.read_bytes()
    chance = random.Random(7)
    ends: dict[str, int] = {}
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 4, 64))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        for beside in ("-wal", "-shm"):
            Path(f"{store}{beside}").unlink(missing_ok=True)
        store.write_bytes(data)
        end = asked(store)
        ends[end] = ends.get(end, 0) + 1
    print(f"\nstores with flipped bits: {ends}")


def test_words_changed_in_place_never_make_a_false_report(store: Path) -> None:
    """Not a random bit but the same letter everywhere: what a liar with an editor would do."""
    whole = store.read_bytes()
    for old, new in ((b"fails", b"works"), (b"printer", b"scanner"), (b"https://a.example", b"https://z.example"), (b"never", b"often")):
        store.write_bytes(whole.replace(old, new))
        asked(store)


def tables(path: Path) -> dict[str, list[str]]:
    with sqlite3.connect(path) as connection:
        names = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('documents', 'raws')")
        ]
        found = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names}
    connection.close()
    return found


def test_the_tables_that_are_attacked_are_there(store: Path) -> None:
    assert tables(store).keys() == {"documents", "raws"}


@pytest.mark.parametrize("table", ["documents", "raws"])
def test_a_row_that_is_gone_is_named_and_nothing_false_is_said(store: Path, table: str) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"DELETE FROM {table} WHERE rowid % 2 = 0")
    connection.close()
    assert asked(store) in ("true", "refused", "NotPublishableError", "StoreCorruptError", "StoreError", "PluginError")


def test_a_document_that_was_put_in_by_hand_is_no_evidence(store: Path) -> None:
    """Its hash is right and it is in every index, since the plugin itself wrote it; the tag is what is missing."""
    world = World(storage=MemoryStore())
    gateway = world.gateway()
    world.ingest(gateway)
    one = next(iter(world.storage.documents.values()))  # type: ignore[attr-defined]
    body = forged(one.body, 3)
    text = "The battery of the printer fails 3 times a day and the maker knows it."
    from veridical_contract import PutBatch

    put = one.model_copy(update={"id": digest(body), "body": body, "text": text, "passages": ((0, len(text)),), "raw": None})
    plugin = storage(store)
    plugin.put(PutBatch(origin="rows", container="c2", fingerprint="f", documents=(put,), first=True, last=True))
    assert plugin.get((digest(body),))[0] is not None
    held = World(storage=plugin)
    published = research(held.gateway(), held.run(), Brief(QUESTION), Silent())
    assert_true(published)
    assert "document-added" in {row.rule for row in published.report.rejections}
    assert "maker knows" not in published.report_bytes.decode()
