"""Arguments of hooks that are on their way out: since when, until when, and what to use instead.

DEPRECATED              the table; a row stays for as long as the argument is there, and goes together with it
deprecated_arguments    which of them a plugin still asks for: a host's `doctor` and the conformance kit say so
deprecation_warnings    the same rows for a hook's marker: pluggy gives them to whoever registers a plugin by himself

An argument is not taken away at once. What comes in its place is added beside it, with a default. The host passes both until the version
that `removed` names, which is a later minor version, and does not come before the day `not_before`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from datetime import date

from ._kinds import PROJECT, Kind


@dataclass(frozen=True, slots=True)
class Deprecated:
    """An argument of a hook that plugins should no longer ask for.

    Attributes:
        kind: of the plugins.
        hook: its name.
        argument: its name.
        since: the version of veridical-contract that deprecated it.
        announced: the day of that.
        removed: the version of veridical-contract that will not have it.
        not_before: the day before which that version does not come.
        instead: what to use.
    """

    kind: Kind
    hook: str
    argument: str
    since: str
    announced: date
    removed: str
    not_before: date
    instead: str

    def __str__(self) -> str:
        return (
            f"The argument {self.argument} of the hook {self.hook} ({self.kind}) is deprecated since veridical-contract {self.since} "
            f"({self.announced.isoformat()}) and gone in {self.removed} (not before {self.not_before.isoformat()}): use {self.instead}."
        )


DEPRECATED: tuple[Deprecated, ...] = (
    Deprecated(
        kind="storage",
        hook="state",
        argument="check",
        since="0.1.0",
        announced=date(2026, 11, 22),
        removed="0.2.0",
        not_before=date(2027, 5, 22),
        instead='depth, which is "whole" where check is True and "counts" where it is False',
    ),
)
"""Every argument of a hook that is deprecated."""


def deprecated_arguments(plugin_class: type[object], kind: Kind) -> tuple[Deprecated, ...]:
    """Return the deprecated arguments that the hooks of `plugin_class`, a plugin of `kind`, ask for, in the order of `DEPRECATED`."""
    return tuple(row for row in DEPRECATED if row.kind == kind and row.argument in _asked(plugin_class, row.hook))


def deprecation_warnings(kind: Kind, hook: str) -> dict[str, Warning]:
    """Return the warning for each deprecated argument of `hook`, as `warn_on_impl_args` of pluggy's marker takes it."""
    return {row.argument: DeprecationWarning(str(row)) for row in DEPRECATED if (row.kind, row.hook) == (kind, hook)}


def _asked(plugin_class: type[object], hook: str) -> frozenset[str]:
    """Return the arguments of the implementation of `hook`; none when there is none that is marked as one."""
    found = getattr(plugin_class, hook, None)
    if not inspect.isroutine(found) or not hasattr(found, f"{PROJECT}_impl"):
        return frozenset()
    return frozenset(inspect.signature(found).parameters)
