"""The targets hold for their seeds, reach what they are to reach, and the fuzzer sees a reader that stumbles."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from veridical.bundle.checker import Bundle, DoesNotVerify

from tests.proof import fuzz_targets
from tests.proof.coverage_fuzz import _NAMES
from tests.proof.fuzz_targets import TARGETS, seeds

AWKWARD = (b"", b"\0", b"\xff", b"\xff\0\xd8\0\0", bytes(range(256)), b"[" * 5000, b'{"a":' * 5000, b"<" * 2000, b"> " * 500, b"9" * 5000)


def test_the_names_are_those_of_the_targets() -> None:
    assert sorted(_NAMES) == sorted(TARGETS)


@pytest.mark.parametrize("name", _NAMES)
def test_a_target_holds_for_its_seeds_and_for_awkward_bytes(name: str) -> None:
    for data in (*seeds(name), *AWKWARD):
        TARGETS[name].run(data)


def test_the_seeds_of_the_readers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(fuzz_targets, "_holds", lambda _reader, record, _projection: seen.append(record.format))
    for name in ("json", "jsonl", "csv", "tsv", "gzip", "mbox", "eml", "html", "markdown", "text", "pdf"):
        seen.clear()
        for data in seeds(name):
            TARGETS[name].run(data)
        assert seen, name


def test_the_seed_of_the_archive_is_a_bundle_that_verifies() -> None:
    (data,) = seeds("archive")
    assert Bundle(data, None).claims > 0


def test_a_changed_member_is_seen_by_what_it_says_and_not_by_its_manifest() -> None:
    members = dict(fuzz_targets._true_members())
    members["report.json"] = members["report.json"].replace(b'"outcome":"answered"', b'"outcome":"refused"')
    with pytest.raises(DoesNotVerify) as caught:
        Bundle(fuzz_targets._spelled(members), None)
    assert str(caught.value.args[0]).startswith("report.json/")


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed: uv sync --group proof")
def test_a_reader_that_stumbles_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Find:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'veridical.kernel.times':\n"
        "            sys.meta_path.remove(self)\n"
        "            import veridical.kernel.canonical as canonical\n"
        "            canonical.parse.__code__ = (lambda data: 1 / data.count(b'x')).__code__\n"
        "sys.meta_path.insert(0, Find())\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "tests.proof.coverage_fuzz", "canonical", "--seconds", "2"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert 1 == done.returncode, done.stderr
    assert "canonical: input" in done.stdout
    assert "ZeroDivisionError" in done.stdout
    assert "'findings': 1" in done.stdout
