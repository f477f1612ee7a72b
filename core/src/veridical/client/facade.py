"""The verbs, one after the other: each enumerates its inputs, asks for a gateway, and calls a workflow."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from veridical_contract import (
    KINDS,
    Document,
    FieldMap,
    NotPublishableError,
    TextQuery,
    UsageError,
    VeridicalError,
)

from veridical.bundle import Verification, verify_bundle
from veridical.discovery import Status
from veridical.homes import Home
from veridical.installation import Installation, replace_file
from veridical.kernel.exit import Published
from veridical.kernel.policy import load_policy
from veridical.resolution import KEYLESS, Choice
from veridical.settings import Settings
from veridical.spending import Budget
from veridical.upkeep import Upkeep
from veridical.wire.inputs import enumerate_inputs
from veridical.workflows.check import Checked, DraftFile, check, copy_paths
from veridical.workflows.find import Place, Standing, find_quote
from veridical.workflows.progress import Progress, Silent
from veridical.workflows.recheck_report import Recheck, recheck_report

from .auditing import AuditVerbs
from .conversation import ConversationVerbs
from .inputs import evidence_below, origin_of
from .plugins import PluginVerbs
from .rows import Found, Health

__all__ = ["Veridical"]


class Veridical(PluginVerbs, ConversationVerbs, AuditVerbs):
    """One installation.

    Args:
        home: one folder for everything; None takes VERIDICAL_HOME, or the XDG base directories.
        base: the folder that relative paths are below; None takes the working directory.
        environment: variables; None takes those of the process.
        clock: the time, aware, in UTC.
        progress: who watches long steps.
        wait: lets so many seconds pass, where a provider asks for a little patience.
        plugin_defaults: settings of plugins by name, where the settings file says nothing: `{"sqlite": {"cache_megabytes": 4}}`.
    """

    def __init__(
        self,
        *,
        home: Path | str | None = None,
        base: Path | str | None = None,
        environment: Mapping[str, str] | None = None,
        clock: Callable[[], datetime] | None = None,
        progress: Progress | None = None,
        wait: Callable[[float], None] = time.sleep,
        plugin_defaults: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
    ) -> None:
        variables = dict(os.environ) if environment is None else dict(environment)
        self._home = Home.locate(home=Path(home) if home is not None else None, environment=variables)
        self._base = Path(base) if base is not None else Path.cwd()
        self._now = clock or _utc_now
        self._progress = progress or Silent()
        self._wait = wait
        self._published: Published | None = None
        self._budget: Budget | None = None
        self._unkept: VeridicalError | None = None
        self._installation = Installation(self._home, environment=variables, now=self._now, defaults=plugin_defaults)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def cancel(self) -> None:
        """Let a verb that runs in another thread go with `CancelledError` when it asks a plugin or the store; what was done before is kept.

        Afterwards this object is good for nothing but `close`. Safe to call from any thread.
        """
        self._installation.cancel()

    def close(self) -> None:
        """End plugins and their threads."""
        self._installation.close()

    # Check

    def check(
        self,
        drafts: Sequence[Path | str | tuple[str, bytes]],
        *,
        against: Sequence[Path | str] = (),
        sources: Sequence[str] = (),
        field_map: FieldMap | None = None,
        strict: bool = False,
    ) -> Checked:
        """Judge every quotation, address, number and citation in drafts that somebody wrote.

        Args:
            drafts: files (Markdown, HTML or plain text, by their suffix), or names with their bytes. They are never evidence
                themselves, wherever they lie.
            against: files, folders or globs that are the evidence; the name of a source too, where no file has it.
            sources: names of sources that are. With neither: everything that the store holds.
            field_map: for tabular files among `against`.
            strict: warnings (a quotation whose cut changes what it says) are errors.

        Raises:
            UsageError: a path or source that is not there, or no evidence at all.
            UnreadableError: a draft is no text.
            ConfigurationError, PluginError, StoreError: as their docstrings say.
        """
        read = [self._draft(one) for one in drafts]
        against, sources = self._apart(against, sources)
        own = frozenset(hashlib.sha256(one.data).hexdigest() for one in read)
        named = [(origin_of(self._base / path), evidence_below(path, enumerate_inputs([path], base=self._base), own)) for path in against]
        chosen = tuple(self._chosen(sources)) if sources else ()
        gateway = self._installation.gateway()
        synced = self._synced(gateway, named, field_map)
        if not named and not chosen and not gateway.in_scope(()):
            raise UsageError(
                "There is no evidence to check against: no path was named and the store holds nothing.",
                hint="Name files with --against PATH, or add a source: veridical sources add NAME PATH",
            )
        return check(
            gateway,
            read,
            policy=load_policy(),
            origins=(*(origin for origin, _ in named), *chosen),
            progress=self._progress,
            strict=strict,
            inputs=[record for one in synced for record in one.inputs],
            rejections=[rejection for one in synced for rejection in one.rejections],
        )

    def fix_paths(
        self,
        drafts: Sequence[str],
        *,
        out: Path | str | None = None,
        suffix: str | None = None,
        overwrite: bool = False,
    ) -> tuple[Path, ...]:
        """Return where `write_fixed` is to write the copy of each draft; say before a long check that it could not.

        Args:
            drafts: names of the drafts; `-` is standard input.
            out: a file for one draft, or a folder in which the copies keep their names.
            suffix: instead: the copies lie beside the drafts, and this stands before the end of their names.
            overwrite: another file of that name may be replaced; a draft never is.

        Raises:
            UsageError: a copy would replace a draft or another file, or there is no such folder.
        """
        return copy_paths(drafts, base=self._base, out=Path(out) if out is not None else None, suffix=suffix, overwrite=overwrite)

    def write_fixed(self, checked: Checked, paths: Sequence[Path]) -> None:
        """Write a copy of each draft in which altered quotations have the evidence's own words and other errors are marked.

        Args:
            checked: what `check` returned.
            paths: one for each draft, from `fix_paths`.

        Raises:
            OSError: one cannot be written; what was there before is still there.
        """
        for number, path in enumerate(paths):
            replace_file(path, checked.fixed(number))

    def check_output(self, path: Path | str | None, *, sign: Path | str | None = None) -> None:
        """Say before a long run that its report could not be written as `path`, or not be signed; None is fine.

        Raises:
            UsageError: an unknown suffix, a folder that is not there, or a key that is none.
            MissingExtraError: signing needs a package that is not installed.
        """
        if path is not None:
            self._installation.check_output(self._base / path, self._below(sign))
        elif sign is not None:
            raise UsageError("Only a bundle is signed, and none is written.", hint="Add: -o report.zip")

    def save(self, published: Published, path: Path | str, *, slim: bool = False, sign: Path | str | None = None) -> str | None:
        """Write a report as its suffix says: `.json`, `.md`, `.html` or `.zip`. Return the root digest of a `.zip`, else None.

        Args:
            published: what `research` returned.
            path: of the file.
            slim: leave the raw bytes out of a `.zip`.
            sign: an Ed25519 private key (PEM), mode 0600, which signs the root digest of a `.zip` in a file with `.sig` after its name.

        Raises:
            UsageError: another suffix, a folder that is not there, or a key that is none.
            MissingExtraError: signing needs a package that is not installed.
            OSError: it cannot be written; what was there before is still there.
        """
        return self._installation.save(published, self._base / path, slim=slim, sign=self._below(sign))

    def verify(self, bundle: Path | str, *, root: str | None = None, key: Path | str | None = None) -> Verification:
        """Run the stand-alone checker on a bundle in a clean interpreter.

        Args:
            bundle: of the archive.
            root: its root digest, obtained elsewhere than with the bundle.
            key: the Ed25519 public key (PEM) that must have signed it, obtained elsewhere too.

        Raises:
            UsageError: there is no such file.
        """
        return verify_bundle(self._base / bundle, root=root, key=self._below(key))

    def recheck(self, bundle: Path | str, *, hosts: Sequence[str] = ()) -> Recheck:
        """Verify a bundle, and read the pages that its report quotes again: what was quoted may have changed, or be gone.

        Args:
            bundle: of the archive.
            hosts: private hosts that may be read besides those of the settings, `host` or `host:port`.

        Raises:
            UsageError: there is no such file.
            NotPublishableError: the bundle does not verify.
        """
        path = self._base / bundle
        if not path.is_file():
            raise UsageError(f"There is no file {bundle}.", hint="Expected a bundle: veridical research QUESTION --from PATH -o report.zip")
        if verify_bundle(path).code != 0:
            raise NotPublishableError(f"{bundle} does not verify: nothing is read again.", hint=f"Type: veridical verify {bundle}")
        return recheck_report(path, self._installation.fetcher(hosts))

    # Evidence

    def search_evidence(self, words: str, *, sources: Sequence[str] = (), limit: int = 10) -> tuple[Found, ...]:
        """Passages of the store that hold any of `words`, best first, each read again and checked."""
        gateway = self._installation.gateway()
        candidates = gateway.candidates(TextQuery(text=words, limit=limit, origins=tuple(sources)))
        documents = gateway.fetch(list(dict.fromkeys(candidate.document for candidate in candidates))).documents
        return tuple(
            self._found(found.document, documents[found.document], found.start, found.end)
            for found in candidates
            if found.document in documents and found.end <= len(documents[found.document].text)
        )

    def find_quote(self, quote: str, *, sources: Sequence[str] = (), limit: int = 100) -> Standing:
        """The documents in which `quote` stands, each confirmed by the kernel; see `Standing` for their order.

        Args:
            quote: the words, as they were quoted.
            sources: names of sources to look in; all that the store holds when none is named.
            limit: how many places to return at most; all of them are counted.

        Raises:
            UsageError: the quote is empty, or the store holds nothing of a source.
            StoreError: the store cannot be read.
        """
        if not quote.strip():
            raise UsageError("The quote is empty.", hint='Type: veridical evidence find "QUOTE"')
        gateway = self._installation.gateway()
        for name in set(sources).difference(gateway.state().origins) if sources else ():
            raise UsageError(f"The store holds no source called {name!r}.", hint="See: veridical sources list")
        return find_quote(gateway, quote, policy=load_policy(), origins=sources, limit=limit)

    def show_place(self, place: Place) -> Found:
        """What stands at a place that `find_quote` found, with its line."""
        return self._found(place.id, place.document, place.start, place.end)

    def show_evidence(self, identifier: str) -> Found:
        """The document called `identifier`, read again and checked; the first digits are enough where they are unique.

        Raises:
            UsageError: there is none, or more than one.
        """
        gateway = self._installation.gateway()
        names = self._installation.matching(identifier)
        if len(names) != 1:
            many = "no document" if not names else f"more than one document ({len(names)})"
            raise UsageError(f"There is {many} called {identifier!r}.", hint="See: veridical evidence search WORDS")
        documents = gateway.fetch(names).documents
        (gone,) = gateway.tombstones(names) if names[0] not in documents else (None,)
        if gone is not None:
            raise UsageError(f"Document {names[0]} was deleted on {gone.deleted[:10]}: {gone.reason}.")
        if names[0] not in documents:
            raise UsageError(f"Document {names[0]} is not in the store as it was admitted.", hint="Type: veridical doctor --store")
        return self._found(names[0], documents[names[0]], 0, len(documents[names[0]].text))

    @property
    def store(self) -> Upkeep:
        """Looking after the store: forget, past runs, repair, backup, restore, tidy."""
        return Upkeep(self._installation, home=self._home, base=self._base, now=self._now, progress=self._progress)

    # Plugins and health

    def settings(self) -> Settings:
        """What the settings file says."""
        return self._installation.settings()

    @property
    def home(self) -> Home:
        """Where things are kept."""
        return self._home

    def doctor(self, *, check_store: bool = False) -> Health:
        """Load what may be loaded, open the store, and say what a run would find."""
        statuses, store, problems = self._installation.examine(check_store=check_store)
        choices: tuple[Choice, ...] = ()
        waiting: tuple[str, ...] = ()
        with suppress(VeridicalError):  # settings that cannot be read: `problems` says so
            choices = self.choices()
            waiting = tuple(dict.fromkeys(name for kind in KINDS for name in self._installation.waiting(kind)))
        wanted = [(choice.kind, choice.name) for choice in choices if choice.why != KEYLESS]
        with suppress(VeridicalError):
            settings = self.settings()
            wanted += [("chat", name) for name in settings.chat.fallback]
            wanted += [("embedding", name) for name in (settings.embedding.name,) if name is not None]
            problems = (*problems, *self._unusable(wanted, statuses))
        return Health(self._home, statuses, store, choices, waiting, tuple(dict.fromkeys(problems)))

    def _unusable(self, wanted: Sequence[tuple[str, str]], statuses: Sequence[Status]) -> Iterator[str]:
        rows = {(row.kind, row.name): row for row in statuses}
        installed = {(listing.kind, listing.name) for listing in self.plugins()}
        for kind, name in wanted:
            row = rows.get((kind, name))
            if (kind, name) not in installed:
                yield f"There is no {kind} plugin called {name!r}, which the settings file names. See: veridical plugins list"
            elif row is not None and row.status != "ok":
                yield f"{kind} {name}: {row.reason}"

    # Parts

    def _draft(self, draft: Path | str | tuple[str, bytes]) -> DraftFile:
        from veridical.drafts import read_draft

        if isinstance(draft, tuple):
            name, data = draft
        else:
            name, path = str(draft), self._base / draft
            if not path.is_file():
                raise UsageError(f"There is no draft {name}.", hint="Expected a file: veridical check draft.md --against PATH")
            data = path.read_bytes()
        return DraftFile(read_draft(data, name=name), data)

    def _below(self, path: Path | str | None) -> Path | None:
        return self._base / path if path is not None else None

    def _found(self, name: str, document: Document, start: int, end: int) -> Found:
        reread = self._installation.gateway().reread(document)
        return Found(name, document, start, end, reread.line(start) if reread is not None else None)


def _utc_now() -> datetime:
    return datetime.now(UTC)
