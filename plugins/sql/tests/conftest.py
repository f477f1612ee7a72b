"""Databases of these tests: SQLite files, and a PostgreSQL of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from veridical.context import Host, HostContext
from veridical.homes import Home
from veridical_contract import HostFiles, SourceBatch, SourceRequest
from veridical_sql import SqlSource

from tests.databases import Server, binaries, postgresql

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
Read = Callable[..., list[SourceBatch]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that reads the source `tickets` with a declaration, as the host would ask for it."""

    def batches(
        declaration: Mapping[str, Any],
        *,
        cursor: str | None = None,
        environment: Mapping[str, str] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> list[SourceBatch]:
        return list(reading(tmp_path, declaration, cursor=cursor, environment=environment, cancelled=cancelled))

    return batches


def reading(
    home: Path,
    declaration: Mapping[str, Any],
    *,
    cursor: str | None = None,
    environment: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[SourceBatch]:
    given = context(home, {"tickets": dict(declaration)}, environment=environment, cancelled=cancelled)
    return SqlSource(given).read(SourceRequest(origin="tickets", cursor=cursor))


def context(
    home: Path,
    sources: Mapping[str, Mapping[str, Any]],
    *,
    environment: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> HostContext:
    """Return the context of the plugin with these declarations."""
    host = Host(
        home=Home.below(home / "home"),
        files=cast("HostFiles", None),
        environment=environment or {},
        clock=lambda: NOW,
        tables={"sql": {"sources": dict(sources)}},
    )
    return HostContext("sql", host, cancelled=cancelled)


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    """A helpdesk in SQLite."""
    path = tmp_path / "help desk 100% #1.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            """
            CREATE TABLE tickets (id INTEGER PRIMARY KEY, body TEXT, subject TEXT, reporter TEXT, opened TEXT, changed TEXT);
            INSERT INTO tickets VALUES
                (1, 'The door does not close.', 'Door', 'ann', '2026-06-01T10:00:00Z', '2026-06-01T10:00:00Z'),
                (2, 'The lamp flickers at night.', 'Lamp', 'bob', '2026-06-02', '2026-06-02T10:00:00Z'),
                (3, 'The tap drips all day.', 'Tap', NULL, NULL, '2026-06-02T10:00:00Z');
            """
        )
    return path


@pytest.fixture(scope="session")
def server() -> Generator[Server]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgresql(programs) as running:
        yield running


@pytest.fixture
def postgres(server: Server) -> Generator[psycopg.Connection[Any]]:
    """A session of the owner in a database that is empty for each test."""
    admin = {"host": "127.0.0.1", "port": server.port, "user": server.owner, "password": server.password}
    with psycopg.connect(**admin, dbname="postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS helpdesk WITH (FORCE)")
        connection.execute("CREATE DATABASE helpdesk")
    with psycopg.connect(**admin, dbname="helpdesk", autocommit=True) as connection:
        yield connection
