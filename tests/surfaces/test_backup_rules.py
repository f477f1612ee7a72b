"""Backups, past runs and keys, seen by somebody who does not believe them: a name that must not be replaced, a file that was forged."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.bundle import new_key
from veridical.workflows.backup import FORMAT
from veridical_contract import NotPublishableError, StoreError, UsageError

from .conftest import Ran

TEXT = "The door of the shop does not close since Monday. It is closed to customers."


@pytest.fixture
def added(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    with opened(tmp_path) as veridical:
        veridical.add_source("notes", ["a.txt"])
    return tmp_path


def opened(folder: Path) -> Veridical:
    return Veridical(home=folder / "home", base=folder, environment={})


def forged(path: Path, changed: dict[str, bytes]) -> None:
    """Write a backup again with other members, under a manifest that is right."""
    with tarfile.open(path) as archive:
        members = {member.name: content.read() for member in archive if (content := archive.extractfile(member)) is not None}
    members = {name: body for name, body in members.items() if name != "MANIFEST.json"} | changed
    manifest = {"format": FORMAT, "members": {name: hashlib.sha256(body).hexdigest() for name, body in sorted(members.items())}}
    members["MANIFEST.json"] = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()
    with tarfile.open(path, "w") as archive:
        for name, body in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))


@pytest.mark.parametrize("name", ["home/store.sqlite3", "home/admission.key", "home/settings.toml", "a.txt"])
def test_force_replaces_a_backup_and_nothing_else(added: Path, name: str) -> None:
    before = (added / name).read_bytes()[:16]  # opening a store writes below its head
    with opened(added) as veridical:
        with pytest.raises(UsageError, match="--force replaces only a backup"):
            veridical.store.backup(name, force=True)
        assert (added / name).read_bytes()[:16] == before
        veridical.store.backup("kept")
        (added / "kept").write_bytes((added / "kept").read_bytes()[:2000])
        veridical.store.backup("kept", force=True)
        veridical.store.restore("kept")
        assert len(veridical.search_evidence("door")) == 1


def test_a_backup_whose_key_is_none_changes_nothing(added: Path) -> None:
    with opened(added) as veridical:
        veridical.store.backup("kept")
        forged(added / "kept", {"admission.key": b"short"})
        with pytest.raises(StoreError, match="its key is none"):
            veridical.store.restore("kept")
        assert len(veridical.search_evidence("door")) == 1


def test_documents_that_come_with_another_key_are_named_and_not_served(added: Path) -> None:
    with opened(added) as veridical:
        veridical.store.backup("kept")
        forged(added / "kept", {"admission.key": bytes(32)})
        veridical.store.restore("kept")
    with opened(added) as veridical:
        assert veridical.search_evidence("door") == ()
        assert any("not as this installation admitted them" in problem for problem in veridical.doctor(check_store=True).problems)


def test_a_report_whose_digest_the_ledger_lost_is_not_published(added: Path) -> None:
    with opened(added) as veridical:
        veridical.research("Which door does not close?")
        (row,) = veridical.store.runs()
        (added / "home" / "runs" / f"{row.run}.sha256").unlink()
        with pytest.raises(NotPublishableError, match="is not the one that was published"):
            veridical.store.reopen(row.run)


def test_a_past_run_is_exported_for_a_program_too(veridical: Callable[..., Ran], added: Path) -> None:
    veridical("research", "Which door does not close?", "-o", "first.zip")
    (run,) = json.loads(veridical("runs", "list", "--json").out)
    ran = veridical("runs", "export", run["run"], "-o", "again.zip", "--json")
    assert (ran.code, json.loads(ran.out)["file"], len(json.loads(ran.out)["root"])) == (0, "again.zip", 64)


def test_a_reason_moves_no_cursor(veridical: Callable[..., Ran], added: Path) -> None:
    (found,) = json.loads(veridical("evidence", "search", "door", "--json").out)
    veridical("forget", found["id"], "--reason", "\x1b[2Jgone", "--yes")
    said = veridical("evidence", "show", found["id"]).err
    assert ("\x1b" in said, "gone" in said) == (False, True)


@pytest.mark.parametrize("name", [".", "..", "/"])
def test_a_key_has_a_name(name: str) -> None:
    with pytest.raises(UsageError):
        new_key(Path(name))


def test_a_public_key_that_cannot_be_written_leaves_no_private_one(tmp_path: Path) -> None:
    (tmp_path / "ann.pem.pub").symlink_to("nowhere")
    with pytest.raises(UsageError, match="is there already"):
        new_key(tmp_path / "ann.pem")
    assert not (tmp_path / "ann.pem").exists()
