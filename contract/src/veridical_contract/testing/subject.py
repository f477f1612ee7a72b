"""The plugin under test: found by its installed entry point, made and called as the host does it.

Subject   one plugin: its entry point, its package, what it may be answered
`-- live()    one instance with a host context of its own; everything of it runs in a thread of its own
    `-- call()    one hook call, recorded: what it returned or raised, what went over the wire, what it logged
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from veridical.context import Host, HostContext
from veridical.discovery import Listing, Status, catalogue, load
from veridical.discovery.loading import Loaded
from veridical.gateway.scopes import Scope
from veridical.gateway.workers import OverdueError, Worker
from veridical.homes import Home
from veridical.wire.reading import Reader
from veridical.wire.recording import Network, Recorded, Request

from veridical_contract import HostFiles, InputFile, Kind, MissingSecretError, Record, RecordFormat, WireMap

from .cassettes import Cassette, Recording, Replay, cassette_path, load_cassette
from .made_up import can_make_up, made_up
from .options import Options
from .registry import NoReplyError, Violation, said_by
from .watching import Watch, stop, watching
from .wires import Switch, answering

__all__ = ["SECONDS", "Keeping", "Live", "Outcome", "Subject"]

SECONDS = 20.0
"""What one hook call may take."""
_THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one hook call.

    Attributes:
        value: what it returned; of an iterator, the list of what it yielded.
        error: what it raised; None when it returned.
        records: what went over the wire, as the host records it.
        asked: the requests as they were sent, with their headers.
        logged: what it logged, as it said it.
        seen: what it did behind the host's back.
        steps: of an iterator, how many exchanges were over at each thing that it yielded.
    """

    value: Any
    error: BaseException | None
    records: list[Recorded]
    asked: list[Request]
    logged: list[str]
    seen: Watch
    steps: list[int] = field(default_factory=list[int])

    def result(self) -> Any:
        """Return what it returned.

        Raises:
            Violation: it raised.
        """
        if self.error is not None:
            raise Violation(f"it raised {said_by(self.error)}") from self.error
        return self.value


class Subject:
    """One installed plugin.

    Args:
        options: what the kit was told.

    Attributes:
        name: of the entry point.
        kind: of the plugin.
        options: what the kit was told.
        notes: what the checks of this plugin remember, by their ids.
    """

    def __init__(self, options: Options) -> None:
        self.name: str = options.name
        self.kind: Kind = options.kind
        self.options: Options = options
        self.notes: dict[str, Any] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="veridical-contract-"))
        self._homes = 0
        self._recording: Recording | None = None
        self._secrets: set[str] = set()
        self._cassettes: dict[Path, Cassette | None] = {}

    def close(self) -> None:
        """Write what was recorded, and remove what was written on the way."""
        if self._recording is not None:
            self._recording.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # What is installed

    @property
    def listing(self) -> Listing | None:
        """The installed entry point; None where there is none."""
        if "listing" not in self.notes:
            rows = [row for row in catalogue() if (row.kind, row.name) == (self.kind, self.name)]
            self.notes["listing"] = rows[0] if rows else None
        return cast("Listing | None", self.notes["listing"])

    @property
    def distribution(self) -> str:
        """The distribution that brings it; empty where there is none."""
        return self.listing.distribution if self.listing is not None else ""

    @property
    def version(self) -> str:
        """The version of the distribution."""
        return self.listing.version if self.listing is not None else ""

    @property
    def metadata(self) -> Distribution | None:
        """The metadata of the distribution."""
        with contextlib.suppress(PackageNotFoundError, ValueError):
            return distribution(self.distribution)
        return None

    @property
    def module(self) -> str:
        """The module that the entry point names."""
        return self.listing.value.partition(":")[0] if self.listing is not None else ""

    @property
    def package(self) -> Path | None:
        """The folder of the plugin's package, or the file of its only module; None where it cannot be found."""
        with contextlib.suppress(ImportError, ValueError):
            spec = find_spec(self.module.partition(".")[0])
            if spec is not None and spec.submodule_search_locations:
                return Path(next(iter(spec.submodule_search_locations)))
            return Path(spec.origin) if spec is not None and spec.origin else None
        return None

    @property
    def target(self) -> Any:
        """The class that the entry point names; only once it was loaded."""
        __import__(self.module)
        found: Any = sys.modules[self.module]
        for part in (self.listing.value if self.listing is not None else "").partition(":")[2].split("."):
            found = getattr(found, part)
        return found

    @property
    def secrets(self) -> frozenset[str]:
        """Names of the secrets that the plugin asked for so far."""
        return frozenset(self._secrets)

    # Who answers

    def network(self, live: Live, scenario: str) -> Network:
        """Return who answers what the plugin asks in `scenario`: the provider when it is recorded, the cassette, or what can be made up.

        Raises:
            NoReplyError: nobody can; raised by the network, when it is asked.
        """
        path = self.cassette
        if self.options.record:
            self._recording = self._recording or Recording(path, self.name, self.kind, self.options.server)
            return self._recording.scenario(scenario, live.redact)
        cassette = self._loaded(path)
        if cassette is not None and scenario in cassette.scenarios:
            return Replay(cassette.scenarios[scenario])
        if self.kind != "chat" and can_make_up(live.wire):  # a reply of a chat is more than its hits
            return answering(made_up(live.wire, hits=0 if scenario == "nothing" else 7))
        kept = "holds nothing of" if cassette is not None else f"is not there ({path}), for"
        return _without(f"The cassette {kept} the scenario {scenario!r}. Type: pytest --record")

    @property
    def cassette(self) -> Path:
        """Where the cassette is, or would be."""
        folder, package = self.options.cassettes, self.package
        inside = package / "cassettes" if package is not None and package.is_dir() else None
        # Of a package that is installed in editable mode, what its wheel adds lies beside its metadata.
        added = self.metadata.locate_file(f"{self.module.partition('.')[0]}/cassettes") if self.metadata is not None else None
        shipped = Path(str(added)) if added is not None else None
        named = [cassette_path(each, self.kind, self.name) for each in (folder, inside, shipped) if each is not None]
        there = [path for path in named if path.is_file()]
        return (named if self.options.record else [*there, *named, Path("cassettes")])[0]

    def _loaded(self, path: Path) -> Cassette | None:
        if path not in self._cassettes:
            self._cassettes[path] = load_cassette(path)
        return self._cassettes[path]

    # Instances

    @contextmanager
    def live(self, *, without: Collection[str] = (), table: Mapping[str, Any] | None = None, home: Path | None = None) -> Generator[Live]:
        """Make an instance of the plugin and close it at the end of the block.

        Args:
            without: names of secrets that are not set.
            table: settings in the place of those of the options.
            home: a folder in which an earlier instance worked.

        Raises:
            Violation: it could not be loaded; the message says why.
        """
        made = Live(self, self._host(table, home), without)
        try:
            made.load()
            yield made
        finally:
            made.close()
            self._secrets |= made.context.asked_secrets

    def new_home(self) -> Path:
        """Return a folder that nobody used."""
        self._homes += 1
        return self._folder / f"home-{self._homes}"

    def _host(self, table: Mapping[str, Any] | None, home: Path | None) -> Host:
        cassette = None if self.options.record else self._loaded(self.cassette)
        then = datetime.fromisoformat(cassette.recorded_at) if cassette is not None else _THEN
        now = (lambda: datetime.now(UTC)) if self.options.record else lambda: then
        given = self.options.settings if table is None else table
        return Host(
            home=Home.below(home or self.new_home()),
            files=Reader(),
            environment=dict(self.options.variables),
            clock=now,
            tables={self.name: dict(given)},
            network=Switch(),
        )


class _Context(HostContext):
    """The host's own context, with made-up secrets, and a log that keeps what it is told."""

    def __init__(self, subject: Subject, host: Host, cancelled: Callable[[], bool], without: Collection[str]) -> None:
        super().__init__(subject.name, host, cancelled=cancelled)
        self._options = subject.options
        self._values = host.secrets
        self._without = without
        self.asked_secrets: set[str] = set()
        self.read: list[Record] = []
        self._counting = _Counting(host.files, self.read)
        self.logged: list[str] = []
        self._plain = logging.Logger(f"veridical.contract.{subject.name}")  # noqa: LOG001 - outside of the registry, as the host's
        self._plain.addHandler(Keeping(self.logged))

    @property
    def files(self) -> HostFiles:
        return self._counting

    @property
    def logger(self) -> logging.Logger:
        return self._plain

    def secret(self, name: str) -> str:
        self.asked_secrets.add(name)
        if name in self._without:
            raise MissingSecretError(f"{self.name} needs {name}, which is not set.", hint=f"Set it (export {name}=...)")
        value = (
            self._options.secrets.get(name) or (os.environ.get(name, "").strip() if self._options.record else "") or made_up_secret(name)
        )
        self._values.add(name, value)
        return value


class _Counting:
    """The host's files, and which records of them were handed out."""

    def __init__(self, files: HostFiles, read: list[Record]) -> None:
        self._files = files
        self._read = read

    def records(self, file: InputFile, *, format: RecordFormat) -> Iterator[Record]:  # noqa: A002 - the field's name
        for record in self._files.records(file, format=format):
            self._read.append(record)
            yield record

    def atoms(self, record: Record, pointers: Mapping[str, str]) -> dict[str, str]:
        return self._files.atoms(record, pointers)


def made_up_secret(name: str) -> str:
    """Return a value for the secret `name` that stands nowhere else."""
    return f"kit-{name.lower().replace('_', '-')}-7Qd2mZx9Lw4Tb8Rk"


class Keeping(logging.Handler):
    """Puts what is logged into a list."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__()
        self._kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        """Put what `record` says into the list."""
        self._kept.append(self.format(record))


class Live:
    """An instance of a plugin.

    Attributes:
        context: what it was given.
        home: folder of the host that it lives in.
        files: the host's reader.
        redact: takes the secrets that it was given out of a text.
        cancelled: whether its context says that nobody waits for it any more.
        loaded: the plugin; only after `load`.
        status: why there is none.
        seen: what it did behind the host's back while it was made.
    """

    def __init__(self, subject: Subject, host: Host, without: Collection[str]) -> None:
        self.subject: Subject = subject
        self.home: Home = host.home
        self.files: HostFiles = host.files
        self.redact: Callable[[str], str] = host.secrets.redact
        self._worker = Worker(f"contract {subject.name}")
        self._switch = cast("Switch", host.network)
        self.cancelled: bool = False
        self.context: _Context = _Context(subject, host, lambda: self.cancelled or self._worker.is_cancelled(), without)
        self.loaded: Loaded | None = None
        self.status: Status | None = None
        self.seen: Watch = Watch()

    @property
    def wire(self) -> Mapping[str, WireMap]:
        """Where it says that replies hold hits."""
        return self.loaded.wire if self.loaded is not None else {}

    def load(self) -> None:
        """Import and construct it.

        Raises:
            Violation: that failed; the message says why.
        """
        listing = self.subject.listing
        if listing is None:
            raise Violation(f"There is no installed entry point {self.subject.name!r} in the group veridical.v1.{self.subject.kind}.")
        package = self.subject.package

        def made() -> Loaded | Status:
            with watching(package, inside=self.home.data.parent) as self.seen:
                try:
                    return load(listing._replace(state="ready", reason=""), self.context)
                except KeyboardInterrupt as error:  # the plugin's: a person's comes in the main thread
                    raise Violation(f"it raised {said_by(error)}") from error

        try:
            found = self._worker.run(made, SECONDS)
        except OverdueError:
            stop(self.seen)
            raise Violation(f"It did not load within {SECONDS:g} s.") from None
        if isinstance(found, Status):
            self.status = found
            raise Violation(f"{found.status}: {found.reason}")
        self.loaded = found

    def call(
        self,
        hook: str,
        scenario: str | Network,
        /,
        *,
        each: Callable[[object], None] | None = None,
        seconds: float = SECONDS,
        **arguments: object,
    ) -> Outcome:
        """Call a hook.

        Args:
            hook: of the plugin's kind.
            scenario: a name of what it may be answered, or who answers.
            each: is handed what an iterator yields, before the next is asked for; StopIteration leaves it.
            seconds: after which it is left behind.
            arguments: of the hook.

        Raises:
            NoReplyError: it asked what nobody can answer.
            Violation: it took longer than `seconds`, or does not implement the hook.
        """
        switch = self._switch
        switch.to(self.subject.network(self, scenario) if isinstance(scenario, str) else scenario)
        self.context.logged.clear()
        scope = Scope(self.context.recorder)
        value, error, seen, steps = None, None, Watch(), list[int]()
        package = self.subject.package

        def called() -> object:
            nonlocal seen
            with watching(package, inside=self.home.data.parent) as seen:
                return scope.whole(lambda: listed(self._worker.settle(self._implementation(hook)(**arguments))))

        def listed(returned: object) -> object:
            if not isinstance(returned, Iterator):
                return returned
            kept: list[object] = []
            with contextlib.suppress(StopIteration):
                for one in cast("Iterator[object]", returned):
                    if self._worker.is_cancelled():  # nobody waits: one that has no end would fill the memory
                        break
                    kept.append(one)
                    steps.append(len(scope.records))
                    if each is not None:
                        each(one)
            if close := getattr(cast("object", returned), "close", None):
                close()
            return kept

        try:
            value = self._worker.run(called, seconds)
        except OverdueError:
            stop(seen)
            raise Violation(f"{hook} did not come back within {seconds:g} s.") from None
        except BaseException as raised:  # noqa: BLE001 - what a plugin raises is what is looked at
            error = raised
        if switch.unanswered is not None:
            raise switch.unanswered
        return Outcome(value, error, scope.records, list(switch.asked), list(self.context.logged), seen, steps)

    def has(self, hook: str) -> bool:
        """Whether it implements `hook`."""
        return self.loaded is not None and hook in self.loaded.hooks

    def close(self) -> None:
        """Close its clients and end its thread.

        Raises:
            Violation: it does not end.
        """
        try:
            self._worker.stop(lambda: self._worker.settle(self.context.close()), SECONDS)
        except OverdueError:
            raise Violation("Its thread does not end.") from None

    def _implementation(self, hook: str) -> Callable[..., Any]:
        if self.loaded is None or hook not in self.loaded.hooks:
            raise Violation(f"It does not implement {hook}.")
        caller = getattr(self.loaded.relay, hook)

        def one(**arguments: object) -> Any:
            results = cast("list[object]", caller(**arguments))
            return results[0] if results else None

        return one


def _without(said: str) -> Network:
    def network(_: Request) -> Any:
        raise NoReplyError(said)

    return network
