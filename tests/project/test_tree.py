"""What must not stand in the tree."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".py", ".md", ".toml", ".json", ".jinja", ".typed", ""}
# Spelled apart, so that this file is not one of the places.
MACHINE = re.compile("|".join(("/" + "work/", "/" + "root/", r"pypi\." + "org", "python" + r"hosted\.org")))
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)) + r")\b")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every tracked text file, by its path."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git working tree")
    paths = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return {str(path): (ROOT / path).read_text("utf-8") for path in paths if path.suffix in SOURCES and (ROOT / path).is_file()}


def test_no_file_names_this_machine_or_a_registry(texts: dict[str, str]) -> None:
    assert [] == [(name, found[0]) for name, text in texts.items() if (found := MACHINE.search(text))]


def test_nothing_is_left_unfinished(texts: dict[str, str]) -> None:
    assert [] == [(name, found[0]) for name, text in texts.items() if (found := UNFINISHED.search(text))]


def test_no_character_hides(texts: dict[str, str]) -> None:
    """Controls, bidirectional marks and characters without shape are written as escapes, so that a reader sees what runs."""
    kinds = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
    found = [(name, f"U+{ord(c):04X}") for name, text in texts.items() for c in sorted(set(text)) if unicodedata.category(c) in kinds]
    assert [] == [each for each in found if each[1] != "U+000A"]


def test_files_end_with_one_newline(texts: dict[str, str]) -> None:
    written = {name: text for name, text in texts.items() if text and not name.endswith(".json")}
    assert [] == [name for name, text in written.items() if not text.endswith("\n") or text.endswith("\n\n")]
