"""A host for one plugin: the real context and recorder, and the kernel's own rules for what the plugin finds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, cast

from veridical.context import Host, HostContext
from veridical.homes import Home
from veridical.kernel.admission import AdmissionRefused, Bytes, Trust, admit
from veridical.kernel.derivation import atoms
from veridical.kernel.policy import load_policy
from veridical.kernel.wire import prove
from veridical.wire.reading.derived import Derived
from veridical.wire.recording import Recorded
from veridical_contract import Document, HostFiles, Item, Locator, PluginContext, Raw, SearchQuery, WireMap

__all__ = ["NOW", "Found", "context", "search"]

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
_POLICY = load_policy()
TIMEOUT = 0.5
"""Seconds that the clients of tests wait."""


class _Search(Protocol):
    wire: WireMap | Mapping[str, WireMap]

    def search(self, query: SearchQuery) -> list[Item]: ...


@dataclass(slots=True)
class Found:
    """What a search came to.

    Attributes:
        items: what the plugin handed in.
        documents: what the kernel admits of it.
        links: URLs of hits without a text, as the reply has them.
        refused: the rules that refused the others.
        records: what went over the wire.
    """

    items: list[Item]
    documents: list[Document] = field(default_factory=list[Document])
    links: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    records: list[Recorded] = field(default_factory=list[Recorded])


def context(name: str, home: Path, *, environment: Mapping[str, str] | None = None, **settings: object) -> HostContext:
    """Return the context of the plugin `name`: the variables of `environment` set, and `settings` in its table."""
    host = Host(
        home=Home.below(home),
        files=cast("HostFiles", None),
        environment=environment or {},
        clock=lambda: NOW,
        tables={name: settings},
    )
    return HostContext(name, host, cancelled=lambda: False)


def search(plugin: type[Any], given: HostContext, query: SearchQuery, *, timeout: float = TIMEOUT) -> Found:
    """Search with `plugin`, and prove and admit what it finds on the replies that were recorded."""
    made = cast("_Search", plugin(cast("PluginContext", _Impatient(given, timeout))))
    maps = {"": made.wire} if isinstance(made.wire, WireMap) else made.wire
    with given.recorder.call() as records:
        found = Found(made.search(query))
    found.records = records
    for item in found.items:
        _judge(item, maps, found)
    return found


class _Impatient:
    """The same context, whose httpx clients wait less."""

    def __init__(self, inner: HostContext, timeout: float) -> None:
        self._inner = inner
        self._timeout = timeout

    def http(self, **options: Any) -> Any:
        client = self._inner.http(**options)
        client.timeout = self._timeout
        return client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _judge(item: Item, maps: Mapping[str, WireMap], found: Found) -> None:
    assert item.place is not None
    # As the gateway: the newest reply first, and the one whose values are those that the plugin gives.
    for record in reversed(found.records):
        exchange = record.exchange()
        derivation = prove(maps[item.place.map], item.place, exchange)
        if item.place.text is None:
            found.links.append(atoms(exchange.body, derivation)["url"])
            return
        derived = Derived(exchange.body, derivation)
        name = hashlib.sha256(exchange.body).hexdigest()
        raw = Raw(digest=name, size=len(exchange.body), container=name, offset=0)
        try:
            found.documents.append(
                admit(
                    item.model_copy(update={"raw": raw, "derivation": derivation, "locator": Locator(container=exchange.url)}),
                    plugin="acme",
                    origin="web",
                    extractor="wire/1",
                    retrieved=NOW,
                    held=Bytes(exchange.body, derived.text, derived.runs, grade="wire", asked=exchange.asked),
                    trust=Trust(),
                    policy=_POLICY,
                ).document
            )
        except AdmissionRefused as error:
            if error.rule == "differs-from-bytes":
                continue
            found.refused.append(error.rule)
        return
    found.refused.append("differs-from-bytes")
