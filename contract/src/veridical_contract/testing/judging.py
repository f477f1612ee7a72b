# ruff: noqa: ARG002 - who stands in for the host's plugins has its arguments
"""What the host makes of what a plugin handed in: the gateway and the kernel themselves, given the plugin's own results.

An item is judged field by field, so that who says something else than the reply is told which field it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from veridical.gateway.shapes import Grounded, Host, ReadBatch
from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Trust
from veridical.kernel.policy import load_policy
from veridical.spending import Deadline
from veridical.wire.recording import Recorded

from veridical_contract import ChatReply, ChatRequest, EmbeddingReply, Item, Kind, SearchQuery, SourceRequest, VeridicalError, WireMap

from .subject import Live, Outcome

__all__ = ["Judge", "Judged"]

_KEY = bytes(32)


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one item.

    Attributes:
        rule: that refused it; empty when it was admitted.
        said: the words that were refused.
        batch: as the gateway gives it.
    """

    rule: str
    said: str
    batch: ReadBatch


@dataclass(slots=True)
class _Given:
    """The host's plugins: one, which returns what it returned before."""

    value: Any
    records: Sequence[Recorded]
    maps: Mapping[str, WireMap]
    steps: Sequence[int] = ()
    noted: list[VeridicalError] = field(default_factory=list[VeridicalError])

    def call(self, kind: Kind, name: str, hook: str, /, **arguments: object) -> object:
        return self.value

    def recorded(self, kind: Kind, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        wire.extend(self.records)
        return self.value

    def iterate(self, kind: Kind, name: str, hook: str, wire: list[Recorded] | None = None, /, **arguments: object) -> Iterator[object]:
        before = 0
        for value, over in zip(self.value, self.steps, strict=True):
            if wire is not None:
                wire.extend(self.records[before:over])
            before = over
            yield value

    def wire_maps(self, kind: Kind, name: str) -> Mapping[str, WireMap]:
        return self.maps

    def model(self, kind: Kind, name: str) -> str:
        return ""

    def note(self, kind: Kind, name: str, error: VeridicalError) -> None:
        self.noted.append(error)

    def end_by(self, deadline: Deadline) -> None:
        return None

    def version(self, kind: Kind, name: str) -> str:
        return "0"


class _Keeping:
    """The reader that a plugin read with, which lets go of nothing."""

    def __init__(self, reader: object) -> None:
        self._reader = reader

    def release(self) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


class Judge:
    """The host that a plugin hands its results to.

    Args:
        live: whose results they are.
        attested: whether its word is enough where the host recorded nothing.
    """

    def __init__(self, live: Live, *, attested: bool = False) -> None:
        self._live = live
        self._attested = attested
        self._refused: list[tuple[str, str]] = []

    def item(self, item: Item, query: SearchQuery, records: Sequence[Recorded]) -> Judged:
        """Return what becomes of one hit of a search."""
        self._refused.clear()
        try:
            batch = self._gateway([item], records).search(self._live.subject.name, query)
        except VeridicalError as error:  # none of them stands in a reply
            return Judged(self._refused[0][0] if self._refused else "wire-not-recorded", str(error), _NOTHING)
        refused = batch.refused
        said = self._refused[0][1] if self._refused else ""
        return Judged(refused[0] if refused else "", said, batch)

    def search(self, found: Any, query: SearchQuery, records: Sequence[Recorded]) -> ReadBatch:
        """Return what becomes of what a search returned. Errors are the gateway's."""
        return self._gateway(found, records).search(self._live.subject.name, query)

    def batches(self, outcome: Outcome, request: SourceRequest) -> list[ReadBatch]:
        """Return what becomes of what a source read. Errors are the gateway's."""
        gateway = self._gateway(outcome.result(), outcome.records, outcome.steps)
        return [*gateway.read(self._live.subject.name, request)]

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """Rule and words of what was refused so far."""
        return tuple(self._refused)

    def grounded(self, reply: ChatReply, request: ChatRequest, records: Sequence[Recorded]) -> Grounded:
        """Return what becomes of a reply that rests on a search of the provider's own. Errors are the gateway's."""
        return self._gateway(reply, records).ground(request)

    def cited(self, reply: ChatReply, request: ChatRequest, records: Sequence[Recorded]) -> tuple[Any, ...]:
        """Return what becomes of a reply that cites passages. Errors are the gateway's."""
        return self._gateway(reply, records).cite(request)

    def vectors(self, reply: EmbeddingReply, texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        """Return the vectors as the host takes them. Errors are the gateway's."""
        return self._gateway(reply, ()).embed(texts, "document")

    def _gateway(self, value: Any, records: Sequence[Recorded], steps: Sequence[int] = ()) -> Gateway:
        name, subject = self._live.subject.name, self._live.subject
        hosts = frozenset(subject.options.hosts)
        plugins: Any = _Given(value, records, self._live.wire, steps)
        host = Host(
            plugins=plugins,
            reader=cast("Any", _Keeping(self._live.files)),
            storage=name,
            embedding=name,
            chat=(name,),
            trust={name: Trust(attested=self._attested, hosts=hosts)},
            key=_KEY,
            now=self._live.context.now,
            log=lambda _, rule, words: self._refused.append((rule, words)),
        )
        return Gateway(host, load_policy())


_NOTHING = ReadBatch(container="", documents=(), raws={}, refused=(), dropped=(), rejections=(), done=True, problem=None)
