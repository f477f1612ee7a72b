"""SQLite: rows as items, from where the last reading ended; nothing is written, nothing is shown that must not be."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from veridical.context import HostContext
from veridical_contract import ConfigurationError, FieldMap, ProviderError, SourceBatch, SourceRequest
from veridical_sql import SqlSource

from .conftest import Read, context, reading

FIELDS = {"text": "body", "title": "subject", "author": "reporter", "published": "opened"}


def declaration(path: Path, **more: Any) -> dict[str, Any]:
    return {"url": f"sqlite:///{path}", "query": "SELECT * FROM tickets ORDER BY id", "fields": FIELDS, **more}


def texts(batches: list[SourceBatch]) -> list[str | None]:
    return [item.text for batch in batches for item in batch.items]


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def test_a_row_is_an_item_whose_fields_are_its_columns(read: Read, tickets: Path) -> None:
    first, *_ = read(declaration(tickets, url_template="https://tickets.example.com/t/{id}", key="id"))
    item = first.items[1]
    assert ("The lamp flickers at night.", "Lamp", "bob", "2026-06-02") == (item.text, item.title, item.author, item.published)
    assert ("https://tickets.example.com/t/2", "tickets", 2) == (item.url, item.locator.container, item.locator.row)
    assert ("1", "2", "3") == first.keys


def test_a_column_without_a_value_is_a_field_without_one(read: Read, tickets: Path) -> None:
    (item,) = read(declaration(tickets, query="SELECT * FROM tickets WHERE id = 3"))[0].items
    assert (None, None, None) == (item.author, item.published, item.url)


@pytest.mark.parametrize("batch", [1, 2, 3, 500])
def test_every_row_comes_once_whatever_the_size_of_a_batch_and_the_last_one_says_so(read: Read, tickets: Path, batch: int) -> None:
    batches = read(declaration(tickets, batch=batch))
    assert ["The door does not close.", "The lamp flickers at night.", "The tap drips all day."] == texts(batches)
    assert [False] * (len(batches) - 1) + [True] == [each.done for each in batches]
    assert max(len(each.items) for each in batches) == min(batch, 3)


def test_a_query_without_rows_is_a_source_that_holds_nothing(read: Read, tickets: Path) -> None:
    assert [SourceBatch(container="tickets", done=True)] == read(declaration(tickets, query="SELECT * FROM tickets WHERE id > 99"))


def test_colons_percent_signs_semicolons_in_strings_and_comments_are_the_querys_own(read: Read, tickets: Path) -> None:
    query = """-- the open ones; all of them
    SELECT id, body || ' 12:30 :id 100% ;' AS body /* and : this; */ FROM tickets WHERE body LIKE '%door%' -- one:a
    ;"""
    assert ["The door does not close. 12:30 :id 100% ;"] == texts(read(declaration(tickets, query=query, fields={"text": "body"})))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("DELETE FROM tickets", "begins with DELETE"),
        ("SELECT 1; DELETE FROM tickets", "more than one statement"),
        ("-- SELECT\nUPDATE tickets SET body = ''", "begins with UPDATE"),
        ("selection", "begins with selection"),
        (" ; ", "begins with nothing"),
        ("", "begins with nothing"),
    ],
)
def test_what_is_not_one_select_is_refused_before_the_database_is_opened(read: Read, query: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        read(declaration(Path("/nowhere"), query=query))


def test_sqlite_itself_refuses_to_write(tickets: Path, read: Read) -> None:
    query = "WITH gone AS (SELECT 1) DELETE FROM tickets RETURNING body"
    with pytest.raises(ProviderError, match="attempt to write a readonly database"):
        read(declaration(tickets, query=query, fields={"text": "body"}))
    with closing(sqlite3.connect(tickets)) as database:
        assert (3,) == database.execute("SELECT count(*) FROM tickets").fetchone()


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, read: Read) -> None:
    with pytest.raises(ConfigurationError, match="There is no file"):
        read(declaration(tmp_path / "no.db"))
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize("url", ["sqlite:///tickets.db", "sqlite://", "sqlite:///file:tickets.db?mode=rwc&uri=true"])
def test_a_file_is_named_by_its_whole_path(read: Read, tickets: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="whole path"):
        read(declaration(tickets, url=url))


def test_text_that_is_no_utf_8_costs_its_own_row(read: Read, tickets: Path) -> None:
    """The host refuses what has no UTF-8 form, and counts it."""
    change(tickets, "UPDATE tickets SET body = CAST(x'ff6162' AS TEXT) WHERE id = 2")
    assert ["The door does not close.", "\udcffab", "The tap drips all day."] == texts(read(declaration(tickets)))


# Incremental

GROWING = {"key": "id", "incremental": "changed", "query": "SELECT * FROM tickets"}


def test_only_what_came_after_the_last_reading_is_read_again(read: Read, tickets: Path) -> None:
    cursor = read(declaration(tickets, **GROWING))[-1].cursor
    change(tickets, "INSERT INTO tickets VALUES (4, 'The bell is silent.', 'Bell', 'ann', NULL, '2026-06-03T00:00:00Z')")
    change(tickets, "UPDATE tickets SET body = 'The door closes.', changed = '2026-06-04T00:00:00Z' WHERE id = 1")
    batches = read(declaration(tickets, **GROWING), cursor=cursor)
    assert ["The bell is silent.", "The door closes."] == texts(batches)
    assert ("4", "1") == batches[0].keys


def test_rows_of_one_value_are_neither_lost_nor_read_twice_wherever_a_batch_ends(read: Read, tickets: Path) -> None:
    for number in range(4, 12):
        change(tickets, "INSERT INTO tickets VALUES (?, ?, '', '', NULL, '2026-06-02T10:00:00Z')", number, f"Row {number}.")
    everything = texts(read(declaration(tickets, **GROWING)))
    assert len(everything) == len(set(everything)) == 11
    for size in (1, 2, 3, 5):
        for stop in range(1, 5):
            some = read(declaration(tickets, **GROWING, batch=size))[:stop]
            rest = read(declaration(tickets, **GROWING, batch=size), cursor=some[-1].cursor)
            assert everything == texts(some) + texts(rest)


def test_a_row_that_came_later_with_the_last_value_and_a_greater_key_is_read(read: Read, tickets: Path) -> None:
    cursor = read(declaration(tickets, **GROWING))[-1].cursor
    change(tickets, "INSERT INTO tickets VALUES (9, 'The same second.', '', '', NULL, '2026-06-02T10:00:00Z')")
    assert ["The same second."] == texts(read(declaration(tickets, **GROWING), cursor=cursor))


def test_where_it_ended_stays_when_nothing_is_new(read: Read, tickets: Path) -> None:
    cursor = read(declaration(tickets, **GROWING))[-1].cursor
    assert cursor is not None
    assert [SourceBatch(container="tickets", done=True, cursor=cursor)] == read(declaration(tickets, **GROWING), cursor=cursor)


def test_another_query_is_read_from_its_begin(read: Read, tickets: Path) -> None:
    cursor = read(declaration(tickets, **GROWING))[-1].cursor
    other = GROWING | {"query": "SELECT * FROM tickets WHERE id < 3"}
    assert len(texts(read(declaration(tickets, **other), cursor=cursor))) == 2


def test_a_size_of_batches_is_not_another_query(read: Read, tickets: Path) -> None:
    cursor = read(declaration(tickets, **GROWING))[-1].cursor
    assert [] == texts(read(declaration(tickets, **GROWING, batch=7), cursor=cursor))


@pytest.mark.parametrize("column", ["changed", "id"])
def test_a_row_without_a_value_to_go_on_from_stops_the_reading_with_the_way_out(read: Read, tickets: Path, column: str) -> None:
    change(tickets, "INSERT INTO tickets VALUES (4, 'Undated.', '', '', NULL, NULL)")
    query = (
        "SELECT * FROM tickets"
        if column == "changed"
        else "SELECT body, subject, reporter, opened, 'x' AS changed, NULL AS id FROM tickets"
    )
    with pytest.raises(ConfigurationError, match=r"no value in changed or id.*COALESCE\(changed"):
        read(declaration(tickets, **GROWING | {"query": query}))


@pytest.mark.parametrize(
    "cursor", ["", "[]", '{"last": []}', '{"of": "x", "last": [["set", "1"]]}', '{"of": "x", "last": [["int", "x"], 1]}']
)
def test_a_cursor_that_this_plugin_did_not_write_is_refused(read: Read, tickets: Path, cursor: str) -> None:
    with pytest.raises(ConfigurationError, match="not something that this plugin wrote"):
        read(declaration(tickets, **GROWING), cursor=cursor)


# Declarations


@pytest.fixture
def given(tmp_path: Path, tickets: Path) -> HostContext:
    return context(tmp_path, {"tickets": declaration(tickets)})


def test_a_source_that_is_not_declared_is_named_with_the_nearest_or_the_table_to_add(given: HostContext) -> None:
    plugin = SqlSource(given)
    with pytest.raises(ConfigurationError, match="Did you mean 'tickets'"):
        next(plugin.read(SourceRequest(origin="ticket")))
    with pytest.raises(ConfigurationError, match=r"Add the table \[plugin\.sql\.sources\.wiki\] with url, query and fields"):
        next(plugin.read(SourceRequest(origin="wiki")))


def test_a_map_for_files_is_not_passed_over_in_silence(given: HostContext) -> None:
    request = SourceRequest(origin="tickets", map=FieldMap(fields={"text": "body"}))
    with pytest.raises(ConfigurationError, match=r"Name the columns as fields in \[plugin\.sql\.sources\.tickets\]"):
        next(SqlSource(given).read(request))


def test_a_column_that_is_not_there_is_named_with_those_that_are(tickets: Path, read: Read) -> None:
    with pytest.raises(ConfigurationError, match=r"is not a column of the query\. It has: id, body, subject, reporter, opened, changed"):
        read(declaration(tickets, fields={"text": "words"}))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"url_template": "https://t.example.com/{id}}"}, "brace"),
        ({"fields": {"title": "subject"}}, "no column for the text"),
        ({"fields": {"text": "body", "words": "body"}}, "words"),
        ({"incremental": "changed"}, "needs key"),
        ({"url_template": "https://t.example.com/{id}", "fields": {"text": "body", "url": "link"}}, "expected one of them"),
        ({"batch": 0}, "batch"),
        ({"seconds": 0}, "seconds"),
        ({"pasword_secret": "X"}, "pasword_secret"),
    ],
)
def test_a_declaration_that_cannot_be_meant_is_refused_in_one_line(read: Read, tickets: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as refused:
        read(declaration(tickets, **more))
    assert "plugin.sql.sources.tickets" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_columns_of_one_name_are_not_guessed_between(read: Read, tickets: Path) -> None:
    query = "SELECT a.body, b.body FROM tickets a JOIN tickets b ON a.id = b.id"
    with pytest.raises(ConfigurationError, match="the name of several columns"):
        read(declaration(tickets, query=query, fields={"text": "body"}))


def test_a_column_that_is_read_twice_and_not_asked_for_does_not_matter(read: Read, tickets: Path) -> None:
    query = "SELECT a.body AS words, a.id, b.id FROM tickets a JOIN tickets b ON a.id = b.id"
    assert len(texts(read(declaration(tickets, query=query, fields={"text": "words"})))) == 3


# Errors, cancellation, deadlines


def test_an_error_of_the_database_is_one_line_without_the_statement(read: Read, tickets: Path) -> None:
    with pytest.raises(ProviderError) as refused:
        read(declaration(tickets, query="SELECT body FROM\ntickts WHERE 'hunter2' = ''", fields={"text": "body"}))
    assert "the database of tickets said: no such table: tickts. Check the query." == str(refused.value)


def test_a_file_that_is_no_database_is_an_error(read: Read, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(ProviderError, match="file is not a database"):
        read(declaration(tmp_path / "x.db"))


def test_a_reading_that_nobody_waits_for_ends_at_the_next_batch(read: Read, tickets: Path) -> None:
    seen = list[bool]()

    def cancelled() -> bool:
        seen.append(True)
        return len(seen) > 1

    batches = read(declaration(tickets, batch=1), cancelled=cancelled)
    assert [False] == [batch.done for batch in batches]


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'never' AS body FROM n WHERE i < 0"


def test_a_query_that_never_ends_is_interrupted_when_nobody_waits(read: Read, tickets: Path) -> None:
    asked = list[bool]()

    def cancelled() -> bool:
        asked.append(True)
        return True

    with pytest.raises(ProviderError, match="interrupted"):
        read(declaration(tickets, query=ENDLESS, fields={"text": "body"}, seconds=20), cancelled=cancelled)
    assert asked


def test_a_query_that_takes_longer_than_it_may_is_interrupted(read: Read, tickets: Path) -> None:
    with pytest.raises(ProviderError, match="seconds in the source's table") as late:
        read(declaration(tickets, query=ENDLESS, fields={"text": "body"}, seconds=0.2))
    assert "timeout" == late.value.failure


def test_leaving_early_lets_go_of_the_file(tmp_path: Path, tickets: Path) -> None:
    batches = reading(tmp_path, declaration(tickets, batch=1))
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    with closing(sqlite3.connect(tickets, timeout=0)) as database:
        database.execute("BEGIN EXCLUSIVE")


# Passwords


def test_a_password_in_the_file_is_refused_and_not_shown(read: Read) -> None:
    with pytest.raises(ConfigurationError, match="password_secret") as refused:
        read(declaration(Path("x"), url="postgresql+psycopg://reader:hunter2@db.example/helpdesk"))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("url", ["", "postgres", "://x", "postgresql+psycopg://db:port/x"])
def test_what_is_no_url_is_said_to_be_none(read: Read, url: str) -> None:
    with pytest.raises(ConfigurationError, match="none that SQLAlchemy reads"):
        read(declaration(Path("x"), url=url))
