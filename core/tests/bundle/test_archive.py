"""Writing a bundle: the same bytes for the same content, whole or not at all; and the way from files to a bundle that verifies."""

from __future__ import annotations

import errno
import io
import json
import os
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.bundle import archive, verify_bundle, write_bundle
from veridical.render import render_html, render_markdown
from veridical_contract import Report, UsageError

from .cases import Case, answered, canonical, refused, sha


@dataclass(frozen=True)
class Publication:
    report: Report
    report_bytes: bytes
    chain_bytes: bytes
    documents: dict[str, bytes] = field(default_factory=dict)
    raws: dict[str, bytes] = field(default_factory=dict)
    maps: dict[str, bytes] = field(default_factory=dict)


def published(case: Case) -> Publication:
    found = case.members()
    ids = case.ids()
    return Publication(
        Report.model_validate_json(found["report.json"]),
        found["report.json"],
        found["chain.json"],
        {name: canonical(case.documents[letter]) for letter, name in ids.items()},
        {sha(raw): raw for raw in case.raws.values()},
        {ids[letter]: canonical(runs) for letter, runs in case.maps.items()},
    )


@pytest.mark.parametrize("slim", [False, True])
@pytest.mark.parametrize("case", [answered, refused])
def test_a_written_bundle_verifies_against_its_root_digest(tmp_path, case, slim):
    path = tmp_path / "report.zip"
    root = write_bundle(published(case()), path, slim=slim)
    found = verify_bundle(path, root)
    assert (found.code, found.problem) == (0, "")
    assert "verifies: root digest as given" in found.text
    names = zipfile.ZipFile(path).namelist()
    assert any(name.startswith("raw/") for name in names) is (case is answered and not slim)


def test_the_same_content_gives_the_same_bytes(tmp_path):
    write_bundle(published(answered()), tmp_path / "a.zip")
    target = io.BytesIO()
    write_bundle(published(answered()), target)
    assert (tmp_path / "a.zip").read_bytes() == target.getvalue()


def test_the_renderings_are_members_like_all_others(tmp_path):
    one = published(answered())
    write_bundle(one, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as file:
        assert file.read("report.html").decode() == render_html(one.report)
        assert file.read("report.md").decode() == render_markdown(one.report)
        listed = json.loads(file.read("MANIFEST.json"))["members"]
        assert [row["name"] for row in listed] == [name for name in file.namelist() if name != "MANIFEST.json"]


def test_a_full_disk_leaves_the_old_bundle_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "report.zip"
    path.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_bundle(published(refused()), path)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["report.zip"]


def test_a_bundle_is_written_with_the_rights_of_any_other_file(tmp_path):
    write_bundle(published(refused()), tmp_path / "report.zip")
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "report.zip").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("limit", ["_LARGEST", "_MOST"])
def test_what_one_archive_cannot_hold_is_refused_in_words(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(archive, limit, 5)
    with pytest.raises(UsageError, match="more than one archive holds"):
        write_bundle(published(refused()), tmp_path / "report.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_cannot_be_read_says_why(tmp_path):
    found = verify_bundle(tmp_path / "none.zip")
    assert (found.code, found.text) == (2, "")
    assert "none.zip cannot be read: No such file or directory" in found.problem


def test_a_path_that_looks_like_an_option_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_bundle(published(refused()), Path("--root"))
    assert verify_bundle(Path("--root")).code == 0


def test_the_program_shows_the_items_and_speaks_json(tmp_path):
    path = tmp_path / "report.zip"
    root = write_bundle(published(answered()), path)
    assert "Question: What is hard?⟦U+202E⟧" in verify_bundle(path, show=True).text
    said = json.loads(verify_bundle(path, as_json=True).text)
    assert (said["ok"], said["root"], said["origin"]) == (True, root, "consistent, origin unproven")


def test_from_files_to_a_bundle_that_verifies_and_no_byte_of_which_can_be_changed(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text(
        "# Batteries\n\nThe battery *lasts* four hours. It ran out &amp; died on the train.\n\n- The battery is glued in\n"
    )
    (notes / "b.html").write_text("<h1>Tips</h1><p>A full battery ages fast. Charge the battery to 80&nbsp;% only.</p>")
    (notes / "c.txt").write_bytes("Größe: the battery swells when it is hot outside.\r\nThe charger gets hot too.\r\n".encode("cp1252"))
    (notes / "d.eml").write_bytes(b"From: Cy <cy@b.example>\r\nSubject: battery\r\n\r\nThe battery died after two months of use.\r\n")
    path = tmp_path / "report.zip"
    with Veridical(base=tmp_path) as veridical:
        root = write_bundle(veridical.research("battery", paths=["notes"]), path)
    data = path.read_bytes()
    assert verify_bundle(path, root).code == 0
    for index in range(0, len(data), len(data) // 5):
        path.write_bytes(data[:index] + bytes([data[index] ^ 0x20]) + data[index + 1 :])
        found = verify_bundle(path)
        assert (found.code, found.text.count("\n")) == (4, 2)


def test_a_publication_is_what_the_exit_of_the_kernel_hands_out(tmp_path):
    (tmp_path / "a.md").write_text("The battery lasts four hours.")
    with Veridical(base=tmp_path) as veridical:
        real = veridical.research("battery", paths=["a.md"])
    assert {each for each in dir(archive.Publication) if not each.startswith("_")} <= set(dir(real))
    assert archive.members(replace(real, raws={})) == archive.members(real, slim=True) | _manifest(archive.members(replace(real, raws={})))


def _manifest(found: dict[str, bytes]) -> dict[str, bytes]:
    return {"MANIFEST.json": found["MANIFEST.json"]}
