"""One quote in one text in memory, by the length of the text: the kernel's verdict held against `str.find`, metalworks and gtrex.

What is compared is not the same work. `str.find` says where; metalworks says whether, after folding case and white space; gtrex says
where and by which fold; ours says where, by which fold, whether the cut is sound, what the cut left out and what a reader must be told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from veridical.kernel.policy import load_policy
from veridical.locate.find import locate

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import Figures, alternate, timed
from tests.benchmarks.results import Goal, Row, at_least
from tests.benchmarks.texts import absent, cut

__all__ = ["rows"]

_LENGTHS = (200, 2_000, 20_000, 100_000)
_PAGE = 100_000
_WORDS = 12
_TEXTS = 50
_PEERS = {
    "metalworks_one": "metalworks, the synthesis's check",
    "metalworks_match": "metalworks, verbatim_match",
    "gtrex_new": "gtrex, a new verifier",
    "gtrex_again": "gtrex, a verifier that knows the text",
}


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    for length in _LENGTHS:
        bench.say(f"matching: {length} characters")
        for there in (True, False):
            yield from _rows(bench, length, there=there)


def _rows(bench: Bench, length: int, *, there: bool) -> Iterator[Row]:
    runs = max(5, bench.runs * 200 // (200 + length // 20))
    pairs = _pairs(bench, length, runs, there=there)
    policy = load_policy()
    found = alternate(
        {
            "str.find": timed(lambda pair: pair["text"].find(pair["quote"])),
            "ours": timed(lambda pair: locate(pair["text"], pair["quote"], policy=policy)),
        },
        pairs,
    )
    kind = "that is there" if there else "with one word changed"
    what = f"a quote {kind}, in a text of {length:,} characters"
    yield Row("matching", what, found["ours"], "str.find", found["str.find"], size=length)
    if bench.peers is not None:
        few = pairs[: max(5, runs // 10)]
        theirs = alternate(
            {"ours": timed(lambda pair: locate(pair["text"], pair["quote"], policy=policy)), **_actions(bench)}, few, warm_up=2
        )
        for name, title in _PEERS.items():
            yield _against(what, title, theirs["ours"], theirs[name], length, goal=_goal(name, length, there=there))


def _goal(name: str, length: int, *, there: bool) -> Goal | None:
    return at_least(20) if name == "metalworks_one" and length == _PAGE and there else None


def _against(what: str, title: str, ours: Figures, theirs: Figures, length: int, *, goal: Goal | None) -> Row:
    return Row("matching", what, ours, title, theirs, theirs.p50 / ours.p50, goal, "times faster", length)


def _actions(bench: Bench) -> dict[str, Callable[[dict[str, str]], float]]:
    assert bench.peers is not None
    return {name: bench.peers.action(name) for name in _PEERS}


def _pairs(bench: Bench, length: int, runs: int, *, there: bool) -> list[dict[str, str]]:
    rng = random.Random(length)
    texts = [bench.comments.text(length, seed=seed)[:length] for seed in range(min(runs, _TEXTS))]
    pairs: list[dict[str, str]] = []
    while len(pairs) < runs:
        text = rng.choice(texts)
        quote = cut(text, _WORDS, rng)
        if quote is not None and "\n" not in quote:
            pairs.append({"text": text, "quote": quote if there else absent(quote, rng)})
    return pairs
