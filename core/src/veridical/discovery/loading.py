"""Import one plugin, construct it, and see whether it is what its kind asks for. Whatever it does, the answer is a value.

    load: ready? -> fit? -> not from the working directory -> import (stevedore) -> a class? -> Class(context) -> its hooks -> approved?
          no      refused   refused                           failed                refused    failed            refused      refused

Each plugin has a plugin manager of its own with the hook specifications of its kind: none can wrap, see or be confused with another,
and a plugin that fails is dropped together with its manager. `loaded` judges what another process, which did the same, says that it found.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import NoReturn, cast
from urllib.parse import urlsplit

import pluggy
from pydantic import JsonValue, ValidationError
from stevedore.extension import ExtensionManager
from stevedore.named import NamedExtensionManager
from veridical_contract import (
    PROJECT,
    SPECS,
    ConfigurationError,
    Kind,
    MissingSecretError,
    PluginContext,
    WireMap,
    deprecated_arguments,
)

from veridical.kernel.exact import NotExactError, rebuild
from veridical.kernel.wire import map_fingerprint

from .failures import describe, log_traceback, one_line
from .fitness import check_fit, unknown_to
from .listing import KINDS, Listing, Status
from .places import shadowed_by, working_directory

_NOT_APPROVED = "The places where it reads replies are not those that were shown when it was enabled: veridical plugins enable {}"
_MARKS = ("wrapper", "hookwrapper", "tryfirst", "trylast", "specname", "optionalhook")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A plugin that is ready to be called; only the gateway does.

    Attributes:
        listing: what the catalogue said of it.
        hooks: which hooks it implements.
        relay: has each hook by its name; called by keyword, it returns the result in a list, or an empty one for None.
        wire: its wire maps, by name.
        model: of a chat plugin, the model that it asks; empty when it says none, and nothing is paid for.
        milliseconds: how long importing and constructing it took.
        notes: what it uses that is deprecated, one line each.
    """

    listing: Listing
    hooks: frozenset[str]
    relay: object
    wire: Mapping[str, WireMap]
    model: str
    milliseconds: float
    notes: tuple[str, ...] = ()


class _NotAPluginError(Exception):
    """What was imported is not a plugin of its kind; the message says why."""


class _Manager(pluggy.PluginManager):
    """Says nothing of what is deprecated: that is a line in the plugin's row, not a warning in somebody's run."""

    def parse_hookspec_opts(self, module_or_class: ModuleType | type[object], name: str) -> pluggy.HookspecOpts | None:
        options = super().parse_hookspec_opts(module_or_class, name)
        return None if options is None else {**options, "warn_on_impl_args": None}


class _Opener(NamedExtensionManager[object]):
    """Stevedore's loader for one allowed entry point.

    It is told the entry point: left to list by itself it would read its disk cache.
    """

    def __init__(self, entry_point: EntryPoint) -> None:
        self._entry_point = entry_point
        super().__init__(entry_point.group, [entry_point.name], on_load_failure_callback=_reraise)

    def list_entry_points(self) -> list[EntryPoint]:
        return [self._entry_point]


def load(
    listing: Listing,
    context: PluginContext,
    *,
    approved: str | None = None,
    redact: Callable[[str], str] = str,
    clock: Callable[[], float] = time.perf_counter,
) -> Loaded | Status:
    """Import and construct the plugin of `listing`.

    Args:
        listing: from the catalogue, of a kind with hooks.
        context: handed to the plugin's constructor.
        approved: fingerprint of the wire maps that the operator approved, empty when none were shown; None when it is not asked for.
        redact: takes secrets out of a text.
        clock: seconds, for the milliseconds of the row.

    Returns:
        The plugin, or the row that says why there is none. Nothing that the plugin raises passes, apart from `KeyboardInterrupt`.
    """
    started = clock()
    if listing.state != "ready":
        return Status.of(listing, listing.state, listing.reason)
    try:
        check_fit(listing)
    except ConfigurationError as error:
        return Status.of(listing, "refused", one_line(str(error)), _elapsed(clock, started), code=error.code)
    except Exception as error:  # noqa: BLE001 - its metadata is somebody else's, and so is what finds the modules of an editable install
        said = f"Its metadata cannot be read: {describe(error)}. Install it again: pip install --force-reinstall {listing.distribution}"
        return Status.of(listing, "refused", one_line(said), _elapsed(clock, started))
    try:
        plugin = _construct(listing, context)
        manager = _registered(listing, plugin)
        wire = _approved(_wire_maps(plugin), approved, listing)
        model = cast("object", getattr(plugin, "model", ""))
        named = model if type(model) is str else ""
        notes = tuple(map(str, deprecated_arguments(type(plugin), cast("Kind", listing.kind))))
        return Loaded(listing, _hooks(manager), manager.hook, wire, named, _elapsed(clock, started), notes)
    except KeyboardInterrupt:
        raise
    except MissingSecretError as error:
        return Status.of(listing, "disabled", redact(one_line(str(error))), _elapsed(clock, started))
    except (_NotAPluginError, NotExactError, pluggy.PluginValidationError) as error:
        return Status.of(listing, "refused", redact(one_line(str(error))), _elapsed(clock, started))
    except BaseException as error:  # noqa: BLE001 - importing runs the plugin's code, and SystemExit is one of the things it raises
        log_traceback(context.logger, "loading", error)
        return Status.of(listing, "failed", redact(describe(error)), _elapsed(clock, started))


def astray(listing: Listing) -> str:
    """Return why the plugin of `listing` would be imported from where nothing is loaded from; empty when it comes from elsewhere."""
    module, _, _ = listing.value.partition(":")
    shadow = shadowed_by(module, listing.metadata, working_directory())
    said = f"{module} would be imported from the working directory ({shadow}), which nothing is loaded from."
    return f"{said} Start veridical from another folder." if shadow else ""


def loaded(
    listing: Listing,
    hooks: Iterable[str],
    relay: object,
    wire: Mapping[str, JsonValue],
    model: str,
    notes: Iterable[str] = (),
    *,
    approved: str | None,
    redact: Callable[[str], str],
    milliseconds: float,
) -> Loaded | Status:
    """Return the plugin of `listing` that another process loaded, once what it says of it is what `load` would have found.

    Args:
        listing: from the catalogue, of a kind with hooks.
        hooks: which it implements.
        relay: calls them there.
        wire: its wire maps by name, as JSON.
        model: that it asks.
        notes: what it uses that is deprecated.
        approved: see `load`.
        redact: see `load`.
        milliseconds: how long it took.
    """
    known = {name for name in vars(SPECS[cast("Kind", listing.kind)]) if not name.startswith("_")}
    if not (named := frozenset(hooks)) or not named <= known:
        said = f"It says that it implements other hooks than those of its kind: {', '.join(sorted(known))}."
        return Status.of(listing, "refused", said, milliseconds)
    try:
        maps = _approved(_safe({name: WireMap.model_validate_json(json.dumps(each)) for name, each in wire.items()}), approved, listing)
    except ValidationError as error:
        return Status.of(listing, "refused", redact(describe(error)), milliseconds)
    except _NotAPluginError as error:
        return Status.of(listing, "refused", redact(one_line(str(error))), milliseconds)
    kept = tuple(redact(one_line(note)) for note in notes)
    return Loaded(listing, named, relay, maps, redact(one_line(model)), milliseconds, kept)


def _elapsed(clock: Callable[[], float], started: float) -> float:
    return round((clock() - started) * 1000, 3)


def _construct(listing: Listing, context: PluginContext) -> object:
    if why := astray(listing):
        raise _NotAPluginError(why)
    entry_point = EntryPoint(name=listing.name, value=listing.value, group=listing.group)
    found = cast("object", _Opener(entry_point).extensions[0].plugin)
    if not isinstance(found, type):
        raise _NotAPluginError(f"{listing.value} is of type {type(found).__name__}, expected a class that takes a PluginContext.")
    return cast("Callable[[PluginContext], object]", found)(context)


def _registered(listing: Listing, plugin: object) -> pluggy.PluginManager:
    """Return a manager of this plugin's own, once its hooks are those of its kind: nothing may come before, after or around one."""
    if listing.kind not in KINDS:
        raise _NotAPluginError(f"A plugin of kind {listing.kind} has no hooks.")
    kind = listing.kind
    manager = _Manager(PROJECT)
    manager.register(plugin, name=listing.name)  # before there are specifications, so that what is wrong is told in our words
    implementations = [(caller.name, implementation) for caller in _callers(manager) for implementation in caller.get_hookimpls()]
    for name, implementation in implementations:
        if marks := [mark for mark in _MARKS if implementation.opts.get(mark)]:
            raise _NotAPluginError(f"Its hook {name} is marked {' and '.join(marks)}, expected plain @hookimpl.")
    for unknown in unknown_to(kind, implementations, listing):
        raise _NotAPluginError(unknown)
    manager.add_hookspecs(SPECS[kind])
    if not implementations:
        expected = ", ".join(caller.name for caller in _callers(manager))
        raise _NotAPluginError(f"It implements no hook of its kind, expected one of these, marked with @hookimpl: {expected}.")
    manager.check_pending()
    return manager


def _hooks(manager: pluggy.PluginManager) -> frozenset[str]:
    """Return the names of the hooks that the plugin implements."""
    return frozenset(caller.name for caller in _callers(manager) if caller.get_hookimpls())


def _callers(manager: pluggy.PluginManager) -> list[pluggy.HookCaller]:
    return [caller for name, caller in vars(manager.hook).items() if not name.startswith("_")]


def _approved(wire: dict[str, WireMap], approved: str | None, listing: Listing) -> dict[str, WireMap]:
    if approved is not None and wire and map_fingerprint(wire) != approved:
        raise _NotAPluginError(_NOT_APPROVED.format(listing.name))
    return wire


def _wire_maps(plugin: object) -> dict[str, WireMap]:
    """Return exact copies of the wire maps of a plugin: its attribute `wire`, one map or several by name; none where it has none.

    Raises:
        NotExactError: it is something else.
    """
    found = cast("object", getattr(plugin, "wire", None))
    if found is None:
        return {}
    named = cast("dict[object, object]", found) if type(found) is dict else {"": found}
    if not all(type(name) is str for name in named):
        raise _NotAPluginError("A name in its wire maps is no string.")
    return _safe({cast("str", name): rebuild(wire, WireMap) for name, wire in named.items()})


def _safe(maps: dict[str, WireMap]) -> dict[str, WireMap]:
    if any("@" in urlsplit(wire.base_url).netloc for wire in maps.values()):
        raise _NotAPluginError("Its base_url holds a user name or a password, which would be shown and kept: take it out of the settings.")
    return maps


def _reraise(_manager: ExtensionManager[object], _entry_point: EntryPoint, error: BaseException) -> NoReturn:
    raise error
