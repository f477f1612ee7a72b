"""Commands that other distributions bring: entry points of the group `veridical.v1.command`, `NAME = "module:command"`.

They are known by their metadata, and imported when they are typed: help shows them without. Like any plugin they are code that somebody has
to trust first: what is not built in is enabled by name, and nothing is loaded from the working directory.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

__all__ = ["described", "find_command", "names_of_commands"]


def names_of_commands(home: str | None) -> list[str]:
    """Return the names of the commands that other distributions bring and that may be loaded, in order; none where that cannot be told."""
    return sorted(row[0] for row in _listed(home) if row[1] == "ready")


def described(home: str | None, name: str) -> click.Command | None:
    """Return what help shows of a command that another distribution brings; nothing of it is imported."""
    row = next((row for row in _listed(home) if row[:2] == (name, "ready")), None)
    return click.Command(name, short_help=f"Of {row[2]}; see: veridical {name} --help") if row is not None else None


def find_command(home: str | None, name: str) -> click.Command | None:
    """Return the command that another distribution brings under `name`; None when none does.

    Raises:
        ConfigurationError: there is one, and it may not be loaded, or cannot be.
    """
    row = next((row for row in _listed(home) if row[0] == name), None)
    if row is None:
        return None
    _, state, distribution, value, reason = row
    if state != "ready":
        _refuse(name, distribution, reason)
    return _load(name, distribution, value)


def _listed(home: str | None) -> list[tuple[str, str, str, str, str]]:
    from veridical.discovery import Allow, catalogue, read_allow
    from veridical.discovery.listing import COMMAND
    from veridical.homes import Home

    try:
        allow = read_allow(Home.locate(home=Path(home) if home else None, environment=os.environ).settings)
    except Exception:  # noqa: BLE001 - settings that cannot be read: whoever needs them says so, and help is shown all the same
        allow = Allow()
    return [(row.name, row.state, row.distribution, row.value, row.reason) for row in catalogue(allow) if row.kind == COMMAND]


def _load(name: str, distribution: str, value: str) -> click.Command:
    from veridical.discovery import describe

    module, _, attribute = value.partition(":")
    try:
        found: object = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - it is somebody else's module
        _refuse(name, distribution, f"it cannot be loaded: {describe(error)}")
    if not isinstance(found, click.Command):
        _refuse(name, distribution, f"{value} is no click command: tell its authors")
    return found


def _refuse(name: str, distribution: str, reason: str) -> NoReturn:
    from veridical_contract import ConfigurationError

    raise ConfigurationError(f"The command {name!r} of {distribution} cannot be used: {reason}", hint="See: veridical plugins list")
