"""A quote of eight words located among all documents of a store, none named; before and after the index was put in order.

Half of the quotes stand in one of the documents, half have one word changed, which is the most work for an index. They have 27 letters or
more: for those the index promises that it misses no document. For a shorter quote the full-text index is asked as well, which is a row of
its own. The peer reads all texts it holds in memory, as it does for the quotes of a cluster; it is asked only where that is bearable,
and its seconds are those of the processor.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from veridical.kernel.policy import load_policy
from veridical.workflows.find import find_quote
from veridical_contract import FingerprintQuery

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import Figures, alternate, timed
from tests.benchmarks.results import Row, at_least, at_most
from tests.benchmarks.store import World, batches, made, opened
from tests.benchmarks.texts import absent, cut

__all__ = ["rows"]

_WORDS = 8
_LEAST = 27
_SCANNED = 100_000
_FASTER = {"uncompacted": 4_000, "compacted": 25_000}
_COMPARED = (100_000, 1_000_000)


@dataclass(frozen=True)
class _Measured:
    size: int
    state: str
    hit: Figures
    miss: Figures
    ask: Figures


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    measured: list[_Measured] = []
    for size in bench.sizes:
        bench.say(f"locating: a store of {size:,} documents")
        folder = bench.folder / f"locating-{size}"
        world = opened(folder)
        try:
            sample, characters = _filled(world, bench, size)
            quotes = [pair for pair in _quotes(sample, bench.runs) if _letters(pair[0]) >= _LEAST]
            for state, prepare in (("uncompacted", _nothing), ("compacted", _compact)):
                prepare(world)
                measured.append(_measure(world, size, state, quotes))
                yield from _rows(measured[-1])
                yield from _against_scan(bench, measured[-1], quotes, size)
            yield from _short(world, size, sample, bench.runs)
            yield from _index(folder, size, characters)
        finally:
            world.calls.close()
    yield from _growth(measured)


def _rows(one: _Measured) -> Iterator[Row]:
    what = f"locate a quote of {_WORDS} words, {one.size:,} documents, {one.state}"
    goals = (at_most(1e-4, "s"), at_most(1e-3, "s")) if one.state == "compacted" else (None, None)
    for kind, figures in (("that is there", one.hit), ("with one word changed", one.miss)):
        for rank, goal in zip(("p50", "p99"), goals, strict=True):
            value = getattr(figures, rank) if goal is not None else None
            yield Row("locating", f"{what}, {kind}: {rank}", figures, value=value, goal=goal, size=one.size)
    yield Row("locating", f"{what}: the store's part alone", one.ask, size=one.size)


def _short(world: World, size: int, sample: Sequence[str], runs: int) -> Iterator[Row]:
    """Quotes that are too short for a promise, where there are any."""
    quotes = [quote for quote, _ in _quotes(sample, max(200, runs)) if _letters(quote) < _LEAST]
    if not quotes:
        return
    share = len(quotes) / max(200, runs)
    policy = load_policy()
    found = alternate({"short": timed(lambda quote: find_quote(world.inline, quote, policy=policy))}, quotes[:50], warm_up=2)
    what = f"locate a quote of {_WORDS} words, {size:,} documents, with fewer than {_LEAST} letters, as {share:.0%} of them are"
    yield Row("locating", what, found["short"], size=size)


def _letters(quote: str) -> int:
    return sum(map(str.isalnum, quote))


def _against_scan(bench: Bench, one: _Measured, quotes: Sequence[tuple[str, str]], size: int) -> Iterator[Row]:
    if bench.peers is None or size > _SCANNED:
        return
    path = bench.folder / "texts.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in bench.comments.texts(size))
    bench.peers.ask("hold", path=str(path))
    found = alternate({"scan": bench.peers.action("metalworks_scan")}, [{"quote": changed} for _, changed in quotes[:5]], warm_up=1)
    faster = found["scan"].p50 / one.miss.p50
    goal = at_least(_FASTER[one.state]) if size == _SCANNED else None
    what = f"locate, {size:,} documents, {one.state}, a quote with one word changed"
    yield Row("locating", what, one.miss, "metalworks, scan of all texts", found["scan"], faster, goal, "times faster", size)


def _growth(measured: Sequence[_Measured]) -> Iterator[Row]:
    by_size = {one.size: one for one in measured if one.state == "compacted"}
    small, large = (by_size.get(size) for size in _COMPARED)
    if small is not None and large is not None:
        for kind in ("hit", "miss"):
            ours, theirs = getattr(large, kind), getattr(small, kind)
            what = f"locate, {kind}: a million documents against a hundred thousand"
            yield Row("locating", what, ours, "a hundred thousand", theirs, goal=at_most(1.5))


def _measure(world: World, size: int, state: str, quotes: Sequence[tuple[str, str]]) -> _Measured:
    policy = load_policy()
    found = alternate(
        {
            "hit": timed(lambda pair: find_quote(world.inline, pair[0], policy=policy)),
            "miss": timed(lambda pair: find_quote(world.inline, pair[1], policy=policy)),
            "ask": timed(lambda pair: world.inline.candidates_by_fingerprint(FingerprintQuery(text=pair[1], limit=500))),
        },
        quotes,
    )
    return _Measured(size, state, found["hit"], found["miss"], found["ask"])


def _filled(world: World, bench: Bench, size: int) -> tuple[list[str], int]:
    """Put `size` documents into the store; return some of their texts, and the size of all in bytes."""
    sample: list[str] = []
    total = 0

    def counted() -> Iterator[str]:
        nonlocal total
        step = max(1, size // 2_000)
        for row, text in enumerate(bench.comments.texts(size)):
            total += len(text.encode())
            if row % step == 0:
                sample.append(text)
            yield text

    for batch in batches(made(counted())):
        world.gateway.put(batch)
    return sample, total


def _quotes(sample: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Quotes that are there, each beside itself with one word changed."""
    rng = random.Random(11)

    def endless() -> Iterator[tuple[str, str]]:
        while True:
            quote = cut(rng.choice(sample), _WORDS, rng)
            if quote is not None:
                yield quote, absent(quote, rng)

    return list(islice(endless(), number))


def _nothing(world: World) -> None:
    """The index is as it was written."""


def _compact(world: World) -> None:
    while world.gateway.compact().pending:
        pass


def _index(home: Path, size: int, characters: int) -> Iterator[Row]:
    """The size of the index, where this SQLite can say what a table takes."""
    with closing(sqlite3.connect(f"file:{home / 'store.sqlite3'}?mode=ro", uri=True)) as connection, suppress(sqlite3.OperationalError):
        (taken,) = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%fingerprint%'").fetchone()
        ours, text = Figures.once(taken or 0, "B"), Figures.once(characters, "B")
        yield Row("locating", f"fingerprint index of {size:,} documents", ours, "their text", text, goal=at_most(0.5), size=size)
