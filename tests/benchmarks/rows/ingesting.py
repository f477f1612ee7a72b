"""Documents put into the store: seconds of processor time for each, and the size of the file, held against bare sqlite3 and metalworks.

`put` is the storage plugin's part, with both indexes, in the batches that the host puts. `the whole way` is a file of JSON Lines read,
admitted and put: what `veridical sources add` does.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from veridical import Veridical
from veridical_contract import PutDocument

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import Figures, undisturbed
from tests.benchmarks.results import Row, at_least, at_most
from tests.benchmarks.store import BATCH, batches, file_size, made, opened

__all__ = ["rows"]

_LARGEST = 100_000
_PLAIN = "CREATE TABLE documents (id TEXT PRIMARY KEY, body BLOB NOT NULL, text TEXT NOT NULL)"
_WORDS = "CREATE VIRTUAL TABLE words USING fts5 (text, content='documents')"


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    for size in sorted({min(size, _LARGEST) for size in bench.sizes}):
        bench.say(f"ingesting: {size:,} documents")
        yield from _rows(bench, size)


def _rows(bench: Bench, size: int) -> Iterator[Row]:
    texts = list(bench.comments.texts(size))
    characters = sum(len(text.encode()) for text in texts)
    folder = bench.folder / f"ingesting-{size}"
    folder.mkdir()
    plain = _bare(folder / "plain.sqlite3", made(texts), [_PLAIN])
    indexed = _bare(folder / "indexed.sqlite3", made(texts), [_PLAIN, _WORDS])
    put, written = _put(folder / "put", list(made(texts)))
    ours, peer = _rate(size, put), "raw sqlite3, one table, SHA-256"
    yield Row(
        "ingesting",
        f"put {size:,} documents with both indexes",
        ours,
        peer,
        _rate(size, plain),
        ours.p50,
        at_least(20_000, "documents/s"),
        size=size,
    )
    yield Row("ingesting", f"put {size:,} documents with both indexes", ours, "raw sqlite3 with FTS5", _rate(size, indexed), size=size)
    text = Figures.once(characters, "B")
    yield Row(
        "ingesting",
        f"file of {size:,} documents, without raw bodies",
        Figures.once(written, "B"),
        "their text",
        text,
        goal=at_most(2.3),
        size=size,
    )
    whole = _whole_way(folder / "whole", folder / "comments.jsonl", texts)
    yield Row("ingesting", f"the whole way: {size:,} documents from a file", _rate(size, whole), peer, _rate(size, plain), size=size)
    if bench.peers is not None:
        path = folder / "texts.jsonl"
        path.write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")
        found = bench.peers.ask("metalworks_put", path=str(path), database=str(folder / "metalworks.sqlite3"))
        theirs = _rate(size, found["seconds"])
        yield Row("ingesting", f"put {size:,} documents with both indexes", ours, "metalworks, no index", theirs, size=size)
        bytes_ = Figures.once(found["bytes"], "B")
        yield Row("ingesting", f"file of {size:,} documents", Figures.once(written, "B"), "metalworks' file, no index", bytes_, size=size)


def _rate(size: int, seconds: float) -> Figures:
    return Figures.once(size / seconds, "documents/s")


def _bare(path: Path, documents: Iterable[PutDocument], tables: Sequence[str]) -> float:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    for table in tables:
        connection.execute(table)
    parts = [batch.documents for batch in batches(documents)]
    with undisturbed():
        started = time.process_time()
        for number, part in enumerate(parts):
            rows_ = [(hashlib.sha256(document.body).hexdigest(), document.body, document.text) for document in part]
            connection.executemany("INSERT OR IGNORE INTO documents VALUES (?, ?, ?)", rows_)
            if _WORDS in tables:
                words = [(number * BATCH + row, document.text) for row, document in enumerate(part, 1)]
                connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", words)
            connection.commit()
        seconds = time.process_time() - started
    connection.close()
    return seconds


def _put(home: Path, documents: Sequence[PutDocument]) -> tuple[float, int]:
    """Return the processor seconds and the bytes on the disk."""
    world = opened(home)
    parts = list(batches(documents))
    with undisturbed():
        started = time.process_time()
        for batch in parts:
            world.gateway.put(batch)
        seconds = time.process_time() - started
    while world.gateway.compact().pending:
        pass
    world.calls.close()
    del world
    return seconds, file_size(home)


def _whole_way(home: Path, path: Path, texts: Sequence[str]) -> float:
    rows_ = (
        {"text": text, "author_id": str(row % 997), "created": "2016-05-26T07:13:41.710", "url": f"https://comments.example/{row}"}
        for row, text in enumerate(texts)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows_), "utf-8")
    with Veridical(home=home) as veridical:
        started = time.process_time()
        veridical.add_source("comments", [path])
        return time.process_time() - started
