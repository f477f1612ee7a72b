"""Which plugins may run, and from what: enabled one by one, or all together as a file says that was made where they ran.

    enable    found by its metadata -> pinned -> loaded once, to see where it reads replies -> that pinned too
    freeze    every enabled plugin: distribution, version, digest of its files, fingerprints of its wire maps
    restore   a frozen file -> compared with what is installed -> enabled and pinned exactly so, or nothing is changed

Nothing but `enable` imports a plugin.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pydantic import Field
from veridical_contract import ConfigurationError, Digest, Kind, Model, PluginName, UsageError

from veridical.discovery import Allow, Listing, Pinned, catalogue, files_digest, one_line
from veridical.discovery.catalogue import BUILT_IN
from veridical.installation import Installation
from veridical.kernel.wire import map_fingerprint
from veridical.settings import Pin, checked

__all__ = ["Difference", "Enabling", "Frozen", "FrozenPlugin", "Restored", "read_frozen"]

_HEAD = "# Which plugins were enabled, and from what. To have the same elsewhere: veridical plugins restore FILE\n"


class FrozenPlugin(Model):
    """One enabled plugin, as it was installed when it was frozen.

    Attributes:
        distribution: that brings it.
        version: of the distribution.
        files: digest of the distribution's files.
        wire: fingerprint of its wire maps, which were shown, by kind.
    """

    distribution: str
    version: str
    files: Digest
    wire: dict[Kind, Digest] = Field(default_factory=dict[Kind, Digest])


class Frozen(Model):
    """Every enabled plugin of an installation.

    Attributes:
        veridical: version of veridical itself.
        plugins: by name.
    """

    veridical: str
    plugins: dict[PluginName, FrozenPlugin]

    def toml(self) -> str:
        """Return it as TOML: the same bytes for the same plugins."""
        import tomlkit

        tables = self.model_dump(mode="json", exclude_defaults=True)
        return _HEAD + tomlkit.dumps(tables | {"plugins": dict(sorted(tables["plugins"].items()))})


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not installed as it was frozen.

    Attributes:
        name: of the plugin; `veridical` for the program itself.
        said: what was expected and what there is, in one line.
        type: the command that changes it.
    """

    name: str
    said: str
    type: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What restoring did.

    Attributes:
        differences: what is not installed as it was frozen; with any, nothing was changed.
        enabled: names of the plugins that run from now on, exactly as frozen.
        ended: names of those that ran before and do not any more.
    """

    differences: tuple[Difference, ...]
    enabled: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


class Enabling:
    """See the module.

    Args:
        installation: whose settings say which plugins may run.
    """

    def __init__(self, installation: Installation) -> None:
        self._installation = installation

    def enable(self, name: str, *, exactly: bool) -> None:
        """Let the plugin `name` run, from now on only as its present distribution brings it; see `Veridical.enable_plugin`."""
        plugins = self._installation.settings().plugins
        listing = _to_enable(name, self._installation.settings().allow())
        known = plugins.pins.get(name)
        pin = Pin(distribution=listing.distribution)
        if exactly or (known is not None and known.files is not None):
            pin = Pin(distribution=listing.distribution, version=listing.version or None, files=_digest(listing))
        self._installation.file.enable(name, pin)
        wire: dict[Kind, Digest] = {kind: map_fingerprint(maps) for kind, maps in self._installation.wire_maps(name).items()}
        self._installation.file.enable(name, pin.model_copy(update={"wire": wire}))

    def freeze(self) -> Frozen:
        """Return every enabled plugin as it is installed now; see `Veridical.freeze_plugins`."""
        settings = self._installation.settings()
        rows = list(_chosen([row for row in catalogue(settings.allow()) if row.enabled], settings.plugins.pins))
        missing = sorted({*settings.plugins.enabled} - {row.name for row in rows})
        wrong = [f"{name}: it is enabled and not installed. Type: veridical plugins disable {name}" for name in missing]
        wrong += [f"{row.name}: {why}" for row in rows if (why := row.reason or row.note or _changed(row))]
        if wrong:
            raise ConfigurationError(f"Nothing was frozen, since not all is as it was enabled. {' '.join(dict.fromkeys(wrong))}")
        pins = settings.plugins.pins
        plugins = {
            row.name: FrozenPlugin(
                distribution=row.distribution,
                version=row.version,
                files=_digest(row),
                wire=pins[row.name].wire if row.name in pins else {},
            )
            for row in {row.name: row for row in rows}.values()
        }
        return Frozen(veridical=version("veridical-core"), plugins=plugins)

    def restore(self, frozen: Frozen) -> Restored:
        """Enable exactly what was frozen, if it is installed exactly so; see `Veridical.restore_plugins`."""
        allow = self._installation.settings().allow()
        ran = {row.name for row in catalogue(allow) if row.enabled} | allow.enabled
        if differences := tuple(_differences(frozen)):
            return Restored(differences)
        pins = {name: Pin.model_validate(plugin.model_dump()) for name, plugin in sorted(frozen.plugins.items())}
        self._installation.file.enable_exactly(pins, disabled=sorted({name for _, name in BUILT_IN} - pins.keys()))
        return Restored((), tuple(pins), tuple(sorted(ran - pins.keys())))


def read_frozen(path: Path) -> Frozen:
    """Return what the file `path`, which `Frozen.toml` made, says.

    Raises:
        UsageError: there is no such file.
        ConfigurationError: it is none of these.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", hint="Make one where the plugins run: veridical plugins freeze -o FILE")
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8"))
    except ValueError as error:
        raise ConfigurationError(f"{path}: it is not TOML: {error}.", hint="Make it again: veridical plugins freeze -o FILE") from error
    return checked(Frozen, tables, file=path)


def _to_enable(name: str, allow: Allow) -> Listing:
    """Return the row of the plugin `name` as it would be once it is enabled.

    Raises:
        UsageError: none of that name is installed.
        ConfigurationError: it would be refused all the same, or it cannot be said which is meant.
    """
    pins = {one: pin for one, pin in allow.pins.items() if one != name}
    rows = [row for row in catalogue(Allow(allow.enabled | {name}, allow.disabled - {name}, pins)) if row.name == name]
    if not rows:
        raise UsageError(f"No plugin called {name!r} is installed.", hint="See: veridical plugins list")
    ready = [row for row in rows if row.state == "ready"]
    refused = [row for row in rows if row.state == "refused"]
    rivals = [row for row in refused if sum(other.kind == row.kind for other in refused) > 1]
    for row in rivals or ([] if ready else refused):
        raise ConfigurationError(f"{name} is not enabled: {row.reason}")
    if len(owners := sorted({row.distribution for row in ready})) > 1:
        raise ConfigurationError(
            f"{name} is not enabled: {' and '.join(owners)} both bring plugins of this name, and one is enabled from one distribution.",
            hint=f"Remove one: pip uninstall {owners[-1]}",
        )
    return ready[0]


def _chosen(rows: Sequence[Listing], pins: Mapping[str, Pin]) -> Iterator[Listing]:
    """Yield the rows without those of other distributions that bring a plugin of a pinned name too."""
    there = {(row.name, row.distribution) for row in rows}
    for row in rows:
        if row.name not in pins or pins[row.name].distribution == row.distribution or (row.name, pins[row.name].distribution) not in there:
            yield row


def _digest(listing: Listing) -> str:
    try:
        return files_digest(listing.metadata)
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The files of {listing.distribution} cannot be read: {one_line(str(error))}.", hint=_type(listing)
        ) from error


def _changed(listing: Listing) -> str:
    return f"its files are not those that were pinned. {_type(listing)}" if listing.files and listing.files != _digest(listing) else ""


def _type(listing: Listing) -> str:
    return f"Type: {_again(listing)}"


def _again(listing: Listing) -> str:
    return f"pip install --force-reinstall --no-deps {listing.distribution}=={listing.version}"


def _differences(frozen: Frozen) -> Iterator[Difference]:
    """Yield what is not installed as it was frozen, the program itself first."""
    installed = version("veridical-core")
    if installed != frozen.veridical:
        said = f"it is {installed}, and was {frozen.veridical} when the plugins were frozen"
        yield Difference("veridical", said, f"pip install veridical=={frozen.veridical}")
    pins = {name: Pinned(plugin.distribution, plugin.version) for name, plugin in frozen.plugins.items()}
    rows = catalogue(Allow(frozenset(frozen.plugins), frozenset(), pins))
    for name, plugin in sorted(frozen.plugins.items()):
        found = _difference(plugin, [row for row in rows if row.name == name])
        if found is not None:
            yield Difference(name, *found)


def _difference(plugin: FrozenPlugin, rows: Sequence[Listing]) -> tuple[str, str] | None:
    """Return what is not as it was frozen, and what to type; None when all is."""
    wanted = f"{plugin.distribution} {plugin.version}"
    install = f"pip install {plugin.distribution}=={plugin.version}"
    ours = [row for row in rows if row.distribution == plugin.distribution]
    if not ours:
        others = sorted({row.distribution for row in rows})
        rivals = f"; this name is that of a plugin of {' and '.join(others)}" if others else ""
        return f"{wanted} is not installed{rivals}", install
    if (there := ours[0].version) != plugin.version:
        return f"{plugin.distribution} is {there or 'of an unknown version'}, and was {plugin.version} when it was frozen", install
    if refused := [row for row in ours if row.state != "ready"]:
        return f"{wanted} is refused: {refused[0].reason}", f"veridical plugins show {ours[0].name}"
    if _digest(ours[0]) != plugin.files:
        return (
            f"the files of {wanted} are not those that were frozen",
            f"pip install --force-reinstall --no-deps {wanted.replace(' ', '==')}",
        )
    return None
