"""What discovery says of a plugin: a `Listing` before it is imported, a `Status` after something was tried with it.

Both are plain tuples of text, and the names of kinds stand here a second time, since importing the contract means importing pydantic
(a test holds the two equal).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

GENERATION = "v1"
KINDS = ("chat", "search", "embedding", "storage", "source")
COMMAND = "command"
"""The kind of an entry point that adds commands; it has no hooks."""

State = Literal["ready", "disabled", "refused"]
StatusName = Literal["ok", "disabled", "refused", "failed", "quarantined"]


class Listing(NamedTuple):
    """One plugin as its distribution's metadata describes it; nothing of it was imported.

    Attributes:
        name: of its entry point.
        kind: `chat`, `search`, `embedding`, `storage`, `source` or `command`; whatever the group says when it is none of these.
        generation: of the plugin API, `v1`; empty when the group does not say.
        distribution: normalised name of the package that brings it.
        version: of that package.
        value: the entry point, `module:Class`.
        group: of the entry point.
        metadata: folder of the distribution's metadata.
        enabled: whether the operator (or the built-in list) lets it run.
        state: `ready` to be imported, `disabled`, or `refused`.
        reason: why it is not ready and what to do, in one line; empty when it is.
        files: digest that the distribution's files have to have when it is loaded; empty when the operator pinned none.
        note: what the operator should know of a plugin that is ready, in one line; empty when there is nothing.
    """

    name: str
    kind: str
    generation: str
    distribution: str
    version: str
    value: str
    group: str
    metadata: str
    enabled: bool
    state: State
    reason: str
    files: str = ""
    note: str = ""


class Status(NamedTuple):
    """What became of one plugin.

    Attributes:
        name: of its entry point.
        kind: of its hooks.
        distribution: that brings it.
        version: of the distribution.
        status: `ok`, `disabled` (by the operator, or for want of a key), `refused` (never imported, or not a valid plugin), `failed` (it
            raised), `quarantined` (it passed a deadline and is not called again).
        reason: in one line, without secrets; empty when `ok`.
        milliseconds: how long importing and constructing it took; 0 when it was not tried.
        notes: what the operator should know besides, one line each: that it was enabled without a pin, what it uses that is deprecated.
        code: of the error that kept it from being imported at all (`incompatible`: its versions do not fit); empty otherwise.
        isolated: `sandboxed` or `unsandboxed` for one that runs in a process of its own; empty for one that runs in this.
    """

    name: str
    kind: str
    distribution: str
    version: str
    status: StatusName
    reason: str = ""
    milliseconds: float = 0.0
    notes: tuple[str, ...] = ()
    code: str = ""
    isolated: Literal["", "sandboxed", "unsandboxed"] = ""

    @classmethod
    def of(
        cls,
        listing: Listing,
        status: StatusName,
        reason: str = "",
        milliseconds: float = 0.0,
        notes: tuple[str, ...] = (),
        code: str = "",
    ) -> Status:
        """Return the row of `listing`, whose own note stands before `notes`."""
        noted = (listing.note, *notes) if listing.note else notes
        return cls(listing.name, listing.kind, listing.distribution, listing.version, status, reason, milliseconds, noted, code)


class Pinned(NamedTuple):
    """What a plugin was enabled from.

    Attributes:
        distribution: normalised name.
        version: of the distribution; empty when any will do.
        files: digest of its files; empty when any will do.
    """

    distribution: str
    version: str = ""
    files: str = ""


class Allow(NamedTuple):
    """Which plugins may be imported.

    Attributes:
        enabled: names that the operator enabled.
        disabled: names that the operator disabled; this one wins.
        pins: name to what the operator enabled it from.
    """

    enabled: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()
    pins: Mapping[str, Pinned] = MappingProxyType({})
