"""A disk that is full, a place that is read-only, others at work: one line, the right exit code, and nothing lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.gateway.verified import Gateway
from veridical_contract import Migration

from .conftest import Ran

WORDS = "The door of the shop does not close since Monday."


@pytest.fixture
def added(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(WORDS)
    with opened(tmp_path) as veridical:
        veridical.add_source("notes", ["notes"])
    return tmp_path


def opened(folder: Path, home: str = "home") -> Veridical:
    return Veridical(home=folder / home, base=folder, environment={})


def test_a_disk_that_is_full_is_one_line_and_what_was_there_stays(added: Path) -> None:
    """A limit on the size of files stands for the disk: it works without being root, and stops the log of the store too."""
    (added / "notes" / "b.txt").write_bytes(b"".join(os.urandom(40).hex().encode() + b"\n" for _ in range(12_000)))
    limit = (
        "import resource, signal, sys; from veridical.cli import main; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY)); sys.exit(main(sys.argv[1:]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", limit, "--home", str(added / "home"), "sources", "sync"],
        cwd=added,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, len(ran.stderr.strip().splitlines())) == (6, 1), ran.stderr
    with opened(added) as veridical:
        assert len(veridical.search_evidence("door")) == 1
        assert veridical.doctor(check_store=True).problems == ()
        assert veridical.sync_sources()["notes"].added == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_small_disk_and_then_a_read_only_one(veridical: Callable[..., Ran], tmp_path: Path, small_disk: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(WORDS)
    assert veridical("sources", "add", "notes", "notes", home=small_disk).code == 0
    (tmp_path / "notes" / "b.txt").write_bytes(os.urandom(3_000_000).hex().encode())
    full = veridical("sources", "sync", home=small_disk)
    assert (full.code, "no room left" in full.line()) == (6, True)
    for command in (["evidence", "search", "door"], ["doctor", "--store"]):
        assert veridical(*command, home=small_disk).code == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused = veridical("sources", "sync", home=small_disk)
    assert (refused.code, "read-only" in refused.line().lower()) == (6, True)
    backup = veridical("store", "backup", str(small_disk / "kept"), home=small_disk)
    assert (backup.code, len(backup.err.splitlines())) == (6, 1)


def test_a_backup_that_finds_no_room_leaves_nothing(veridical: Callable[..., Ran], tmp_path: Path, small_disk: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "b.txt").write_bytes(b"".join(os.urandom(40).hex().encode() + b"\n" for _ in range(40_000)))
    assert veridical("sources", "add", "notes", "notes").code == 0
    full = veridical("store", "backup", str(small_disk / "kept"))
    assert (full.code, "no room left" in full.line()) == (6, True)
    assert list(small_disk.iterdir()) == []


def test_two_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for number in range(20):
            (tmp_path / name / f"{number}.txt").write_text(f"The {name} door number {number} does not close.")

    def add(name: str) -> None:
        with opened(tmp_path) as veridical:
            veridical.add_source(name, [name])

    threads = [threading.Thread(target=add, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with opened(tmp_path) as veridical:
        assert {row.name: row.documents for row in veridical.sources()} == {"one": 20, "two": 20}
        assert veridical.doctor(check_store=True).problems == ()


def test_one_that_opens_while_another_makes_the_key_leaves_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The door does not close.")
    migrate = Gateway.migrate

    def overtaken(gateway: Gateway) -> Migration:
        monkeypatch.setattr(Gateway, "migrate", migrate)
        result = gateway.migrate()
        with opened(tmp_path) as other:
            other.add_source("notes", ["notes"])
        return result

    monkeypatch.setattr(Gateway, "migrate", overtaken)
    with opened(tmp_path) as slower:
        assert len(slower.search_evidence("door")) == 1
        assert slower.doctor(check_store=True).problems == ()


def test_a_store_that_somebody_keeps_locked_is_one_line(veridical: Callable[..., Ran], added: Path) -> None:
    settings = added / "home" / "settings.toml"
    settings.write_text(settings.read_text() + "\n[plugin.sqlite]\nbusy_seconds = 0.2\n")
    (added / "notes" / "b.txt").write_text("The window is new.")
    with closing(sqlite3.connect(added / "home" / "store.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = veridical("sources", "sync")
        assert (ran.code, "is being written by another process; waited 0.2 seconds" in ran.line()) == (6, True)
        assert veridical("evidence", "search", "door").code == 0
        other.execute("ROLLBACK")
    assert veridical("sources", "sync").code == 0


def test_a_reader_during_a_merge_sees_every_document(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    rows = "".join(f'{{"text": "The door number {n} of the shop does not close since Monday, says the owner."}}\n' for n in range(3000))
    (tmp_path / "notes" / "a.jsonl").write_text(rows)
    with opened(tmp_path) as writer, opened(tmp_path) as reader:
        writer.add_source("notes", ["notes"])
        merged = threading.Thread(target=writer.store.tidy)
        merged.start()
        counts = {len(reader.search_evidence("door", limit=200))}
        while merged.is_alive():
            counts.add(len(reader.search_evidence("door", limit=200)))
        assert counts == {200}
        assert reader.doctor(check_store=True).problems == ()


def test_a_whole_home_that_is_copied_while_nobody_writes_is_the_same_store(added: Path) -> None:
    shutil.copytree(added / "home", added / "copy")
    with opened(added, "copy") as veridical:
        assert len(veridical.search_evidence("door")) == 1
        assert veridical.doctor(check_store=True).problems == ()
