"""Ingest: bring the store up to date with what a source holds now.

    inputs (enumerated and hashed by the host) -> which changed? -> plugin reads -> gateway admits -> store, container by container
        -> the store puts its index in order, step by step

What did not change is not read again. A container that stops half-way keeps what it held before. What the plugin was handed and never
spoke of is reported as left out. Who interrupts the last part loses nothing: the next sync goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from veridical_contract import FieldMap, InputFile, InputRecord, Json, Rejection, SourceRequest, Untrusted

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Admission
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.wire.inputs import Inputs

from .progress import Progress
from .storing import put, record_of

__all__ = ["Synced", "compact", "sync"]

_IDLE = 1_000
"""Steps after which a store that says it has as much left to do as before is left alone."""


@dataclass(slots=True)
class Synced:
    """What a sync did.

    Attributes:
        inputs: one record per file, in their order.
        added: documents that were new to the store.
        dropped_fields: rule to how many fields were refused alone (an inadmissible URL, an impossible date).
        refused: rule to how many records were refused as a whole.
        rejections: of both, for the report of a run.
        withheld: records that were left out because they were forgotten.
    """

    inputs: tuple[InputRecord, ...] = ()
    added: int = 0
    dropped_fields: dict[str, int] = field(default_factory=dict[str, int])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    withheld: int = 0
    rejections: list[Rejection] = field(default_factory=list[Rejection])


def sync(
    gateway: Gateway,
    *,
    plugin: str,
    origin: str,
    inputs: Inputs,
    field_map: FieldMap | None,
    progress: Progress,
    forgotten: bool = False,
) -> Synced:
    """Make what the store holds of `origin` equal to `inputs`, and return what was done.

    Args:
        gateway: to the plugin and the store.
        plugin: the source plugin.
        origin: name of the source.
        inputs: what it holds now.
        field_map: for tabular files.
        progress: who watches.
        forgotten: read everything again, and take back what was forgotten. Otherwise a record that was forgotten stays out.

    Raises:
        PluginError: the source plugin failed before the first container was done.
        StoreError: the store cannot be written; what was written before is whole.
    """
    return _Sync(gateway, plugin, origin, field_map, progress, forgotten=forgotten).run(inputs)


def compact(gateway: Gateway, progress: Progress) -> None:
    """Let the store put its index in order, step by step, until nothing is left to do; it may be interrupted at any moment.

    Raises:
        StoreError: the store cannot be written.
    """
    least = total = gateway.compact().pending
    idle = 0
    while least and idle < _IDLE:
        left = gateway.compact().pending
        idle = 0 if left < least else idle + 1
        least, total = min(least, left), max(total, left)
        progress.step("ordering the index", total - left, total)


class _Sync:
    def __init__(
        self, gateway: Gateway, plugin: str, origin: str, field_map: FieldMap | None, progress: Progress, *, forgotten: bool
    ) -> None:
        self._gateway = gateway
        self._plugin = plugin
        self._origin = origin
        self._map = field_map
        self._progress = progress
        self._forgotten = forgotten
        self._synced = Synced()
        self._records: dict[str, InputRecord] = {}

    def run(self, inputs: Inputs) -> Synced:
        for path, reason in inputs.problems:
            self._note(path, None, 0, "unreadable", reason)
        for file in inputs.derived:
            self._note(file.path, file.sha256, file.size, "derived", None)
        known = {state.container: state for state in self._gateway.containers(self._origin)}
        changed: list[InputFile] = []
        for file in inputs.files:
            state = known.pop(file.path, None)
            if state is not None and state.fingerprint == self._fingerprint(file) and not self._forgotten:
                self._note(file.path, file.sha256, file.size, "unchanged", None, state.documents)
            else:
                changed.append(file)
        for container in known:
            self._gateway.drop_container(self._origin, container)
        self._read(changed)
        compact(self._gateway, self._progress)
        self._synced.inputs = tuple(self._records[path] for path in sorted(self._records))
        return self._synced

    def _read(self, changed: Sequence[InputFile]) -> None:
        if not changed:
            return
        waiting = {file.path: file for file in changed}
        started: dict[str, int] = {}
        request = SourceRequest(origin=self._origin, inputs=tuple(changed), map=self._map)
        for batch in self._gateway.read(self._plugin, request):
            file = waiting.get(batch.container)
            if file is None:
                continue
            self._store(file, batch, first=file.path not in started)
            started[file.path] = started.get(file.path, 0) + len(batch.documents)
            if batch.done or batch.problem is not None:
                del waiting[file.path]
                self._finish(file, batch, started[file.path])
            self._progress.step("reading", len(changed) - len(waiting), len(changed))
        for file in waiting.values():
            self._note(file.path, file.sha256, file.size, "omitted", None)

    def _store(self, file: InputFile, batch: ReadBatch, *, first: bool) -> None:
        for rule in batch.refused:
            self._synced.refused[rule] = self._synced.refused.get(rule, 0) + 1
        for rule in batch.dropped:
            self._synced.dropped_fields[rule] = self._synced.dropped_fields.get(rule, 0) + 1
        self._synced.rejections.extend(batch.rejections)
        whole = batch.done and batch.problem is None
        if batch.problem is not None and not batch.documents:
            return
        kept = self._not_forgotten(batch.documents)
        receipt = put(
            self._gateway,
            kept,
            batch.raws,
            origin=self._origin,
            container=file.path,
            fingerprint=self._fingerprint(file),
            first=first,
            last=whole,
        )
        self._synced.added += receipt.added

    def _not_forgotten(self, documents: Sequence[Admission]) -> list[Admission]:
        """Leave out what somebody deleted: a new reading gives it a new name, so it is known by its record's bytes.

        A record whose bytes are in the store was taken back, or another source holds it too.
        """
        if self._forgotten:
            return [*documents]
        names = [record_of(found) or found.id for found in documents]
        found_gone = zip(names, self._gateway.tombstones(names), strict=True)
        gone = {name for name, tombstone in found_gone if tombstone is not None and not tombstone.returns}
        gone -= self._gateway.records_held(sorted(gone))
        kept = [found for found, name in zip(documents, names, strict=True) if name not in gone]
        self._synced.withheld += len(documents) - len(kept)
        return kept

    def _finish(self, file: InputFile, batch: ReadBatch, documents: int) -> None:
        if batch.problem is None:
            self._note(file.path, file.sha256, file.size, "read", None, documents)
        else:
            status = "unsupported" if batch.problem.startswith("unsupported") else "unreadable"
            self._note(file.path, file.sha256, file.size, status, batch.problem.removeprefix("unsupported: "))

    def _note(self, path: str, sha256: str | None, size: int, status: str, reason: str | None, documents: int = 0) -> None:
        said = Untrusted(origin=self._plugin, text=reason[:2000]) if reason is not None else None
        self._records[path] = InputRecord.model_validate(
            {"path": path, "sha256": sha256, "size": size, "status": status, "documents": documents, "reason": said}
        )

    def _fingerprint(self, file: InputFile) -> str:
        mapped: Json = self._map.model_dump(mode="json") if self._map is not None else None
        reading: dict[str, Json] = {"sha256": file.sha256, "map": mapped, "reader": self._gateway.reading(self._plugin)}
        return digest(canonical_bytes(reading))
