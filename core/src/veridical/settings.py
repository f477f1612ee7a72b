"""The settings file: TOML in, strict models out, and edits that keep the operator's comments.

    [plugins]            enabled, disabled, attested, hosts; [plugins.pins.NAME] distribution, version, files, wire
    [storage] [chat] [search] [embedding]     name: the operator's choice of a kind; [chat] fallback: who is asked when it fails
    [sources.NAME]       plugin, paths, locations, map, projection
    [plugin.NAME]        a plugin's own settings, checked by its own model
    [limits]             seconds that one call may take, by kind; threads that may hang
    [retention]          how long what is no longer current is kept
    [isolation.NAME]     a plugin that runs in a process of its own, and what it may have there
    [providers.NAME]     how often a plugin that asks a service may do so
    [prices.NAME.MODEL]  what a model costs, in dollars for a million tokens

A file is replaced in one step (temporary file, fsync, rename), is open to its owner alone, and is never written in a state that
`read` would refuse.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn, Self, TypeVar, cast, get_args, get_origin

from pydantic import Field, JsonValue, ValidationError, model_validator
from veridical_contract import KINDS, ConfigurationError, Digest, FieldMap, Kind, Model, PluginName, Projection, UsageError

from veridical.discovery import Allow, Pinned
from veridical.homes import HINT, make_folder
from veridical.prices import Price

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from tomlkit import TOMLDocument

_M = TypeVar("_M", bound=Model)
Seconds = Annotated[float, Field(gt=0, le=86_400)]
SourceName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=255)]
HostName = Annotated[str, Field(pattern=r"^[a-z0-9.:_\[\]-]+$", max_length=255)]
FieldName = Literal["text", "url", "title", "author", "author_name", "published"]


class Pin(Model):
    """What the operator agreed to when enabling a plugin.

    Attributes:
        distribution: that brings it.
        version: of the distribution; left out, any will do.
        files: digest of the distribution's files; left out, any will do.
        wire: fingerprint of its wire maps, which were shown, by kind.
    """

    distribution: str
    version: str | None = None
    files: Digest | None = None
    wire: dict[Kind, Digest] = Field(default_factory=dict[Kind, Digest])


class Plugins(Model):
    """Which plugins may be imported besides the built-in ones.

    Attributes:
        enabled: by name.
        disabled: by name.
        attested: those whose word is enough where the host did not read the evidence itself.
        hosts: name to the private hosts that its URLs may name and that it may ask without TLS.
        pins: name to what it was enabled from.
    """

    enabled: tuple[PluginName, ...] = ()
    disabled: tuple[PluginName, ...] = ()
    attested: tuple[PluginName, ...] = ()
    hosts: dict[PluginName, tuple[HostName, ...]] = Field(default_factory=dict[PluginName, tuple[str, ...]])
    pins: dict[PluginName, Pin] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _not_both(self) -> Self:
        if both := sorted(set(self.enabled) & set(self.disabled)):
            raise ValueError(f"{both[0]!r} is both enabled and disabled")
        return self


class Choice(Model):
    """The plugin that the operator chose for a kind.

    Attributes:
        name: of the plugin; left out, veridical chooses.
    """

    name: PluginName | None = None


class ChatChoice(Choice):
    """The chat plugin that the operator chose, and those that are asked when it fails.

    Attributes:
        name: of the plugin; left out, veridical chooses.
        fallback: who is asked when it fails, in order.
    """

    fallback: tuple[PluginName, ...] = ()


class StorageChoice(Model):
    """The storage plugin in use.

    Attributes:
        name: of the plugin.
    """

    name: PluginName = "sqlite"


class Source(Model):
    """A named source.

    Attributes:
        plugin: the source plugin that reads it.
        paths: files, folders and globs, absolute so that they mean the same from everywhere; none for a source that reads something else.
        locations: what such a source is told to read, verbatim; what else it needs stands in the plugin's own table, under the same name.
        map: field name to column name or JSON member, for tabular data.
        projection: how the text is marked up; left out, the plugin decides.
    """

    plugin: PluginName = "files"
    paths: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    map: dict[FieldName, str] = Field(default_factory=dict[FieldName, str])
    projection: Projection | None = None

    def field_map(self) -> FieldMap | None:
        """Return the map as the plugin gets it; None when the operator gave none."""
        if not self.map and self.projection is None:
            return None
        return FieldMap(fields={**self.map}, projection=self.projection)


class Limits(Model):
    """How long plugins may take, in seconds, and how many may hang.

    Attributes:
        load: importing and constructing one.
        chat: one request.
        search: one query.
        embedding: one batch of texts.
        storage: one call.
        source: one batch of records.
        leaked: at this many threads of plugins that hang and still run, no further plugin is loaded.
    """

    load: Seconds = 20.0
    chat: Seconds = 300.0
    search: Seconds = 45.0
    embedding: Seconds = 300.0
    storage: Seconds = 300.0
    source: Seconds = 300.0
    leaked: Annotated[int, Field(ge=1, le=1000)] = 8


class ProviderRule(Model):
    """How often a plugin that asks a service may do so.

    Attributes:
        concurrent: calls at once; left out: as many as there are.
        per_minute: calls that begin within any minute; left out: as many as there are.
    """

    concurrent: Annotated[int, Field(ge=1, le=1000)] | None = None
    per_minute: Annotated[int, Field(ge=1, le=100_000)] | None = None


class Isolation(Model):
    """A plugin that runs in a process of its own, and what it may have there.

    Attributes:
        isolate: whether it does.
        memory_megabytes: that it may take, besides what its process has before the plugin is imported.
        secrets: names of the environment variables that it may ask for.
        hosts: that it may ask over HTTP, through the host; left out, any.
        network: whether it may open connections of its own, of which nothing is recorded.
        read: files and folders that it may read itself, besides Python and what is installed.
        without_sandbox: whether it runs with your rights: it can read and start what you can, the file of the store too.
    """

    isolate: bool = False
    memory_megabytes: Annotated[int, Field(ge=64, le=1_000_000)] = 1_024
    secrets: tuple[VariableName, ...] = ()
    hosts: tuple[HostName, ...] = ()
    network: bool = False
    read: tuple[str, ...] = ()
    without_sandbox: bool = False


class Retention(Model):
    """What `veridical store tidy` no longer keeps.

    Attributes:
        past_days: how long to keep documents that are in no file any more and that no report in the store cites, counted from when
            they were read; left out: for ever.
        wire_days: how long to keep the records of what went over the wire in a run; left out: for ever. The replies that documents follow
            from stay with these.
        wire_megabytes: how much of them at most; the oldest go first.
    """

    past_days: Annotated[int, Field(ge=0, le=36_500)] | None = None
    wire_days: Annotated[int, Field(ge=0, le=36_500)] | None = None
    wire_megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 1_000


class Settings(Model):
    """The whole file; every table may be left out."""

    plugins: Plugins = Plugins()
    storage: StorageChoice = StorageChoice()
    chat: ChatChoice = ChatChoice()
    search: Choice = Choice()
    embedding: Choice = Choice()
    sources: dict[SourceName, Source] = Field(default_factory=dict)
    plugin: dict[PluginName, dict[str, JsonValue]] = Field(default_factory=dict)
    limits: Limits = Limits()
    isolation: dict[PluginName, Isolation] = Field(default_factory=dict)
    retention: Retention = Retention()
    providers: dict[PluginName, ProviderRule] = Field(default_factory=dict)
    prices: dict[PluginName, dict[str, Price]] = Field(default_factory=dict)

    def allow(self) -> Allow:
        """Return which plugins may be imported, as discovery takes it."""
        pins = {name: Pinned(pin.distribution, pin.version or "", pin.files or "") for name, pin in self.plugins.pins.items()}
        return Allow(frozenset(self.plugins.enabled), frozenset(self.plugins.disabled), pins)

    def approved_maps(self) -> dict[tuple[str, str], str]:
        """Return the fingerprint of the wire maps that the operator approved, by kind and plugin; empty where none were shown."""
        return {(kind, name): pin.wire.get(kind, "") for name, pin in self.plugins.pins.items() for kind in KINDS}


class SettingsFile:
    """A settings file, which need not exist.

    Args:
        path: of the file; a symbolic link is followed, also when writing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Settings:
        """Return what the file says; the defaults when there is none.

        Raises:
            ConfigurationError: it cannot be read, is not TOML, or a key or value in it is not known.
        """
        return self._checked(self._text())

    def enable(self, name: str, pin: Pin | None = None) -> Settings:
        """Let the plugin `name` run, from now on only as `pin` says."""

        def change(document: TOMLDocument) -> None:
            plugins = _table(document, "plugins")
            _without(plugins, "disabled", name)
            _with(plugins, "enabled", name)
            if pin is not None:
                _put_pin(plugins, name, pin)

        return self._edit(change)

    def enable_exactly(self, pins: Mapping[str, Pin], *, disabled: Collection[str]) -> Settings:
        """Let the plugins that `pins` names run as it says, and no others that were enabled; what was enabled otherwise is forgotten.

        Args:
            pins: name to what it may be loaded from.
            disabled: names of plugins that would run without being enabled, and are not to.
        """

        def change(document: TOMLDocument) -> None:
            plugins = _table(document, "plugins")
            for name in {*cast("list[str]", plugins.get("enabled", [])), *cast("dict[str, object]", plugins.get("pins", {}))}:
                _without(plugins, "enabled", name)
                _drop(plugins, "pins", name)
            for name in disabled:
                _with(plugins, "disabled", name)
            for name, pin in pins.items():
                _without(plugins, "disabled", name)
                _with(plugins, "enabled", name)
                _put_pin(plugins, name, pin)

        return self._edit(change)

    def disable(self, name: str) -> Settings:
        """Keep the plugin `name` from running."""

        def change(document: TOMLDocument) -> None:
            plugins = _table(document, "plugins")
            _without(plugins, "enabled", name)
            _with(plugins, "disabled", name)
            _drop(plugins, "pins", name)

        return self._edit(change)

    def put_source(self, name: str, source: Source) -> Settings:
        """Save `source` under `name`, in the place of one that is there."""

        def change(document: TOMLDocument) -> None:
            _table(document, "sources")[name] = source.model_dump(mode="json", exclude_defaults=True) | {"plugin": source.plugin}

        return self._edit(change)

    def remove_source(self, name: str) -> Settings:
        """Forget the source `name`.

        Raises:
            UsageError: there is none of that name.
        """

        def change(document: TOMLDocument) -> None:
            if not _drop(document, "sources", name):
                raise UsageError(f"There is no source called {name!r}.", hint="See: veridical sources list")

        return self._edit(change)

    def _text(self) -> str:
        try:
            return self.path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{self.path}: it is not UTF-8 (byte {error.start}).", hint="Save it as UTF-8.") from error
        except OSError as error:
            raise ConfigurationError(f"{self.path}: it cannot be read: {error.strerror}.", hint=HINT) from error

    def _checked(self, text: str) -> Settings:
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigurationError(f"{self.path}: it is not TOML: {error}.", hint="Correct that line.") from error
        return checked(Settings, tables, file=self.path)

    def _edit(self, change: Callable[[TOMLDocument], None]) -> Settings:
        import tomlkit

        target = self.path.resolve()
        make_folder(target.parent)
        with _alone(target):
            self._checked(before := self._text())
            document = tomlkit.parse(before)
            change(document)
            after = tomlkit.dumps(document)
            settings = self._checked(after)
            _replace(target, after)
        return settings


def checked(model: type[_M], table: Mapping[str, object], *, file: Path, within: str = "") -> _M:
    """Return `table` of the settings file as `model`.

    Args:
        model: strict; TOML arrays fit its tuples, lists and sets.
        table: as TOML gave it.
        file: named in the error.
        within: where in the file the table stands, `plugin.acme`.

    Raises:
        ConfigurationError: the message names the file, the first key that is off, and the nearest that is known.
    """
    try:
        return model.model_validate_json(json.dumps(table, default=str))
    except ValidationError as error:
        _explain(model, error, file, within)


def _explain(model: type[Model], error: ValidationError, file: Path, within: str) -> NoReturn:
    details = error.errors(include_url=False, include_input=False)
    first, more = details[0], len(details) - 1
    where = ".".join([*filter(None, [within]), *map(str, first["loc"])]) or "the file"
    others = f" ({more} more like this)" if more else ""
    said, hint = _unknown_key(model, first) if first["type"] == "extra_forbidden" else (first["msg"], "Correct it, or remove it.")
    raise ConfigurationError(f"{file}: {where}: {said[:1].lower()}{said[1:]}{others}.", hint=hint) from None


def _unknown_key(model: type[Model], detail: ErrorDetails) -> tuple[str, str]:
    key, known = str(detail["loc"][-1]), _known_keys(model, detail["loc"][:-1])
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}?" if near else f"Known here: {', '.join(known) or 'nothing'}."
    return "this key is not known", hint


def _known_keys(model: type[Model], location: tuple[int | str, ...]) -> list[str]:
    """Return the field names of the model at `location` inside `model`."""
    place: object = model
    for step in location:
        if isinstance(place, type) and issubclass(place, Model):
            place = place.model_fields[str(step)].annotation
        elif get_origin(place) is dict:
            place = get_args(place)[1]
    return sorted(place.model_fields) if isinstance(place, type) and issubclass(place, Model) else []


def _table(parent: object, name: str) -> dict[str, object]:
    """Return the table `name` of a parsed document, made when it is not there."""
    import tomlkit

    tables = cast("dict[str, object]", parent)
    if name not in tables:
        tables[name] = tomlkit.table()
    return cast("dict[str, object]", tables[name])


def _put_pin(plugins: dict[str, object], name: str, pin: Pin) -> None:
    table = _table(_table(plugins, "pins"), name)
    table.clear()
    table.update(pin.model_dump(mode="json", exclude_defaults=True))


def _with(table: dict[str, object], key: str, name: str) -> None:
    names = cast("list[str]", table.setdefault(key, []))
    if name not in names:
        names.append(name)


def _without(table: dict[str, object], key: str, name: str) -> None:
    names = cast("list[str]", table.get(key, []))
    while name in names:
        names.remove(name)


def _drop(parent: object, table: str, name: str) -> bool:
    """Remove the entry `name` of `table`, if there is one; an empty table goes too."""
    tables = cast("dict[str, dict[str, object]]", parent)
    if name not in tables.get(table, {}):
        return False
    del tables[table][name]
    if not tables[table]:
        del tables[table]
    return True


@contextmanager
def _alone(target: Path) -> Generator[None]:
    """Keep other processes from editing meanwhile: the lock is on the folder, which outlives the file."""
    try:
        folder = os.open(target.parent, os.O_RDONLY)
    except OSError as error:
        _not_written(target, error)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _replace(target: Path, text: str) -> None:
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=".settings-", dir=target.parent)  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        _not_written(target, error)


def _not_written(target: Path, error: OSError) -> NoReturn:
    raise ConfigurationError(f"{target}: it cannot be written: {error.strerror}.", hint=HINT) from error
