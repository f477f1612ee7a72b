"""The only caller of hooks: one plugin at a time, by name, with a deadline, and whatever the plugin does stays with it.

    open              catalogue row -> loaded in the plugin's own thread; the others do it too when they have to
    call, iterate     hook, in that thread -> what it returned, unchecked: admission is not this module's; and what it recorded meanwhile
    statuses, records what became of every plugin, for `doctor` and for the report of a run
    cancel, close     let callers go; end clients and threads

What comes back is the plugin's own object. Nothing here says that it is true, or even that it has the right type.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from types import MappingProxyType
from typing import Self, cast

from veridical_contract import (
    KINDS,
    CancelledError,
    ConfigurationError,
    IncompatibleError,
    PluginError,
    PluginRecord,
    PluginTimeoutError,
    VeridicalError,
    WireMap,
)

from veridical.context import Host
from veridical.discovery import Listing, Loaded, Status
from veridical.settings import Isolation, Limits
from veridical.spending import Deadline
from veridical.wire.recording import Recorded

from .failures import MissingHookError, classified, translate, unsaid
from .records import Record, plugin_record
from .scopes import Scope
from .steps import END, Steps
from .workers import OverdueError, left_behind


class Calls:
    """The calling half of the gateway. A context manager; safe to use from several threads.

    Args:
        listings: from the catalogue.
        host: what contexts are made from.
        limits: seconds that plugins may take, and how many threads may be left behind.
        approved: fingerprint of the wire maps that the operator approved, by kind and plugin; what is not here was built in.
        isolation: how plugins run in processes of their own, by name; those that are not here run in this one.
        clock: seconds, for the milliseconds of a row.
    """

    def __init__(
        self,
        listings: Sequence[Listing],
        host: Host,
        *,
        limits: Limits | None = None,
        approved: Mapping[tuple[str, str], str] = MappingProxyType({}),
        isolation: Mapping[str, Isolation] = MappingProxyType({}),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._approved = approved
        self._isolation = isolation
        self._deadline = Deadline(None)
        self._listings = tuple(listings)
        ready_last = sorted(self._listings, key=lambda row: row.state == "ready")
        self._by_name = {(row.kind, row.name): row for row in ready_last}
        self._host = host
        self._limits = limits or Limits()
        self._clock = clock
        self._deadlines = {kind: cast("float", getattr(self._limits, kind)) for kind in KINDS}
        self._records: dict[tuple[str, str], Record] = {}
        self._lock = threading.Lock()
        self._cancelled = False
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, key: object) -> bool:
        """Whether there is a plugin of this (kind, name)."""
        return key in self._by_name

    def open(self, kind: str, name: str) -> Listing:
        """Load the plugin `name` of `kind`, unless it is loaded, and return its listing.

        Raises:
            ConfigurationError: there is none of that name, it may not be loaded, or it failed to load; the message says which.
            PluginError: too many threads of plugins that hang are left behind.
            CancelledError: `cancel` was called.
        """
        return self._opened(kind, name)[0].listing

    def check(self) -> tuple[Status, ...]:
        """Load every plugin that may be loaded, and return the rows of all."""
        for listing in self._listings:
            if listing.kind in KINDS:
                self.load(listing.kind, listing.name)
        return self.statuses()

    def load(self, kind: str, name: str) -> Status:
        """Load one plugin, where it may be loaded, and return its row.

        Raises:
            ConfigurationError: there is none of that name.
            PluginError, CancelledError: as `open`.
        """
        listing = self._find(kind, name)
        if listing.state != "ready":
            return Status.of(listing, listing.state, listing.reason)
        return self._load(self._record(listing))

    def statuses(self) -> tuple[Status, ...]:
        """Return the row of every plugin that was tried, and of every one that may not be."""
        rows: list[Status] = []
        for listing in self._listings:
            record = self._records.get((listing.kind, listing.name))
            if listing.state != "ready":
                rows.append(Status.of(listing, listing.state, listing.reason))
            elif record is not None and record.status is not None:
                rows.append(record.status)
        return tuple(rows)

    def call(self, kind: str, name: str, hook: str, **arguments: object) -> object:
        """Call `hook` of a plugin and return what it returned, awaited when it is awaitable.

        Args:
            kind: of the plugin; the limit of this kind is the call's deadline.
            name: of the plugin.
            hook: of its kind.
            arguments: all that the hook has; an implementation gets those that it declares.

        Raises:
            PluginTimeoutError: it passed its deadline; it is quarantined from now on.
            PluginError: it raised, does not implement the hook, or was quarantined before. `ProviderError` is one of these.
            StoreError: only from storage; see `failures`.
            ConfigurationError: see `open`; from storage also as the hook raised it.
            CancelledError: `cancel` was called.
        """
        return self.recorded(kind, name, hook, [], **arguments)

    def recorded(self, kind: str, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        """Do what `call` does, and put into `wire` what went over the wire meanwhile, also when the call fails."""
        record, implementation = self._implementation(kind, name, hook, arguments)
        scope = Scope(record.context.recorder)
        try:
            return self._run(record, hook, lambda: scope.whole(lambda: record.worker.settle(implementation())), scope)
        finally:
            wire.extend(scope.records)

    def iterate(self, kind: str, name: str, hook: str, wire: list[Recorded] | None = None, /, **arguments: object) -> Iterator[object]:
        """Call `hook` of a plugin and yield what its iterator yields, each step in the plugin's thread and with a deadline of its own.

        The plugin's iterator is closed when this one is left early. Arguments and errors are those of `call`. What went over the wire is
        added to `wire` step by step, before what the step yields; whoever takes it out of there decides how long it is held.
        """
        record, implementation = self._implementation(kind, name, hook, arguments)
        steps, scope = Steps(record.worker, implementation), Scope(record.context.recorder)
        try:
            self._run(record, hook, lambda: scope.run(steps.begin), scope)
            while (item := self._run(record, hook, lambda: scope.run(steps.next), scope)) is not END:
                taken = scope.take()
                if wire is not None:
                    wire.extend(taken)
                yield item
        except GeneratorExit:
            if not self._closed:
                with suppress(VeridicalError):  # nobody listens any more; the plugin's row has it
                    self._run(record, hook, lambda: scope.run(steps.close), scope)
            raise
        finally:
            scope.close()
            if wire is not None:
                wire.extend(scope.records)

    def wire_maps(self, kind: str, name: str) -> Mapping[str, WireMap]:
        """Return where the plugin says that replies hold hits; it is loaded unless it is. Errors are those of `open`."""
        return self._opened(kind, name)[1].wire

    def model(self, kind: str, name: str) -> str:
        """Return the model that the plugin says it asks; empty when it says none. It is loaded unless it is. Errors are those of `open`."""
        return self._opened(kind, name)[1].model

    def note(self, kind: str, name: str, error: VeridicalError) -> None:
        """Put into the plugin's row that it was not called, and why. Errors are those of `open`."""
        self._opened(kind, name)[0].note_failure(error)

    def end_by(self, deadline: Deadline) -> None:
        """Let no call take longer than until `deadline`, from now on."""
        self._deadline = deadline

    def begin_run(self) -> None:
        """Let the rows say nothing of calls that failed in an earlier run. Who is quarantined stays it, unless its process was ended."""
        for record in self._all():
            record.renew()
            if record.isolated is not None and record.isolated.is_over:
                record.stop()
                with self._lock:
                    self._records.pop((record.listing.kind, record.listing.name), None)

    def records(self) -> tuple[PluginRecord, ...]:
        """Return a row for the report of every plugin that was tried."""
        return tuple(plugin_record(row) for row in self.statuses() if (row.kind, row.name) in self._records)

    def version(self, kind: str, name: str) -> str:
        """Return the distribution and version that a plugin comes from; nothing is loaded.

        Raises:
            ConfigurationError: there is none of that name.
        """
        listing = self._find(kind, name)
        return f"{listing.distribution} {listing.version}"

    def cancel(self) -> None:
        """Let every waiting caller go with `CancelledError`, now and from now on, and tell the plugins through their contexts."""
        self._cancelled = True
        for record in self._all():
            record.worker.cancel()

    def close(self) -> None:
        """Close the plugins' HTTP clients and end their threads; one that does not end in time is left behind. May be called twice."""
        self._closed = True
        for record in self._all():
            record.stop()

    def _all(self) -> list[Record]:
        with self._lock:
            return list(self._records.values())

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise RuntimeError("the gateway is closed")

    def _find(self, kind: str, name: str) -> Listing:
        if (listing := self._by_name.get((kind, name))) is not None:
            return listing
        near = get_close_matches(name, [row.name for row in self._listings if row.kind == kind], n=1)
        hint = f"Did you mean {near[0]}?" if near else "See: veridical plugins list"
        raise ConfigurationError(f"There is no {kind} plugin called {name!r}.", hint=hint)

    def _record(self, listing: Listing) -> Record:
        key = (listing.kind, listing.name)
        with self._lock:
            self._refuse_when_closed()
            if self._cancelled:
                raise CancelledError("The call was cancelled.")
            if (record := self._records.get(key)) is None:
                record = self._records[key] = Record(listing, self._host, self._isolation.get(listing.name))
            return record

    def _load(self, record: Record) -> Status:
        with record.loading:
            if record.status is None:
                record.status = self._load_now(record)
            return record.status

    def _load_now(self, record: Record) -> Status:
        listing, seconds = record.listing, self._limits.load
        if (hanging := left_behind()) >= self._limits.leaked:
            said = f"{listing.name} is not loaded: {hanging} threads of plugins that hang are still running in this process."
            raise PluginError(said, plugin=listing.name, hint="Start it again, without those plugins: veridical doctor names them.")
        redact = self._host.secrets.redact
        try:
            approved = self._approved.get((listing.kind, listing.name))
            outcome = record.worker.run(lambda: record.load(approved=approved, redact=redact, clock=self._clock), seconds)
        except OverdueError:
            record.kill()
            return record.quarantine(f"It did not load within {seconds:g} s. {_way_out(listing)}")
        if isinstance(outcome, Status):
            record.stop()
            return outcome
        record.loaded = outcome
        return Status.of(listing, "ok", "", outcome.milliseconds, outcome.notes)

    def _opened(self, kind: str, name: str) -> tuple[Record, Loaded]:
        record = self._record(self._find(kind, name))
        row = self._load(record)
        if record.loaded is None:
            hint = "" if "veridical plugins" in row.reason or "pip install" in row.reason else "See: veridical doctor"
            error = IncompatibleError if row.code == IncompatibleError.code else ConfigurationError
            raise error(f"The {kind} plugin {name} cannot be used: {row.reason}", hint=hint)
        return record, record.loaded

    def _implementation(self, kind: str, name: str, hook: str, arguments: Mapping[str, object]) -> tuple[Record, Callable[[], object]]:
        record, loaded = self._opened(kind, name)
        if hook not in loaded.hooks:
            hint = f"It is {loaded.listing.distribution} {loaded.listing.version}: a newer one may have it."
            raise MissingHookError(f"{name} does not implement {hook}.", plugin=name, hook=hook, hint=hint)
        caller = getattr(loaded.relay, hook)

        def implementation() -> object:
            results = cast("list[object]", caller(**arguments))
            return results[0] if results else None  # pluggy leaves None out

        return record, implementation

    def _run(self, record: Record, hook: str, function: Callable[[], object], scope: Scope) -> object:
        """Run code of the plugin in its thread; what it raises is translated there, and leaves without its own traceback."""
        name, deadline = record.listing.name, self._deadline.within(self._deadlines[record.listing.kind])
        self._refuse_when_closed()

        def guarded() -> object:
            failure: VeridicalError
            try:
                found = function()
                if (silent := unsaid(found, scope.records, record.listing, hook)) is None:
                    return found
                failure = silent
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, SystemExit too
                failure = translate(error, record.listing, hook, redact=self._host.secrets.redact, logger=record.context.logger)
            raise classified(failure, scope.records)

        try:
            return record.worker.run(guarded, deadline)
        except OverdueError:
            record.kill()
            if row := record.quarantined:
                said = f"{name} ({hook}): it is not called again in this run. {row.reason}"
                raise PluginError(said, plugin=name, hook=hook) from None
            said = f"{name} ({hook}): it took longer than {deadline:.3g} s and is not called again in this run."
            record.quarantine(f"{said} {_way_out(record.listing)}")
            if deadline < self._deadlines[record.listing.kind]:
                over = f"The run passed its deadline while {name} ({hook}) was called; what was done before is kept."
                raise CancelledError(over, hint="Allow it more: --seconds N") from None
            raise PluginTimeoutError(said, plugin=name, hook=hook, hint=_way_out(record.listing)) from None
        except CancelledError:
            raise
        except VeridicalError as error:
            record.note_failure(error)
            raise


def _way_out(listing: Listing) -> str:
    return f"Allow it more under [limits] in the settings file, or do without it: veridical plugins disable {listing.name}"
