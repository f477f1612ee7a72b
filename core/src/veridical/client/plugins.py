"""The verbs about plugins: see, enable, pin, check, ping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical_contract import KINDS, ChatRequest, Kind, Message, SearchQuery, UsageError, VeridicalError, WireMap

from veridical.discovery import Listing, Status, catalogue
from veridical.enabling import Enabling, Frozen, Restored, read_frozen
from veridical.gateway.verified import Gateway
from veridical.installation import Installation, replace_file
from veridical.resolution import LOCAL_CHAT, Choice

if TYPE_CHECKING:
    from veridical_contract.testing import ContractReport

__all__ = ["PluginVerbs"]


class PluginVerbs:
    """What `Veridical` does with plugins."""

    _installation: Installation
    _base: Path

    def plugins(self) -> tuple[Listing, ...]:
        """Every installed plugin as its metadata describes it; nothing is imported."""
        return catalogue(self._installation.settings().allow())

    def show_plugin(self, name: str) -> tuple[tuple[Listing, Status], ...]:
        """Load the plugin called `name`, where it may be, and return what was found, for each kind that has one of that name.

        Raises:
            UsageError: none of that name is installed.
        """
        return tuple((listing, self._installation.load(listing)) for listing in self._listings(name))

    def check_plugin(
        self, name: str, *, kind: Kind | None = None, locations: Sequence[str] = (), cassettes: Path | None = None
    ) -> tuple[ContractReport, ...]:
        """Hold the installed plugin called `name` against the contract of its kind, or of each of its kinds, and return what was found.

        Its code runs in this process, enabled or not; no service is asked. It is given its own table of the settings file.

        Args:
            name: of the plugin.
            kind: where there are several of the name.
            locations: what to ask a source for that reads no files.
            cassettes: folder of recorded replies; None looks into the plugin's package.

        Raises:
            UsageError: none of that name and kind is installed.
        """
        from veridical_contract.testing import run_contract

        kinds: list[Kind] = [each for each in KINDS if kind in (None, each) and any(row.kind == each for row in self._listings(name))]
        if not kinds:
            raise UsageError(f"There is no {kind or ''} plugin called {name!r} that could be checked.", hint="See: veridical plugins list")
        settings = self._installation.settings()
        table, hosts = settings.plugin.get(name, {}), settings.plugins.hosts.get(name, ())
        return tuple(
            run_contract(name, kind=each, settings=table, hosts=hosts, locations=tuple(locations), cassettes=cassettes) for each in kinds
        )

    def enable_plugin(self, name: str, *, exactly: bool = False) -> Listing:
        """Let a plugin run, from now on only as its present distribution brings it. Enabling is trusting its code.

        With that, the places in replies where it finds evidence are approved: show them to whoever decides (`wire_maps`).

        Args:
            name: of the plugin.
            exactly: from now on only in the version that is installed now, with the files that it has now; a plugin that was enabled so
                stays so when it is enabled again.

        Raises:
            UsageError: none of that name is installed.
            ConfigurationError: it would be refused all the same, or two distributions bring one of that name: nothing was changed.
        """
        Enabling(self._installation).enable(name, exactly=exactly)
        return self._listing(name)

    def freeze_plugins(self, path: Path | str | None = None) -> Frozen:
        """Every enabled plugin with its distribution, version, digest of its files and fingerprints of its wire maps.

        Args:
            path: of a file to write it to as well, as TOML.

        Raises:
            ConfigurationError: one is not installed, not as it was enabled, or was enabled without a pin.
            UsageError: there is no folder for the file.
            OSError: it cannot be written; what was there before is still there.
        """
        frozen = Enabling(self._installation).freeze()
        if path is not None:
            target = self._base / path
            if not target.parent.is_dir():
                raise UsageError(f"There is no folder {target.parent}.", hint=f"Type: mkdir -p {target.parent}")
            replace_file(target, frozen.toml().encode("utf-8"))
        return frozen

    def restore_plugins(self, frozen: Frozen | Path | str) -> Restored:
        """Enable and pin exactly the plugins that were frozen, if all of them, and veridical, are installed as they were then.

        Args:
            frozen: what `freeze_plugins` returned, or a file that holds it.

        Raises:
            UsageError: there is no such file.
            ConfigurationError: it is none of these.
        """
        return Enabling(self._installation).restore(frozen if isinstance(frozen, Frozen) else read_frozen(self._base / frozen))

    def choices(self, *, chat: str | None = None, search: str | None = None, web: bool = True) -> tuple[Choice, ...]:
        """Which plugins a run would use: to compose, and with `web` to search, in the order in which they are asked; and why."""
        installation = self._installation
        return (installation.chat_choice(chat), *(installation.search_choices(search) if web else ()))

    def ping(self) -> tuple[tuple[Choice, str], ...]:
        """Ask each plugin that a run would ask over the network for next to nothing; return what is wrong with it, empty where nothing is.

        This costs what one short request to each of them costs.
        """
        gateway = self._installation.gateway()
        return tuple((choice, _pinged(gateway, choice)) for choice in self.choices() if (choice.kind, choice.name) != ("chat", LOCAL_CHAT))

    def quarantined(self) -> tuple[str, ...]:
        """The names of plugins that hung and that this object does not call again; another object does."""
        return self._installation.quarantined()

    def wire_maps(self, name: str) -> dict[Kind, Mapping[str, WireMap]]:
        """Where the plugins called `name` say that replies hold hits, by kind and by the name of each map; they are loaded for it."""
        return self._installation.wire_maps(name)

    def disable_plugin(self, name: str) -> Listing:
        """Keep a plugin from running.

        Raises:
            UsageError: none of that name is installed.
        """
        self._listing(name)
        self._installation.file.disable(name)
        return self._listing(name)

    def _listing(self, name: str) -> Listing:
        return self._listings(name)[0]

    def _listings(self, name: str) -> tuple[Listing, ...]:
        found = tuple(listing for listing in self.plugins() if listing.name == name)
        if not found:
            raise UsageError(f"No plugin called {name!r} is installed.", hint="See: veridical plugins list")
        return found


def _pinged(gateway: Gateway, choice: Choice) -> str:
    try:
        if choice.kind == "search":
            gateway.search(choice.name, SearchQuery(text="veridical", limit=1))
        else:
            gateway.chat(ChatRequest(task="complete", messages=(Message(role="user", text="Say: yes"),), max_output_tokens=16))
    except VeridicalError as error:
        return str(error)
    return "" if choice.kind == "search" or gateway.composer == choice.name else _why_not(gateway, choice)


def _why_not(gateway: Gateway, choice: Choice) -> str:
    """Why another chat plugin answered in its place."""
    rows = [row for row in gateway.records() if (row.kind, row.name) == (choice.kind, choice.name)]
    return next((row.reason.text for row in rows if row.reason is not None), "it did not answer")
