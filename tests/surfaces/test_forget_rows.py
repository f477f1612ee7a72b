"""Forget what was read from a database or an API: no surface breaks, no byte stays, and it does not come back in another version."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.providers.service import Service, as_json, service

from .conftest import Ran

Run = Callable[..., Ran]
ANN = "The badge reader at the north gate refuses my qzannvw card since the update on Monday."
BOB = "Since the update the badge reader at the north gate needs two attempts for each card of mine."
QUESTION = "What is wrong with the badge reader at the north gate?"
WITHDRAWN = "was deleted on"

SQL = """
[plugins]
enabled = ["sql"]
attested = ["sql"]

[sources.tickets]
plugin = "sql"

[plugin.sql.sources.tickets]
url = "sqlite:///{place}"
query = "SELECT * FROM tickets"
fields = {{ text = "body", author = "reporter", published = "changed" }}
url_template = "https://tickets.example.com/t/{{id}}"
key = "id"
incremental = "changed"
"""
HTTP_JSON = """
[plugins]
enabled = ["http-json"]

[plugins.hosts]
http-json = ["127.0.0.1"]

[sources.tickets]
plugin = "http-json"

[plugin.http-json.sources.tickets]
url = "{place}/api/tickets"
item = "/tickets/*"
fields = {{ text = "body", author = "reporter" }}
url_template = "https://tickets.example.com/t/{{id}}"
key = "id"
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "tickets.db"
    change(path, "CREATE TABLE tickets (id INTEGER PRIMARY KEY, body TEXT, reporter TEXT, changed TEXT)")
    change(path, "INSERT INTO tickets VALUES (1, ?, 'ann', '2026-06-01'), (2, ?, 'bob', '2026-06-02')", ANN, BOB)
    return path


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


@pytest.fixture
def api() -> Iterator[Service]:
    with service(lambda _: None) as running:
        serve(running, (1, ANN, "ann"), (2, BOB, "bob"))
        yield running


def serve(running: Service, *rows: tuple[int, str, str]) -> None:
    tickets = [{"id": number, "body": body, "reporter": reporter} for number, body, reporter in rows]
    running.answer = lambda _: as_json({"tickets": tickets})


def settle(folder: Path, text: str, place: object) -> None:
    (folder / "home").mkdir()
    (folder / "home" / "settings.toml").write_text(text.format(place=place))


def reported(veridical: Run) -> str:
    """Read the source, report on it, and return the run."""
    synced = veridical("sources", "sync", "tickets")
    assert synced.code == 0, synced.err
    ran = veridical("research", QUESTION, "-o", "report.zip", "--json")
    assert ran.code == 0, ran.err
    report = json.loads(ran.out)
    quoted = {quote["span"]["text"] for theme in report["themes"] for claim in theme["claims"] for quote in claim["quotes"]}
    assert {ANN, BOB} <= quoted
    return report["run"]["id"]


def identifier(veridical: Run, words: str) -> str:
    return json.loads(veridical("evidence", "search", words, "--json").out)[0]["id"]


def bytes_of(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def synced(veridical: Run, *options: str) -> dict[str, Any]:
    return json.loads(veridical("sources", "sync", *options, "tickets", "--json").out)["tickets"]


def test_every_surface_says_that_evidence_was_withdrawn(veridical: Run, database: Path, tmp_path: Path) -> None:
    settle(tmp_path, SQL, database)
    run = reported(veridical)
    name = identifier(veridical, "qzannvw")
    assert b"qzannvw" in bytes_of(tmp_path / "home")
    done = veridical("forget", "--account", "tickets.example.com/ann", "--reason", "asked by ann", "--yes")
    assert (0, "Deleted 1 documents and the reports of 1 runs.") == (done.code, done.line())
    assert b"qzannvw" not in bytes_of(tmp_path / "home")
    listed = json.loads(veridical("runs", "list", "--json").out)
    assert [(run, "withdrawn")] == [(row["run"], row["state"]) for row in listed]
    for suffix in ("html", "zip"):
        refused = veridical("runs", "export", run, "-o", f"again.{suffix}")
        assert (4, f"veridical: Evidence withdrawn: document {name[:12]}") == (refused.code, refused.line()[:52])
        assert refused.line().endswith("asked by ann.")
        assert not (tmp_path / f"again.{suffix}").exists()
    shown = veridical("evidence", "show", name)
    assert (2, True, True) == (shown.code, WITHDRAWN in shown.line(), "asked by ann" in shown.line())
    assert [] == json.loads(veridical("evidence", "search", "qzannvw", "--json").out)
    assert "qzannvw" not in veridical("evidence", "find", ANN).out
    (tmp_path / "draft.md").write_text(f'Ann says: "{ANN}"\n')
    assert 4 == veridical("check", "draft.md").code
    assert 0 == veridical("runs", "wire", run).code
    assert 0 == veridical("doctor", "--store").code
    assert "qzannvw" not in veridical("research", QUESTION).out


def test_a_bundle_that_was_saved_before_lies_outside_of_the_store_and_verifies(veridical: Run, database: Path, tmp_path: Path) -> None:
    settle(tmp_path, SQL, database)
    reported(veridical)
    veridical("forget", "--account", "tickets.example.com/ann", "--reason", "asked by ann", "--yes")
    assert 0 == veridical("verify", "report.zip").code


def test_a_row_goes_in_every_version_and_stays_out_whatever_it_says_later(veridical: Run, database: Path, tmp_path: Path) -> None:
    settle(tmp_path, SQL, database)
    reported(veridical)
    change(database, "UPDATE tickets SET body = 'The badge reader was qzrepairedvw.', changed = '2026-06-03' WHERE id = 1")
    assert 1 == synced(veridical)["added"]
    done = veridical("forget", identifier(veridical, "qzrepairedvw"), "--reason", "asked by ann", "--yes")
    assert "Deleted 2 documents and the reports of 1 runs." == done.line()
    assert not [word for word in (b"qzannvw", b"qzrepairedvw") if word in bytes_of(tmp_path / "home")]
    change(database, "UPDATE tickets SET body = 'It is qzbrokenvw again.', changed = '2026-06-04' WHERE id = 1")
    for options in ((), ("--full",)):
        told = synced(veridical, *options)
        assert (0, 1) == (told["added"], told["withheld"]), (options, told)
    assert b"qzbrokenvw" not in bytes_of(tmp_path / "home")
    assert (1, 0) == tuple(synced(veridical, "--forgotten")[name] for name in ("added", "withheld"))
    assert 0 == synced(veridical, "--full")["withheld"]


def test_words_that_were_refused_are_forgotten_too(veridical: Run, database: Path, tmp_path: Path) -> None:
    settle(tmp_path, SQL.replace('attested = ["sql"]', ""), database)
    assert 6 == veridical("sources", "sync", "tickets").code
    assert b"qzannvw" in bytes_of(tmp_path / "home" / "logs")
    (tmp_path / "home" / "settings.toml").write_text(SQL.format(place=database))
    veridical("sources", "sync", "tickets")
    veridical("forget", "--account", "tickets.example.com/ann", "--reason", "asked by ann", "--yes")
    assert b"qzannvw" not in bytes_of(tmp_path / "home")


def test_the_reply_of_an_api_goes_with_the_record_and_the_others_come_back_in_another(veridical: Run, api: Service, tmp_path: Path) -> None:
    settle(tmp_path, HTTP_JSON, api.url)
    run = reported(veridical)
    done = veridical("forget", identifier(veridical, "qzannvw"), "--reason", "asked by ann", "--yes")
    assert "Deleted 2 documents and the reports of 1 runs." == done.line()
    assert b"qzannvw" not in bytes_of(tmp_path / "home")
    assert "Evidence withdrawn" in veridical("runs", "export", run, "-o", "again.md").line()
    told = synced(veridical, "--full")
    assert (0, 1, 1) == (told["added"], told["withheld"], told["beside"])
    assert b"qzannvw" not in bytes_of(tmp_path / "home")
    serve(api, (2, BOB, "bob"))
    told = synced(veridical, "--full")
    assert (1, 0, 0) == (told["added"], told["withheld"], told["beside"])
    assert BOB in veridical("research", QUESTION).out
