"""Follow a source that has no files: a database, an API. Its plugin says what it holds; the host keeps where it was.

    settings + version of the plugin --reading--> is it known?   yes: go on from the cursor      no, or --full: read everything
        -> plugin reads -> gateway admits -> store, batch by batch

**What is kept when.** A batch that comes with a cursor is current at once, and the cursor is written with it, in one transaction: what
breaks off is gone on with. Only where a full reading takes the place of an earlier one nothing changes before it ends, since half of a
source is less than all of it as it was. A full reading drops what it does not speak of; going on from a cursor adds, and replaces by key.

**Where it is kept.** In the fingerprint of the container: the reading, the cursor, whether it ended, and a number that says which cursor
came last, since a source may have several containers and has one cursor.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import cast

from veridical_contract import (
    ConfigurationError,
    ContainerState,
    FieldMap,
    InputRecord,
    Json,
    PluginError,
    ProviderError,
    SourceRequest,
    Untrusted,
)

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import canonical_bytes, digest

from .ingest import compact
from .intake import Intake, Synced, check_asked
from .progress import Progress
from .storing import Keyed, put
from .versions import key_of, unchanged

__all__ = ["Followed", "follow", "held"]

_HALF_WAY = "it was not read to its end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A source that has no files.

    Attributes:
        plugin: that reads it.
        origin: its name.
        locations: what the operator named for it.
        field_map: for tabular data.
        settings: what the settings file says about it to the plugin, in one text: another text is another reading.
    """

    plugin: str
    origin: str
    locations: tuple[str, ...] = ()
    field_map: FieldMap | None = None
    settings: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """What a container is known by.

    Attributes:
        reading: digest of the settings, and of the version of the plugin and the host's reader.
        number: of the batch that wrote it, in the source.
        cursor: up to which everything is current.
        ended: it was read to its end.
    """

    reading: str
    number: int = 0
    cursor: str | None = None
    ended: bool = False

    def text(self) -> str:
        mark: dict[str, Json] = {"reading": self.reading, "number": self.number, "cursor": self.cursor, "ended": self.ended}
        return canonical_bytes(mark).decode("ascii")


@dataclass(slots=True)
class _Part:
    """A container in this sync.

    Attributes:
        anew: this reading takes the place of what was there, if anything was.
        replaces: something was there.
        begun: a batch of it was put.
        waits: what was put is not current yet.
        changed: it holds something else than before.
        over: no more of it will come.
    """

    anew: bool
    replaces: bool
    begun: bool = False
    waits: bool = False
    changed: bool = False
    over: bool = False


def follow(gateway: Gateway, source: Followed, progress: Progress, *, full: bool = False, forgotten: bool = False) -> Synced:
    """Bring the store up to date with what `source` holds now, and return what was done.

    Args:
        gateway: to the plugin and the store.
        source: to read.
        progress: who watches.
        full: read everything, and drop what is gone.
        forgotten: the same, and take back what was forgotten.

    Raises:
        ConfigurationError: the service refuses the key.
        PluginError: the plugin failed before anything was kept.
        StoreError: the store cannot be written; what was written before is whole.
    """
    return _Following(gateway, source, progress, full=full or forgotten, forgotten=forgotten).run()


def held(gateway: Gateway, plugin: str, origin: str) -> InputRecord:
    """Say, for the report of a run that did not read the source, what the store holds of it."""
    states = gateway.containers(origin)
    documents = sum(state.documents for state in states)
    ended = all(mark.ended for mark in map(_mark, states) if mark is not None)
    return InputRecord(
        path=origin,
        sha256=None,
        size=0,
        status="unchanged" if ended else "unreadable",
        documents=documents,
        reason=None if ended else Untrusted(origin=plugin, text=_HALF_WAY),
    )


class _Following:
    def __init__(self, gateway: Gateway, source: Followed, progress: Progress, *, full: bool, forgotten: bool) -> None:
        self._gateway = gateway
        self._source = source
        self._progress = progress
        self._intake = Intake(gateway, source.plugin, forgotten=forgotten)
        self._intake.synced.followed = True
        self._states = {state.container: state for state in gateway.containers(source.origin)}
        self._reading = self._read_as()
        marks = {name: mark for name, state in self._states.items() if (mark := _mark(state)) is not None}
        self._known = {name: mark for name, mark in marks.items() if mark.reading == self._reading}
        self._number = max((mark.number for mark in marks.values()), default=0)
        newest = max(self._known.values(), key=lambda mark: mark.number, default=None)
        self._asked = newest.cursor if newest is not None and not full else None
        self._cursor = self._asked
        self._parts: dict[str, _Part] = {}
        self._notes: dict[str, tuple[str, str | None]] = {}
        self._taken = 0
        self._kept = False

    def run(self) -> Synced:
        source = self._source
        request = SourceRequest(origin=source.origin, locations=source.locations, map=source.field_map, cursor=self._asked)
        try:
            for batch in self._gateway.read(source.plugin, request):
                self._take(batch)
        except PluginError as error:
            self._stopped(error)
        else:
            self._ended()
        compact(self._gateway, self._progress)
        documents = {state.container: state.documents for state in self._gateway.containers(source.origin)}
        for name, (status, reason) in self._notes.items():
            self._intake.note(name, status, reason, documents=documents.get(name, 0))
        return self._intake.done()

    def _take(self, batch: ReadBatch) -> None:
        name = batch.container
        # A reading takes the place of an earlier one, unless it goes on where that ended.
        part = self._parts.setdefault(name, _Part(anew=self._asked is None or name not in self._known, replaces=name in self._states))
        if part.over:
            return
        check_asked(batch, self._source.plugin)
        self._intake.count(batch)
        part.over = batch.done or batch.problem is not None
        if batch.documents or batch.problem is None:
            self._put(part, batch)
        if batch.problem is not None:
            self._notes[name] = ("unreadable", batch.problem)
        elif batch.done:
            self._notes[name] = ("read" if part.changed else "unchanged", None)
        self._taken += len(batch.documents)
        self._progress.step("reading", self._taken, None)

    def _put(self, part: _Part, batch: ReadBatch) -> None:
        """Put a batch; what leads up to a cursor is current at once, unless it is to take the place of an earlier reading.

        A cursor stands for everything before it, in every container: it is kept once nothing of that is left to become current.
        """
        ended = batch.done and batch.problem is None
        waiting = any(other.waits for other in self._parts.values() if other is not part)
        last = ended or (batch.cursor is not None and not waiting and not (part.anew and part.replaces))
        if last and not waiting:
            self._cursor = batch.cursor
        mark = _Mark(reading=self._reading, number=self._number + 1, cursor=self._cursor, ended=ended)
        before = self._known.get(batch.container)
        if not (part.anew or part.begun or batch.documents) and before == replace(mark, number=before.number if before else 0):
            return  # nothing new, not even the place
        found = self._intake.not_forgotten(self._keyed(batch))
        receipt = put(
            self._gateway,
            unchanged(self._gateway, self._source.origin, found) if part.replaces else found,
            batch.raws,
            origin=self._source.origin,
            container=batch.container,
            fingerprint=mark.text(),
            first=part.anew and not part.begun,
            last=last,
        )
        self._number += 1
        self._intake.synced.added += receipt.added
        part.begun, part.waits = True, not last
        part.changed = part.changed or part.anew or bool(batch.documents)
        self._kept = self._kept or last

    def _keyed(self, batch: ReadBatch) -> list[Keyed]:
        return [
            Keyed(found, key_of(found, key, origin=self._source.origin, container=batch.container))
            for found, key in zip(batch.documents, batch.keys, strict=True)
        ]

    def _stopped(self, error: PluginError) -> None:
        """The plugin failed half-way: say of every container that was not over that it may hold more."""
        if isinstance(error, ProviderError) and error.failure == "auth":
            raise ConfigurationError(error.message, hint=error.hint) from None
        if not self._kept:
            raise error
        self._intake.synced.failure = error
        for name in [name for name, part in self._parts.items() if not part.over] or [self._source.origin]:
            self._notes[name] = ("unreadable", f"it stopped half-way: {error}")

    def _ended(self) -> None:
        """The plugin has no more to say: what it left open is named, and what a full reading did not speak of is no longer there."""
        self._notes |= {name: ("omitted", _HALF_WAY) for name, part in self._parts.items() if not part.over}
        if not self._parts:
            self._notes[self._source.origin] = ("omitted", None)
            return
        gone = set(self._states) - set(self._parts)
        for name in sorted(gone if self._asked is None else gone - set(self._known)):
            self._gateway.drop_container(self._source.origin, name)

    def _read_as(self) -> str:
        source = self._source
        mapped: Json = source.field_map.model_dump(mode="json") if source.field_map is not None else None
        reading: dict[str, Json] = {
            "locations": [*source.locations],
            "map": mapped,
            "reader": self._gateway.reading(source.plugin),
            "settings": source.settings,
        }
        return digest(canonical_bytes(reading))


def _mark(state: ContainerState) -> _Mark | None:
    """Return what a container is known by; None when it was read as something else, say as a file."""
    try:
        found = cast("object", json.loads(state.fingerprint))
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    fields = cast("dict[str, object]", found)
    match fields:
        case {"reading": str(reading), "number": int(number), "cursor": str() | None as cursor, "ended": bool(ended)}:
            return _Mark(reading=reading, number=number, cursor=cursor, ended=ended)
        case _:
            return None
