"""From a new key to a signed bundle that somebody else checks, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ran

pytest.importorskip("cryptography")
QUESTION = "Which door of the shop does not close?"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The door of the shop does not close since Monday.")
    return tmp_path


def test_a_report_is_signed_and_its_signature_checked(veridical: Callable[..., Ran], notes: Path) -> None:
    made = veridical("keys", "new", "ann.pem", "--json")
    assert made.code == 0
    key = json.loads(made.out)["key"]
    ran = veridical("research", QUESTION, "--from", "notes", "-o", "report.zip", "--sign", "ann.pem")
    assert (ran.code, (notes / "report.zip.sig").stat().st_size) == (0, 64)
    assert "report.zip.sig" in ran.err
    checked = veridical("verify", "report.zip", "--key", "ann.pem.pub")
    assert checked.code == 0
    assert f"signed by KEY {key}: names who asserts the recording, no more" in checked.out
    (notes / "report.zip.sig").unlink()
    assert veridical("verify", "report.zip", "--key", "ann.pem.pub").code == 4
    assert veridical("verify", "report.zip").code == 0


def test_what_cannot_be_signed_is_said_before_the_run_in_one_line(veridical: Callable[..., Ran], notes: Path) -> None:
    assert veridical("keys", "new", "ann.pem").code == 0
    asked = ("research", QUESTION, "--from", "notes")
    cases = [
        ([*asked, "--sign", "ann.pem"], "Add: -o report.zip"),
        ([*asked, "-o", "report.md", "--sign", "ann.pem"], "Write it as report.zip"),
        ([*asked, "-o", "report.zip", "--sign", "none.pem"], "veridical keys new"),
        ([*asked, "-o", "report.zip", "--sign", "ann.pem.pub"], "chmod 600"),
        (["keys", "new", "ann.pem"], "Name another path."),
        (["verify", "report.zip", "--key", "none.pub"], "there is no file report.zip"),
    ]
    for arguments, said in cases:
        ran = veridical(*arguments)
        assert ran.code == 2, arguments
        assert said in ran.line()
    assert not (notes / "report.zip").exists()
    assert not (notes / "home" / "store.sqlite").exists()


def test_a_private_key_given_to_check_with_is_wrong_usage(veridical: Callable[..., Ran], notes: Path) -> None:
    assert veridical("keys", "new", "ann.pem").code == 0
    assert veridical("research", QUESTION, "--from", "notes", "-o", "report.zip", "--sign", "ann.pem").code == 0
    ran = veridical("verify", "report.zip", "--key", "ann.pem")
    assert (ran.code, "openssl pkey -in KEY -pubout" in ran.out) == (2, True)
    assert veridical("verify", "report.zip", "--key", "none.pub").code == 2
