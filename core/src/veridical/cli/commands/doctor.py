"""`veridical doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say

if TYPE_CHECKING:
    from veridical.discovery import Status
    from veridical.workflows.repair import Repaired


@click.command("doctor")
@click.option("--store", "check_store", is_flag=True, help="Read the whole store again and name everything that is wrong with it.")
@click.option("--repair", is_flag=True, help="With --store: make again what is damaged, from what is there and from the source files.")
@click.option("--ping", is_flag=True, help="Ask each service that a run would ask for next to nothing: are the keys good?")
@json_option
@click.pass_context
def command(
    context: click.Context,
    check_store: bool,  # noqa: FBT001 - click's own signature
    repair: bool,  # noqa: FBT001
    ping: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> int:
    """Load what may be loaded, open the store, and say whether a run would work. Exit code 6 when it would not."""
    if repair and not check_store:
        raise click.UsageError("--repair goes with --store.")
    with client(context) as veridical:
        if repair:
            _say_repaired(veridical.store.repair())
        health = veridical.doctor(check_store=check_store)
        days = veridical.settings().retention.past_days if health.store is not None else None
        pinged = veridical.ping() if ping and health.store is not None else ()
    store = health.store
    if as_json:
        print_json(
            {
                "home": str(health.home.data),
                "settings": str(health.home.settings),
                "plugins": [status._asdict() for status in health.plugins],
                "choices": [asdict(choice) for choice in health.choices],
                "store": store.model_dump(mode="json") if store is not None else None,
                "problems": list(health.problems),
                **({"pinged": [{"kind": one.kind, "name": one.name, "problem": said} for one, said in pinged]} if ping else {}),
            }
        )
    else:
        click.echo(f"home      {health.home.data}")
        click.echo(f"settings  {health.home.settings}")
        if store is not None:
            click.echo(f"store     {store.location} (schema {store.schema_version}, {store.documents} documents)")
        past = "for ever" if days is None else f"for {days} days; veridical store tidy deletes them after that"
        click.echo(f"kept      documents that are no longer current: {past}")
        for choice in health.choices:
            click.echo(f"{choice.kind:<9} {choice.name}: {choice.why}. {choice.change}")
        if not any(choice.kind == "search" for choice in health.choices):
            click.echo("search    nobody: enable a plugin and set its key, to search the web")
        waiting = ", ".join(health.waiting)
        if waiting:
            click.echo(f"waiting   {waiting}: installed; veridical plugins enable NAME shows where they read replies, and lets them run")
        click.echo()
        rows = [(row.name, row.kind, row.status, _runs(row), f"{row.milliseconds:.0f} ms", row.reason) for row in health.plugins]
        print_table(rows, ("PLUGIN", "KIND", "STATUS", "RUNS", "LOADED IN", "REASON"))
    for note in dict.fromkeys(f"{row.name}: {note}" for row in health.plugins for note in row.notes):
        say(f"note: {note}")
    failed = [f"{choice.name}: {said}" for choice, said in pinged if said]
    for choice, said in pinged:
        if not said:
            say(f"{choice.kind} {choice.name} answers")
    for problem in (*health.problems, *failed):
        say(f"problem: {problem}")
    return codes.CONFIGURATION if health.problems or failed else codes.DONE


def _runs(row: Status) -> str:
    """Return where a plugin runs; empty for one that does not."""
    if row.isolated:
        return "isolated" if row.isolated == "sandboxed" else "isolated, no sandbox"
    return "here" if row.status in ("ok", "failed", "quarantined") else ""


def _say_repaired(done: Repaired) -> None:
    if done.documents or done.raws:
        say(f"Repaired {len(done.documents)} documents and {len(done.raws)} records.")
    for lost in done.lost:
        places = ", ".join(f"{container} of {origin}" for origin, container in lost.containers) or "a source that is gone"
        hint = f", or be rid of it: veridical forget {lost.name[:12]} --reason damaged" if lost.what == "document" else ""
        say(f"lost: {lost.what} {lost.name} from {places}. Put a backup back (veridical store restore FILE){hint}")
