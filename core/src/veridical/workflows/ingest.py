"""Ingest: bring the store up to date with what a source of files holds now. Sources of something else: see `following`.

    inputs (enumerated and hashed by the host) -> which changed? -> plugin reads -> gateway admits -> store, container by container
        -> the store puts its index in order, step by step

What did not change is not read again. A container that stops half-way keeps what it held before. What the plugin was handed and never
spoke of is reported as left out. Who interrupts the last part loses nothing: the next sync goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical_contract import FieldMap, InputFile, Json, SourceRequest

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.wire.inputs import Inputs

from .intake import Intake, Synced
from .progress import Progress
from .storing import Keyed, put

__all__ = ["Synced", "compact", "sync"]

_IDLE = 1_000
"""Steps after which a store that says it has as much left to do as before is left alone."""


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
        self._intake = Intake(gateway, plugin, forgotten=forgotten)

    def run(self, inputs: Inputs) -> Synced:
        for path, reason in inputs.problems:
            self._intake.note(path, "unreadable", reason)
        for file in inputs.derived:
            self._note(file, "derived")
        known = {state.container: state for state in self._gateway.containers(self._origin)}
        changed: list[InputFile] = []
        for file in inputs.files:
            state = known.pop(file.path, None)
            if state is not None and state.fingerprint == self._fingerprint(file) and not self._forgotten:
                self._note(file, "unchanged", documents=state.documents)
            else:
                changed.append(file)
        for container in known:
            self._gateway.drop_container(self._origin, container)
        self._read(changed)
        compact(self._gateway, self._progress)
        return self._intake.done()

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
            self._note(file, "omitted")

    def _store(self, file: InputFile, batch: ReadBatch, *, first: bool) -> None:
        self._intake.count(batch)
        whole = batch.done and batch.problem is None
        if batch.problem is not None and not batch.documents:
            return
        receipt = put(
            self._gateway,
            self._intake.not_forgotten([Keyed(found) for found in batch.documents]),
            batch.raws,
            origin=self._origin,
            container=file.path,
            fingerprint=self._fingerprint(file),
            first=first,
            last=whole,
        )
        self._intake.synced.added += receipt.added

    def _finish(self, file: InputFile, batch: ReadBatch, documents: int) -> None:
        if batch.problem is None:
            self._note(file, "read", documents=documents)
        else:
            status = "unsupported" if batch.problem.startswith("unsupported") else "unreadable"
            self._note(file, status, batch.problem.removeprefix("unsupported: "))

    def _note(self, file: InputFile, status: str, reason: str | None = None, *, documents: int = 0) -> None:
        self._intake.note(file.path, status, reason, sha256=file.sha256, size=file.size, documents=documents)

    def _fingerprint(self, file: InputFile) -> str:
        mapped: Json = self._map.model_dump(mode="json") if self._map is not None else None
        reading: dict[str, Json] = {"sha256": file.sha256, "map": mapped, "reader": self._gateway.reading(self._plugin)}
        return digest(canonical_bytes(reading))
