"""Looking after a store: forget, past runs, backup, restore, retention. What a person types, sees and finds afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from veridical import Veridical
from veridical.workflows.tidy import Tidied
from veridical_contract import VeridicalError

from .conftest import Ran

QUESTION = "Which door of the shop does not close?"
TEXT = "The door of the shop does not close since Monday. It is qzannoyingvw to customers."


@pytest.fixture
def added(veridical: Callable[..., Ran], tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text(TEXT)
    (notes / "b.txt").write_text("The door of my house closes well, and it has closed well for years.")
    rows = [{"text": f"The window number {n} of the shop is broken again.", "user": f"u{n % 2}"} for n in range(6)]
    (notes / "c.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    assert veridical("sources", "add", "notes", "notes").code == 0
    return tmp_path


def first(veridical: Callable[..., Ran], words: str) -> str:
    return json.loads(veridical("evidence", "search", words, "--json").out)[0]["id"]


def stored(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in (folder / "home").glob("store.sqlite3*"))


def test_a_past_run_is_checked_and_written_again(veridical: Callable[..., Ran], added: Path) -> None:
    assert veridical("research", QUESTION, "-o", "first.zip").code == 0
    (run,) = json.loads(veridical("runs", "list", "--json").out)
    assert (run["query"], run["state"]) == (QUESTION, "reported")
    assert veridical("runs", "export", run["run"][:8], "-o", "again.zip").code == 0
    assert (added / "again.zip").read_bytes() == (added / "first.zip").read_bytes()
    missing = veridical("runs", "export", "0" * 32, "-o", "no.zip")
    assert (missing.code, missing.line()) == (2, f"veridical: There is no report of a run called {'0' * 32!r}. See: veridical runs list")


def test_what_is_forgotten_is_in_no_byte_of_the_store_and_reports_say_that_it_was_withdrawn(
    veridical: Callable[..., Ran], added: Path
) -> None:
    veridical("research", QUESTION)
    (run,) = json.loads(veridical("runs", "list", "--json").out)
    name = first(veridical, "qzannoyingvw")
    assert b"qzannoyingvw" in stored(added)
    unasked = veridical("forget", name, "--reason", "asked by the author")
    assert (unasked.code, "add --yes" in unasked.err) == (2, True)
    done = veridical("forget", name[:12], "--reason", "asked by the author", "--yes")
    assert (done.code, done.line()) == (0, "Deleted 1 documents and the reports of 1 runs.")
    assert b"annoyingvw" not in stored(added)
    again = veridical("runs", "export", run["run"], "-o", "again.md")
    assert again.code == 4
    assert again.line().startswith(f"veridical: Evidence withdrawn: document {name[:12]} of run {run['run']} was deleted on ")
    assert again.line().endswith(": asked by the author.")
    assert json.loads(veridical("runs", "list", "--json").out)[0]["state"] == "withdrawn"
    assert "was deleted on" in veridical("evidence", "show", name).line()
    assert veridical("doctor", "--store").code == 0


def test_what_was_forgotten_comes_back_only_when_that_is_asked_for(veridical: Callable[..., Ran], added: Path) -> None:
    veridical("forget", first(veridical, "qzannoyingvw"), "--reason", "x", "--yes")
    (added / "notes" / "b.txt").write_text("The door of my house is new.")
    veridical("sources", "sync")
    veridical("sources", "remove", "notes")
    again = veridical("sources", "add", "notes", "notes")
    assert "1 records that were forgotten" in again.err
    assert veridical("evidence", "search", "qzannoyingvw").code == 4
    assert veridical("sources", "sync", "--forgotten", "notes").code == 0
    assert veridical("evidence", "search", "qzannoyingvw").code == 0


def test_all_that_an_account_wrote_is_forgotten(veridical: Callable[..., Ran], added: Path) -> None:
    done = veridical("forget", "--account", "source:notes/u1", "--reason", "asked by the author", "--yes")
    assert done.line() == "Deleted 3 documents and the reports of 0 runs."
    left = json.loads(veridical("evidence", "search", "window", "--json").out)
    assert sorted(row["text"] for row in left) == [f"The window number {n} of the shop is broken again." for n in (0, 2, 4)]
    assert veridical("forget", "--account", "source:notes/u1", "--reason", "x", "--yes").code == 2


def test_a_source_is_forgotten_as_a_whole_and_is_none_any_more(veridical: Callable[..., Ran], added: Path) -> None:
    done = veridical("forget", "--source", "notes", "--reason", "the contract ended", "--yes")
    assert done.line() == "Deleted 8 documents and the reports of 0 runs."
    assert json.loads(veridical("sources", "list", "--json").out or "[]") == []
    assert b"qzannoyingvw" not in stored(added)
    gone = veridical("forget", "--source", "notes", "--reason", "x", "--yes")
    assert (gone.code, gone.line()) == (2, "veridical: There is no source called 'notes'. See: veridical sources list")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Name documents, or a source, or an account."),
        (["abc", "--source", "notes"], "Name documents, or a source, or an account."),
        (["zzz"], "There is no document called 'zzz'."),
    ],
)
def test_words_that_are_off_are_one_line(veridical: Callable[..., Ran], added: Path, arguments: list[str], says: str) -> None:
    ran = veridical("forget", *arguments, "--reason", "x", "--yes")
    assert (ran.code, says in ran.line()) == (2, True)


# Backup, restore, retention


def test_a_backup_is_restored_with_all_that_belongs_to_it_and_what_was_there_stays(veridical: Callable[..., Ran], added: Path) -> None:
    veridical("research", QUESTION)
    assert veridical("store", "backup", "kept").err == "Wrote kept: 8 documents, read again and whole.\n"
    assert (added / "kept").stat().st_mode & 0o777 == 0o600
    again = veridical("store", "backup", "kept")
    assert (again.code, "it was not replaced" in again.line()) == (2, True)
    other = added / "other"
    assert veridical("store", "restore", "kept", home=other).code == 0
    (run,) = json.loads(veridical("runs", "list", "--json", home=other).out)
    assert veridical("runs", "export", run["run"], "-o", "again.md", home=other).code == 0
    assert veridical("doctor", "--store", home=other).code == 0
    assert [row["documents"] for row in json.loads(veridical("sources", "list", "--json", home=other).out)] == [8]
    veridical("forget", first(veridical, "qzannoyingvw"), "--reason", "x", "--yes")
    assert veridical("store", "backup", "kept", "--force").code == 0
    assert veridical("store", "restore", "kept", home=other).code == 0
    assert veridical("evidence", "search", "qzannoyingvw", home=other).code == 4
    assert [file.name for file in other.iterdir() if ".before-" in file.name] != []
    assert [file.name for file in added.iterdir() if file.name.startswith(".")] == []


def test_a_store_that_cannot_be_opened_is_restored(veridical: Callable[..., Ran], added: Path) -> None:
    assert veridical("store", "backup", "kept").code == 0
    for file in (added / "home").glob("store.sqlite3*"):
        file.write_bytes(b"junk " * 2000)
    (added / "home" / "admission.key").write_bytes(bytes(32))
    assert veridical("sources", "list").code == 4
    assert veridical("store", "restore", "kept").code == 0
    assert veridical("doctor", "--store").code == 0


@pytest.mark.parametrize("junk", ["nothing", "text", "cut", "changed"])
def test_what_is_no_whole_backup_changes_nothing(added: Path, junk: str) -> None:
    with Veridical(home=added / "home", base=added, environment={}) as opened:
        opened.store.backup("kept")
        content = (added / "kept").read_bytes()
        if junk == "nothing":
            (added / "kept").unlink()
        else:
            at = content.index(b"SQLite format 3") + 5000
            changed = {"text": b"my notes", "cut": content[: at + 1000], "changed": content[:at] + b"\xff" + content[at + 1 :]}
            (added / "kept").write_bytes(changed[junk])
        with pytest.raises(VeridicalError) as refused:
            opened.store.restore("kept")
        assert "\n" not in str(refused.value)
        assert ("There is no file" if junk == "nothing" else "is not a whole backup") in str(refused.value)
        assert len(opened.search_evidence("qzannoyingvw")) == 1
        assert [file.name for file in (added / "home").iterdir() if "before" in file.name or file.name.startswith(".v")] == []


def test_what_is_no_longer_current_and_cited_by_no_report_goes_when_the_rule_says_so(added: Path) -> None:
    clock = [datetime(2026, 1, 1, tzinfo=UTC)]

    def opened() -> Veridical:
        return Veridical(home=added / "other", base=added, environment={}, clock=lambda: clock[0])

    with opened() as veridical:
        veridical.add_source("notes", ["notes"])
        cited = {row.document for row in veridical.research(QUESTION).report.citations}
        assert cited
        for file in (added / "notes").iterdir():
            file.write_text(json.dumps({"text": "Something else altogether stands here."}))
        clock[0] += timedelta(days=10)
        veridical.sync_sources()
        assert veridical.store.tidy() == Tidied(0, 8)
        settings = added / "other" / "settings.toml"
        settings.write_text(settings.read_text() + "\n[retention]\npast_days = 30\n")
        assert veridical.store.tidy() == Tidied(0, 8)
        clock[0] += timedelta(days=21)
        assert veridical.store.tidy() == Tidied(8 - len(cited), len(cited))
        assert veridical.store.tidy() == Tidied(0, len(cited))
        assert veridical.store.reopen(veridical.store.runs()[0].run).report.themes != ()
        assert veridical.doctor(check_store=True).problems == ()
