"""What the gateway knows of one plugin that it tried: its thread or its process, its context, and how it went."""

from __future__ import annotations

import threading
from collections.abc import Callable

from veridical_contract import PluginRecord, Untrusted, VeridicalError

from veridical.context import Host, HostContext
from veridical.discovery import Listing, Loaded, Status, load
from veridical.isolation import Isolated
from veridical.settings import Isolation

from .workers import OverdueError, Worker

GRACE = 2.0
"""Seconds that closing waits for one plugin."""


class Record:
    """One plugin that was tried.

    Attributes:
        listing: what the catalogue says of it.
        worker: its thread.
        context: what it was given.
        isolated: its process; None when it runs in this one.
        loading: held while it loads.
        loaded: None until it loaded, and when it cannot.
    """

    def __init__(self, listing: Listing, host: Host, rule: Isolation | None = None) -> None:
        self.listing = listing
        self.worker = Worker(listing.name)
        self.context = HostContext(listing.name, host, cancelled=self.worker.is_cancelled)
        self.isolated = Isolated(listing, self.context, rule, host.home) if rule is not None and rule.isolate else None
        self.loading = threading.Lock()
        self.loaded: Loaded | None = None
        self._status: Status | None = None
        self._failures = 0

    @property
    def status(self) -> Status | None:
        """Its row; None until loading was tried."""
        return self._status

    @status.setter
    def status(self, row: Status) -> None:
        self._status = row if self.isolated is None else row._replace(isolated=self.isolated.word)

    def load(self, *, approved: str | None, redact: Callable[[str], str], clock: Callable[[], float]) -> Loaded | Status:
        """Load the plugin, here or in a process of its own; see `veridical.discovery.load`. Called in the plugin's thread."""
        if self.isolated is not None:
            return self.isolated.load(approved=approved, redact=redact, clock=clock)
        return load(self.listing, self.context, approved=approved, redact=redact, clock=clock)

    @property
    def quarantined(self) -> Status | None:
        """The row of a plugin that is not to be called again; None for any other."""
        return self.status if self.status is not None and self.status.status == "quarantined" else None

    def note_failure(self, error: VeridicalError) -> None:
        """Put into the row that a call failed; the plugin may be called again."""
        self._failures += 1
        if self.status is not None and self.quarantined is None:
            times = "" if self._failures == 1 else f" ({self._failures} calls failed, this is the last)"
            self.status = self.status._replace(status="failed", reason=f"{error}{times}")

    def renew(self) -> None:
        """Let the row say nothing of calls that failed so far: another run begins."""
        self._failures = 0
        if self.status is not None and self.status.status == "failed" and self.loaded is not None:
            self.status = Status.of(self.listing, "ok", "", self.status.milliseconds, self.loaded.notes)

    def quarantine(self, reason: str) -> Status:
        """Put into the row that the plugin is not called again, and return the row."""
        milliseconds = self.status.milliseconds if self.status is not None else 0.0
        self.status = row = Status.of(self.listing, "quarantined", reason, milliseconds)
        return row

    def kill(self) -> None:
        """End the plugin's process, where it has one."""
        if self.isolated is not None:
            self.isolated.kill("its process was ended")

    def stop(self) -> None:
        """Close the plugin's clients and end its thread, or leave it behind; either is no more than a line in its log."""
        self.kill()
        try:
            self.worker.stop(self.context.close, GRACE)
        except OverdueError:
            self.context.logger.warning("%s did not stop within %s s and is left behind", self.listing.name, GRACE)
        except Exception:
            self.context.logger.warning("%s could not be closed", self.listing.name, exc_info=True)


def plugin_record(row: Status) -> PluginRecord:
    """Return `row` as it stands in a report."""
    return PluginRecord(
        name=row.name,
        kind=row.kind,
        distribution=row.distribution,
        version=row.version,
        status="ok" if row.status == "ok" else "quarantined" if row.status == "quarantined" else "failed",
        reason=Untrusted(origin=row.name, text=row.reason) if row.reason else None,
        isolated=row.isolated or None,
    )
