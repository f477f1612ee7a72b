"""A real PostgreSQL: nothing can be written through a source, whatever its query says; odd types; streaming; errors."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from veridical_contract import ConfigurationError, ProviderError, SourceBatch

from tests.databases import Server

from .conftest import Read, reading

Session = psycopg.Connection[Any]
SECRET = "HELPDESK_DB_PASSWORD"


@pytest.fixture
def environment(server: Server) -> dict[str, str]:
    return {SECRET: server.password}


@pytest.fixture
def helpdesk(server: Server, postgres: Session) -> dict[str, Any]:
    """A table of tickets, and how it is declared."""
    postgres.execute("CREATE TABLE tickets (id bigint PRIMARY KEY, body text, opened timestamptz)")
    postgres.execute("INSERT INTO tickets VALUES (1, 'The door does not close.', '2026-06-01 12:00+02'), (2, 'The lamp flickers.', NULL)")
    return {
        "url": server.url("helpdesk"),
        "password_secret": SECRET,
        "query": "SELECT * FROM tickets ORDER BY id",
        "fields": {"text": "body", "published": "opened"},
    }


def texts(batches: list[SourceBatch]) -> list[str | None]:
    return [item.text for batch in batches for item in batch.items]


def one(read: Read, declaration: Mapping[str, Any], environment: Mapping[str, str], expression: str) -> str | None:
    """Return the text that a row with `expression` in its text column comes as."""
    found = {**declaration, "query": f"SELECT {expression} AS body, NULL AS opened"}
    ((item,), *_) = [batch.items for batch in read(found, environment=environment)]
    return item.text


def test_rows_are_read_with_the_password_of_the_environment(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    first, end = read(helpdesk, environment=environment)
    assert ["The door does not close.", "The lamp flickers."] == texts([first])
    assert (True, ()) == (end.done, end.items)
    assert first.items[0].published is not None
    assert first.items[0].published.startswith("2026-06-01T1")


# Read-only


@pytest.mark.parametrize(
    "query",
    [
        "WITH gone AS (DELETE FROM tickets RETURNING *) SELECT body, opened FROM gone",
        "WITH new AS (INSERT INTO tickets VALUES (9, 'x', NULL) RETURNING *) SELECT body, opened FROM new",
        "WITH changed AS (UPDATE tickets SET body = 'x' RETURNING *) SELECT * FROM changed",
        "SELECT body, opened FROM wipe()",
        "SELECT body, opened, setval('counter', 99) FROM tickets",
        "SELECT body, opened, set_config('transaction_read_only', 'off', true), wipe() FROM tickets",
        "SELECT body, opened FROM tickets FOR UPDATE",
        "SELECT * INTO stolen FROM tickets",
    ],
)
@pytest.mark.parametrize("incremental", [False, True])
def test_a_query_that_changes_something_fails(
    read: Read, helpdesk: dict[str, Any], environment: dict[str, str], postgres: Session, query: str, incremental: bool
) -> None:
    postgres.execute("CREATE SEQUENCE counter")
    postgres.execute(
        "CREATE FUNCTION wipe() RETURNS SETOF tickets LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY DELETE FROM tickets RETURNING *; END $$"
    )
    more = {"key": "body", "incremental": "opened"} if incremental else {}
    with pytest.raises(ProviderError):
        read({**helpdesk, "query": query, **more}, environment=environment)
    assert (2,) == postgres.execute("SELECT count(*) FROM tickets").fetchone()
    assert ("The door does not close.", 1) == postgres.execute("SELECT body, nextval('counter') FROM tickets WHERE id = 1").fetchone()
    assert (None,) == postgres.execute("SELECT to_regclass('stolen')").fetchone()


def test_what_the_function_would_do_it_does_for_an_owner_who_may_write(helpdesk: dict[str, Any], postgres: Session) -> None:
    """The test above could not fail if the statements were wrong."""
    rows = postgres.execute("WITH gone AS (DELETE FROM tickets RETURNING *) SELECT body FROM gone").fetchall()
    assert len(rows) == 2
    assert (0,) == postgres.execute("SELECT count(*) FROM tickets").fetchone()


def test_the_transaction_says_that_it_is_read_only(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    assert "on" == one(read, helpdesk, environment, "current_setting('transaction_read_only')")


# Types


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("12.50::numeric", "12.50"),
        ("'NaN'::numeric", "NaN"),
        ("1e3::float8", "1000.0"),
        ("true", "true"),
        ("'\\x636166c3a9'::bytea", "café"),
        ("'\\xff'::bytea", None),
        ("'12345678-1234-5678-1234-567812345678'::uuid", "12345678-1234-5678-1234-567812345678"),
        ('\'{"b": [1, 2.5, null], "a": "é"}\'::jsonb', '{"a":"é","b":[1,2.5,null]}'),
        ("'{\"b\": 1}'::json", '{"b":1}'),
        ("ARRAY['a', NULL, 'c']", '["a",null,"c"]'),
        ("ARRAY[[1, 2], [3, 4]]", "[[1,2],[3,4]]"),
        ("ARRAY[1.5::numeric]", '["1.5"]'),
        ("'192.0.2.1'::inet", "192.0.2.1"),
        ("DATE '2026-06-01'", "2026-06-01"),
        ("TIMESTAMP '2026-06-01 12:00'", "2026-06-01T12:00:00"),
        ("INTERVAL '1 day 2 hours'", "1 day, 2:00:00"),
        ("NULL", None),
        ("NULL::text", None),
        ("'12:30 and 100% :id'", "12:30 and 100% :id"),
        ("$tag$ a ; 'b' $tag$", " a ; 'b' "),
        ("'\U0001f600'", "\U0001f600"),
    ],
)
def test_a_type_of_the_database_as_text(
    read: Read, helpdesk: dict[str, Any], environment: dict[str, str], expression: str, text: str | None
) -> None:
    assert text == one(read, helpdesk, environment, expression)


def test_a_type_that_nobody_described_names_its_column(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match=r"'body' of the source tickets holds a Range.*Cast it to text"):
        one(read, helpdesk, environment, "int4range(1, 5)")


def test_moments_keep_their_zone_and_get_none(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    query = "SELECT 'x' AS body, v AS opened FROM (VALUES (TIMESTAMPTZ '2026-06-01 12:00+02')) t(v)"
    aware = read({**helpdesk, "query": query}, environment=environment)[0].items[0].published
    naive = read({**helpdesk, "query": query.replace("TIMESTAMPTZ", "TIMESTAMP").replace("+02", "")}, environment=environment)
    assert isinstance(aware, str)
    assert ("+00:00", True) == (aware[-6:], aware.startswith("2026-06-01T10:00:00"))
    assert "2026-06-01T12:00:00" == naive[0].items[0].published


# Incremental


@pytest.mark.parametrize(
    ("column", "first", "second"),
    [
        ("timestamptz", "'2026-06-01 12:00:00.123456+02'", "'2026-06-01 11:00+00'"),
        ("timestamp", "'2026-06-01 12:00:00.123456'", "'2026-06-01 13:00'"),
        ("date", "'2026-06-01'", "'2026-06-02'"),
        ("bigint", "9007199254740993", "9007199254740994"),
        ("numeric", "0.1000000000000000000001", "0.1000000000000000000002"),
        ("float8", "0.1", "0.1000000000000001"),
        ("text", "'2026-06-01'", "'2026-06-02'"),
        ("bytea", "'\\x01'", "'\\x02'"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_a_reading_goes_on_to_the_last_digit_whatever_the_type_and_the_zone(
    read: Read, helpdesk: dict[str, Any], environment: dict[str, str], postgres: Session, column: str, first: str, second: str, zone: str
) -> None:
    postgres.execute(f"ALTER DATABASE helpdesk SET TimeZone = '{zone}'")  # type: ignore[arg-type]
    postgres.execute(f"CREATE TABLE log (id uuid PRIMARY KEY, body text, changed {column})")  # type: ignore[arg-type]
    insert = "INSERT INTO log SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'row ' || n, {} FROM generate_series({}, {}) n"
    postgres.execute(insert.format(first, 1, 3))  # type: ignore[arg-type]
    source = {**helpdesk, "query": "SELECT * FROM log", "fields": {"text": "body"}, "key": "id", "incremental": "changed", "batch": 2}
    some = read(source, environment=environment)[:1]
    assert ["row 1", "row 2"] == texts(some)
    postgres.execute(insert.format(second, 4, 5))  # type: ignore[arg-type]
    rest = read(source, cursor=some[-1].cursor, environment=environment)
    assert ["row 3", "row 4", "row 5"] == texts(rest)
    assert [] == texts(read(source, cursor=rest[-1].cursor, environment=environment))


def test_a_name_in_mixed_case_is_asked_for_as_it_is(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    source = {"query": 'SELECT id AS "Ticket No", body AS "Body", id AS "order" FROM tickets', "fields": {"text": "Body"}}
    batches = read({**helpdesk, **source, "key": "Ticket No", "incremental": "order"}, environment=environment)
    assert ["The door does not close.", "The lamp flickers."] == texts(batches)


# Streaming, deadlines, errors


def test_rows_come_as_they_are_asked_for(tmp_path: Path, helpdesk: dict[str, Any], environment: dict[str, str], postgres: Session) -> None:
    """Ten million rows of a kilobyte would not fit; the first batch is there long before the last row would be."""
    source = {**helpdesk, "query": "SELECT repeat('word ', 200) AS body, NULL AS opened FROM generate_series(1, 10000000)", "batch": 100}
    batches = reading(tmp_path, source, environment=environment)
    assert [100, 100, 100] == [len(next(batches).items) for _ in range(3)]
    batches.close()  # type: ignore[attr-defined]
    assert (0,) == postgres.execute("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'").fetchone()


def test_a_statement_ends_when_it_takes_longer_than_it_may(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    source = {**helpdesk, "query": "SELECT pg_sleep(60)::text AS body, NULL AS opened", "seconds": 0.2}
    with pytest.raises(ProviderError, match=r"statement timeout.*Allow it more") as late:
        read(source, environment=environment)
    assert "timeout" == late.value.failure


@pytest.mark.filterwarnings("ignore:<psycopg.ServerCursor:ResourceWarning")  # nobody can close a cursor of a connection that is gone
def test_a_statement_that_somebody_else_ends_is_an_error(
    read: Read, helpdesk: dict[str, Any], environment: dict[str, str], postgres: Session
) -> None:
    def end() -> None:
        while not postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND pid <> pg_backend_pid()"
        ).fetchall():
            time.sleep(0.05)

    ending = threading.Thread(target=end)
    ending.start()
    with pytest.raises(ProviderError, match="the database of tickets said: ") as lost:
        read({**helpdesk, "query": "SELECT pg_sleep(60)::text AS body, NULL AS opened"}, environment=environment)
    ending.join()
    assert "\n" not in str(lost.value)
    del lost
    gc.collect()


def test_a_wrong_password_is_said_and_not_shown(read: Read, helpdesk: dict[str, Any]) -> None:
    with pytest.raises(ProviderError, match=r"password authentication failed.*password_secret") as refused:
        read(helpdesk, environment={SECRET: "hunter2 is wrong"})
    assert "auth" == refused.value.failure
    assert "hunter2" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_table_that_the_account_may_not_read_is_an_error(read: Read, helpdesk: dict[str, Any], server: Server, postgres: Session) -> None:
    postgres.execute("DROP ROLE IF EXISTS reader")
    postgres.execute("CREATE ROLE reader LOGIN PASSWORD 'pw of the reader'")
    source = {**helpdesk, "url": server.url("helpdesk", user="reader")}
    with pytest.raises(ProviderError, match="permission denied for table tickets") as refused:
        read(source, environment={SECRET: "pw of the reader"})
    assert "auth" == refused.value.failure


def test_a_server_that_is_not_there_is_an_error(read: Read, helpdesk: dict[str, Any], environment: dict[str, str]) -> None:
    source = {**helpdesk, "url": "postgresql+psycopg://owner@127.0.0.1:1/helpdesk"}
    with pytest.raises(ProviderError, match="the database of tickets said: ") as refused:
        read(source, environment=environment)
    assert "connection" == refused.value.failure
    assert server_password_is_absent(str(refused.value), environment)


def server_password_is_absent(text: str, environment: Mapping[str, str]) -> bool:
    return all(value not in text for value in environment.values())
