"""`veridical store`."""

from __future__ import annotations

import click

from veridical.cli.shared import client, json_option, print_json, say


@click.group("store")
def command() -> None:
    """Back up the store, restore it, and tidy it up."""


@command.command("backup")
@click.argument("file")
@click.option("--force", is_flag=True, help="Replace FILE when it is there.")
@json_option
@click.pass_context
def backup(context: click.Context, file: str, force: bool, as_json: bool) -> None:  # noqa: FBT001 - click's own signature
    """Write the store and what belongs to it to FILE, which is private: it holds all evidence and the key. Others may go on working."""
    with client(context) as veridical:
        held = veridical.store.backup(file, force=force)
    if as_json:
        print_json(held.model_dump(mode="json"))
    else:
        say(f"Wrote {file}: {held.documents} documents, read again and whole.")


@command.command("restore")
@click.argument("file")
@json_option
@click.pass_context
def restore(context: click.Context, file: str, as_json: bool) -> None:  # noqa: FBT001
    """Make the backup FILE the store. It is checked first, and the store that was there stays beside it under another name."""
    with client(context) as veridical:
        done = veridical.store.restore(file)
        documents = sum(row.documents for row in veridical.sources())
    if as_json:
        print_json(done.model_dump(mode="json"))
    else:
        say(f"Restored {file}: {documents} documents in named sources.")


@command.command("tidy")
@json_option
@click.pass_context
def tidy(context: click.Context, as_json: bool) -> None:  # noqa: FBT001
    """Delete what the [retention] table of the settings no longer keeps, and put the index in order."""
    with client(context) as veridical:
        done = veridical.store.tidy()
    if as_json:
        print_json({"deleted": done.deleted, "kept": done.kept})
    else:
        say(f"Deleted {done.deleted} documents that were no longer current; {done.kept} such documents stay.")
