"""All plugins that are installed, and which of them may be imported. Nothing of them is imported here.

sys.path -> distributions -> entry points of our groups -> rules, the first that speaks decides:
    unreadable metadata, working directory, group, generation, kind, name, value, duplicate   refused
    disabled by the operator                                                                  disabled
    enabled, but from another distribution, or another version, than was pinned               refused
    enabled by the operator, or built in (kind, name and distribution)                        ready
    anything else                                                                             disabled
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .listing import COMMAND, GENERATION, KINDS, Allow, Listing, State
from .metadata import PREFIX, Distribution, EntryPoint, distributions
from .places import split_path, working_directory

BUILT_IN = {
    ("storage", "sqlite"): "veridical-sqlite",
    ("source", "files"): "veridical-files",
    ("chat", "extractive"): "veridical-extractive",
    ("embedding", "hashing"): "veridical-hashing",
    ("command", "serve"): "veridical-http",
    ("command", "mcp"): "veridical-mcp",
}
"""What is enabled from the start: kind and name to the distribution. What asks a service is not: its wire maps are approved first."""

_ALL_KINDS = (*KINDS, COMMAND)
_LONGEST_NAME = 64


class _Found(NamedTuple):
    """An entry point, and whether its distribution lies in the working directory."""

    distribution: Distribution
    entry_point: EntryPoint
    generation: str
    kind: str
    astray: bool

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.entry_point.name


def catalogue(allow: Allow | None = None, *, path: Sequence[str] | None = None) -> tuple[Listing, ...]:
    """Return every plugin on `path` by kind and name, each with whether it may be imported and why not.

    Args:
        allow: what the operator enabled and disabled; None means nothing but the built-in list.
        path: folders to look in; None means `sys.path`.
    """
    here = working_directory()
    trusted, inside = split_path(sys.path if path is None else path, here)
    seen: set[str] = set()
    found = [*_read(trusted, seen, astray=False), *_read(inside, seen, astray=True)]
    names = Counter(one.key for one in found if one.generation == GENERATION and not one.astray)
    rivals = {key: [one.distribution.name for one in found if one.key == key] for key, number in names.items() if number > 1}
    listings = [_listing(one, allow or Allow(), rivals) for one in found]
    return tuple(sorted(listings, key=lambda row: (_order(row.kind), row.kind, row.name, row.distribution, row.version)))


def _read(path: Sequence[str], seen: set[str], *, astray: bool) -> Iterator[_Found]:
    for distribution in distributions(path, seen):
        if distribution.problem:
            yield _Found(distribution, EntryPoint("", distribution.name, ""), "", "", astray)
        for entry_point in distribution.entry_points:
            yield _Found(distribution, entry_point, *_generation_and_kind(entry_point.group), astray)


def _listing(found: _Found, allow: Allow, rivals: dict[tuple[str, str], list[str]]) -> Listing:
    distribution, entry_point = found.distribution, found.entry_point
    enabled = _enabled(found, allow)
    state: State = "refused"
    reason = _refusal(found, rivals) or (_pin_refusal(found, allow) if enabled else "")
    if not reason:
        state, reason = ("ready", "") if enabled else ("disabled", f"It is not enabled: veridical plugins enable {entry_point.name}")
    return Listing(
        name=_shown(entry_point.name),
        kind=_shown(found.kind),
        generation=found.generation,
        distribution=_shown(distribution.name),
        version=_shown(distribution.version),
        value=_shown(entry_point.value),
        group=_shown(entry_point.group),
        metadata=distribution.folder,
        enabled=enabled,
        state=state,
        reason=reason,
        files=allow.pins[entry_point.name].files if state == "ready" and entry_point.name in allow.pins else "",
        note=_note(found, allow) if state == "ready" else "",
    )


def _enabled(found: _Found, allow: Allow) -> bool:
    name = found.entry_point.name
    built_in = BUILT_IN.get(found.key) == found.distribution.name
    return name not in allow.disabled and (built_in or name in allow.enabled)


def _refusal(found: _Found, rivals: dict[tuple[str, str], list[str]]) -> str:
    """Return why an entry point cannot be used by anybody; empty when it can."""
    distribution, (group, name, value) = found.distribution, found.entry_point
    if distribution.problem:
        return f"{distribution.name}: {distribution.problem}. Install it again: pip install --force-reinstall {distribution.name}"
    if found.astray:
        return "It lies in the working directory, which nothing is loaded from. Install it: pip install ."
    if not found.generation or (found.generation == GENERATION and found.kind not in _ALL_KINDS):
        expected = f"veridical.{GENERATION}.{{{','.join(_ALL_KINDS)}}}"
        return f"Its group is {_shown(group)}, expected one of {expected}: tell the authors of {distribution.name}"
    if found.generation != GENERATION:
        return (
            f"{distribution.name} {_shown(distribution.version)} is made for plugin API {found.generation}, "
            f"this veridical has {GENERATION}. Install a version that fits: pip install --upgrade veridical {distribution.name}"
        )
    if not _is_name(name):
        expected = f"lower-case letters, digits and single hyphens, {_LONGEST_NAME} at most"
        return f"Its name is {_shown(name)}, expected {expected}: tell the authors of {distribution.name}"
    if not _is_class_reference(value):
        return f"Its entry point is {_shown(value)}, expected module:Class: tell the authors of {distribution.name}"
    if found.key in rivals:
        return _duplicate(found, rivals[found.key])
    return ""


def _duplicate(found: _Found, owners: list[str]) -> str:
    who = sorted(set(owners))
    if len(who) == 1:
        return f"{who[0]} declares two {found.kind} plugins of this name: tell its authors"
    return f"{' and '.join(who)} both bring a {found.kind} plugin of this name. Remove one: pip uninstall {found.distribution.name}"


def _pin_refusal(found: _Found, allow: Allow) -> str:
    name, owner, version = found.entry_point.name, found.distribution.name, _shown(found.distribution.version)
    pinned = allow.pins.get(name)
    if pinned is None:
        return ""
    if pinned.distribution != owner:
        again = f"veridical plugins enable {name}"
        return f"It was enabled from {_shown(pinned.distribution)} and now comes from {owner}. If that is meant: {again}"
    if pinned.version not in ("", found.distribution.version):
        return (
            f"It is pinned to {owner} {_shown(pinned.version)}, and {version or 'an unknown version'} is installed. "
            f"If that is meant: veridical plugins enable {name} --pin; if not: pip install {owner}=={_shown(pinned.version)}"
        )
    return ""


def _note(found: _Found, allow: Allow) -> str:
    name = found.entry_point.name
    if name in allow.pins or BUILT_IN.get(found.key) == found.distribution.name:
        return ""
    return f"It is enabled without a pin, so changes are not noticed: veridical plugins enable {name}"


def _generation_and_kind(group: str) -> tuple[str, str]:
    """Split `veridical.v1.search`; without a generation, all that follows the prefix is the kind."""
    generation, _, kind = group.removeprefix(PREFIX).partition(".")
    number = generation.removeprefix("v")
    known = generation != number and number.isascii() and number.isdecimal() and kind.isalpha()
    return (generation, kind) if known else ("", group.removeprefix(PREFIX))


def _is_name(name: str) -> bool:
    parts = name.split("-")
    return name.isascii() and name == name.lower() and all(map(str.isalnum, parts)) and len(name) <= _LONGEST_NAME


def _is_class_reference(value: str) -> bool:
    module, _, attribute = value.partition(":")
    return all(map(str.isidentifier, [*module.split("."), *attribute.split(".")]))


def _shown(text: str) -> str:
    """Return `text` safe to print: metadata is somebody else's, and a terminal obeys escape sequences."""
    return text if text.isprintable() else ascii(text)[1:-1]


def _order(kind: str) -> int:
    return _ALL_KINDS.index(kind) if kind in _ALL_KINDS else len(_ALL_KINDS)
