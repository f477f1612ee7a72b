"""Commands that other distributions bring: entry points of the group `veridical.v1.command`, `NAME = "module:command"`.

They are known by their metadata, and imported when they are typed: help shows them without. Like any plugin they are code that somebody has
to trust first: what is not built in is enabled by name, and nothing is loaded from the working directory.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

import click

if TYPE_CHECKING:
    from veridical.discovery import Listing

__all__ = ["described", "find_command", "names_of_commands"]


def names_of_commands(context: click.Context) -> list[str]:
    """Return the names of the commands that other distributions bring and that may be loaded, in order."""
    return sorted(row.name for row in _listed(context).values() if row.state == "ready")


def described(context: click.Context, name: str) -> click.Command | None:
    """Return what help shows of a command that another distribution brings; nothing of it is imported."""
    row = _listed(context).get(name)
    if row is None or row.state != "ready":
        return None
    return click.Command(name, short_help=f"Of {row.distribution}; see: veridical {name} --help")


def find_command(context: click.Context, name: str) -> click.Command | None:
    """Return the command that another distribution brings under `name`; None when none does.

    Raises:
        ConfigurationError: there is one, and it may not be loaded, or cannot be.
    """
    row = _listed(context).get(name)
    if row is None:
        return None
    if row.state != "ready":
        _refuse(name, row.distribution, row.reason)
    return _load(name, row.distribution, row.value)


def _listed(context: click.Context) -> dict[str, Listing]:
    """Return the commands of other distributions by name; looked for once in a context."""
    from veridical.discovery import Allow, catalogue, read_allow
    from veridical.discovery.listing import COMMAND
    from veridical.homes import Home

    if (known := context.meta.get(__name__)) is not None:
        return cast("dict[str, Listing]", known)
    home = context.params.get("home")
    try:
        allow = read_allow(Home.locate(home=Path(home) if home else None, environment=os.environ).settings)
    except Exception:  # noqa: BLE001 - settings that cannot be read: whoever needs them says so, and help is shown all the same
        allow = Allow()
    found = {row.name: row for row in catalogue(allow) if row.kind == COMMAND}
    context.meta[__name__] = found
    return found


def _load(name: str, distribution: str, value: str) -> click.Command:
    module, _, attribute = value.partition(":")
    try:
        found: object = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - it is somebody else's module
        from veridical.discovery import describe

        _refuse(name, distribution, f"it cannot be loaded: {describe(error)}")
    if not isinstance(found, click.Command):
        _refuse(name, distribution, f"{value} is no click command: tell its authors")
    return found


def _refuse(name: str, distribution: str, reason: str) -> NoReturn:
    from veridical_contract import ConfigurationError

    raise ConfigurationError(f"The command {name!r} of {distribution} cannot be used: {reason}", hint="See: veridical plugins list")
