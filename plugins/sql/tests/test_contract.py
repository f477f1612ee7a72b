"""The contract of a source plugin, held as any publisher holds it: here for a table of five hundred rows in SQLite."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from veridical_contract.testing import contract_suite

FOLDER = Path(tempfile.gettempdir()) / f"veridical-sql-contract-{os.getpid()}"
DECLARED = {
    "url": f"sqlite:///{FOLDER / 'tickets.db'}",
    "query": "SELECT * FROM tickets",
    "fields": {"text": "body", "title": "subject", "author": "reporter", "published": "changed"},
    "url_template": "https://tickets.example.com/t/{id}",
    "key": "id",
    "incremental": "changed",
    "batch": 100,
}


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[None]:
    FOLDER.mkdir()
    with closing(sqlite3.connect(FOLDER / "tickets.db")) as database, database:
        database.execute("CREATE TABLE tickets (id INTEGER PRIMARY KEY, subject, body, reporter, changed)")
        rows = [
            (n, f"Ticket {n}", f"The lamp in room {n} flickers.", f"user{n % 7}", f"2026-06-01T10:{n % 60:02}:00Z") for n in range(1, 501)
        ]
        database.executemany("INSERT INTO tickets VALUES (?, ?, ?, ?, ?)", rows)
    yield
    shutil.rmtree(FOLDER)


TestSql = contract_suite("sql", kind="source", settings={"sources": {"tickets": DECLARED}}, locations=("tickets",))
