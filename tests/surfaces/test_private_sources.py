"""Private sources, from the settings file to the report: a helpdesk in PostgreSQL, with TOML alone; and the pages that show how.

TICKETS=100000 pytest tests/surfaces/test_private_sources.py -k postgresql     the size of a real helpdesk; by itself it is 3,000
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from veridical import Veridical
from veridical_contract import ConfigurationError

from tests.databases import Server, binaries, postgresql
from tests.distributions.installing import on_path
from tests.project.code_blocks import DOCS, Runner
from tests.providers.service import Answer, Asked, as_json, service

from .conftest import Ran

Session = psycopg.Connection[Any]
Run = Callable[..., Ran]

QUESTION = "Why does the badge reader at the north gate refuse cards?"
BADGE = "The badge reader at the north gate refuses every second card since the firmware was updated on Monday."
ROWS = """
INSERT INTO tickets
SELECT n, 'Ticket ' || n,
    'Device ' || n % 977 || ' in room ' || n % 311 || ' stopped after ' || n || ' hours of work. '
    || CASE n % 3 WHEN 0 THEN 'Restarting it helps for a while.' WHEN 1 THEN 'Nobody was hurt.' ELSE 'A part was ordered.' END,
    'user' || n % 5000, TIMESTAMPTZ '2026-01-01 00:00+00' + n * INTERVAL '1 minute'
FROM generate_series(1, {}) n
"""
SETTINGS = """
[plugins]
enabled = ["sql"]
{attested}

[sources.tickets]
plugin = "sql"

[plugin.sql.sources.tickets]
url = "{url}"
password_secret = "HELPDESK_DB_PASSWORD"
query = "SELECT id, subject, body, reporter, changed FROM tickets"
fields = {{ text = "body", title = "subject", author = "reporter", published = "changed" }}
url_template = "https://tickets.example.com/t/{{id}}"
key = "id"
incremental = "changed"
"""
ATTESTED = 'attested = ["sql"]'
PASSWORD = "of the reader, with a secret"


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgresql(programs) as running:
        yield running


def size() -> int:
    return int(os.environ.get("TICKETS", "3000"))


@pytest.fixture
def helpdesk(server: Server) -> Iterator[Session]:
    """A table of tickets, and an account that may read it and nothing else."""
    admin = {"host": "127.0.0.1", "port": server.port, "user": server.owner, "password": server.password, "autocommit": True}
    with psycopg.connect(**admin, dbname="postgres") as session:
        session.execute("DROP DATABASE IF EXISTS helpdesk WITH (FORCE)")
        session.execute("DROP ROLE IF EXISTS reader")
        session.execute("CREATE DATABASE helpdesk")
        session.execute(f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")  # type: ignore[arg-type]
    with psycopg.connect(**admin, dbname="helpdesk") as session:
        session.execute(
            "CREATE TABLE tickets (id bigint PRIMARY KEY, subject text, body text, reporter text, changed timestamptz NOT NULL)"
        )
        session.execute("CREATE INDEX ON tickets (changed, id)")
        session.execute(ROWS.format(size()))  # type: ignore[arg-type]
        session.execute("UPDATE tickets SET body = %s, subject = 'Badge reader', reporter = 'ann' WHERE id = 1711", (BADGE,))
        session.execute("GRANT SELECT ON tickets TO reader")
        yield session


@pytest.fixture
def asked(veridical: Run, server: Server, helpdesk: Session, tmp_path: Path) -> Run:
    """Return `veridical` with the settings file that makes the table a source, and the password in the environment."""
    settle(tmp_path, server)
    return lambda *arguments, **more: veridical(*arguments, **{"HELPDESK_DB_PASSWORD": PASSWORD, **more})


def settle(folder: Path, server: Server, attested: str = ATTESTED) -> None:
    (folder / "home").mkdir(exist_ok=True)
    text = SETTINGS.format(url=server.url("helpdesk", user="reader"), attested=attested)
    (folder / "home" / "settings.toml").write_text(text)


def held(asked: Run) -> int:
    (row,) = json.loads(asked("sources", "list", "--json").out)
    return row["documents"]


@pytest.mark.slow
def test_a_postgresql_table_is_a_source_with_toml_alone_and_a_report_cites_its_rows_by_their_urls(
    asked: Run, helpdesk: Session, tmp_path: Path
) -> None:
    synced = asked("sources", "sync", "tickets", "--json")
    assert synced.code == 0, synced.err
    told = json.loads(synced.out)["tickets"]
    assert (size(), {}, {}) == (told["added"], told["refused"], told["dropped_fields"])
    ran = asked("research", QUESTION, "-o", "report.zip", "--json")
    assert ran.code == 0, ran.err
    report = json.loads(ran.out)
    quotes = [quote for part in report["themes"] for claim in part["claims"] for quote in claim["quotes"]]
    assert BADGE in [quote["span"]["text"] for quote in quotes]
    rows = {row["document"]: row for row in report["citations"]}
    for quote in quotes:
        row = rows[quote["span"]["document"]]
        found = re.fullmatch(r"https://tickets\.example\.com/t/(\d+)", row["url"])
        assert found is not None
        there = helpdesk.execute("SELECT body, subject, reporter FROM tickets WHERE id = %s", (int(found[1]),)).fetchone()
        assert there is not None
        assert quote["span"]["text"] in (there[0] if quote["span"]["field"] == "text" else there[1])
        assert (there[1], there[2]) == (row["title"], row["author"]["id"])
        assert ("attested", "tickets", int(found[1])) == (row["witness"], row["origin"], row["locator"]["row"])
    verified = asked("verify", "report.zip")
    assert verified.code == 0, verified.err
    assert PASSWORD.encode() not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_only_new_rows_are_read_again_and_one_that_changed_takes_its_own_place(asked: Run, helpdesk: Session) -> None:
    asked("sources", "sync", "tickets")
    helpdesk.execute("UPDATE tickets SET body = 'The reader was exchanged.', changed = now() - INTERVAL '1 hour' WHERE id = 1711")
    helpdesk.execute("INSERT INTO tickets VALUES (9000001, 'New', 'A lift stands still.', 'bob', now() - INTERVAL '1 hour')")
    told = json.loads(asked("sources", "sync", "tickets", "--json").out)["tickets"]
    assert (2, size() + 1) == (told["added"], held(asked))
    assert [] == [row for row in json.loads(asked("evidence", "search", "badge firmware", "--json").out) if BADGE in row["text"]]
    assert 0 == json.loads(asked("sources", "sync", "tickets", "--json").out)["tickets"]["added"]


def test_a_row_that_is_gone_goes_with_a_full_reading(asked: Run, helpdesk: Session) -> None:
    asked("sources", "sync", "tickets")
    helpdesk.execute("DELETE FROM tickets WHERE id <> 1711")
    asked("sources", "sync", "tickets")
    assert size() == held(asked)
    asked("sources", "sync", "--full", "tickets")
    assert 1 == held(asked)


def test_without_the_operators_word_nothing_is_kept_and_the_line_to_write_is_named(
    asked: Run, veridical: Run, server: Server, helpdesk: Session, tmp_path: Path
) -> None:
    settle(tmp_path, server, attested="")
    refused = asked("sources", "sync", "tickets")
    assert 6 == refused.code
    assert "sql: what it reads is evidence on its word alone" in refused.line()
    assert refused.line().endswith('write in the settings file: [plugins] attested = ["sql"]')
    assert 0 == held(asked)
    settle(tmp_path, server)
    assert size() == json.loads(asked("sources", "sync", "tickets", "--json").out)["tickets"]["added"]


@pytest.mark.parametrize(("password", "said"), [("", "HELPDESK_DB_PASSWORD"), ("not the one", "password authentication failed")])
def test_a_password_that_is_missing_or_wrong_is_one_line(asked: Run, password: str, said: str) -> None:
    refused = asked("sources", "sync", "tickets", HELPDESK_DB_PASSWORD=password)
    assert (6, True) == (refused.code, said in refused.line())
    assert not password or password not in refused.err


def test_a_source_adds_itself_by_one_command_too(asked: Run, tmp_path: Path, server: Server, helpdesk: Session) -> None:
    settings = tmp_path / "home" / "settings.toml"
    settings.write_text(settings.read_text().replace('[sources.tickets]\nplugin = "sql"\n', ""))
    added = asked("sources", "add", "tickets", "--plugin", "sql")
    assert 0 == added.code, added.err
    assert size() == held(asked)


# docs/how-to/connect-a-database.md and docs/how-to/connect-a-private-source.md


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Runner]:
    with on_path(tmp_path / "page" / "src"):
        yield Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))


def page(name: str, **instead: str) -> tuple[Path, str]:
    """Return a page, and its text with the marks of blocks that are run here left out, and `instead` in the place of what it says."""
    path = DOCS / "how-to" / name
    text = path.read_text("utf-8").replace("<!-- run by: tests/surfaces/test_private_sources.py -->\n", "")
    for before, after in instead.items():
        assert before in text
        text = text.replace(before, after)
    return path, text


def test_the_page_about_databases_does_what_it_shows(runner: Runner, tmp_path: Path) -> None:
    """connect-a-database.md, with a file of SQLite in another folder than the page says."""
    with closing(sqlite3.connect(tmp_path / "tickets.db")) as database, database:
        database.execute("CREATE TABLE tickets (id INTEGER PRIMARY KEY, subject, body, reporter, changed, internal DEFAULT FALSE)")
        database.executemany(
            "INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?)",
            [
                (4711, "Badge reader", TICKET, "ann", "2026-06-01T10:00:00Z", 0),
                (4712, "Badge reader again", AGAIN, "bob", "2026-06-02T09:30:00Z", 0),
                (4713, "Lift", "The lift in house B stops between two floors.", "ann", "2026-06-02T11:00:00Z", 0),
                (4714, "Badge reader", "The badge reader must not be mentioned to visitors.", "bob", "2026-06-02T12:00:00Z", 1),
            ],
        )
    assert 5 == runner.run(*page("connect-a-database.md", **{"/srv/helpdesk/tickets.db": str(tmp_path / "tickets.db")}))
    assert "must not be mentioned" not in (tmp_path / "page" / "report.html").read_text("utf-8")


AGAIN = "Since the update the badge reader at the north gate needs two attempts for each card."
TICKET = "The badge reader at the north gate refuses every second card since Monday."
REASON = "The badge reader refuses cards that were made before the update of its firmware."


def message(name: str, login: str, text: str, **more: object) -> dict[str, object]:
    return {"id": name, "login": login, "text": text, "written": "2026-06-01T10:00:00Z", "internal": False, **more}


HELPDESK = [
    message("m1", "ann", TICKET)
    | {
        "number": 4711,
        "subject": "Badge reader",
        "comments": [
            message("m2", "bob", REASON),
            message("m3", "bob", "The badge reader is of the cheapest make: do not tell her.", internal=True),
        ],
    },
    message("m4", "cid", "The lift in house B stops between two floors.") | {"number": 4712, "subject": "Lift", "comments": []},
]


def answer(asked: Asked) -> Answer:
    """Answer as the helpdesk: a ticket a page, for who has the token."""
    if asked.headers.get("authorization") != "Bearer ...":
        return as_json({"error": "who are you?"}, status=401)
    at = int(asked.query["after"])
    return as_json({"tickets": HELPDESK[at : at + 1], "last": min(at + 1, len(HELPDESK)), "more": at + 1 < len(HELPDESK)})


def test_the_page_about_private_sources_does_what_it_shows(runner: Runner, tmp_path: Path) -> None:
    """connect-a-private-source.md, with its ticket system on loopback."""
    with service(answer) as helpdesk:
        instead = {"https://desk.internal": helpdesk.url, '"desk.internal"': '"127.0.0.1"'}
        assert 5 == runner.run(*page("connect-a-private-source.md", **instead))
        assert ["0", "1"] == [asked.query["after"] for asked in helpdesk.asked]
        with Veridical(home=tmp_path / "home") as opened:
            report = opened.research("Why does the badge reader refuse cards?", sources=["helpdesk"]).report
            opened.sync_sources(["helpdesk"])
            every = opened.search_evidence("badge reader cheapest make lift")
        assert ["0", "1", "2"] == [asked.query["after"] for asked in helpdesk.asked]
    assert {("attested", "helpdesk", 4711)} == {(row.witness, row.origin, row.locator.row) for row in report.citations}
    assert {f"{helpdesk.url}/t/4711#m1", f"{helpdesk.url}/t/4711#m2"} == {row.url for row in report.citations}
    assert not any("cheapest" in found.text for found in every)


def test_the_pages_plugin_passes_on_a_refused_token(runner: Runner, tmp_path: Path) -> None:
    with service(answer) as helpdesk:
        text = page("connect-a-private-source.md", **{"https://desk.internal": helpdesk.url})[1]
        runner.run(DOCS / "how-to" / "connect-a-private-source.md", text[: text.index("## What a report says")])
        environment = {"ACME_TICKETS_TOKEN": "another"}
        with Veridical(home=tmp_path / "home", environment=environment) as opened, pytest.raises(ConfigurationError, match="helpdesk"):
            opened.sync_sources(["helpdesk"])
