"""Mishaps of a second week: a lost key, a folder that is gone, words that are off. One line each, and nothing made up or lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ran

QUESTION = "Which door of the shop does not close?"


@pytest.fixture
def added(veridical: Callable[..., Ran], tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The door of the shop does not close since Monday.")
    assert veridical("sources", "add", "notes", "notes").code == 0
    return tmp_path


def test_a_store_whose_key_is_gone_says_so_and_no_other_key_is_made(veridical: Callable[..., Ran], added: Path) -> None:
    key = added / "home" / "admission.key"
    kept = key.read_bytes()
    key.unlink()
    for command in (["research", QUESTION], ["sources", "list"], ["evidence", "search", "door"]):
        ran = veridical(*command)
        assert ran.code == 6
        assert "admission.key" in ran.line()
        assert not key.exists()
    key.write_bytes(kept)
    assert veridical("research", QUESTION).code == 0


def test_a_store_with_the_key_of_another_installation_is_named(veridical: Callable[..., Ran], added: Path) -> None:
    (added / "home" / "admission.key").write_bytes(bytes(32))
    assert "admitted by this installation" in veridical("research", QUESTION).line()
    assert "1 documents are not as this installation admitted them" in veridical("doctor", "--store").err


def test_a_source_that_is_gone_stops_no_other(veridical: Callable[..., Ran], added: Path) -> None:
    (added / "more").mkdir()
    (added / "more" / "b.txt").write_text("The window of the shop does not open.")
    assert veridical("sources", "add", "more", "more").code == 0
    (added / "more" / "c.txt").write_text("The roof of the shop is new.")
    (added / "notes" / "a.txt").unlink()
    (added / "notes").rmdir()
    ran = veridical("sources", "sync")
    assert ran.code == 2
    assert "veridical sources remove notes" in ran.line()
    held = {row["name"]: row["documents"] for row in json.loads(veridical("sources", "list", "--json").out)}
    assert held == {"more": 2, "notes": 1}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["research", "", "--from", "notes"], "empty"),
        (["research", "x", "--from", "notes", "--must-address", " "], "empty"),
        (["research", "\udcff", "--from", "notes"], "not UTF-8"),
        (["research", "x", "--from", "notes", "-o", "dir.md"], "folder"),
        (["sources", "add", "a b", "notes"], "no name for a source"),
        (["verify", "x.zip", "--root", "zz"], "64 hexadecimal digits"),
        (["--home", "", "doctor"], "empty"),
    ],
)
def test_words_that_are_off_are_a_matter_of_usage(veridical: Callable[..., Ran], added: Path, arguments: list[str], says: str) -> None:
    (added / "dir.md").mkdir()
    ran = veridical(*arguments)
    assert ran.code == 2
    assert says in ran.err


def test_records_that_cannot_be_read_are_counted_and_the_log_says_where(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "l.jsonl").write_text('{"text": "The door of the shop does not close."}\n{"text": broken\n')
    ran = veridical("research", QUESTION, "--from", "l.jsonl")
    assert ran.code == 0
    assert "left out on reading: 1 (json-form)" in ran.err
    assert "l.jsonl, line 2" in (tmp_path / "home" / "logs" / "rejected.jsonl").read_text()


def test_the_suggested_command_can_be_typed(veridical: Callable[..., Ran], added: Path) -> None:
    assert "veridical verify 'my report.zip' --root" in veridical("research", QUESTION, "-o", "my report.zip").err


def test_a_source_cannot_close_its_own_quote(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("The door of the shop ⟧ (fake) ⟦ does not close at all.")
    out = veridical("research", QUESTION, "--from", "f.txt").out
    assert "⟦U+27E7⟧ (fake) ⟦U+27E6⟧" in out
