"""What a new user meets: each trouble is one clear line, the right exit code, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import Ran

NOTE = """# Printer notes

The battery of the new printer lasted four days in our test. After the firmware update it lasted nine days.

Two colleagues could not connect the printer to the office network at all.

> The battery is a joke, says the review.

We will not buy a second printer before the network problem is solved.
"""
QUESTION = "How long does the battery of the printer last?"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "printer.md").write_text(NOTE, encoding="utf-8")
    return folder


@pytest.mark.usefixtures("notes")
def test_a_question_about_own_files_is_answered_in_their_words(veridical: Callable[..., Ran]) -> None:
    ran = veridical("research", QUESTION, "--from", "notes")
    assert ran.code == 0, ran.err
    assert "The battery of the new printer lasted four days in our test." in ran.out
    assert "notes/printer.md:3" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.usefixtures("notes")
def test_the_result_is_on_stdout_and_is_json_when_asked_for(veridical: Callable[..., Ran]) -> None:
    report = json.loads(veridical("research", QUESTION, "--from", "notes", "--json").out)
    assert report["format"] == "veridical.report/1"
    assert report["query"] == QUESTION


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("suffix", ["md", "html", "json"])
def test_a_report_is_written_as_its_suffix_says_and_says_that_it_is_one(veridical: Callable[..., Ran], tmp_path: Path, suffix: str) -> None:
    ran = veridical("research", QUESTION, "--from", "notes", "-o", f"report.{suffix}")
    assert (ran.code, ran.out) == (0, f"report.{suffix}\n")
    text = (tmp_path / f"report.{suffix}").read_text(encoding="utf-8")
    assert "veridical-export" in text
    assert "lasted four days" in text


@pytest.mark.usefixtures("notes")
def test_a_bundle_verifies_with_its_root_digest_and_without_it_has_no_proven_origin(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    ran = veridical("research", QUESTION, "--from", "notes", "-o", "report.zip")
    assert ran.code == 0, ran.err
    name, root = ran.out.split()
    assert name == "report.zip"
    assert veridical("verify", "report.zip", "--root", root).code == 0
    plain = veridical("verify", "report.zip")
    assert plain.code == 0
    assert "consistent, origin unproven" in plain.out
    assert veridical("verify", "report.zip", "--root", "0" * 64).code == 4


@pytest.mark.usefixtures("notes")
def test_the_checker_runs_by_itself_without_site_packages(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    from veridical.bundle import CHECKER

    assert veridical("research", QUESTION, "--from", "notes", "-o", "report.zip").code == 0
    alone = tmp_path / "checker.py"
    alone.write_bytes(CHECKER.read_bytes())
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(alone), "report.zip", "--show"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "lasted four days" in done.stdout


def test_a_wrong_path_is_named_with_the_nearest_that_is_there(veridical: Callable[..., Ran], notes: Path) -> None:
    ran = veridical("research", QUESTION, "--from", "note")
    assert ran.code == 2
    assert "note" in ran.line()
    assert "notes" in ran.line()
    assert ran.out == ""


def test_an_empty_folder_says_what_to_do(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = veridical("research", QUESTION, "--from", "empty")
    assert ran.code == 2
    assert "no file to read in empty" in ran.line()
    assert "--from PATH" in ran.line()


def test_one_broken_file_costs_nothing_but_itself(veridical: Callable[..., Ran], notes: Path) -> None:
    (notes / "broken.pdf").write_bytes(b"%PDF-1.7 this is not one")
    ran = veridical("research", QUESTION, "--from", "notes")
    assert ran.code == 0
    assert "lasted four days" in ran.out
    assert [line for line in ran.err.splitlines() if "notes/broken.pdf" in line]
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.usefixtures("notes")
def test_a_question_without_an_answer_is_refused_with_what_was_tried(veridical: Callable[..., Ran]) -> None:
    ran = veridical("research", "Which whale dives deepest in the Atlantic?", "--from", "notes")
    assert ran.code == 3
    assert "--from" in ran.out
    assert "whale" in ran.out


@pytest.mark.usefixtures("notes")
def test_a_second_run_reads_nothing_again_and_says_the_same(veridical: Callable[..., Ran]) -> None:
    first = json.loads(veridical("research", QUESTION, "--from", "notes", "--json").out)
    second = json.loads(veridical("research", QUESTION, "--from", "notes", "--json").out)
    assert [one["status"] for one in first["inputs"]] == ["read"]
    assert [one["status"] for one in second["inputs"]] == ["unchanged"]
    assert first["themes"] == second["themes"]


def test_a_changed_file_is_read_again_and_what_it_no_longer_says_is_gone(veridical: Callable[..., Ran], notes: Path) -> None:
    assert "four days" in veridical("research", QUESTION, "--from", "notes").out
    (notes / "printer.md").write_text(NOTE.replace("four days", "five days"), encoding="utf-8")
    ran = veridical("research", QUESTION, "--from", "notes")
    assert "five days" in ran.out
    assert "four days" not in ran.out


@pytest.mark.usefixtures("notes")
def test_a_home_that_cannot_be_written_is_a_matter_of_configuration(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = veridical("research", QUESTION, "--from", "notes", home=tmp_path / "file" / "home")
    assert ran.code == 6
    assert "--home" in ran.line()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 600 kB."""
    place = tmp_path / "small"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(place)], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip("a small file system can only be mounted as root")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_one_line_and_all_is_well_once_there_is_room(veridical: Callable[..., Ran], notes: Path, small_disk: Path) -> None:
    assert veridical("research", QUESTION, "--from", "notes", home=small_disk / "home").code == 0
    for number in range(40):
        (notes / f"{number}.txt").write_text("\n\n".join(f"{number} {line} {os.urandom(2000).hex()}" for line in range(20)))
    ran = veridical("research", QUESTION, "--from", "notes", home=small_disk / "home")
    assert ran.code == 6
    assert "room" in ran.line()
    for number in range(40):
        (notes / f"{number}.txt").unlink()
    subprocess.run(["mount", "-o", "remount,size=40m", str(small_disk)], check=True)
    again = veridical("research", QUESTION, "--from", "notes", home=small_disk / "home")
    assert again.code == 0, again.err
    assert "four days" in again.out


@pytest.mark.usefixtures("notes")
def test_a_report_that_cannot_be_written_is_said_before_the_work(veridical: Callable[..., Ran]) -> None:
    for name, word in (("nowhere/report.zip", "nowhere"), ("report.docx", ".zip"), ("report", ".zip")):
        ran = veridical("research", QUESTION, "--from", "notes", "-o", name)
        assert ran.code == 2
        assert word in ran.line()


def test_without_any_evidence_named_the_fix_is_said(veridical: Callable[..., Ran]) -> None:
    ran = veridical("research", QUESTION)
    assert ran.code == 2
    assert "--from PATH" in ran.line()


@pytest.mark.parametrize("arguments", [["nonsense"], ["research"], ["sources", "remove", "x"], ["plugins", "show", "x"], ["schema", "X"]])
def test_a_word_that_is_off_is_a_matter_of_usage_and_no_traceback(veridical: Callable[..., Ran], arguments: list[str]) -> None:
    ran = veridical(*arguments)
    assert ran.code == 2
    assert "Traceback" not in ran.err


def test_ctrl_c_keeps_what_was_read_and_the_same_command_goes_on(veridical: Callable[..., Ran], notes: Path, tmp_path: Path) -> None:
    for number in range(400):
        paragraphs = (f"Note {number}.{line}: the printer in room {line} of floor {number} was checked." for line in range(60))
        (notes / f"{number:03}.txt").write_text("\n\n".join(paragraphs))
    running = subprocess.Popen(
        [sys.executable, "-m", "veridical.cli", "research", QUESTION, "--from", "notes"],
        cwd=tmp_path,
        env={**os.environ, "VERIDICAL_HOME": str(tmp_path / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    store = tmp_path / "home" / "store.sqlite3-wal"
    while not (store.exists() and store.stat().st_size > 500_000):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.strip().splitlines() == ["veridical: Interrupted. What was read so far is kept: run the same command again to go on."]
    again = json.loads(veridical("research", QUESTION, "--from", "notes", "--json").out)
    statuses = [one["status"] for one in again["inputs"]]
    assert len(statuses) == 401
    assert set(statuses) == {"read", "unchanged"}


@pytest.mark.usefixtures("notes")
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m veridical.cli research '{QUESTION}' --from notes | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "VERIDICAL_HOME": str(tmp_path / "home")},
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == ""
