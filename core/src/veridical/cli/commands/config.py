"""`veridical config`."""

from __future__ import annotations

import click

from veridical.cli.shared import client, json_option, print_json


@click.group("config")
def command() -> None:
    """See what is set, and where."""


@command.command("show")
@json_option
@click.pass_context
def show(context: click.Context, as_json: bool) -> None:  # noqa: FBT001 - click's own signature
    """Show every setting, defaults included."""
    with client(context) as veridical:
        settings = veridical.settings().model_dump(mode="json")
    if as_json:
        print_json(settings)
        return
    for table, values in settings.items():
        click.echo(f"[{table}]")
        for key, value in values.items():
            click.echo(f"  {key} = {value if value is not None else '(not set)'}")


@command.command("path")
@json_option
@click.pass_context
def path(context: click.Context, as_json: bool) -> None:  # noqa: FBT001
    """Show where settings, store, logs and cache are."""
    with client(context) as veridical:
        home = veridical.home
    places = {"settings": home.settings, "data": home.data, "runs": home.runs, "logs": home.logs, "cache": home.cache}
    if as_json:
        print_json({name: str(place) for name, place in places.items()})
        return
    for name, place in places.items():
        click.echo(f"{name + ':':10}{place}")
