"""The hook: one file after the other, batch by batch. What a record says is never copied here: the host derives it from the bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from veridical_contract import (
    Derivation,
    FieldMap,
    InputFile,
    Item,
    PluginContext,
    Projection,
    Record,
    SourceBatch,
    SourceRequest,
    UnreadableError,
    hookimpl,
)

from .columns import Columns
from .formats import Layout, layout_of

__all__ = ["FilesSource"]

_BATCH: Final = 200
_BYTES: Final = 4 << 20
_MAIL: Final = {"title": "Subject", "author": "From", "published": "Date"}


class FilesSource:
    """Local files: text, Markdown, HTML, PDF, CSV and TSV, JSON and JSON Lines, mail. Each may be compressed with gzip."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        """Yield the records of every input: a file, a page, a row, a line or a message each."""
        for file in request.inputs:
            for batch in self._file(file, request.map):
                if self._context.cancelled():
                    return
                yield batch

    def _file(self, file: InputFile, mapped: FieldMap | None) -> Iterator[SourceBatch]:
        layout = layout_of(file.path)
        if layout is None:
            yield _ended(file, "unsupported: it is not text; save it as PDF, HTML or text to have it read")
        elif not file.size:
            yield _ended(file, "it is empty")
        else:
            yield from self._batches(file, layout, mapped)

    def _batches(self, file: InputFile, layout: Layout, mapped: FieldMap | None) -> Iterator[SourceBatch]:
        items: list[Item] = []
        size = 0
        try:
            for item in self._items(file, layout, mapped):
                items.append(item)
                # Yielded before the next record is read: with the batch the host lets go of the bytes it holds.
                size += item.raw.size if item.raw is not None else 0
                if len(items) == _BATCH or size >= _BYTES:
                    yield SourceBatch(container=file.path, items=tuple(items))
                    items, size = [], 0
        except UnreadableError as error:
            kind = "" if layout.known else "unsupported: "
            yield _ended(file, f"{kind}{' '.join(str(error).split())}"[:2000], items)
        else:
            yield SourceBatch(container=file.path, items=tuple(items), done=True)

    def _items(self, file: InputFile, layout: Layout, mapped: FieldMap | None) -> Iterator[Item]:
        records = self._context.files.records(file, format=layout.format)
        if layout.format in ("csv", "json"):
            yield from self._tabular(records, Columns(self._context.files.atoms, mapped))
            return
        for record in records:
            if layout.format == "mime":
                yield self._mail(record)
            else:
                yield _item(record, record.names, layout.projection or "plain")

    def _tabular(self, records: Iterator[Record], columns: Columns) -> Iterator[Item]:
        first: list[Record] = []
        problem: UnreadableError | None = None
        try:
            first.extend(islice(records, _BATCH))
        except UnreadableError as error:
            problem = error  # after what could be read
        chosen = [(record, columns.choose(record)) for record in first]
        if first and not any("text" in choice.pointers for _, choice in chosen):
            raise UnreadableError(columns.missing(first[0]))
        for record, choice in chosen:
            yield _item(record, choice.pointers, choice.projection)
        if problem is not None:
            raise problem
        for record in records:
            choice = columns.choose(record)
            yield _item(record, choice.pointers, choice.projection)

    def _mail(self, record: Record) -> Item:
        present = {name.lower() for name in record.names}
        pointers = {field: header for field, header in _MAIL.items() if header.lower() in present}
        if "author" in pointers:
            pointers["author"] = "From/address"
        kind = "text/plain" if "text/plain" in record.names else "text/html"
        text = {"text": record.names[kind]} if kind in record.names else {}
        return _item(record, {**text, **self._readable(record, pointers)}, "html" if kind == "text/html" else "plain")

    def _readable(self, record: Record, pointers: dict[str, str]) -> dict[str, str]:
        """Return the pointers whose headers can be decoded: a broken one must not cost the mail."""
        found: dict[str, str] = {}
        for field, pointer in pointers.items():
            try:
                if self._context.files.atoms(record, {field: pointer}):
                    found[field] = pointer
            except UnreadableError:
                self._context.logger.info("a header of the message in line %s cannot be read: %s", record.locator.line, pointer)
        return found


def _ended(file: InputFile, problem: str, items: list[Item] | None = None) -> SourceBatch:
    return SourceBatch(container=file.path, items=tuple(items or ()), done=True, problem=problem)


def _item(record: Record, pointers: dict[str, str], projection: Projection) -> Item:
    derivation = Derivation(
        format=record.format, encoding=record.encoding, delimiter=record.delimiter, projection=projection, pointers=pointers
    )
    return Item(locator=record.locator, raw=record.raw, derivation=derivation)
