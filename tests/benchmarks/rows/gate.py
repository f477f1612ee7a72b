"""The gate around one search hook that returns ten results: what the host does between the plugin's answer and admitted documents.

`in RAM` is everything but the thread: rebuilding from exact parts, admission, naming by digest. Handing a call over to the plugin's
thread and back is printed apart. `with the store` is the same gate around the storage hook: ten documents fetched by name and admitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pluggy
from veridical_contract import SearchQuery

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import alternate, timed
from tests.benchmarks.results import Row, at_most
from tests.benchmarks.store import World, batches, made, opened
from tests.distributions import plugin
from tests.distributions.installing import on_path

__all__ = ["rows"]

_RESULTS = 10
_BODY = f"""
    def __init__(self, context):
        pass

    @hookimpl
    def search(self, query):
        page = "https://good.example/"
        return [
            Item(text=f"What the page number {{n}} has to say of {{query.text}} fits into two hundred characters, as snippets do. " * 2,
                 url=f"{{page}}{{n}}", title=f"Page {{n}}", locator=Locator(container="good", row=n)) for n in range(1, {_RESULTS + 1})
        ]
"""


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    with on_path(bench.folder / "search") as site:
        plugin("good", _BODY).install(site)
        world = opened(bench.folder / "gate", search=site)
        try:
            yield from _search(bench, world)
            yield from _fetch(bench, world, bench.folder / "gate")
        finally:
            world.calls.close()


def _search(bench: Bench, world: World) -> Iterator[Row]:
    hook = _bare(world)
    queries = [SearchQuery(text=f"printers and batteries {number}", limit=_RESULTS) for number in range(bench.runs)]
    worker = world.calls._records["search", "good"].worker if ("search", "good") in world.calls._records else None
    if worker is None:
        world.gateway.search("good", queries[0])
        worker = world.calls._records["search", "good"].worker
    found = alternate(
        {
            "bare": timed(lambda query: hook(query=query)),
            "inline": timed(lambda query: world.inline.search("good", query)),
            "whole": timed(lambda query: world.gateway.search("good", query)),
            "handed over": timed(lambda _: worker.run(lambda: None, 60.0)),
        },
        queries,
    )
    bare = found["bare"]
    gate = found["inline"].p50 - bare.p50
    peer = "the hook by bare pluggy"
    yield Row("gate", f"gate around a search hook, {_RESULTS} results, in RAM", found["inline"], peer, bare, gate, at_most(2e-4, "s"))
    yield Row("gate", "the same with the hand-over to the plugin's thread", found["whole"], peer, bare)
    yield Row("gate", "the hand-over to a plugin's thread and back alone", found["handed over"], "the hook by bare pluggy", bare)


def _fetch(bench: Bench, world: World, home: Path) -> Iterator[Row]:
    documents = list(made(bench.comments.texts(max(bench.sizes[0], _RESULTS))))
    for batch in batches(documents):
        world.gateway.put(batch)
    names = [document.id for document in documents]
    parts = [names[at % (len(names) - _RESULTS + 1) :][:_RESULTS] for at in range(0, bench.runs * _RESULTS, _RESULTS)]
    found = alternate(
        {
            "bare": timed(lambda part: world.plugins.call("storage", "sqlite", "get", ids=tuple(part))),
            "inline": timed(lambda part: world.inline.fetch(part)),
            "whole": timed(lambda part: world.gateway.fetch(part)),
        },
        parts,
    )
    what = f"gate around fetching {_RESULTS} documents from the store"
    peer = "the storage hook by bare pluggy"
    yield Row("gate", what, found["inline"], peer, found["bare"], found["inline"].p50, at_most(6e-4, "s"))
    yield Row("gate", f"{what}, with the hand-over", found["whole"], peer, found["bare"])


def _bare(world: World) -> Any:
    """The same plugin's hook as pluggy alone calls it."""
    loaded = world.plugins._relays["search", "good"].search
    assert isinstance(loaded, pluggy.HookCaller)
    return loaded
