"""The facade: the same verbs in Python, synchronous and not, as on the command line."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from veridical import AsyncVeridical, Veridical
from veridical_contract import FieldMap, UsageError

from .conftest import Ran

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
QUESTION = "Why does the door of the shop not close?"
TEXT = "The door of the shop does not close since the frame is bent. We called the carpenter twice.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "door.txt").write_text(TEXT)
    return tmp_path


def opened(folder: Path) -> Veridical:
    return Veridical(home=folder / "home", base=folder, clock=lambda: NOW)


def test_a_report_from_python_has_the_same_words_as_from_the_command_line(folder: Path, veridical: Callable[..., Ran]) -> None:
    with opened(folder) as installation:
        report = installation.research(QUESTION, paths=["notes"]).report
    printed = json.loads(veridical("research", QUESTION, "--from", "notes", "--json", home=folder / "other").out)
    assert [claim["text"] for theme in printed["themes"] for claim in theme["claims"]] == [
        claim.text for theme in report.themes for claim in theme.claims
    ]
    assert report.run.created_at == "2026-11-21T12:00:00Z"


def test_two_runs_on_the_same_files_differ_in_their_run_alone(folder: Path) -> None:
    with opened(folder) as installation:
        first, second = (installation.research(QUESTION, paths=["notes"], seed=3).report for _ in range(2))
    changed = {"run", "inputs", "plugins"}
    assert first.model_dump(exclude=changed) == second.model_dump(exclude=changed)
    assert first.run.id != second.run.id


def test_the_asynchronous_facade_has_every_verb_and_gives_the_same(folder: Path) -> None:
    async def run() -> tuple[str, str | None, int]:
        async with AsyncVeridical(opened(folder)) as installation:
            published = await installation.research(QUESTION, paths=["notes"])
            root = await installation.save(published, "report.zip")
            verified = await installation.verify("report.zip", root=root)
            return published.report.themes[0].claims[0].text, root, verified.code

    text, root, code = asyncio.run(run())
    assert text in TEXT
    assert root is not None
    assert code == 0
    verbs = {name for name, _ in inspect.getmembers(Veridical, inspect.isfunction) if not name.startswith("_")}
    assert {name for name in verbs if not hasattr(AsyncVeridical(opened(folder)), name)} == set()


def test_nothing_is_written_before_a_verb_needs_it(folder: Path) -> None:
    with opened(folder):
        pass
    assert not (folder / "home").exists()


def test_files_of_the_installation_are_private_to_their_owner(folder: Path) -> None:
    with opened(folder) as installation:
        installation.add_source("notes", ["notes"], field_map=FieldMap(fields={"text": "body"}))
        installation.research(QUESTION)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder / "home").rglob("*") if path.is_file()}
    assert set(modes.values()) == {0o600}, modes


def test_local_files_that_were_not_named_answer_nothing(folder: Path) -> None:
    with opened(folder) as installation:
        installation.research(QUESTION, paths=["notes"])
        with pytest.raises(UsageError, match="no evidence to look in"):
            installation.research(QUESTION)
        (folder / "other").mkdir()
        (folder / "other" / "x.txt").write_text("The window of the kitchen is open all night in summer.")
        assert installation.research(QUESTION, paths=["other"]).report.outcome == "refused"


def test_an_exported_report_that_is_read_back_in_supports_nothing(folder: Path) -> None:
    with opened(folder) as installation:
        published = installation.research(QUESTION, paths=["notes"])
        (folder / "exports").mkdir()
        for suffix in ("md", "html", "json", "zip"):
            installation.save(published, f"exports/report.{suffix}")
        again = installation.research(QUESTION, paths=["exports"]).report
    assert again.outcome == "refused"
    assert {record.status for record in again.inputs} == {"derived"}
    assert len(again.inputs) == 4
