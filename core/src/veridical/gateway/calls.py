"""The only caller of hooks: one plugin at a time, by name, with a deadline, and whatever the plugin does stays with it.

    open              catalogue row -> loaded in the plugin's own thread; the others do it too when they have to
    call, iterate     hook, in that thread -> what it returned, unchecked: admission is not this module's
    statuses, records what became of every plugin, for `doctor` and for the report of a run
    cancel, close     let callers go; end clients and threads

What comes back is the plugin's own object. Nothing here says that it is true, or even that it has the right type.
"""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Self, cast

from veridical_contract import (
    KINDS,
    CancelledError,
    ConfigurationError,
    PluginError,
    PluginRecord,
    PluginTimeoutError,
    Untrusted,
    VeridicalError,
)

from veridical.context import HostContext, PluginHost
from veridical.discovery import Listing, Loaded, Status, load
from veridical.settings import Limits

from .failures import translate
from .workers import OverdueError, Worker, left_behind

_GRACE = 2.0
"""Seconds that closing waits for one plugin."""

_END = object()


class _Record:
    """One plugin that was tried: its thread, its context, and how it went."""

    def __init__(self, listing: Listing, host: PluginHost) -> None:
        self.listing = listing
        self.worker = Worker(listing.name)
        self.context = HostContext(listing.name, host, cancelled=self.worker.is_cancelled)
        self.loading = threading.Lock()
        self.loaded: Loaded | None = None
        self.status: Status | None = None
        self.failures = 0

    def settle(self, outcome: Loaded | Status) -> None:
        """Keep what loading came to."""
        if isinstance(outcome, Loaded):
            self.loaded, self.status = outcome, Status.of(self.listing, "ok", "", outcome.milliseconds)
        else:
            self.status = outcome

    def reason(self) -> str:
        """Return why the plugin is not `ok`."""
        return self.status.reason if self.status else ""

    def is_quarantined(self) -> bool:
        """Whether the plugin is not to be called again."""
        return self.status is not None and self.status.status == "quarantined"

    def note_failure(self, error: VeridicalError) -> None:
        """Put into the plugin's row that a call failed; it may be called again."""
        self.failures += 1
        if self.status is not None and self.status.status in {"ok", "failed"}:
            times = "" if self.failures == 1 else f" ({self.failures} calls failed, this is the last)"
            self.status = self.status._replace(status="failed", reason=f"{error}{times}")

    def quarantine(self, reason: str) -> None:
        """Put into the plugin's row that it is not called again."""
        milliseconds = self.status.milliseconds if self.status else 0.0
        self.status = Status.of(self.listing, "quarantined", reason, milliseconds)


class Calls:
    """The calling half of the gateway. A context manager; safe to use from several threads.

    Args:
        listings: from the catalogue.
        host: what contexts are made from.
        limits: seconds that plugins may take, and how many threads may be left behind.
        clock: seconds, for the milliseconds of a row.
    """

    def __init__(
        self,
        listings: Sequence[Listing],
        host: PluginHost,
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._listings = tuple(listings)
        self._host = host
        self._limits = limits or Limits()
        self._clock = clock
        self._deadlines = {kind: cast("float", getattr(self._limits, kind)) for kind in KINDS}
        self._records: dict[tuple[str, str], _Record] = {}
        self._lock = threading.Lock()
        self._cancelled = False
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
            if listing.state == "ready" and listing.kind != "command":
                self._load(self._record(listing))
        return self.statuses()

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
        record, implementation = self._implementation(kind, name, hook, arguments)
        return self._run(record, hook, lambda: record.worker.settle(implementation()))

    def iterate(self, kind: str, name: str, hook: str, **arguments: object) -> Iterator[object]:
        """Call `hook` of a plugin and yield what its iterator yields, each step in the plugin's thread and with a deadline of its own.

        The plugin's iterator is closed when this one is left early. Arguments and errors are those of `call`.
        """
        record, implementation = self._implementation(kind, name, hook, arguments)
        steps = _Steps(record.worker, implementation)
        self._run(record, hook, steps.begin)
        try:
            while (item := self._run(record, hook, steps.next)) is not _END:
                yield item
        except GeneratorExit:
            if not self._closed:
                with suppress(VeridicalError):  # nobody listens any more; the plugin's row has it
                    self._run(record, hook, steps.close)
            raise

    def records(self) -> tuple[PluginRecord, ...]:
        """Return a row for the report of every plugin that was tried."""
        return tuple(_plugin_record(row) for row in self.statuses() if (row.kind, row.name) in self._records)

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
            _stop(record)

    def _all(self) -> list[_Record]:
        with self._lock:
            return list(self._records.values())

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise RuntimeError("the gateway is closed")

    def _find(self, kind: str, name: str) -> Listing:
        of_kind = [listing for listing in self._listings if listing.kind == kind]
        named = [listing for listing in of_kind if listing.name == name]
        for listing in sorted(named, key=lambda row: row.state != "ready"):
            return listing
        near = get_close_matches(name, [listing.name for listing in of_kind], n=1)
        hint = f"Did you mean {near[0]}?" if near else "See: veridical plugins list"
        raise ConfigurationError(f"There is no {kind} plugin called {name!r}.", hint=hint)

    def _record(self, listing: Listing) -> _Record:
        key = (listing.kind, listing.name)
        with self._lock:
            self._refuse_when_closed()
            if self._cancelled:
                raise CancelledError("The call was cancelled.")
            return self._records.setdefault(key, _Record(listing, self._host))

    def _load(self, record: _Record) -> None:
        listing, seconds = record.listing, self._limits.load
        with record.loading:
            if record.status is not None:
                return
            if (hanging := left_behind()) >= self._limits.leaked:
                said = f"{listing.name} is not loaded: {hanging} threads of plugins that hang are still running in this process."
                raise PluginError(said, plugin=listing.name, hint="Start it again, without those plugins: veridical doctor names them.")
            redact = self._host.secrets.redact
            try:
                outcome = record.worker.run(lambda: load(listing, record.context, redact=redact, clock=self._clock), seconds)
            except OverdueError:
                record.quarantine(f"It did not load within {seconds:g} s. {_way_out(listing)}")
            else:
                record.settle(outcome)
                if record.loaded is None:
                    _stop(record)

    def _opened(self, kind: str, name: str) -> tuple[_Record, Loaded]:
        record = self._record(self._find(kind, name))
        self._load(record)
        if record.loaded is None:
            raise ConfigurationError(f"The {kind} plugin {name} cannot be used: {record.reason()}", hint="See: veridical doctor")
        return record, record.loaded

    def _implementation(self, kind: str, name: str, hook: str, arguments: Mapping[str, object]) -> tuple[_Record, Callable[[], object]]:
        record, loaded = self._opened(kind, name)
        if hook not in loaded.hooks:
            hint = f"It is {loaded.listing.distribution} {loaded.listing.version}: a newer one may have it."
            raise PluginError(f"{name} does not implement {hook}.", plugin=name, hook=hook, hint=hint)
        caller = getattr(loaded.relay, hook)

        def implementation() -> object:
            results = cast("list[object]", caller(**arguments))
            return results[0] if results else None  # pluggy leaves None out

        return record, implementation

    def _run(self, record: _Record, hook: str, function: Callable[[], object]) -> object:
        """Run code of the plugin in its thread; what it raises is translated there, and leaves without its own traceback."""
        name, deadline = record.listing.name, self._deadlines[record.listing.kind]
        self._refuse_when_closed()

        def guarded() -> object:
            try:
                return function()
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, SystemExit too
                failure = translate(error, record.listing, hook, redact=self._host.secrets.redact, logger=record.context.logger)
            raise failure

        try:
            return record.worker.run(guarded, deadline)
        except OverdueError:
            if record.is_quarantined():
                said = f"{name} ({hook}): it is not called again in this run. {record.reason()}"
                raise PluginError(said, plugin=name, hook=hook) from None
            said = f"{name} ({hook}): it took longer than {deadline:g} s and is not called again in this run."
            record.quarantine(f"{said} {_way_out(record.listing)}")
            raise PluginTimeoutError(said, plugin=name, hook=hook, hint=_way_out(record.listing)) from None
        except CancelledError:
            raise
        except VeridicalError as error:
            record.note_failure(error)
            raise


class _Steps:
    """An iterator of a plugin, synchronous or not. All of it runs in the plugin's thread."""

    def __init__(self, worker: Worker, implementation: Callable[[], object]) -> None:
        self._worker = worker
        self._implementation = implementation
        self._iterator: Iterator[object] | AsyncIterator[object] = iter(())

    def begin(self) -> None:
        """Call the hook, and ask what it returned for its iterator."""
        returned = self._worker.settle(self._implementation())
        if not isinstance(returned, (Iterable, AsyncIterable)):
            raise TypeError(f"it returned {type(returned).__name__}, expected an iterator")
        several = cast("Iterable[object] | AsyncIterable[object]", returned)
        self._iterator = aiter(several) if isinstance(several, AsyncIterable) else iter(several)

    def next(self) -> object:
        """Return the next item, or `_END`."""
        iterator = self._iterator
        return self._worker.settle(anext(iterator, _END)) if isinstance(iterator, AsyncIterator) else next(iterator, _END)

    def close(self) -> None:
        """Let a generator run its clean-up."""
        close = getattr(self._iterator, "aclose", None) or getattr(self._iterator, "close", None)
        if close is not None:
            self._worker.settle(close())


def _plugin_record(row: Status) -> PluginRecord:
    return PluginRecord(
        name=row.name,
        kind=row.kind,
        distribution=row.distribution,
        version=row.version,
        status="ok" if row.status == "ok" else "quarantined" if row.status == "quarantined" else "failed",
        reason=Untrusted(origin=row.name, text=row.reason) if row.reason else None,
    )


def _stop(record: _Record) -> None:
    try:
        record.worker.stop(record.context.close, _GRACE)
    except OverdueError:
        record.context.logger.warning("%s did not stop within %s s and is left behind", record.listing.name, _GRACE)
    except Exception:
        record.context.logger.warning("%s could not be closed", record.listing.name, exc_info=True)


def _way_out(listing: Listing) -> str:
    return f"Allow it more under [limits] in the settings file, or do without it: veridical plugins disable {listing.name}"
