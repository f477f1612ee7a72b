"""The group of commands. Help and completion import the command modules, which import nothing heavy at their top.

Commands of other distributions (`surfaces`) come after our own, and never take the name of one.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

import click

from .surfaces import described, find_command, names_of_commands

__all__ = ["veridical"]

_COMMANDS = (
    "ground",
    "research",
    "check",
    "verify",
    "recheck",
    "audit",
    "keys",
    "sources",
    "evidence",
    "runs",
    "store",
    "forget",
    "plugins",
    "doctor",
    "config",
    "schema",
    "completion",
)
"""In the order in which help lists them."""


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS, *(name for name in names_of_commands(ctx) if name not in _COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _COMMANDS:
            return cast("click.Command", import_module(f"veridical.cli.commands.{cmd_name}").command)
        return described(ctx, cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        found = find_command(ctx, args[0]) if args[0] not in _COMMANDS else None
        return (args[0], found, args[1:]) if found is not None else super().resolve_command(ctx, args)


def _version(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click's own signature
    if asked and not context.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"veridical {version('veridical-core')}")
        context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--home",
    type=click.Path(file_okay=False),
    help="One folder for store, settings and logs. Default: VERIDICAL_HOME, else the usual places.",
)
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
@click.pass_context
def veridical(context: click.Context, home: str | None, debug: bool) -> None:  # noqa: FBT001, ARG001 - main reads --debug by itself
    """Research in which nothing can be made up.

    Every quote, link and number that leaves is copied or counted from evidence, or it does not leave. What a report proves, and
    what it does not, anybody can check offline with `veridical verify`.
    """
    if home == "":
        raise click.BadParameter("it is empty.", param_hint="--home")
    context.obj = Path(home) if home is not None else None
