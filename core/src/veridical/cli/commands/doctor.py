"""`veridical doctor`."""

from __future__ import annotations

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say


@click.command("doctor")
@click.option("--store", "check_store", is_flag=True, help="Read the whole store again and name everything that is wrong with it.")
@json_option
@click.pass_context
def command(context: click.Context, check_store: bool, as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Load what may be loaded, open the store, and say whether a run would work. Exit code 6 when it would not."""
    with client(context) as veridical:
        health = veridical.doctor(check_store=check_store)
    store = health.store
    if as_json:
        print_json(
            {
                "home": str(health.home.data),
                "settings": str(health.home.settings),
                "plugins": [status._asdict() for status in health.plugins],
                "store": store.model_dump(mode="json") if store is not None else None,
                "problems": list(health.problems),
            }
        )
    else:
        click.echo(f"home      {health.home.data}")
        click.echo(f"settings  {health.home.settings}")
        if store is not None:
            click.echo(f"store     {store.location} (schema {store.schema_version}, {store.documents} documents)")
        click.echo()
        rows = [(row.name, row.kind, row.status, f"{row.milliseconds:.0f} ms", row.reason) for row in health.plugins]
        print_table(rows, ("PLUGIN", "KIND", "STATUS", "LOADED IN", "REASON"))
    for problem in health.problems:
        say(f"problem: {problem}")
    return codes.CONFIGURATION if health.problems else codes.DONE
