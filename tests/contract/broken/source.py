"""Two honest source plugins, one of files and one that goes on from a cursor, and those that miscount, repeat, lose and do not end."""

from __future__ import annotations

from . import Honest, broken

__all__ = ["BROKEN", "FEED", "HONEST"]

_SERVICE = frozenset(
    {
        *("secret-missing", "time-limit", "secret-silence", "secret-in-header", "no-secret-kept"),
        *(
            f"fails-{name}"
            for name in ("auth", "forbidden", "rate-limit", "server", "timeout", "connection", "malformed", "truncated", "any-status")
        ),
    }
)

HONEST = Honest(
    "source",
    '''"""Lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import (
    Derivation, InputFile, Item, Locator, PluginContext, Record, SourceBatch, SourceRequest, UnreadableError, hookimpl
)


class Acme:
    """Lines of JSON."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        for file in request.inputs:
            try:
                for batch in self._batches(file):
                    if self._context.cancelled():
                        return
                    yield batch
            except UnreadableError as error:
                yield SourceBatch(container=file.path, done=True, problem=str(error))

    def _batches(self, file: InputFile) -> Iterator[SourceBatch]:
        items: list[Item] = []
        for record in self._context.files.records(file, format="json"):
            items.append(self._item(record))
            if len(items) == 200:
                yield SourceBatch(container=file.path, items=tuple(items))
                items = []
        yield SourceBatch(container=file.path, items=tuple(items), done=True)

    def _item(self, record: Record) -> Item:
        derivation = Derivation(format=record.format, encoding=record.encoding, projection="plain", pointers={"text": "/text"})
        return Item(locator=record.locator, raw=record.raw, derivation=derivation)
''',
    options={
        "inputs": {"notes.jsonl": b'{"text": "The roof leaks since May."}\n{"text": "Le toit est en cuivre."}\n{"text": "A third line."}\n'}
    },
    skipped=_SERVICE | {"cursor", "cursor-kept"},
)

FEED = Honest(
    "source",
    '''"""A feed that goes on from a cursor."""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import Item, Locator, PluginContext, SourceBatch, SourceRequest, hookimpl

ROWS = [f"Ticket number {number}: the roof leaks in room {number % 13}." for number in range(1000)]


class Acme:
    """A feed that goes on from a cursor."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        first = int(request.cursor or 0)
        for start in range(first, len(ROWS), 200):
            if self._context.cancelled():
                return
            rows = range(start, min(start + 200, len(ROWS)))
            items = tuple(Item(text=ROWS[row], locator=Locator(container="feed")) for row in rows)
            yield SourceBatch(container="feed", items=items, keys=tuple(map(str, rows)), cursor=str(rows[-1] + 1))
        yield SourceBatch(container="feed", done=True, cursor=str(len(ROWS)))
''',
    options={"locations": ("feed",)},
    skipped=_SERVICE | {"record-held", "records-dropped", "record-bytes", "record-admitted", "file-unreadable"},
)

_ITEM = "        return Item(locator=record.locator, raw=record.raw, derivation=derivation)\n"
_DONE = "        yield SourceBatch(container=file.path, items=tuple(items), done=True)\n"

BROKEN = [
    broken(HONEST, "batch-shape", "yields items, not batches", (_DONE, "        yield tuple(items)\n")),
    broken(HONEST, "batch-done", "never says that a file is at its end", ("items=tuple(items), done=True)", "items=tuple(items))")),
    broken(
        HONEST,
        "batch-size",
        "hands in a whole file at once",
        ("if len(items) == 200:", "if len(items) == 10**9:"),
        (
            "            items.append(self._item(record))\n",
            "            if self._context.cancelled():\n                return\n            items.append(self._item(record))\n",
        ),
    ),
    broken(
        HONEST,
        "locator",
        "names the file by its last part",
        (
            "Item(locator=record.locator,",
            "Item(locator=record.locator.model_copy(update={'container': record.locator.container.rpartition('/')[2]}),",
        ),
    ),
    broken(
        HONEST,
        "record-held",
        "copies the text out and leaves the bytes",
        (
            _ITEM,
            "        text = self._context.files.atoms(record, {'text': '/text'})['text']\n        return Item(locator=record.locator, text=text)\n",
        ),
    ),
    broken(
        HONEST,
        "records-dropped",
        "leaves out the last record of a file",
        ("items=tuple(items), done=True)", "items=tuple(items[:-1]), done=True)"),
    ),
    broken(
        HONEST,
        "record-bytes",
        "rounds sizes up",
        ("raw=record.raw,", "raw=record.raw.model_copy(update={'size': (record.raw.size // 100 + 1) * 100}),"),
    ),
    broken(
        HONEST,
        "record-admitted",
        "says the text in its own words",
        (_ITEM, "        return Item(locator=record.locator, raw=record.raw, derivation=derivation, text='As everybody knows.')\n"),
    ),
    broken(
        HONEST,
        "record-once",
        "reads every line twice",
        ("            items.append(self._item(record))\n", "            items += [self._item(record)] * 2\n"),
        ("if len(items) == 200:", "if len(items) >= 200:"),
    ),
    broken(
        HONEST,
        "file-unreadable",
        "stops at the first file that cannot be read",
        (
            "            except UnreadableError as error:\n                yield SourceBatch(container=file.path, done=True, problem=str(error))\n",
            "            except UnreadableError as error:\n                yield SourceBatch(container=file.path, done=True, problem=str(error))\n                return\n",
        ),
    ),
    broken(
        HONEST,
        "cancelled",
        "goes on when nobody waits",
        ("                    if self._context.cancelled():\n                        return\n", ""),
    ),
    broken(FEED, "cursor", "begins again whatever the cursor says", ("first = int(request.cursor or 0)", "first = 0")),
    broken(FEED, "cursor-kept", "says a cursor that is ahead of its batch", ("cursor=str(rows[-1] + 1))", "cursor=str(rows[-1] + 20))")),
]
