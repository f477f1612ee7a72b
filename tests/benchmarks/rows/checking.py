"""One quote checked against the document that it names, in the store: held against fetching the row by its key with bare sqlite3.

The parts are printed too, since most of the cost is not the search: the store's own reading, the admission of what it gave back
(digest, tag, shape), the verdict, and the hand-over to the store's thread.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from veridical.kernel.admission import admit_stored
from veridical.kernel.policy import load_policy
from veridical.locate.find import locate
from veridical_contract import PutDocument

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import alternate, timed
from tests.benchmarks.results import Row, at_most
from tests.benchmarks.store import KEY, World, batches, made, opened
from tests.benchmarks.texts import cut

__all__ = ["rows"]

_PEER = "bare sqlite3: the row by its key"
_WORDS, _AT_ONCE = 8, 100


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    size = min(bench.sizes[-1], 100_000)
    bench.say(f"checking: a store of {size:,} documents")
    documents = list(made(bench.comments.texts(size)))
    world = opened(bench.folder / "checking")
    bare = _bare(bench.folder / "bare.sqlite3", documents)
    try:
        for batch in batches(documents):
            world.gateway.put(batch)
        yield from _rows(bench, world, bare, documents)
    finally:
        world.calls.close()
        bare.close()


def _rows(bench: Bench, world: World, bare: sqlite3.Connection, documents: Sequence[PutDocument]) -> Iterator[Row]:
    policy = load_policy()
    asked = _asked(documents, bench.runs)
    row = partial(bare.execute, "SELECT body FROM documents WHERE id = ?")

    def whole(one: tuple[PutDocument, str], gateway: object = world.inline) -> None:
        document = gateway.fetch([one[0].id]).documents[one[0].id]  # type: ignore[attr-defined]
        locate(document.text, one[1], policy=policy)

    def at_once(part: Sequence[tuple[PutDocument, str]]) -> None:
        held = world.inline.fetch([document.id for document, _ in part]).documents
        for document, quote in part:
            locate(held[document.id].text, quote, policy=policy)

    found = alternate(
        {
            "bare": timed(lambda one: row((one[0].id,)).fetchone()),
            "whole": timed(whole),
            "threaded": timed(partial(whole, gateway=world.gateway)),
            "read": timed(lambda one: world.plugins.call("storage", "sqlite", "get", ids=(one[0].id,))),
            "admit": timed(lambda one: admit_stored(one[0].id, one[0].body, one[0].tag, KEY)),
            "verdict": timed(lambda one: locate(one[0].text, one[1], policy=policy)),
        },
        asked,
    )
    parts = [asked[at : at + _AT_ONCE] for at in range(0, len(asked), _AT_ONCE)]
    many = alternate({"at once": _each(at_once)}, parts, warm_up=0)
    peer = found["bare"]
    yield Row("checking", "a quote checked against the document it names", found["whole"], _PEER, peer, goal=at_most(2.5))
    yield Row("checking", f"the same, {_AT_ONCE} quotes at once, for each", many["at once"], _PEER, peer)
    yield Row("checking", "the same, one by one with the hand-over to the store's thread", found["threaded"], _PEER, peer)
    yield Row("checking", "part: the store reads, unpacks and hashes the document", found["read"], _PEER, peer)
    yield Row("checking", "part: admission of what the store gave back (digest, tag, shape)", found["admit"], _PEER, peer)
    yield Row("checking", "part: the verdict (find, cut, folds, sentence, what the cut left out)", found["verdict"], _PEER, peer)


def _each(action: object) -> object:
    run = timed(action)  # type: ignore[arg-type]
    return lambda part: run(part) / len(part)


def _asked(documents: Sequence[PutDocument], number: int) -> list[tuple[PutDocument, str]]:
    rng = random.Random(7)
    asked: list[tuple[PutDocument, str]] = []
    while len(asked) < number:
        document = rng.choice(documents)
        quote = cut(document.text, _WORDS, rng)
        if quote is not None:
            asked.append((document, quote))
    return asked


def _bare(path: Path, documents: Sequence[PutDocument]) -> sqlite3.Connection:
    """The same bodies in a table as anybody would make it."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE documents (id TEXT PRIMARY KEY, body BLOB NOT NULL)")
    connection.executemany("INSERT OR IGNORE INTO documents VALUES (?, ?)", ((document.id, document.body) for document in documents))
    connection.commit()
    return connection
