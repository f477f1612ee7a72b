"""What the gateway is given, and what comes out of it: protocols of the host's parts, and shapes that hold nothing but checked values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from veridical_contract import Derivation, Document, Kind, PluginRecord, Rejection, VeridicalError, WireMap

from veridical.kernel.admission import Admission, Bytes, Trust
from veridical.kernel.exit import Reread
from veridical.spending import Deadline, ProviderLimits
from veridical.wire.recording import Recorded

__all__ = ["Fetched", "Grounded", "Host", "Link", "Plugins", "ReadBatch", "Reader", "WebFinding"]


class Plugins(Protocol):
    """Loaded plugins, one by one, called with a deadline."""

    def call(self, kind: Kind, name: str, hook: str, /, **arguments: object) -> object:
        """Call `hook` of the plugin and return what it returned."""
        ...

    def recorded(self, kind: Kind, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        """Do what `call` does, and put into `wire` what went over the wire meanwhile."""
        ...

    def wire_maps(self, kind: Kind, name: str) -> Mapping[str, WireMap]:
        """Where the plugin says that replies hold hits."""
        ...

    def model(self, kind: Kind, name: str) -> str:
        """The model that a chat plugin asks; empty when nothing is paid for."""
        ...

    def note(self, kind: Kind, name: str, error: VeridicalError) -> None:
        """Put into the plugin's row that it was not called, and why."""
        ...

    def end_by(self, deadline: Deadline) -> None:
        """Let no call take longer than until `deadline`, from now on."""
        ...

    def iterate(self, kind: Kind, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> Iterator[object]:
        """Call `hook`, which returns an iterator, and yield what it yields; what went over the wire until then is in `wire`."""
        ...

    def records(self) -> tuple[PluginRecord, ...]:
        """One row per plugin that was called or failed to load."""
        ...

    def version(self, kind: Kind, name: str) -> str:
        """The distribution and version that the plugin comes from."""
        ...


class Reader(Protocol):
    """The host's own reader of files."""

    def held(self, name: str) -> bytes:
        """Return the record bytes called `name` that were read in this process."""
        ...

    def laid_out(self, name: str, derivation: Derivation) -> bool:
        """Whether the record called `name` was read as `derivation` says it is laid out."""
        ...

    def identity(self) -> str:
        """What the way of reading is known by."""
        ...

    def release(self) -> None:
        """Let go of the record bytes that were read since the last call."""
        ...

    def derive(self, raw: bytes, derivation: Derivation) -> Bytes:
        """Read the visible text of a record again."""
        ...

    def reread(self, document: Document, raw: bytes) -> Reread:
        """Read the visible text, headings and lines of a document again."""
        ...


@dataclass(frozen=True, slots=True)
class Host:
    """What the gateway is given by the host.

    Attributes:
        plugins: loaded, called one by one.
        reader: of files.
        storage: name of the storage plugin.
        embedding: name of the embedding plugin.
        chat: names of the chat plugins, in order: the next is asked when one fails.
        trust: what the operator allowed, by plugin.
        key: of this installation's admission tags.
        now: the time, aware.
        log: where rejected words go: (plugin, rule, words). Never part of a report.
        limits: how often plugins that ask a service may do so, by name.
    """

    plugins: Plugins
    reader: Reader
    storage: str
    embedding: str
    chat: tuple[str, ...]
    trust: Mapping[str, Trust]
    key: bytes
    now: Callable[[], datetime]
    log: Callable[[str, str, str], None]
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict[str, ProviderLimits])


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Some admitted documents of one container.

    Attributes:
        container: path or name.
        documents: admitted, in order.
        raws: bytes of their records, by digest.
        refused: a rule for each record that was refused.
        dropped: a rule for each field that was refused alone.
        rejections: of both, for a report; what had no words is not repeated there.
        done: no more batches of this container will come.
        problem: why the container could not be read, in the plugin's words.
        links: pages that a provider names without a text: no evidence, but a place to look.
        cursor: where a later read may start, as a source plugin says.
        keys: what each document is known by in its container; None where the plugin says nothing.
    """

    container: str
    documents: tuple[Admission, ...]
    raws: Mapping[str, bytes]
    refused: tuple[str, ...]
    dropped: tuple[str, ...]
    rejections: tuple[Rejection, ...]
    done: bool
    problem: str | None
    links: tuple[Link, ...] = ()
    cursor: str | None = None
    keys: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A page that a recorded reply names.

    Attributes:
        url: as it stands there, admitted.
        title: the same; empty when there is none.
        redirect: it is a short-lived redirect of the provider's own.
    """

    url: str
    title: str = ""
    redirect: bool = False


@dataclass(frozen=True, slots=True)
class WebFinding:
    """A stretch of a model's reply, and what its provider says that it rests on.

    Attributes:
        text: the model's words: never evidence.
        documents: identifiers of the admitted excerpts that belong to it.
        links: the admitted pages that belong to it.
    """

    text: str
    documents: tuple[str, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Grounded:
    """A reply that rests on a search of the provider's own.

    Attributes:
        batch: what of it is evidence, and the pages that it names.
        findings: what the model says, each with at least one admitted excerpt or page; the others were dropped.
    """

    batch: ReadBatch
    findings: tuple[WebFinding, ...]


@dataclass(frozen=True, slots=True)
class Fetched:
    """Documents as they were admitted, by identifier, and what the store gave instead of the others."""

    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    rejections: tuple[Rejection, ...] = ()
