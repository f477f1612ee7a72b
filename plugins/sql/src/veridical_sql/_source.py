"""The hook: rows of a query as items, batch by batch, from where the last reading ended.

    SourceRequest.origin -> [plugin.sql.sources.NAME] -> read-only connection -> rows -> Item: fields from columns, the URL from a template

The host does not read the bytes of a database: all of it is attested by this plugin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from sqlalchemy import Connection, CursorResult
from veridical_contract import ConfigurationError, Item, Locator, PluginContext, SourceBatch, SourceRequest, hookimpl

from ._connection import opened, parsed_url
from ._cursor import read_cursor, written_cursor
from ._settings import Declaration, Settings
from ._statement import after, gaps, whole
from ._values import UnknownTypeError, as_published, as_text, row_number

__all__ = ["SqlSource"]

_Row = Mapping[str, object]


class SqlSource:
    """Rows of a query in any database that SQLAlchemy reads: each row is a document. Sources are declared in the settings."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._declared = context.settings(Settings).sources

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        """Yield the rows of the source `request.origin`, those alone that came after `request.cursor` when it has an incremental column.

        Raises:
            ConfigurationError: the source is not declared, or its query does not fit its declaration.
            MissingExtraError: the database's driver is not installed.
            MissingSecretError: its password is not set.
            ProviderError: the database failed.
        """
        declaration = self._declaration(request)
        secret = declaration.password_secret
        url = parsed_url(request.origin, declaration.url, self._context.secret(secret) if secret is not None else None)
        with opened(request.origin, url, seconds=declaration.seconds, cancelled=self._context.cancelled) as connection:
            yield from _Reading(self._context, request, declaration).batches(connection)

    def _declaration(self, request: SourceRequest) -> Declaration:
        name = request.origin
        if request.map is not None:
            raise ConfigurationError(
                f"The source {name} has a map, which is for files.", hint=f"Name the columns as fields in [plugin.sql.sources.{name}]."
            )
        if (found := self._declared.get(name)) is not None:
            return found
        near = get_close_matches(name, self._declared, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Add the table [plugin.sql.sources.{name}] with url, query and fields."
        raise ConfigurationError(f"Nothing says where the source {name} is read from.", hint=hint)


class _Reading:
    """One reading of one source."""

    def __init__(self, context: PluginContext, request: SourceRequest, declaration: Declaration) -> None:
        self._context = context
        self._name = request.origin
        self._declared = declaration
        self._template = declaration.template()
        self._cursor = request.cursor
        self._last = read_cursor(declaration, request.cursor)

    def batches(self, connection: Connection) -> Iterator[SourceBatch]:
        with self._rows(connection) as result:
            self._check_columns(list(result.keys()))
            for several in result.mappings().partitions(self._declared.batch):
                if self._context.cancelled():
                    return  # without a last batch: nobody takes it for the whole
                rows = cast("Sequence[_Row]", several)
                items = tuple(map(self._item, rows))
                yield SourceBatch(container=self._name, items=items, keys=self._keys(rows), cursor=self._cursor_after(rows[-1]))
        yield SourceBatch(container=self._name, done=True, cursor=self._cursor if self._declared.incremental else None)

    def _rows(self, connection: Connection) -> CursorResult[Any]:
        query, incremental, key = self._declared.query, self._declared.incremental, self._declared.key
        streamed = connection.execution_options(yield_per=self._declared.batch)  # a cursor of the server, where the driver has them
        if incremental is None or key is None:
            return streamed.execute(whole(query))
        if connection.execute(gaps(query, incremental, key)).first() is not None:
            raise ConfigurationError(
                f"Rows of {self._name} have no value in {incremental} or {key}: nobody could say when they were read.",
                hint=f"Leave them out, or give them one in the query: COALESCE({incremental}, ...) AS {incremental}",
            )
        return streamed.execute(after(query, incremental, key, self._last))

    def _check_columns(self, columns: Sequence[str]) -> None:
        for column, setting in self._declared.columns().items():
            if (count := columns.count(column)) != 1:
                said = "is not a column" if not count else "is the name of several columns"
                raise ConfigurationError(
                    f"{setting} of the source {self._name}: {column!r} {said} of the query.", hint=f"It has: {', '.join(columns)}."
                )

    def _keys(self, rows: Sequence[_Row]) -> tuple[str, ...]:
        """Return what each row is known by, so that a row that was read before is replaced."""
        if (key := self._declared.key) is None:
            return ()
        keys = tuple(self._text(row, key) for row in rows)
        if not all(keys):
            raise ConfigurationError(
                f"Rows of {self._name} have no value in {key}, their key.", hint="Leave them out in the query, or name another column."
            )
        return tuple(filter(None, keys))

    def _cursor_after(self, row: _Row) -> str | None:
        incremental, key = self._declared.incremental, self._declared.key
        if incremental is not None and key is not None:
            self._cursor = written_cursor(self._declared, (row[incremental], row[key]))
            return self._cursor
        return None

    def _item(self, row: _Row) -> Item:
        fields = self._declared.fields
        said = {name: self._text(row, column) for name, column in fields.items() if name != "published"}
        url = self._template.filled({name: self._text(row, name) for name in self._template.columns}) if self._template else said.get("url")
        key = self._declared.key
        return Item(
            text=said.get("text"),
            url=url,
            title=said.get("title"),
            author=said.get("author"),
            author_name=said.get("author_name"),
            published=self._published(row, fields["published"]) if "published" in fields else None,
            locator=Locator(container=self._name, row=row_number(row[key]) if key is not None else None),
        )

    def _text(self, row: _Row, column: str) -> str | None:
        try:
            return as_text(row[column])
        except UnknownTypeError as error:
            raise self._unknown(column, error) from None

    def _published(self, row: _Row, column: str) -> str | int | None:
        try:
            return as_published(row[column])
        except UnknownTypeError as error:
            raise self._unknown(column, error) from None

    def _unknown(self, column: str, error: UnknownTypeError) -> ConfigurationError:
        said = f"The column {column!r} of the source {self._name} holds a {error}, which is not read."
        return ConfigurationError(said, hint="Cast it to text in the query.")
