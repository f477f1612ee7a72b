"""Import one plugin, construct it, and see whether it is what its kind asks for. Whatever it does, the answer is a value.

    load: ready? -> not from the working directory -> import (stevedore) -> a class? -> Class(context) -> pluggy validates -> approved?
          no      refused                             failed                refused    failed            refused            refused

Each plugin has a plugin manager of its own with the hook specifications of its kind: none can wrap, see or be confused with another,
and a plugin that fails is dropped together with its manager.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import NoReturn, cast
from urllib.parse import urlsplit

import pluggy
from stevedore.extension import ExtensionManager
from stevedore.named import NamedExtensionManager
from veridical_contract import PROJECT, SPECS, MissingSecretError, PluginContext, WireMap

from veridical.kernel.exact import NotExactError, rebuild
from veridical.kernel.wire import map_fingerprint

from .failures import describe, log_traceback, one_line
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
        relay: calls them, by keyword.
        wire: its wire maps, by name.
        model: of a chat plugin, the model that it asks; empty when it says none, and nothing is paid for.
        milliseconds: how long importing and constructing it took.
    """

    listing: Listing
    hooks: frozenset[str]
    relay: pluggy.HookRelay
    wire: Mapping[str, WireMap]
    model: str
    milliseconds: float


class _NotAPluginError(Exception):
    """What was imported is not a plugin of its kind; the message says why."""


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
        plugin = _construct(listing, context)
        manager = _registered(listing, plugin)
        wire = _approved(_wire_maps(plugin), approved, listing)
        model = cast("object", getattr(plugin, "model", ""))
        named = model if type(model) is str else ""
        return Loaded(listing, frozenset(_checked_hooks(manager)), manager.hook, wire, named, _elapsed(clock, started))
    except KeyboardInterrupt:
        raise
    except MissingSecretError as error:
        return Status.of(listing, "disabled", redact(one_line(str(error))), _elapsed(clock, started))
    except (_NotAPluginError, NotExactError, pluggy.PluginValidationError) as error:
        return Status.of(listing, "refused", redact(one_line(str(error))), _elapsed(clock, started))
    except BaseException as error:  # noqa: BLE001 - importing runs the plugin's code, and SystemExit is one of the things it raises
        log_traceback(context.logger, "loading", error)
        return Status.of(listing, "failed", redact(describe(error)), _elapsed(clock, started))


def _elapsed(clock: Callable[[], float], started: float) -> float:
    return round((clock() - started) * 1000, 3)


def _construct(listing: Listing, context: PluginContext) -> object:
    module, _, _ = listing.value.partition(":")
    if shadow := shadowed_by(module, listing.metadata, working_directory()):
        raise _NotAPluginError(
            f"{module} would be imported from the working directory ({shadow}), which nothing is loaded from. "
            "Start veridical from another folder."
        )
    entry_point = EntryPoint(name=listing.name, value=listing.value, group=listing.group)
    found = cast("object", _Opener(entry_point).extensions[0].plugin)
    if not isinstance(found, type):
        raise _NotAPluginError(f"{listing.value} is of type {type(found).__name__}, expected a class that takes a PluginContext.")
    return cast("Callable[[PluginContext], object]", found)(context)


def _registered(listing: Listing, plugin: object) -> pluggy.PluginManager:
    if listing.kind not in KINDS:
        raise _NotAPluginError(f"A plugin of kind {listing.kind} has no hooks.")
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(SPECS[listing.kind])
    manager.register(plugin, name=listing.name)
    manager.check_pending()
    return manager


def _checked_hooks(manager: pluggy.PluginManager) -> Iterator[str]:
    """Yield the hooks that the plugin implements, each plainly: nothing may come before, after or around it."""
    callers = [caller for name, caller in vars(manager.hook).items() if not name.startswith("_")]
    implementations = [(caller, implementation) for caller in callers for implementation in caller.get_hookimpls()]
    for caller, implementation in implementations:
        if marks := [mark for mark in _MARKS if implementation.opts.get(mark)]:
            raise _NotAPluginError(f"Its hook {caller.name} is marked {' and '.join(marks)}, expected plain @hookimpl.")
        yield caller.name
    if not implementations:
        expected = ", ".join(caller.name for caller in callers)
        raise _NotAPluginError(f"It implements no hook of its kind, expected one of these, marked with @hookimpl: {expected}.")


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
    maps = {cast("str", name): rebuild(wire, WireMap) for name, wire in named.items()}
    if any("@" in urlsplit(wire.base_url).netloc for wire in maps.values()):
        raise _NotAPluginError("Its base_url holds a user name or a password, which would be shown and kept: take it out of the settings.")
    return maps


def _reraise(_manager: ExtensionManager[object], _entry_point: EntryPoint, error: BaseException) -> NoReturn:
    raise error
