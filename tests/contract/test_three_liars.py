"""Three liars that pass the suites of other frameworks, rebuilt for the hooks of this one: each fails, and `plugins check` says for what.

A retriever that invents every URL, a file system that says wrong sizes, and a source that sends every record twice.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.broken import Broken, search, source

_FAILS = {"hit-placed": "an invented URL", "record-bytes": "a false size", "record-once": "a key twice"}
_LIARS = [one for one in (*search.BROKEN, *source.BROKEN) if one.check in _FAILS]


def _check(liar: Broken, tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    site = tmp_path / "site"
    liar.distribution.install(site)
    (tmp_path / "work").mkdir()
    command = [sys.executable, "-m", "veridical.cli", "plugins", "check", "acme", *options]
    environment = {**os.environ, "PYTHONPATH": str(site), "VERIDICAL_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
    return subprocess.run(command, env=environment, cwd=tmp_path / "work", capture_output=True, text=True, timeout=120, check=False)


def test_there_are_three_of_them() -> None:
    assert sorted(_FAILS) == sorted(one.check for one in _LIARS)


@pytest.mark.parametrize("liar", _LIARS, ids=lambda one: _FAILS[one.check])
def test_a_liar_fails_and_is_told_for_what(liar: Broken, tmp_path: Path) -> None:
    done = _check(liar, tmp_path, "--json")
    assert 4 == done.returncode, done.stderr
    reports: list[dict[str, Any]] = json.loads(done.stdout)
    (report,) = reports
    failed = [result for result in report["results"] if result["outcome"] == "failed"]
    assert liar.check in {result["check"] for result in failed}
    assert f"failed: {liar.check}: " in done.stderr
    assert "Traceback" not in done.stderr


def test_an_honest_plugin_that_nobody_enabled_is_checked_without_a_test_file(tmp_path: Path) -> None:
    honest = Broken("", "", search.HONEST.distribution(), "search", {})
    done = _check(honest, tmp_path)
    assert 0 == done.returncode, done.stderr
    assert "passed" in done.stdout
    assert "veridical contract: acme (search): " in done.stderr
    assert "FAILED" not in done.stderr


def test_a_plugin_that_is_not_installed_is_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "veridical.cli", "--home", str(tmp_path), "plugins", "check", "nobody"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (2, 1) == (done.returncode, len(done.stderr.strip().splitlines())), done.stderr


def test_a_source_that_reads_no_files_has_to_be_told_what_to_ask_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "veridical.cli", "--home", str(tmp_path), "plugins", "check", "sql"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert 5 == done.returncode, done.stderr
    assert "not run: answers: It has to be told what to ask for (locations): " in done.stderr
    assert " not run, kit " in done.stderr
    assert "answers: not run" not in done.stderr
    told = subprocess.run([*command, "--location", "tickets"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert 4 == told.returncode
    assert "failed: answers: it raised ConfigurationError: Nothing says where the source tickets is read from." in told.stderr
