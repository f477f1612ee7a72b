"""A real store with as many comments as are asked for, and gateways to it: one as it is in use, one without its threads.

What the source plugin and the host's reader do before a document is put is left out: documents are made as they would have made them. The
rows about reading files do it the whole way.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, cast

from veridical.context import Host
from veridical.discovery import Allow, Listing, Status, catalogue, load
from veridical.gateway import Calls
from veridical.gateway.records import Record
from veridical.gateway.shapes import Host as GatewayHost
from veridical.gateway.verified import Gateway
from veridical.homes import Home
from veridical.kernel.admission import Trust, admission_tag
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.kernel.policy import load_policy
from veridical.locate.passages import passages
from veridical.settings import Limits
from veridical.spending import Deadline
from veridical.wire.recording import Recorded
from veridical_contract import Kind, PluginRecord, PutBatch, PutDocument, VeridicalError, WireMap

__all__ = ["KEY", "World", "batches", "file_size", "made", "opened"]

KEY = bytes(range(32))
BATCH = 200
"""As many documents as the files plugin hands in at once."""
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Inline:
    """Plugins called in the thread of the caller: what the gate costs without handing over to the plugin's own thread."""

    def __init__(self, listings: Iterable[Listing], host: Host) -> None:
        self._relays: dict[tuple[str, str], Any] = {}
        for listing in listings:
            loaded = load(listing, Record(listing, host).context)
            if isinstance(loaded, Status):
                raise RuntimeError(f"{listing.name}: {loaded.reason}")
            self._relays[listing.kind, listing.name] = loaded.relay

    def recorded(self, kind: Kind, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        return self.call(kind, name, hook, **arguments)

    def wire_maps(self, kind: Kind, name: str) -> dict[str, WireMap]:
        return {}

    def model(self, kind: Kind, name: str) -> str:
        return ""

    def note(self, kind: Kind, name: str, error: VeridicalError) -> None:
        """Nobody looks at the rows."""

    def end_by(self, deadline: Deadline) -> None:
        """Nothing here takes long."""

    def call(self, kind: Kind, name: str, hook: str, /, **arguments: object) -> object:
        return getattr(self._relays[kind, name], hook)(**arguments)[0]

    def iterate(self, kind: Kind, name: str, hook: str, _wire: list[Recorded], /, **arguments: object) -> Iterator[object]:
        return cast("Iterator[object]", self.call(kind, name, hook, **arguments))

    def records(self) -> tuple[PluginRecord, ...]:
        return ()

    def version(self, kind: Kind, name: str) -> str:
        return f"{kind} {name}"


@dataclass(frozen=True)
class World:
    """One store and the ways to it.

    Attributes:
        home: the folder that it is in.
        calls: plugins in their threads; closed by whoever made the world.
        gateway: as it is in use.
        inline: the same in the caller's thread.
        plugins: those of `inline`.
    """

    home: Path
    calls: Calls
    gateway: Gateway
    inline: Gateway
    plugins: Inline


def opened(home: Path, *, search: Path | None = None) -> World:
    """Open the store below `home`; the plugin `good` of the distributions in `search`, when there are any, may search and is trusted."""
    names = {"sqlite", "good"} if search is not None else {"sqlite"}
    rows = catalogue(Allow(frozenset(names)), path=[str(search), *sys.path] if search is not None else None)
    listings = [row for row in rows if row.state == "ready" and row.kind in ("storage", "search") and row.name in names]
    host = Host(home=Home.below(home), files=cast("Any", None), environment={}, clock=lambda: _NOW)
    calls = Calls(listings, host, limits=Limits(storage=3600.0))
    inline = Inline(listings, host)
    world = World(home, calls, _gateway(calls), _gateway(inline), inline)
    world.gateway.migrate()
    world.inline.migrate()
    return world


def _gateway(plugins: Calls | Inline) -> Gateway:
    host = GatewayHost(
        plugins=cast("Any", plugins),
        reader=cast("Any", None),
        storage="sqlite",
        embedding="none",
        chat=("none",),
        trust={"good": Trust(attested=True)},
        key=KEY,
        now=lambda: _NOW,
        log=lambda plugin, rule, words: None,
    )
    return Gateway(host, load_policy())


def made(texts: Iterable[str]) -> Iterator[PutDocument]:
    """Yield each of `texts` as a document of one line of a file: every field of a real one, and no bytes."""
    for line, text in enumerate(texts, 1):
        body = canonical_bytes(cast("Any", {**_FIELDS, **_own(line), "text": text}))
        name = digest(body)
        yield PutDocument(id=name, body=body, tag=admission_tag(name, KEY), text=text, passages=passages(text))


_FIELDS: Mapping[str, object] = {
    "derivation": {
        "delimiter": ",",
        "encoding": "utf-8",
        "format": "json",
        "pointers": {"author": "/author_id", "published": "/created", "text": "/text", "url": "/url"},
        "projection": "markdown",
    },
    "extractor": "json/markdown/1",
    "grades": {"author": "held", "published": "held", "text": "held", "title": None, "url": "held"},
    "origin": "comments",
    "plugin": "files",
    "published": {"precision": "second", "value": "2016-05-26T07:13:41.710", "zone_known": False},
    "retrieved": "2026-01-01T00:00:00Z",
    "title": None,
}


def _own(line: int) -> dict[str, object]:
    return {
        "author": {"id": str(line % 997), "name": None, "site": "comments.example"},
        "locator": {"container": "comments.jsonl", "line": line, "message": None, "page": None, "row": None},
        "raw": {"container": digest(b"comments.jsonl"), "digest": digest(b"%d" % line), "offset": 800 * line, "size": 800},
        "url": f"https://comments.example/posts/comments/{line}",
    }


def batches(documents: Iterable[PutDocument]) -> Iterator[PutBatch]:
    """Yield `documents` as the host puts what the files plugin read from one file."""
    rest = iter(documents)
    part = tuple(islice(rest, BATCH))
    first = True
    while part:
        following = tuple(islice(rest, BATCH))
        yield PutBatch(
            origin="comments",
            container="comments.jsonl",
            fingerprint="1",
            documents=part,
            raws=(),
            first=first,
            last=not following,
        )
        part, first = following, False


def file_size(home: Path) -> int:
    """Return how many bytes the store takes on the disk, once what was written lies in the file."""
    with closing(sqlite3.connect(home / "store.sqlite3")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (home / "store.sqlite3").stat().st_size
