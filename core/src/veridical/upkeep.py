"""Looking after a store: `Veridical().store`.

forget      documents, a source or an account, for good
runs        past runs, and their reports once more
repair      what is damaged, from what is there
backup      the store and what belongs to it, in one file; and back
tidy        what the retention rule no longer keeps
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

from veridical_contract import Backup, DeleteReceipt, Migration, SourceRequest, UsageError

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway
from veridical.homes import Home
from veridical.installation import Installation
from veridical.kernel.exit import Published
from veridical.kernel.policy import load_policy
from veridical.settings import Source
from veridical.wire.inputs import enumerate_inputs, shared_base
from veridical.workflows import forget
from veridical.workflows.backup import backup, restore
from veridical.workflows.forget import Doomed
from veridical.workflows.progress import Progress
from veridical.workflows.reopen import reopen
from veridical.workflows.repair import Repaired, repair
from veridical.workflows.tidy import Tidied, tidy

if TYPE_CHECKING:
    from veridical.wire.recording.archive import ArchivedReply

__all__ = ["RunRow", "Upkeep"]


@dataclass(frozen=True, slots=True)
class RunRow:
    """A past run.

    Attributes:
        run: identifier.
        created_at: ISO 8601 in UTC.
        query: the question.
        state: `reported`, `withdrawn` (evidence was deleted and the report with it), or `unfinished`.
    """

    run: str
    created_at: str
    query: str
    state: str


class Upkeep:
    """See the module.

    Args:
        installation: whose store it is.
        home: where it is.
        base: the folder that relative paths are below.
        now: the time, aware.
        progress: who watches long steps.
    """

    def __init__(self, installation: Installation, *, home: Home, base: Path, now: Callable[[], datetime], progress: Progress) -> None:
        self._installation = installation
        self._home = home
        self._base = base
        self._now = now
        self._progress = progress

    # Forget

    def doomed(self, documents: Sequence[str] = (), *, source: str | None = None, account: str | None = None) -> Doomed:
        """Return what `forget` with the same arguments would take; nothing is deleted.

        Args:
            documents: identifiers; the first digits are enough where they are unique. Every version of the record goes with them, and
                what is made of its bytes.
            source: everything that a source holds or held and no other source holds; it is no source any more afterwards.
            account: `SITE/ID`: everything that this account wrote, and with it the same.

        Raises:
            UsageError: nothing was named, or there is no such document, source or account.
        """
        if sum(map(bool, (documents, source, account))) != 1:
            raise UsageError(
                "Name documents, or a source, or an account.",
                hint="Type: veridical forget IDENTIFIER, veridical forget --source NAME, or veridical forget --account SITE/ID",
            )
        gateway = self._installation.gateway()
        if source is not None:
            names = forget.of_source(gateway, source)
            if not names and source not in self._installation.settings().sources and not gateway.containers(source):
                raise UsageError(f"There is no source called {source!r}.", hint="See: veridical sources list")
            return forget.doomed(gateway, names, origin=source)
        if account is not None:
            names = forget.by_account(gateway, account, load_policy())
            if not names:
                raise UsageError(
                    f"No document in the store was written by {account!r}.",
                    hint="Expected SITE/ID, as in: veridical evidence show IDENTIFIER",
                )
            return forget.records(gateway, names)
        return forget.records(gateway, [self._one(name) for name in documents])

    def forget(self, what: Doomed, *, reason: str) -> DeleteReceipt:
        """Delete what `doomed` returned, for good: tombstones with `reason` stay, and no byte of the words.

        The local log of words that were refused is emptied: nobody could say whose words an altered quote repeats.

        Raises:
            UsageError: no reason.
        """
        if not reason.strip():
            raise UsageError("Say why: reports that cite what is deleted will say it.", hint="Add: --reason TEXT")
        gateway = self._installation.gateway()
        # The archive first: who is interrupted here finds the documents still there, and types the command again.
        archive = self._installation.wire_archive()
        archive.forget(_records_of(gateway, what.documents), [*_runs_with(gateway, what.documents), *_unsealed(gateway, archive.runs())])
        self._installation.empty_log()
        receipt = forget.forget(gateway, what, reason=reason.strip())
        if what.origin is not None and what.origin in self._installation.settings().sources:
            self._installation.file.remove_source(what.origin)
        return receipt

    def _one(self, identifier: str) -> str:
        names = forget.starting_with(self._installation.gateway(), identifier) if identifier else ()
        if len(names) != 1:
            many = "no document" if not names else f"more than one document ({len(names)})"
            raise UsageError(f"There is {many} called {identifier!r}.", hint="See: veridical evidence search WORDS")
        return names[0]

    # Repair

    def repair(self) -> Repaired:
        """Make again what the store lost or altered, from what it still holds and from the files that it was read from.

        Raises:
            StoreError: the store cannot be read or written at all; restore a backup.
        """
        return repair(self._installation.gateway(), self._reread)

    def _reread(self, origin: str, containers: Sequence[str]) -> Iterator[ReadBatch]:
        """Read containers of a source again, where its files are still there; of a path that was named once, below the working folder."""
        source = self._installation.settings().sources.get(origin, Source())
        base = shared_base(source.paths) if source.paths else self._base
        inputs = [file for name in containers if (base / name).is_file() for file in enumerate_inputs([name], base=base).files]
        if inputs:
            self._installation.read_below(base)
            request = SourceRequest(origin=origin, inputs=tuple(inputs), map=source.field_map())
            yield from self._installation.gateway().read(source.plugin, request)

    # Backup

    def backup(self, path: Path | str, *, force: bool = False) -> Backup:
        """Write the store, its key, its ledger and its WARC files to one file, while others go on using it; the file is read again.

        Raises:
            UsageError: there is something at `path` and `force` is not set, or there is no such folder.
            StoreError: it cannot be written, or something is wrong with the store.
        """
        return backup(self._installation.gateway(), self._home, self._base / path, wire=self._installation.wire_archive().copy, force=force)

    def restore(self, path: Path | str) -> Migration:
        """Make a backup the store, once it was read; what was there stays beside it under another name.

        Raises:
            UsageError: there is no such file.
            StoreError: it is not a whole backup; nothing was changed.
        """
        place, now = self._base / path, self._now()
        return self._installation.restored(lambda gateway: restore(gateway, self._home, place, now))

    def tidy(self) -> Tidied:
        """Delete what the `[retention]` table of the settings no longer keeps, and put the index in order."""
        retention = self._installation.settings().retention
        if retention.wire_days is not None:
            self._installation.wire_archive().tidy(timedelta(days=retention.wire_days), self._now())
        return tidy(self._installation.gateway(), past_days=retention.past_days, now=self._now(), progress=self._progress)

    # Runs

    def runs(self, limit: int = 20) -> tuple[RunRow, ...]:
        """The newest runs, newest first."""
        gateway = self._installation.gateway()
        rows: list[RunRow] = []
        for newest in gateway.runs(limit=limit):
            begun = next((step for step in gateway.runs(newest.run) if step.kind == "begin"), None)
            created_at, query = _begun(begun.body if begun is not None else b"")
            state = "unfinished" if newest.kind != "report" else "reported" if newest.body else "withdrawn"
            rows.append(RunRow(newest.run, created_at, query, state))
        return tuple(rows)

    def wire(self, run: str) -> tuple[ArchivedReply, ...]:
        """Return what went over the wire in a run, reply by reply; the first digits of its name are enough where they are unique.

        Raises:
            UsageError: there is no such run.
            StoreCorruptError: the record is damaged.
        """
        return tuple(self._installation.wire_archive().read(self._recorded(run)))

    def wire_file(self, run: str) -> Path:
        """Return the WARC file of a run; it need not exist. See `wire`."""
        return self._installation.wire_archive().path(self._recorded(run))

    def _recorded(self, run: str) -> str:
        """One that was interrupted is in no store, and what went over the wire in it is kept all the same."""
        kept = self._installation.wire_archive().runs()
        return _the_one(run, {*kept, *(row.run for row in self._installation.gateway().runs())})

    def _run_called(self, run: str) -> str:
        return run if len(run) == _RUN_DIGITS else _the_one(run, {row.run for row in self._installation.gateway().runs()})

    def reopen(self, run: str) -> Published:
        """Publish the report of a past run again, from the store as it is now; the first digits are enough where they are unique.

        Raises:
            UsageError: there is no such run, or it has no report.
            NotPublishableError: evidence was withdrawn, or the report no longer follows from the store.
        """
        name = self._run_called(run)
        chain, report = self._installation.kept(name)
        return reopen(self._installation.gateway(), name, chain, report)


_RUN_DIGITS = 32


def _the_one(run: str, names: Iterable[str]) -> str:
    found = [name for name in names if run and name.startswith(run)]
    if len(found) != 1:
        raise UsageError(f"There is {'more than one' if found else 'no'} run called {run!r}.", hint="See: veridical runs list")
    return found[0]


def _begun(body: bytes) -> tuple[str, str]:
    """Return when a run began and what was asked, as far as the store still says so: nothing of it was compared with anything."""
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    fields = cast("dict[str, object]", told) if isinstance(told, dict) else {}
    created_at, query = (fields.get(name) for name in ("created_at", "query"))
    return created_at if isinstance(created_at, str) else "", query if isinstance(query, str) else ""


def _runs_with(gateway: Gateway, names: Sequence[str]) -> list[str]:
    """Return the runs whose sealed chain holds one of the documents: their words may have been shown to a model, over the wire."""
    wanted = set(names)
    seals = ((newest.run, step.body) for newest in gateway.runs() for step in gateway.runs(newest.run) if step.kind == "seal")
    return [run for run, body in seals if wanted.intersection(cast("dict[str, list[str]]", json.loads(body or b"{}")).get("documents", ()))]


def _unsealed(gateway: Gateway, recorded: Sequence[str]) -> list[str]:
    """Return the runs of `recorded` that were interrupted: nothing says which documents a model was shown in them."""
    sealed = {newest.run for newest in gateway.runs() if any(step.kind == "seal" for step in gateway.runs(newest.run))}
    return [run for run in recorded if run not in sealed]


def _records_of(gateway: Gateway, names: Sequence[str]) -> set[str]:
    """Return the digests of the bytes that documents follow from."""
    return {document.raw.digest for document in gateway.fetch(names).documents.values() if document.raw is not None}
