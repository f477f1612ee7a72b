"""One installation put together: home, settings, plugins, gateway, and the host's own files.

Home -> SettingsFile -> catalogue -> Calls -> Gateway        (each made when it is first needed)
     `-> Ledger: admission key, chains, log
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from veridical_contract import (
    KINDS,
    ConfigurationError,
    Kind,
    Report,
    ScanRequest,
    StoredRun,
    StoreState,
    UsageError,
    VeridicalError,
    WireMap,
)

from veridical.bundle import SigningKey, read_signing_key, signature_path, write_bundle
from veridical.context import Host
from veridical.discovery import Listing, Status, catalogue
from veridical.gateway import Calls
from veridical.gateway.shapes import Host as GatewayHost
from veridical.gateway.verified import Gateway
from veridical.homes import Home
from veridical.kernel.admission import Trust
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.kernel.exit import Published
from veridical.kernel.policy import load_policy
from veridical.kernel.run import Run
from veridical.ledger import KEY_SIZE, Ledger
from veridical.prices import Prices, micro_dollars
from veridical.render import render_html, render_markdown
from veridical.resolution import Choice, resolve_chat, resolve_ground, resolve_search
from veridical.settings import Settings, SettingsFile
from veridical.spending import Budget, ProviderLimits
from veridical.wire.fetching import PLUGIN, Fetcher
from veridical.wire.reading import Reader
from veridical.wire.recording import Recorded

if TYPE_CHECKING:
    from veridical.wire.recording.archive import WireArchive

__all__ = ["Installation"]

_LOCAL_EMBEDDING = "hashing"
_T = TypeVar("_T")
_SUFFIXES = (".md", ".html", ".json", ".zip")
_NO_KEY = bytes(KEY_SIZE)
"""For a gateway that admits nothing."""


class Installation:
    """See the module.

    Args:
        home: where things are kept.
        environment: variables that plugins may ask for.
        now: the time, aware.
        defaults: settings of plugins by name, where the settings file says nothing.
    """

    def __init__(
        self,
        home: Home,
        *,
        environment: Mapping[str, str],
        now: Callable[[], datetime],
        defaults: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
    ) -> None:
        self.file = SettingsFile(home.settings)
        self._home = home
        self._environment = environment
        self._now = now
        self._defaults = defaults
        self._ledger = Ledger(home, now)
        self._reader = Reader()
        self._calls: Calls | None = None
        self._gateway: Gateway | None = None
        self._named: tuple[str | None, str | None] = (None, None)
        self._provider_limits: dict[str, ProviderLimits] = {}
        self._cancelled = False

    def settings(self) -> Settings:
        """What the settings file says now."""
        return self.file.read()

    def gateway(self, *, chat: str | None = None, embedding: str | None = None) -> Gateway:
        """Return the gateway, with the store open; another one than before only where other plugins are named than before.

        Raises:
            ConfigurationError: a plugin that is needed cannot be used.
            StoreError: the store cannot be opened.
        """
        if self._gateway is None or self._named != (chat, embedding):
            self._gateway, self._named = self._open(chat, embedding), (chat, embedding)
        return self._gateway

    def begin_run(self) -> None:
        """Another run begins: how plugins fared in earlier ones is no part of its report."""
        if self._calls is not None:
            self._calls.begin_run()

    def quarantined(self) -> tuple[str, ...]:
        """Return the names of plugins that hung, and that are not called again for as long as this installation is open."""
        rows = self._calls.statuses() if self._calls is not None else ()
        return tuple(row.name for row in rows if row.status == "quarantined")

    def chat_choice(self, explicit: str | None = None) -> Choice:
        """Return the chat plugin that a run uses, and why."""
        settings = self.settings()
        return resolve_chat(explicit or settings.chat.name, self._environment, self._ready(settings))

    def search_choices(self, explicit: str | None = None) -> tuple[Choice, ...]:
        """Return the search plugins that a run asks, in order, and why."""
        settings = self.settings()
        return resolve_search(explicit or settings.search.name, self._environment, self._ready(settings))

    def ground_choices(self, explicit: str | None = None) -> tuple[Choice, ...]:
        """Return the search plugins that a grounded answer asks, in order, and why.

        Raises:
            ConfigurationError: a model does the searching of the one that was named.
        """
        settings = self.settings()
        named = explicit or settings.search.name
        return resolve_ground(
            named, self._environment, self._ready(settings), allowed=lambda name: settings.plugin.get(name, {}).get("allowed") is True
        )

    def waiting(self, kind: Kind) -> tuple[str, ...]:
        """Return the names of plugins that are installed and only wait to be enabled."""
        settings = self.settings()
        disabled = settings.plugins.disabled
        return tuple(
            row.name for row in catalogue(settings.allow()) if row.kind == kind and row.state == "disabled" and row.name not in disabled
        )

    def fetcher(self, hosts: Sequence[str] = ()) -> Fetcher:
        """Return the client that reads pages; it may read private hosts that are listed for `fetch`, or among `hosts`."""
        return Fetcher(load_policy(), hosts=(*self.settings().plugins.hosts.get(PLUGIN, ()), *hosts), now=self._now)

    def read_below(self, base: Path) -> None:
        """Read relative paths below `base` from now on."""
        self._reader.start_from(base)

    def keep(self, run: Run, published: Published) -> None:
        """Keep what a run sealed and published: the chain in the host's ledger, the steps in the store."""
        self._ledger.keep_chain(run.id, run.chain_bytes())
        self._ledger.keep_report(run.id, digest(published.report_bytes))
        gateway = self.gateway()
        previous = "0" * 64
        begun = canonical_bytes({"query": run.query, "created_at": run.created_at, "must_address": run.must_address})
        steps = (("begin", begun), ("seal", run.chain_bytes()), ("report", published.report_bytes))
        for step, (kind, body) in enumerate(steps):
            entry = StoredRun.model_validate({"run": run.id, "step": step, "kind": kind, "body": body, "previous": previous})
            gateway.put_run(entry)
            previous = digest(body)

    def keep_wire(self, run: str, wire: Sequence[tuple[str, Recorded]]) -> None:
        """Keep what went over the wire in a run as WARC records."""
        if wire:
            self.wire_archive().append(run, [one for _, one in wire])

    def wire_archive(self) -> WireArchive:
        """Return the WARC files of all runs."""
        from veridical.wire.recording.archive import WireArchive  # warcio, which a run without the network does not need

        return WireArchive(self._home.data / "wire", self.settings().retention.wire_megabytes << 20)

    def empty_log(self) -> None:
        """Remove the local log of words that were refused."""
        self._ledger.empty_log()

    def kept(self, run: str) -> tuple[bytes | None, str | None]:
        """Return what the host's ledger has of a run: its sealed chain, and the digest of its report."""
        return self._ledger.kept(run)

    def save(self, published: Published, path: Path, *, slim: bool, sign: Path | None = None) -> str | None:
        """Write a report as the suffix of `path` says; see `Veridical.save`."""
        key = self.check_output(path, sign)
        if path.suffix.lower() == ".zip":
            root = write_bundle(published, path, slim=slim)
            if key is not None:
                replace_file(signature_path(path), key.sign(root))
            return root
        made: dict[str, Callable[[], bytes]] = {
            ".json": lambda: published.report_bytes + b"\n",
            ".md": lambda: render_markdown(Report.model_validate_json(published.report_bytes)).encode("utf-8"),
            ".html": lambda: render_html(Report.model_validate_json(published.report_bytes)).encode("utf-8"),
        }
        replace_file(path, made[path.suffix.lower()]())
        return None

    def check_output(self, path: Path, sign: Path | None = None) -> SigningKey | None:
        """Raise `UsageError` when no report can be written as `path`; return the key that is to sign it."""
        if path.suffix.lower() not in _SUFFIXES:
            raise UsageError(f"{path.name} does not say what to write.", hint=f"Expected a name that ends in {', '.join(_SUFFIXES)}.")
        if path.is_dir():
            raise UsageError(f"{path} is a folder.", hint=f"Expected the name of a file: {path / 'report.md'}")
        if not path.parent.is_dir():
            raise UsageError(f"There is no folder {path.parent}.", hint=f"Type: mkdir -p {path.parent}")
        if sign is not None and path.suffix.lower() != ".zip":
            raise UsageError(f"Only a bundle is signed, and {path.name} is none.", hint=f"Write it as {path.with_suffix('.zip').name}")
        return read_signing_key(sign) if sign is not None else None

    def load(self, listing: Listing) -> Status:
        """Load one plugin, where it may be, and return its row; a command has no hooks, and is imported when it is typed."""
        if listing.kind not in KINDS:
            return Status.of(listing, "ok" if listing.state == "ready" else listing.state, listing.reason)
        return self._opened(self.settings()).load(listing.kind, listing.name)

    def wire_maps(self, name: str) -> dict[Kind, Mapping[str, WireMap]]:
        """Load the plugins called `name`, and return where each says that replies hold hits, whether or not the operator approved it."""
        settings = self.settings()
        found: dict[Kind, Mapping[str, WireMap]] = {}
        with self._made(settings, {}) as calls:
            for kind in KINDS:
                if (kind, name) in calls and calls.load(kind, name).status == "ok" and (maps := calls.wire_maps(kind, name)):
                    found[kind] = maps
        return found

    def matching(self, identifier: str) -> list[str]:
        """Return the identifiers of documents in the store that start with `identifier`."""
        if re.fullmatch(r"[0-9a-f]{64}", identifier):
            return [identifier]
        return [name for name in self._names() if identifier and name.startswith(identifier)]

    def examine(self, *, check_store: bool) -> tuple[tuple[Status, ...], StoreState | None, tuple[str, ...]]:
        """Load what may be loaded and open the store; return the rows, the state of the store, and what would keep a run from working."""
        problems: list[str] = []
        store: StoreState | None = None
        try:
            gateway = self.gateway()
            store = gateway.state(check=check_store)
            problems += [f"store: {problem.what} {problem.name}: {problem.detail}" for problem in store.problems]
            problems += self._not_admitted(gateway) if check_store else []
        except VeridicalError as error:
            problems.append(str(error))
        try:
            problems += self._isolated_in_vain()
            statuses = self._opened(self.settings()).check()
        except VeridicalError as error:
            return (), store, tuple(dict.fromkeys([*problems, str(error)]))
        return statuses, store, tuple(problems)

    def cancel(self) -> None:
        """Let whoever waits for a plugin go with `CancelledError`, now and from now on."""
        self._cancelled = True
        if self._calls is not None:
            self._calls.cancel()

    def close(self) -> None:
        """End plugins and their threads."""
        if self._calls is not None:
            self._calls.close()

    def _isolated_in_vain(self) -> list[str]:
        """Say which names of the settings are no plugin's: one that is meant would run in this process."""
        installed = {row.name for row in catalogue()}
        return [f"[isolation.{name}]: no plugin of that name is installed." for name in self.settings().isolation if name not in installed]

    def _not_admitted(self, gateway: Gateway) -> list[str]:
        """Say how many current documents the store does not give back as this installation admitted them."""
        rules = Counter(rejection.rule for rejection in gateway.fetch(list(self._names())).rejections)
        return [f"store: {count} documents are not as this installation admitted them: {rule}" for rule, count in sorted(rules.items())]

    def _names(self) -> Iterator[str]:
        gateway, after = self.gateway(), None
        while page := gateway.scan(ScanRequest(after=after)):
            yield from page
            after = page[-1]

    def restored(self, restore: Callable[[Gateway], _T]) -> _T:
        """Let `restore` work on the store without opening it first: it may be damaged, or not be there."""
        gateway = self._unopened(None, None, self._ledger.key() if self._ledger.has_key() else _NO_KEY)
        self._gateway = None
        return restore(gateway)

    def _unopened(self, chat: str | None, embedding: str | None, key: bytes) -> Gateway:
        settings = self.settings()
        return Gateway(
            GatewayHost(
                plugins=self._opened(settings),
                reader=self._reader,
                storage=settings.storage.name,
                embedding=embedding or settings.embedding.name or _LOCAL_EMBEDDING,
                chat=(self.chat_choice(chat).name, *settings.chat.fallback),
                trust=_trust(settings),
                key=key,
                now=self._now,
                log=self._ledger.log,
                limits=self._limits(settings),
            ),
            load_policy(),
        )

    def _open(self, chat: str | None, embedding: str | None) -> Gateway:
        if not self._ledger.has_key():
            self._check_that_none_is_lost()
        gateway = self._unopened(chat, embedding, self._ledger.key())
        gateway.migrate()
        return gateway

    def _check_that_none_is_lost(self) -> None:
        """Raise when the store holds documents that a key admitted; looked at before a key is made, since others may be making one now."""
        gateway = self._unopened(None, None, _NO_KEY)
        gateway.migrate()
        if (documents := gateway.state().documents) and not self._ledger.has_key():
            raise ConfigurationError(
                f"The store holds {documents} documents; the key they were admitted with is gone: {self._home.data / 'admission.key'}.",
                hint="Restore it together with the store, or move the store away and read the sources again.",
            )

    def _opened(self, settings: Settings) -> Calls:
        if self._calls is None:
            self._calls = self._made(settings, settings.approved_maps())
            if self._cancelled:
                self._calls.cancel()
        return self._calls

    def budget(self, max_cost: str | None) -> Budget:
        """Return what a run may cost, with the prices that are known.

        Raises:
            UsageError: `max_cost` is no amount of money.
        """
        prices = Prices(self.settings().prices, today=self._now().date())
        return Budget(prices, micro_dollars(max_cost) if max_cost is not None else None)

    def _limits(self, settings: Settings) -> dict[str, ProviderLimits]:
        """Return the limits of the providers that have some; the same ones for as long as this installation is open."""
        for name, rule in settings.providers.items():
            self._provider_limits.setdefault(name, ProviderLimits(rule.concurrent, rule.per_minute))
        return self._provider_limits

    def _ready(self, settings: Settings) -> Callable[[Kind, str], bool]:
        ready = {(row.kind, row.name) for row in catalogue(settings.allow()) if row.state == "ready"}
        return lambda kind, name: (kind, name) in ready

    def _made(self, settings: Settings, approved: Mapping[tuple[str, str], str]) -> Calls:
        host = self._host(settings)
        return Calls(catalogue(settings.allow()), host, limits=settings.limits, approved=approved, isolation=settings.isolation)

    def _host(self, settings: Settings) -> Host:
        return Host(
            home=self._home,
            files=self._reader,
            environment=self._environment,
            clock=self._now,
            tables={
                name: {**self._defaults.get(name, {}), **settings.plugin.get(name, {})} for name in {*self._defaults, *settings.plugin}
            },
        )


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` beside `path`, then rename: a reader sees the old file or the new one, never half of one.

    Raises:
        OSError: it cannot be written; what was there before is still there.
    """
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _trust(settings: Settings) -> dict[str, Trust]:
    attested, hosts = settings.plugins.attested, settings.plugins.hosts
    return {name: Trust(attested=name in attested, hosts=frozenset(hosts.get(name, ()))) for name in {*attested, *hosts}}
